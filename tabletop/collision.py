"""Which ships have run into one another: bases that overlap, and then their markers.

Bases stand for more sea than the ships on them, so that overlapping bases alone prove nothing:
only when circles of a given size about their centres overlap as well have the ships collided.
Touching is not overlapping.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS, CloseCall, CloseCallKind
from tabletop.errors import DreyerError
from tabletop.measure import Layout, base_gaps, measure
from tabletop.messages import Message, ShipRef
from tabletop.table import Table


class CollisionReading(StrEnum):
    """Whether two ships have collided."""

    COLLISION = "collision"
    NO_COLLISION = "no collision"


@dataclass(frozen=True, slots=True)
class Gap:
    """The distance between two outlines; negative, the depth by which they overlap."""

    yards: float
    sigma_yards: float

    @property
    def overlaps(self) -> bool:
        """Whether the outlines overlap, as measured."""
        return self.yards < -TOLERANCE_YARDS

    @property
    def is_too_close_to_call(self) -> bool:
        """Whether the outlines might as well overlap as not."""
        return abs(self.yards) <= CLOSE_CALL_SIGMAS * self.sigma_yards + TOLERANCE_YARDS

    @property
    def may_overlap(self) -> bool:
        """Whether the outlines overlap, or might."""
        return self.overlaps or self.is_too_close_to_call

    @property
    def message(self) -> Message:
        """How the outlines lie to each other."""
        if self.overlaps:
            return Message("tabletop.collision.overlap", yards=-self.yards)
        if self.yards > TOLERANCE_YARDS:
            return Message("tabletop.collision.apart", yards=self.yards)
        return Message("tabletop.collision.touch")


@dataclass(frozen=True, slots=True)
class CollisionCheck:
    """Two ships whose bases overlap, or might: whether they have collided, and why."""

    first: str
    second: str
    bases: Gap
    markers: Gap

    @property
    def collided(self) -> bool:
        """Whether bases and markers overlap, as measured."""
        return self.bases.overlaps and self.markers.overlaps

    @property
    def why(self) -> Message:
        """The verdict and both readings."""
        return Message(
            f"tabletop.collision.{'collided' if self.collided else 'not_collided'}",
            first=ShipRef(self.first),
            second=ShipRef(self.second),
            bases=self.bases.message,
            markers=self.markers.message,
        )

    @property
    def close_calls(self) -> tuple[CloseCall, ...]:
        """The readings on which the verdict hangs and that are too close to call."""
        readings = (CollisionReading.COLLISION, CollisionReading.NO_COLLISION)
        if not self.collided:
            readings = readings[::-1]
        # A doubt about the one outline is idle while the other is certainly clear.
        return tuple(
            CloseCall(CloseCallKind.CONTACT, limit, readings, abs(gap.yards))
            for limit, gap, other in (
                (Message("tabletop.limit.bases"), self.bases, self.markers),
                (Message("tabletop.limit.markers"), self.markers, self.bases),
            )
            if gap.is_too_close_to_call and other.may_overlap
        )


def collisions(table: Table, marker_diameter_yards: float) -> tuple[CollisionCheck, ...]:
    """Check every pair of ships whose bases overlap, or might within the measuring error."""
    if not 0 < marker_diameter_yards < math.inf:
        raise DreyerError("tabletop.collision.diameter", yards=marker_diameter_yards)
    gaps = base_gaps(Layout.of(table, from_bridge=False))
    checks = []
    for first, second, *gap in zip(
        gaps.first.tolist(),
        gaps.second.tolist(),
        gaps.gap_yards.tolist(),
        gaps.sigma_yards.tolist(),
        strict=True,
    ):
        bases = Gap(*gap)
        if bases.may_overlap:
            pair = table.models[first], table.models[second]
            apart = measure(*pair)
            markers = Gap(apart.range_yards - marker_diameter_yards, apart.range_sigma_yards)
            checks.append(CollisionCheck(pair[0].name, pair[1].name, bases, markers))
    return tuple(checks)
