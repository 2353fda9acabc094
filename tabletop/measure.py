"""Range, bearing and relative bearing of every ordered pair, with their uncertainty.

Shapely measures the distances between points and between bases, for the whole table in one
call. In the arrays, row i and column j are for ship i measuring ship j. NumPy adds the
uncertainty to first order, from the position and heading σ of both ships; a bridge that is not
at the centre moves with the heading.
"""

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.angles import FloatArray, wrap_all_360
from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.shapes import ShapeArray, points, polygons
from tabletop.table import Model, Table

BoolArray = NDArray[np.bool_]

UNIFORM_BEARING_SIGMA_DEG = 180.0 / np.sqrt(3.0)
"""The σ of a uniformly distributed bearing: the cap of first-order propagation."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A table as arrays with one row for each ship, in yards."""

    centre: FloatArray
    point: FloatArray
    """The measuring points: base centres or bridges."""
    ahead: FloatArray
    right: FloatArray
    half_length: FloatArray
    half_width: FloatArray
    heading_deg: FloatArray
    position_sigma: FloatArray
    heading_sigma_deg: FloatArray
    swing: FloatArray
    """How far the measuring point moves for one radian of heading."""
    corners: FloatArray
    """The bases' corners, in the order of `Model.corners`."""
    bases: ShapeArray
    """The bases as polygons."""

    @classmethod
    def of(cls, table: Table, *, from_bridge: bool) -> "Layout":
        """The arrays of a table, measured from the bridges or from the bases' centres."""
        rows = np.array(
            [
                (
                    model.pose.x_yards,
                    model.pose.y_yards,
                    *model.pose.forward,
                    model.pose.heading_deg,
                    model.base.length_yards / 2,
                    model.base.width_yards / 2,
                    model.base.bridge_offset_yards if from_bridge else 0.0,
                    model.pose.position_sigma_yards,
                    model.pose.heading_sigma_deg,
                )
                for model in table.models
            ],
            dtype=np.float64,
        ).reshape(-1, 10)
        centre, ahead, offset = rows[:, 0:2], rows[:, 2:4], rows[:, 7]
        right = np.stack((ahead[:, 1], -ahead[:, 0]), axis=1)
        to_bow, to_side = rows[:, 5, None] * ahead, rows[:, 6, None] * right
        offsets = (to_bow + to_side, -to_bow + to_side, -to_bow - to_side, to_bow - to_side)
        corners = centre[:, None, :] + np.stack(offsets, axis=1)
        return cls(
            centre=centre,
            point=centre + offset[:, None] * ahead,
            ahead=ahead,
            right=right,
            half_length=rows[:, 5],
            half_width=rows[:, 6],
            heading_deg=rows[:, 4],
            position_sigma=rows[:, 8],
            heading_sigma_deg=rows[:, 9],
            swing=offset,
            corners=corners,
            bases=polygons(corners),
        )

    @property
    def heading_sigma(self) -> FloatArray:
        """The headings' σ in radians."""
        return np.radians(self.heading_sigma_deg)

    @property
    def half_diagonal(self) -> FloatArray:
        """The distance from each base's centre to its corners."""
        return np.hypot(self.half_length, self.half_width)


@dataclass(frozen=True, slots=True)
class Measurements:
    """Measurements of all pairs: row i, column j is ship i measuring ship j.

    Bearings of two ships on one spot are NaN.
    """

    range_yards: FloatArray
    range_sigma_yards: FloatArray
    bearing_deg: FloatArray
    bearing_sigma_deg: FloatArray
    relative_bearing_deg: FloatArray
    relative_bearing_sigma_deg: FloatArray


@dataclass(frozen=True, slots=True)
class Measurement:
    """The measurement of one pair; bearings are None if both stand on one spot."""

    range_yards: float
    range_sigma_yards: float
    bearing_deg: float | None
    bearing_sigma_deg: float | None
    relative_bearing_deg: float | None
    relative_bearing_sigma_deg: float | None


