"""Coded markers in a picture: found by OpenCV, made exact and believed by whole-pattern alignment.

OpenCV proposes generously; a proposal counts only if its own pattern, laid over the picture,
agrees with every pixel.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family, dictionary
from vision.align import Fit, Freedom, align, apply, corners_of, to_tag_from_corners
from vision.identify import agree, identify, turned

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]
Region = tuple[int, int, int, int]
"""Left, upper, right and lower edge in pixels; right and lower are the first outside."""

LEAST_SCORE: Final = 0.8
"""The correlation below which a proposal is not believed."""
LEAST_CONTRAST: Final = 10.0
_SMALLEST_SIDE_PX: Final = 7.0
_CLOSER: Final = 3.0
_CLOSER_UP_TO_PX: Final = 80.0
_CLOSER_AT_MOST: Final = 24
_DOUBTFUL_AT_MOST: Final = 240
"""Places looked at again in one picture: clutter must not cost seconds."""
_SHRINK: Final = (1.0, 0.94, 0.86, 0.79, 0.73, 0.67, 0.61)
_BIAS_PX: Final = 0.01
"""What alignment leaves over however little noise there is."""


@dataclass(frozen=True, slots=True)
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

    def by_id(self) -> dict[int, Sighting]:
        """The sightings by their markers' ids."""
        return {sighting.marker_id: sighting for sighting in self.sightings}


def to_gray(image: Image) -> Gray:
    """The picture in grey, as all measuring wants it."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def detect(
    image: Image,
    family: Family,
    *,
    regions: Sequence[Region] | None = None,
    ids: Iterable[int] | None = None,
    thorough: bool = True,
) -> Detection:
    """Find and align the markers of a family, in the whole picture or in some regions of it.

    A thorough search also reads, softly, the quadrangles that OpenCV cannot read. With `ids`,
    other markers are not looked at.
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
        read, unread = _propose(gray[upper:lower, left:right], family)
        proposals += [(number, corners + np.array([left, upper])) for number, corners in read]
        doubtful += [corners + np.array([left, upper]) for corners in unread]
    found = _believe(gray, family, proposals, wanted)
    if thorough:
        # A code may have been read from a quadrangle that is not the tag's own.
        doubtful += [corners for _, corners in proposals]
        left_over = _likely(_apart(doubtful, found), found)
        found += _rescue(gray, family, left_over, wanted)
        found += _look_closer(gray, family, _apart(left_over, found), wanted)
    return _settle(found)


@cache
def _parameters(longest_px: int) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    parameters.minMarkerPerimeterRate = 4 * _SMALLEST_SIDE_PX / longest_px
    parameters.perspectiveRemovePixelPerCell = 8
    # A tag and the edge of its paper are near each other; taken for one they hide the tag.
    parameters.minMarkerDistanceRate = 0.05
    parameters.minDistanceToBorder = 1
    # At 1.0 wrong ids come out.
    parameters.errorCorrectionRate = 0.6
    return parameters


