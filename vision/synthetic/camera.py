"""The pinhole camera behind the renderer: where it stands, how its lens bends, what is exact.

The table's plane is z = 0, millimetres, x right, y away from the host, z up. Pixel centres are
at integer coordinates, as everywhere in OpenCV. The lens is Brown's model with the coefficients
in OpenCV's order, so that `cv2.undistortPoints` with the same numbers undoes it.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from tabletop.errors import DreyerError
from tabletop.schema import FILE_CONFIG, Flag, Number, Unit, Whole

FloatArray = NDArray[np.float64]
FARTHEST_MM: Final = 20_000.0
TablePlace = Annotated[Number, Field(ge=-FARTHEST_MM, le=FARTHEST_MM), Unit("mm")]
Angle = Annotated[Number, Field(ge=-360, le=360), Unit("degrees")]
Share = Annotated[Number, Field(ge=0, le=1)]
_NEWTON_STEPS = 12


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp's reflection on the table: a bright, soft spot; strength 1 washes out to white."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    x_mm: TablePlace
    y_mm: TablePlace
    radius_mm: Annotated[Number, Field(gt=0, le=5000), Unit("mm")] = 120.0
    strength: Share = 1.0


@dataclass(frozen=True, slots=True)
class Shadow:
    """A soft band of shade across the table, as a player or a lamp's arm throws it."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    x_mm: TablePlace
    y_mm: TablePlace
    heading_deg: Angle = 30.0
    """Which way the band runs."""
    width_mm: Annotated[Number, Field(gt=0, le=FARTHEST_MM), Unit("mm")] = 300.0
    strength: Share = 0.5
    softness_mm: Annotated[Number, Field(ge=0, le=2000), Unit("mm")] = 40.0


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Where the camera stands and what it does to the picture."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    width_px: Annotated[Whole, Field(ge=64, le=8000)] = 1920
    height_px: Annotated[Whole, Field(ge=64, le=7500)] = 1080
    height_mm: Annotated[Number, Field(ge=50, le=20_000), Unit("mm")] | None = None
    """Above the table; None puts the camera as low as sees the table with its corner tags."""
    tilt_deg: Annotated[Number, Field(ge=0, le=80), Unit("degrees")] = 30.0
    """0 looks straight down; more looks from the host's side (turned by the pan)."""
    pan_deg: Angle = 0.0
    """Walks the camera round the table, clockwise from the host's side seen from above."""
    roll_deg: Angle = 0.0
    """Turns the camera about its own axis."""
    aim_x_mm: TablePlace | None = None
    """Where the middle of the picture points; None is the table's centre, or what fits best."""
    aim_y_mm: TablePlace | None = None
    field_of_view_deg: Annotated[Number, Field(ge=5, le=150), Unit("degrees")] = 70.0
    """Horizontal, without distortion."""
    k1: Annotated[Number, Field(ge=-1, le=1)] = 0.0
    k2: Annotated[Number, Field(ge=-1, le=1)] = 0.0
    p1: Annotated[Number, Field(ge=-0.1, le=0.1)] = 0.0
    p2: Annotated[Number, Field(ge=-0.1, le=0.1)] = 0.0
    blur_px: Annotated[Number, Field(ge=0, le=50), Unit("pixels")] = 0.0
    """The σ of a Gaussian, beyond the pixels' own size."""
    motion_blur_px: Annotated[Number, Field(ge=0, le=100), Unit("pixels")] = 0.0
    motion_blur_deg: Angle = 0.0
    """Which way the camera shakes, clockwise from the picture's right."""
    noise: Annotated[Number, Field(ge=0, le=100)] = 0.0
    """The σ of the sensor's noise at middle grey, in grey levels of 255."""
    vignette: Share = 0.0
    """The share of light lost in the picture's corners."""
    jpeg_quality: Annotated[Whole, Field(ge=0, le=100)] = 0
    """0 leaves the picture uncompressed."""
    light: Annotated[Number, Field(ge=0, le=10)] = 1.0
    """Exposure: 1 is well lit, 0 is a black frame, 2 blows out."""
    light_slope: Share = 0.0
    """The share of light lost from the table's far right to its near left."""
    warmth: Annotated[Number, Field(ge=-1, le=1)] = 0.0
    """From −1, blue daylight, to 1, the orange of a living-room lamp."""
    mirrored: Flag = False
    """Some webcam programs mirror the picture; nothing decodes then."""
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = 0

    def __post_init__(self) -> None:
        if min(self.width_px, self.height_px) < 16 or self.width_px * self.height_px > 60_000_000:
            raise DreyerError("vision.render.size", width=self.width_px, height=self.height_px)
        if not 0 <= self.tilt_deg <= 80 or not 5 <= self.field_of_view_deg <= 150:
            raise DreyerError(
                "vision.render.tilt", tilt=self.tilt_deg, field_of_view=self.field_of_view_deg
            )
        if self.height_mm is not None and self.height_mm <= 0:
            raise DreyerError("vision.render.height", height=self.height_mm)


