"""How good a camera's picture of the table is, in figures, and what to do about it.

All of it is read off the corner markers as they were fitted: how many pixels a millimetre gets,
how sharp their edges are, how black and white they look; the smallest marker that will be found
follows from that.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from calibration.homography import TablePlane, TableSize
from calibration.marker_file import MarkerSet, number_name
from calibration.markers import CORNER_IDS, SHIP_SIZE_MM, MarkerKind
from tabletop.messages import Message, ShipRef
from vision.locate import CLIPPING, TOO_BRIGHT
from vision.tags.detect import Detection

LEAST_SIDE_PX: Final = 11.0
"""Every marker of this side was found in sharp rendered pictures; at 9 px one in thirty is lost."""
_CLIPPED_SIDE_PX: Final = 14.0
"""The same where white paper is clipped: of 13 to 16 px 96 % were found in ray-traced pictures."""
_BLUR_BASE_PX: Final = 2.0
_BLUR_SLOPE: Final = 10.0
"""The same limit in softer pictures: 2 px and 10 times the blur, measured at 0.6 to 1.4 px."""
_SLOW_FRAMES: Final = 4.0
_PALE: Final = 60.0
_LOWEST_EDGE: Final = 0.35
_NAMED_AT_MOST: Final = 12
_CORNERS: Final = frozenset(CORNER_IDS.values())


class Sharpness(StrEnum):
    """How soft a picture's edges are."""

    SHARP = "sharp"
    A_LITTLE_SOFT = "a little soft"
    SOFT = "soft"
    BLURRED = "blurred"

    @property
    def message(self) -> Message:
        """In words."""
        return Message(f"vision.sharpness.{self.name.lower()}")


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
    exposure: float = 1.0
    """White paper's light as a multiple of what the picture can hold: above 1 it is clipped."""

    @property
    def is_too_bright(self) -> bool:
        """Whether white runs over into black so far that small markers suffer."""
        return self.exposure > CLIPPING

    @property
    def sharpness(self) -> Sharpness:
        """The blur in a word."""
        limits = (0.9, Sharpness.SHARP), (1.4, Sharpness.A_LITTLE_SOFT), (2.2, Sharpness.SOFT)
        for limit, sharpness in limits:
            if self.blur_px <= limit:
                return sharpness
        return Sharpness.BLURRED

    def remedies(self, tag_mm: float = SHIP_SIZE_MM) -> list[Message]:
        """What to do about whatever is poor, the worst first."""
        found = []
        if self.is_too_bright:
            found.append(TOO_BRIGHT)
        if self.smallest_tag_mm > tag_mm:
            found.append(
                Message(
                    "vision.check.too_small",
                    size=tag_mm,
                    wanted=math.ceil(self.smallest_tag_mm),
                )
            )
        elif self.smallest_tag_mm > 0.8 * tag_mm:
            found.append(Message("vision.check.just_enough", size=tag_mm))
        if self.blur_px > 1.4:
            found.append(Message("vision.check.soft"))
        if self.contrast < _PALE:
            found.append(Message("vision.check.pale"))
        if self.far_px_per_mm < _LOWEST_EDGE * self.near_px_per_mm:
            found.append(Message("vision.check.far_edge"))
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
    if detection.exposure > CLIPPING:
        side_px = max(side_px, _CLIPPED_SIDE_PX)
    return CameraCheck(
        float(near.mean()),
        float(far.mean()),
        blur,
        contrast,
        side_px / float(min(near.min(), far.min())),
        detection.exposure,
    )


def not_seen(marker_set: MarkerSet, seen: Collection[int]) -> Message | None:
    """Which ships of the printed pages are not in the picture."""
    names = tuple(
        marker.name
        for marker in marker_set.markers
        if marker.kind is MarkerKind.SHIP
        and marker.id not in seen
        # A marker that has only its number may still lie in the box.
        and marker.name != number_name(marker.id)
    )
    if not names:
        return None
    listed = tuple(ShipRef(name) for name in names[:_NAMED_AT_MOST])
    more = len(names) - len(listed)
    code = "vision.check.not_seen_more" if more else "vision.check.not_seen"
    return Message(code, n=len(names), ships=listed, more=more)


def slow(frames_per_second: float | None) -> Message | None:
    """What to do about a slow camera."""
    if frames_per_second is None or frames_per_second >= _SLOW_FRAMES:
        return None
    return Message("vision.check.slow", pace=frames_per_second)
