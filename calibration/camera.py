"""The lens: conversion between pixels and rays, measured from a ChArUco board or assumed.

Integer pixel coordinates are pixel centres. A ray is (x, y) at depth 1. Distortion is Brown's model
with OpenCV's coefficients k1, k2, p1, p2, k3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from tabletop.errors import DreyerError
from tabletop.schema import FILE_CONFIG, Flag, Number, Unit, Whole

if TYPE_CHECKING:
    from cv2.typing import MatLike

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]

NOMINAL_VIEW_DEG: Final = 70.0
"""The horizontal angle of view that is assumed for a lens that was not measured."""
FEWEST_BOARD_CORNERS: Final = 8
FEWEST_BOARD_VIEWS: Final = 4
DOUBTED: Final = ("fx_px", "fy_px", "cx_px", "cy_px", "k1", "k2", "p1", "p2")
"""The quantities of each item of `Lens.doubts`, in this order."""
_BOARD_SIGMA_PX: Final = 0.05
"""The least σ of a board's corners, since paper is never quite flat."""
_NEWTON_STEPS: Final = 25
_FEWEST_VIEWS_FOR_K3: Final = 6
_K3_BEYOND: Final = 16.0
"""The improvement in χ² by the third radial term, 4 σ, from which it is kept."""


class LensSource(StrEnum):
    """How the lens was determined."""

    CHARUCO = "charuco"
    TAGS = "tags"
    ASSUMED = "assumed"


_Size = Annotated[Whole, Field(ge=64, le=20_000)]
_Pixels = Annotated[Number, Field(gt=0, le=200_000), Unit("pixels")]
_Bend = Annotated[Number, Field(ge=-100, le=100)]
Distortion = tuple[_Bend, _Bend, _Bend, _Bend, _Bend]
Residual = Annotated[Number, Field(ge=0, le=1000)]
_Doubt = Annotated[Number, Field(ge=-1000, le=1000)]
_Doubts = Annotated[tuple[_Doubt, ...], Field(min_length=len(DOUBTED), max_length=len(DOUBTED))]


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's intrinsic parameters for one picture size."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    width_px: _Size
    height_px: _Size
    fx_px: _Pixels
    fy_px: _Pixels
    cx_px: _Pixels
    cy_px: _Pixels
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)
    source: LensSource = LensSource.ASSUMED
    focal_known: Flag = False
    """Whether the focal length is known.

    If not, places on the table are right but the camera's height is not.
    """
    residual_px: Residual = 0.0
    doubts: Annotated[tuple[_Doubts, ...], Field(max_length=len(DOUBTED))] = ()
    """Independent errors that the calibration may have left, 1 σ each; see `DOUBTED`."""

    @property
    def matrix(self) -> Array:
        """OpenCV's camera matrix."""
        return np.array(
            [[self.fx_px, 0.0, self.cx_px], [0.0, self.fy_px, self.cy_px], [0.0, 0.0, 1.0]]
        )

    @property
    def is_straight(self) -> bool:
        """Whether the lens has no distortion."""
        return not any(self.distortion)

    def rays(self, points_px: Array) -> Array:
        """The undistorted rays (…, 2) through these pixels."""
        focal = np.array([self.fx_px, self.fy_px])
        middle = np.array([self.cx_px, self.cy_px])
        bent: Array = (np.asarray(points_px, dtype=np.float64) - middle) / focal
        if self.is_straight:
            return bent
        rays: Array = bent.copy()
        for _ in range(_NEWTON_STEPS):
            step = self._bend(rays) - bent
            # Only the radial slope is used as Jacobian: a few more steps, but no matrix to invert.
            radius = np.sum(rays**2, axis=-1, keepdims=True)
            k1, k2, _, _, k3 = self.distortion
            slope = 1 + radius * (3 * k1 + radius * (5 * k2 + radius * 7 * k3))
            rays = rays - step / np.clip(slope, 0.3, 3.0)
            if np.abs(step).max(initial=0.0) < 1e-11:
                break
        return rays

    def pixels(self, rays: Array) -> Array:
        """The pixels of these rays (…, 2)."""
        bent = rays if self.is_straight else self._bend(rays)
        return np.asarray(bent * [self.fx_px, self.fy_px] + [self.cx_px, self.cy_px])

    def shifted(self, amounts: Array) -> "Lens":
        """The lens with each of its doubts applied by a number of σ."""
        fx, fy, cx, cy, *bend = (np.asarray(amounts) @ np.array(self.doubts)).tolist()
        k1, k2, p1, p2, k3 = self.distortion
        return replace(
            self,
            fx_px=self.fx_px + fx,
            fy_px=self.fy_px + fy,
            cx_px=self.cx_px + cx,
            cy_px=self.cy_px + cy,
            distortion=(k1 + bend[0], k2 + bend[1], p1 + bend[2], p2 + bend[3], k3),
        )

    @property
    def doubted(self) -> Array:
        """The values that `DOUBTED` names."""
        middle = (self.fx_px, self.fy_px, self.cx_px, self.cy_px)
        return np.array([*middle, *self.distortion[:4]])

    def refocused(self, scale: float) -> "Lens":
        """The lens with its focal length multiplied by a factor."""
        k1, k2, p1, p2, k3 = self.distortion
        return replace(
            self,
            fx_px=self.fx_px * scale,
            fy_px=self.fy_px * scale,
            distortion=(k1 * scale**2, k2 * scale**4, p1 * scale, p2 * scale, k3 * scale**6),
        )

    def mirrored(self) -> "Lens":
        """The lens for the picture flipped left to right."""
        k1, k2, p1, p2, k3 = self.distortion
        return replace(
            self,
            cx_px=self.width_px - 1 - self.cx_px,
            distortion=(k1, k2, p1, -p2, k3),
            doubts=self._doubts_times([1, 1, -1, 1, 1, 1, 1, -1]),
        )

    def resized(self, width_px: int, height_px: int) -> "Lens | None":
        """The lens for a scaled picture; None if the aspect ratio differs."""
        scale = width_px / self.width_px
        if abs(height_px / self.height_px - scale) > 0.01 * scale:
            return None
        return replace(
            self,
            width_px=width_px,
            height_px=height_px,
            fx_px=self.fx_px * scale,
            fy_px=self.fy_px * scale,
            cx_px=(self.cx_px + 0.5) * scale - 0.5,
            cy_px=(self.cy_px + 0.5) * scale - 0.5,
            doubts=self._doubts_times([scale] * 4 + [1] * 4),
        )

    def _doubts_times(self, factors: Sequence[float]) -> tuple[tuple[float, ...], ...]:
        return tuple(
            tuple(value * factor for value, factor in zip(row, factors, strict=True))
            for row in self.doubts
        )

    def _bend(self, rays: Array) -> Array:
        return _bent(rays, self.distortion)


