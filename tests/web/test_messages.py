"""Every code that the program says has words, and every word has a code that says it."""

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import web
from combat.questions import questions
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.grand_fleets.card import GUNS
from combat.rulebooks.grand_fleets.owner_cards import GROUPS
from combat.rulebooks.grand_fleets.vessel import Health
from tabletop.errors import DreyerError
from tabletop.messages import VERBATIM, Message, ShipRef, verbatim
from web.strings import ON_COMMAND_LINE, remedy_words, strings, words, words_without_remedy

ROOT = Path(web.__file__).parent.parent
ROOMS = ("tabletop", "calibration", "vision", "combat", "web")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
FORMATS = string.Formatter()


@dataclass(frozen=True)
class Said:
    """A code as it stands in a module, with the parameters that it is given there."""

    where: str
    code: str
    """Up to the first value that is put in."""
    whole: bool
    params: frozenset[str]
    open: bool
    """Whether more parameters may come from a mapping."""


def _said(path: Path) -> Iterator[Said]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        found = _code(node.args[0])
        if found is None or name not in SPEAKERS:
            continue
        code, whole = found
        params = frozenset(each.arg for each in node.keywords if each.arg is not None)
        is_open = any(each.arg is None for each in node.keywords)
        yield Said(f"{path.relative_to(ROOT)}:{node.lineno}", code, whole, params, is_open)


def _code(node: ast.expr) -> tuple[str, bool] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value, True) if re.fullmatch(r"[a-z_]+(\.[a-z0-9_-]+)+", node.value) else None
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        begin = str(node.values[0].value)
        return (begin, False) if re.fullmatch(r"[a-z_]+\.[a-z0-9_.-]*", begin) else None
    return None


def _errors() -> frozenset[str]:
    known = {"DreyerError"}
    classes = [
        (node.name, {getattr(base, "id", "") for base in node.bases})
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    while more := {name for name, bases in classes if bases & known} - known:
        known |= more
    return frozenset(known)


SPEAKERS = _errors() | {"Message", "__init__"}
"""The calls that take a code first."""
SAID = tuple(said for path in MODULES for said in _said(path))


def _templates(code: str) -> list[str]:
    endings = ("", ".one", ".other", ".words", ".words.one", ".words.other", ".remedy",
               ".remedy_command")  # fmt: skip
    return [strings()[code + ending] for ending in endings if code + ending in strings()]


def test_the_program_says_something() -> None:
    assert len(SAID) > 20


@pytest.mark.parametrize("room", ROOMS)
def test_a_code_has_words_and_its_words_have_their_values(room: str) -> None:
    wrong = []
    for said in SAID:
        if not said.whole or not said.where.startswith(f"{room}/"):
            continue
        found = _templates(said.code)
        wanted = {name for each in found for _, name, _, _ in FORMATS.parse(each) if name}
        if not found or not (said.open or wanted <= said.params):
            wrong.append((said.where, said.code, wanted - said.params))
    assert wrong == []


def test_a_code_that_is_put_together_has_words_that_begin_so() -> None:
    for said in SAID:
        if not said.whole:
            assert any(key.startswith(said.code) for key in strings()), said


def test_every_kind_of_name_has_words() -> None:
    kinds = [
        (path, node.args[1].value)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "UnknownName"
        and isinstance(node.args[1], ast.Constant)
        and isinstance(node.args[1].value, str)
    ]
    assert len(kinds) > 20
    assert [kind for kind in kinds if f"errors.kind.{kind[1]}" not in strings()] == []


def test_the_command_line_has_remedies_of_its_own() -> None:
    message = Message("vision.locate.strangers", markers=("7", "9"))
    assert "sheets.json" not in words(message)
    token = ON_COMMAND_LINE.set(True)
    try:
        assert "sheets.json" in words(message)
        assert words(Message("dice.expected.pair")) == "a pair"
    finally:
        ON_COMMAND_LINE.reset(token)


def test_ships_numbers_lists_and_messages_are_put_in() -> None:
    message = Message("errors.forbidden", reason=Message("dice.expected.pair"), rule="61.2")
    assert words(message) == "a pair (61.2)"
    named = Message(
        "errors.unknown_name.listed", place="p", kind="k", name=ShipRef("h"), known=("a", "b")
    )
    assert words(named, {"h": "Hood"}) == "p: unknown k Hood; known are a, b"
    assert words(verbatim("as {it} is")) == "as {it} is"


def test_a_message_without_words_shows_its_code() -> None:
    assert words(Message("nobody.wrote_this", n=1)) == "nobody.wrote_this(n=1)"
    assert words(DreyerError("nobody.wrote_this")) == "nobody.wrote_this"
    assert VERBATIM not in strings()
    assert remedy_words(Message("nobody.wrote_this")) == ""
    assert words_without_remedy(Message("dice.expected.die")) == "one die"


def declared_codes() -> dict[str, set[str]]:
    """The codes that are derived from declared fields and from rows of tables, by their table."""
    found: dict[str, set[str]] = {}
    for name in NAMES:
        ruleset = get_ruleset(name)
        assert ruleset.rulebook is not None
        rulebook = ruleset.rulebook(ruleset.tables)
        for declared in (*(info.type for info in rulebook.infos), rulebook.state_type):
            for each in questions(declared):
                family = each.label.code.partition(".")[0]
                found.setdefault(f"{family}.question.{each.table}.", set()).add(each.label.code)
                codes = {title.code for _, title in each.choices}
                if codes:
                    found.setdefault(f"{family}.choice.{each.key}.", set()).update(codes)
        options = ruleset.battle(ruleset.tables).optional_rules() if ruleset.battle else ()
        for option in options:
            family = option.title.code.partition(".")[0]
            found.setdefault(f"{family}.question.options.", set()).add(option.title.code)
            found.setdefault(f"{family}.option.", set()).add(option.meaning.code)
        for decision in ruleset.decision_entries:
            family = decision.code.partition(".")[0]
            found.setdefault(f"{family}.decision.", set()).add(decision.code)
    for group in GROUPS:
        table = group.name or "ship"
        found[f"grand_fleets.card.{table}."] = {key.label.code for key in group.keys}
        found.setdefault("grand_fleets.card.group.", set()).add(group.title.code)
    for name, tables, prefix in (
        (
            "chase-of-the-bismarck",
            ("gun_modifiers", "hit_modifiers", "convoy_modifiers"),
            "chase.row.",
        ),
        ("sink-the-bismarck", ("detection_modifiers",), "sink.row."),
    ):
        rows = {row for table in tables for row in get_ruleset(name).tables[table].rows}
        found[prefix] = {f"{prefix}{row.replace(' ', '_')}" for row in rows}
    return found


def test_declared_fields_and_rows_have_words_and_no_words_are_left_over() -> None:
    declared = declared_codes()
    assert len(declared) > 30
    for prefix, codes in declared.items():
        assert {key for key in strings() if key.startswith(prefix)} == codes, prefix


def test_every_outcome_of_a_forecast_has_words() -> None:
    known = strings()
    for health in Health:
        assert health is Health.SOUND or f"combat.outcome.{health}" in known
    for part in ("engines", "anti_air"):
        assert {f"combat.outcome.{part}_damaged", f"combat.boxes.{part}"} <= known.keys()
    assert {f"combat.boxes.{guns.replace(' ', '_')}" for guns in GUNS} <= known.keys()
