"""A conversion that is being made: all of it stands in the page's address, nothing is kept."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from combat.conversions import Conversion, ConversionRules, GameLevel, HexRange, MarkKey
from combat.guided_actions import StartingMarks
from combat.library import conversion_rules
from combat.participants import Ship, ShipStatus
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, get_ruleset
from combat.ships import LONGEST_NAME, ShipType, numbered_name
from combat.sides import usual
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import shorten
from tabletop.typed_numbers import typed_number, typed_whole
from web.auth.seats import Caller
from web.strings import sentence, words
from web.table.moment import Moment
from web.views.battle import seat_seen

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from combat.tables import TableSet

_ADD, _ADD_SIDE, _REMOVE = "add", "add_side", "remove"
SHIP: Final = "ship"
TYPE, SIDE, STATE, REST = "type", "side", "state", "rest"
"""What an address may say of a ship by her name, besides her marks: `type:My ship`."""
_NAME: Final = "name"
"""What the form calls a ship from now on: `name:Hood`."""
_MOST_RANGES: Final = 40
_MOST_HEXES: Final = 250
_FARTHEST_YARDS: Final = 1_000_000

Pairs = list[tuple[str, str]]
"""Keys and values of an address."""


@dataclass(frozen=True, slots=True)
class MarkField:
    """A mark of one ship as the form asks for it."""

    key: MarkKey
    name: str
    """Its name in the address."""
    value: str
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class ChosenShip:
    """A ship of the page: her marks as typed, and what they become."""

    ship: Ship
    type: ShipType
    fields: tuple[MarkField, ...]
    beside: tuple[MarkField, ...]
    """What is kept beside her marks."""
    conversion: Conversion[object, StartingMarks] | None
    """None where something is wrong with her marks."""
    fault: str = ""
    besides: tuple[tuple[str, str], ...] = ()
    """What the address says of her besides the fields: another name than her type's, a side."""

    @property
    def name_field(self) -> str:
        """What the form calls the field of her name."""
        return f"{_NAME}:{self.ship.name}"

    @property
    def pairs(self) -> Pairs:
        """Her part of the address."""
        asked = (*self.fields, *self.beside)
        typed = [(field.name, field.value) for field in asked if field.value]
        return [(SHIP, self.ship.name), *self.besides, *typed]