def pixels_of_each(lenses: Sequence[Lens], rays: Array) -> Array:
    """The pixels of rays (N, ..., 2), those of each row behind its own lens."""
    values = np.array(
        [(lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px, *lens.distortion) for lens in lenses]
    )
    columns = values.T.reshape(values.shape[1], len(lenses), *(1,) * (rays.ndim - 2))
    bent = _bent(rays, columns[4:]) if values[:, 4:].any() else rays
    fx, fy, cx, cy = columns[:4]
    return np.stack([bent[..., 0] * fx + cx, bent[..., 1] * fy + cy], axis=-1)


def _bent(rays: Array, distortion: Distortion | Array) -> Array:
    """The rays as Brown's model bends them."""
    k1, k2, p1, p2, k3 = distortion
    x, y = rays[..., 0], rays[..., 1]
    radius = x * x + y * y
    radial = 1 + radius * (k1 + radius * (k2 + radius * k3))
    across = x * y
    return np.stack(
        [
            x * radial + 2 * p1 * across + p2 * (radius + 2 * x * x),
            y * radial + p1 * (radius + 2 * y * y) + 2 * p2 * across,
        ],
        axis=-1,
    )


def assumed_lens(width_px: int, height_px: int) -> Lens:
    """A lens without distortion and with the nominal angle of view."""
    focal = width_px / 2 / np.tan(np.radians(NOMINAL_VIEW_DEG) / 2)
    return Lens(width_px, height_px, focal, focal, (width_px - 1) / 2, (height_px - 1) / 2)


