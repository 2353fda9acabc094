"""The parameters that a rulebook gives for measuring a table."""

from dataclasses import dataclass

import numpy as np

from tabletop.angles import FloatArray
from tabletop.arcs import Arcs
from tabletop.closecall import TOLERANCE_YARDS
from tabletop.errors import DreyerError
from tabletop.sight import IndexArray, SightRule

OUT_OF_RANGE = "out_of_range"
"""The segment of everything beyond the last limit."""


@dataclass(frozen=True, slots=True)
class RangeSegment:
    """A named band of range, up to and including its limit."""

    name: str
    upper_yards: float


@dataclass(frozen=True, slots=True)
class TableRules:
    """The parameters of a survey: arcs, sight, range segments, and where to measure from."""

    arcs: Arcs
    sight: SightRule
    segments: tuple[RangeSegment, ...] = ()
    """Nearest first; empty if range bands belong to the weapon, not to the table."""
    measure_from_bridge: bool = False
    contact_range_yards: float | None = None
    """The range between two ships whose bases touch; None if it is measured as usual."""

    def __post_init__(self) -> None:
        limits = [segment.upper_yards for segment in self.segments]
        if limits != sorted(set(limits)):
            raise DreyerError("tabletop.segments.order", limits=tuple(limits))

    @property
    def limits_yards(self) -> FloatArray:
        """The upper limits of the segments, nearest first."""
        return np.array([segment.upper_yards for segment in self.segments], dtype=np.float64)

    @property
    def segment_names(self) -> tuple[str, ...]:
        """The segments' names, nearest first, with OUT_OF_RANGE at the end."""
        return (*(segment.name for segment in self.segments), OUT_OF_RANGE)

    def segment_codes(self, range_yards: FloatArray) -> IndexArray:
        """The segment of each range, as an index into `segment_names`."""
        # A range on the limit, allowing for rounding, belongs to the nearer segment.
        return np.searchsorted(self.limits_yards + TOLERANCE_YARDS, range_yards, side="left")

    def segment(self, range_yards: float) -> str | None:
        """The name of the segment that a range is in; None if the rules have no segments."""
        if not self.segments:
            return None
        return self.segment_names[int(self.segment_codes(np.array(range_yards)))]
