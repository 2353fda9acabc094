"""The captain of Grand Fleets, in which nothing is secret: the state is what everybody sees.

A flagship chooses the course that promises most by the forecasts of the fire from where she would
be; the ships of her division keep to it. Every battery fires where its forecast is best.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from combat.captain.decision import Decision, Progress, no_progress
from combat.captain.temperament import Temperament
from combat.guided_actions import EndBattle
from combat.participants import Seat
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.actions import Gunfire
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    DeclareFire,
    HoldFire,
    MoveShip,
    PlaceDivision,
    Shot,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState, Phase
from combat.rulebooks.grand_fleets.movement import HEADING_TOLERANCE_DEG, limit_of
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.views import BatteryOption, ShipMoveCheck, TargetOption
from tabletop.arcs import Arcs
from tabletop.messages import Message, ShipRef
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.rulebooks.grand_fleets.card import GunBattery

_TURNS_DEG: Final = (0.0, -30.0, 30.0, -60.0, 60.0, -90.0, 90.0, 150.0, 180.0)
_SHARES: Final = (1.0, 0.6)
_ROOM_YARDS: Final = 1_500.0
"""They turn back so far from the edge of the table."""
_STEP_YARDS: Final = 1_000
"""Forecasts are made for whole thousands of yards."""
_RANGES: Final = range(2_000, 26_001, 2_000)
_PULL: Final = 0.05
"""What each 1,000 yards from the wished range count, as a share of the most harm."""
_LEAST_HARM: Final = 0.05
_SUNK: Final = 3.0
_MOST_KEPT: Final = 20_000
_QUIET_TURN: Final = 30
"""From this turn on a captain agrees to end the battle when another offers it."""


@dataclass
class FleetCaptain:
    """Plays one side by the forecasts."""

    rulebook: FleetBattle
    temperament: Temperament
    _harms: dict[tuple[object, ...], float] = field(default_factory=dict)

    def decide(
        self,
        state: FleetState,
        side: str,
        source: random.Random,
        progress: Progress = no_progress,
    ) -> Decision | None:
        """The next action of a side; None while it has nothing to decide."""
        if state.phase is Phase.ENDED:
            return None
        if state.wants_to_end and side not in state.wants_to_end and state.turn >= _QUIET_TURN:
            about = Message("captain.why.agrees_to_end")
            return Decision(EndBattle(side=side), about=about)
        if state.vacant:
            return self._flag(state, side)
        if self.rulebook.dice_wanted(state) is not None:
            return None
        if state.phase is Phase.COMMAND:
            done = side in state.ready
            return None if done else Decision(CommandDone(side=side))
        slot = next((each for each in state.next_slots if each.side == side), None)
        if slot is None:
            return None
        if state.is_first_movement:
            return Decision(PlaceDivision(side=side, division=slot.name))
        ship = state.to_act(slot)[0]
        progress(0, 1)
        if state.phase is Phase.MOVEMENT:
            decision = self._move(state, side, ship, source)
        else:
            decision = self._fire(state, side, ship)
        progress(1, 1)
        return decision

    def _flag(self, state: FleetState, side: str) -> Decision | None:
        for flag in self.rulebook.view(state, Seat(side)).flags:
            if flag.side == side and flag.heirs:
                return Decision(TakeFlag(side=side, ship=flag.heirs[0]))
        return None

    # Movement

    def _move(self, state: FleetState, side: str, ship: str, source: random.Random) -> Decision:
        enemies = self._enemies(state, side)
        wished = self._wished_yards(state, ship, enemies)
        scored = sorted(
            (
                (-self._score(state, ship, pose, enemies, wished), source.random(), pose)
                for pose in self._ends(state, ship)
            ),
            key=lambda each: each[:2],
        )
        for _, _, pose in scored:
            action = MoveShip(side=side, ship=ship, pose=pose)
            check = self.rulebook.check(state, action)
            if isinstance(check, ShipMoveCheck) and check.legal:
                return Decision(action, {ship: self._why(state, pose, enemies, wished)})
        stays = MoveShip(side=side, ship=ship, stop=True)
        return Decision(stays, {ship: Message("captain.why.stays")})

    def _ends(self, state: FleetState, ship: str) -> Iterator[Pose]:
        """Where a ship may try to end her move."""
        start = state.poses[ship]
        division = state.division_of(ship)
        lead = division.flagship
        turns: Sequence[float] = _TURNS_DEG
        follows = lead is not None and lead != ship and lead in state.placed
        if follows and state.in_command(ship) and state.in_action(cast("str", lead)):
            # A division keeps together: the course of its flagship, and the way to her.
            there = state.poses[cast("str", lead)]
            turns = (_turn(start, there.heading_deg), _turn(start, _bearing(start, there)), 0.0)
        for turn_deg in turns:
            turning = abs(turn_deg) > HEADING_TOLERANCE_DEG
            reach = self._reach(state, ship, turning=turning)
            course = Pose(start.x_yards, start.y_yards, (start.heading_deg + turn_deg) % 360.0)
            before = course if turning else start
            for share in _SHARES:
                end = before.moved(ahead_yards=float(int(reach * share)))
                if reach and _has_room(state, end):
                    yield end

    def _reach(self, state: FleetState, ship: str, *, turning: bool) -> float:
        division = state.division_of(ship)
        consorts = [
            each
            for each in division.ships
            if state.in_action(each) and state.in_command(each) and each in state.placed
        ]
        group = consorts if state.in_command(ship) else [ship]
        limits = (
            limit_of(
                state.vessel(each), state.marks(each).marker, self.rulebook.tables, turned=turning
            ).yards
            # Who has moved already has a new marker.
            for each in {*(each for each in group if each not in state.acted), ship}
        )
        return float(min(limits, default=0))

    def _score(
        self,
        state: FleetState,
        ship: str,
        pose: Pose,
        enemies: Sequence[str],
        wished: float,
    ) -> float:
        if not enemies:
            return 0.0
        given, taken, nearest = 0.0, 0.0, math.inf
        side = state.ship(ship).side
        own = sum(state.ship(each.name).side == side for each in state.models())
        for enemy in enemies:
            there = state.poses[enemy]
            yards = _apart(pose, there)
            nearest = min(nearest, yards)
            given = max(given, self._harm(state, ship, pose, enemy, there))
            taken += self._harm(state, enemy, there, ship, pose) / max(own, 1)
        temper = self.temperament
        pull = _PULL * max(given, _LEAST_HARM) * abs(nearest - wished) / 1000.0
        return temper.given * given - temper.taken * taken - pull

    def _wished_yards(self, state: FleetState, ship: str, enemies: Sequence[str]) -> float:
        """The range at which an exchange of broadsides with the nearest enemy is best."""
        if not enemies:
            return 0.0
        here = state.poses[ship]
        near = min(enemies, key=lambda each: (_apart(here, state.poses[each]), each))
        temper, origin = self.temperament, Pose(0.0, 0.0, 90.0)
        best, wished = -math.inf, float(_RANGES[0])
        for yards in _RANGES:
            there = Pose(0.0, float(yards), 90.0)
            balance = temper.given * self._harm(
                state, ship, origin, near, there
            ) - temper.taken * self._harm(state, near, there, ship, origin)
            if balance > best + 1e-9:
                best, wished = balance, float(yards)
        return wished

    def _harm(self, state: FleetState, firer: str, pose: Pose, target: str, there: Pose) -> float:
        """The expected harm of all of a ship's guns from one place to another."""
        bearing = _bearing(pose, there)
        quadrant = _ARCS.quadrant(bearing - pose.heading_deg)
        aspect = _ARCS.quadrant(bearing + 180.0 - there.heading_deg)
        yards = max(_STEP_YARDS, round(_apart(pose, there) / _STEP_YARDS) * _STEP_YARDS)
        one, other = state.vessel(firer), state.vessel(target)
        key = (*_facts(one), *_facts(other), yards, quadrant, aspect)
        if key not in self._harms:
            if len(self._harms) >= _MOST_KEPT:
                self._harms.clear()
            free = self.rulebook.free_rulebook(state)
            harm = 0.0
            for offer in free.offers(state.ship(firer).type):
                if not issubclass(offer.info.type, Gunfire):
                    continue
                fire = Gunfire(
                    kind=cast("GunBattery", offer.kind),
                    by=firer,
                    at=target,
                    range_yards=yards,
                    quadrant=quadrant,
                    aspect=aspect,
                    blocked=False,
                    extreme=state.options.extreme_range,
                    split=state.options.split_fire,
                )
                try:
                    odds = free.forecast(state.free, [fire])
                except Forbidden:
                    continue
                harm += odds.expected_boxes.get("hull", 0.0) + _SUNK * odds.outcomes.get(
                    "sunk", 0.0
                )
            self._harms[key] = harm
        return self._harms[key]

    def _why(self, state: FleetState, pose: Pose, enemies: Sequence[str], wished: float) -> Message:
        if not enemies:
            return Message("captain.why.no_enemy")
        near = min(enemies, key=lambda each: (_apart(pose, state.poses[each]), each))
        apart = _apart(pose, state.poses[near]) - wished
        code = "holds_range" if abs(apart) <= 2_000.0 else "closes" if apart > 0 else "opens"
        return Message(f"captain.why.{code}_plainly", target=ShipRef(near), yards=wished)

    # Fire

    def _fire(self, state: FleetState, side: str, ship: str) -> Decision:
        best: dict[str, tuple[float, str, float]] = {}
        for option in self.rulebook.fire_options(state, side, ship):
            for battery, worth, hits in _worth(option):
                if hits >= self.temperament.least_hits and worth > best.get(battery, (0.0,))[0]:
                    best[battery] = worth, option.target, hits
        if not best:
            return Decision(HoldFire(side=side, ship=ship))
        shots = tuple(
            Shot(battery=cast("GunBattery", battery), target=target)
            for battery, (_, target, _) in best.items()
        )
        _, target, hits = max(best.values())
        why = Message("captain.why.fires", target=ShipRef(target), hits=round(hits, 1))
        return Decision(DeclareFire(side=side, ship=ship, shots=shots), {ship: why})

    def _enemies(self, state: FleetState, side: str) -> list[str]:
        return [each.name for each in state.models() if state.ship(each.name).side != side]


