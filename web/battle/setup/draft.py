"""A battle that is being set up: all of it stands in the page's address, nothing is kept yet."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from combat.battle_setup import DirectionMethod, SetUp, SetUpOrder, fit_on_table
from combat.guided_actions import BattleOptions, StartingMarks
from combat.optional_rules import OptionalRule
from combat.participants import Side
from combat.rulebooks import DEFAULT, get_ruleset
from combat.scenarios import Scenario, scenario_named
from combat.ships import LONGEST_NAME, ShipClass, ShipList, ShipType, numbered_name
from combat.sides import FEWEST_SIDES, Sides
from combat.weather import WORST_LEVEL, Visibility, read_visibility
from tabletop.errors import BadField, DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.scale import Scale
from tabletop.table import Model, Pose
from web.archive.previous import PreviousBattle
from web.battle.setup.fields import (
    CONDITIONS,
    OPTION,
    choice,
    decimal_number,
    ticked,
    whole_number,
)
from web.battle.setup.opening import Columns, columns_of, in_parties
from web.battle.setup.starting_state import FIELD, from_address, written
from web.games.guided_game import guided_rulebook
from web.journal.fields import sides_data
from web.strings import text, words

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

MOST_OF_A_KIND: Final = 8
MOST_ON_A_SIDE: Final = 20
DICE: Final = range(1, 7)
STATE: Final = "state."
"""Before a ship's name: what she begins with, in the address."""
_OWN, _TYPE = "own.", "type."
"""Before the side of a ship with a name of her own, and before that name: her type."""
_TWO_PARTIES: Final = 2
"""Whom the dice of a set-up know: the attackers and the others (55)."""


@dataclass(frozen=True, slots=True)
class DraftShip:
    """A ship that was chosen."""

    name: str
    type: ShipType
    side: str
    brings: StartingMarks | None = None
    """What the scenario or the battle before has for her; None where she is fresh."""
    entered: StartingMarks | None = None
    """What was entered in its place."""
    named: bool = False
    """Whether the address gives her name."""

    @property
    def marks(self) -> StartingMarks | None:
        """What she begins with."""
        return self.brings if self.entered is None else self.entered


