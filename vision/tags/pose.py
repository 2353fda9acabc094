"""A marker's place, heading and size on the table, fitted to the pixels directly.

Given the table's plane, a marker can only shift, turn and be a little larger or smaller; fitting
just that makes the heading much surer than four free corners do. A marker whose pose is roughly
known is measured here without being searched for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.calibration_file import UNKNOWN_HEIGHT, MarkerHeight
from calibration.homography import TablePlane, camera_centre
from calibration.markers import Family
from vision.images import Array, Gray
from vision.tags.align import Fit, Freedom, Mask, align, apply, corners_of
from vision.tags.decode import not_another
from vision.tags.detect import LEAST_CONTRAST, LEAST_SCORE, Sighting

_CORRELATED: Final = 1.15
"""Farther neighbours than the fit allows for share compression too, as measured."""
_BIAS_PX: Final = 0.006
"""What no averaging of pixels takes away."""
_SHARP_PX: Final = 0.5
_PHASE_PX: Final = 0.08
"""A picture sharper than this, or sharpened by the camera, hides an edge between two pixels."""
_ONE: Final = np.eye(3)
_RADIAL: Final = 1.2
"""So that the true place lies within 2 σ of the stated one, on both axes together, in 95 %."""


@dataclass(frozen=True, slots=True)
class TagGuess:
    """Roughly where a marker is, and how large and how high exactly."""

    marker_id: int
    x_mm: float
    y_mm: float
    heading_deg: float
    size_mm: float
    height: MarkerHeight = UNKNOWN_HEIGHT


@dataclass(frozen=True, slots=True)
class TagPose:
    """Where a marker is, and how surely."""

    marker_id: int
    x_mm: float
    y_mm: float
    heading_deg: float
    position_sigma_mm: float
    heading_sigma_deg: float
    size_mm: float
    """As measured: far from what was printed means another height, another scale or no tag."""
    score: float
    fit: Fit
    corners_px: Array
    """The coded square's corners in the picture."""


def guess_from_sightings(
    plane: TablePlane,
    sightings: Sequence[Sighting],
    sizes_mm: Sequence[float],
    heights: Sequence[MarkerHeight],
) -> list[TagGuess]:
    """The rough poses of markers just found; their own apparent sizes, whatever was printed."""
    if not sightings:
        return []
    pixels = np.stack([sighting.corners_px for sighting in sightings])
    corners = plane.to_mm(
        pixels, np.repeat(np.array([height.mm for height in heights])[:, None], 4, axis=1)
    )
    middle = corners.mean(axis=1)
    bow = corners[:, :2].mean(axis=1) - corners[:, 2:].mean(axis=1)
    seen_mm = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1)
    near = np.abs(seen_mm / np.array(sizes_mm) - 1) < 0.05
    size = np.where(near, sizes_mm, seen_mm)
    heading = np.degrees(np.arctan2(bow[:, 0], bow[:, 1])) % 360
    return [
        TagGuess(
            sighting.marker_id,
            float(middle[i, 0]),
            float(middle[i, 1]),
            float(heading[i]),
            float(size[i]),
            heights[i],
        )
        for i, sighting in enumerate(sightings)
    ]


def measure(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    guesses: Sequence[TagGuess],
    *,
    blur_px: float | Array = 0.7,
    steps: int = 6,
    near_px: Array | None = None,
    visible: Mask | None = None,
) -> list[TagPose | None]:
    """Fit each marker's pose from its guess; None where its pattern is not to be seen there.

    One that is found nearer to its guess than `near_px` is not fitted more exactly.
    `visible` says which of each marker's modules take part; who knows that knows the name too.
    """
    if not guesses:
        return []
    place = np.array([[g.x_mm, g.y_mm] for g in guesses])
    height = np.array([g.height.mm for g in guesses])
    size = np.array([g.size_mm for g in guesses])
    local = pixels_to_mm(plane, place, height, size)
    to_tag = mm_to_tag(family, guesses) @ local
    fits = align(
        gray, family, [g.marker_id for g in guesses], to_tag, Freedom.SIMILARITY,
        blur_px=blur_px, steps=steps, near_px=near_px, visible=visible,
    )  # fmt: skip
    kept = [
        i
        for i, fit in enumerate(fits)
        if fit is not None and fit.score >= LEAST_SCORE and fit.contrast >= LEAST_CONTRAST
    ]
    poses: list[TagPose | None] = [None] * len(guesses)
    from_tag = np.linalg.inv(np.stack([fit.to_tag for i in kept if (fit := fits[i])] or [_ONE]))
    if kept and visible is None:
        # Borders are all alike, so another ship put in its place fits fairly well too.
        same = not_another(gray, family, [guesses[i].marker_id for i in kept], from_tag)
        kept = [i for i, is_same in zip(kept, same, strict=True) if is_same]
        from_tag = from_tag[np.array(same)]
    if not kept:
        return poses
    chosen = [fit for i in kept if (fit := fits[i]) is not None]
    found = _poses(
        family, plane, [guesses[i] for i in kept], chosen, from_tag, local[kept], height[kept]
    )
    for i, pose in zip(kept, found, strict=True):
        poses[i] = pose
    return poses


