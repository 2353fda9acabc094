"""A tag's pattern as a blurred picture shows it: ready to be looked up, with its slopes.

A blurred step is the normal distribution, so a pattern of black and white squares has a formula;
it is laid out once for each tag and blur and read off from then on.
"""

import math
from functools import cache, lru_cache
from typing import Final

import numpy as np

from calibration.markers import Family, tag_bits
from vision.images import Array, Floats

MARGIN_MODULES: Final = 1.5
FIRST_SPREAD: Final = 0.03
"""The blur of the sharpest pattern, in modules: a large tag in a sharp picture."""
SPREAD_STEP: Final = 1.2
SPREADS: Final = 22
LEAN_STEP: Final = 0.08
MOST_LEAN: Final = 8
"""The blur's correlation between a tag's axes goes in such steps, up to so many."""
_TABLE_Z: Final = np.linspace(-6.0, 6.0, 6001)
_TABLE_SHARE: Final = np.array([0.5 + math.erf(z / math.sqrt(2)) / 2 for z in _TABLE_Z])
_KEPT: Final = 128
"""More than a frame asks for; a quarter of a megabyte each at 1080p, half of one at 4K."""
_SINGLE_THREAD: Final = 260_000
"""The multiplications of a matrix product that BLAS still leaves to one thread."""


def _spread(level: int) -> float:
    return float(FIRST_SPREAD * SPREAD_STEP**level)


@cache
def fineness(level: int) -> int:
    """Atlas samples a module: enough for straight lines between them to follow the blur."""
    return int(np.clip(np.ceil(1.8 / _spread(level)), 9, 48))


def product(left: Floats, right: Floats) -> Floats:
    """Their matrix product in pieces too small for BLAS to spread over threads, which is dearer."""
    rows = max(_SINGLE_THREAD // right.size, 1)
    if len(left) <= rows:
        return np.asarray(left @ right)
    return np.concatenate([left[i : i + rows] @ right for i in range(0, len(left), rows)])


def normal_share(z: Array) -> Array:
    """The share of a normal distribution below each z, from a table that is exact to 1e-7."""
    return np.asarray(np.interp(z, _TABLE_Z, _TABLE_SHARE), dtype=np.float64)


@cache
def _edges(modules: int, level: int, fine_px: int) -> tuple[Floats, ...]:
    """Each module's share of every atlas sample along one axis when blurred; its 1st … 4th slope.

    A blurred step is the normal distribution, so all of this is exact.
    """
    spread = _spread(level)
    margin = round(MARGIN_MODULES * fine_px)
    count = modules * fine_px + 2 * margin
    places = (np.arange(count) + 0.5 - margin) / fine_px
    z = (places[:, None] - np.arange(modules + 1)) / spread
    bell = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    rows = [
        normal_share(z),
        bell / spread,
        -z * bell / spread**2,
        (z**2 - 1) * bell / spread**3,
        (3 * z - z**3) * bell / spread**4,
    ]
    return tuple((row[:, :-1] - row[:, 1:]).astype(np.float32) for row in rows)


@lru_cache(maxsize=_KEPT)
def atlas(family: Family, marker_id: int, level_u: int, level_v: int, lean: int) -> Floats:
    """The pattern blurred along u and v, its two slopes, and how it changes with more blur.

    The last is the change for a doubling of the blur's variance, if that went on as it begins.
    A tag seen aslant is blurred along its diagonals unequally, which is what `lean` says.
    """
    fine_px = fineness(min(level_u, level_v))
    across = _edges(family.modules, level_u, fine_px)
    down = _edges(family.modules, level_v, fine_px)
    black = 1 - tag_bits(family, marker_id).astype(np.float32)
    spread_u, spread_v = _spread(level_u), _spread(level_v)
    shared = lean * LEAN_STEP * spread_u * spread_v
    # The first terms of Taylor's series in the blur that the axes share.
    terms = [1.0, shared, shared**2 / 2] if lean else [1.0]
    white = [row @ -black for row in down[: 2 + len(terms)]]
    left = [np.hstack(white[k : k + len(terms)]) for k in range(3)]
    right = [
        np.hstack([across[k + n] * np.float32(t) for n, t in enumerate(terms)]).T for k in range(3)
    ]
    more = np.float32(spread_u**2 / 2) * product(left[0], right[2])
    more += np.float32(spread_v**2 / 2) * product(left[2], right[0])
    if lean:
        more += np.float32(shared) * product(left[1], right[1])
    out = np.empty((*more.shape, 4), np.float32)
    np.add(product(left[0], right[0]), 1, out=out[..., 0])
    out[..., 1] = product(left[0], right[1])
    out[..., 2] = product(left[1], right[0])
    out[..., 3] = more
    return out
