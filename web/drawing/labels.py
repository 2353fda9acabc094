"""Label placement: every label takes the cheapest free one of its candidate places.

Labels are placed in order of importance. A place outside the frame or on another label is never
taken; ships and lines may be covered at a price. A label without a free place is left out, unless
it is required: such a label may shrink and be placed anywhere in the frame. The result is
deterministic.

Names of ships (`name_requests`) are required and cover no ship at all; `leader_line` connects a
name with her ship where it could be taken for another's. A label that is told where it was before
stays there while that is nearly as good as anything else, so that names do not jump when a ship
moves a little.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from web.drawing.geometry import Box, Point, between

Key = TypeVar("Key", bound=Hashable)
_Priced = tuple["LabelSpot | None", float]

_OBSTACLE_PRICE = 60.0
"""The price of covering a ship completely; the price of a line is given by the caller."""
_KEPT_PRICE = 12.0
"""By how much a label's place may be worse than its best one before it moves there."""
_NAME_SCALES = (0.8, 0.65)
"""How far a name shrinks where there is no room for it."""


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
    roams: "tuple[FreeLabel, ...]" = ()
    """For a required label: how it is placed anywhere if no candidate is free, best first."""
    before: LabelSpot | None = None
    """Where it was before, moved along with what it belongs to."""


@dataclass(frozen=True, slots=True)
class FreeLabel:
    """A label that may be placed anywhere in the frame, as near as possible to its own place."""

    near: Point
    width: float
    height: float
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class NamedModel(Generic[Key]):
    """A ship that has a name on a picture."""

    key: Key
    at: Point
    reach: float
    """From her middle to where her name may begin."""
    boxes: tuple[Box, ...]
    """What no name covers: her model."""
    width: float
    """The size of her name."""
    height: float
    before: LabelSpot | None = None
    """Where her name was before, moved along with her."""


def place(
    wanted: Iterable[LabelRequest[Key]],
    *,
    frame: Box,
    obstacles: Sequence[Box] = (),
    lines: Sequence[AvoidedLine] = (),
    taken: Sequence[Box] = (),
) -> Mapping[Key, LabelSpot]:
    """A place for each label in the given order, without labels that found none."""
    wishes = tuple(wanted)
    placed: dict[Key, LabelSpot] = {}
    # Many labels spare the same boxes.
    spared = {id(label.clear_of): _array(label.clear_of) for label in wishes}

    def never_of(label: LabelRequest[Key]) -> NDArray[np.float64]:
        """What a label never covers: the labels placed so far, and what it spares."""
        others = (spot for key, spot in placed.items() if key != label.key)
        standing = [*taken, *(box for spot in others for box in spot.boxes)]
        return np.concatenate([_array(standing), spared[id(label.clear_of)]])

    def cheapest(
        label: LabelRequest[Key], spots: Iterable[LabelSpot], worst: float = math.inf
    ) -> _Priced:
        others = [line for line in lines if line != label.on_line]
        return _cheapest(spots, worst, obstacles, others)

    prices: dict[Key, float] = {}
    for label in wishes:
        if label.before is not None:
            never = never_of(label)
            kept, price = cheapest(label, _free((label.before,), frame, never), label.worst)
            if kept is not None:
                placed[label.key], prices[label.key] = kept, price
    for label in wishes:
        never = never_of(label)
        found, price = cheapest(label, _free(label.spots, frame, never), label.worst)
        if label.key in prices:
            if price + _KEPT_PRICE < prices[label.key] and found is not None:
                placed[label.key] = found
            continue
        for roam in label.roams:
            if found is None:
                found, _ = cheapest(label, _everywhere(roam, frame, never))
        if found is not None:
            placed[label.key] = found
    return placed


def name_requests(
    models: Sequence[NamedModel[Key]], frame: Box, *, gap: float
) -> tuple[LabelRequest[Key], ...]:
    """The requests of the names of ships: each has one, and none covers a ship."""
    never = tuple(box for model in models for box in model.boxes)
    return tuple(_name_request(model, never, frame, gap) for model in models)


def _name_request(
    model: NamedModel[Key], never: tuple[Box, ...], frame: Box, gap: float
) -> LabelRequest[Key]:
    width, height = model.width, model.height
    spots = around(model.at, model.reach, width, height, gap=gap, frame=frame)
    free = tuple(
        FreeLabel(model.at, width * scale, height * scale, scale) for scale in (1.0, *_NAME_SCALES)
    )
    before = model.before
    return LabelRequest(model.key, spots, clear_of=never, roams=free, before=before)


