"""Compass angles: degrees clockwise from +y, the direction away from the host."""

import math

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_QUARTERS = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}


def wrap_360(angle_deg: float) -> float:
    """The same direction as an angle from 0 up to, and never equal to, 360."""
    wrapped = angle_deg % 360.0
    # The remainder of a tiny negative angle rounds to 360 itself.
    return 0.0 if wrapped == 360.0 else wrapped


def wrap_all_360(angles_deg: FloatArray) -> FloatArray:
    """The same directions as angles from 0 up to, and never equal to, 360."""
    wrapped = np.mod(angles_deg, 360.0)
    wrapped[wrapped == 360.0] = 0.0
    return wrapped


def wrap_180(angle_deg: float) -> float:
    """The same direction as a signed angle from −180 up to, and never equal to, 180."""
    return wrap_360(angle_deg + 180.0) - 180.0


def forward(heading_deg: float) -> tuple[float, float]:
    """The unit vector (x, y) of a heading; quarter turns are exact."""
    wrapped = wrap_360(heading_deg)
    exact = _QUARTERS.get(wrapped)
    if exact is not None:
        return exact
    return math.sin(math.radians(wrapped)), math.cos(math.radians(wrapped))
