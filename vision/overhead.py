"""The table from straight above, from a picture that was taken from anywhere."""

from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from vision.detect import Image

_STEP_PX: Final = 8
"""The lens bends so little within a square of this size that its inside is straight."""


def overhead(
    image: Image, plane: TablePlane, table: TableSize, width_px: int, *, mirrored: bool = False
) -> Image:
    """The table's rectangle with its far edge at the top; black where the picture shows none."""
    picture = image[:, ::-1] if mirrored else image
    height_px = max(round(width_px * table.height_mm / table.width_mm), 1)
    columns = max(-(-width_px // _STEP_PX) + 1, 2)
    rows = max(-(-height_px // _STEP_PX) + 1, 2)
    x = np.linspace(0, table.width_mm, columns)
    y = np.linspace(table.height_mm, 0, rows)
    places = np.stack(np.meshgrid(x, y), axis=-1)
    pixels = np.nan_to_num(plane.to_px(places.reshape(-1, 2)), nan=-1.0)
    grid = np.clip(pixels, -30_000, 30_000).reshape(rows, columns, 2).astype(np.float32)
    # Between the grid's points, whose ends are the edges of the table.
    across = np.linspace(0, columns - 1, width_px, dtype=np.float32)
    down = np.linspace(0, rows - 1, height_px, dtype=np.float32)
    maps = cv2.remap(
        grid,
        np.broadcast_to(across, (height_px, width_px)).copy(),
        np.broadcast_to(down[:, None], (height_px, width_px)).copy(),
        cv2.INTER_LINEAR,
    )
    found = cv2.remap(np.ascontiguousarray(picture), maps, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    return np.asarray(found, dtype=np.uint8)
