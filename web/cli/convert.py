"""`dreyer convert`: ships between the Advanced Game and the Basic and Intermediate Games."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from combat.conversions import (
    Conversion,
    ConversionRules,
    GameLevel,
    HexRange,
    board_toml,
    conversion_toml,
    convert_ship,
    marks_in_state,
)
from combat.fight_file import play_fight
from combat.guided_actions import StartingMarks
from combat.library import conversion_rules
from combat.participants import ShipStatus
from combat.rulebooks import DEFAULT, get_ruleset
from combat.ships import plain_name
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.schema import MISSING
from web.cli.commands import Commands, add_parser, help_text
from web.cli.fire import as_json
from web.drawing.conversion_pages import line_message, print_conversions, range_words
from web.drawing.pdf import PAPERS_MM
from web.files import LARGEST_BATTLE_BYTES, read_input, refuse_large_toml, write_output
from web.library import CurrentLibrary
from web.owner.cards.files import library_in
from web.owner.rulebooks import open_rulebook
from web.owner.tables.files import default_data_folder, effective_tables
from web.strings import text, words

T = TypeVar("T")
N = TypeVar("N", int, float)

_MOST_HEXES: Final = 250
_FARTHEST_YARDS: Final = 1_000_000


def add_command(commands: Commands) -> None:
    """Add `convert` to the command line."""
    convert = add_parser(commands, "convert")
    convert.add_argument("file", type=Path, nargs="?", metavar="FILE")
    convert.add_argument(
        "--to",
        choices=[level.value for level in GameLevel],
        help=help_text("command.help.convert.to"),
    )
    convert.add_argument("--side", metavar="SIDE", help=help_text("command.help.convert.side"))
    convert.add_argument(
        "--hexes",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help=help_text("command.help.convert.hexes"),
    )
    convert.add_argument(
        "--yards",
        type=float,
        action="append",
        default=[],
        metavar="N",
        help=help_text("command.help.convert.yards"),
    )
    convert.add_argument(
        "--describe", action="store_true", help=help_text("command.help.convert.describe")
    )
    convert.add_argument(
        "--toml",
        action="store_true",
        help=help_text("command.help.convert.toml"),
    )
    convert.add_argument(
        "--pdf", type=Path, metavar="FILE", help=help_text("command.help.convert.pdf")
    )
    convert.add_argument(
        "--paper",
        choices=list(PAPERS_MM),
        default="a4",
        help=help_text("command.help.convert.paper"),
    )
    convert.add_argument(
        "--board", action="store_true", help=help_text("command.help.convert.board")
    )
    convert.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    convert.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help=help_text("command.help.convert.data"),
    )
    convert.set_defaults(run=run_convert)


@dataclass(frozen=True, slots=True)
class _Converted:
    """The result of the command."""

    ruleset: str
    rules: ConversionRules[object, StartingMarks]
    to: GameLevel | None
    ships: tuple[Conversion[object, StartingMarks], ...] = ()
    ranges: tuple[HexRange, ...] = ()


def run_convert(options: argparse.Namespace) -> int:
    """Convert a file, an exported battle or some ranges, or describe the keys of a file."""
    if options.json + options.toml + options.board > 1:
        raise DreyerError("command.convert.one_document")
    if options.describe:
        _describe(_rules(DEFAULT, options.data), as_json_document=options.json)
        return 0
    if options.file is None and not options.hexes and not options.yards:
        raise DreyerError("command.convert.nothing")
    converted = _convert(options)
    if options.pdf is not None:
        title = str(text(f"convert.title_{converted.to or GameLevel.ADVANCED}"))
        pages = print_conversions(converted.ships, converted.ranges, title, options.paper)
        write_output(options.pdf, pages)
    if options.json:
        print(as_json(_document(converted)))
    elif options.board:
        if converted.to is not GameLevel.BASIC:
            raise DreyerError("command.convert.board_is_basic")
        print(board_toml(converted.rules, converted.ships), end="")
    elif options.toml:
        print(conversion_toml(converted.rules, converted.ruleset, converted.ships), end="")
    else:
        print("\n".join(_lines(converted)))
    return 0


def _convert(options: argparse.Namespace) -> _Converted:
    hexes, yards = _range("--hexes", "whole", options.hexes, 1, _MOST_HEXES), options.yards
    yards = _range("--yards", "number", yards, 0, _FARTHEST_YARDS)
    to = GameLevel(options.to) if options.to else None
    if options.file is None:
        rules = _rules(DEFAULT, options.data)
        return _Converted(DEFAULT, rules, to, ranges=_ranges(rules, hexes, yards))
    source, data = str(options.file), read_input(options.file, LARGEST_BATTLE_BYTES)
    if data.lstrip().startswith(b"{"):
        name, rules, ships = _from_export(data, source, to, options.side, options.data)
        return _Converted(name, rules, GameLevel.BASIC, ships, _ranges(rules, hexes, yards))
    refuse_large_toml(options.file, data)
    written = parse_toml(data, source)
    name = get_ruleset(_name(written.get("ruleset", DEFAULT), source), source).name
    table_rules = _rules(DEFAULT, options.data)
    if name == table_rules.board:
        if to is GameLevel.BASIC:
            raise DreyerError("command.convert.fight_is_basic", source=source)
        fought = _from_board(written, source, options.side, table_rules, options.data)
        found = _ranges(table_rules, hexes, yards)
        return _Converted(DEFAULT, table_rules, GameLevel.ADVANCED, fought, found)
    rules = _rules(name, options.data)
    file = rules.read_file(written, source)
    to = to or file.to
    if not file.ships and not (file.hexes or file.yards or hexes or yards):
        raise BadField(source, "ship", Message("schema.tables", key="ship"), MISSING)
    if file.ships and to is None:
        raise DreyerError("command.convert.which_way", source=source)
    chosen = _of_side(file.ships, options.side, lambda each: each.ship.side, source)
    converted = [convert_ship(rules, each, to) for each in chosen if to is not None]
    ranges = _ranges(rules, [*file.hexes, *hexes], [*file.yards, *yards])
    return _Converted(name, rules, to, tuple(converted), ranges)


def _from_export(
    data: bytes, source: str, to: GameLevel | None, side: str | None, data_folder: Path
) -> tuple[
    str, ConversionRules[object, StartingMarks], tuple[Conversion[object, StartingMarks], ...]
]:
    # Only a battle needs the table.
    from web.cli.replay import replay_export

    if to is GameLevel.ADVANCED:
        raise DreyerError("command.convert.battle_is_advanced", source=source)
    replayed = replay_export(data, source, CurrentLibrary(library_in(data_folder)))
    rules = _rules(replayed.ruleset, data_folder)
    chosen = _of_side(replayed.ships, side, lambda each: each.ship.side, source)
    return (
        replayed.ruleset,
        rules,
        tuple(
            rules.to_basic(
                each.ship,
                rules.read_state(each.state, source),
                sunk=each.status is ShipStatus.SUNK,
                place=source,
            )
            for each in chosen
        ),
    )


def _from_board(
    written: Mapping[str, object],
    source: str,
    side: str | None,
    rules: ConversionRules[object, StartingMarks],
    data_folder: Path,
) -> tuple[Conversion[object, StartingMarks], ...]:
    """The ships of a fight file of the battle board as the fight leaves them, without flotillas."""
    rulebook = open_rulebook(rules.board, data_folder, source)
    state, known = play_fight(rulebook, written, source).state, get_ruleset(DEFAULT).ships
    chosen = _of_side(state.ships, side, lambda each: each.side, source)
    return tuple(
        rules.to_advanced(
            ship,
            rules.read_marks(
                marks_in_state(rules, ship, rulebook.state_document(ship, state.marks[ship.id])),
                ship,
                source,
            ),
        )
        for ship in chosen
        if known.find(ship.type) is not None and rules.mark_keys(ship.type)
    )


def _name(name: object, source: str) -> str:
    if not isinstance(name, str):
        raise DreyerError("errors.not_a_ruleset", place=source, name=repr(name))
    return name


def _rules(name: str, data_folder: Path) -> ConversionRules[object, StartingMarks]:
    ruleset = get_ruleset(name)
    return conversion_rules(ruleset, effective_tables(ruleset.name, data_folder))


def _of_side(
    ships: Sequence[T], side: str | None, side_of: Callable[[T], str], source: str
) -> tuple[T, ...]:
    if side is None:
        return tuple(ships)
    chosen = tuple(each for each in ships if plain_name(side_of(each)) == plain_name(side))
    if not chosen:
        known = dict.fromkeys(side_of(each) for each in ships)
        raise UnknownName(source, "side", side, known)
    return chosen


def _range(option: str, kind: str, values: Sequence[N], least: int, most: int) -> list[N]:
    for value in values:
        if not least <= value <= most:
            expected = Message(
                "schema.between", what=Message(f"schema.{kind}"), least=least, most=most
            )
            raise BadField("", option, expected, f"{value:g}")
    return list(values)


def _ranges(
    rules: ConversionRules[object, StartingMarks], hexes: Iterable[int], yards: Iterable[float]
) -> tuple[HexRange, ...]:
    return (*map(rules.hexes_in_yards, hexes), *map(rules.yards_in_hexes, yards))


# Output


def _document(converted: _Converted) -> dict[str, object]:
    rules = converted.rules
    return {
        "ruleset": converted.ruleset,
        "to": converted.to,
        "ships": [
            {
                "name": each.ship.name,
                "type": each.ship.type,
                "side": each.ship.side,
                "sunk": each.sunk,
                "marks": None if each.marks is None else rules.marks_document(each.marks),
                "state": rules.state_document(each.state, whole=True),
                "beside": rules.state_document(each.beside, whole=False),
                "lines": [
                    {
                        "what": line.part,
                        "from": line.before,
                        "to": line.after,
                        "from_text": line.before_words,
                        "to_text": line.after_words,
                        "rule": line.rule,
                        "rounded": line.rounded,
                        "remark": line.remark or None,
                        "provenance": line.provenance,
                    }
                    for line in each.lines
                ],
                "remark": each.remark or None,
            }
            for each in converted.ships
        ],
        "ranges": [
            {
                "hexes": each.hexes,
                "from_yards": each.least_yards,
                "to_yards": each.most_yards,
                "rule": "72.2",
                "provenance": each.provenance,
            }
            for each in converted.ranges
        ],
    }


def _lines(converted: _Converted) -> Iterator[str]:
    for each in converted.ships:
        title = Message(
            f"convert.ship_{each.to}", ship=each.ship.name, type=each.ship.type, side=each.ship.side
        )
        yield words(title)
        marked = [line for line in each.lines if line.is_marked]
        rows = [(words(line.title), line) for line in marked]
        width = max((len(name) for name, _ in rows), default=0)
        for name, line in rows:
            yield f"  {name:<{width}}  {words(line_message(line))}  [{line.rule}]"
            if line.remark:
                yield f"  {'':<{width}}  {words(line.remark)}"
        if not marked and not each.remark:
            yield f"  {text('convert.unmarked')}"
        if each.remark:
            yield f"  {words(each.remark)}"
        if each.beside_words:
            yield f"  {words(Message('convert.beside_list', parts=each.beside_words))}"
    yield from map(range_words, converted.ranges)


def _describe(rules: ConversionRules[object, StartingMarks], *, as_json_document: bool) -> None:
    keys = rules.file_keys()
    if as_json_document:
        listed = [
            {
                "name": key.name,
                "takes": key.takes,
                "default": key.default,
                "meaning": key.meaning,
            }
            for key in keys
        ]
        print(as_json({"keys": listed}))
        return
    width = max(len(key.name) for key in keys)
    for key in keys:
        print(f"{key.name:<{width}}  {words(key.meaning)}")
        default = words(Message("convert.default", default=key.default))
        print(f"{'':<{width}}  {words(key.takes)}; {default}")
