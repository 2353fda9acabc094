"""The fit of the table's plane, and where possible of the lens and the camera's position.

The places of the corner markers' centres are known. Ships' markers add information about the lens,
because they are squares of one size wherever they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens, LensSource, doubt_axes
from calibration.homography import (
    WORST_FOCAL_DOUBT,
    TablePlane,
    TableSize,
    camera_centre,
    focal_scale_at,
    refocus,
)
from calibration.planelens import LENS, homographies_of
from calibration.planeproblem import PARAMETERS, Problem, SeenSquare, Solution
from tabletop.errors import DreyerError

Array = NDArray[np.float64]

FEWEST_CORNERS: Final = 2
ADOPT_BEYOND: Final = 11.8
"""The χ² of k1 and k2 that corresponds to 3 σ."""
_LOOK_BEYOND: Final = 10.0
_BEND_ODDS: Final = 0.01
"""The prior odds of a distorted lens, since a better fit alone does not prove distortion."""


@dataclass(frozen=True, slots=True)
class PlaneFit:
    """The table's plane and what the fit found about the lens."""

    plane: TablePlane
    size_factor: float
    """The size of the corner markers relative to the expected size: the printer's scale."""
    lens_adopted: bool
    """Whether a distortion was taken from the markers because it explains them better."""
    focal_scale: float | None
    """The factor for the lens's focal length, if the table determines it."""
    lens_doubts: tuple[tuple[float, ...], ...] = ()
    """The uncertainty of the lens with that focal length, for use with other pictures."""


# The search may try a lens that folds the picture over; its cost is then very high.
@np.errstate(all="ignore")
def solve_plane(
    squares: Sequence[SeenSquare],
    table: TableSize,
    lens: Lens,
    *,
    camera_height_mm: float | None = None,
) -> PlaneFit:
    """The plane from the corner markers, and from the ships' markers where they are needed.

    A lens of unknown distortion gets one only if it improves the fit by more than 3 σ.
    """
    fixed = [s for s in squares if s.place_mm is not None]
    if len(fixed) < FEWEST_CORNERS:
        raise DreyerError("calibration.plane.few", found=len(fixed), needed=FEWEST_CORNERS)
    open_lens = lens.source is LensSource.ASSUMED
    loose = [s for s in squares if s.place_mm is None]
    doubted = open_lens or bool(lens.doubts)
    use = [*fixed, *loose] if doubted or len(fixed) < len(table.corner_places_mm) else fixed
    problem = Problem(use, table, lens)
    straight = problem.solve(problem.start(), bends=False)
    if not open_lens:
        if not lens.is_straight:
            problem.allow_for_curves(straight.parameters)
            straight = problem.solve(straight.parameters, bends=False)
        if lens.doubts:
            problem, straight = problem.with_lens(straight)
        return _result(problem, straight, straight.covariance, camera_height_mm, adopted=False)
    bent = problem.bent_step(straight.parameters)
    # With a strongly distorted lens one step may lead to an impossible lens and to NaN.
    if not bent.bend <= _LOOK_BEYOND:
        bent = problem.solve(straight.parameters, bends=True)
        if bent.bend > ADOPT_BEYOND:
            problem.allow_for_curves(bent.parameters)
            bent = problem.solve(bent.parameters, bends=True)
    bent = bent.centred()
    # Either fit may be right, so their difference is part of the uncertainty.
    odds = _BEND_ODDS * np.exp(min(bent.bend, 50.0) / 2)
    chance = odds / (1 + odds)
    adopted = bent.bend > ADOPT_BEYOND
    apart = bent.parameters - straight.parameters
    covariance = chance * bent.covariance + (1 - chance) * straight.covariance
    covariance = covariance + (1 - chance if adopted else chance) * np.outer(apart, apart)
    best = bent if adopted else straight
    return _result(problem, best, covariance, camera_height_mm, adopted=adopted)


def _result(
    problem: Problem,
    solution: Solution,
    covariance: Array,
    camera_height_mm: float | None,
    *,
    adopted: bool,
) -> PlaneFit:
    """The plane with its variants: each axis of the uncertainty shifted by 1 σ."""
    axes = np.array(doubt_axes(covariance)).reshape(-1, len(solution.parameters))
    # The last one is the solution itself.
    parameters = solution.parameters + np.vstack([axes, np.zeros(len(solution.parameters))])
    both = _planes(problem, parameters, camera_height_mm)
    plane, scale = both.pop()
    planes, scales = [one for one, _ in both], [other for _, other in both]
    known = [other for other in scales if other is not None]
    if scale is not None:
        loose = np.sqrt(sum((other / scale - 1) ** 2 for other in known))
        if len(known) < len(scales) or loose > WORST_FOCAL_DOUBT:
            scale, plane = None, replace(plane, camera_mm=None)
    if plane.camera_mm is None:
        planes = [replace(variant, camera_mm=None) for variant in planes]
    plane = replace(plane, variants=tuple(planes), residual_px=solution.residual_px)
    by = [1.0] * len(planes) if scale is None else [other or scale for other in scales]
    lens = plane.lens.refocused(scale or 1.0).doubted
    apart = [p.lens.refocused(f).doubted - lens for p, f in zip(planes, by, strict=True)]
    spread = np.array(apart).T @ np.array(apart)
    size = float(np.exp(solution.parameters[10]))
    return PlaneFit(plane, size, adopted, scale, doubt_axes(np.asarray(spread)))


def _planes(
    problem: Problem, parameters: Array, camera_height_mm: float | None
) -> list[tuple[TablePlane, float | None]]:
    """The plane of each parameter set, with the factor for its focal length."""
    to_rays = homographies_of(parameters) @ np.linalg.inv(problem.units)
    to_table = np.linalg.inv(to_rays)
    return [
        _plane(problem.lens, row, rays, table, camera_height_mm)
        for row, rays, table in zip(parameters, to_rays, to_table, strict=True)
    ]


def _plane(
    lens: Lens, parameters: Array, to_rays: Array, to_table: Array, camera_height_mm: float | None
) -> tuple[TablePlane, float | None]:
    if parameters[PARAMETERS:].any():
        lens = lens.shifted(parameters[PARAMETERS:])
    elif parameters[LENS].any():
        k1, k2, p1, p2, x, y = (float(value) for value in parameters[LENS])
        lens = replace(
            lens,
            distortion=(k1, k2, p1, p2, 0.0),
            cx_px=lens.cx_px + x * lens.fx_px,
            cy_px=lens.cy_px + y * lens.fy_px,
            source=LensSource.TAGS,
        )
    scale = 1.0 if lens.focal_known else focal_scale_at(to_rays, camera_height_mm)
    camera = None if scale is None else camera_centre(refocus(to_rays, scale))
    return TablePlane(lens, to_table, camera), scale
