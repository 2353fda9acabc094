"""A conversion file that is handed to the page: all that it says becomes the page's address."""

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode

from werkzeug.datastructures import MultiDict

from combat.conversions import (
    ConversionFile,
    ConversionRules,
    FileShip,
    GameLevel,
    MarkKey,
    convert_ship,
)
from combat.guided_actions import StartingMarks
from combat.participants import Ship
from combat.rulebook_info import Ruleset
from combat.ships import ShipType
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.schema import MISSING
from web.auth.seats import Caller
from web.conversions.address import (
    REST,
    SHIP,
    SIDE,
    STATE,
    ConversionChoice,
    Pairs,
    besides_of,
    read_conversion_choice,
    usual_side,
)
from web.strings import words
from web.table.moment import Moment

if TYPE_CHECKING:
    from combat.tables import TableSet

_COMPACT: Final = (",", ":")


@dataclass(frozen=True, slots=True)
class FileAddress:
    """Where a file's ships are shown."""

    address: str
    ships: int


def address_of_file(
    data: bytes, said: str, moment: Moment, caller: Caller, tables: "TableSet"
) -> FileAddress:
    """The page with a file's ships and, as far as they go the same way, those that it has.

    `said` is the present address of the page. A file that cannot be used is a DreyerError.
    """
    # Ships of another side than the one that is shown stay, too.
    shown = [pair for pair in parse_qsl(said) if pair[0] != SIDE]
    now = read_conversion_choice(MultiDict(shown), moment, caller, tables)
    source = words(Message("convert.the_file"))
    file = _read(data, now, source)
    to = file.to or now.to
    for each in file.ships:
        convert_ship(now.rules, each, to)
    pairs: Pairs = [("to", to.value)]
    if to is now.to and (to is GameLevel.ADVANCED or now.from_file):
        taken = {each.ship.name for each in file.ships}
        kept = (each for each in now.ships if each.ship.name not in taken)
        pairs += [pair for each in kept for pair in each.pairs]
    pairs += [pair for each in file.ships for pair in _pairs(now.ruleset, now.rules, each, to)]
    pairs += [("hexes", str(each)) for each in file.hexes]
    pairs += [("yards", f"{each:g}") for each in file.yards]
    return FileAddress(f"/convert?{urlencode(pairs)}", len(file.ships))


def _read(data: bytes, now: ConversionChoice, source: str) -> ConversionFile[object, StartingMarks]:
    if data.lstrip().startswith(b"{"):
        raise DreyerError("convert.file_is_battle")
    document = parse_toml(data, source)
    ruleset = document.get("ruleset", now.ruleset.name)
    if ruleset != now.ruleset.name:
        expected = Message("schema.names", choices=(now.ruleset.name,))
        raise BadField(source, "ruleset", expected, repr(ruleset))
    file = now.rules.read_file(document, source)
    if not (file.ships or file.hexes or file.yards):
        raise BadField(source, "ship", Message("schema.tables", key="ship"), MISSING)
    return file


def _pairs(
    ruleset: Ruleset,
    rules: ConversionRules[object, StartingMarks],
    each: FileShip[object, StartingMarks],
    to: GameLevel,
) -> Pairs:
    type_ = ruleset.ships.named(each.ship.type, each.place)
    ship = _with_side(each.ship, type_)
    pairs = [(SHIP, ship.name), *besides_of(ship, type_)]
    if to is GameLevel.BASIC:
        stated = rules.state_document(each.state, whole=False) if each.state else {}
        return [*pairs, *([(f"{STATE}:{ship.name}", _written(stated))] if stated else [])]
    marks = rules.marks_document(each.marks) if each.marks else {}
    pairs += _fields(rules.mark_keys(type_.name), marks, ship.name)
    beside = rules.state_document(each.beside, whole=False) if each.beside else {}
    asked = rules.beside_keys(type_.name)
    pairs += _fields(asked, beside, ship.name)
    keys = {key.key for key in asked}
    rest = {key: value for key, value in beside.items() if key not in keys}
    return [*pairs, *([(f"{REST}:{ship.name}", _written(rest))] if rest else [])]


def _with_side(ship: Ship, type_: ShipType) -> Ship:
    """A file that names no side means that of her nation."""
    usual = ship.side == type_.nation.lower()
    return replace(ship, side=usual_side(type_)) if usual else ship


def _fields(keys: tuple[MarkKey, ...], document: dict[str, object], ship: str) -> Pairs:
    pairs: Pairs = []
    for key in keys:
        value = document.get(key.key)
        if key.value and isinstance(value, list | tuple):
            pairs += [(f"{key.key}.{key.value}:{ship}", "true")] if key.value in value else []
        elif key.is_flag:
            pairs += [(f"{key.key}:{ship}", "true")] if value else []
        elif isinstance(value, int | float) and value:
            pairs.append((f"{key.key}:{ship}", f"{value:g}"))
    return pairs


def _written(document: dict[str, object]) -> str:
    return json.dumps(document, separators=_COMPACT, ensure_ascii=False)
