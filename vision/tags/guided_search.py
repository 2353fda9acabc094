"""Markers that no outline gave away, found by what is known of them: where, how large, and which.

With the table's plane solved, a marker can only shift and turn, and its size in the picture is
known. Each dark spot on bright paper of about that size is tried in every direction: a dark border
in a white frame tells how the marker lies, its modules who it is. Clipped or tiny borders that no
contour follows are still found so.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from calibration.markers import Family
from vision.images import Array, Floats, Gray
from vision.overhead import MARGIN_MM, view_from_above
from vision.tags.align import GAMMA, apply, corners_of
from vision.tags.decode import agree, likest_of, told_apart, turned
from vision.tags.detect import LEAST_SOFT_SCORE, Sighting, believe
from vision.tags.pose import pixels_to_mm

_LEAST_DROP: Final = 36
"""Grey levels by which a spot must be darker than the paper around it."""
_LEAST_SHARE: Final = 0.3
"""The same as a share of the paper's own grey."""
_SMALLEST: Final = 0.45
_LARGEST: Final = 1.5
"""A spot's extent as a multiple of the marker's."""
_SPOTS_AT_MOST: Final = 80
_WHITE_SHARE: Final = 0.85
_WHITE_PERCENTILE: Final = 99.5
_PALE_SHARE: Final = 0.1
"""On paper nearly as white as any, black that white ran over still leaves so much of a trace."""
_SAME_SPOT: Final = 0.1
_PX_PER_MARKER: Final = 18
"""The side of a marker in the view from above in which spots are looked for."""
_LEAST_PX_PER_MARKER: Final = 8
_LARGEST_VIEW_PX: Final = 3e6
"""The pixels of that view: on a very large table small markers are left to the outlines."""
_ANGLES: Final = np.radians(np.arange(0, 90, 7.5))
_SHIFTS: Final = np.array([(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)]) * 0.8
"""In modules."""
_TRIED: Final = 3
"""The best poses of each spot are looked at closely."""
_LEAST_FRAMED: Final = 0.5
"""Markers come to more than 1, other things on a table rarely to this."""
_LEAST_LIKENESS: Final = 0.7
_LEAST_OWN: Final = 0.85
_LEAST_SURE_PX: Final = 8.0
"""A smaller marker shows too little of its pattern for these: other codes come as near."""
_SURE: Final = ((0.945, 0.2), (0.925, 0.45))
"""Scores, each with how far ahead of any other code a marker must then be."""


def search_by_plane(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    table: TableSize,
    sizes_mm: Mapping[int, float],
    heights_mm: Mapping[int, float],
    found_px: Mapping[int, Array],
) -> list[Sighting]:
    """The markers of these sizes that were not found yet; for each its height above the table.

    `found_px` are the centres of those that were.
    """
    missing = sorted(set(sizes_mm) - set(found_px))
    sightings: list[Sighting] = []
    # Markers of one size and height are sought together.
    kinds = sorted({(sizes_mm[number], heights_mm.get(number, 0.0)) for number in missing})
    for size, height in kinds:
        ids = [n for n in missing if (sizes_mm[n], heights_mm.get(n, 0.0)) == (size, height)]
        spots = _dark_spots(
            gray,
            plane,
            table,
            size,
            height,
            [*found_px.values(), *(s.centre_px for s in sightings)],
        )
        proposals = _proposals(gray, family, plane, spots, size, height, ids)
        sightings += _believed(gray, family, proposals)
    return sightings


def _believed(gray: Gray, family: Family, proposals: Sequence[tuple[int, Array]]) -> list[Sighting]:
    """The proposals whose whole pattern agrees and that are clearly nobody else.

    Where white runs over, a border's modules may be as light as paper and yet agree with every
    pixel once the exposure is fitted; so the fit says what each code would look like.
    """
    seen = believe(gray, family, proposals)
    if not seen:
        return []
    from_tag = np.linalg.inv(np.stack([sighting.fit.to_tag for sighting in seen]))
    ids = [sighting.marker_id for sighting in seen]
    looks = [
        (
            s.fit.blur_px * family.modules / s.side_px,
            GAMMA if s.fit.exposure > 1 else 1.0,
            s.fit.exposure,
        )
        for s in seen
    ]
    own, ahead = told_apart(gray, family, ids, from_tag, looks)
    sure = agree(gray, family, ids, from_tag)
    return [
        sighting
        for i, sighting in enumerate(seen)
        if (sure[i] and sighting.score >= LEAST_SOFT_SCORE)
        or (
            own[i] >= _LEAST_OWN
            and sighting.side_px >= _LEAST_SURE_PX
            and any(sighting.score >= score and ahead[i] >= lead for score, lead in _SURE)
        )
    ]


