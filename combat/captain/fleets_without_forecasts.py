"""Players of Grand Fleets who decide without forecasts: a quick one, and one by lot."""

import math
import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from combat.captain.decision import Decision
from combat.captain.fleet_player import FleetPlayer, bearing_to, enemies_of, yards_apart
from combat.rulebooks.grand_fleets.guided_battle.actions import DeclareFire, HoldFire, Shot
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState
from tabletop.messages import Message
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.rulebooks.grand_fleets.card import GunBattery

_CLOSE_TO_YARDS: Final = 8_000.0
_BROADSIDE_DEG: Final = 90.0
_CLOSING_DEG: Final = 45.0
"""Off the bow, while the range is to close."""


class _Unforeseeing(FleetPlayer):
    """Fires with what is allowed, without looking at the odds."""

    def _fire(self, state: FleetState, side: str, ship: str, source: random.Random) -> Decision:
        allowed: dict[str, list[str]] = {}
        for target, battery in self.rulebook.allowed_fires(state, side, ship):
            allowed.setdefault(battery, []).append(target)
        shots = []
        for battery, targets in allowed.items():
            aimed_at = self._target(targets, source)
            if aimed_at is not None:
                shots.append(Shot(battery=cast("GunBattery", battery), target=aimed_at))
        if not shots:
            return Decision(HoldFire(side=side, ship=ship))
        return Decision(DeclareFire(side=side, ship=ship, shots=tuple(shots)))

    @abstractmethod
    def _target(self, targets: Sequence[str], source: random.Random) -> str | None:
        """Of a battery's targets, nearest first, the one that it fires at; None for nobody."""


class QuickFleetCaptain(_Unforeseeing):
    """Closes to a middling range, shows her broadside, and fires at the nearest enemy."""

    def _wished_ends(
        self,
        state: FleetState,
        side: str,
        ship: str,
        source: random.Random,  # noqa: ARG002 - she leaves nothing to chance
    ) -> Iterator[tuple[Pose, Message | None]]:
        enemies = [state.poses[each] for each in enemies_of(state, side)]

        def distance_from_wish(end: Pose) -> float:
            if not enemies:
                return 0.0
            near = min(enemies, key=lambda each: yards_apart(end, each))
            far = max(0.0, yards_apart(end, near) - _CLOSE_TO_YARDS)
            wanted = _CLOSING_DEG if far else _BROADSIDE_DEG
            off_bow = abs(math.remainder(bearing_to(end, near) - end.heading_deg, 360.0))
            return far / 100.0 + abs(off_bow - wanted)

        for end in sorted(self._ends(state, ship), key=distance_from_wish):
            yield end, None

    def _target(
        self,
        targets: Sequence[str],
        source: random.Random,  # noqa: ARG002 - as above
    ) -> str | None:
        return targets[0]


class FleetPlayerByLot(_Unforeseeing):
    """Draws every move and every fire from those that are allowed."""

    def _wished_ends(
        self,
        state: FleetState,
        side: str,  # noqa: ARG002 - whoever draws looks at nothing
        ship: str,
        source: random.Random,
    ) -> Iterator[tuple[Pose, Message | None]]:
        ends = list(self._ends(state, ship))
        source.shuffle(ends)
        for end in ends:
            yield end, None

    def _target(self, targets: Sequence[str], source: random.Random) -> str | None:
        return source.choice([None, *targets])
