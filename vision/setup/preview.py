"""What a camera that is being set up shows, and what is wrong with it, as data for a page.

The tracker wants a table; while somebody still turns the camera and lays out the corners there
may be none. So the picture is looked over here by itself: which corner markers are in sight, where
a missing one should be and why it is not read, and what is poor about the picture as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize, apply_homography
from calibration.marker_file import MarkerSet
from calibration.markers import CORNER_IDS, SHIP_SIZE_MM, UNIT_KINDS, Corner
from vision.images import Array, Gray, Image, to_gray
from vision.picture_files import encode_image
from vision.setup.camera_check import CameraCheck, check_camera
from vision.snapshot import CameraState, Snapshot
from vision.sources.frame_source import Trouble
from vision.tags.detect import Detection, Region, detect

_CORNERS: Final = tuple(Corner)
_IDS: Final = frozenset(CORNER_IDS.values())
_DARK_WHITE: Final = 70.0
"""Where the brightest parts of a picture are darker than this, white paper is grey."""
_BURNT: Final = 246
_BURNT_SHARE: Final = 0.3
_DARK_SHARE: Final = 0.45
"""A place so much darker than white paper elsewhere lies in shadow."""
_BLURRED_PX: Final = 1.8
"""Softer than this, markers are lost; `CameraCheck` calls it soft."""
_PALE: Final = 60.0
_LEAST_CORNER_PX: Final = 16.0
_EDGE_SHARE: Final = 0.012
_WINDOW_PX: Final = 15
_STEP_SLOPE: Final = 2.507
"""A step of height 1 blurred by σ is 1 / (√(2π) σ) steep at its middle."""
_UNIT_SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])


class PictureFault(StrEnum):
    """What can be wrong with a picture as a whole, the worst first."""

    NO_CAMERA = "no_camera"
    NO_FILE = "no_file"
    IN_USE = "in_use"
    NO_STREAM = "no_stream"
    ENDED = "ended"
    BLACK = "black"
    DARK = "dark"
    BRIGHT = "bright"
    BLURRED = "blurred"
    SMALL = "small"
    MIRRORED = "mirrored"
    PALE = "pale"


class CornerFault(StrEnum):
    """Why a corner marker is not read."""

    OUTSIDE = "outside"
    BRIGHT = "bright"
    DARK = "dark"
    BLURRED = "blurred"
    SMALL = "small"
    TWICE = "twice"
    COVERED = "covered"
    UNKNOWN = "unknown"
    """Too few other corners are in sight to know where it should be."""


@dataclass(frozen=True, slots=True, eq=False)
class CornerLook:
    """One corner marker in the picture, or the lack of it."""

    corner: Corner
    outline_px: Array | None = None
    """Where it is seen; None where it is not."""
    guess_px: Array | None = None
    """Where it should be, if the others tell and the picture goes so far."""
    fault: CornerFault | None = None

    @property
    def seen(self) -> bool:
        """Whether it is read now."""
        return self.outline_px is not None


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A picture looked over; pixels count in the picture as it is shown, never mirrored."""

    width_px: int
    height_px: int
    corners: tuple[CornerLook, ...]
    """All four, in the order of their ids."""
    faults: tuple[PictureFault, ...] = ()
    check: CameraCheck | None = None
    size_factor: float | None = None
    """How large the corner markers look against what was printed, where the table is solved."""