def _poses(
    family: Family,
    plane: TablePlane,
    guesses: Sequence[TagGuess],
    fits: Sequence[Fit],
    from_tag: Array,
    local: Array,
    height: Array,
) -> Iterator[TagPose]:
    """The pose and its doubt of each marker that was fitted."""
    corners = apply(from_tag, corners_of(family))
    back = local @ from_tag
    back /= back[:, 2:, 2:]
    centre = back[:, :2, 2]
    # The tag's v axis points down, away from the bow.
    bow = -back[:, :2, 1]
    module_mm = np.linalg.norm(bow, axis=1)
    heading = np.degrees(np.arctan2(bow[:, 0], bow[:, 1])) % 360
    height_sigma = np.array([guess.height.sigma_mm for guess in guesses])
    doubt, turn_doubt = _plane_doubt(plane, local, centre, heading, height, height_sigma)
    px_mm = 1 / np.maximum(plane.px_per_mm(centre), 1e-6)
    blur = np.array([fit.blur_px for fit in fits])
    bias_px = _BIAS_PX + _PHASE_PX * np.maximum(_SHARP_PX - blur, 0.0)
    loose = largest_axis(np.stack([fit.covariance[:2, :2] for fit in fits]))
    loose *= (module_mm * _CORRELATED) ** 2
    for row, (guess, fit) in enumerate(zip(guesses, fits, strict=True)):
        bias = float(bias_px[row] * px_mm[row]) ** 2
        variance = float(loose[row]) + bias + doubt[row]
        half_mm = module_mm[row] * family.modules / 2
        turn = fit.covariance[2, 2] * (module_mm[row] * _CORRELATED / half_mm) ** 2
        turn += bias / half_mm**2 + turn_doubt[row]
        yield TagPose(
            guess.marker_id,
            float(centre[row, 0]),
            float(centre[row, 1]),
            float(heading[row]),
            float(np.sqrt(variance)) * _RADIAL,
            float(np.degrees(np.sqrt(turn))),
            float(module_mm[row]) * family.modules,
            fit.score,
            fit,
            corners[row],
        )


def largest_axis(covariance: Array) -> Array:
    """The variance along the longest axis of each 2 × 2 covariance."""
    a, b, c = covariance[..., 0, 0], covariance[..., 0, 1], covariance[..., 1, 1]
    return np.asarray(np.maximum((a + c) / 2 + np.hypot((a - c) / 2, b), 0.0))


def pixels_to_mm(plane: TablePlane, place: Array, height: Array, size: Array) -> Array:
    """The lens and the plane as one homography about each marker: exact where it matters."""
    square = np.array([[-0.6, -0.6], [0.6, -0.6], [0.6, 0.6], [-0.6, 0.6]])
    spots = place[:, None] + square * size[:, None, None]
    pixels = plane.to_px(spots, np.repeat(height[:, None], 4, axis=1))
    middle = pixels.mean(axis=1)
    x, y = np.moveaxis(pixels - middle[:, None], -1, 0)
    offset = spots - place[:, None]
    system = np.zeros((len(place), 8, 8))
    system[:, :4, 0] = system[:, 4:, 3] = x
    system[:, :4, 1] = system[:, 4:, 4] = y
    system[:, :4, 2] = system[:, 4:, 5] = 1.0
    for rows, axis in ((slice(0, 4), 0), (slice(4, 8), 1)):
        system[:, rows, 6] = -offset[..., axis] * x
        system[:, rows, 7] = -offset[..., axis] * y
    right = np.concatenate([offset[..., 0], offset[..., 1]], axis=1)
    solved = np.linalg.solve(system, right[..., None])[..., 0]
    local = np.concatenate([solved, np.ones((len(place), 1))], axis=1).reshape(-1, 3, 3)
    to_middle = np.tile(np.eye(3), (len(place), 1, 1))
    to_middle[:, :2, 2] = -middle
    from_place = np.tile(np.eye(3), (len(place), 1, 1))
    from_place[:, :2, 2] = place
    return np.asarray(from_place @ local @ to_middle)