@dataclass(frozen=True, slots=True)
class CameraView(CameraSettings):
    """The same with the light that falls on the table."""

    glare: tuple[Glare, ...] = ()
    shadow: tuple[Shadow, ...] = ()


@dataclass(frozen=True)
class TrueCamera:
    """The camera as it is: exact projection to pixels and back; x_cam = rotation · x + shift."""

    width_px: int
    height_px: int
    matrix: FloatArray
    distortion: FloatArray
    """k1, k2, p1, p2, 0: OpenCV's order."""
    rotation: FloatArray
    translation: FloatArray
    mirrored: bool = False

    @property
    def rotation_vector(self) -> FloatArray:
        """The rotation as OpenCV's functions take it."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], dtype=np.float64).reshape(3)

    @property
    def centre_mm(self) -> FloatArray:
        """Where the camera stands: x, y and its height."""
        return -self.rotation.T @ self.translation

    @cached_property
    def widest(self) -> float:
        """The tangent of the widest angle that the picture shows; beyond it nothing is drawn."""
        edge_x = np.linspace(0, self.width_px - 1, 33)
        edge_y = np.linspace(0, self.height_px - 1, 33)
        border = np.concatenate(
            [np.stack([edge_x, np.full(33, y)], axis=1) for y in (0.0, self.height_px - 1.0)]
            + [np.stack([np.full(33, x), edge_y], axis=1) for x in (0.0, self.width_px - 1.0)]
        )
        rays = self.rays(border)
        there_and_back = self._bend(rays)
        wanted = self._normalised(border)
        if not np.allclose(there_and_back, wanted, atol=1e-9, rtol=0) or not self._unfolded(rays):
            k1, k2, p1, p2 = self.distortion[:4]
            raise DreyerError(
                "vision.render.folded", k1=float(k1), k2=float(k2), p1=float(p1), p2=float(p2)
            )
        return float(np.hypot(rays[:, 0], rays[:, 1]).max())

    def project(self, points_mm: FloatArray) -> FloatArray:
        """The pixels (N × 2) of points on or above the table (N × 3, or N × 2 at its surface)."""
        points = np.asarray(points_mm, dtype=np.float64)
        if points.shape[-1] == 2:
            points = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
        seen = points @ self.rotation.T + self.translation
        bent = self._bend(seen[:, :2] / seen[:, 2:])
        pixels = bent * np.diag(self.matrix)[:2] + self.matrix[:2, 2]
        if self.mirrored:
            pixels[:, 0] = self.width_px - 1 - pixels[:, 0]
        return pixels

    def in_front(self, points_mm: FloatArray) -> bool:
        """Whether all the points lie before the camera, within the angle that it can show."""
        seen = np.asarray(points_mm) @ self.rotation.T + self.translation
        if seen[:, 2].min() <= 1.0:
            return False
        slopes = np.hypot(seen[:, 0], seen[:, 1]) / seen[:, 2]
        return bool(slopes.max() <= self.widest * 1.1)

    def unproject(self, pixels: FloatArray, height_mm: float = 0.0) -> FloatArray:
        """Where the rays of pixels (N × 2) meet the plane at a height: x, y in millimetres."""
        rays = self.rays(np.asarray(pixels, dtype=np.float64))
        directions = np.concatenate([rays, np.ones((len(rays), 1))], axis=1) @ self.rotation
        centre = self.centre_mm
        # A ray at or above the horizon meets the plane nowhere; it is sent far away.
        down = np.minimum(directions[:, 2], -1e-6)
        reach = (height_mm - centre[2]) / down
        return np.asarray(centre[:2] + reach[:, None] * directions[:, :2], np.float64)

    def rays(self, pixels: FloatArray) -> FloatArray:
        """The undistorted directions x/z, y/z of pixels, by Newton's method to full precision."""
        wanted = self._normalised(pixels)
        k1, k2, p1, p2 = self.distortion[:4]
        if not np.any(self.distortion):
            return wanted
        x, y = wanted[:, 0].copy(), wanted[:, 1].copy()
        for _ in range(_NEWTON_STEPS):
            square = x * x + y * y
            radial = 1 + square * (k1 + k2 * square)
            slope = 2 * (k1 + 2 * k2 * square)
            miss_x = x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x) - wanted[:, 0]
            miss_y = y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y - wanted[:, 1]
            xx = radial + slope * x * x + 2 * p1 * y + 6 * p2 * x
            xy = slope * x * y + 2 * p1 * x + 2 * p2 * y
            yy = radial + slope * y * y + 6 * p1 * y + 2 * p2 * x
            determinant = xx * yy - xy * xy
            determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
            step_x = (yy * miss_x - xy * miss_y) / determinant
            step_y = (xx * miss_y - xy * miss_x) / determinant
            x -= step_x
            y -= step_y
            if max(np.abs(step_x).max(), np.abs(step_y).max()) < 1e-13:
                break
        return np.stack([x, y], axis=1)

    def _normalised(self, pixels: FloatArray) -> FloatArray:
        if self.mirrored:
            pixels = pixels * (-1, 1) + (self.width_px - 1, 0)
        return (pixels - self.matrix[:2, 2]) / np.diag(self.matrix)[:2]

    def _bend(self, slopes: FloatArray) -> FloatArray:
        k1, k2, p1, p2 = self.distortion[:4]
        x, y = slopes[:, 0], slopes[:, 1]
        square = x * x + y * y
        radial = 1 + square * (k1 + k2 * square)
        return np.stack(
            [
                x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
                y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
            ],
            axis=1,
        )

    def _unfolded(self, rays: FloatArray) -> bool:
        """Whether the radius grows all the way out to the picture's corners."""
        k1, k2 = self.distortion[:2]
        square = np.linspace(0, np.hypot(rays[:, 0], rays[:, 1]).max(), 200) ** 2
        return bool((1 + square * (3 * k1 + 5 * k2 * square)).min() > 0.05)