def look_over(image: Image, snapshot: Snapshot, marker_set: MarkerSet, table: TableSize) -> Preview:
    """The picture that this snapshot came from, for somebody who sets up the camera."""
    gray = to_gray(image)
    if snapshot.mirrored:
        gray = np.ascontiguousarray(gray[:, ::-1])
    height_px, width_px = gray.shape
    held = snapshot.camera.state is CameraState.OK
    known = {CORNER_IDS[c.corner]: c.outline_px for c in snapshot.corners if c.visible}
    if held and known:
        found = detect(
            gray, marker_set.family, ids=_IDS, thorough=False,
            regions=[_around(outline, 0.6) for outline in known.values()],
        )  # fmt: skip
        outlines = known
    else:
        found = detect(gray, marker_set.family, ids=_IDS)
        outlines = {s.marker_id: s.corners_px for s in found.sightings}
    plane = snapshot.plane if held else None
    guesses = _guesses(outlines, plane, marker_set, table)
    white = float(np.percentile(gray[::8, ::8], 99.5))
    blur = _blur_px(gray, found)
    looks = []
    for number, corner in enumerate(_CORNERS):
        if number in outlines:
            looks.append(CornerLook(corner, outlines[number]))
            continue
        guess = guesses.get(number)
        fault = CornerFault.TWICE if number in found.twice else None
        if fault is None:
            fault = _why_missing(gray, guess, white, blur)
        inside = guess is not None and fault is not CornerFault.OUTSIDE
        looks.append(CornerLook(corner, None, guess if inside else None, fault))
    check = size = None
    if plane is not None and found.sightings:
        check = check_camera(found, plane, table)
        size = _size_factor(plane, outlines, marker_set)
    faults = _faults(white, blur, check, snapshot, marker_set, gray)
    return Preview(width_px, height_px, tuple(looks), faults, check, size)


def kind_of_trouble(trouble: Trouble, source: str, plugged: frozenset[str]) -> PictureFault:
    """Which picture goes with a source's own words."""
    if trouble.black:
        return PictureFault.BLACK
    if trouble.over:
        return PictureFault.ENDED
    if source.casefold().startswith(("http://", "https://")):
        return PictureFault.NO_STREAM
    if not source.isdecimal():
        # Only cameras that are plugged in have numbers: this is a video, a picture or a folder.
        return PictureFault.NO_FILE
    return PictureFault.IN_USE if source in plugged else PictureFault.NO_CAMERA


def plain_jpeg(image: Image, *, mirrored: bool, width_px: int, quality: int = 80) -> bytes:
    """The picture without any marks, no wider than this, as the bytes of a JPEG file."""
    shown = image[:, ::-1] if mirrored else image
    if shown.shape[1] > width_px:
        height_px = round(shown.shape[0] * width_px / shown.shape[1])
        shown = cv2.resize(  # type: ignore[assignment]
            np.ascontiguousarray(shown), (width_px, height_px), interpolation=cv2.INTER_AREA
        )
    return encode_image(np.ascontiguousarray(shown, dtype=np.uint8), "frame.jpg", quality)


def marker_outline_mm(
    x_mm: float, y_mm: float, heading_deg: float, width_mm: float, length_mm: float | None = None
) -> Array:
    """A marker's or a base's outline on the table, upper left first; a marker is square."""
    angle = np.radians(heading_deg)
    right = np.array([np.cos(angle), -np.sin(angle)])
    ahead = np.array([np.sin(angle), np.cos(angle)])
    across = _UNIT_SQUARE[:, :1] * width_mm * right
    along = _UNIT_SQUARE[:, 1:] * (width_mm if length_mm is None else length_mm) * ahead
    return np.asarray(np.array([x_mm, y_mm]) + across + along)


def _guesses(
    outlines: Mapping[int, Array], plane: TablePlane | None, marker_set: MarkerSet, table: TableSize
) -> dict[int, Array]:
    """Where the outlines of the missing corner markers should be."""
    missing = [number for number in range(len(_CORNERS)) if number not in outlines]
    places = table.corner_places_mm

    def square(number: int) -> Array:
        return np.asarray(places[number] + _UNIT_SQUARE * marker_set.size_mm(number))

    if plane is not None:
        return {number: plane.to_px(square(number)) for number in missing}
    if len(outlines) < 2:
        return {}
    on_table = np.concatenate([square(number) for number in outlines])
    in_picture = np.concatenate(list(outlines.values()))
    homography, _ = cv2.findHomography(on_table, in_picture)
    # Points that make no plane give None, whatever OpenCV's stubs promise.
    if np.size(homography) != 9:
        return {}
    matrix = np.asarray(homography, dtype=np.float64)
    return {number: apply_homography(matrix, square(number)) for number in missing}


