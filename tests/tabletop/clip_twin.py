"""Lines clipped against rectangles by hand: the twin of the geometry that shapely does.

Bases and smoke fronts are both rectangles here (a front has no width). Every line is compared
with every obstacle, so that this is for small tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.angles import FloatArray
from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.measure import Layout, Measurements
from tabletop.sight import Crossings, first_least
from tabletop.table import SmokeFront


@dataclass(frozen=True, slots=True)
class Rectangles:
    """Rectangles that may stand in a line, as columns."""

    centre: FloatArray
    ahead: FloatArray
    right: FloatArray
    half_length: FloatArray
    half_width: FloatArray
    position_sigma: FloatArray
    heading_sigma: FloatArray

    @classmethod
    def of_bases(cls, layout: Layout) -> "Rectangles":
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
    def of_smoke(cls, fronts: Sequence[SmokeFront]) -> "Rectangles":
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


def clipped_crossings(
    layout: Layout, measurements: Measurements, obstacles: Rectangles, *, skip_own: bool
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
    return crossings.pick(order)


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
    nearest = first_least(beside, axis=0)
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
    end_along = np.where(end_gaps[0] <= end_gap + TOLERANCE_YARDS, 0.0, length)
    gap = np.minimum(corner_gap, end_gap)
    gap_along = np.where(corner_gap <= end_gap + TOLERANCE_YARDS, corner_along, end_along)

    # Across it: the least shift that clears it, to the right, to the left, or off either end.
    rightmost, leftmost = first_least(-sideways, axis=0), first_least(sideways, axis=0)
    shifts = np.stack(
        (sideways[rightmost, rows], -sideways[leftmost, rows], leaves, length - enters)
    )
    edges = np.stack((along[rightmost, rows], along[leftmost, rows], np.zeros(len(length)), length))
    least = first_least(shifts, axis=0)
    depth, depth_along = shifts[least, rows], edges[least, rows]

    # A line that only touches never enters: it meets the rectangle at the touched point.
    touch = np.clip(gap_along, 0.0, length)
    return _Clip(
        enters=np.where(crossed, np.maximum(enters, 0.0), touch),
        leaves=np.where(crossed, np.minimum(leaves, length), touch),
        clearance=np.where(crossed, -np.maximum(depth, 0.0), gap),
        edge_along=np.where(crossed, depth_along, gap_along),
    )
