"""What light and sensor do to the picture: cloth, shade, glare, blur, noise, compression."""

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import CameraView, FloatArray, TrueCamera
from vision.synthetic.scene import RenderScene
from vision.synthetic.textures import ROOM_MM, FloatImage, table_texture

_GRID_PX: Final = 8
"""Lens and light change slowly: they are worked out on a coarse grid and interpolated."""
_MM_PER_TEXEL: Final = 1.5
_STRIP_SLACK: Final = 1_000_003
_BAND_ROWS: Final = 64
"""Few enough rows to stay in the processor's cache."""


class Light:
    """The empty table as the camera sees it, and how much light reaches each pixel."""

    def __init__(self, camera: TrueCamera, scene: RenderScene, view: CameraView) -> None:
        self._camera = camera
        self._scene = scene
        self._view = view
        columns = math.ceil(camera.width_px / _GRID_PX) + 1
        rows = math.ceil(camera.height_px / _GRID_PX) + 1
        y, x = np.mgrid[:rows, :columns] * float(_GRID_PX)
        self._pixels = np.stack([x.ravel(), y.ravel()], axis=1)
        self._shape = (rows, columns)
        table = camera.unproject(self._pixels)
        self._table_mm = np.clip(table, -1e5, 1e5)
        gain = self._upsample(self._gain_on_grid())
        colour = (1 - 0.25 * view.warmth, 1.0, 1 + 0.12 * view.warmth)
        self._gain = cv2.merge([gain * np.float32(share) for share in colour])
        self._glare = self._upsample(self._glare_on_grid()) if view.glare else None

    def table_picture(self) -> FloatImage:
        """Cloth, rim and floor, without anything on them and before any light."""
        scene = self._scene
        texture = table_texture(
            scene.table_width_mm,
            scene.table_height_mm,
            scene.surface,
            self._view.seed,
            _MM_PER_TEXEL,
        )
        x = (self._table_mm[:, 0] + ROOM_MM) / _MM_PER_TEXEL - 0.5
        y = (scene.table_height_mm + ROOM_MM - self._table_mm[:, 1]) / _MM_PER_TEXEL - 0.5
        maps = [self._upsample(m) for m in (x, y)]
        image = cv2.remap(
            texture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return image.astype(np.float32)

    def fall_on(self, canvas: FloatImage) -> FloatImage:
        """The picture under this light."""
        return self.fall_on_part(canvas, (slice(None), slice(None)))

    def fall_on_part(self, part: FloatImage, box: tuple[slice, slice]) -> FloatImage:
        """The part of the picture in this box under this light."""
        cv2.multiply(part, self._gain[box], part)
        if self._glare is not None:
            # A reflection adds white light and hides what lies under it.
            part += (255 - part) * self._glare[box][..., None]
        return part

    def _gain_on_grid(self) -> FloatArray:
        view = self._view
        x, y = self._table_mm[:, 0], self._table_mm[:, 1]
        gain = np.full(len(x), view.light)
        if view.light_slope:
            width, height = self._scene.table_width_mm, self._scene.table_height_mm
            share = np.clip((x / width + y / height) / 2, -0.3, 1.3)
            gain *= 1 - view.light_slope * (1 - share)
        for shadow in view.shadow:
            angle = math.radians(shadow.heading_deg)
            off = (x - shadow.x_mm) * math.cos(angle) - (y - shadow.y_mm) * math.sin(angle)
            soft = max(1.0, shadow.softness_mm)
            inside = 1 / (
                1 + np.exp(np.clip((np.abs(off) - shadow.width_mm / 2) / (soft / 4), -60, 60))
            )
            gain *= 1 - shadow.strength * inside
        if view.vignette:
            middle = ((self._camera.width_px - 1) / 2, (self._camera.height_px - 1) / 2)
            radius = np.hypot(*(self._pixels - middle).T) / math.hypot(*middle)
            gain *= 1 - view.vignette * radius**2
        return gain

    def _glare_on_grid(self) -> FloatArray:
        glare = np.zeros(len(self._table_mm))
        for spot in self._view.glare:
            off = self._table_mm - (spot.x_mm, spot.y_mm)
            glare += spot.strength * np.exp(-((off / spot.radius_mm) ** 2).sum(axis=1) * 1.5)
        return np.clip(glare, 0, 1)

    def _upsample(self, values: FloatArray) -> FloatImage:
        rows, columns = self._shape
        matrix = np.array([[_GRID_PX, 0, 0], [0, _GRID_PX, 0]], dtype=np.float64)
        size = (self._camera.width_px, self._camera.height_px)
        grid = values.reshape(rows, columns).astype(np.float32)
        return np.asarray(
            cv2.warpAffine(grid, matrix, size, flags=cv2.INTER_LINEAR), dtype=np.float32
        )


class Grain:
    """The sensor's noise, frame by frame; a stream cuts its frames from one long strip of it."""

    def __init__(self, view: CameraView, *, stream: bool) -> None:
        self._seed = view.seed
        self._shape = (view.height_px, view.width_px, 3)
        self._size = math.prod(self._shape)
        self._strip: NDArray[np.float32] | None = None
        if stream and view.noise > 0:
            rng = np.random.default_rng([self._seed, 29])
            self._strip = rng.standard_normal(self._size + _STRIP_SLACK, dtype=np.float32)

    def bands(self, number: int) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Normal noise for band after band of rows, always the same for the same number."""
        rng = np.random.default_rng([self._seed, 23, number])
        height, width, _ = self._shape
        start = int(rng.integers(_STRIP_SLACK))
        for top in range(0, height, _BAND_ROWS):
            rows = slice(top, min(height, top + _BAND_ROWS))
            shape = (rows.stop - top, width, 3)
            if self._strip is None:
                yield rows, rng.standard_normal(shape, dtype=np.float32)
            else:
                first = start + top * width * 3
                yield rows, self._strip[first : first + math.prod(shape)].reshape(shape)

    def still(self) -> NDArray[np.float32] | None:
        """The noise of a whole frame, always the same; None where there is none."""
        if self._strip is None:
            return None
        return self._strip[: self._size].reshape(self._shape)


def finish(canvas: FloatImage, view: CameraView, grain: Grain, number: int) -> NDArray[np.uint8]:
    """Lens blur, the sensor's noise, rounding, compression."""
    canvas = blurred(canvas, view)
    if view.noise > 0:
        for rows, noise in grain.bands(number):
            canvas[rows] += noise_on(canvas[rows], noise, view)
    np.maximum(canvas, 0, out=canvas)
    # Rounds and keeps to 255 in one go.
    image = np.asarray(cv2.convertScaleAbs(canvas), np.uint8)
    if view.jpeg_quality:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, view.jpeg_quality])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return image


