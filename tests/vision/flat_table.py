"""Photos of a large flat table with markers, drawn fast: one texture, seen by exact cameras."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marker_file import MarkerSet, PrintedMarker, anchor_name, number_name
from calibration.markers import CORNER_IDS, CORNER_SIZE_MM, SMALL, MarkerKind, tag_bits
from vision.synthetic.camera import CameraView, true_camera

SEA = (96, 70, 48)
_MARGIN_MM = 120.0
_STEP_PX = 6


@dataclass(frozen=True)
class LaidMarker:
    """A marker as it lies on the table."""

    id: int
    kind: MarkerKind
    x_mm: float
    y_mm: float
    heading_deg: float = 0.0
    size_mm: float = CORNER_SIZE_MM


@dataclass
class FlatTable:
    """A table with its markers; each may be taken away or laid elsewhere between photos."""

    width_mm: float
    height_mm: float
    px_per_mm: float
    markers: dict[int, LaidMarker] = field(default_factory=dict)

    def __post_init__(self) -> None:
        places = ((0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm),
                  (0.0, self.height_mm))  # fmt: skip
        for number, (x, y) in enumerate(places):
            self.markers[number] = LaidMarker(number, MarkerKind.CORNER, x, y)

    def lay(self, marker: LaidMarker) -> None:
        self.markers[marker.id] = marker

    def marker_set(self) -> MarkerSet:
        corners = {number: corner.value for corner, number in CORNER_IDS.items()}
        names = {MarkerKind.ANCHOR: anchor_name, MarkerKind.SHIP: number_name}
        return MarkerSet(
            SMALL,
            tuple(
                PrintedMarker(
                    each.id, corners[each.id] if each.id in corners else names[each.kind](each.id),
                    each.kind, 0, 0.0, 0.0, each.size_mm, 0.0,
                )
                for each in self.markers.values()
            ),
            (),
        )  # fmt: skip

    def texture(self) -> NDArray[np.uint8]:
        """The table from straight above, its far edge at the top."""
        size = tuple(
            round((side + 2 * _MARGIN_MM) * self.px_per_mm)
            for side in (self.height_mm, self.width_mm)
        )
        ground = np.full((*size, 3), SEA, np.uint8)
        for marker in self.markers.values():
            self._paste(ground, marker)
        return ground

    def _paste(self, ground: NDArray[np.uint8], marker: LaidMarker) -> None:
        bits = np.pad(tag_bits(SMALL, marker.id), 1, constant_values=1) * 225 + 12
        modules = len(bits)
        half = marker.size_mm / 2 * modules / (modules - 2)
        angle = math.radians(marker.heading_deg)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        at = [marker.x_mm + _MARGIN_MM, self.height_mm - marker.y_mm + _MARGIN_MM]
        # A texel's middle is a whole number.
        target = (square @ turn.T + at) * self.px_per_mm - 0.5
        low = np.floor(target.min(axis=0)).astype(int)
        high = np.ceil(target.max(axis=0)).astype(int) + 1
        fine = np.kron(bits, np.ones((16, 16))).astype(np.uint8)
        edge = 16 * modules - 0.5
        source = np.array([[-0.5, -0.5], [edge, -0.5], [edge, edge], [-0.5, edge]], np.float32)
        way = cv2.getPerspectiveTransform(source, (target - low).astype(np.float32))
        wide = tuple(int(side) for side in high - low)
        # Drawn finer and shrunk, so that edges between texels are grey.
        finer = np.diag([4.0, 4.0, 1.0]) @ way
        finer[:2] += 1.5 * finer[2]
        large = (wide[0] * 4, wide[1] * 4)
        piece = cv2.warpPerspective(fine, finer, large, flags=cv2.INTER_LINEAR)
        inside = cv2.warpPerspective(np.full_like(fine, 255), finer, large)
        piece = cv2.resize(piece, wide, interpolation=cv2.INTER_AREA).astype(np.float64)
        share = cv2.resize(inside, wide, interpolation=cv2.INTER_AREA)[..., None] / 255
        here = ground[low[1] : high[1], low[0] : high[0]]
        full = np.where(share > 0, piece[..., None] / np.maximum(share, 1e-6), 0.0)
        here[:] = np.round(full * share + here * (1 - share)).clip(0, 255)

    def photograph(
        self, view: CameraView, texture: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint8]:
        """The table through a camera with lens, blur and noise."""
        ground = self.texture() if texture is None else texture
        camera = true_camera(view, self.width_mm, self.height_mm)
        # Exact at every sixth pixel, and straight in between.
        wide, tall = -(-view.width_px // _STEP_PX) + 1, -(-view.height_px // _STEP_PX) + 1
        x, y = np.meshgrid(np.arange(wide) * _STEP_PX, np.arange(tall) * _STEP_PX)
        rays = camera.rays(np.stack([x.ravel(), y.ravel()], axis=-1).astype(np.float64))
        homography = np.column_stack([camera.rotation[:, :2], camera.translation])
        back = np.linalg.inv(homography)
        flat = rays @ back[:, :2].T + back[:, 2]
        ahead = flat[:, 2] > 0
        places = np.where(ahead[:, None], flat[:, :2] / flat[:, 2:], -1e6)
        across = (places[:, 0] + _MARGIN_MM) * self.px_per_mm - 0.5
        down = (self.height_mm - places[:, 1] + _MARGIN_MM) * self.px_per_mm - 0.5
        u, v = np.meshgrid(np.arange(view.width_px), np.arange(view.height_px))
        fine = [(each / _STEP_PX).astype(np.float32) for each in (u, v)]
        maps = [
            cv2.remap(
                each.clip(-20_000, 30_000).reshape(tall, wide).astype(np.float32),
                fine[0], fine[1], cv2.INTER_LINEAR,
            )
            for each in (across, down)
        ]  # fmt: skip
        seen = cv2.remap(ground, maps[0], maps[1], cv2.INTER_LINEAR, borderValue=(40, 60, 70))
        image = np.asarray(seen, np.float32)
        if view.blur_px:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), view.blur_px), np.float32)
        noise = np.random.default_rng(view.seed).standard_normal(image.shape, np.float32)
        return np.asarray(np.clip(image + noise * view.noise + 0.5, 0, 255), np.uint8)
