"""Collisions: ships whose bases and whose markers overlap.

A base is larger than the ship on it, so overlapping bases alone are not a collision: circles of a
given diameter about their centres, the markers, have to overlap as well. Touching is not
overlapping.
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
        """Whether the gap is within 2 σ of 0."""
        return abs(self.yards) <= CLOSE_CALL_SIGMAS * self.sigma_yards + TOLERANCE_YARDS

    @property
    def may_overlap(self) -> bool:
        """Whether the outlines overlap, or might."""
        return self.overlaps or self.is_too_close_to_call

    @property
    def message(self) -> Message:
        """The gap in words: overlapping, apart or touching."""
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
        """The result and both gaps."""
        return Message(
            f"tabletop.collision.{'collided' if self.collided else 'not_collided'}",
            first=ShipRef(self.first),
            second=ShipRef(self.second),
            bases=self.bases.message,
            markers=self.markers.message,
        )

    @property
    def close_calls(self) -> tuple[CloseCall, ...]:
        """The gaps that are too close to call and decide the result."""
        readings = (CollisionReading.COLLISION, CollisionReading.NO_COLLISION)
        if not self.collided:
            readings = readings[::-1]
        # A close call about one outline does not matter if the other is certainly clear.
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