@dataclass(frozen=True)
class BattleDraft:
    """What the host has chosen so far."""

    pairs: tuple[tuple[str, str], ...]
    """The address, as it came."""
    scenario: Scenario | None
    previous: PreviousBattle | None
    """The battle that the ships come out of."""
    title: str
    table: Sides
    """The sides of the table that is to be laid."""
    sides: Sides
    """Between whom it may be fought."""
    ships: tuple[DraftShip, ...]
    columns: Columns
    visibility: Visibility
    night: bool
    options: BattleOptions
    hidden: bool
    attacker: str
    coming: DirectionMethod
    zones: int | None
    range_die: int | None
    direction_die: int | None
    rolled: frozenset[str]
    """The dice that the app has rolled."""
    width_inches: float
    height_inches: float
    yards_per_inch: float
    places: Mapping[int, Pose]

    @property
    def ruleset(self) -> str:
        """The rulebook."""
        return _ruleset(self.scenario, self.previous)

    @property
    def conditions(self) -> tuple[tuple[DraftShip, Message | None], ...]:
        """Every ship, and her condition in a few words where she is not fresh."""
        rulebook = guided_rulebook(self.ruleset)
        return tuple(
            (ship, None if ship.marks is None else rulebook.condition(ship.type.name, ship.marks))
            for ship in self.ships
        )

    def state_page(self, ship: DraftShip) -> str:
        """The page that asks with what a ship begins."""
        kept = [(key, value) for key, value in self.pairs if key not in ("ship", "roll")]
        return f"/battles/new/ship?{urlencode([*kept, ('ship', ship.name)])}"

    def with_state(self, ship: DraftShip, marks: StartingMarks) -> str:
        """The address of the set-up in which a ship begins with these marks."""
        drop = ("ship", "set", "roll", f"{STATE}{ship.name}")
        kept = [
            (key, value)
            for key, value in self.pairs
            if key not in drop and not key.startswith(FIELD)
        ]
        rulebook = guided_rulebook(self.ruleset)
        if marks != (ship.brings or rulebook.schemas.marks.read({})):
            kept.append((f"{STATE}{ship.name}", written(rulebook, marks)))
        return f"/battles/new?{urlencode(kept)}"

    @property
    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """The rules that may be chosen, and which of them are on."""
        return guided_rulebook(self.ruleset).optional_rules(self.options)

    @property
    def is_chosen(self) -> bool:
        """Whether at least two parties have ships."""
        return len(self.parties) >= FEWEST_SIDES

    @property
    def present(self) -> tuple[Side, ...]:
        """The sides that have ships."""
        return tuple(s for s in self.sides if any(ship.side == s.key for ship in self.ships))

    @property
    def parties(self) -> tuple[tuple[str, ...], ...]:
        """The sides that have ships, those that fight together in one group."""
        return self.sides.parties(side.key for side in self.present)

    @property
    def order(self) -> SetUpOrder:
        """For the rulebook's own set-up."""
        return SetUpOrder(
            columns=in_parties(self.columns, self.sides),
            types={ship.name: ship.type.name for ship in self.ships},
            attacker=self.attacker,
            visibility=self.visibility,
            night=self.night,
            coming=self.coming,
            zones=self.zones,
            range_die=self.range_die,
            direction_die=self.direction_die,
        )

    @cached_property
    def set_up(self) -> SetUp | None:
        """What the dice have said; None where the rulebook has no dice for it."""
        rules = get_ruleset(self.ruleset).setting_up
        if rules is None:
            return None
        if len(self.parties) != _TWO_PARTIES:
            raise DreyerError("battles.two_parties")
        return rules().set_up(self.order, get_ruleset(self.ruleset).tables)

    @property
    def size_yards(self) -> tuple[float, float]:
        """The table's width and depth at sea."""
        at_sea = Scale(self.yards_per_inch).yards_from_inches
        return at_sea(self.width_inches), at_sea(self.height_inches)

    @cached_property
    def poses(self) -> tuple[Pose, ...]:
        """Where the ships are to stand, in the order of the list; none while dice are wanted."""
        if self.set_up is None or not self.set_up.poses:
            return ()
        fitted = fit_on_table(self.set_up.poses, *self.size_yards)
        return tuple(
            self.places.get(number, fitted[ship.name]) for number, ship in enumerate(self.ships)
        )

    def faults(self) -> tuple[Message, ...]:
        """What the rulebook has against these places."""
        found, rules = self.set_up, get_ruleset(self.ruleset).setting_up
        if not self.poses or found is None or rules is None:
            return ()
        ruleset, scale = get_ruleset(self.ruleset), Scale(self.yards_per_inch)
        models = {
            ship.name: Model(ship.name, pose, ruleset.base_of(ship.type, scale))
            for ship, pose in zip(self.ships, self.poses, strict=True)
        }
        assert found.range_yards is not None  # noqa: S101  # There are places, so it is known.
        assert found.quadrant is not None  # noqa: S101
        lines = rules().check(self.order, models, found.range_yards, found.quadrant)
        return tuple(line.text for line in lines)

    def address(self, **changes: object) -> str:
        """The same page with some of it changed and places proposed anew; None leaves out."""
        kept = [
            (key, value)
            for key, value in self.pairs
            if key not in changes and key != "roll" and not key.startswith("places.")
        ]
        kept += [(key, str(value)) for key, value in changes.items() if value is not None]
        return f"/battles/new?{urlencode(kept)}"

    def said(self) -> str:
        """The dice in a line, for the log."""
        if self.set_up is None:
            return ""
        told = [line.text for line in (*self.set_up.distance.lines[-1:],)]
        told += [line.text for line in self.set_up.direction.lines[-1:]]
        answers = (self.set_up.distance.answer, self.set_up.direction.answer)
        return "; ".join(
            f"{words(line)} ({words(answer or NO_WORDS)})"
            for line, answer in zip(told, answers, strict=False)
        )

    def _places_sent(self) -> dict[str, dict[str, float]]:
        return {
            str(number): {"x": pose.x_yards, "y": pose.y_yards, "heading": pose.heading_deg}
            for number, pose in enumerate(self.poses)
        }

    def body(self, *, by_hand: bool = False) -> dict[str, object]:
        """What beginning it sends beside its form; by hand, no die has said anything."""
        set_up = None if by_hand else self.set_up
        return {
            "title": self.title,
            "scenario": self.scenario.key if self.scenario else None,
            **({} if self.scenario else {"sides": sides_data(self.table)}),
            **({"after": self.previous.id} if self.previous else {}),
            "ships": [
                {
                    "name": ship.name,
                    "type": ship.type.name,
                    "side": ship.side,
                    **(
                        {}
                        if ship.entered is None
                        else {
                            "state": guided_rulebook(self.ruleset).schemas.marks.write(ship.entered)
                        }
                    ),
                }
                for ship in self.ships
            ],
            "width_inches": self.width_inches,
            "height_inches": self.height_inches,
            "yards_per_inch": self.yards_per_inch,
            "visibility": self.visibility,
            "night": self.night,
            "options": {each.key: each.on for each in self.optional_rules},
            "starting_range_yards": set_up.range_yards if set_up else None,
            "said": self.said()[:200] if set_up else "",
            **({"lay_only": True} if by_hand else {"places": self._places_sent()}),
        }


