"""Squares on a plane seen through a distorted lens, for many parameter sets at once.

A parameter set begins with the eight parameters of the homography; `LENS` are the indices of k1,
k2, p1, p2 and of the lens's centre.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LENS: Final = [8, 9, 13, 14, 15, 16]
UNIT_SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
"""The corners of a marker on the table whose upper edge points away from the host."""
LATTICE: Final = np.concatenate(
    [UNIT_SQUARE, [[x / 6 - 0.5, y / 6 - 0.5] for x in range(7) for y in range(7)]]
)
"""Its corners, followed by points all over it."""


def homographies_of(parameters: Array) -> Array:
    """The homographies from the table's own units to undistorted rays."""
    ones = np.ones((len(parameters), 1))
    return np.concatenate([parameters[:, :8], ones], axis=1).reshape(-1, 3, 3)


def distort(rays: Array, parameters: Array) -> Array:
    """Brown's distortion with each parameter set applied to its own rays (B, N, 4, 2)."""
    k1, k2, p1, p2 = (parameters[:, index, None, None] for index in LENS[:4])
    x, y = rays[..., 0], rays[..., 1]
    radius = x * x + y * y
    radial = 1 + radius * (k1 + radius * k2)
    return np.stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (radius + 2 * x * x),
            y * radial + p1 * (radius + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=-1,
    )


def shrink_to_zero(
    mean: Array, covariance: Array, which: list[int], prior: Array, odds: float
) -> tuple[Array, Array]:
    """Model averaging for parameters that may be exactly 0.

    `prior` is the σ of each such parameter if it is not 0, and `odds` are the prior odds that all
    are 0. The data change the odds by the ratio of the densities at 0 after and before
    (Savage-Dickey ratio); the other parameters follow by conditioning the normal distribution.
    """
    own = covariance[np.ix_(which, which)]
    away = mean[which]
    follow = np.linalg.solve(own, covariance[which]).T
    gain = -away @ np.linalg.solve(own, away) - np.linalg.slogdet(own)[1]
    gain += 2 * np.log(prior).sum()
    weight = odds * float(np.exp(np.clip(gain / 2, -50.0, 50.0)))
    chance = weight / (1 + weight)
    shift = -follow @ away
    narrower = covariance - follow @ covariance[which]
    mixed = chance * narrower + (1 - chance) * covariance
    mixed = mixed + chance * (1 - chance) * np.outer(shift, shift)
    return np.asarray(mean + chance * shift), np.asarray(mixed)


def place_lattice(flat: Array) -> Array:
    """The lattice within each square, which is given by its four corners."""
    offset = flat - flat.mean(axis=1, keepdims=True)
    unit = UNIT_SQUARE[:, 0] + 1j * UNIT_SQUARE[:, 1]
    spot = offset[..., 0] + 1j * offset[..., 1]
    best = (spot * unit.conj()).sum(axis=1) / (np.abs(unit) ** 2).sum()
    turned = best[:, None] * (LATTICE[:, 0] + 1j * LATTICE[:, 1])
    spread = np.stack([turned.real, turned.imag], axis=-1)
    return np.asarray(spread + flat.mean(axis=1, keepdims=True))


def quadrangles(bent: Array) -> Array:
    """The corners of the quadrangles that best fit distorted squares (N, lattice, 2)."""
    middle = bent.mean(axis=1, keepdims=True)
    u, v = np.moveaxis(bent - middle, -1, 0)
    x, y = np.broadcast_to(LATTICE[:, 0], u.shape), np.broadcast_to(LATTICE[:, 1], u.shape)
    zero, one = np.zeros_like(u), np.ones_like(u)
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=-1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=-1),
        ],
        axis=1,
    )
    across = np.swapaxes(rows, 1, 2)
    right = np.concatenate([u, v], axis=1)[..., None]
    solved = np.linalg.solve(across @ rows, across @ right)[..., 0]
    return np.asarray(apply_each(homographies_of(solved), UNIT_SQUARE[None, None])[:, 0] + middle)


def apply_each(homographies: Array, points: Array) -> Array:
    """Apply each homography to its own points (B, N, 4, 2)."""
    linear = homographies[:, None, :, :2]
    moved = points @ np.swapaxes(linear, -1, -2) + homographies[:, None, None, :, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])


def solve_homography(points: Array, images: Array) -> Array:
    """The homography from points to images, by direct linear transformation."""
    x, y = points.T
    u, v = images.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u]),
            np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v]),
        ]
    )
    return np.asarray(np.linalg.svd(rows)[2][-1].reshape(3, 3))