def _why_missing(gray: Gray, guess: Array | None, white: float, blur: float) -> CornerFault:
    if guess is None or not np.isfinite(guess).all():
        return CornerFault.UNKNOWN
    height, width = gray.shape
    x, y = guess.mean(axis=0)
    margin = _EDGE_SHARE * width
    if not (margin < x < width - margin and margin < y < height - margin):
        return CornerFault.OUTSIDE
    left, upper, right, lower = _around(guess, 0.15)
    patch = gray[max(upper, 0) : max(lower, 1), max(left, 0) : max(right, 1)]
    if patch.size < 16:
        return CornerFault.SMALL
    if np.count_nonzero(patch >= _BURNT) > _BURNT_SHARE * patch.size:
        return CornerFault.BRIGHT
    if float(np.percentile(patch, 97)) < max(_DARK_SHARE * white, 40.0):
        return CornerFault.DARK
    side = float(np.linalg.norm(np.roll(guess, -1, axis=0) - guess, axis=1).mean())
    if side < _LEAST_CORNER_PX:
        return CornerFault.SMALL
    return CornerFault.BLURRED if blur > _BLURRED_PX else CornerFault.COVERED


def _faults(
    white: float,
    blur: float,
    check: CameraCheck | None,
    snapshot: Snapshot,
    marker_set: MarkerSet,
    gray: Gray,
) -> tuple[PictureFault, ...]:
    found = []
    if white < _DARK_WHITE:
        found.append(PictureFault.DARK)
    elif float(np.percentile(gray[::8, ::8], 20)) > _BURNT or (check and check.is_too_bright):
        found.append(PictureFault.BRIGHT)
    if blur > _BLURRED_PX and white >= _DARK_WHITE:
        found.append(PictureFault.BLURRED)
    elif check is not None and check.smallest_tag_mm > _ship_size_mm(marker_set):
        # A soft picture needs larger markers too, but then it is the softness that wants mending.
        found.append(PictureFault.SMALL)
    if snapshot.mirrored:
        found.append(PictureFault.MIRRORED)
    if check is not None and check.contrast < _PALE and PictureFault.DARK not in found:
        found.append(PictureFault.PALE)
    return tuple(found)


def _ship_size_mm(marker_set: MarkerSet) -> float:
    return min(
        (m.size_mm for m in marker_set.markers if m.kind in UNIT_KINDS), default=SHIP_SIZE_MM
    )


def _size_factor(
    plane: TablePlane, outlines: Mapping[int, Array], marker_set: MarkerSet
) -> float | None:
    factors = []
    for number, outline in outlines.items():
        on_table = plane.to_mm(outline)
        sides = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
        factors.append(float(sides.mean()) / marker_set.size_mm(number))
    return float(np.median(factors)) if factors else None


def _blur_px(gray: Gray, found: Detection) -> float:
    """The σ of an edge's softness: at the markers, else at the picture's strongest edges."""
    if found.sightings:
        return float(np.median([s.fit.blur_px for s in found.sightings]))
    kernel = np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8)
    high = cv2.dilate(gray, kernel).astype(np.float32)
    contrast = high - cv2.erode(gray, kernel)
    strong = contrast > max(0.7 * float(contrast.max()), 24.0)
    if not strong.any():
        return 0.0
    across = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=0.125)
    steepest = cv2.dilate(cv2.magnitude(across, down), kernel)
    spread = contrast[strong] / np.maximum(_STEP_SLOPE * steepest[strong], 1e-3)
    return float(np.median(spread))


def _around(outline: Array, margin: float) -> Region:
    low, high = outline.min(axis=0), outline.max(axis=0)
    extra = margin * float((high - low).max())
    left, upper = (round(float(value)) for value in np.clip(low - extra, -30_000, 30_000))
    right, lower = (round(float(value)) for value in np.clip(high + extra, -30_000, 30_000))
    return left, upper, right, lower