def read_draft(
    args: "MultiDict[str, str]", table: Sides, previous: PreviousBattle | None = None
) -> BattleDraft:
    """The draft of an address; what makes no sense is a DreyerError with its field.

    Without a scenario it is fought between the sides of a table; after another battle, with those
    of its ships that go on.
    """
    key = args.get("scenario")
    scenario = scenario_named(key) if key and not previous else None
    table = previous.sides if previous else table
    sides = scenario.sides if scenario else table.fighting
    ships = _of_scenario(scenario) if scenario else _chosen(args, sides, previous)
    ships = _with_states(args, ships, _ruleset(scenario, previous))
    parties = sides.parties(dict.fromkeys(ship.side for ship in ships))
    scale = get_ruleset(_ruleset(scenario, previous)).default_scale.yards_per_inch
    laid: Scenario | PreviousBattle | None = scenario or previous
    asked = CONDITIONS in args
    usual = scenario.attacker if scenario else None
    title = " ".join(args.get("title", "").split())[:40]
    if not title and ships:
        title = _title(scenario, previous)
    return BattleDraft(
        pairs=tuple(args.items(multi=True)),
        scenario=scenario,
        previous=previous,
        title=title,
        table=table,
        sides=sides,
        ships=ships,
        columns=columns_of(scenario) if scenario else _columns(args, ships, sides),
        visibility=_visibility(args, laid.visibility if laid else 2),
        night=ticked(args, "night") or bool(laid and laid.night and not asked),
        options=_options(args, _ruleset(scenario, previous), laid.options if laid else None),
        hidden=ticked(args, "hidden"),
        attacker=_attacker(args, parties or tuple((key,) for key in sides.keys), usual),
        coming=DirectionMethod(choice(args, "coming", tuple(DirectionMethod), DirectionMethod.DIE)),
        zones=whole_number(args, "zones", 1, 6),
        range_die=whole_number(args, "range_die", 1, 6),
        direction_die=whole_number(args, "direction_die", 1, 6),
        rolled=frozenset(args.getlist("rolled")) & {"range", "direction"},
        width_inches=decimal_number(args, "width", 6, 400, laid.width_inches if laid else 72.0),
        height_inches=decimal_number(args, "height", 6, 400, laid.height_inches if laid else 48.0),
        yards_per_inch=decimal_number(
            args, "scale", 1, 100_000, previous.yards_per_inch if previous else scale
        ),
        places=_places(args, len(ships)),
    )


def _ruleset(scenario: Scenario | None, previous: PreviousBattle | None) -> str:
    if previous is not None:
        return previous.ruleset
    return scenario.ruleset if scenario else DEFAULT


def _title(scenario: Scenario | None, previous: PreviousBattle | None) -> str:
    if previous is not None:
        follows = previous.follows
        number = str(text("battles.next_title", n=follows.number))
        return f"{follows.campaign[: 40 - len(number) - 2]}, {number}"
    return scenario.title if scenario else str(text("battles.untitled"))


def _of_scenario(scenario: Scenario) -> tuple[DraftShip, ...]:
    return tuple(DraftShip(ship.name, ship.type, ship.side, ship.marks) for ship in scenario.ships)


def _with_states(
    args: "MultiDict[str, str]", ships: tuple[DraftShip, ...], ruleset: str
) -> tuple[DraftShip, ...]:
    """The ships with the states that were entered for them."""
    found = []
    for ship in ships:
        entered = args.get(f"{STATE}{ship.name}")
        if entered is not None:
            rulebook = guided_rulebook(ruleset)
            marks = from_address(rulebook, entered, ship.name)
            rulebook.condition(ship.type.name, marks)
            ship = replace(ship, entered=marks)
        found.append(ship)
    return tuple(found)


def _visibility(args: "MultiDict[str, str]", usual: Visibility) -> Visibility:
    text = args.get("visibility", "").strip()
    found = read_visibility(text) if text else usual
    if found is None:
        expected = Message("schema.visibility", most=WORST_LEVEL)
        raise BadField("set-up", "visibility", expected, repr(text[:20]))
    return found


