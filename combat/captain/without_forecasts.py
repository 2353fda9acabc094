"""Players of the Advanced Game who decide without forecasts: a quick one, and one by lot.

The quick captain fights many battles in little time; the one by lot is the least that a captain
has to beat.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.captain.decision import Decision, Progress, no_progress
from combat.guided_actions import Commit, Mark
from combat.guided_play import PlottedView, StepKind
from combat.participants import Seat, ShipStatus
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Aim, Designate, Orders, Plot
from combat.rulebooks.bismarck_advanced.guided_battle.reach import Manoeuvre
from combat.rulebooks.bismarck_advanced.guided_battle.rulebook import AdvancedBattle
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.views import PlottedShipView
from tabletop.angles import wrap_180
from tabletop.table import Pose

_CLOSE_TO_YARDS: Final = 12_000.0
_BROADSIDE_DEG: Final = 90.0
_CLOSING_DEG: Final = 60.0
"""Off the bow, most turrets bear and the range still closes."""


@dataclass
class _Unforeseeing(ABC):
    """What both have in common: the sequence of play."""

    rulebook: AdvancedBattle

    def decide(
        self,
        state: AdvancedState,
        side: str,
        source: random.Random,
        progress: Progress = no_progress,  # noqa: ARG002 - they are quick
    ) -> Decision | None:
        """The next action of a side; None while it has nothing to decide."""
        view = self.rulebook.view(state, Seat(side))
        if side not in view.step.waiting_for:
            return None
        match view.step.kind:
            case StepKind.PLOT:
                return self._plot(state, view, side, source)
            case StepKind.DESIGNATE:
                return self._designate(state, view, side, source)
            case StepKind.MARK:
                return Decision(Mark(side=side))
        return Decision(Commit(side=side))

    def _plot(
        self, state: AdvancedState, view: PlottedView, side: str, source: random.Random
    ) -> Decision:
        mine = _active(view, side)
        if all(ship.id in view.plots for ship in mine):
            return Decision(Commit(side=side))
        hostile = set(self.rulebook.enemies(state, side))
        enemies = [ship for ship in view.ships if ship.id in hostile]
        plots = []
        for ship in mine:
            choices = self.rulebook.manoeuvres(state, ship.id, side)
            if not choices:
                plots.append(Plot(side=side, ship=ship.id, speed=0, notation="0"))
                continue
            chosen = self._manoeuvre(ship, enemies, choices, source)
            plots.append(
                Plot(side=side, ship=ship.id, speed=chosen.speed, notation=chosen.notation)
            )
        return Decision(Orders(side=side, plots=tuple(plots)))

    def _designate(
        self, state: AdvancedState, view: PlottedView, side: str, source: random.Random
    ) -> Decision:
        if view.fires:
            return Decision(Commit(side=side))
        fires = []
        for ship in _active(view, side):
            allowed = self.rulebook.allowed_fires(state, side, ship.id)
            aims = tuple(
                Aim(target=target, battery=battery)
                for battery in Battery
                for target in self._targets(allowed, battery, source)
            )
            if aims:
                fires.append(Designate(side=side, ship=ship.id, orders=aims))
        if not fires:
            return Decision(Commit(side=side))
        return Decision(Orders(side=side, fires=tuple(fires)))

    @abstractmethod
    def _manoeuvre(
        self,
        ship: PlottedShipView,
        enemies: Sequence[PlottedShipView],
        choices: Sequence[Manoeuvre],
        source: random.Random,
    ) -> Manoeuvre:
        """One of a ship's plots."""

    @abstractmethod
    def _targets(
        self, allowed: Sequence[tuple[str, Battery]], battery: Battery, source: random.Random
    ) -> Sequence[str]:
        """At whom a battery fires: nobody or one."""


class QuickCaptain(_Unforeseeing):
    """Closes to a middling range, shows her broadside, and fires at the nearest enemy."""

    def _manoeuvre(
        self,
        ship: PlottedShipView,
        enemies: Sequence[PlottedShipView],
        choices: Sequence[Manoeuvre],
        source: random.Random,  # noqa: ARG002 - she leaves nothing to chance
    ) -> Manoeuvre:
        fastest = max(each.speed or 0 for each in choices)
        near = min(enemies, key=lambda each: _apart(ship.pose, each.pose), default=None)

        def distance_from_wish(each: Manoeuvre) -> tuple[float, int]:
            slower = float(fastest - (each.speed or 0))
            if near is None:
                return slower, len(each.notation)
            wanted = (
                _CLOSING_DEG if _apart(ship.pose, near.pose) > _CLOSE_TO_YARDS else _BROADSIDE_DEG
            )
            return slower * 5 + abs(_off_bow(each.end, near.pose) - wanted), len(each.notation)

        return min(choices, key=distance_from_wish)

    def _targets(
        self,
        allowed: Sequence[tuple[str, Battery]],
        battery: Battery,
        source: random.Random,  # noqa: ARG002 - as above
    ) -> Sequence[str]:
        return [target for target, guns in allowed if guns is battery][:1]


class PlayerByLot(_Unforeseeing):
    """Draws every plot and every fire from those that are allowed."""

    def _manoeuvre(
        self,
        ship: PlottedShipView,  # noqa: ARG002 - whoever draws looks at nothing
        enemies: Sequence[PlottedShipView],  # noqa: ARG002 - as above
        choices: Sequence[Manoeuvre],
        source: random.Random,
    ) -> Manoeuvre:
        return source.choice(choices)

    def _targets(
        self, allowed: Sequence[tuple[str, Battery]], battery: Battery, source: random.Random
    ) -> Sequence[str]:
        targets = [target for target, guns in allowed if guns is battery]
        drawn = source.choice([None, *targets])
        return [] if drawn is None else [drawn]


def _active(view: PlottedView, side: str) -> list[PlottedShipView]:
    return [
        ship for ship in view.ships if ship.side == side and ship.status is ShipStatus.IN_ACTION
    ]


def _apart(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_yards - other.x_yards, one.y_yards - other.y_yards)


def _off_bow(pose: Pose, other: Pose) -> float:
    """How many degrees off the bow another place lies, on either side."""
    bearing = math.degrees(math.atan2(other.x_yards - pose.x_yards, other.y_yards - pose.y_yards))
    return abs(wrap_180(bearing - pose.heading_deg))