def _propose(gray: Gray, family: Family) -> tuple[list[tuple[int, Array]], list[Array]]:
    """What OpenCV reads, and the quadrangles in which it reads nothing."""
    longest = max(gray.shape)
    detector = _detector(family, longest if longest > 512 else -(-longest // 32) * 32)
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


@cache
def _detector(family: Family, longest_px: int) -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(dictionary(family), _parameters(longest_px))


def _believe(
    gray: Gray,
    family: Family,
    proposals: Sequence[tuple[int, Array]],
    wanted: frozenset[int] | None,
) -> list[Sighting]:
    """Align the proposals and keep those whose whole pattern is there."""
    chosen = [(n, c) for n, c in proposals if wanted is None or n in wanted]
    if not chosen:
        return []
    guesses = np.stack([to_tag_from_corners(family, corners) for _, corners in chosen])
    numbers = [number for number, _ in chosen]
    fits = align(gray, family, numbers, guesses, Freedom.PERSPECTIVE)
    good = [
        (number, corners, fit)
        for (number, corners), fit in zip(chosen, fits, strict=True)
        if fit is not None and fit.score >= LEAST_SCORE and fit.contrast >= LEAST_CONTRAST
    ]
    if not good:
        return []
    from_tag = np.linalg.inv(np.stack([fit.to_tag for _, _, fit in good]))
    exact = apply(from_tag, corners_of(family))
    centres = from_tag[:, :2, 2] / from_tag[:, 2:, 2]
    sides = np.linalg.norm(exact - np.roll(exact, 1, axis=1), axis=2).mean(axis=1)
    moved = np.abs(exact - np.stack([corners for _, corners, _ in good])).max(axis=(1, 2))
    sigma = _corner_sigma(np.stack([fit.covariance for _, _, fit in good]))
    sigma_px = np.hypot(sigma * sides / family.modules, _BIAS_PX)
    return [
        Sighting(number, exact[i], float(sigma_px[i]), fit.score, centres[i], float(sides[i]), fit)
        for i, (number, _, fit) in enumerate(good)
        if moved[i] < 0.25 * sides[i] + 1
    ]


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
    answers = identify(gray, family, from_tag, likeness=0.6, lead=0.05)
    proposals = [
        (answer[0], turned(apply(from_tag[i], corners_of(family)), answer[1]))
        for i, answer in enumerate(answers)
        if answer is not None
    ]
    seen = _believe(gray, family, proposals, wanted)
    if not seen:
        return []
    exact = np.linalg.inv(np.stack([sighting.fit.to_tag for sighting in seen]))
    sure = agree(gray, family, [sighting.marker_id for sighting in seen], exact)
    return [sighting for sighting, good in zip(seen, sure, strict=True) if good]


def _look_closer(
    gray: Gray, family: Family, doubtful: Sequence[Array], wanted: frozenset[int] | None
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
        read, other = _propose(enlarged, family)
        corner = np.array([left, upper])
        proposals += [(n, (four + 0.5) / _CLOSER - 0.5 + corner) for n, four in read]
        unread += [(four + 0.5) / _CLOSER - 0.5 + corner for four in other]
    found = _believe(gray, family, proposals, wanted)
    return found + _rescue(gray, family, _likely(_apart(unread, found), found), wanted)


def _likely(quads: Sequence[Array], found: Sequence[Sighting]) -> list[Array]:
    """The quadrangles worth a second look: shaped like tags, the likeliest sizes first."""
    if not quads:
        return []
    stack = np.stack(quads)
    edges = np.linalg.norm(stack - np.roll(stack, 1, axis=1), axis=2)
    shaped = (edges.min(axis=1) >= _SMALLEST_SIDE_PX * 0.6) & (
        edges.max(axis=1) < 4 * edges.min(axis=1)
    )
    size = edges.mean(axis=1)
    usual = float(np.median([s.side_px for s in found])) if found else float(size.max())
    order = np.argsort(np.abs(np.log(np.maximum(size, 1e-3) / usual)))
    return [quads[i] for i in order if shaped[i]][:_DOUBTFUL_AT_MOST]


def _apart(quads: Sequence[Array], found: Sequence[Sighting]) -> list[Array]:
    """The quadrangles that are not sightings over again."""
    if not found or not quads:
        return list(quads)
    middles = np.stack(quads).mean(axis=1)
    centres = np.stack([sighting.centre_px for sighting in found])
    reach = np.array([sighting.side_px for sighting in found]) * 0.7
    away = np.linalg.norm(middles[:, None] - centres, axis=2) > reach
    return [quad for quad, is_apart in zip(quads, away.all(axis=1), strict=True) if is_apart]


def _settle(found: Sequence[Sighting]) -> Detection:
    """One sighting a marker; two places for one id make both worthless."""
    best: dict[int, Sighting] = {}
    twice: set[int] = set()
    for sighting in sorted(found, key=lambda s: -s.score):
        other = best.setdefault(sighting.marker_id, sighting)
        if np.linalg.norm(other.centre_px - sighting.centre_px) > 0.7 * other.side_px:
            twice.add(sighting.marker_id)
    kept = [best[number] for number in sorted(best) if number not in twice]
    return Detection(tuple(kept), tuple(sorted(twice)))


def _clip(region: Region, shape: tuple[int, ...]) -> Region:
    left, upper, right, lower = region
    return max(left, 0), max(upper, 0), min(right, shape[1]), min(lower, shape[0])