def blurred(canvas: FloatImage, view: CameraView) -> FloatImage:
    """What the lens and a shaken camera make of a picture."""
    if view.blur_px > 0:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), view.blur_px), np.float32)
    if view.motion_blur_px > 0:
        kernel = _streak(view.motion_blur_px, view.motion_blur_deg)
        canvas = np.asarray(cv2.filter2D(canvas, -1, kernel), np.float32)
    return canvas


def noise_on(canvas: FloatImage, noise: NDArray[np.float32], view: CameraView) -> FloatImage:
    """Normal noise as strong as it is on a picture so bright.

    Light comes in photons: brighter pixels are noisier, dark ones keep the read noise.
    """
    strength = canvas * np.float32(view.noise * 0.45 / 128)
    strength += np.float32(view.noise * 0.55)
    strength *= noise
    return strength


def _streak(length_px: float, angle_deg: float) -> FloatImage:
    """The path of a shaken camera: a line of this length, its mean in the kernel's middle."""
    half = math.ceil(length_px / 2) + 1
    side = 2 * half + 1
    steps = np.linspace(-0.5, 0.5, 8 * side) * length_px
    angle = math.radians(angle_deg)
    x, y = half + steps * math.cos(angle), half + steps * math.sin(angle)
    kernel = np.zeros((side, side), np.float32)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    for dx in (0, 1):
        for dy in (0, 1):
            weight = (1 - np.abs(x - left - dx)) * (1 - np.abs(y - top - dy))
            np.add.at(kernel, (top + dy, left + dx), weight.astype(np.float32))
    return np.asarray(kernel / kernel.sum(), np.float32)