def true_camera(view: CameraView, table_width_mm: float, table_height_mm: float) -> TrueCamera:
    """The camera of a view over a table; a missing height or aim is taken as the table's fit."""
    if view.height_mm is None:
        view = fitted(view, table_width_mm, table_height_mm)
    aim_x = table_width_mm / 2 if view.aim_x_mm is None else view.aim_x_mm
    aim_y = table_height_mm / 2 if view.aim_y_mm is None else view.aim_y_mm
    height_mm = view.height_mm
    assert height_mm is not None  # noqa: S101 - fitted() gave it one.
    tilt, pan, roll = (math.radians(a) for a in (view.tilt_deg, view.pan_deg, view.roll_deg))
    away = np.array([math.sin(pan), math.cos(pan), 0.0])
    right = np.array([math.cos(pan), -math.sin(pan), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    ahead = away * math.sin(tilt) - up * math.cos(tilt)
    down = -away * math.cos(tilt) - up * math.sin(tilt)
    rotation = np.stack(
        [
            right * math.cos(roll) + down * math.sin(roll),
            down * math.cos(roll) - right * math.sin(roll),
            ahead,
        ]
    )
    centre = np.array([aim_x, aim_y, 0.0]) - ahead * (height_mm / math.cos(tilt))
    focal = view.width_px / 2 / math.tan(math.radians(view.field_of_view_deg) / 2)
    matrix = np.array(
        [
            [focal, 0.0, (view.width_px - 1) / 2],
            [0.0, focal, (view.height_px - 1) / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    camera = TrueCamera(
        width_px=view.width_px,
        height_px=view.height_px,
        matrix=matrix,
        distortion=np.array([view.k1, view.k2, view.p1, view.p2, 0.0]),
        rotation=rotation,
        translation=-rotation @ centre,
        mirrored=view.mirrored,
    )
    _ = camera.widest  # Speaks up about a lens that folds the picture.
    return camera


@lru_cache(maxsize=64)
def fitted(
    view: CameraView, table_width_mm: float, table_height_mm: float, margin_mm: float = 60.0
) -> CameraView:
    """The view from as low as shows the whole table, with this much around the tags' centres."""
    lows, highs = -margin_mm, np.array([table_width_mm, table_height_mm]) + margin_mm
    across = np.linspace(lows, highs[0], 9)
    along = np.linspace(lows, highs[1], 9)
    rim = np.array(
        [(x, y, 0.0) for x in across for y in (lows, highs[1])]
        + [(x, y, 0.0) for x in (lows, highs[0]) for y in along]
    )
    limits = np.array([view.width_px - 1.0, view.height_px - 1.0])
    size = math.hypot(table_width_mm, table_height_mm) + 2 * margin_mm
    aim = np.array([table_width_mm / 2, table_height_mm / 2])
    height = size
    if view.aim_x_mm is not None:
        aim[0] = view.aim_x_mm
    if view.aim_y_mm is not None:
        aim[1] = view.aim_y_mm
    free = np.array([view.aim_x_mm is None, view.aim_y_mm is None])

    def look(height_mm: float) -> tuple[FloatArray, FloatArray] | None:
        camera = true_camera(
            replace(view, height_mm=height_mm, aim_x_mm=float(aim[0]), aim_y_mm=float(aim[1])),
            table_width_mm,
            table_height_mm,
        )
        if not camera.in_front(rim):
            return None
        pixels = camera.project(rim)
        return pixels.min(axis=0), pixels.max(axis=0)

    for _ in range(6):
        low, high = size * 0.05, size * 12
        for _ in range(30):
            middle = math.sqrt(low * high)
            box = look(middle)
            fits = box is not None and bool((box[0] >= 0).all() and (box[1] <= limits).all())
            low, high = (low, middle) if fits else (middle, high)
        height = high
        box = look(height)
        if box is None or not free.any():
            break
        # Point the middle of the picture at the middle of what is seen of the table.
        camera = true_camera(
            replace(view, height_mm=height, aim_x_mm=float(aim[0]), aim_y_mm=float(aim[1])),
            table_width_mm,
            table_height_mm,
        )
        centre = ((box[0] + box[1]) / 2)[None, :]
        aim = np.where(free, camera.unproject(centre)[0], aim)
    return replace(view, height_mm=height, aim_x_mm=float(aim[0]), aim_y_mm=float(aim[1]))
