"""Lines of sight, and where ships' bases and smoke fronts cross them, in yards from the firer.

Shapely does the geometry for the whole table at once: an STRtree of the obstacles' boxes finds
which lines come near which base or smoke front, `distance` gives the gap, and `shortest_line` the
point where a line meets an edge. NumPy adds the uncertainty. Bases that cover both ends of a
line are kept separately as a matrix (`covers`), so that n stacked ships cost n² and not n³.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.angles import FloatArray
from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.errors import UnknownName
from tabletop.measure import BoolArray, Layout, Measurements
from tabletop.messages import Message, ShipRef
from tabletop.shapes import ShapeArray, points, segments
from tabletop.table import SmokeFront, Table

IndexArray = NDArray[np.intp]
_ENDS: Final = 2
"""The corners of an obstacle that is a line."""


@dataclass(frozen=True, slots=True)
class SightRule:
    """What blocks a line of sight.

    A target up to `whole_line_range_yards` away is hidden by anything on the line; a farther one
    only by what the line meets within `near_reach_yards` of the firer. Where `sizes` are given,
    smallest first, a ship blocks only when it is at least as large as the smaller of the firer
    and the target, and ships without a size have the `default_size`.
    """

    whole_line_range_yards: float = np.inf
    near_reach_yards: float = np.inf
    sizes: tuple[str, ...] = ()
    default_size: str = ""

    def ranks(self, table: Table) -> IndexArray:
        """Each ship's index in `sizes`, or 0 for all if there are none.

        Raises UnknownName for a size that is not in `sizes`.
        """
        if not self.sizes:
            return np.zeros(len(table.models), dtype=np.intp)
        for model in table.models:
            if model.size is not None and model.size not in self.sizes:
                raise UnknownName(
                    Message("errors.where.ship", ship=ShipRef(model.name)),
                    "size",
                    model.size,
                    self.sizes,
                )
        return np.array(
            [self.sizes.index(model.size or self.default_size) for model in table.models],
            dtype=np.intp,
        )


@dataclass(frozen=True, slots=True)
class Crossings:
    """Lines that come near an obstacle, as columns; every line is listed in both directions.

    The clearance is the distance between line and obstacle. A negative clearance is the shift
    by which the line would miss the obstacle.
    """

    firer: IndexArray
    target: IndexArray
    obstacle: IndexArray
    at_yards: FloatArray
    """The distance from the firer at which the line first meets the obstacle."""
    at_sigma_yards: FloatArray
    clearance_yards: FloatArray
    clearance_sigma_yards: FloatArray

    @property
    def met(self) -> BoolArray:
        """Which lines cross or touch the obstacle."""
        return self.clearance_yards <= TOLERANCE_YARDS

    @property
    def too_close_to_call(self) -> BoolArray:
        """Which lines pass an edge within 2 σ."""
        margin = CLOSE_CALL_SIGMAS * self.clearance_sigma_yards + TOLERANCE_YARDS
        return np.abs(self.clearance_yards) <= margin

    def pick(self, which: BoolArray | IndexArray) -> "Crossings":
        """The crossings selected by a mask or by indices."""
        return Crossings(
            self.firer[which],
            self.target[which],
            self.obstacle[which],
            self.at_yards[which],
            self.at_sigma_yards[which],
            self.clearance_yards[which],
            self.clearance_sigma_yards[which],
        )

    def between(self, firer: int, target: int) -> "Crossings":
        """The crossings of the line from one ship to another."""
        return self.pick((self.firer == firer) & (self.target == target))


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Bases or smoke fronts, as columns."""

    shape: ShapeArray
    corner: FloatArray
    """The corners of each in order: four of a base, two of a front."""
    centre: FloatArray
    half_diagonal: FloatArray
    position_sigma: FloatArray
    heading_sigma: FloatArray

    @classmethod
    def of_bases(cls, layout: Layout) -> "Obstacles":
        """The bases of all ships."""
        return cls(
            shape=layout.bases,
            corner=layout.corners,
            centre=layout.centre,
            half_diagonal=layout.half_diagonal,
            position_sigma=layout.position_sigma,
            heading_sigma=layout.heading_sigma,
        )

    @classmethod
    def of_smoke(cls, fronts: Sequence[SmokeFront]) -> "Obstacles":
        """Smoke fronts, which have no uncertainty."""
        ends = np.array([front.ends for front in fronts], dtype=np.float64).reshape(-1, 2, 2)
        run = ends[:, 1] - ends[:, 0]
        zero = np.zeros(len(ends))
        return cls(
            shape=segments(ends),
            corner=ends[:, ::-1],
            centre=ends.mean(axis=1),
            half_diagonal=np.hypot(run[:, 0], run[:, 1]) / 2,
            position_sigma=zero,
            heading_sigma=zero,
        )

    @property
    def edge_count(self) -> int:
        """How many edges each has; edge n runs from corner n to corner n + 1."""
        corners = self.corner.shape[1]
        return corners if corners > _ENDS else 1

    def edges(self, which: IndexArray, edge: IndexArray) -> ShapeArray:
        """The edge of this number of each of these obstacles."""
        following = (edge + 1) % self.corner.shape[1]
        ends = (self.corner[which, edge], self.corner[which, following])
        return segments(np.stack(ends, axis=1))

    @property
    def corner_sigma(self) -> FloatArray:
        """The position σ of the corners, from the position and heading σ of the base."""
        return np.hypot(self.position_sigma, self.half_diagonal * self.heading_sigma)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines between the measuring points of all pairs, each pair once, as columns."""

    first: IndexArray
    second: IndexArray
    start: FloatArray
    direction: FloatArray
    length: FloatArray
    first_variance: FloatArray
    """The variance of the first end's position across the line, in square yards."""
    second_variance: FloatArray
    shape: ShapeArray

    @classmethod
    def of(cls, layout: Layout, measurements: Measurements) -> "Lines":
        """The lines between all pairs of a table."""
        first, second = np.triu_indices(len(layout.point), k=1)
        start = layout.point[first]
        length = measurements.range_yards[first, second]
        # A line of length 0 gets an arbitrary direction: only what covers its point matters.
        direction = np.where(length[:, None] > 0.0, layout.point[second] - start, (0.0, 1.0))
        direction = direction / np.where(length > 0.0, length, 1.0)[:, None]
        across = _right_of(direction)
        # An end moves with its ship's position, and a bridge also with the heading.
        swing = layout.swing[:, None] * layout.right * layout.heading_sigma[:, None]
        variance = layout.position_sigma**2
        return cls(
            first=first,
            second=second,
            start=start,
            direction=direction,
            length=length,
            first_variance=variance[first] + np.sum(across * swing[first], axis=1) ** 2,
            second_variance=variance[second] + np.sum(across * swing[second], axis=1) ** 2,
            shape=segments(np.stack((start, layout.point[second]), axis=1)),
        )

    @property
    def max_sigma(self) -> float:
        """The largest σ of any line's position across itself."""
        return float(np.sqrt(np.max(self.first_variance + self.second_variance, initial=0.0)))

    def pick(self, which: BoolArray | IndexArray) -> "Lines":
        """The lines selected by a mask or by indices, which may repeat."""
        return Lines(
            self.first[which],
            self.second[which],
            self.start[which],
            self.direction[which],
            self.length[which],
            self.first_variance[which],
            self.second_variance[which],
            self.shape[which],
        )


