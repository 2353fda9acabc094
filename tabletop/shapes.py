"""Arrays of shapely geometries from arrays of coordinates."""

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.angles import FloatArray

ShapeArray = NDArray[np.object_]
"""Shapely geometries."""


def points(places: FloatArray) -> ShapeArray:
    """A point for each pair of coordinates (…, 2)."""
    return np.asarray(shapely.points(places), dtype=np.object_)


def segments(ends: FloatArray) -> ShapeArray:
    """A straight line for each pair of places (…, 2, 2)."""
    return np.asarray(shapely.linestrings(ends), dtype=np.object_)


def polygons(corners: FloatArray) -> ShapeArray:
    """A polygon for each ring of corners (…, n, 2)."""
    return np.asarray(shapely.polygons(corners), dtype=np.object_)
