"""The table from straight above, from a picture that was taken from anywhere."""

from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from vision.images import Floats, Gray, Image

MARGIN_MM: Final = 40.0
"""So much beyond the table's edges is in the view that markers are sought in."""
_STEP_PX: Final = 8
"""The lens bends so little within a square of this size that its inside is straight."""


def overhead(
    image: Image, plane: TablePlane, table: TableSize, width_px: int, *, mirrored: bool = False
) -> Image:
    """The table's rectangle with its far edge at the top; black where the picture shows none."""
    picture = image[:, ::-1] if mirrored else image
    height_px = max(round(width_px * table.height_mm / table.width_mm), 1)
    across, down = (0.0, table.width_mm), (table.height_mm, 0.0)
    x, y = _sources(plane, across, down, (width_px, height_px), 0.0)
    found = cv2.remap(np.ascontiguousarray(picture), x, y, cv2.INTER_LINEAR)
    return np.asarray(found, dtype=np.uint8)


def view_from_above(
    gray: Gray, plane: TablePlane, table: TableSize, height_mm: float, px_per_mm: float
) -> Gray:
    """The table at a scale, its far edge at the top, with a margin around."""
    wide = round((table.width_mm + 2 * MARGIN_MM) * px_per_mm)
    tall = round((table.height_mm + 2 * MARGIN_MM) * px_per_mm)
    across = (-MARGIN_MM, (wide - 1) / px_per_mm - MARGIN_MM)
    top = table.height_mm + MARGIN_MM
    x, y = _sources(plane, across, (top, top - (tall - 1) / px_per_mm), (wide, tall), height_mm)
    view = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, dtype=np.uint8)


def _sources(
    plane: TablePlane,
    across_mm: tuple[float, float],
    down_mm: tuple[float, float],
    size_px: tuple[int, int],
    height_mm: float,
) -> tuple[Floats, Floats]:
    """For each pixel of a view, first to last along both axes, where the picture shows it."""
    wide, tall = size_px
    columns, rows = (max(-(-length // _STEP_PX) + 1, 2) for length in size_px)
    places = np.stack(
        np.meshgrid(np.linspace(*across_mm, columns), np.linspace(*down_mm, rows)), axis=-1
    )
    with np.errstate(all="ignore"):
        pixels = np.nan_to_num(plane.to_px(places.reshape(-1, 2), height_mm), nan=-1.0)
    grid = np.clip(pixels, -30_000, 30_000).reshape(rows, columns, 2).astype(np.float32)
    # Between the grid's points, whose ends are the view's edges.
    u = np.broadcast_to(np.linspace(0, columns - 1, wide, dtype=np.float32), (tall, wide)).copy()
    v = np.linspace(0, rows - 1, tall, dtype=np.float32)
    v = np.broadcast_to(v[:, None], (tall, wide)).copy()
    x, y = (
        np.asarray(
            cv2.remap(np.ascontiguousarray(grid[..., axis]), u, v, cv2.INTER_LINEAR), np.float32
        )
        for axis in (0, 1)
    )
    return x, y
