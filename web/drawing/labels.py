"""Label placement: every label takes the cheapest free one of its candidate places.

Labels are placed in order of importance. A place outside the frame or on another label is never
taken; ships and lines may be covered at a price. A label without a free place is left out, unless
it is required: such a label may shrink and be placed anywhere in the frame. The result is
deterministic.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from web.drawing.geometry import Box, Point

Key = TypeVar("Key", bound=Hashable)

_OBSTACLE_PRICE = 60.0
"""The price of covering a ship completely; the price of a line is given by the caller."""


@dataclass(frozen=True, slots=True)
class AvoidedLine:
    """A line that labels should not cover, with its price."""

    start: Point
    end: Point
    price: float = 10.0


@dataclass(frozen=True, slots=True)
class LabelSpot:
    """A candidate place of a label: the boxes that it would cover, and its base price."""

    boxes: tuple[Box, ...]
    penalty: float = 0.0
    turn_deg: float = 0.0
    """For a label along a ring: its angle, clockwise from the top."""
    scale: float = 1.0
    """The scale of the label here; less than 1 if it is shrunk."""

    @property
    def centre(self) -> Point:
        """The centre of the middle box."""
        return self.boxes[len(self.boxes) // 2].centre


@dataclass(frozen=True, slots=True)
class LabelRequest(Generic[Key]):
    """A label to place, with its candidates."""

    key: Key
    spots: tuple[LabelSpot, ...]
    on_line: AvoidedLine | None = None
    """The line that the label belongs to and may cover."""
    worst: float = math.inf
    """The price above which the label is left out."""
    clear_of: tuple[Box, ...] = ()
    """Boxes that the label never covers."""
    roams: "FreeLabel | None" = None
    """For a required label: how it is placed anywhere if no candidate is free."""


@dataclass(frozen=True, slots=True)
class FreeLabel:
    """A label that may be placed anywhere in the frame, as near as possible to its own place."""

    near: Point
    width: float
    height: float
    scale: float = 1.0


def place(
    wanted: Iterable[LabelRequest[Key]],
    *,
    frame: Box,
    obstacles: Sequence[Box] = (),
    lines: Sequence[AvoidedLine] = (),
    taken: Sequence[Box] = (),
) -> Mapping[Key, LabelSpot]:
    """A place for each label in the given order, without labels that found none."""
    placed: dict[Key, LabelSpot] = {}
    standing = list(taken)
    for label in wanted:
        others = [line for line in lines if line != label.on_line]
        never = [*standing, *label.clear_of]
        best = _cheapest(label.spots, label.worst, frame, never, obstacles, others)
        if best is None and label.roams is not None:
            spots = _everywhere(label.roams, frame)
            best = _cheapest(spots, math.inf, frame, never, obstacles, others)
        if best is not None:
            placed[label.key] = best
            standing.extend(best.boxes)
    return placed


def shrunk(spots: Iterable[LabelSpot], scale: float, penalty: float) -> tuple[LabelSpot, ...]:
    """The candidates of a label at a smaller size and a higher price."""
    return tuple(replace(spot, scale=scale, penalty=spot.penalty + penalty) for spot in spots)


def around(
    centre: Point, reach: float, width: float, height: float, *, gap: float, frame: Box
) -> tuple[LabelSpot, ...]:
    """Candidates beside a round object: close on all sides first, then farther out."""
    x, y = centre
    spots = []
    for step in range(5):
        distance = reach + gap * (0.35 + step * 1.6)
        beside, above = distance + width / 2, distance + height / 2
        aside = distance * 0.7
        # Level with the object, then above and below it: centred, or shifted to either side.
        middles = (
            (beside, 0.0),
            (-beside, 0.0),
            (0.0, -above),
            (0.0, above),
            (aside + width / 2, -aside),
            (aside + width / 2, aside),
            (-aside - width / 2, -aside),
            (-aside - width / 2, aside),
            (width * 0.38, -above),
            (width * 0.38, above),
            (-width * 0.38, -above),
            (-width * 0.38, above),
        )
        for number, (across, down) in enumerate(middles):
            box = Box.around((x + across, y + down), width, height).slid_into(frame)
            spots.append(LabelSpot((box,), step * 9 + number * 0.35))
    return tuple(spots)


def _cheapest(
    spots: Iterable[LabelSpot],
    worst: float,
    frame: Box,
    never: Sequence[Box],
    obstacles: Sequence[Box],
    lines: Sequence[AvoidedLine],
) -> LabelSpot | None:
    best: LabelSpot | None = None
    best_price = math.inf
    for spot in sorted(spots, key=lambda spot: spot.penalty):
        if spot.penalty >= best_price or spot.penalty > worst:
            break
        if not _is_free(spot, frame, never):
            continue
        most = min(best_price, worst)
        price = spot.penalty + _price(spot, obstacles, lines, most - spot.penalty)
        if price < best_price and price <= worst:
            best, best_price = spot, price
    return best


def _everywhere(roam: FreeLabel, frame: Box) -> list[LabelSpot]:
    """Candidates all over the frame, whose price rises with the distance."""
    steps_across = _steps(frame.left, frame.right, roam.width, 0.3)
    steps_down = _steps(frame.top, frame.bottom, roam.height, 0.5)
    return [
        LabelSpot(
            (Box(left, top, left + roam.width, top + roam.height),),
            math.dist((left + roam.width / 2, top + roam.height / 2), roam.near) / roam.height,
            scale=roam.scale,
        )
        for left in steps_across
        for top in steps_down
    ]


def _steps(low: float, high: float, size: float, part: float) -> list[float]:
    """The starts of overlapping intervals of a size between two ends."""
    room = high - low - size
    if room < 0:
        return []
    count = math.ceil(room / (size * part)) or 1
    return [low + room * number / count for number in range(count + 1)]


def _is_free(spot: LabelSpot, frame: Box, standing: Sequence[Box]) -> bool:
    return all(
        frame.contains(box) and not any(box.overlap(other) for other in standing)
        for box in spot.boxes
    )


def _price(
    spot: LabelSpot, obstacles: Sequence[Box], lines: Sequence[AvoidedLine], most: float
) -> float:
    """The price of a place; stops early if it exceeds `most`."""
    price = 0.0
    for box in spot.boxes:
        if price > most:
            break
        for other in obstacles:
            covered = box.overlap(other)
            if covered:
                price += _OBSTACLE_PRICE * (0.2 + covered / (other.width * other.height))
        if price > most:
            break
        price += sum(line.price for line in lines if box.meets_line(line.start, line.end))
    return price
