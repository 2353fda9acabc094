"""A conversion that is being made: all of it stands in the page's address, nothing is kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from combat.conversions import Conversion, ConversionRules, GameLevel, MarkKey, starting_states
from combat.guided_actions import StartingMarks
from combat.library import conversion_rules
from combat.participants import Ship, ShipStatus
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, get_ruleset
from combat.ships import ShipType
from combat.sides import FEWEST_SIDES, Sides, usual
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.typed_numbers import typed_number, typed_whole
from web.auth.seats import Caller
from web.battle.setup.draft import STATE
from web.battle.setup.starting_state import written
from web.games.guided_game import guided_rulebook
from web.strings import sentence, words
from web.table.moment import Moment
from web.views.battle import seat_seen

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from combat.tables import TableSet

_LONGEST_NAME: Final = 40
_ADD, _ADD_SIDE, _REMOVE, _SHIP = "add", "add_side", "remove", "ship"


@dataclass(frozen=True, slots=True)
class MarkField:
    """A mark of one ship as the form asks for it."""

    key: MarkKey
    name: str
    """Its name in the address."""
    value: str
    wrong: bool = False

    @property
    def id(self) -> str:
        """Its id on the page."""
        return "".join(each if each.isalnum() else "-" for each in self.name)


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


@dataclass(frozen=True, slots=True)
class ConversionChoice:
    """What an address asks for."""

    ruleset: Ruleset
    rules: ConversionRules[object, StartingMarks]
    to: GameLevel
    side: str
    """The key of the side whose ships are handed back; empty for all."""
    ships: tuple[ChosenShip, ...]

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
        pairs = [("to", self.to.value)]
        pairs += [("side", self.side)] if self.side else []
        if self.to is GameLevel.ADVANCED:
            for each in self.ships:
                pairs.append((_SHIP, each.ship.name))
                asked = (*each.fields, *each.beside)
                pairs += [(field.name, field.value) for field in asked if field.value]
        return urlencode(pairs)


def read_conversion_choice(
    args: "MultiDict[str, str]", moment: Moment, caller: Caller, tables: "TableSet"
) -> ConversionChoice:
    """What an address asks for; a DreyerError where a name in it is of no ship."""
    ruleset = conversion_ruleset(moment)
    rules = conversion_rules(ruleset, tables)
    to = GameLevel.BASIC if args.get("to") == GameLevel.BASIC else GameLevel.ADVANCED
    side = args.get("side", "")[:_LONGEST_NAME]
    if to is GameLevel.ADVANCED:
        ships = tuple(_typed(ruleset, rules, args))
    else:
        found = _of_battle(moment, caller, ruleset, rules)
        ships = tuple(each for each in found if side in ("", each.ship.side))
    return ConversionChoice(ruleset, rules, to, side, ships)


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


def set_up_address(chosen: ConversionChoice, sides: Sides) -> str:
    """The set-up of a battle with these ships in their states, for a table of these sides.

    Empty unless ships of two parties float.
    """
    types = {each.ship.name: each.type for each in chosen.ships}
    states = starting_states(chosen.conversions)
    rulebook, fresh = guided_rulebook(chosen.ruleset.name), chosen.rules.read_state({}, "")
    pairs: list[tuple[str, str]] = []
    for name, state in states.items():
        pairs.append((f"ships.{_fighting_side(types[name], sides)}", name))
        pairs += [(f"{STATE}{name}", written(rulebook, state))] if state != fresh else []
    present = {key.removeprefix("ships.") for key, _ in pairs if key.startswith("ships.")}
    if len(sides.parties(present)) < FEWEST_SIDES:
        return ""
    return f"/battles/new?{urlencode(pairs)}"


def _fighting_side(type_: ShipType, sides: Sides) -> str:
    """The side of her nation; without one she sails with the foes of her foes."""
    known = usual()
    own = known.of_nation(type_.nation).key
    friends = known.foes.get(known.foes.get(own, ""), "")
    keys = sides.fighting.keys
    return next((key for key in (own, friends) if key in keys), keys[0])


# From the simpler game


def _typed(
    ruleset: Ruleset, rules: ConversionRules[object, StartingMarks], args: "MultiDict[str, str]"
) -> Iterator[ChosenShip]:
    names = [*args.getlist(_SHIP), *args.getlist(_ADD)]
    for nation in args.getlist(_ADD_SIDE):
        names += ships_to_choose(ruleset, rules).get(nation, [])
    removed = set(args.getlist(_REMOVE))
    types = [
        ruleset.ships.named(name[:_LONGEST_NAME], words(Message("convert.title")))
        for name in names
        if name
    ]
    for type_ in dict.fromkeys(types):
        if type_.name not in removed:
            yield _typed_ship(rules, type_, args)


def _typed_ship(
    rules: ConversionRules[object, StartingMarks], type_: ShipType, args: Mapping[str, str]
) -> ChosenShip:
    ship = Ship(type_.name, type_.name, usual().of_nation(type_.nation).key, type_.name)
    fields = tuple(_field(key, ship.name, args) for key in rules.mark_keys(type_.name))
    beside = tuple(_field(key, ship.name, args) for key in rules.beside_keys(type_.name))
    wrong, fault, conversion = "", "", None
    try:
        marks = rules.read_marks(_document(fields), ship, "")
        conversion = rules.to_advanced(ship, marks, rules.read_state(_document(beside), ""))
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
    )


def _field(key: MarkKey, ship: str, args: Mapping[str, str]) -> MarkField:
    part = f"{key.key}.{key.value}" if key.value else key.key
    name = f"{part}:{ship}"
    return MarkField(key, name, args.get(name, "").strip()[:_LONGEST_NAME])


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


# From the battle


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
        sunk = status.get(ship.id) is ShipStatus.SUNK
        yield ChosenShip(ship, type_, (), (), rules.to_basic(ship, written, sunk=sunk))