def _dark_spots(
    gray: Gray,
    plane: TablePlane,
    table: TableSize,
    size_mm: float,
    height_mm: float,
    found_px: Sequence[Array],
) -> Array:
    """The places of dark spots of about a marker's size on brighter paper, the clearest first."""
    area = (table.width_mm + 2 * MARGIN_MM) * (table.height_mm + 2 * MARGIN_MM)
    scale = min(_PX_PER_MARKER / size_mm, math.sqrt(_LARGEST_VIEW_PX / area))
    side_px = scale * size_mm
    if side_px < _LEAST_PX_PER_MARKER:
        return np.empty((0, 2))
    flat = view_from_above(gray, plane, table, height_mm, scale)
    reach = round(side_px) + 3
    paper = cv2.morphologyEx(flat, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    drop: Gray = np.asarray(cv2.subtract(paper, flat), dtype=np.uint8)
    dark = ((drop > _LEAST_DROP) & (drop > _LEAST_SHARE * paper)).astype(np.uint8)
    white = paper >= _WHITE_SHARE * float(np.percentile(paper, _WHITE_PERCENTILE))
    pale = (white & (drop > _PALE_SHARE * paper)).astype(np.uint8)
    centre = np.concatenate(
        [_spots(mask, drop, side_px) for mask in (_joined(pale), _joined(dark), dark)]
    )
    centre = centre * [1, -1] / scale + [-MARGIN_MM, table.height_mm + MARGIN_MM]
    order = np.arange(len(centre))
    if found_px and len(order):
        known = plane.to_mm(np.stack(found_px), height_mm)
        away = np.linalg.norm(centre[order, None] - known, axis=2).min(axis=1)
        order = order[away > 0.7 * size_mm]
    kept: list[Array] = []
    for place in centre[order]:
        if len(kept) < _SPOTS_AT_MOST and all(
            np.abs(place - other).max() > _SAME_SPOT * size_mm for other in kept
        ):
            kept.append(place)
    return np.array(kept).reshape(-1, 2)


def _joined(mask: Gray) -> Gray:
    """The mask with its pieces taken together: white that ran over cuts a border in several."""
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _spots(mask: Gray, drop: Gray, side_px: float) -> Array:
    """The middles of the spots of about a marker's size, those with the most dark first."""
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask)
    longest = boxes[1:, 2:4].max(axis=1) / side_px
    depth = np.bincount(labels.ravel(), drop.ravel(), minlength=count)[1:]
    centre = boxes[1:, :2] + (boxes[1:, 2:4] - 1) / 2
    chosen = (longest > _SMALLEST) & (longest < _LARGEST)
    return np.asarray(centre[chosen][np.argsort(-depth[chosen])], dtype=np.float64)


def _proposals(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    place: Array,
    size_mm: float,
    height_mm: float,
    ids: Sequence[int],
) -> list[tuple[int, Array]]:
    """Who might be at each spot, with the corners in the picture."""
    if not len(place) or not ids:
        return []
    count = len(place)
    to_mm = pixels_to_mm(plane, place, np.full(count, height_mm), np.full(count, size_mm))
    tag_to_mm, poses = _poses(family, place, size_mm)
    from_tag = np.linalg.inv(to_mm)[:, None] @ tag_to_mm
    framed = _frame_contrast(gray, family, from_tag.reshape(-1, 3, 3)).reshape(count, poses)
    chosen = np.argsort(-framed, axis=1)[:, :_TRIED]
    row = np.arange(count)[:, None]
    best = from_tag[row, chosen][framed[row, chosen] > _LEAST_FRAMED]
    if not len(best):
        return []
    corners = apply(best, corners_of(family))
    return [
        (marker_id, turned(corners[i], turn))
        for i, (marker_id, turn, likeness) in enumerate(likest_of(gray, family, best, ids))
        if likeness >= _LEAST_LIKENESS
    ]


def _poses(family: Family, place: Array, size_mm: float) -> tuple[Array, int]:
    """Every direction and shift about each place, as homographies from the tag to the table."""
    module = size_mm / family.modules
    turn = np.repeat(_ANGLES, len(_SHIFTS))
    shift = np.tile(_SHIFTS, (len(_ANGLES), 1)) * module
    poses = len(turn)
    out = np.zeros((len(place), poses, 3, 3))
    right = np.column_stack([np.cos(turn), -np.sin(turn)]) * module
    down = -np.column_stack([np.sin(turn), np.cos(turn)]) * module
    out[:, :, :2, 0], out[:, :, :2, 1] = right, down
    out[:, :, :2, 2] = place[:, None] + shift
    out[:, :, 2, 2] = 1.0
    return out, poses


def _frame_contrast(gray: Gray, family: Family, from_tag: Array) -> Floats:
    """By how much the white frame is lighter than the border, against how both vary."""
    half = family.modules / 2
    # The white is sampled near the border: paper may end one module away.
    line = np.clip(np.arange(-half - 0.5, half + 1), -half - 0.45, half + 0.45)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    ring = np.abs(grid).max(axis=1)
    grid = grid[ring > half - 1]
    white = ring[ring > half - 1] > half
    spots = apply(from_tag, grid[None]).astype(np.float32)
    values = cv2.remap(
        gray, np.ascontiguousarray(spots[..., 0]), np.ascontiguousarray(spots[..., 1]),
        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)  # fmt: skip
    light, dark = values[:, white], values[:, ~white]
    spread = light.std(axis=1) + dark.std(axis=1) + 4
    return np.asarray((light.mean(axis=1) - dark.mean(axis=1)) / spread, dtype=np.float32)
