"""What a battle was, segment by segment: where everybody stood, and how they came there."""

from collections.abc import Mapping
from dataclasses import dataclass

from combat.participants import ShipStatus

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ShipPosition:
    """Where a ship was after a move, and what had become of her by the segment's end."""

    x: float
    y: float
    heading: float
    status: ShipStatus


@dataclass(frozen=True, slots=True)
class SegmentPast:
    """A segment by the ships' true names."""

    round_number: int
    segment: int
    ships: Mapping[str, ShipPosition]
    paths: Mapping[str, tuple[Point, ...]]
    """The way that each ship came in this segment."""
    smoke: tuple[tuple[Point, Point], ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


@dataclass(frozen=True, slots=True)
class History:
    """A battle's past, by true names: what a caller may know of it is for others to say."""

    start: Mapping[str, ShipPosition]
    segments: tuple[SegmentPast, ...]
