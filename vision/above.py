"""The table as a camera straight above it would see it."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import TablePlane, TableSize

Gray = NDArray[np.uint8]

MARGIN_MM: Final = 40.0
"""So much beyond the table's edges is in the view."""


def view_from_above(
    gray: Gray, plane: TablePlane, table: TableSize, height_mm: float, px_per_mm: float
) -> Gray:
    """The table as seen from straight above, its far edge at the top, with a margin around."""
    wide = round((table.width_mm + 2 * MARGIN_MM) * px_per_mm)
    tall = round((table.height_mm + 2 * MARGIN_MM) * px_per_mm)
    # Lens and plane bend slowly: work out every sixteenth spot and interpolate.
    columns, rows = -(-wide // 16) + 1, -(-tall // 16) + 1
    x, y = np.meshgrid(np.arange(columns) * 16.0, np.arange(rows) * 16.0)
    spots = np.stack(
        [x / px_per_mm - MARGIN_MM, table.height_mm + MARGIN_MM - y / px_per_mm], axis=-1
    )
    pixels = plane.to_px(spots, np.full(spots.shape[:2], height_mm)).astype(np.float32)
    stretch = np.array([[16.0, 0, 0], [0, 16.0, 0]])
    maps = [
        cv2.warpAffine(np.ascontiguousarray(pixels[..., axis]), stretch, (wide, tall))
        for axis in (0, 1)
    ]
    view = cv2.remap(gray, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, dtype=np.uint8)