@dataclass(frozen=True, slots=True)
class ConversionChoice:
    """What an address asks for."""

    ruleset: Ruleset
    rules: ConversionRules[object, StartingMarks]
    to: GameLevel
    side: str
    """The key of the side whose ships are handed back; empty for all."""
    ships: tuple[ChosenShip, ...]
    from_file: bool
    """Whether the ships to be handed back stand in the address, and not on the table."""
    ranges: tuple[HexRange, ...]
    """The ranges that a file asks for."""
    range_pairs: tuple[tuple[str, str], ...]
    """The same as the address has them."""

    @property
    def conversions(self) -> tuple[Conversion[object, StartingMarks], ...]:
        """Those that can be made."""
        return tuple(each.conversion for each in self.ships if each.conversion is not None)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, ship by ship."""
        return tuple(each.fault for each in self.ships if each.fault)

    @property
    def query(self) -> str:
        """The address of the same, for files and paper."""
        return urlencode(self.of_side(self.side))

    def of_side(self, side: str) -> Pairs:
        """The same for the ships of a side; for "" those of all that are here."""
        pairs = [("to", self.to.value)]
        pairs += [(SIDE, side)] if side else []
        if self.to is GameLevel.ADVANCED or self.from_file:
            pairs += [pair for each in self.ships for pair in each.pairs]
        return [*pairs, *self.range_pairs]


def read_conversion_choice(
    args: "MultiDict[str, str]", moment: Moment, caller: Caller, tables: "TableSet"
) -> ConversionChoice:
    """What an address asks for; a DreyerError where a name in it is of no ship."""
    ruleset = conversion_ruleset(moment)
    rules = conversion_rules(ruleset, tables)
    to = GameLevel.BASIC if args.get("to") == GameLevel.BASIC else GameLevel.ADVANCED
    side = args.get("side", "")[:LONGEST_NAME]
    from_file = to is GameLevel.BASIC and SHIP in args
    if to is GameLevel.ADVANCED:
        ships = tuple(_typed(ruleset, rules, args))
    else:
        found = (
            _stated(ruleset, rules, args)
            if from_file
            else _of_battle(moment, caller, ruleset, rules)
        )
        ships = tuple(each for each in found if side in ("", each.ship.side))
    hexes, yards = _hexes(args), _yards(args)
    return ConversionChoice(
        ruleset,
        rules,
        to,
        side,
        ships,
        from_file,
        ranges=(*map(rules.hexes_in_yards, hexes), *map(rules.yards_in_hexes, yards)),
        range_pairs=(
            *(("hexes", str(each)) for each in hexes),
            *(("yards", f"{each:g}") for each in yards),
        ),
    )


def _hexes(args: "MultiDict[str, str]") -> tuple[int, ...]:
    """The hexes that an address asks for; what is none is left out."""
    typed = map(typed_whole, args.getlist("hexes")[:_MOST_RANGES])
    return tuple(each for each in typed if each is not None and 1 <= each <= _MOST_HEXES)


def _yards(args: "MultiDict[str, str]") -> tuple[float, ...]:
    typed = map(typed_number, args.getlist("yards")[:_MOST_RANGES])
    return tuple(each for each in typed if each is not None and 0 <= each <= _FARTHEST_YARDS)


def conversion_ruleset(moment: Moment) -> Ruleset:
    """The rulebook of the table if its ships can be carried over, else the one whose can."""
    ruleset = moment.ruleset
    return ruleset if ruleset is not None and ruleset.conversions else get_ruleset(DEFAULT)


def ships_to_choose(
    ruleset: Ruleset, rules: ConversionRules[object, StartingMarks]
) -> dict[str, list[str]]:
    """The ships that have a sheet in the simpler game, by nation."""
    nations: dict[str, list[str]] = {}
    for ship in ruleset.ships:
        if rules.mark_keys(ship.name):
            nations.setdefault(ship.nation, []).append(ship.name)
    return nations


# From the simpler game


def _typed(
    ruleset: Ruleset, rules: ConversionRules[object, StartingMarks], args: "MultiDict[str, str]"
) -> Iterator[ChosenShip]:
    """The ships of the address in its order, then those that are added."""
    removed = set(args.getlist(_REMOVE))
    chosen = {
        ship.name: (ship, type_)
        for ship, type_ in (_named(ruleset, name, args) for name in args.getlist(SHIP) if name)
        if ship.name not in removed
    }
    names = set(chosen)
    for said, (ship, type_) in chosen.items():
        wanted = " ".join(args.get(f"{_NAME}:{said}", "").split())[:LONGEST_NAME] or said
        if wanted != said and wanted in names:
            yield replace(_typed_ship(rules, ship, type_, args, said), fault=_taken(ship, wanted))
            continue
        names = (names - {said}) | {wanted}
        renamed = replace(ship, id=wanted, name=wanted)
        yield _typed_ship(rules, renamed, type_, args, said)
    types = {type_.name for _, type_ in chosen.values()}
    for type_ in _added(ruleset, rules, args, types):
        name = type_.name if type_.name not in names else numbered_name(type_.name, names)
        names.add(name)
        ship = Ship(name, name, usual_side(type_), type_.name)
        if name not in removed:
            yield _typed_ship(rules, ship, type_, args, name)


def _added(
    ruleset: Ruleset,
    rules: ConversionRules[object, StartingMarks],
    args: "MultiDict[str, str]",
    present: set[str],
) -> Iterator[ShipType]:
    """The types of the ships that are added; a whole side adds those that are not there yet."""
    for name in args.getlist(_ADD):
        if name:
            type_ = ruleset.ships.named(name[:LONGEST_NAME], words(Message("convert.title")))
            present = {*present, type_.name}
            yield type_
    for nation in args.getlist(_ADD_SIDE):
        for name in ships_to_choose(ruleset, rules).get(nation, []):
            if name not in present:
                yield ruleset.ships.named(name, nation)


def _taken(ship: Ship, wanted: str) -> str:
    error = BadField("", _NAME, Message("schema.new_name"), shorten(wanted))
    called = error.called(Message("convert.name"))
    return words(Message("convert.fault", ship=ship.name, words=words(called)))


def _named(ruleset: Ruleset, name: str, args: Mapping[str, str]) -> tuple[Ship, ShipType]:
    """A ship of the address: called like her type, or by a name of her own."""
    name = name[:LONGEST_NAME]
    named = args.get(f"{TYPE}:{name}", "")[:LONGEST_NAME]
    type_ = ruleset.ships.named(named or name, words(Message("convert.title")))
    name = name if named else type_.name
    side = args.get(f"{SIDE}:{name}", "")[:LONGEST_NAME]
    return Ship(name, name, side or usual_side(type_), type_.name), type_


def usual_side(type_: ShipType) -> str:
    """The side that a ship is on where nobody says another."""
    return usual().of_nation(type_.nation).key


def besides_of(ship: Ship, type_: ShipType) -> Pairs:
    """What an address says of a ship that is not as usual."""
    named = [(f"{TYPE}:{ship.name}", type_.name)] if ship.name != type_.name else []
    sided = [(f"{SIDE}:{ship.name}", ship.side)] if ship.side != usual_side(type_) else []
    return [*named, *sided]


def read_object(text: str) -> dict[str, object] | None:
    """The JSON object in an address; None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _typed_ship(
    rules: ConversionRules[object, StartingMarks],
    ship: Ship,
    type_: ShipType,
    args: Mapping[str, str],
    said: str,
) -> ChosenShip:
    """A ship with what the address says of her under the name that it has for her."""
    fields = tuple(_field(key, ship.name, args, said) for key in rules.mark_keys(type_.name))
    beside = tuple(_field(key, ship.name, args, said) for key in rules.beside_keys(type_.name))
    besides, rest = besides_of(ship, type_), args.get(f"{REST}:{said}", "")
    besides += [(f"{REST}:{ship.name}", rest)] if rest else []
    wrong, fault, conversion = "", "", None
    try:
        marks = rules.read_marks(_document(fields), ship, "")
        kept = {**_object(rest, REST), **_document(beside)}
        conversion = rules.to_advanced(ship, marks, rules.read_state(kept, ""))
    except BadField as error:
        wrong = error.field
        asked = (*fields, *beside)
        title = next((each.key.title for each in asked if each.key.key == wrong), None)
        said = words(error.called(title)) if title else words(error)
        fault = words(Message("convert.fault", ship=ship.name, words=said))
    except DreyerError as error:
        fault = sentence(error.message)
    return ChosenShip(
        ship,
        type_,
        tuple(replace(each, wrong=each.key.key == wrong) for each in fields),
        tuple(replace(each, wrong=each.key.key == wrong) for each in beside),
        conversion,
        fault,
        tuple(besides),
    )