def _options(
    args: "MultiDict[str, str]", ruleset: str, usual: BattleOptions | None
) -> BattleOptions:
    """Those that are ticked, where the form was sent; as they come along, where it was not."""
    rulebook = guided_rulebook(ruleset)
    known = rulebook.optional_rules(usual)
    ticked = {
        each.key: (OPTION + each.key) in args if CONDITIONS in args else each.on for each in known
    }
    return rulebook.schemas.options.read(ticked)


def _attacker(
    args: "MultiDict[str, str]", parties: tuple[tuple[str, ...], ...], usual: str | None
) -> str:
    """The party that comes upon the other, by its first side."""
    first = tuple(party[0] for party in parties)
    usual = next((party[0] for party in parties if usual in party), first[0])
    return choice(args, "attacker", first, usual)


def _chosen(
    args: "MultiDict[str, str]", sides: Sides, previous: PreviousBattle | None
) -> tuple[DraftShip, ...]:
    known = get_ruleset(_ruleset(None, previous)).ships
    chosen: list[DraftShip] = []
    going = previous.going_on if previous else ()
    # A form that was sent names those that it keeps; an address alone keeps them all.
    keeps = set(args.getlist("keep")) if "asked" in args else {each.name for each in going}
    lost = {each.name for each in previous.survivors} if previous else set()
    own = tuple(_with_own_names(args, sides, known, lost))
    for side in sides.keys:
        chosen += (
            DraftShip(each.name, known.named(each.type, side), each.side, each.marks)
            for each in going
            if each.side == side and each.name in keeps
        )
        its_own = [ship for ship in own if ship.side == side]
        chosen += its_own
        names = list(dict.fromkeys(args.getlist(f"ships.{side}")))
        types = [known.named(name, side) for name in names]
        for ship in known:
            if ship.ship_class is ShipClass.DESTROYER:
                count = whole_number(args, f"count.{side}.{ship.name}", 0, MOST_OF_A_KIND, 0) or 0
                types += [ship] * count
        if len(types) + len(its_own) > MOST_ON_A_SIDE:
            raise DreyerError("battles.too_many_ships", side=sides[side].title, most=MOST_ON_A_SIDE)
        for ship in types:
            # Each name depends on those before it.
            taken = {*lost, *(each.name for each in (*own, *chosen))}
            chosen.append(_named(ship, side, taken))
    return tuple(chosen)


def named_ship(name: str, ship_type: ShipType, side: str) -> tuple[tuple[str, str], ...]:
    """What an address says of a ship with a certain name."""
    if name == ship_type.name and ship_type.ship_class is not ShipClass.DESTROYER:
        return ((f"ships.{side}", name),)
    return ((f"{_OWN}{side}", name), (f"{_TYPE}{name}", ship_type.name))


def _with_own_names(
    args: "MultiDict[str, str]", sides: Sides, known: ShipList[ShipType], taken: set[str]
) -> Iterator[DraftShip]:
    """The ships that are not called like their types."""
    names = set(taken)
    for side in sides.keys:
        for said in args.getlist(f"{_OWN}{side}"):
            name = " ".join(said.split())[:LONGEST_NAME]
            if not name or name in names:
                raise BadField("set-up", "name", Message("schema.new_name"), repr(name))
            names.add(name)
            type_ = known.named(args.get(f"{_TYPE}{said}", said), side)
            yield DraftShip(name, type_, side, named=True)


def _named(ship: ShipType, side: str, names: set[str]) -> DraftShip:
    """A name of her own: destroyers are numbered, and so is a ship that both sides have."""
    if ship.ship_class is ShipClass.DESTROYER:
        name = numbered_name(ship.name, names, first=1)
    else:
        name = ship.name if ship.name not in names else numbered_name(ship.name, names)
    return DraftShip(name, ship, side)


def _columns(args: "MultiDict[str, str]", ships: tuple[DraftShip, ...], sides: Sides) -> Columns:
    columns = {}
    for side in sides.keys:
        names = [ship.name for ship in ships if ship.side == side]
        count = whole_number(args, f"columns.{side}", 1, 4, 1) or 1
        length = math.ceil(len(names) / count) or 1
        columns[side] = tuple(
            tuple(names[start : start + length]) for start in range(0, len(names), length)
        )
    return columns


def _places(args: "MultiDict[str, str]", count: int) -> Mapping[int, Pose]:
    places = {}
    for number in range(count):
        keys = [f"places.{number}.{axis}" for axis in ("x", "y", "heading")]
        if all(args.get(key, "").strip() for key in keys):
            x, y, heading = (decimal_number(args, key, -360, 1_000_000, 0.0) for key in keys)
            places[number] = Pose(x, y, heading)
    return places
