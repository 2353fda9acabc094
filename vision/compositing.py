"""Pictures of words, and lines, put onto a frame."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

Colour = tuple[int, int, int]
"""Blue, green, red."""
Pixel = tuple[float, float]
_INK: Colour = (20, 20, 20)


def decode_layer(png: bytes) -> NDArray[np.uint8]:
    """A PNG as blue, green, red and opacity."""
    found = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(found, dtype=np.uint8)


def stamp(picture: Image, tile: NDArray[np.uint8], left: int, top: int) -> None:
    """Put a tile with opacity onto a picture, as far as it is inside."""
    height, width = picture.shape[:2]
    x, y = max(left, 0), max(top, 0)
    right, bottom = min(left + tile.shape[1], width), min(top + tile.shape[0], height)
    if right <= x or bottom <= y:
        return
    part = tile[y - top : bottom - top, x - left : right - left].astype(np.float32)
    opacity = part[..., 3:] / 255
    under = picture[y:bottom, x:right]
    under[:] = np.round(under * (1 - opacity) + part[..., :3] * opacity).astype(np.uint8)


def edged_line(picture: Image, start: Pixel, end: Pixel, colour: Colour, width: float) -> None:
    """Draw a line with a dark edge."""
    ends = (round(start[0]), round(start[1])), (round(end[0]), round(end[1]))
    for ink, wide in ((_INK, width + 2), (colour, width)):
        cv2.line(picture, *ends, ink, max(round(wide), 1), cv2.LINE_AA)
