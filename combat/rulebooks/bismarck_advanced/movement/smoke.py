"""Smoke: cover about a ship, and fronts between the ends of her move (67.6).

A ship may lay either in as many turns as she likes (67.62); what she lays in a move is there for
the combat phase that follows it. Several fronts on one line count once: a line of sight either
crosses smoke or does not (67.652).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from tabletop.movement import Path
from tabletop.table import Base, Pose, SmokeFront

FRONT_PHASES: Final = 2
"""The complete combat phases that a front stands for (67.653)."""


class SmokeSide(StrEnum):
    """The side of the ship on which a front's markers are placed: her player's choice (67.65)."""

    PORT = "port"
    STARBOARD = "starboard"


@dataclass(frozen=True, slots=True)
class LaidFront:
    """A smoke front, who laid it, and how long it stands; nobody, if it lay there at first."""

    ship: str | None
    side: SmokeSide | None
    front: SmokeFront
    first: CombatPhase

    @property
    def last(self) -> CombatPhase:
        """The combat phase after which it is removed (67.653)."""
        return self.first.later(FRONT_PHASES - 1)

    def stands_in(self, phase: CombatPhase) -> bool:
        """Whether it is there in a combat phase."""
        return self.first <= phase <= self.last


@dataclass(frozen=True, slots=True)
class SmokeCover:
    """Smoke about a ship for one combat phase (67.64)."""

    ship: str
    phase: CombatPhase


def lay_front(
    ship: str,
    path: Path,
    base: Base,
    side: SmokeSide,
    phase: CombatPhase,
    *,
    marker_yards: float = MOVEMENT.marker_diameter_yards,
) -> LaidFront:
    """The front between the two ends of a ship's move, on one side of her (67.65, 67.651).

    The markers lie against her base, abreast of the white stripe in its middle, and the front
    runs between their outer edges. A ship that has not moved lays no more than a point.
    """
    out_yards = base.width_yards / 2 + marker_yards
    begin, end = (_abreast(pose, side, out_yards) for pose in (path.start, path.end))
    front = SmokeFront(begin.x_yards, begin.y_yards, end.x_yards, end.y_yards)
    return LaidFront(ship, side, front, phase)


@dataclass(frozen=True, slots=True)
class Smoke:
    """All smoke of a battle, laid and not yet blown away."""

    fronts: tuple[LaidFront, ...] = ()
    covers: tuple[SmokeCover, ...] = ()

    def with_front(self, front: LaidFront) -> "Smoke":
        """The same smoke and another front."""
        return replace(self, fronts=(*self.fronts, front))

    def with_cover(self, ship: str, phase: CombatPhase) -> "Smoke":
        """The same smoke and a ship's cover for a phase."""
        return replace(self, covers=(*self.covers, SmokeCover(ship, phase)))

    def fronts_in(self, phase: CombatPhase) -> tuple[SmokeFront, ...]:
        """The fronts that stand in a combat phase, for the table."""
        return tuple(laid.front for laid in self.fronts if laid.stands_in(phase))

    def is_covered(self, ship: str, phase: CombatPhase) -> bool:
        """Whether a ship is under her own smoke in a combat phase (67.64)."""
        return SmokeCover(ship, phase) in self.covers

    def after(self, phase: CombatPhase) -> "Smoke":
        """What is left once a combat phase is over."""
        return Smoke(
            tuple(laid for laid in self.fronts if laid.last > phase),
            tuple(cover for cover in self.covers if cover.phase > phase),
        )


def _abreast(pose: Pose, side: SmokeSide, out_yards: float) -> Pose:
    return pose.moved(right_yards=out_yards if side is SmokeSide.STARBOARD else -out_yards)
