"""Which ships have run into one another: bases that overlap, and then their markers.

Bases stand for more sea than the ships on them, so that overlapping bases alone prove nothing:
only when circles of a given size about their centres overlap as well have the ships collided.
Touching is not overlapping.
"""

import math
from dataclasses import dataclass

from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS, CloseCall, Question
from tabletop.errors import DreyerError
from tabletop.measure import Layout, base_gaps, measure
from tabletop.table import Table

COLLISION, NO_COLLISION = "collision", "no collision"


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

    def __str__(self) -> str:
        if self.overlaps:
            return f"overlap by {-self.yards:,.0f} yd"
        return f"are {self.yards:,.0f} yd apart" if self.yards > TOLERANCE_YARDS else "just touch"


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
    def why(self) -> str:
        """Both readings in words."""
        verdict = COLLISION if self.collided else NO_COLLISION
        return (
            f"{self.first} and {self.second}: {verdict}, "
            f"their bases {self.bases} and their markers {self.markers}"
        )

    @property
    def close_calls(self) -> tuple[CloseCall, ...]:
        """The readings on which the verdict hangs and that are too close to call."""
        readings = (COLLISION, NO_COLLISION) if self.collided else (NO_COLLISION, COLLISION)
        # A doubt about the one outline is idle while the other is certainly clear.
        return tuple(
            CloseCall(Question.CONTACT, limit, readings, abs(gap.yards))
            for limit, gap, other in (
                ("edge of the bases", self.bases, self.markers),
                ("edge of the markers", self.markers, self.bases),
            )
            if gap.is_too_close_to_call and other.may_overlap
        )


def collisions(table: Table, marker_diameter_yards: float) -> tuple[CollisionCheck, ...]:
    """Check every pair of ships whose bases overlap, or might within the measuring error."""
    if not 0 < marker_diameter_yards < math.inf:
        raise DreyerError(
            "verbatim", text=f"a marker has a positive diameter, got {marker_diameter_yards}"
        )
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
