"""Quadrants about a ship, and the sets of quadrants that a mount may fire into.

Two lines through the ship separate the quadrants bow, starboard, stern and port. A bearing
exactly on a line counts as broadside.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tabletop.angles import FloatArray, wrap_360
from tabletop.closecall import TOLERANCE_DEG
from tabletop.errors import DreyerError

QuadrantCodes = NDArray[np.int8]


class Quadrant(StrEnum):
    """A quadrant about a ship."""

    BOW = "bow"
    STARBOARD = "starboard"
    STERN = "stern"
    PORT = "port"

    @property
    def is_broadside(self) -> bool:
        """Whether this is port or starboard."""
        return self in (Quadrant.PORT, Quadrant.STARBOARD)


CLOCKWISE = (Quadrant.BOW, Quadrant.STARBOARD, Quadrant.STERN, Quadrant.PORT)
"""The quadrants in the order of their codes."""

NO_QUADRANT = -1
"""The code of two ships on one spot, which have no bearing."""


@dataclass(frozen=True, slots=True)
class Arcs:
    """The quadrant lines, as the half-widths of the bow and stern quadrants."""

    bow_half_width_deg: float = 45.0
    stern_half_width_deg: float = 45.0

    def __post_init__(self) -> None:
        for half_width in (self.bow_half_width_deg, self.stern_half_width_deg):
            if not 0 < half_width < 90:
                raise DreyerError("tabletop.arcs.half_width", degrees=half_width)

    @property
    def lines_deg(self) -> tuple[float, float, float, float]:
        """The relative bearings of the four lines, clockwise from the starboard bow.

        Line n separates the quadrants n and n + 1 of `CLOCKWISE`.
        """
        bow, stern = self.bow_half_width_deg, self.stern_half_width_deg
        return bow, 180.0 - stern, 180.0 + stern, 360.0 - bow

    def codes(self, relative_bearing_deg: FloatArray) -> QuadrantCodes:
        """The quadrant of each relative bearing: an index into `CLOCKWISE`, NO_QUADRANT for NaN."""
        angle, on_line = relative_bearing_deg, TOLERANCE_DEG
        starboard_bow, starboard_quarter, port_quarter, port_bow = self.lines_deg
        codes = np.where(angle < 180.0, 1, 3).astype(np.int8)
        codes[(angle < starboard_bow - on_line) | (angle > port_bow + on_line)] = 0
        codes[(angle > starboard_quarter + on_line) & (angle < port_quarter - on_line)] = 2
        codes[np.isnan(angle)] = NO_QUADRANT
        return codes

    def quadrant(self, relative_bearing_deg: float) -> Quadrant:
        """The quadrant of one relative bearing."""
        code = self.codes(np.array([wrap_360(relative_bearing_deg)]))[0]
        return CLOCKWISE[code]


@dataclass(frozen=True, slots=True)
class FiringArc:
    """The set of quadrants that a mount may fire into."""

    quadrants: frozenset[Quadrant]

    @classmethod
    def of(cls, names: Iterable[str]) -> "FiringArc":
        """A firing arc from the names of its quadrants. Raises DreyerError for another name."""
        names = tuple(names)
        try:
            return cls(frozenset(Quadrant(name) for name in names))
        except ValueError:
            raise DreyerError("tabletop.arcs.quadrants", found=names) from None

    def bears_into(self, quadrant: Quadrant) -> bool:
        """Whether the mount can fire into this quadrant."""
        return quadrant in self.quadrants
