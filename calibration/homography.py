"""The table's plane in the picture: conversion between pixels and millimetres on the table.

Millimetres are counted from the centre of the near left corner marker: x to the right, y away from
the host, z up. The `variants` of a plane are the plane with each independent error applied by 1 σ;
the uncertainty of any quantity follows from its values among them.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens, LensSource, pixels_of_each
from tabletop.scale import inches_from_mm, mm_from_inches

Array = NDArray[np.float64]

WORST_FOCAL_DOUBT: Final = 0.08
"""If the relative σ of a focal length derived from the table exceeds this, it is not used."""


_UNIT_STEPS: Final = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
FINGER_SIGMA_PX: Final = 3.0
FOUND_SIGMA_PX: Final = 0.4


@dataclass(frozen=True, slots=True)
class TableSize:
    """The distances between the corner markers' centres."""

    width_mm: float
    height_mm: float

    @property
    def corner_places_mm(self) -> Array:
        """The corner markers' centres in the order of their ids."""
        w, h = self.width_mm, self.height_mm
        return np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])

    @classmethod
    def of_inches(cls, width_inches: float, height_inches: float) -> "TableSize":
        """A table of this size in inches."""
        return cls(mm_from_inches(width_inches), mm_from_inches(height_inches))

    @property
    def width_inches(self) -> float:
        """The width in inches."""
        return inches_from_mm(self.width_mm)

    @property
    def height_inches(self) -> float:
        """The depth in inches."""
        return inches_from_mm(self.height_mm)


USUAL_TABLE: Final = TableSize.of_inches(72, 48)


@dataclass(frozen=True, slots=True)
class HandCorner:
    """A corner's centre as somebody showed it."""

    x_px: float
    y_px: float
    found: bool = False
    """Whether the marker was read there after all."""

    @property
    def sigma_px(self) -> float:
        """How far it may be off along each axis."""
        return FOUND_SIGMA_PX if self.found else FINGER_SIGMA_PX


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """Where a fixed marker lies."""

    x_mm: float
    y_mm: float
    heading_deg: float
    """The direction of its upper edge."""
    position_sigma_mm: float


@dataclass(frozen=True, slots=True)
class TablePlane:
    """The table's plane relative to the camera."""

    lens: Lens
    to_table: Array
    """The homography from rays to millimetres on the table."""
    camera_mm: Array | None
    """The camera's centre above the table; None if the focal length is unknown."""
    variants: tuple["TablePlane", ...] = ()
    residual_px: float = 0.0

    def to_mm(self, points_px: Array, height_mm: float | Array = 0.0) -> Array:
        """The places (…, 2) seen at these pixels, at a height above the table."""
        rays = self.lens.rays(points_px)
        flat = apply_homography(self.to_table, rays)
        return self._lift(flat, height_mm)

    def to_px(self, points_mm: Array, height_mm: float | Array = 0.0) -> Array:
        """The pixels of these places (…, 2), at a height above the table."""
        flat = np.asarray(points_mm, dtype=np.float64)
        if self.camera_mm is not None:
            share = np.asarray(height_mm, dtype=np.float64)[..., None] / self.camera_mm[2]
            flat = (flat - self.camera_mm[:2] * share) / (1 - share)
        rays = apply_homography(np.asarray(np.linalg.inv(self.to_table)), flat)
        return self.lens.pixels(rays)

    def variants_to_px(self, points_mm: Array, height_mm: Array) -> Array:
        """The pixels of these places (N, K, 2) in each of the plane's variants (V, N, K, 2)."""
        places = np.asarray(points_mm, dtype=np.float64)[None]
        cameras = [plane.camera_mm for plane in self.variants if plane.camera_mm is not None]
        if cameras:
            camera = np.stack(cameras)[:, None, None]
            share = np.asarray(height_mm, dtype=np.float64)[None, ..., None] / camera[..., 2:]
            places = (places - camera[..., :2] * share) / (1 - share)
        to_rays = np.linalg.inv(np.stack([plane.to_table for plane in self.variants]))[:, None]
        moved = places @ np.swapaxes(to_rays[..., :2], -1, -2) + to_rays[..., None, :, 2]
        rays = moved[..., :2] / moved[..., 2:]
        return pixels_of_each([plane.lens for plane in self.variants], rays)

    def px_per_mm(self, points_mm: Array) -> Array:
        """Pixels per millimetre at these places, as the geometric mean of both axes."""
        points = np.asarray(points_mm, dtype=np.float64)
        steps = _UNIT_STEPS.reshape(3, *(1,) * (points.ndim - 1), 2)
        here, right, away = self.to_px(points + steps)
        right, away = right - here, away - here
        area = right[..., 0] * away[..., 1] - right[..., 1] * away[..., 0]
        return np.asarray(np.sqrt(np.abs(area)))

    def _lift(self, flat: Array, height_mm: float | Array) -> Array:
        if self.camera_mm is None:
            return flat
        share = np.asarray(height_mm, dtype=np.float64)[..., None] / self.camera_mm[2]
        lifted: Array = flat + (self.camera_mm[:2] - flat) * share
        return lifted


