"""From what the host has chosen to the actions that lay the table and begin the battle."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from combat.rulesets import get_ruleset
from combat.scenarios import Scenario
from combat.sides import Sides, usual
from tabletop.errors import DreyerError
from tabletop.scale import Scale
from tabletop.table import Pose
from web.battle.actions import BeginBattle
from web.seats import Right
from web.table.actions import NewShip, OpenTable
from web.table.ground import Action, Ground
from web.table.pieces import pose_data
from web.table.state import Event, Kind

_LOT: Final = random.SystemRandom()
"""Hidden ships are dealt out by lot; nobody must be able to guess it."""


@dataclass(frozen=True, slots=True)
class PlannedShip:
    """A ship that is to take part."""

    name: str
    type: str
    side: str
    pose: Pose | None = None
    state: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A battle that is to begin."""

    title: str
    ruleset: str
    yards_per_inch: float
    width_inches: float
    height_inches: float
    ships: tuple[PlannedShip, ...]
    visibility: int = 2
    night: bool = False
    starting_range_yards: float | None = None
    hidden: bool = False
    begins: bool = True
    """Whether it begins at once; otherwise only the table is laid."""
    smoke: tuple[tuple[float, float, float, float], ...] = ()
    scenario: str | None = None
    sides: Sides = field(default_factory=lambda: usual().sides)
    """Of the table."""
    said: str = ""
    """What the dice said of the set-up, for the log."""


@dataclass(frozen=True, slots=True)
class TellSetUp:
    """A line in the log about the dice that set the battle up."""

    needs: ClassVar = Right.HOST
    words: str

    def events(self, ground: Ground) -> tuple[Event, ...]:  # noqa: ARG002
        """The line."""
        return (Event(Kind.SET_UP, {"words": " ".join(self.words.split())[:200]}),)


def plan_of(scenario: Scenario, *, hidden: bool = False, begins: bool = True) -> Plan:
    """A scenario as it is written down."""
    if scenario.by_dice:
        raise DreyerError(f"{scenario.title} is set up by dice: roll them on its own page first")
    return Plan(
        title=scenario.title,
        ruleset=scenario.ruleset,
        yards_per_inch=scenario.yards_per_inch,
        width_inches=scenario.width_inches,
        height_inches=scenario.height_inches,
        ships=tuple(
            PlannedShip(ship.name, ship.type.name, ship.side, ship.pose, ship.state or None)
            for ship in scenario.ships
        ),
        visibility=scenario.visibility,
        night=scenario.night,
        starting_range_yards=scenario.starting_range_yards,
        hidden=hidden,
        begins=begins,
        smoke=tuple(
            (front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards)
            for front in scenario.smoke
        ),
        scenario=scenario.key,
        sides=table_sides(scenario.sides),
    )


def table_sides(sides: Sides) -> Sides:
    """The sides of a table for a battle between these; all the usual ones, where they are."""
    known = usual().sides
    return known if all(known[side.key] == side for side in sides) else sides


def actions_for(plan: Plan, owner_values: str = "") -> tuple[Action, ...]:
    """What to do on an empty table, one after the other."""
    if not plan.hidden:
        actions: list[Action] = [_laying(plan, plan.ships)]
        beginning = _setup(plan, [_entrant(plan, ship) for ship in plan.ships if ship.pose])
    else:
        if not plan.begins:
            raise DreyerError(
                "hidden ships are dealt out as the battle begins: begin it at once, "
                "or lay the table with open ships"
            )
        dealt = deal(plan.ships, _LOT)
        counters = [
            PlannedShip(f"Ship {number}", "", ship.side, ship.pose)
            for number, ship in sorted(dealt.items())
        ]
        # The table knows numbers alone, so that nothing that shows it can give a name away.
        actions = [_laying(plan, counters)]
        ships = [{**_entrant(plan, ship), "number": number} for number, ship in dealt.items()]
        beginning = _setup(plan, sorted(ships, key=lambda ship: int(ship["number"])))
    if plan.said:
        actions.append(TellSetUp(plan.said))
    if plan.begins:
        missing = next((ship.name for ship in plan.ships if ship.pose is None), None)
        if missing is not None:
            raise DreyerError(f"{missing} has no place: place her, or lay the table only")
        actions.append(BeginBattle(beginning, owner_values))
    return tuple(actions)


def deal(ships: Sequence[PlannedShip], lot: random.Random) -> dict[int, PlannedShip]:
    """Ships by number: both the numbers and who of a side stands where are drawn by lot.

    A scenario is open to read; if its ships stood where it puts them, numbers would hide nothing.
    """
    numbers = list(range(1, len(ships) + 1))
    lot.shuffle(numbers)
    dealt: dict[int, PlannedShip] = {}
    for side in dict.fromkeys(ship.side for ship in ships):
        own = [ship for ship in ships if ship.side == side]
        places = [ship.pose for ship in own]
        lot.shuffle(places)
        for ship, place in zip(own, places, strict=True):
            dealt[numbers.pop()] = replace(ship, pose=place)
    return dealt


def _laying(plan: Plan, ships: Sequence[PlannedShip]) -> OpenTable:
    states = {ship.name: dict(ship.state) for ship in ships if ship.state}
    about: dict[str, Any] = {
        "scenario": plan.scenario,
        "visibility": plan.visibility,
        "night": plan.night,
        "starting_range_yards": plan.starting_range_yards,
        "hidden": plan.hidden or None,
        "states": states or None,
    }
    return OpenTable(
        title=plan.title,
        ruleset=plan.ruleset,
        yards_per_inch=plan.yards_per_inch,
        width_inches=plan.width_inches,
        height_inches=plan.height_inches,
        ships=tuple(
            NewShip(ship.name, ship.type or None, ship.side, pose=ship.pose) for ship in ships
        ),
        smoke=plan.smoke,
        sides=plan.sides,
        plan={key: value for key, value in about.items() if value is not None},
    )


def _setup(plan: Plan, ships: list[dict[str, Any]]) -> dict[str, Any]:
    setup: dict[str, Any] = {
        "title": plan.title,
        "sides": sorted({ship.side for ship in plan.ships}),
        "ships": ships,
        "visibility": plan.visibility,
        "night": plan.night,
        "hidden": plan.hidden,
    }
    if plan.starting_range_yards is not None:
        setup["starting_range_yards"] = plan.starting_range_yards
    return setup


def _entrant(plan: Plan, ship: PlannedShip) -> dict[str, Any]:
    ruleset, scale = get_ruleset(plan.ruleset), Scale(plan.yards_per_inch)
    pose = pose_data(ship.pose) if ship.pose else {}
    return {
        "name": ship.name,
        "type": ship.type,
        "side": ship.side,
        "pose": {key: pose[key] for key in ("x", "y", "heading") if key in pose},
        "base": {
            "length_yards": scale.yards_from_inches(ruleset.base_length_inches),
            "width_yards": scale.yards_from_inches(ruleset.base_width_inches),
        },
        **({"state": dict(ship.state)} if ship.state else {}),
    }
