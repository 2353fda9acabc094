"""Smoke: cover about a ship, and fronts along her move (67.6).

A ship may lay either in any number of turns (67.62); it is effective in the combat phase after the
move. Several fronts on one line count once (67.652).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from tabletop.movement import Path
from tabletop.table import Base, Pose, SmokeFront

FRONT_PHASES: Final = 2
"""The number of complete combat phases that a front lasts (67.653)."""


class SmokeSide(StrEnum):
    """The side of the ship of a front's markers, chosen by her player (67.65)."""

    PORT = "port"
    STARBOARD = "starboard"


@dataclass(frozen=True, slots=True)
class LaidFront:
    """A smoke front and its duration; `ship` is None if it was there at the start."""

    ship: str | None
    side: SmokeSide | None
    front: SmokeFront
    first: CombatPhase

    @property
    def last(self) -> CombatPhase:
        """The combat phase after which it is removed (67.653)."""
        return self.first.later(FRONT_PHASES - 1)

    def stands_in(self, phase: CombatPhase) -> bool:
        """Whether it exists in a combat phase."""
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

    The markers are placed at her base, abreast of the white stripe in its middle, and the front
    runs between their outer edges. For a ship that has not moved it is only a point.
    """
    out_yards = base.width_yards / 2 + marker_yards
    begin, end = (_abreast(pose, side, out_yards) for pose in (path.start, path.end))
    front = SmokeFront(begin.x_yards, begin.y_yards, end.x_yards, end.y_yards)
    return LaidFront(ship, side, front, phase)


@dataclass(frozen=True, slots=True)
class Smoke:
    """All smoke of a battle that has not ended."""

    fronts: tuple[LaidFront, ...] = ()
    covers: tuple[SmokeCover, ...] = ()

    def with_front(self, front: LaidFront) -> "Smoke":
        """The smoke with another front."""
        return replace(self, fronts=(*self.fronts, front))

    def with_cover(self, ship: str, phase: CombatPhase) -> "Smoke":
        """The smoke with a ship's cover for a phase."""
        return replace(self, covers=(*self.covers, SmokeCover(ship, phase)))

    def fronts_in(self, phase: CombatPhase) -> tuple[SmokeFront, ...]:
        """The fronts that exist in a combat phase."""
        return tuple(laid.front for laid in self.fronts if laid.stands_in(phase))

    def is_covered(self, ship: str, phase: CombatPhase) -> bool:
        """Whether a ship is covered by her own smoke in a combat phase (67.64)."""
        return SmokeCover(ship, phase) in self.covers

    def after(self, phase: CombatPhase) -> "Smoke":
        """The smoke that remains after a combat phase."""
        return Smoke(
            tuple(laid for laid in self.fronts if laid.last > phase),
            tuple(cover for cover in self.covers if cover.phase > phase),
        )


def _abreast(pose: Pose, side: SmokeSide, out_yards: float) -> Pose:
    return pose.moved(right_yards=out_yards if side is SmokeSide.STARBOARD else -out_yards)
