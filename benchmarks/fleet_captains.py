"""Captains of Grand Fleets who play a guided battle to its end by what its view says."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, cast

from combat.dice import Dice
from combat.events import Event
from combat.guided_actions import BattleAction, Entrant, Opening, RollDice, StartingConditions
from combat.participants import UMPIRE
from combat.rulebook import Outcome
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.guided_battle import FleetBattle, FleetState
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    DeclareFire,
    HoldFire,
    MoveShip,
    PlaceDivision,
    Shot,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from combat.rulebooks.grand_fleets.movement import limit_of
from combat.scenarios import Scenario
from combat.views import ShipMoveCheck, TargetOption
from tabletop.table import Pose

RULEBOOK: Final = "grand-fleets"
MOST_ACTIONS: Final = 4000
_ROOM_YARDS: Final = 1500.0
"""They turn back so far from the edge of the table."""
_OFF_COURSE_DEG: Final = 25.0


@dataclass(frozen=True)
class Step:
    """An action of the captains, and what came of it."""

    action: BattleAction
    outcome: Outcome[FleetState]

    @property
    def dice(self) -> str:
        """The dice, as players type them."""
        return " ".join(roll.value for roll in self.outcome.rolls)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened."""
        return self.outcome.events


def rulebook() -> FleetBattle:
    """The guided rulebook with its own cards and tables."""
    ruleset = get_ruleset(RULEBOOK)
    assert ruleset.battle is not None
    return cast("FleetBattle", ruleset.battle(ruleset.tables))


def opening_of(scenario: Scenario) -> Opening:
    """A scenario as it begins."""
    return Opening(
        title=scenario.title,
        sides=tuple(scenario.sides.keys),
        ships=tuple(
            Entrant(
                name=ship.name, type=ship.type.name, side=ship.side, pose=ship.pose, base=ship.base
            )
            for ship in scenario.ships
            if ship.pose is not None
        ),
        conditions=StartingConditions(),
        options=scenario.options,
        divisions=scenario.divisions,
        limits=scenario.limits,
        table_yards=scenario.size_yards,
    )


@dataclass
class Captains:
    """Both sides' captains; each side closes to the range that it wants and shows its broadside."""

    battle: FleetBattle
    wanted_yards: dict[str, float]
    flotilla_yards: float = 6000.0
    _courses: dict[str, float] = field(default_factory=dict)

    def play(self, state: FleetState, dice: Dice) -> Iterator[Step]:
        """The battle to its end, action by action."""
        for _ in range(MOST_ACTIONS):
            if state.phase is Phase.ENDED:
                return
            action = self._next(state)
            outcome = self.battle.play(state, action, dice)
            state = outcome.state
            yield Step(action, outcome)

    def _next(self, state: FleetState) -> BattleAction:
        if state.vacant:
            flag = self.battle.view(state, UMPIRE).flags[0]
            return TakeFlag(ship=flag.heirs[0])
        if self.battle.dice_wanted(state) is not None:
            return RollDice()
        if state.phase is Phase.COMMAND:
            return CommandDone()
        slot = state.next_slots[0]
        if state.is_first_movement:
            return PlaceDivision(division=slot.name)
        ship = state.to_act(slot)[0]
        if state.phase is Phase.MOVEMENT:
            return self._move(state, ship)
        return self._fire(state, ship)

    def _move(self, state: FleetState, ship: str) -> BattleAction:
        """On the course of her division, as far as its slowest ship can go."""
        for course, turning in self._courses_of(state, ship):
            pose = state.poses[ship]
            turned = Pose(pose.x_yards, pose.y_yards, course) if turning else pose
            reach = self._reach(state, ship, turning=turning)
            if turning and reach < 1000:
                continue
            action = MoveShip(ship=ship, pose=turned.moved(ahead_yards=reach))
            check = self.battle.check(state, action)
            if isinstance(check, ShipMoveCheck) and check.legal:
                return action
        return MoveShip(ship=ship, stop=True)

    def _reach(self, state: FleetState, ship: str, *, turning: bool) -> float:
        consorts = [
            each
            for each in state.division_of(ship).ships
            if state.in_action(each) and state.in_command(each)
        ]
        group = consorts if state.in_command(ship) else [ship]
        limits = (
            limit_of(
                state.vessel(each), state.marks(each).marker, self.battle.tables, turned=turning
            ).yards
            for each in group
            # Who has moved already has a new marker.
            if each not in state.acted
        )
        return float(min(limits, default=0))

    def _courses_of(self, state: FleetState, ship: str) -> Iterator[tuple[float, bool]]:
        """The courses to try in order, and whether each needs a turn."""
        division = state.division_of(ship)
        pose, side = state.poses[ship], division.side
        lead = state.poses[division.flagship or ship] if state.in_command(ship) else pose
        enemies = [
            state.poses[each.name] for each in state.models() if state.ship(each.name).side != side
        ]
        near = min(enemies, key=lambda each: _apart(lead, each))
        towards = math.degrees(math.atan2(near.x_yards - lead.x_yards, near.y_yards - lead.y_yards))
        small = all(state.cards[each].size in ("small", "very small") for each in division.ships)
        wanted = self.flotilla_yards if small else self.wanted_yards[side]
        off = _swing(pose.heading_deg, towards)
        if _apart(lead, near) > wanted + 1500:
            wish = pose.heading_deg if off < _OFF_COURSE_DEG else towards
        elif off > 90 - 2 * _OFF_COURSE_DEG:
            wish = pose.heading_deg
        else:
            wish = towards + (90 if lead.y_yards > state.height_yards / 2 else -90)
        for course in (wish, towards + 90, towards - 90, towards + 180):
            if _swing(pose.heading_deg, course) <= 3:
                straight = pose.moved(ahead_yards=7000)
                if _has_room(state, straight) or _has_room(state, pose.moved(ahead_yards=4000)):
                    yield pose.heading_deg, False
            else:
                yield course, True

    def _fire(self, state: FleetState, ship: str) -> BattleAction:
        options = self.battle.fire_options(state, None, ship)
        best: dict[str, tuple[float, str]] = {}
        for option in options:
            for battery, worth in _worth(option):
                if worth > best.get(battery, (0.0, ""))[0]:
                    best[battery] = worth, option.target
        shots = tuple(
            Shot(battery=battery, target=target)  # type: ignore[arg-type]
            for battery, (_, target) in best.items()
        )
        return DeclareFire(ship=ship, shots=shots) if shots else HoldFire(ship=ship)


def _worth(option: TargetOption) -> Iterator[tuple[str, float]]:
    for battery in option.batteries:
        if battery.allowed and battery.forecast is not None and battery.factor:
            sinks = battery.forecast.outcomes.get("sunk", 0.0)
            yield battery.battery, battery.forecast.expected_hits + 3 * sinks


def _apart(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_yards - other.x_yards, one.y_yards - other.y_yards)


def _swing(one_deg: float, other_deg: float) -> float:
    return abs(math.remainder(other_deg - one_deg, 360))


def _has_room(state: FleetState, pose: Pose) -> bool:
    return (
        _ROOM_YARDS <= pose.x_yards <= state.width_yards - _ROOM_YARDS
        and _ROOM_YARDS <= pose.y_yards <= state.height_yards - _ROOM_YARDS
    )