_ARCS: Final = Arcs()


def _facts(vessel: Vessel) -> tuple[object, ...]:
    """What expected harm depends on, of a ship that fires or is fired at."""
    marks = vessel.marks
    lost = tuple(sorted(marks.dice_lost.items()))
    return vessel.card.name, marks.hull_lost, marks.marker, lost


def _worth(option: TargetOption) -> Iterator[tuple[str, float, float]]:
    """What each battery may be expected to do to a target: its worth, and the hits."""
    for battery in option.batteries:
        if _may_hit(battery):
            assert battery.forecast is not None, "fire that may hit has odds"  # noqa: S101
            sinks = battery.forecast.outcomes.get("sunk", 0.0)
            hits = battery.forecast.expected_hits
            yield battery.battery, hits + _SUNK * sinks, hits


def _may_hit(battery: BatteryOption) -> bool:
    return battery.allowed and battery.forecast is not None and bool(battery.factor)


def _apart(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_yards - other.x_yards, one.y_yards - other.y_yards)


def _bearing(start: Pose, there: Pose) -> float:
    return math.degrees(math.atan2(there.x_yards - start.x_yards, there.y_yards - start.y_yards))


def _turn(pose: Pose, course_deg: float) -> float:
    return math.remainder(course_deg - pose.heading_deg, 360.0)


def _has_room(state: FleetState, pose: Pose) -> bool:
    return (
        _ROOM_YARDS <= pose.x_yards <= state.width_yards - _ROOM_YARDS
        and _ROOM_YARDS <= pose.y_yards <= state.height_yards - _ROOM_YARDS
    )
