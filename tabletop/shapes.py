"""Arrays of shapely geometries from arrays of coordinates, and outlines of points."""

from collections.abc import Iterable
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.angles import FloatArray

ShapeArray = NDArray[np.object_]
"""Shapely geometries."""
_LEAST_CORNERS: Final = 3


def points(places: FloatArray) -> ShapeArray:
    """A point for each pair of coordinates (…, 2)."""
    return np.asarray(shapely.points(places), dtype=np.object_)


def segments(ends: FloatArray) -> ShapeArray:
    """A straight line for each pair of places (…, 2, 2)."""
    return np.asarray(shapely.linestrings(ends), dtype=np.object_)


def polygons(corners: FloatArray) -> ShapeArray:
    """A polygon for each ring of corners (…, n, 2)."""
    return np.asarray(shapely.polygons(corners), dtype=np.object_)


def outline_around(
    spots: Iterable[tuple[float, float]], ratio: float
) -> tuple[tuple[float, float], ...]:
    """The line round points, which follows them more closely the smaller the ratio (0 to 1).

    Empty where they lie on one line.
    """
    places = sorted(set(spots))
    if len(places) < _LEAST_CORNERS:
        return ()
    hull = shapely.concave_hull(shapely.MultiPoint(places), ratio=ratio)
    if not isinstance(hull, shapely.Polygon):
        return ()
    return tuple((x, y) for x, y in hull.exterior.coords)
