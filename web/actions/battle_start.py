"""From what the host has chosen to the actions that lay the table and begin the battle."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Final

from combat.guided_actions import (
    BattleOptions,
    EarlierBattles,
    EnteredDivision,
    Entrant,
    FleetLimits,
    StartingConditions,
    StartingMarks,
)
from combat.rulebooks import get_ruleset
from combat.scenarios import Scenario
from combat.sides import Sides, usual
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.table import Base, Pose, SmokeFront
from web.actions.battle import BeginBattle, exact_pose
from web.actions.context import Action, ActionContext, Change, event_change
from web.actions.table import NewShip, OpenTable
from web.auth.seats import Right
from web.journal.battle_plan import BattlePlan
from web.journal.events import SetUp

_LOT: Final = random.SystemRandom()
"""Numbers of hidden ships are dealt by lot; nobody must be able to guess them."""


@dataclass(frozen=True, slots=True)
class PlannedShip:
    """A ship that is to take part."""

    name: str
    type: str
    side: str
    pose: Pose | None = None
    marks: StartingMarks | None = None
    base: Base | None = None
    """None for the rulebook's base."""
    number: int | None = None
    """That her owner gives her in hidden play (61.6); dealt by lot where None."""


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
    divisions: tuple[EnteredDivision, ...] = ()
    """Empty for those that the rulebook proposes, in a rulebook that has divisions."""
    limits: FleetLimits | None = None
    """None for the rulebook's limits."""


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
    numbers: Mapping[str, int] = MappingProxyType({}),
) -> Plan:
    """A scenario as it is written down; `options` and `numbers` are over those of its file.

    The numbers of its file are for hidden play.
    """
    if scenario.by_dice:
        raise DreyerError("battles.plan.set_up_by_dice", scenario=scenario.title)
    known = [ship.name for ship in scenario.ships]
    for name in numbers:
        if name not in known:
            raise UnknownName(Message("errors.where.battle"), "ship", name, known)
    return Plan(
        title=scenario.title,
        ruleset=scenario.ruleset,
        yards_per_inch=scenario.yards_per_inch,
        width_inches=scenario.width_inches,
        height_inches=scenario.height_inches,
        ships=tuple(
            PlannedShip(
                ship.name,
                ship.type.name,
                ship.side,
                ship.pose,
                ship.marks,
                ship.base,
                numbers.get(ship.name, ship.number if hidden else None),
            )
            for ship in scenario.ships
        ),
        conditions=scenario.conditions,
        options=options or scenario.options,
        hidden=hidden,
        begins=begins,
        smoke=scenario.smoke,
        scenario=scenario.key,
        sides=table_sides(scenario.sides),
        divisions=scenario.divisions,
        limits=scenario.limits,
    )


def table_sides(sides: Sides) -> Sides:
    """The sides of a table for a battle between these; all the usual ones, where they are."""
    known = usual().sides
    return known if all(known[side.key] == side for side in sides) else sides


def actions_for(plan: Plan, owner_values: str = "") -> tuple[Action, ...]:
    """What to do on an empty table, one after the other."""
    numbered: Sequence[tuple[int | None, PlannedShip]]
    if not plan.hidden:
        _check_no_numbers(plan)
        actions: list[Action] = [_laying(plan, plan.ships)]
        numbered = [(None, ship) for ship in plan.ships]
    else:
        if not plan.begins:
            raise DreyerError(
                "battles.plan.hidden_not_begun",
            )
        dealt = sorted(with_numbers(plan.ships, _LOT).items())
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
        entrants = tuple(_entrant(ship, plan, number) for number, ship in numbered)
        actions.append(
            BeginBattle(
                plan.conditions,
                owner_values,
                plan.options,
                entrants,
                plan.hidden,
                follows=plan.follows,
                divisions=plan.divisions,
                limits=plan.limits,
            )
        )
    return tuple(actions)


def _check_no_numbers(plan: Plan) -> None:
    """A number hides a ship (61.6); in an open battle it would mean nothing."""
    for ship in plan.ships:
        if ship.number is not None:
            expected = Message("battles.expected.no_number")
            raise BadField(ship.name, "number", expected, str(ship.number))


def with_numbers(ships: Sequence[PlannedShip], lot: random.Random) -> dict[int, PlannedShip]:
    """Ships by the numbers that hide them (61.6): as their owners give them, the others by lot.

    Everybody stands where she was placed (55.11).
    """
    given: dict[int, PlannedShip] = {}
    for ship in ships:
        if ship.number is None:
            continue
        if ship.number in given:
            # Whose they are is not told: the one who reads this may be on either side.
            raise DreyerError("battles.plan.number_twice", number=ship.number)
        given[ship.number] = ship
    without = [ship for ship in ships if ship.number is None]
    # As many as there are ships, even if others of them were given.
    free = [number for number in range(1, len(ships) + 1) if number not in given]
    drawn = lot.sample(free, len(without))
    return given | dict(zip(drawn, without, strict=True))


def _laying(plan: Plan, ships: Sequence[PlannedShip]) -> OpenTable:
    about = BattlePlan(
        scenario=plan.scenario,
        conditions=plan.conditions,
        options=plan.options,
        hidden=plan.hidden,
        marks={ship.name: ship.marks for ship in ships if ship.marks is not None},
        follows=plan.follows,
        divisions=plan.divisions,
        limits=plan.limits,
    )
    return OpenTable(
        title=plan.title,
        ruleset=plan.ruleset,
        yards_per_inch=plan.yards_per_inch,
        width_inches=plan.width_inches,
        height_inches=plan.height_inches,
        ships=tuple(
            NewShip(
                ship.name,
                ship.type or None,
                ship.side,
                pose=ship.pose,
                base=None
                if ship.base is None
                else (
                    ship.base.length_yards,
                    ship.base.width_yards,
                    ship.base.bridge_offset_yards,
                ),
            )
            for ship in ships
        ),
        smoke=plan.smoke,
        sides=plan.sides,
        plan=about,
    )


def _entrant(ship: PlannedShip, plan: Plan, number: int | None) -> Entrant:
    assert ship.pose is not None  # noqa: S101  # Those without a place were refused before.
    ruleset = get_ruleset(plan.ruleset)
    base = ruleset.base_of(ruleset.ships.find(ship.type), Scale(plan.yards_per_inch))
    return Entrant(
        name=ship.name,
        type=ship.type,
        side=ship.side,
        pose=exact_pose(ship.pose),
        base=ship.base or base,
        number=number,
        marks=ship.marks,
    )
