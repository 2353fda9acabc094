"""Coded markers in a picture: found by OpenCV, made exact and believed by whole-pattern alignment.

OpenCV proposes generously; a proposal counts only if its own pattern, laid over the picture,
agrees with every pixel.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from calibration.markers import CORNER_IDS, Family, dictionary
from vision.images import Array, Gray, Image, to_gray
from vision.tags.align import (
    FINEST_SAMPLES,
    MOST_SAMPLES,
    Fit,
    Freedom,
    align,
    apply,
    corners_of,
    to_tag_from_corners,
)
from vision.tags.decode import agree, identify, liveliness, turned

Region = tuple[int, int, int, int]
"""Left, upper, right and lower edge in pixels; right and lower are the first outside."""

LEAST_SCORE: Final = 0.8
"""The correlation below which a proposal is not believed."""
LEAST_SOFT_SCORE: Final = 0.945
"""The same for what OpenCV could not read; turrets on a deck come to 0.87."""
LEAST_CONTRAST: Final = 10.0
_SMALLEST_SIDE_PX: Final = 7.0
_LARGE_PICTURE_PX: Final = 2600
_CLOSER: Final = 3.0
_CLOSER_UP_TO_PX: Final = 80.0
_CLOSER_AT_MOST: Final = 24
_DOUBTFUL_AT_MOST: Final = 240
"""Places looked at again in one picture: clutter must not cost seconds."""
_SHRINK: Final = (1.0, 1.08, 1.16, 1.25, 0.94, 0.87, 0.8, 0.74, 0.68, 0.62)
_LEAST_LIVELY: Final = 5.0
_SHADE_PX: Final = 4
_SHADE_REACH: Final = 9
_SHADE_LIGHT: Final = 110
_SHADE_SPAN: Final = 34
"""Shade: so little light at most within a few times four pixels, and yet so much of a contrast."""
_SHADE_AT_MOST: Final = 30
_BIAS_PX: Final = 0.015
"""What alignment leaves over however little noise there is."""
_FINE_STEPS: Final = 3
_GLANCE_SAMPLES: Final = 24
"""Along a side of a marker at a glance at a whole picture; corner markers get all of theirs."""
_CLEARLY_BETTER: Final = 0.03
"""By so much must one id's score be above another's at the same place."""
_ONE_PLACE: Final = 0.5
"""Two markers whose centres are nearer than this share of a side are one."""
_SHARP_PX: Final = 0.5
_PHASE_PX: Final = 0.2
"""Below so much blur an edge along a row of pixels hides its place between them, by this slope."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One coded marker in the picture."""

    marker_id: int
    corners_px: Array
    """The coded square's corners: upper left, upper right, lower right, lower left of the tag."""
    sigma_px: float
    """1 σ of each corner along each axis."""
    score: float
    centre_px: Array
    """The coded square's centre, perspective allowed for."""
    side_px: float
    """The mean length of its edges."""
    fit: Fit


@dataclass(frozen=True, slots=True)
class Detection:
    """What a picture holds."""

    sightings: tuple[Sighting, ...]
    twice: tuple[int, ...] = ()
    """Ids seen in two places: none of them is believed."""
    unnamed_px: tuple[Array, ...] = ()
    """The corners of markers that were read as two ids at one place, neither of them clearly."""

    @property
    def exposure(self) -> float:
        """White paper's light as a multiple of what the picture can hold: the markers' median."""
        if not self.sightings:
            return 1.0
        return float(np.median([sighting.fit.exposure for sighting in self.sightings]))

    def by_id(self) -> dict[int, Sighting]:
        """The sightings by their markers' ids."""
        return {sighting.marker_id: sighting for sighting in self.sightings}


