"""Fields of fire: the area that a battery can fire into, as polygons.

The area is the battery's quadrants and range bands, minus the shadows of the ships that block
the line of sight, minus what lies beyond smoke. It agrees with a survey: a point is in the field
exactly if a ship there would be in the arc, in the band, in sight and clear of smoke. Circles are
approximated by polygons.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry as Geometry

from tabletop.angles import FloatArray
from tabletop.arcs import CLOCKWISE, Arcs, FiringArc
from tabletop.closecall import TOLERANCE_YARDS
from tabletop.errors import DreyerError, UnknownName
from tabletop.measure import Layout
from tabletop.messages import Message
from tabletop.rules import TableRules
from tabletop.table import Table

Ring = tuple[tuple[float, float], ...]
"""The corners of an outline, (x, y) in yards; the first is not repeated at the end."""

_DEGREES_A_SIDE: Final = 1.5
"""The angle of one side of a circle's polygon; the radius is at most 1 in 10,000 too short."""
_SHADOW_FACTOR: Final = 1.2
"""Shadows extend to this multiple of the farthest range."""
_LEAST_AREA_SQUARE_YARDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class ReachBand:
    """A band of range, including its outer limit."""

    name: str
    inner_yards: float
    outer_yards: float

    def __post_init__(self) -> None:
        if not 0 <= self.inner_yards < self.outer_yards < math.inf:
            raise DreyerError("tabletop.band", inner=self.inner_yards, outer=self.outer_yards)


@dataclass(frozen=True, slots=True)
class Reach:
    """The quadrants and range bands that a battery can fire into."""

    battery: str
    arc: FiringArc
    bands: tuple[ReachBand, ...]
    """Nearest first."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A polygon: its outer ring, and the rings of the holes in it."""

    outer: Ring
    holes: tuple[Ring, ...] = ()


Area = tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class FieldBand:
    """The part of a field of fire that lies in one band of range."""

    name: str
    inner_yards: float
    outer_yards: float
    clear: Area
    """In sight without smoke."""
    through_smoke: Area
    """In sight only through smoke."""


@dataclass(frozen=True, slots=True)
class FieldOfFire:
    """The area that a battery of a ship can fire into."""

    ship: str
    battery: str
    bands: tuple[FieldBand, ...]


def fields_of_fire(
    table: Table,
    rules: TableRules,
    ship: str,
    reaches: Sequence[Reach],
    target_size: str | None = None,
) -> tuple[FieldOfFire, ...]:
    """The fields of fire of a ship's batteries.

    `target_size` counts where sight depends on sizes; None is the firing ship's own size.
    Raises UnknownName for a ship that is not on the table or a size that the rules do not have.
    """
    firer = _Firer.of(table, rules, ship, target_size, _farthest_yards(reaches))
    return tuple(FieldOfFire(ship, reach.battery, tuple(firer.bands(reach))) for reach in reaches)


def _farthest_yards(reaches: Iterable[Reach]) -> float:
    return max((band.outer_yards for reach in reaches for band in reach.bands), default=0.0)


