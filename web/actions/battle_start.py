"""From what the host has chosen to the actions that lay the table and begin the battle."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from combat.guided_actions import (
    BattleOptions,
    EarlierBattles,
    Entrant,
    StartingConditions,
    StartingMarks,
)
from combat.rulebooks import get_ruleset
from combat.scenarios import Scenario
from combat.sides import Sides, usual
from tabletop.errors import DreyerError
from tabletop.scale import Scale
from tabletop.table import Base, Pose, SmokeFront
from web.actions.battle import BeginBattle, exact_pose
from web.actions.context import Action, ActionContext, Change, event_change
from web.actions.table import NewShip, OpenTable
from web.auth.seats import Right
from web.journal.battle_plan import BattlePlan
from web.journal.events import SetUp

_LOT: Final = random.SystemRandom()
"""Hidden ships are dealt out by lot; nobody must be able to guess it."""


@dataclass(frozen=True, slots=True)
class PlannedShip:
    """A ship that is to take part."""

    name: str
    type: str
    side: str
    pose: Pose | None = None
    marks: StartingMarks | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A battle that is to begin."""

    title: str
    ruleset: str
    yards_per_inch: float
    width_inches: float
    height_inches: float
    ships: tuple[PlannedShip, ...]
    conditions: StartingConditions
    options: BattleOptions | None = None
    """None is the rulebook's usual game."""
    hidden: bool = False
    begins: bool = True
    """Whether it begins at once; otherwise only the table is laid."""
    smoke: tuple[SmokeFront, ...] = ()
    scenario: str | None = None
    sides: Sides = field(default_factory=lambda: usual().sides)
    """Of the table."""
    said: str = ""
    """What the dice said of the set-up, for the log."""
    follows: EarlierBattles | None = None
    """The battles that the ships come out of."""


@dataclass(frozen=True, slots=True)
class TellSetUp:
    """A line in the log about the dice that set the battle up."""

    needs: ClassVar = Right.HOST
    words: str

    def change(self, context: ActionContext) -> Change:  # noqa: ARG002
        """The line."""
        return event_change(SetUp(words=" ".join(self.words.split())[:200]))


def plan_of(
    scenario: Scenario,
    *,
    options: BattleOptions | None = None,
    hidden: bool = False,
    begins: bool = True,
) -> Plan:
    """A scenario as it is written down; with its own optional rules, unless others are given."""
    if scenario.by_dice:
        raise DreyerError("battles.plan.set_up_by_dice", scenario=scenario.title)
    return Plan(
        title=scenario.title,
        ruleset=scenario.ruleset,
        yards_per_inch=scenario.yards_per_inch,
        width_inches=scenario.width_inches,
        height_inches=scenario.height_inches,
        ships=tuple(
            PlannedShip(ship.name, ship.type.name, ship.side, ship.pose, ship.marks)
            for ship in scenario.ships
        ),
        conditions=StartingConditions(
            visibility=scenario.visibility,
            night=scenario.night,
            starting_range_yards=scenario.starting_range_yards,
        ),
        options=options or scenario.options,
        hidden=hidden,
        begins=begins,
        smoke=scenario.smoke,
        scenario=scenario.key,
        sides=table_sides(scenario.sides),
    )


def table_sides(sides: Sides) -> Sides:
    """The sides of a table for a battle between these; all the usual ones, where they are."""
    known = usual().sides
    return known if all(known[side.key] == side for side in sides) else sides


def actions_for(plan: Plan, owner_values: str = "") -> tuple[Action, ...]:
    """What to do on an empty table, one after the other."""
    numbered: Sequence[tuple[int | None, PlannedShip]]
    if not plan.hidden:
        actions: list[Action] = [_laying(plan, plan.ships)]
        numbered = [(None, ship) for ship in plan.ships]
    else:
        if not plan.begins:
            raise DreyerError(
                "battles.plan.hidden_not_begun",
            )
        dealt = sorted(draw_numbers(plan.ships, _LOT).items())
        numbered = dealt
        counters = [
            PlannedShip(f"Ship {number}", "", ship.side, ship.pose) for number, ship in dealt
        ]
        # The table knows numbers alone, so that nothing that shows it can give a name away.
        actions = [_laying(plan, counters)]
    if plan.said:
        actions.append(TellSetUp(plan.said))
    if plan.begins:
        missing = next((ship.name for ship in plan.ships if ship.pose is None), None)
        if missing is not None:
            raise DreyerError("battles.plan.no_place", missing=missing)
        base = _base(plan)
        entrants = tuple(_entrant(ship, base, number) for number, ship in numbered)
        actions.append(
            BeginBattle(
                plan.conditions,
                owner_values,
                plan.options,
                entrants,
                plan.hidden,
                follows=plan.follows,
            )
        )
    return tuple(actions)


def draw_numbers(ships: Sequence[PlannedShip], lot: random.Random) -> dict[int, PlannedShip]:
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
    about = BattlePlan(
        scenario=plan.scenario,
        conditions=plan.conditions,
        options=plan.options,
        hidden=plan.hidden,
        marks={ship.name: ship.marks for ship in ships if ship.marks is not None},
        follows=plan.follows,
    )
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
        plan=about,
    )


def _base(plan: Plan) -> Base:
    ruleset, scale = get_ruleset(plan.ruleset), Scale(plan.yards_per_inch)
    return Base(
        scale.yards_from_inches(ruleset.base_length_inches),
        scale.yards_from_inches(ruleset.base_width_inches),
    )


def _entrant(ship: PlannedShip, base: Base, number: int | None) -> Entrant:
    assert ship.pose is not None  # noqa: S101  # Those without a place were refused before.
    return Entrant(
        name=ship.name,
        type=ship.type,
        side=ship.side,
        pose=exact_pose(ship.pose),
        base=base,
        number=number,
        marks=ship.marks,
    )
