"""The positions and paths of all ships in each segment of a battle."""

from collections.abc import Mapping
from dataclasses import dataclass

from combat.participants import ShipStatus

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ShipPosition:
    """A ship's position after a move, in yards and degrees, and her status at the segment's end."""

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
    """The path of each ship in this segment."""
    smoke: tuple[tuple[Point, Point], ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


@dataclass(frozen=True, slots=True)
class History:
    """A battle's past by the ships' true names. It is not filtered for any viewer."""

    start: Mapping[str, ShipPosition]
    segments: tuple[SegmentPast, ...]