def board_corners(gray: Gray) -> tuple[Array, Array] | None:
    """The board's corners in a picture, in pixels and in millimetres; None if none are found."""
    # Imported late, here and below: a table without a camera needs no OpenCV.
    import cv2

    from calibration.charuco import charuco_board

    board = charuco_board()
    points, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(gray)
    # OpenCV's stubs declare an array, but without a board the result is None.
    found = 0 if ids is None else len(ids)  # type: ignore[redundant-expr]
    if found < FEWEST_BOARD_CORNERS:
        return None
    places = np.asarray(board.getChessboardCorners(), dtype=np.float64)[np.ravel(ids)]
    return np.asarray(points, dtype=np.float64).reshape(-1, 2), places


def lens_from_board(views: Sequence[tuple[Array, Array]], width_px: int, height_px: int) -> Lens:
    """The lens from several views of the board, with the residual of the fit."""
    if len(views) < FEWEST_BOARD_VIEWS:
        raise DreyerError("calibration.board.few", views=len(views), needed=FEWEST_BOARD_VIEWS)
    import cv2

    flags = cv2.CALIB_USE_INTRINSIC_GUESS
    fitted = _fit_board(views, width_px, height_px, flags | cv2.CALIB_FIX_K3)
    points = sum(len(places) for _, places in views)
    if len(views) >= _FEWEST_VIEWS_FOR_K3:
        freer = _fit_board(views, width_px, height_px, flags)
        gain = 2 * points * (fitted[0] ** 2 - freer[0] ** 2) / max(freer[0], _BOARD_SIGMA_PX) ** 2
        # A lens of a very wide angle needs the third term; for any other it only adds doubt.
        if gain > _K3_BEYOND:
            fitted = freer
    residual, solved, bend, turns, shifts = fitted
    final = np.asarray(solved, dtype=np.float64)
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(bend)[:5])
    if not np.isfinite(residual) or residual > 3.0:
        raise DreyerError("calibration.board.disagree", pixels=float(residual))
    return Lens(
        width_px, height_px,
        float(final[0, 0]), float(final[1, 1]), float(final[0, 2]), float(final[1, 2]),
        (k1, k2, p1, p2, k3), LensSource.CHARUCO, True, float(residual),
        doubt_axes(_board_covariance(views, final, np.ravel(bend), turns, shifts, residual)),
    )  # fmt: skip


def _fit_board(
    views: Sequence[tuple[Array, Array]], width_px: int, height_px: int, flags: int
) -> "tuple[float, MatLike, MatLike, Sequence[Any], Sequence[Any]]":
    """OpenCV's fit: residual, camera matrix, distortion, and the poses of the board."""
    import cv2

    return cv2.calibrateCamera(
        [places.astype(np.float32) for _, places in views],
        [points.astype(np.float32) for points, _ in views],
        (width_px, height_px),
        assumed_lens(width_px, height_px).matrix,
        np.zeros(5),
        flags=flags,
    )


def doubt_axes(covariance: Array) -> tuple[tuple[float, ...], ...]:
    """A covariance as independent shifts of 1 σ each, without negligible ones."""
    # The quantities differ in magnitude, so they are scaled first.
    unit = np.sqrt(np.maximum(np.diag(covariance), 1e-30))
    values, vectors = np.linalg.eigh(covariance / np.outer(unit, unit))
    return tuple(
        tuple((np.sqrt(value) * vector * unit).tolist())
        for value, vector in zip(values, vectors.T, strict=True)
        if value > 1e-9
    )


def _board_covariance(
    views: Sequence[tuple[Array, Array]],
    matrix: Array,
    bend: Array,
    turns: "Sequence[MatLike]",
    shifts: "Sequence[MatLike]",
    residual_px: float,
) -> Array:
    """The covariance of the lens alone, independent of the board's poses: a Schur complement."""
    import cv2

    normal = np.zeros((len(DOUBTED), len(DOUBTED)))
    for (_, places), turn, shift in zip(views, turns, shifts, strict=True):
        slopes = np.asarray(cv2.projectPoints(places, turn, shift, matrix, bend)[1])
        held, lens = slopes[:, :6], slopes[:, 6:14]
        across = held.T @ lens
        normal += lens.T @ lens - across.T @ np.linalg.solve(held.T @ held, across)
    sigma = max(residual_px, _BOARD_SIGMA_PX)
    return np.asarray(np.linalg.inv(normal) * sigma**2)
