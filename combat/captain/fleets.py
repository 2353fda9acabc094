"""The captain of Grand Fleets, in which nothing is secret: the state is what everybody sees.

A flagship chooses the course that promises most by the forecasts of the fire from where she would
be; the ships of her division keep to it. Every battery fires where its forecast is best.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from combat.captain.decision import Decision
from combat.captain.exchange import best_exchange
from combat.captain.fleet_player import FleetPlayer, bearing_to, enemies_of, yards_apart
from combat.captain.temperament import Temperament
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.actions import Gunfire, TorpedoAttack
from combat.rulebooks.grand_fleets.card import TORPEDOES
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    DeclareFire,
    HoldFire,
    Shot,
)
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.views import BatteryOption, TargetOption
from tabletop.arcs import Arcs, Quadrant
from tabletop.messages import Message, ShipRef
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.rulebooks.grand_fleets.card import GunBattery

_STEP_YARDS: Final = 1_000
"""Forecasts are made for whole thousands of yards."""
_RANGES: Final = range(2_000, 26_001, 2_000)
_PULL: Final = 0.05
"""What each 1,000 yards from the wished range count, as a share of the most harm."""
_LEAST_HARM: Final = 0.05
_SUNK: Final = 3.0
_MOST_KEPT: Final = 20_000
_TORPEDO_SHARE: Final = 0.7
"""Torpedoes wait for a range at which so much of their best may be expected."""
_HURT: Final = 0.5
"""A ship that has lost so much of her hull waits no longer: torpedoes are lost with her."""


@dataclass
class FleetCaptain(FleetPlayer):
    """Plays one side by the forecasts."""

    temperament: Temperament
    _harms: dict[tuple[object, ...], float] = field(default_factory=dict)

    def _wished_ends(
        self, state: FleetState, side: str, ship: str, source: random.Random
    ) -> Iterator[tuple[Pose, Message | None]]:
        enemies = enemies_of(state, side)
        wished = self._wished_yards(state, ship, enemies)
        scored = sorted(
            (
                (-self._score(state, ship, pose, enemies, wished), source.random(), pose)
                for pose in self._ends(state, ship)
            ),
            key=lambda each: each[:2],
        )
        for _, _, pose in scored:
            yield pose, self._why(state, pose, enemies, wished)

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
            yards = yards_apart(pose, there)
            nearest = min(nearest, yards)
            given = max(given, self._harm(state, ship, pose, enemy, there))
            taken += self._harm(state, enemy, there, ship, pose) / max(own, 1)
        temper = self.temperament
        pull = _PULL * max(given, _LEAST_HARM) * abs(nearest - wished) / 1000.0
        return given - temper.taken * taken - pull

    def _wished_yards(self, state: FleetState, ship: str, enemies: Sequence[str]) -> float:
        """The range at which an exchange of broadsides with the nearest enemy is best."""
        if not enemies:
            return 0.0
        here = state.poses[ship]
        near = min(enemies, key=lambda each: (yards_apart(here, state.poses[each]), each))
        origin = Pose(0.0, 0.0, 90.0)
        places = [Pose(0.0, float(yards), 90.0) for yards in _RANGES]
        given = [self._harm(state, ship, origin, near, there) for there in places]
        taken = [self._harm(state, near, there, ship, origin) for there in places]
        mine, theirs = state.vessel(ship).hull_left, state.vessel(near).hull_left
        exchange = best_exchange(
            np.array(given) / max(theirs, 1), np.array(taken) / max(mine, 1), self.temperament
        )
        # Where no exchange suits her she keeps as far off as her table allows.
        return float(_RANGES[-1 if exchange is None else exchange])

    def _harm(self, state: FleetState, firer: str, pose: Pose, target: str, there: Pose) -> float:
        """The expected harm of all that a ship has from one place to another."""
        bearing = bearing_to(pose, there)
        quadrant = _ARCS.quadrant(bearing - pose.heading_deg)
        aspect = _ARCS.quadrant(bearing + 180.0 - there.heading_deg)
        yards = max(_STEP_YARDS, round(yards_apart(pose, there) / _STEP_YARDS) * _STEP_YARDS)
        one, other = state.vessel(firer), state.vessel(target)
        key = (*_facts(one), *_facts(other), yards, quadrant, aspect)
        if key not in self._harms:
            if len(self._harms) >= _MOST_KEPT:
                self._harms.clear()
            free = self.rulebook.free_rulebook(state)
            harm = 0.0
            for offer in free.offers(state.ship(firer).type):
                attack: Gunfire | TorpedoAttack
                if issubclass(offer.info.type, TorpedoAttack):
                    attack = TorpedoAttack(
                        by=firer, at=target, range_yards=yards, quadrant=quadrant, aspect=aspect
                    )
                elif issubclass(offer.info.type, Gunfire):
                    attack = Gunfire(
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
                else:
                    continue
                try:
                    odds = free.forecast(state.free, [attack])
                except Forbidden:
                    continue
                harm += odds.expected_boxes.get("hull", 0.0)
                harm += _SUNK * odds.outcomes.get("sunk", 0.0)
            self._harms[key] = harm
        return self._harms[key]

    def _why(self, state: FleetState, pose: Pose, enemies: Sequence[str], wished: float) -> Message:
        if not enemies:
            return Message("captain.why.no_enemy")
        near = min(enemies, key=lambda each: (yards_apart(pose, state.poses[each]), each))
        apart = yards_apart(pose, state.poses[near]) - wished
        code = "holds_range" if abs(apart) <= 2_000.0 else "closes" if apart > 0 else "opens"
        return Message(f"captain.why.{code}_plainly", target=ShipRef(near), yards=wished)

    # Fire

    def _fire(
        self,
        state: FleetState,
        side: str,
        ship: str,
        source: random.Random,  # noqa: ARG002 - the odds leave nothing to chance
    ) -> Decision:
        best: dict[str, tuple[float, str, float]] = {}
        for option in self.rulebook.fire_options(state, side, ship):
            for battery, worth, hits in _worth(option):
                if battery == TORPEDOES and not self._is_time(state, ship, option, hits):
                    continue
                if hits >= self.temperament.least_hits and worth > best.get(battery, (0.0,))[0]:
                    best[battery] = worth, option.target, hits
        if not best:
            return Decision(HoldFire(side=side, ship=ship))
        shots = tuple(
            Shot(battery=cast("GunBattery", battery), target=target)
            for battery, (_, target, _) in best.items()
        )
        if TORPEDOES in best:
            why = Message("captain.why.torpedoes", target=ShipRef(best[TORPEDOES][1]))
            return Decision(DeclareFire(side=side, ship=ship, shots=shots), {ship: why})
        _, target, hits = max(best.values())
        why = Message("captain.why.fires", target=ShipRef(target), hits=round(hits, 1))
        return Decision(DeclareFire(side=side, ship=ship, shots=shots), {ship: why})

    def _is_time(self, state: FleetState, ship: str, option: TargetOption, hits: float) -> bool:
        """Whether to launch now what can be launched once."""
        vessel = state.vessel(ship)
        if option.quadrant is None or vessel.marks.hull_lost >= _HURT * vessel.hull_boxes:
            return True
        near = TorpedoAttack(
            by=ship,
            at=option.target,
            range_yards=_STEP_YARDS,
            quadrant=option.quadrant,
            aspect=Quadrant.PORT,
        )
        try:
            best = self.rulebook.free_rulebook(state).forecast(state.free, [near])
        except Forbidden:
            return True
        return hits >= _TORPEDO_SHARE * best.expected_hits


_ARCS: Final = Arcs()


def _facts(vessel: Vessel) -> tuple[object, ...]:
    """What expected harm depends on, of a ship that fires or is fired at."""
    marks = vessel.marks
    lost = tuple(sorted(marks.dice_lost.items()))
    torpedoes = tuple(sorted(vessel.torpedoes_left().items()))
    return vessel.card.name, marks.hull_lost, marks.marker, lost, torpedoes


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
