"""A corner marker that nobody can read, shown to us by a finger on the picture.

First the place is looked at more closely: enlarged, and with its contrast stretched. If the marker
still cannot be read, the point itself is taken as its centre, with a finger's accuracy; together
with the corners in sight, and other points like it, it fixes the table.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.camera import Lens
from calibration.homography import HandCorner, TablePlane, TableSize, refocused
from calibration.marker_file import MarkerSet
from calibration.markers import Family
from calibration.planefit import solve_plane
from calibration.planeproblem import SeenSquare
from tabletop.errors import DreyerError
from vision.images import Array, Gray
from vision.tags.detect import Sighting, detect

_LEAST_HALF_PX: Final = 60
_SIDES: Final = 2.5
_ENLARGE: Final = 3
_GAMMAS: Final = (1.0, 2.6, 0.45)
"""The light as it is, then with the bright parts spread out, then the dark ones."""
_UNIT_SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])


def look_closer(
    gray: Gray, family: Family, corner_id: int, at_px: tuple[float, float], side_px: float
) -> HandCorner:
    """The corner at this place: its marker's true centre if it can be read, else the point."""
    half = max(_LEAST_HALF_PX, round(_SIDES * side_px))
    x, y = round(at_px[0]), round(at_px[1])
    left, upper = max(x - half, 0), max(y - half, 0)
    patch = gray[upper : y + half, left : x + half]
    if min(patch.shape) >= 16:
        size = (patch.shape[1] * _ENLARGE, patch.shape[0] * _ENLARGE)
        large = cv2.resize(patch, size, interpolation=cv2.INTER_CUBIC)
        for gamma in _GAMMAS:
            steps = (np.arange(256) / 255.0) ** gamma * 255.0
            toned = cv2.LUT(large, np.clip(steps, 0, 255).astype(np.uint8))
            found = detect(np.asarray(toned, dtype=np.uint8), family, ids=[corner_id])
            if found.sightings:
                # A pixel's middle is a whole number, both in the patch and enlarged.
                centre = (found.sightings[0].centre_px + 0.5) / _ENLARGE - 0.5
                return HandCorner(left + float(centre[0]), upper + float(centre[1]), found=True)
    return HandCorner(*at_px)


def plane_by_hand(
    seen: Sequence[Sighting],
    by_hand: Mapping[int, HandCorner],
    marker_set: MarkerSet,
    table: TableSize,
    lens: Lens,
    *,
    print_scale: float = 1.0,
    camera_height_mm: float | None = None,
) -> TablePlane:
    """The table from all four corners, some read and some shown by hand."""
    centres = {s.marker_id: s.centre_px for s in seen}
    by_hand = {number: point for number, point in by_hand.items() if number not in centres}
    centres |= {n: np.array([point.x_px, point.y_px]) for n, point in by_hand.items()}
    places = table.corner_places_mm
    missing = [number for number in range(len(places)) if number not in centres]
    if missing:
        raise DreyerError("vision.corners.missing", n=len(missing))
    numbers = sorted(centres)
    on_table = np.array([places[number] for number in numbers])
    in_picture = np.array([centres[number] for number in numbers])
    if _is_folded(in_picture):
        raise DreyerError("vision.corners.crossed")
    to_table = np.asarray(
        cv2.getPerspectiveTransform(
            lens.rays(in_picture).astype(np.float32), on_table.astype(np.float32)
        ),
        dtype=np.float64,
    )
    rough = TablePlane(lens, to_table, None)
    squares = [
        SeenSquare(
            s.corners_px, s.sigma_px, marker_set.size_mm(s.marker_id) * print_scale,
            (float(places[s.marker_id][0]), float(places[s.marker_id][1])),
        )
        for s in seen
        if s.marker_id in centres and s.marker_id < len(places)
    ]  # fmt: skip
    for number, point in by_hand.items():
        size = marker_set.size_mm(number) * print_scale
        outline = rough.to_px(places[number] + _UNIT_SQUARE * size)
        place = (float(places[number][0]), float(places[number][1]))
        squares.append(SeenSquare(outline, point.sigma_px, size, place))
    fit = solve_plane(squares, table, lens, camera_height_mm=camera_height_mm)
    if not fit.plane.lens.focal_known and fit.focal_scale is not None:
        return refocused(fit.plane, fit.focal_scale)
    return fit.plane


def _is_folded(corners_px: Array) -> bool:
    """Whether the corners, in order, do not go round once counterclockwise in the picture."""
    ahead = np.roll(corners_px, -1, axis=0) - corners_px
    after = np.roll(ahead, -1, axis=0)
    # y grows downwards, so the near left, near right, far right, far left turn is negative.
    return bool(((ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]) > -1.0).any())
