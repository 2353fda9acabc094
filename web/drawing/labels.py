"""A small label placer: every label takes the cheapest of its places that is free.

Labels are placed one after the other, the most important first. A place outside the frame or on
a label that already stands is never taken; ships and lines may be covered, at a price. A label
without any free place is left out rather than printed over another, unless it must be seen: that
one may shrink, and roam over the whole frame. The same labels always land in the same places.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from web.drawing.geometry import Box, Point

Key = TypeVar("Key", bound=Hashable)

_OBSTACLE_PRICE = 60.0
"""What it costs to cover a ship altogether; a line crossed costs what the caller says."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line that labels had better not cover, and what covering it costs."""

    start: Point
    end: Point
    price: float = 10.0


@dataclass(frozen=True, slots=True)
class LabelSpot:
    """One place a label may take: the boxes it would cover, and how much it is disliked."""

    boxes: tuple[Box, ...]
    penalty: float = 0.0
    turn_deg: float = 0.0
    """For a label that follows a ring: where on it, clockwise from the top."""
    scale: float = 1.0
    """How large the label is here; smaller than 1 where it shrinks to find room."""

    @property
    def centre(self) -> Point:
        """The middle of the middle box."""
        return self.boxes[len(self.boxes) // 2].centre


@dataclass(frozen=True, slots=True)
class LabelRequest(Generic[Key]):
    """A label that wants a place, with its candidates."""

    key: Key
    spots: tuple[LabelSpot, ...]
    on_line: Line | None = None
    """The line that the label belongs on, and may cover freely."""
    worst: float = math.inf
    """The price above which the label is rather left out."""
    clear_of: tuple[Box, ...] = ()
    """What the label never covers, at no price."""
    roams: "FreeLabel | None" = None
    """For a label that must be seen: it may stand anywhere rather than be left out."""


@dataclass(frozen=True, slots=True)
class FreeLabel:
    """A label that looks for room over the whole frame, as near to its own place as can be."""

    near: Point
    width: float
    height: float
    scale: float = 1.0


def place(
    wanted: Iterable[LabelRequest[Key]],
    *,
    frame: Box,
    obstacles: Sequence[Box] = (),
    lines: Sequence[Line] = (),
    taken: Sequence[Box] = (),
) -> Mapping[Key, LabelSpot]:
    """A place for each label, in the order given; those that find none are missing."""
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
    """The places of a label made smaller, which is liked less than the full size."""
    return tuple(replace(spot, scale=scale, penalty=spot.penalty + penalty) for spot in spots)


def around(
    centre: Point, reach: float, width: float, height: float, *, gap: float, frame: Box
) -> tuple[LabelSpot, ...]:
    """Places for a label beside a round thing: close by on all sides first, then farther out."""
    x, y = centre
    spots = []
    for step in range(5):
        distance = reach + gap * (0.35 + step * 1.6)
        beside, above = distance + width / 2, distance + height / 2
        aside = distance * 0.7
        # Level with the thing, then above and below it: centred, or pushed to either side.
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
    lines: Sequence[Line],
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
    """Places all over the frame, the dearer the farther away."""
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
    """Starts of a stretch of this size between two ends, a part of its size from one another."""
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


def _price(spot: LabelSpot, obstacles: Sequence[Box], lines: Sequence[Line], most: float) -> float:
    """What the spot covers; anything above `most` will do where it is too dear already."""
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
