"""Lines of sight: what stands or drifts across them, and where, in yards from the firer.

Bases and smoke fronts are both rectangles here (a front has no width), so one clip of segments
against rectangles serves both. The lines of all pairs are first sieved against the circles about
all obstacles, in one matrix product; only the few that come near are clipped exactly. Shapely
does the same pair by pair in the tests, as the twin that this arithmetic must agree with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop.angles import FloatArray
from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.errors import UnknownName
from tabletop.measure import BoolArray, Layout, Measurements
from tabletop.table import SmokeFront, Table

IndexArray = NDArray[np.intp]


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
        """Each ship's place in the order of sizes; all alike where size does not matter."""
        if not self.sizes:
            return np.zeros(len(table.models), dtype=np.intp)
        for model in table.models:
            if model.size is not None and model.size not in self.sizes:
                raise UnknownName(f"ship {model.name!r}", "size", model.size, self.sizes)
        return np.array(
            [self.sizes.index(model.size or self.default_size) for model in table.models],
            dtype=np.intp,
        )


@dataclass(frozen=True, slots=True)
class Crossings:
    """Each time a line comes near an obstacle, as columns; every line is listed both ways.

    The clearance is how far the line passes from the obstacle, or, negative, by how much it
    would have to shift to come clear; σ is the uncertainty of that.
    """

    firer: IndexArray
    target: IndexArray
    obstacle: IndexArray
    at_yards: FloatArray
    """Where the line first meets the obstacle, from the firer."""
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
        doubt = CLOSE_CALL_SIGMAS * self.clearance_sigma_yards + TOLERANCE_YARDS
        return np.abs(self.clearance_yards) <= doubt

    def pick(self, which: BoolArray) -> "Crossings":
        """The crossings for which this is true."""
        return Crossings(
            self.firer[which],
            self.target[which],
            self.obstacle[which],
            self.at_yards[which],
            self.at_sigma_yards[which],
            self.clearance_yards[which],
            self.clearance_sigma_yards[which],
        )


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Rectangles that may stand in a line, as columns."""

    centre: FloatArray
    ahead: FloatArray
    right: FloatArray
    half_length: FloatArray
    half_width: FloatArray
    position_sigma: FloatArray
    heading_sigma: FloatArray

    @classmethod
    def of_bases(cls, layout: Layout) -> "Obstacles":
        """The bases of all ships."""
        return cls(
            layout.centre,
            layout.ahead,
            layout.right,
            layout.half_length,
            layout.half_width,
            layout.position_sigma,
            layout.heading_sigma,
        )

    @classmethod
    def of_smoke(cls, fronts: Sequence[SmokeFront]) -> "Obstacles":
        """Smoke fronts: rectangles without width."""
        ends = np.array(
            [(f.x1_yards, f.y1_yards, f.x2_yards, f.y2_yards) for f in fronts], dtype=np.float64
        ).reshape(-1, 2, 2)
        run = ends[:, 1] - ends[:, 0]
        length = np.hypot(run[:, 0], run[:, 1])
        # A front of no length is a point; any direction will do for it.
        ahead = np.where(length[:, None] > 0.0, run, (0.0, 1.0))
        ahead = ahead / np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
        nothing = np.zeros(len(ends))
        return cls(
            centre=ends.mean(axis=1),
            ahead=ahead,
            right=np.stack((ahead[:, 1], -ahead[:, 0]), axis=1),
            half_length=length / 2,
            half_width=nothing,
            position_sigma=nothing,
            heading_sigma=nothing,
        )


_NOBODY: Final = np.empty(0, dtype=np.intp)
_NOWHERE: Final = np.empty(0)
_NO_CROSSINGS: Final = Crossings(_NOBODY, _NOBODY, _NOBODY, _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE)


def base_crossings(layout: Layout, measurements: Measurements) -> Crossings:
    """Where lines of sight meet, or nearly meet, the base of a third ship."""
    return _crossings(layout, measurements, Obstacles.of_bases(layout), skip_own=True)


def smoke_crossings(
    layout: Layout, measurements: Measurements, fronts: Sequence[SmokeFront]
) -> Crossings:
    """Where lines of sight meet, or nearly meet, a smoke front."""
    if not fronts:
        return _NO_CROSSINGS
    return _crossings(layout, measurements, Obstacles.of_smoke(fronts), skip_own=False)


def _crossings(
    layout: Layout, measurements: Measurements, obstacles: Obstacles, *, skip_own: bool
) -> Crossings:
    first, second = np.triu_indices(len(layout.point), k=1)
    start = layout.point[first]
    length = measurements.range_yards[first, second]
    # A line of no length has no direction; any will do to ask what covers its one point.
    direction = np.where(length[:, None] > 0.0, layout.point[second] - start, (0.0, 1.0))
    direction = direction / np.where(length > 0.0, length, 1.0)[:, None]
    across = np.stack((direction[:, 1], -direction[:, 0]), axis=1)
    # How far each end of a line wanders sideways, its bridge swinging with its heading.
    swing = layout.swing[:, None] * layout.right * layout.heading_sigma[:, None]
    wander = layout.position_sigma**2
    first_wander = wander[first] + np.sum(across * swing[first], axis=1) ** 2
    second_wander = wander[second] + np.sum(across * swing[second], axis=1) ** 2

    # The sieve: only obstacles whose circle, widened by the worst doubt, reaches the line.
    half_diagonal = np.hypot(obstacles.half_length, obstacles.half_width)
    obstacle_wander = np.hypot(obstacles.position_sigma, half_diagonal * obstacles.heading_sigma)
    line_wander = np.sqrt(np.max(first_wander + second_wander, initial=0.0))
    doubt = CLOSE_CALL_SIGMAS * np.hypot(line_wander, obstacle_wander)
    reach = half_diagonal + doubt + TOLERANCE_YARDS
    sideways = across @ obstacles.centre.T
    sideways -= np.sum(across * start, axis=1)[:, None]
    line, obstacle = np.nonzero(np.abs(sideways) <= reach)
    onwards = np.sum(direction[line] * (obstacles.centre[obstacle] - start[line]), axis=1)
    near = (onwards >= -reach[obstacle]) & (onwards <= length[line] + reach[obstacle])
    if skip_own:
        near &= (obstacle != first[line]) & (obstacle != second[line])
    line, obstacle, onwards = line[near], obstacle[near], onwards[near]

    clip = _clip(
        start=start[line] - obstacles.centre[obstacle],
        direction=direction[line],
        length=length[line],
        ahead=obstacles.ahead[obstacle],
        right=obstacles.right[obstacle],
        half_length=obstacles.half_length[obstacle],
        half_width=obstacles.half_width[obstacle],
    )
    share = np.clip(clip.edge_along / np.where(length[line] > 0.0, length[line], 1.0), 0.0, 1.0)
    turning = (clip.edge_along - onwards) * obstacles.heading_sigma[obstacle]
    clearance_sigma = np.sqrt(
        (1.0 - share) ** 2 * first_wander[line]
        + share**2 * second_wander[line]
        + obstacles.position_sigma[obstacle] ** 2
        + turning**2
    )

    def both_ways(forth: FloatArray, back: FloatArray) -> FloatArray:
        return np.concatenate((forth, back))

    ends = first[line], second[line]
    crossings = Crossings(
        firer=np.concatenate(ends),
        target=np.concatenate(ends[::-1]),
        obstacle=np.concatenate((obstacle, obstacle)),
        at_yards=both_ways(clip.enters, length[line] - clip.leaves),
        at_sigma_yards=both_ways(
            np.hypot(layout.position_sigma[ends[0]], obstacles.position_sigma[obstacle]),
            np.hypot(layout.position_sigma[ends[1]], obstacles.position_sigma[obstacle]),
        ),
        clearance_yards=both_ways(clip.clearance, clip.clearance),
        clearance_sigma_yards=both_ways(clearance_sigma, clearance_sigma),
    )
    order = np.lexsort((crossings.obstacle, crossings.at_yards, crossings.target, crossings.firer))
    return crossings.pick(order)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Clip:
    enters: FloatArray
    leaves: FloatArray
    clearance: FloatArray
    edge_along: FloatArray
    """How far along the line the edge stands that decides the clearance."""


def _clip(
    *,
    start: FloatArray,
    direction: FloatArray,
    length: FloatArray,
    ahead: FloatArray,
    right: FloatArray,
    half_length: FloatArray,
    half_width: FloatArray,
) -> _Clip:
    """Clip segments against rectangles, row by row; starts are relative to the centres."""
    enters, leaves = np.full(len(length), -np.inf), np.full(len(length), np.inf)
    for axis, half in ((right, half_width), (ahead, half_length)):
        offset = np.sum(start * axis, axis=1)
        slope = np.sum(direction * axis, axis=1)
        # A line along the slab never enters or leaves it: it is inside all the way, or never.
        parallel = np.abs(slope) < 1e-15
        inside = np.abs(offset) <= half
        steep = np.where(parallel, 1.0, slope)
        one, other = (-half - offset) / steep, (half - offset) / steep
        low = np.where(parallel, np.where(inside, -np.inf, np.inf), np.minimum(one, other))
        high = np.where(parallel, np.where(inside, np.inf, -np.inf), np.maximum(one, other))
        enters, leaves = np.maximum(enters, low), np.minimum(leaves, high)
    crossed = (enters <= leaves) & (leaves >= 0.0) & (enters <= length)

    # The corners in the line's own coordinates: along it, and to its right.
    signs = np.array(((1, 1), (-1, 1), (-1, -1), (1, -1)), dtype=np.float64)
    corners = (
        signs[:, 0, None, None] * (half_length[:, None] * ahead)
        + signs[:, 1, None, None] * (half_width[:, None] * right)
        - start
    )
    across = np.stack((direction[:, 1], -direction[:, 0]), axis=1)
    along = np.sum(corners * direction, axis=2)
    sideways = np.sum(corners * across, axis=2)

    # Clear of it: the nearest of the corners to the line, or of the line's ends to the rectangle.
    beside = np.hypot(sideways, along - np.clip(along, 0.0, length))
    nearest = np.argmin(beside, axis=0)
    rows = np.arange(len(length))
    corner_gap, corner_along = beside[nearest, rows], along[nearest, rows]
    end_gaps = []
    for point in (start, start + direction * length[:, None]):
        outside = (
            np.maximum(np.abs(np.sum(point * axis, axis=1)) - half, 0.0)
            for axis, half in ((right, half_width), (ahead, half_length))
        )
        end_gaps.append(np.hypot(*outside))
    end_gap = np.minimum(*end_gaps)
    end_along = np.where(end_gaps[0] <= end_gaps[1], 0.0, length)
    gap = np.minimum(corner_gap, end_gap)
    gap_along = np.where(corner_gap <= end_gap, corner_along, end_along)

    # Across it: the least shift that clears it, to the right, to the left, or off either end.
    rightmost, leftmost = np.argmax(sideways, axis=0), np.argmin(sideways, axis=0)
    shifts = np.stack(
        (sideways[rightmost, rows], -sideways[leftmost, rows], leaves, length - enters)
    )
    edges = np.stack((along[rightmost, rows], along[leftmost, rows], np.zeros(len(length)), length))
    least = np.argmin(shifts, axis=0)
    depth, depth_along = shifts[least, rows], edges[least, rows]

    # A line that only touches never enters: it meets the rectangle at the touched point.
    touch = np.clip(gap_along, 0.0, length)
    return _Clip(
        enters=np.where(crossed, np.maximum(enters, 0.0), touch),
        leaves=np.where(crossed, np.minimum(leaves, length), touch),
        clearance=np.where(crossed, -np.maximum(depth, 0.0), gap),
        edge_along=np.where(crossed, depth_along, gap_along),
    )
