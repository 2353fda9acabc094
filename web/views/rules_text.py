"""The rules in force as plain text, to be copied, sent and compared."""

from collections.abc import Iterable, Iterator

from combat.optional_rules import OptionalRule
from combat.owner_values import short_checksum
from combat.provenance import CHANGED_MARK, Provenance
from combat.rules_in_force import RulesInForce
from web.strings import data_words, row_words, sentence, text, words

_INDENT = "  "


def rules_text(rules: RulesInForce) -> str:
    """The whole card; whatever the players have changed begins with its mark."""
    return "\n".join(_lines(rules)) + "\n"


def edition_words(rules: RulesInForce) -> str:
    """Which edition of the rules it is, and whether there is a newer one."""
    key = "rules.edition" if rules.edition == rules.latest_edition else "rules.edition_old"
    return str(text(key, edition=rules.edition, latest=rules.latest_edition))


def changes_words(rules: RulesInForce) -> str:
    """How many things the players have changed."""
    if not rules.changes:
        return str(text("rules.changes.none"))
    return str(text("rules.changes", n=rules.changes))


def _lines(rules: RulesInForce) -> Iterator[str]:
    yield f"{text('rules.title')}: {rules.title}"
    yield rules.source
    yield edition_words(rules)
    yield f"{text('rules.checksum')}: {short_checksum(rules.checksum)}"
    yield f"{text('rules.tables_checksum')}: {short_checksum(rules.tables_checksum)}"
    yield f"{changes_words(rules)}. {text('rules.marked', mark=CHANGED_MARK)}"
    yield from _section(
        "rules.conditions",
        (
            _line(each.changed, f"{words(each.label)}: {words(each.value)}{_rule(each.rule)}")
            for each in rules.conditions
        ),
    )
    yield from _section("rules.options", map(_option, rules.options), "rules.no_options")
    yield from _section("rules.owner_cells", _cells(rules), "rules.no_owner_cells")
    yield from _section("rules.owner_cards", (_line(True, name) for name in rules.owner_cards))
    yield from _section(
        "rules.decisions",
        (_line(False, f"{words(each.text)}{_rule(each.rule)}") for each in rules.decisions),
    )
    lost = (
        _line(
            False,
            f"{Provenance.RECONSTRUCTED.mark} {data_words(each.title)}: "
            f"{text('rules.reconstructed_cells', n=each.count, of=each.of)}",
        )
        for each in rules.reconstructed
    )
    yield from _section("rules.reconstructed", lost, "rules.none_reconstructed")


def _section(title: str, lines: Iterable[str], otherwise: str = "") -> Iterator[str]:
    """A heading with its lines; without any, what is said instead, or nothing at all."""
    found = list(lines)
    if not found and otherwise:
        found = [_line(False, str(text(otherwise)))]
    if found:
        yield ""
        yield str(text(title))
        yield from found


def _line(changed: bool, words_: str) -> str:
    return f"{CHANGED_MARK if changed else ' '} {words_}"


def _option(option: OptionalRule) -> str:
    state = text("rules.on" if option.on else "rules.off")
    told = f"{sentence(option.title)}: {state}{_rule(option.rule)}"
    return _line(option.changed, f"{told}\n{_INDENT}{_INDENT}{words(option.meaning)}")


def _cells(rules: RulesInForce) -> Iterator[str]:
    for cell in rules.owner_cells:
        where = text("rules.cell", row=row_words(cell.row), column=row_words(cell.column))
        value = text(
            "rules.cell_own",
            own=cell.own,
            book=cell.book,
            provenance=text(f"tables.{cell.book_provenance}"),
        )
        yield _line(True, f"{data_words(cell.title)}, {where}: {value}")


def _rule(rule: str) -> str:
    return f" ({rule})" if rule else ""