def apply_homography(homography: Array, points: Array) -> Array:
    """Apply a homography to points (…, 2)."""
    moved = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])


def focal_scale(to_rays: Array) -> float | None:
    """The factor for the focal length with which the table is a flat rectangle.

    `to_rays` is the homography from the table to rays. None for a camera straight overhead, which
    sees the same with any focal length.
    """
    h1, h2 = to_rays[:, 0], to_rays[:, 1]
    size = (h1[:2] @ h1[:2] + h2[:2] @ h2[:2]) / 2
    flat = np.array([h1[:2] @ h2[:2], (h1[:2] @ h1[:2] - h2[:2] @ h2[:2]) / 2]) / size
    deep = np.array([h1[2] * h2[2], (h1[2] ** 2 - h2[2] ** 2) / 2]) / size
    strength = float(deep @ deep)
    if strength < 1e-12:
        return None
    # deep · λ² + flat = 0, in the least-squares sense.
    square = -float(deep @ flat) / strength
    return float(np.sqrt(square)) if square > 0.01 else None


def camera_centre(to_rays: Array) -> Array:
    """The camera's centre above the table, from the homography from the table to true rays."""
    length = (np.linalg.norm(to_rays[:, 0]) + np.linalg.norm(to_rays[:, 1])) / 2
    scaled = to_rays / length
    if scaled[2, 2] < 0:
        # The sign is chosen so that the table is in front of the camera.
        scaled = -scaled
    r1, r2, shift = scaled.T
    up = [
        r1[1] * r2[2] - r1[2] * r2[1],
        r1[2] * r2[0] - r1[0] * r2[2],
        r1[0] * r2[1] - r1[1] * r2[0],
    ]
    return np.asarray(-np.linalg.solve(np.column_stack([r1, r2, up]), shift))


def focal_scale_at(to_rays: Array, height_mm: float | None) -> float | None:
    """The factor for the focal length from the camera's known height; None without a height."""
    if height_mm is None:
        return focal_scale(to_rays)
    # The height grows with the focal length; a few secant steps find the factor.
    scale = 1.0
    for _ in range(8):
        scale *= height_mm / float(camera_centre(refocus(to_rays, scale))[2])
    return scale if np.isfinite(scale) and scale > 0 else None


def refocus(to_rays: Array, scale: float) -> Array:
    """The homography to rays for a focal length multiplied by a factor."""
    return np.asarray(np.diag([1 / scale, 1 / scale, 1.0]) @ to_rays)


def refocused(plane: TablePlane, scale: float) -> TablePlane:
    """The plane for a lens whose focal length is multiplied by a factor."""
    lens = replace(plane.lens.refocused(scale), focal_known=True, source=LensSource.TAGS)
    return replace(plane, lens=lens, to_table=plane.to_table @ np.diag([scale, scale, 1.0]))