def detect(
    image: Image,
    family: Family,
    *,
    regions: Sequence[Region] | None = None,
    ids: Iterable[int] | None = None,
    taken_px: Sequence[Array] = (),
    thorough: bool = True,
) -> Detection:
    """Find and align the markers of a family, in the whole picture or in some regions of it.

    A thorough search also reads, softly, the quadrangles that OpenCV cannot read, apart from
    those in the middle of the outlines `taken_px`. With `ids`, other markers are not looked at.
    """
    gray = to_gray(image)
    wanted = None if ids is None else frozenset(ids)
    parts = [(0, 0, gray.shape[1], gray.shape[0])]
    if regions is not None:
        parts = [_clip(region, gray.shape) for region in regions]
    proposals: list[tuple[int, Array]] = []
    doubtful: list[Array] = []
    for left, upper, right, lower in parts:
        if min(right - left, lower - upper) < 2 * _SMALLEST_SIDE_PX:
            continue
        read, unread = _propose(gray[upper:lower, left:right], family, thorough)
        proposals += [(number, corners + np.array([left, upper])) for number, corners in read]
        doubtful += [corners + np.array([left, upper]) for corners in unread]
    glance = regions is None and not thorough
    samples = _GLANCE_SAMPLES if glance else MOST_SAMPLES
    found = believe(gray, family, proposals, wanted, most_samples=samples)
    if thorough:
        for part in parts:
            read, unread = _propose_in_shade(gray, part, family, found)
            proposals, doubtful = proposals + read, doubtful + unread
            found += believe(gray, family, read, wanted)
        # A code may have been read from a quadrangle that is not the tag's own.
        doubtful += [corners for _, corners in proposals]
        left_over = _likely(gray, family, _untaken(_apart(doubtful, found), taken_px))
        found += _rescue(gray, family, left_over, wanted)
        found += _look_closer(gray, family, _apart(left_over, found), taken_px, wanted)
    return settle(found)


@cache
def _parameters(longest_px: int, thorough: bool) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    if longest_px > _LARGE_PICTURE_PX:
        # Edges are softer and modules larger there, in pixels.
        windows = (7, 39, 16)
    elif thorough:
        windows = (3, 23, 10)
    else:
        # The narrowest window sees little but noise, and the other two are enough at a glance.
        windows = (7, 23, 16)
    parameters.adaptiveThreshWinSizeMin = windows[0]
    parameters.adaptiveThreshWinSizeMax = windows[1]
    parameters.adaptiveThreshWinSizeStep = windows[2]
    if thorough:
        # Paler and less straight outlines too: they are read softly and checked strictly.
        parameters.adaptiveThreshConstant = 5
        parameters.polygonalApproxAccuracyRate = 0.04
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    parameters.minMarkerPerimeterRate = 4 * _SMALLEST_SIDE_PX / longest_px
    parameters.perspectiveRemovePixelPerCell = 8
    # A tag and the edge of its paper are near each other; taken for one they hide the tag.
    parameters.minMarkerDistanceRate = 0.05
    parameters.minDistanceToBorder = 1
    # At 1.0 wrong ids come out.
    parameters.errorCorrectionRate = 0.6
    return parameters