_MOST_CANDIDATES: Final = 60_000
"""The most pairs of a line and an obstacle that are processed at once, to bound memory."""

_FEW_CANDIDATES: Final = 1_000
"""So few pairs are all processed: looking for those that are near would take longer."""
_SHARES: Final = 8
"""A portion of much smoke, or of a crowd, is that part of the most that is kept."""
_MOST_KEPT: Final = 600_000
"""The most pairs of a line and a nearby base in one portion of a table, to bound memory."""

_NO_INDICES: Final = np.empty(0, dtype=np.intp)
_NO_YARDS: Final = np.empty(0)
_NO_CROSSINGS: Final = Crossings(
    _NO_INDICES, _NO_INDICES, _NO_INDICES, _NO_YARDS, _NO_YARDS, _NO_YARDS, _NO_YARDS
)

_Candidates = tuple[IndexArray, IndexArray]
"""Indices of lines, and of an obstacle near each."""


@dataclass(frozen=True, slots=True)
class LinesOfSight:
    """The lines and bases of a table, searched in portions of firers to bound memory.

    Most tables are one portion. With hundreds of ships close together, a portion is the lines
    of a few firers, and only its crossings are in memory.
    """

    layout: Layout
    lines: Lines
    bases: Obstacles
    covers: BoolArray
    """Whether, in row i and column k, the base of ship k covers the measuring point of ship i.

    A base counts if it covers the point by more than 2 σ. A ship's own base never counts.
    """
    portions: tuple[range, ...]
    """The indices of the firers of each portion."""

    @classmethod
    def of(cls, layout: Layout, measurements: Measurements) -> "LinesOfSight":
        """The lines of sight of a table."""
        lines, bases = Lines.of(layout, measurements), Obstacles.of_bases(layout)
        covers = _covers(layout, lines, bases)
        return cls(layout, lines, bases, covers, tuple(_portions(lines, bases, covers)))

    def crossings(self, firers: range) -> Crossings:
        """Where the lines from these firers meet, or nearly meet, the base of a third ship.

        A base that covers both ends of a line is left out.
        """
        return _crossings_of(firers, self.layout, self.lines, self.bases, self.covers)