def _object(text: str, key: str) -> dict[str, object]:
    found = read_object(text) if text else {}
    if found is None:
        raise BadField("", key, Message("battles.expected.state"), shorten(text))
    return found


def _field(key: MarkKey, ship: str, args: Mapping[str, str], said: str) -> MarkField:
    part = f"{key.key}.{key.value}" if key.value else key.key
    value = args.get(f"{part}:{said}", "").strip()[:LONGEST_NAME]
    return MarkField(key, f"{part}:{ship}", value)


def _document(fields: tuple[MarkField, ...]) -> dict[str, object]:
    """The marks as a document states them; what is no number stays a text, and is told so."""
    found: dict[str, object] = {}
    listed: dict[str, list[str]] = {}
    for each in fields:
        if not each.value:
            continue
        if each.key.value:
            listed.setdefault(each.key.key, []).append(each.key.value)
        else:
            found[each.key.key] = True if each.key.is_flag else _number(each)
    return {**found, **listed}


def _number(field: MarkField) -> int | float | str:
    number = typed_number(field.value) if field.key.in_quarters else typed_whole(field.value)
    return field.value if number is None else number


# From this game


def _stated(
    ruleset: Ruleset, rules: ConversionRules[object, StartingMarks], args: "MultiDict[str, str]"
) -> Iterator[ChosenShip]:
    """The ships of the address with their states, as a file had them."""
    for name in dict.fromkeys(args.getlist(SHIP)):
        if not name:
            continue
        ship, type_ = _named(ruleset, name, args)
        key = f"{STATE}:{ship.name}"
        stated = args.get(key, "")
        besides = [*besides_of(ship, type_), *([(key, stated)] if stated else [])]
        fault, conversion = "", None
        try:
            state = rules.read_state(_object(stated, STATE), "")
            conversion = rules.to_basic(ship, state)
        except DreyerError as error:
            fault = words(Message("convert.fault", ship=ship.name, words=words(error)))
        yield ChosenShip(ship, type_, (), (), conversion, fault, tuple(besides))


def _of_battle(
    moment: Moment, caller: Caller, ruleset: Ruleset, rules: ConversionRules[object, StartingMarks]
) -> Iterator[ChosenShip]:
    """The ships of the battle on the table that the caller may know, guided or in free play."""
    battle, free = moment.battle, moment.free.of(ruleset.name)
    if battle is not None and battle.tables.ruleset == ruleset.name and ruleset.rulebook:
        seat = seat_seen(battle, caller)
        rulebook = ruleset.rulebook(battle.tables)
        state = battle.rulebook.free_state(battle.state, seat)
        status = {each.id: each.status for each in battle.view(seat).ships}
    elif free is not None:
        now = free.refreshed(moment.library)
        rulebook, state = now.rulebook, now.state
        status = {each.id: rulebook.status(state, each.id) for each in state.ships}
    else:
        return
    for ship in state.ships:
        type_ = ruleset.ships.find(ship.type)
        if type_ is None:
            continue
        written = rulebook.written(ship, state.marks[ship.id])
        if not isinstance(written, StartingMarks):
            # A rulebook with a conversion has one type of marks for free play and for battles.
            raise TypeError(written)
        sunk = status.get(ship.id) is ShipStatus.SUNK
        yield ChosenShip(ship, type_, (), (), rules.to_basic(ship, written, sunk=sunk))
