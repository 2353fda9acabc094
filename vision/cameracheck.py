"""How good a camera's picture of the table is, in figures and in words.

All of it is read off the corner markers as they were fitted: how many pixels a millimetre gets,
how sharp their edges are, how black and white they look; the smallest marker that will be found
follows from that.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.homography import TablePlane, TableSize
from calibration.markers import CORNER_IDS, SHIP_SIZE_MM
from vision.detect import Detection

LEAST_SIDE_PX: Final = 11.0
"""Every marker of this side was found in sharp rendered pictures; at 9 px one in thirty is lost."""
_BLUR_BASE_PX: Final = 2.0
_BLUR_SLOPE: Final = 10.0
"""The same limit in softer pictures: 2 px and 10 times the blur, measured at 0.6 to 1.4 px."""
_SLOW_FRAMES: Final = 4.0
_PALE: Final = 60.0
_LOWEST_EDGE: Final = 0.35
_CORNERS: Final = frozenset(CORNER_IDS.values())


@dataclass(frozen=True, slots=True)
class CameraCheck:
    """What a camera's picture of the table is worth."""

    near_px_per_mm: float
    far_px_per_mm: float
    blur_px: float
    """The σ of an edge's softness."""
    contrast: float
    """Grey levels between a marker's black and white."""
    smallest_tag_mm: float
    """The smallest marker that is found everywhere on the table."""

    @property
    def sharpness(self) -> str:
        """The blur in a word."""
        for limit, word in ((0.9, "sharp"), (1.4, "a little soft"), (2.2, "soft")):
            if self.blur_px <= limit:
                return word
        return "blurred"

    def remedies(self, tag_mm: float = SHIP_SIZE_MM) -> list[str]:
        """What to do about whatever is poor, the worst first."""
        found = []
        if self.smallest_tag_mm > tag_mm:
            found.append(
                f"markers of {tag_mm:g} mm are too small for this picture, which wants "
                f"{np.ceil(self.smallest_tag_mm):g} mm: bring the camera nearer, choose a larger "
                "picture size, or print larger markers"
            )
        elif self.smallest_tag_mm > 0.8 * tag_mm:
            found.append(
                f"markers of {tag_mm:g} mm are only just large enough; bring the camera nearer "
                "or choose a larger picture size"
            )
        if self.blur_px > 1.4:
            found.append(
                "the picture is soft: clean the lens, focus on the table, then lock the focus so "
                "that it does not hunt"
            )
        if self.contrast < _PALE:
            found.append(
                "the markers look pale: more light, no lamp mirrored in the paper, and matte "
                "black print"
            )
        if self.far_px_per_mm < _LOWEST_EDGE * self.near_px_per_mm:
            found.append(
                "the far edge gets few pixels: raise the camera or tilt it more steeply down"
            )
        return found


def check_camera(detection: Detection, plane: TablePlane, table: TableSize) -> CameraCheck:
    """Judge the picture in which these markers were found."""
    corners = [s for s in detection.sightings if s.marker_id in _CORNERS] or [*detection.sightings]
    blur = float(np.median([s.fit.blur_px for s in corners])) if corners else 0.0
    contrast = float(np.median([s.fit.contrast for s in corners])) if corners else 0.0
    across = np.linspace(0, table.width_mm, 5)
    near, far = (
        plane.px_per_mm(np.column_stack([across, np.full(5, y)])) for y in (0.0, table.height_mm)
    )
    side_px = max(LEAST_SIDE_PX, _BLUR_BASE_PX + _BLUR_SLOPE * blur)
    return CameraCheck(
        float(near.mean()),
        float(far.mean()),
        blur,
        contrast,
        side_px / float(min(near.min(), far.min())),
    )


def slow(frames_per_second: float | None) -> str | None:
    """What to do about a slow camera."""
    if frames_per_second is None or frames_per_second >= _SLOW_FRAMES:
        return None
    return (
        f"{frames_per_second:.1f} frames a second are few: give it more light (a dark picture is "
        "a slow one), a faster USB port, or a smaller picture size"
    )