@dataclass(frozen=True, slots=True)
class SmokeOnLines:
    """The lines and smoke fronts of a table, searched in portions of firers to bound memory."""

    layout: Layout
    lines: Lines
    fronts: Sequence[SmokeFront]
    portions: tuple[range, ...]
    """The indices of the firers of each portion, with at most about `_MOST_KEPT` crossings each."""

    @classmethod
    def of(cls, layout: Layout, lines: Lines, fronts: Sequence[SmokeFront]) -> "SmokeOnLines":
        """The smoke on the lines of sight of a table."""
        count = len(layout.point)
        each = max(1, count * len(fronts))
        # Much smoke among many ships: most ask for what one ship sees, and wait for a portion.
        step = count if count * each <= _MOST_KEPT else max(1, _MOST_KEPT // _SHARES // each)
        portions = (range(first, min(first + step, count)) for first in range(0, count, step))
        return cls(layout, lines, fronts, tuple(portions))

    def crossings(self, firers: range) -> Crossings:
        """Where the lines from these firers meet, or nearly meet, a smoke front."""
        if not self.fronts:
            return _NO_CROSSINGS
        smoke = Obstacles.of_smoke(self.fronts)
        return _crossings_of(firers, self.layout, self.lines, smoke, None)


def _crossings_of(
    firers: range, layout: Layout, lines: Lines, obstacles: Obstacles, covers: BoolArray | None
) -> Crossings:
    if len(firers) == len(layout.point):
        return _all_crossings(layout, lines, obstacles, covers)
    inside = np.zeros(len(layout.point), dtype=np.bool_)
    inside[firers] = True
    lines = lines.pick(np.flatnonzero(inside[lines.first] | inside[lines.second]))
    found = _all_crossings(layout, lines, obstacles, covers)
    return found.pick(inside[found.firer])


def _portions(lines: Lines, bases: Obstacles, covers: BoolArray) -> Iterator[range]:
    """The firers of each portion, with at most about `_MOST_KEPT` nearby bases each."""
    count = len(bases.shape)
    if len(lines.shape) * count <= _MOST_KEPT:
        yield range(count)
        return
    nearby = np.zeros(count, dtype=np.intp)
    for line, obstacle in _in_boxes(lines, bases):
        third = line[_is_third_ship(lines, covers, line, obstacle)]
        # A line is searched once and counts for the ships at both its ends.
        for ends in (lines.first, lines.second):
            nearby += np.bincount(ends[third], minlength=count)
    nearby = np.cumsum(nearby + 1)
    # In a crowd most ask for what one ship sees, and wait for a portion.
    most = 2 * (_MOST_KEPT if nearby[-1] <= 2 * _MOST_KEPT else _MOST_KEPT // _SHARES)
    portion = nearby // most
    begins = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), count]
    yield from map(range, begins, begins[1:])


def _covers(layout: Layout, lines: Lines, bases: Obstacles) -> BoolArray:
    count = len(layout.point)
    covers = np.zeros((count, count), dtype=np.bool_)
    if np.min(lines.length, initial=np.inf) > np.max(layout.half_diagonal + np.abs(layout.swing)):
        # Nobody is near enough to another to lie under her base.
        return covers
    ships = points(layout.point)
    ship, base = shapely.STRtree(bases.shape).query(ships, predicate="intersects")
    ship, base = ship[ship != base], base[ship != base]
    depth = shapely.distance(ships[ship], shapely.boundary(bases.shape)[base])
    covers[ship, base] = depth > _close_call_margin(lines, bases)[base]
    return covers


def _close_call_margin(lines: Lines, obstacles: Obstacles) -> FloatArray:
    """For each obstacle the clearance beyond which no line is a close call."""
    margin: FloatArray = CLOSE_CALL_SIGMAS * np.hypot(lines.max_sigma, obstacles.corner_sigma)
    return margin + TOLERANCE_YARDS