def measure_layout(layout: Layout) -> Measurements:
    """Measure every ordered pair, from measuring point to measuring point."""
    difference = layout.point[None, :, :] - layout.point[:, None, :]
    ships = points(layout.point)
    range_yards = shapely.distance(ships[:, None], ships[None, :])
    apart = range_yards > TOLERANCE_YARDS
    range_yards = np.where(apart, range_yards, 0.0)
    distance = np.where(apart, range_yards, 1.0)
    along = difference / distance[..., None]
    across = np.stack((along[..., 1], -along[..., 0]), axis=-1)

    # A bridge ahead of the centre swings to the right when the heading grows.
    swing = layout.swing[:, None] * layout.right
    firer_swing_across = np.einsum("ijk,ik->ij", across, swing)
    target_swing_across = np.einsum("ijk,jk->ij", across, swing)
    heading_variance = layout.heading_sigma**2
    position_variance = np.add.outer(layout.position_sigma**2, layout.position_sigma**2)
    range_variance = (
        position_variance
        + np.einsum("ijk,ik->ij", along, swing) ** 2 * heading_variance[:, None]
        + np.einsum("ijk,jk->ij", along, swing) ** 2 * heading_variance[None, :]
    )
    from_others = position_variance + target_swing_across**2 * heading_variance[None, :]
    from_firer = firer_swing_across**2 * heading_variance[:, None]
    bearing_variance = (from_others + from_firer) / distance**2
    # The firer's heading changes the relative bearing directly and through its bridge's position.
    relative_variance = (
        from_others / distance**2
        + (1.0 + firer_swing_across / distance) ** 2 * heading_variance[:, None]
    )

    bearing = np.degrees(np.arctan2(difference[..., 0], difference[..., 1]))
    undefined = np.where(apart, 0.0, np.nan)
    return Measurements(
        range_yards=range_yards,
        range_sigma_yards=np.sqrt(range_variance),
        bearing_deg=wrap_all_360(bearing) + undefined,
        bearing_sigma_deg=_angle_sigma(bearing_variance) + undefined,
        relative_bearing_deg=wrap_all_360(bearing - layout.heading_deg[:, None]) + undefined,
        relative_bearing_sigma_deg=_angle_sigma(relative_variance) + undefined,
    )


def measure(firer: Model, target: Model, *, from_bridge: bool = False) -> Measurement:
    """Measure one pair, as `measure_layout` does."""
    both = measure_layout(Layout.of(Table((firer, target)), from_bridge=from_bridge))
    apart = both.range_yards[0, 1] > 0.0

    def angle(values: FloatArray) -> float | None:
        return float(values[0, 1]) if apart else None

    return Measurement(
        range_yards=float(both.range_yards[0, 1]),
        range_sigma_yards=float(both.range_sigma_yards[0, 1]),
        bearing_deg=angle(both.bearing_deg),
        bearing_sigma_deg=angle(both.bearing_sigma_deg),
        relative_bearing_deg=angle(both.relative_bearing_deg),
        relative_bearing_sigma_deg=angle(both.relative_bearing_sigma_deg),
    )


@dataclass(frozen=True, slots=True)
class BaseGaps:
    """The distances between the bases of nearby pairs; other pairs are not listed.

    A negative gap is the shortest shift that separates two overlapping bases.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    gap_yards: FloatArray
    sigma_yards: FloatArray

    @property
    def touching(self) -> BoolArray:
        """Which of the listed pairs touch or overlap."""
        return self.gap_yards <= TOLERANCE_YARDS

    @property
    def too_close_to_call(self) -> BoolArray:
        """Which of the listed pairs are within 2 σ of just touching."""
        return np.abs(self.gap_yards) <= CLOSE_CALL_SIGMAS * self.sigma_yards + TOLERANCE_YARDS


def base_gaps(layout: Layout) -> BaseGaps:
    """The gaps between all bases that overlap, touch, or are within 2 σ of touching."""
    first, second = np.triu_indices(len(layout.bases), k=1)
    apart = np.hypot(*(layout.centre[first] - layout.centre[second]).T)
    # A corner moves with the base's position and, by the half-diagonal, with its heading.
    variance = layout.position_sigma**2 + (layout.half_diagonal * layout.heading_sigma) ** 2
    sigma = np.sqrt(variance[first] + variance[second])
    reach = layout.half_diagonal[first] + layout.half_diagonal[second]
    near = apart <= reach + CLOSE_CALL_SIGMAS * sigma + TOLERANCE_YARDS
    first, second, sigma = first[near], second[near], sigma[near]
    if not len(first):
        return BaseGaps(first, second, sigma, sigma)
    distance = shapely.distance(layout.bases[first], layout.bases[second])
    gap = np.where(distance > 0.0, distance, -_overlap_depth(layout, first, second))
    return BaseGaps(first, second, gap, sigma)


def _overlap_depth(layout: Layout, first: NDArray[np.intp], second: NDArray[np.intp]) -> FloatArray:
    """The shortest shift that separates overlapping rectangles: the least overlap on any axis."""
    offset = layout.centre[second] - layout.centre[first]
    depth = np.full(len(first), np.inf)
    sides = ((layout.half_length, layout.ahead), (layout.half_width, layout.right))
    for axis in (direction[base] for base in (first, second) for _, direction in sides):
        reach = np.zeros(len(first))
        for base in (first, second):
            for half, direction in sides:
                reach += half[base] * np.abs(np.sum(direction[base] * axis, axis=1))
        depth = np.minimum(depth, reach - np.abs(np.sum(offset * axis, axis=1)))
    least: FloatArray = np.maximum(depth, 0.0)
    return least


def _angle_sigma(variance: FloatArray) -> FloatArray:
    sigma: FloatArray = np.minimum(np.degrees(np.sqrt(variance)), UNIFORM_BEARING_SIGMA_DEG)
    return sigma