def leader_line(
    box: Box, at: Point, reach: float, others: Iterable[Point], *, far: float
) -> tuple[Point, Point] | None:
    """The line from a name to her ship, where she is far from it or another is about as near."""
    edge = box.nearest(at)
    distance = math.dist(edge, at)
    if distance <= reach:
        return None
    rivals = (math.dist(box.nearest(other), other) for other in others if other != at)
    if distance > far or any(rival < 1.25 * distance for rival in rivals):
        return edge, between(at, edge, reach / distance)
    return None


def model_boxes(at: Point, heading_deg: float, length: float, breadth: float) -> tuple[Box, ...]:
    """Squares that cover a ship without gaps, whichever way she heads."""
    across = max(breadth, length * 0.28)
    count = max(math.ceil(3 * length / across), 3)
    ahead = math.sin(math.radians(heading_deg)), -math.cos(math.radians(heading_deg))
    reach = max(length - across, 0.0)
    return tuple(
        Box.around(
            (at[0] + ahead[0] * reach * step, at[1] + ahead[1] * reach * step),
            across * 1.42,
            across * 1.42,
        )
        for step in (number / (count - 1) - 0.5 for number in range(count))
    )


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


def _array(boxes: Iterable[Box]) -> NDArray[np.float64]:
    found = [(box.left, box.top, box.right, box.bottom) for box in boxes]
    return np.array(found, dtype=np.float64).reshape(-1, 4)


def _apart(bounds: NDArray[np.float64], never: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of some boxes overlap none of the others."""
    left, top, right, bottom = (each[:, None] for each in bounds.T)
    apart = (right <= never[:, 0]) | (never[:, 2] <= left)
    apart |= (bottom <= never[:, 1]) | (never[:, 3] <= top)
    return np.asarray(apart.all(axis=1), dtype=np.bool_)


def _free(
    wanted: Iterable[LabelSpot], frame: Box, never: NDArray[np.float64]
) -> Iterator[LabelSpot]:
    """The spots inside the frame that are on nothing that is never covered, the best first."""
    spots = sorted(wanted, key=lambda spot: spot.penalty)
    bounds = _array(box for spot in spots for box in spot.boxes)
    free = (bounds[:, 0] >= frame.left) & (bounds[:, 1] >= frame.top)
    free &= (bounds[:, 2] <= frame.right) & (bounds[:, 3] <= frame.bottom)
    free &= _apart(bounds, never)
    first = 0
    for spot in spots:
        after = first + len(spot.boxes)
        if free[first:after].all():
            yield spot
        first = after


def _cheapest(
    spots: Iterable[LabelSpot],
    worst: float,
    obstacles: Sequence[Box],
    lines: Sequence[AvoidedLine],
) -> _Priced:
    """The cheapest place with its price; none at an infinite price."""
    best: LabelSpot | None = None
    best_price = math.inf
    for spot in spots:
        if spot.penalty >= best_price or spot.penalty > worst:
            break
        most = min(best_price, worst)
        price = spot.penalty + _price(spot, obstacles, lines, most - spot.penalty)
        if price < best_price and price <= worst:
            best, best_price = spot, price
    return best, best_price


def _everywhere(roam: FreeLabel, frame: Box, never: NDArray[np.float64]) -> Iterator[LabelSpot]:
    """Free places all over the frame, whose price rises with the distance, the best first."""
    grid = np.meshgrid(
        _steps(frame.left, frame.right, roam.width, 0.25),
        _steps(frame.top, frame.bottom, roam.height, 0.35),
        indexing="ij",
    )
    left, top = (each.ravel() for each in grid)
    bounds = np.column_stack([left, top, left + roam.width, top + roam.height])
    bounds = bounds[_apart(bounds, never)]
    x, y = roam.near
    across = np.maximum(np.maximum(bounds[:, 0] - x, x - bounds[:, 2]), 0.0)
    down = np.maximum(np.maximum(bounds[:, 1] - y, y - bounds[:, 3]), 0.0)
    penalties = np.hypot(across, down) / roam.height
    for number in np.argsort(penalties, kind="stable").tolist():
        box = Box(*bounds[number].tolist())
        yield LabelSpot((box,), float(penalties[number]), scale=roam.scale)


def _steps(low: float, high: float, size: float, part: float) -> list[float]:
    """The starts of overlapping intervals of a size between two ends."""
    # A little less, so that rounding errors do not reach beyond the end.
    room = high - low - size - 1e-6
    if room < 0:
        return []
    count = math.ceil(room / (size * part)) or 1
    return [low + room * number / count for number in range(count + 1)]


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