def _in_boxes(lines: Lines, obstacles: Obstacles) -> Iterator[_Candidates]:
    """The lines that may cross the bounding box of an obstacle, in batches of bounded size."""
    if len(lines.shape) * len(obstacles.shape) <= _FEW_CANDIDATES:
        line, obstacle = np.indices((len(lines.shape), len(obstacles.shape)))
        yield line.ravel(), obstacle.ravel()
        return
    margin = _close_call_margin(lines, obstacles)[:, None]
    low, high = obstacles.corner.min(axis=1) - margin, obstacles.corner.max(axis=1) + margin
    tree = shapely.STRtree(shapely.box(*low.T, *high.T))
    portion = max(1, _MOST_CANDIDATES // len(obstacles.shape))
    for begin in range(0, len(lines.shape), portion):
        line, obstacle = tree.query(lines.shape[begin : begin + portion])
        yield line + begin, obstacle


def _is_third_ship(
    lines: Lines, covers: BoolArray, line: IndexArray, obstacle: IndexArray
) -> BoolArray:
    """Which obstacles are neither end of their line and do not cover both ends."""
    first, second = lines.first[line], lines.second[line]
    neither: BoolArray = (obstacle != first) & (obstacle != second)
    return neither & ~(covers[first, obstacle] & covers[second, obstacle])


def _all_crossings(
    layout: Layout, lines: Lines, obstacles: Obstacles, covers: BoolArray | None
) -> Crossings:
    """Where lines meet or nearly meet obstacles.

    Obstacles that are bases need `covers`, to leave out those of the line's own ships.
    """
    margin, across = _close_call_margin(lines, obstacles), _right_of(lines.direction)
    reach, parts = obstacles.half_diagonal + margin, [_NO_CROSSINGS]
    for line, obstacle in _in_boxes(lines, obstacles):
        if covers is not None:
            third = _is_third_ship(lines, covers, line, obstacle)
            line, obstacle = line[third], obstacle[third]
        if not line.size:
            continue
        # The circle about an obstacle is a tighter bound than its box.
        offset = obstacles.centre[obstacle] - lines.start[line]
        near = np.abs(np.sum(across[line] * offset, axis=1)) <= reach[obstacle]
        line, obstacle = line[near], obstacle[near]
        if not line.size:
            continue
        some = lines.pick(line)
        # Ships hardly apart have a line whose squared length is 0, by which GEOS divides.
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = shapely.distance(some.shape, obstacles.shape[obstacle])
        near = gap <= margin[obstacle]
        some, obstacle, gap = some.pick(near), obstacle[near], gap[near]
        parts.append(_crossings(layout, some, obstacles, obstacle, gap))
    if len(parts) == 1:
        return _NO_CROSSINGS
    columns = ([getattr(part, field.name) for part in parts] for field in fields(Crossings))
    found = Crossings(*map(np.concatenate, columns))
    return found.pick(np.lexsort((found.obstacle, found.at_yards, found.target, found.firer)))


def _crossings(
    layout: Layout, lines: Lines, obstacles: Obstacles, obstacle: IndexArray, gap: FloatArray
) -> Crossings:
    """How each line passes the obstacle of its row, in both directions."""
    meeting = _meet(lines, obstacles, obstacle, gap)
    share = np.clip(meeting.edge_along / np.where(lines.length > 0.0, lines.length, 1.0), 0.0, 1.0)
    onwards = np.sum(lines.direction * (obstacles.centre[obstacle] - lines.start), axis=1)
    turning = (meeting.edge_along - onwards) * obstacles.heading_sigma[obstacle]
    position_sigma = obstacles.position_sigma[obstacle]
    clearance_sigma = np.sqrt(
        (1.0 - share) ** 2 * lines.first_variance
        + share**2 * lines.second_variance
        + position_sigma**2
        + turning**2
    )
    return Crossings(
        firer=np.concatenate((lines.first, lines.second)),
        target=np.concatenate((lines.second, lines.first)),
        obstacle=np.concatenate((obstacle, obstacle)),
        at_yards=np.concatenate((meeting.enters, lines.length - meeting.leaves)),
        at_sigma_yards=np.concatenate(
            (
                np.hypot(layout.position_sigma[lines.first], position_sigma),
                np.hypot(layout.position_sigma[lines.second], position_sigma),
            )
        ),
        clearance_yards=np.concatenate((meeting.clearance, meeting.clearance)),
        clearance_sigma_yards=np.concatenate((clearance_sigma, clearance_sigma)),
    )


@dataclass(frozen=True, slots=True)
class _Meeting:
    enters: FloatArray
    leaves: FloatArray
    clearance: FloatArray
    edge_along: FloatArray
    """The distance along the line of the edge or end that decides the clearance."""


def _meet(lines: Lines, obstacles: Obstacles, obstacle: IndexArray, gap: FloatArray) -> _Meeting:
    """Where each line meets the obstacle of its row, and its clearance."""
    length, rows = lines.length, np.arange(len(gap))
    # The corners in the line's own coordinates: along it, and to its right.
    corners = obstacles.corner[obstacle] - lines.start[:, None, :]
    along = np.einsum("rcx,rx->rc", corners, lines.direction)
    sideways = np.einsum("rcx,rx->rc", corners, _right_of(lines.direction))

    # A line that misses: the nearest corner decides, or an end of the line if that is nearer.
    beside = np.hypot(sideways, along - np.clip(along, 0.0, length[:, None]))
    nearest = first_least(beside, axis=1)
    gap_along = along[rows, nearest]
    by_end = np.flatnonzero((gap > 0.0) & (beside[rows, nearest] > gap + TOLERANCE_YARDS))
    first_end = points(lines.start[by_end])
    first_gap = shapely.distance(first_end, obstacles.shape[obstacle[by_end]])
    at_first = first_gap <= gap[by_end] + TOLERANCE_YARDS
    gap_along[by_end] = np.where(at_first, 0.0, length[by_end])

    # A line that crosses: the least shift that clears it, to the right, left, or off either end.
    enters, leaves = _chord(lines, obstacles, obstacle, along, sideways)
    rightmost, leftmost = first_least(-sideways, axis=1), first_least(sideways, axis=1)
    shifts = np.stack(
        (sideways[rows, rightmost], -sideways[rows, leftmost], leaves, length - enters)
    )
    edges = np.stack((along[rows, rightmost], along[rows, leftmost], np.zeros(len(gap)), length))
    least = first_least(shifts, axis=0)

    crosses = gap <= 0.0
    touch = np.clip(gap_along, 0.0, length)
    met = (gap <= TOLERANCE_YARDS) & (enters <= leaves)
    return _Meeting(
        enters=np.where(met, np.clip(enters, 0.0, length), touch),
        leaves=np.where(met, np.clip(leaves, 0.0, length), touch),
        clearance=np.where(crosses, -np.maximum(shifts[least, rows], 0.0), gap),
        edge_along=np.where(crosses, edges[least, rows], gap_along),
    )


def _chord(
    lines: Lines,
    obstacles: Obstacles,
    obstacle: IndexArray,
    along: FloatArray,
    sideways: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Where each line, extended both ways, enters and leaves its obstacle; (∞, −∞) if nowhere."""
    # Corners on the line are points of the chord. An edge from a corner on the left to one on
    # the right is crossed at a point that shapely finds.
    on_line = np.abs(sideways) <= TOLERANCE_YARDS
    enters = np.min(along, axis=1, where=on_line, initial=np.inf)
    leaves = np.max(along, axis=1, where=on_line, initial=-np.inf)
    side = np.where(on_line, 0.0, np.sign(sideways))
    edges = obstacles.edge_count
    row, edge = np.nonzero(side[:, :edges] * np.roll(side, -1, axis=1)[:, :edges] < 0.0)
    begin, end = along.min(axis=1)[row] - 1.0, along.max(axis=1)[row] + 1.0
    start, direction = lines.start[row], lines.direction[row]
    extended = segments(
        np.stack((start + begin[:, None] * direction, start + end[:, None] * direction), axis=1)
    )
    shortest = shapely.shortest_line(extended, obstacles.edges(obstacle[row], edge))
    point = shapely.get_coordinates(shortest)[::2]
    at = np.sum(direction * (point - start), axis=1)
    np.minimum.at(enters, row, at)
    np.maximum.at(leaves, row, at)
    return enters, leaves


def first_least(values: FloatArray, axis: int) -> IndexArray:
    """The index of the first value within rounding error of the least."""
    least = values.min(axis=axis, keepdims=True)
    return np.asarray(np.argmax(values <= least + TOLERANCE_YARDS, axis=axis), dtype=np.intp)


def _right_of(direction: FloatArray) -> FloatArray:
    return np.stack((direction[:, 1], -direction[:, 0]), axis=1)


def is_smoke_between(
    fronts: Iterable[SmokeFront], start: tuple[float, float], end: tuple[float, float]
) -> bool:
    """Whether a smoke front crosses the line between two places."""
    line = shapely.linestrings([start, end])
    return any(bool(shapely.intersects(line, shapely.linestrings(front.ends))) for front in fronts)


def distance_to_front(front: SmokeFront, place: tuple[float, float]) -> float:
    """How far a place is from the nearest part of a smoke front."""
    return float(shapely.distance(shapely.points(place), shapely.linestrings(front.ends)))