def mm_to_tag(family: Family, guesses: Sequence[TagGuess]) -> Array:
    """The homographies from the table to the markers' modules, for their guessed poses."""
    out = np.zeros((len(guesses), 3, 3))
    for row, guess in zip(out, guesses, strict=True):
        angle = np.radians(guess.heading_deg)
        scale = family.modules / guess.size_mm
        right = np.array([np.cos(angle), -np.sin(angle)]) * scale
        down = -np.array([np.sin(angle), np.cos(angle)]) * scale
        row[0, :2], row[1, :2], row[2, 2] = right, down, 1.0
        row[:2, 2] = -row[:2, :2] @ [guess.x_mm, guess.y_mm]
    return out


def _plane_doubt(
    plane: TablePlane,
    local: Array,
    centre: Array,
    heading: Array,
    height: Array,
    height_sigma: Array,
) -> tuple[Array, Array]:
    """Variances of place (its worse axis) and heading that come from the plane, not the tag."""
    angle = np.radians(heading)
    reach = 20.0
    ahead = centre + reach * np.column_stack([np.sin(angle), np.cos(angle)])
    spots = np.stack([centre, ahead], axis=1)
    tall = np.repeat(height[:, None], 2, axis=1)
    here = plane.to_px(spots, tall)
    slopes = _slopes(local, here)
    spread = np.zeros((len(centre), 2, 2))
    turn = np.zeros(len(centre))
    across = np.column_stack([np.cos(angle), -np.sin(angle)])
    if plane.variants:
        shifts = plane.variants_to_px(spots, tall) - here
        moved = np.matmul(slopes, shifts[..., None])[..., 0]
        spread = np.einsum("vna,vnb->nab", moved[:, :, 0], moved[:, :, 0])
        turn = ((((moved[:, :, 1] - moved[:, :, 0]) * across).sum(axis=2) / reach) ** 2).sum(axis=0)
    worst: Array = largest_axis(spread)
    return worst + (height_sigma_mm(plane, centre, height, height_sigma) / _RADIAL) ** 2, turn


def height_sigma_mm(
    plane: TablePlane, places_mm: Array, height_mm: Array, sigma_mm: Array
) -> Array:
    """The part of each place's σ that comes from the height of its marker above the table."""
    camera = plane.camera_mm
    if camera is None:
        # No height is allowed for; an ordinary lens tells roughly where the camera is.
        camera = camera_centre(np.asarray(np.linalg.inv(plane.to_table)))
        sigma_mm = np.hypot(height_mm, sigma_mm)
    lean = np.linalg.norm(camera[:2] - places_mm, axis=1) / abs(float(camera[2]))
    return np.asarray(lean * sigma_mm * _RADIAL)


def lens_sigma_mm(plane: TablePlane, places_mm: Array, height_mm: Array) -> Array:
    """The part of each place's σ that comes from the lens: what is lost once the lens is known.

    The plane's variants are the axes of the uncertainty of everything that was fitted, so what of
    a place's shifts does not follow from the lens's remains.
    """
    lens = plane.lens.doubted
    by_lens = np.array([variant.lens.doubted - lens for variant in plane.variants])
    if not by_lens.any():
        return np.zeros(len(places_mm))
    # Places shift by mm, as the variants' own millimetres at the pixels of the place.
    pixels = plane.to_px(places_mm, height_mm)
    shifts = np.stack([v.to_mm(pixels, height_mm) - places_mm for v in plane.variants])
    flat = shifts.reshape(len(shifts), -1)
    scaled = by_lens / np.maximum(np.abs(by_lens).max(axis=0), 1e-12)
    left = flat - scaled @ np.linalg.lstsq(scaled, flat, rcond=1e-9)[0]
    now, known = (
        largest_axis(np.einsum("vna,vnb->nab", each, each))
        for each in (shifts, left.reshape(shifts.shape))
    )
    return np.asarray(np.sqrt(np.maximum(now - known, 0.0)) * _RADIAL)


def _slopes(local: Array, pixels: Array) -> Array:
    """The 2 × 2 derivative of each marker's homography at its points (N, K, 2)."""
    ones = np.ones((*pixels.shape[:2], 1))
    moved = np.einsum("nab,nkb->nka", local, np.concatenate([pixels, ones], axis=2))
    depth = moved[..., 2:]
    value = moved[..., :2] / depth
    linear = local[:, None, :2, :2]
    deep = local[:, None, 2, :2]
    return np.asarray((linear - value[..., :, None] * deep[..., None, :]) / depth[..., None])
