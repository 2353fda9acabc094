"""Everything that is made once and kept, made before the first picture comes."""

from dataclasses import replace
from functools import cache
from typing import Final

import cv2
import numpy as np

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import CORNER_IDS, SHIP_SIZE_MM, Family, tag_bits
from vision.locate import locate

_MODULE_PX: Final = 4
_MM_PER_PX: Final = SHIP_SIZE_MM / (6 * _MODULE_PX)
_SIZE_PX: Final = (1920, 1080)
"""As large as a camera's, for what OpenCV and the system's memory do only once as well."""
_PLACES_PX: Final = ((40, 200), (280, 200), (280, 40), (40, 40), (160, 120))


@cache
def warm_up(family: Family) -> None:
    """Find a small drawn table, so that a camera's first picture need not wait for any of this."""
    width, height = _SIZE_PX
    picture = np.full((height, width), 90, np.uint8)
    numbers = [*CORNER_IDS.values(), family.ship_ids[0]]
    for number, (x, y) in zip(numbers, _PLACES_PX, strict=True):
        module_px = 2 * _MODULE_PX if number in CORNER_IDS.values() else _MODULE_PX
        paper = np.pad(tag_bits(family, number), 1, constant_values=1) * np.uint8(200)
        large = np.kron(paper, np.ones((module_px, module_px), np.uint8))
        half = len(large) // 2
        picture[y - half : y + half, x - half : x + half] = large + 20
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.uint8)
    (right, upper), (left, lower) = _PLACES_PX[1], _PLACES_PX[3]
    table = TableSize((right - left) * _MM_PER_PX, (upper - lower) * _MM_PER_PX)
    for thorough in (False, True):
        locate(
            blurred, replace(default_marker_set(), family=family), table, thorough=thorough
        )  # fmt: skip
    for number in range(family.size):
        tag_bits(family, number)