def _propose(
    gray: Gray, family: Family, thorough: bool
) -> tuple[list[tuple[int, Array]], list[Array]]:
    """What OpenCV reads, and the quadrangles in which it reads nothing."""
    longest = max(gray.shape)
    detector = _detector(family, longest if longest > 512 else -(-longest // 32) * 32, thorough)
    corners, numbers, rejected = detector.detectMarkers(gray)
    read = (
        [
            (int(number), np.asarray(four, dtype=np.float64)[0])
            for number, four in zip(np.ravel(numbers), corners, strict=True)
        ]
        if len(corners)
        else []
    )
    return read, [np.asarray(four, dtype=np.float64)[0] for four in rejected]


def _propose_in_shade(
    gray: Gray, part: Region, family: Family, found: Sequence[Sighting]
) -> tuple[list[tuple[int, Array]], list[Array]]:
    """What OpenCV reads in deep shade once that is lit up; its thresholds are for daylight."""
    left, upper, right, lower = part
    seen = gray[upper:lower, left:right]
    if min(seen.shape) < 2 * _SMALLEST_SIDE_PX:
        return [], []
    size = (max(seen.shape[1] // _SHADE_PX, 1), max(seen.shape[0] // _SHADE_PX, 1))
    small = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    near = np.ones((_SHADE_REACH, _SHADE_REACH), np.uint8)
    light, dark = cv2.dilate(small, near), cv2.erode(small, near)
    # Black is less than half as light as white in any shade; waves and wood are not so dark.
    contrasty = (cv2.subtract(light, dark) > _SHADE_SPAN) & (dark < light // 2)
    shady = ((light < _SHADE_LIGHT) & contrasty).astype(np.uint8)
    for sighting in found:
        x, y = (sighting.centre_px - [left, upper]) / _SHADE_PX
        reach = 1.5 * sighting.side_px / _SHADE_PX + _SHADE_REACH / 2
        cv2.circle(shady, (round(x), round(y)), round(reach), 0, -1)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(shady)
    read: list[tuple[int, Array]] = []
    unread: list[Array] = []
    order = sorted(range(1, count), key=lambda i: -int(boxes[i, cv2.CC_STAT_AREA]))
    for x, y, width, height in boxes[order[:_SHADE_AT_MOST], :4]:
        # A little more on each side, or the paper's edge is the region's.
        x1, y1, x2, y2 = _clip(
            (
                int(x - _SHADE_REACH) * _SHADE_PX,
                int(y - _SHADE_REACH) * _SHADE_PX,
                int(x + width + _SHADE_REACH) * _SHADE_PX,
                int(y + height + _SHADE_REACH) * _SHADE_PX,
            ),
            seen.shape,
        )
        lit = cv2.convertScaleAbs(seen[y1:y2, x1:x2], alpha=230 / _SHADE_LIGHT)
        some, other = _propose(np.asarray(lit, dtype=np.uint8), family, True)
        corner = np.array([left + x1, upper + y1])
        read += [(number, four + corner) for number, four in some]
        unread += [four + corner for four in other]
    return read, unread


@cache
def _detector(family: Family, longest_px: int, thorough: bool) -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(dictionary(family), _parameters(longest_px, thorough))


def believe(
    gray: Gray,
    family: Family,
    proposals: Sequence[tuple[int, Array]],
    wanted: frozenset[int] | None = None,
    *,
    most_samples: int = MOST_SAMPLES,
) -> list[Sighting]:
    """Align the proposals and keep those whose whole pattern is there."""
    chosen = [(n, c) for n, c in proposals if wanted is None or n in wanted]
    if not chosen:
        return []
    guesses = np.stack([to_tag_from_corners(family, corners) for _, corners in chosen])
    numbers = [number for number, _ in chosen]
    fits = align(
        gray, family, numbers, guesses, Freedom.PERSPECTIVE, most_samples=most_samples
    )  # fmt: skip
    good = [
        (number, corners, fit)
        for (number, corners), fit in zip(chosen, fits, strict=True)
        if fit is not None and fit.score >= LEAST_SCORE and fit.contrast >= LEAST_CONTRAST
    ]
    if not good:
        return []
    good = _refine(gray, family, good)
    from_tag = np.linalg.inv(np.stack([fit.to_tag for _, _, fit in good]))
    exact = apply(from_tag, corners_of(family))
    centres = from_tag[:, :2, 2] / from_tag[:, 2:, 2]
    sides = np.linalg.norm(exact - np.roll(exact, 1, axis=1), axis=2).mean(axis=1)
    moved = np.abs(exact - np.stack([corners for _, corners, _ in good])).max(axis=(1, 2))
    sigma = _corner_sigma(np.stack([fit.covariance for _, _, fit in good]))
    blur_px = np.array([fit.blur_px for _, _, fit in good])
    floor = _BIAS_PX + _PHASE_PX * np.maximum(_SHARP_PX - blur_px, 0.0)
    sigma_px = np.hypot(sigma * sides / family.modules, floor)
    return [
        Sighting(number, exact[i], float(sigma_px[i]), fit.score, centres[i], float(sides[i]), fit)
        for i, (number, _, fit) in enumerate(good)
        if moved[i] < 0.25 * sides[i] + 1
    ]


def _refine(
    gray: Gray, family: Family, good: Sequence[tuple[int, Array, Fit]]
) -> list[tuple[int, Array, Fit]]:
    """Align the corner markers once more with all their pixels: the lens is told by their shape."""
    which = [i for i, (number, _, _) in enumerate(good) if number in CORNER_IDS.values()]
    out = list(good)
    if not which:
        return out
    coarse = [good[i][2] for i in which]
    fits = align(
        gray, family, [good[i][0] for i in which], np.stack([fit.to_tag for fit in coarse]),
        Freedom.PERSPECTIVE, blur_px=np.array([fit.blur_px for fit in coarse]),
        steps=_FINE_STEPS, most_samples=FINEST_SAMPLES,
    )  # fmt: skip
    for i, fit in zip(which, fits, strict=True):
        if fit is not None and fit.score >= LEAST_SCORE:
            out[i] = (good[i][0], good[i][1], fit)
    return out


def _corner_sigma(covariance: Array) -> Array:
    """The σ of a corner along an axis, in modules, from the freedoms' covariances (N, 8, 8)."""
    variance = np.zeros(len(covariance))
    for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        # At a corner (s, t) the shift is the sum of all freedoms' fields.
        fields = np.array([[1, 0, s, t, 0, 0, s * s, s * t], [0, 1, 0, 0, s, t, s * t, t * t]])
        variance += np.einsum("ab,nbc,ac->n", fields, covariance, fields) / 8
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _rescue(
    gray: Gray, family: Family, doubtful: Sequence[Array], wanted: frozenset[int] | None
) -> list[Sighting]:
    """Read softly what OpenCV could not read, align it, and then look who it is once more."""
    if not doubtful:
        return []
    # What OpenCV took for the tag may be the edge of its paper, with white of any width around.
    shrink = np.stack([np.diag([share, share, 1.0]) for share in _SHRINK])
    outer = np.linalg.inv(np.stack([to_tag_from_corners(family, quad) for quad in doubtful]))
    from_tag = (outer[:, None] @ shrink).reshape(-1, 3, 3)
    answers = identify(gray, family, from_tag, likeness=0.6, lead=0.05, palest=0.85)
    alike: dict[tuple[int, int, int], list[int]] = {}
    for i, answer in enumerate(answers):
        if answer is not None:
            alike.setdefault((i // len(_SHRINK), *answer), []).append(i)
    # Several sizes of one quadrangle read the same; the middle one is nearest to the truth.
    middles = [
        (key[1], key[2], sorted(same, key=_size_of)[len(same) // 2]) for key, same in alike.items()
    ]
    proposals = [
        (number, turned(apply(from_tag[i], corners_of(family)), turn))
        for number, turn, i in middles
    ]
    return believe_softly(gray, family, proposals, wanted)


def believe_softly(
    gray: Gray,
    family: Family,
    proposals: Sequence[tuple[int, Array]],
    wanted: frozenset[int] | None = None,
) -> list[Sighting]:
    """Align what was read softly and keep what is clearly the tag that it was taken for."""
    seen = [s for s in believe(gray, family, proposals, wanted) if s.score >= LEAST_SOFT_SCORE]
    if not seen:
        return []
    exact = np.linalg.inv(np.stack([sighting.fit.to_tag for sighting in seen]))
    sure = agree(gray, family, [sighting.marker_id for sighting in seen], exact)
    return [sighting for sighting, good in zip(seen, sure, strict=True) if good]


def _size_of(index: int) -> float:
    return _SHRINK[index % len(_SHRINK)]


def _look_closer(
    gray: Gray,
    family: Family,
    doubtful: Sequence[Array],
    taken_px: Sequence[Array],
    wanted: frozenset[int] | None,
) -> list[Sighting]:
    """Enlarge the places where something might be; there the tag's own outline may come out."""
    proposals: list[tuple[int, Array]] = []
    unread: list[Array] = []
    seen_boxes: list[Array] = []
    for quad in doubtful:
        middle, reach = quad.mean(axis=0), float(np.ptp(quad, axis=0).max())
        if reach > _CLOSER_UP_TO_PX or len(seen_boxes) >= _CLOSER_AT_MOST:
            continue
        if any(np.abs(middle - other[:2]).max() < other[2] / 2 for other in seen_boxes):
            continue
        seen_boxes.append(np.array([*middle, reach]))
        low, high = middle - 0.8 * reach, middle + 0.8 * reach
        left, upper, right, lower = _clip(
            (int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1), gray.shape
        )
        if min(right - left, lower - upper) < 2 * _SMALLEST_SIDE_PX:
            continue
        enlarged = np.asarray(
            cv2.resize(
                gray[upper:lower, left:right], None, fx=_CLOSER, fy=_CLOSER,
                interpolation=cv2.INTER_CUBIC,
            ),
            dtype=np.uint8,
        )  # fmt: skip
        read, other = _propose(enlarged, family, True)
        corner = np.array([left, upper])
        proposals += [(n, (four + 0.5) / _CLOSER - 0.5 + corner) for n, four in read]
        unread += [(four + 0.5) / _CLOSER - 0.5 + corner for four in other]
    found = believe(gray, family, proposals, wanted)
    left_over = _likely(gray, family, _untaken(_apart(unread, found), taken_px))
    return found + _rescue(gray, family, left_over, wanted)


def _likely(gray: Gray, family: Family, quads: Sequence[Array]) -> list[Array]:
    """The quadrangles worth a second look: shaped like tags, the most black and white first."""
    if not quads:
        return []
    stack = np.stack(quads)
    edges = np.linalg.norm(stack - np.roll(stack, 1, axis=1), axis=2)
    shaped = (edges.min(axis=1) >= _SMALLEST_SIDE_PX * 0.6) & (
        edges.max(axis=1) < 4 * edges.min(axis=1)
    )
    chosen = stack[shaped]
    if not len(chosen):
        return []
    from_tag = np.stack([to_tag_from_corners(family, quad) for quad in chosen])
    lively = liveliness(gray, family, np.asarray(np.linalg.inv(from_tag), dtype=np.float64))
    order = np.argsort(-lively)[:_DOUBTFUL_AT_MOST]
    return [chosen[i] for i in order if lively[i] > _LEAST_LIVELY]


def _apart(quads: Sequence[Array], found: Sequence[Sighting]) -> list[Array]:
    """The quadrangles that are not sightings over again."""
    if not found:
        return list(quads)
    centres = np.stack([sighting.centre_px for sighting in found])
    return _away(quads, centres, np.array([sighting.side_px for sighting in found]) * 0.7)


def _untaken(quads: Sequence[Array], taken_px: Sequence[Array]) -> list[Array]:
    """The quadrangles that are not in the middle of a place that is taken."""
    if not taken_px:
        return list(quads)
    outlines = np.stack(taken_px)
    sides = np.linalg.norm(outlines - np.roll(outlines, 1, axis=1), axis=2).mean(axis=1)
    return _away(quads, outlines.mean(axis=1), sides / 2)


def _away(quads: Sequence[Array], places: Array, reach: Array) -> list[Array]:
    """The quadrangles whose middle is farther from each place than it reaches."""
    if not quads:
        return []
    middles = np.stack(quads).mean(axis=1)
    away = (np.linalg.norm(middles[:, None] - places, axis=2) > reach).all(axis=1)
    return [quad for quad, is_away in zip(quads, away, strict=True) if is_away]


def settle(found: Sequence[Sighting]) -> Detection:
    """One sighting a marker and one marker a place; two places for one id make both worthless.

    Of two ids at one place the one that fits clearly better stays, else neither.
    """
    best: dict[int, Sighting] = {}
    twice: set[int] = set()
    order = sorted(found, key=lambda s: -s.score)
    rivals: list[Sighting] = []
    kept: list[Sighting] = []
    for sighting in order:
        above = [s for s in (*kept, *rivals) if _same_place(s, sighting)]
        if any(s.marker_id != sighting.marker_id for s in above):
            near = [s for s in above if s.score - sighting.score < _CLEARLY_BETTER]
            rivals += [s for s in near if s in kept]
            kept = [s for s in kept if s not in near]
        else:
            kept.append(sighting)
    for sighting in kept:
        other = best.setdefault(sighting.marker_id, sighting)
        if np.linalg.norm(other.centre_px - sighting.centre_px) > 0.7 * other.side_px:
            twice.add(sighting.marker_id)
    single = [best[number] for number in sorted(best) if number not in twice]
    return Detection(
        tuple(single), tuple(sorted(twice)), tuple(rival.corners_px for rival in rivals)
    )


def _same_place(one: Sighting, other: Sighting) -> bool:
    (x, y), (other_x, other_y) = one.centre_px, other.centre_px
    apart = math.hypot(x - other_x, y - other_y)
    return apart < _ONE_PLACE * max(one.side_px, other.side_px)


def _clip(region: Region, shape: tuple[int, ...]) -> Region:
    left, upper, right, lower = region
    return max(left, 0), max(upper, 0), min(right, shape[1]), min(lower, shape[0])