@dataclass(frozen=True, slots=True)
class _Firer:
    """A ship's measuring point, and the areas that are hidden from it."""

    place: FloatArray
    heading_deg: float
    arcs: Arcs
    whole_line_range_yards: float
    shadow: Geometry
    """The area hidden from her within the whole-line range."""
    far_shadow: Geometry
    """The area hidden from her beyond the whole-line range."""
    beyond_smoke: Geometry

    @classmethod
    def of(
        cls,
        table: Table,
        rules: TableRules,
        ship: str,
        target_size: str | None,
        farthest_yards: float,
    ) -> "_Firer":
        if ship not in table.names:
            raise UnknownName(Message("errors.where.table"), "ship", ship, table.names)
        number, sight = table.names.index(ship), rules.sight
        layout = Layout.of(table, from_bridge=rules.measure_from_bridge)
        place, rank = layout.point[number], sight.ranks(table)
        target_rank = int(rank[number])
        if target_size is not None and sight.sizes:
            if target_size not in sight.sizes:
                raise UnknownName(
                    Message("errors.where.field_of_fire"), "size", target_size, sight.sizes
                )
            target_rank = sight.sizes.index(target_size)
        blocks = rank >= min(rank[number], target_rank)
        blocks[number] = False
        bases = layout.bases[blocks].tolist()
        near = Point(place).buffer(min(sight.near_reach_yards, 1e7), quad_segs=_QUARTER_SIDES)
        near_bases = [base.intersection(near) for base in bases]
        fronts = [shapely.linestrings([front.ends])[0] for front in table.smoke]
        return cls(
            place=place,
            heading_deg=float(layout.heading_deg[number]),
            arcs=rules.arcs,
            whole_line_range_yards=sight.whole_line_range_yards,
            shadow=_shadows(place, bases, farthest_yards),
            far_shadow=_shadows(place, near_bases, farthest_yards),
            beyond_smoke=_shadows(place, fronts, farthest_yards),
        )

    def bands(self, reach: Reach) -> Iterator[FieldBand]:
        """The field of a battery, one part for each band."""
        for band in reach.bands:
            seen = shapely.union_all(
                [
                    self._sector(reach.arc, inner, outer).difference(shadow)
                    for inner, outer, shadow in self._within_sight_rule(band)
                ]
            )
            yield FieldBand(
                band.name,
                band.inner_yards,
                band.outer_yards,
                clear=_area(seen.difference(self.beyond_smoke)),
                through_smoke=_area(seen.intersection(self.beyond_smoke)),
            )

    def _within_sight_rule(self, band: ReachBand) -> Iterator[tuple[float, float, Geometry]]:
        """The band split at the whole-line range, each part with the shadow that applies."""
        limit = self.whole_line_range_yards
        if band.inner_yards < limit:
            yield band.inner_yards, min(band.outer_yards, limit), self.shadow
        if band.outer_yards > limit:
            yield max(band.inner_yards, limit), band.outer_yards, self.far_shadow

    def _sector(self, arc: FiringArc, inner_yards: float, outer_yards: float) -> Geometry:
        """The part of a ring that lies in the quadrants of an arc."""
        if len(arc.quadrants) == len(CLOCKWISE):
            whole = Polygon(self._points(0.0, 360.0, outer_yards))
            return whole.difference(Polygon(self._points(0.0, 360.0, inner_yards)))
        sectors = []
        for begin, end in self._runs_deg(arc):
            outer, inner = (self._points(begin, end, r) for r in (outer_yards, inner_yards))
            sectors.append(Polygon(np.concatenate((outer, inner[::-1]))))
        return shapely.union_all(sectors)

    def _runs_deg(self, arc: FiringArc) -> Iterator[tuple[float, float]]:
        """The relative bearings at the ends of each run of adjacent quadrants, clockwise."""
        lines = self.arcs.lines_deg
        for number, quadrant in enumerate(CLOCKWISE):
            if not arc.bears_into(quadrant) or arc.bears_into(CLOCKWISE[number - 1]):
                continue
            last = number
            while arc.bears_into(CLOCKWISE[(last + 1) % 4]):
                last += 1
            begin, end = lines[number - 1], lines[last % 4]
            yield begin, end if end > begin else end + 360.0

    def _points(self, begin_deg: float, end_deg: float, radius_yards: float) -> FloatArray:
        """Points of a circle about the ship, between two relative bearings."""
        sides = math.ceil((end_deg - begin_deg) / _DEGREES_A_SIDE)
        return _circle(
            self.place, np.linspace(begin_deg, end_deg, sides + 1) + self.heading_deg, radius_yards
        )


_QUARTER_SIDES: Final = round(90.0 / _DEGREES_A_SIDE)


def _shadows(place: FloatArray, shapes: Sequence[Geometry], farthest_yards: float) -> Geometry:
    """The area on or behind some convex shapes, seen from a point."""
    return shapely.union_all(
        [_shadow(place, shape, farthest_yards) for shape in shapes if not shape.is_empty]
    )


def _shadow(place: FloatArray, shape: Geometry, farthest_yards: float) -> Geometry:
    """The area on or behind a convex shape: the hull of the shape and of far points behind it."""
    here, reach = Point(place), _SHADOW_FACTOR * farthest_yards
    if here.distance(shape) <= TOLERANCE_YARDS:
        return here.buffer(reach)
    corners = shapely.get_coordinates(shape)
    offsets = corners - place
    bearings = np.degrees(np.arctan2(offsets[:, 0], offsets[:, 1]))
    # Seen from outside, a convex shape spans less than 180° about its centre's bearing.
    middle_x, middle_y = offsets.mean(axis=0)
    middle = math.degrees(math.atan2(middle_x, middle_y))
    aside = np.mod(bearings - middle + 180.0, 360.0) - 180.0
    directions = middle + np.linspace(aside.min(), aside.max(), _SHADOW_POINTS)
    distance = max(reach, _SHADOW_FACTOR * float(np.hypot(offsets[:, 0], offsets[:, 1]).max()))
    far = _circle(place, directions, distance)
    return shapely.MultiPoint(np.concatenate((corners, far))).convex_hull


_SHADOW_POINTS: Final = 9
"""Over less than 180° these give sides of at most 22.5°, none nearer than 0.98 of the radius."""


def _circle(place: FloatArray, bearings_deg: FloatArray, radius_yards: float) -> FloatArray:
    angles = np.radians(bearings_deg)
    return place + radius_yards * np.stack((np.sin(angles), np.cos(angles)), axis=1)


def _area(geometry: Geometry) -> Area:
    """The polygons of a geometry, without lines and slivers that rounding left."""
    parts = shapely.get_parts(geometry)
    return tuple(
        Outline(_ring(part.exterior.coords), tuple(_ring(hole.coords) for hole in part.interiors))
        for part in parts.tolist()
        if isinstance(part, Polygon) and part.area >= _LEAST_AREA_SQUARE_YARDS
    )


def _ring(places: Iterable[Sequence[float]]) -> Ring:
    return tuple((place[0], place[1]) for place in places)[:-1]
