"""The least-squares problem of the table: squares on a plane, seen through a lens.

Each corner marker may be slightly rotated, and all have the printer's scale; ships' markers are
squares of one size at any place. For a given plane and lens the best squares follow in closed form,
so only the plane and the lens are searched for.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens
from calibration.homography import TableSize
from calibration.planelens import (
    LENS,
    UNIT_SQUARE,
    apply_each,
    distort,
    homographies_of,
    place_lattice,
    quadrangles,
    shrink_to_zero,
    solve_homography,
)

Array = NDArray[np.float64]

_TURN_PRIOR_RAD: Final = np.radians(0.5)
"""The σ of the rotation with which a corner marker is placed by hand."""
_SIZE_PRIOR: Final = 0.0015
"""The σ of the relative apparent size of ships' markers, for 2 mm of height."""
_BLEED_PRIOR_PX: Final = 0.4
"""The σ in pixels by which white areas grow into black ones, independent of the marker's size.

Ray-traced pictures that are metered on the dark sea show up to 0.4, well-exposed ones 0.05.
"""
_SIZE_OUTLIER: Final = 0.12
_K1_PRIOR: Final = 0.5
_K2_PRIOR: Final = 0.02
_K2_BY_K1: Final = 0.5
"""The prior σ of k2: a constant, and a part proportional to k1."""
_SIDEWAYS_PRIOR: Final = 0.0004
"""The prior σ of p1 and p2."""
_OFF_MIDDLE_PRIOR: Final = 0.005
"""The prior σ of the lens's centre relative to the picture's, in units of the focal length."""
_CENTRED_ODDS: Final = 1.0
"""The prior odds that p1, p2 and the offset of the centre are all 0."""
_MIDDLE: Final = [15, 16]
PARAMETERS: Final = 17
_STEP: Final = 1e-6
_MOST_STEPS: Final = 40
_DAMPINGS: Final = 4
_FAR: Final = 0.3
_UNBEND_STEPS: Final = 12
_STRETCH_PX: Final = 0.012
"""The σ in pixels by which all markers may be stretched or skewed together."""
_UNIT_MM: Final = 1000.0


@dataclass(frozen=True, slots=True)
class SeenSquare:
    """A marker in the picture: its corners and their uncertainty."""

    corners_px: Array
    """Upper left, upper right, lower right and lower left corner of the marker itself."""
    sigma_px: float
    size_mm: float
    place_mm: tuple[float, float] | None = None
    """The place of its centre on the table, if known: for corner and anchor markers."""
    heading_deg: float = 0.0
    """The direction of its upper edge where its place is known: that of an anchor marker."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a search, with its uncertainty."""

    parameters: Array
    covariance: Array
    """The covariance of all parameters; zero for fixed ones."""
    residual_px: float
    bend: float = 0.0
    """The χ² of k1 and k2 against a lens without distortion."""

    def centred(self) -> "Solution":
        """The solution averaged with one whose lens is centred, which most lenses are."""
        prior = np.array([_SIDEWAYS_PRIOR] * 2 + [_OFF_MIDDLE_PRIOR] * 2)
        parameters, covariance = shrink_to_zero(
            self.parameters, self.covariance, LENS[2:], prior, _CENTRED_ODDS
        )
        return replace(self, parameters=parameters, covariance=covariance)


class Problem:
    """The residuals and their minimisation.

    Parameters: homography (8), k1, k2, log sizes (2), bleed, p1, p2, the lens's centre (2), and
    then the uncertainty of a measured lens in σ. Residuals are computed for many parameter sets at
    once (the first axis), for numerical Jacobians.
    """

    def __init__(self, squares: Sequence[SeenSquare], table: TableSize, lens: Lens) -> None:
        self.lens = lens
        self._corners = np.stack([s.corners_px for s in squares])
        self._seen = self._corners
        self._rays = lens.rays(self._corners)
        self._sigma = np.array([s.sigma_px for s in squares])
        self._size = np.array([s.size_mm for s in squares])
        self._fixed = np.array([s.place_mm is not None for s in squares])
        self._places = np.array([s.place_mm or (0.0, 0.0) for s in squares])
        self._middle = np.array([table.width_mm, table.height_mm]) / 2
        # From the table's own units (metres from its centre) to millimetres.
        self.units = np.array(
            [[_UNIT_MM, 0, self._middle[0]], [0, _UNIT_MM, self._middle[1]], [0, 0, 1]]
        )
        # Headings turn clockwise, complex numbers counterclockwise.
        self._turned = np.exp(-1j * np.radians([s.heading_deg for s in squares]))
        self._odd = np.zeros(len(squares), dtype=bool)
        length = np.linalg.norm(self._corners - np.roll(self._corners, 1, axis=1), axis=2)
        self._side_px = np.maximum(length.mean(axis=1), 1.0)

    def start(self) -> Array:
        """An initial guess from the corner markers, by direct linear transformation."""
        unit = (UNIT_SQUARE[:, 0] + 1j * UNIT_SQUARE[:, 1]) * self._turned[self._fixed, None]
        squares = np.stack([unit.real, unit.imag], axis=-1) * self._size[self._fixed, None, None]
        metres = (self._places[self._fixed][:, None] + squares - self._middle) / _UNIT_MM
        homography = solve_homography(metres.reshape(-1, 2), self._rays[self._fixed].reshape(-1, 2))
        parameters = np.zeros(PARAMETERS + len(self.lens.doubts))
        parameters[:8] = (homography / homography[2, 2]).ravel()[:8]
        loose = ~self._fixed
        if loose.any():
            flat = self._flatten(parameters[None], self._rays)[0]
            sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2).mean(axis=1)
            ratio = np.log(sides[loose] / self._size[loose])
            parameters[11] = float(np.median(ratio))
            self._odd[loose] = np.abs(ratio - parameters[11]) > _SIZE_OUTLIER
        return parameters

    def _flatten(self, parameters: Array, rays: Array) -> Array:
        """The corners on the table in mm, for each parameter set."""
        bent = np.broadcast_to(rays, (len(parameters), *rays.shape[-3:]))
        straight = bent
        if parameters[:, LENS].any():
            bent = straight = bent - parameters[:, None, None, _MIDDLE]
            k1, k2 = (parameters[:, index, None, None, None] for index in (8, 9))
            for _ in range(_UNBEND_STEPS):
                radius = np.sum(straight**2, axis=-1, keepdims=True)
                error = distort(straight, parameters) - bent
                slope = 1 + radius * (3 * k1 + radius * 5 * k2)
                straight = straight - error / np.clip(slope, 0.3, 3.0)
                if np.abs(error).max() < 1e-10:
                    break
        backward = np.asarray(np.linalg.inv(homographies_of(parameters)), dtype=np.float64)
        metres = apply_each(backward, straight)
        return np.asarray(metres * _UNIT_MM + self._middle)

    def _pixels(self, parameters: Array, points_mm: Array) -> Array:
        rays = apply_each(homographies_of(parameters), (points_mm - self._middle) / _UNIT_MM)
        if parameters[:, LENS].any():
            rays = distort(rays, parameters) + parameters[:, None, None, _MIDDLE]
        return self.lens.pixels(rays)

    def _residuals(self, parameters: Array, corners: Array, rays: Array) -> Array:
        """The residuals in σ: every corner against the best square, then the priors.

        The corners and their rays are the same for all parameter sets, or have one set for each.
        """
        flat = self._flatten(parameters, rays)
        centre = np.where(self._fixed[:, None], self._places, flat.mean(axis=2))
        offset = flat - centre[:, :, None]
        # The best similarity from the unit square to the marker, as complex numbers.
        unit = UNIT_SQUARE[:, 0] + 1j * UNIT_SQUARE[:, 1]
        spot = offset[..., 0] + 1j * offset[..., 1]
        best = (spot * unit.conj()).sum(axis=2) / (np.abs(unit) ** 2).sum()
        best = best * self._turned.conj()
        doubt = (self._sigma / self._side_px) ** 2
        turn = np.angle(best)
        turn = np.where(self._fixed, turn * _TURN_PRIOR_RAD**2 / (_TURN_PRIOR_RAD**2 + doubt), turn)
        usual = np.log(self._size) - parameters[:, 12:13] / self._side_px
        usual = usual + np.where(self._fixed, parameters[:, 10:11], parameters[:, 11:12])
        extra = np.log(np.maximum(np.abs(best), 1e-9)) - usual
        shrink = np.where(self._odd, 1.0, _SIZE_PRIOR**2 / (_SIZE_PRIOR**2 + doubt))
        growth = np.where(self._fixed, 0.0, extra * shrink)
        square = (np.exp(usual + growth + 1j * turn) * self._turned)[..., None] * unit
        back = np.stack([square.real, square.imag], axis=-1) + centre[:, :, None]
        error = (corners - self._pixels(parameters, back)) / self._sigma[:, None, None]
        return np.concatenate(
            [
                error.reshape(len(parameters), -1),
                np.where(self._fixed, turn / _TURN_PRIOR_RAD, 0.0),
                np.where(self._fixed | self._odd, 0.0, growth / _SIZE_PRIOR),
                parameters[:, 12:13] / _BLEED_PRIOR_PX,
                parameters[:, 8:9] / _K1_PRIOR,
                parameters[:, 9:10] / (_K2_PRIOR + _K2_BY_K1 * np.abs(parameters[:, 8:9])),
                parameters[:, 13:15] / _SIDEWAYS_PRIOR,
                parameters[:, _MIDDLE] / _OFF_MIDDLE_PRIOR,
            ],
            axis=1,
        )

    def _linear(self, parameters: Array, free: list[int]) -> tuple[Array, Array]:
        """The residuals and their Jacobian."""
        neighbours = np.tile(parameters, (len(free) + 1, 1))
        neighbours[np.arange(1, len(free) + 1), free] += _STEP
        rows = self._residuals(neighbours, self._corners, self._rays)
        return rows[0], (rows[1:] - rows[0]).T / _STEP

    def solve(self, start: Array, *, bends: bool) -> Solution:
        """Minimise by Levenberg-Marquardt, with the lens's terms free or fixed at 0."""
        free = self._free(bends)
        parameters, damping, fresh = start.copy(), 1e-4, True
        residual, jacobian = self._linear(parameters, free)
        cost = float(residual @ residual)
        for _ in range(_MOST_STEPS):
            normal, slope = jacobian.T @ jacobian, -jacobian.T @ residual
            trials = parameters + np.zeros((_DAMPINGS, 1))
            for row in range(_DAMPINGS):
                damped = normal + damping * 100.0**row * np.diag(np.diag(normal) + 1e-12)
                trials[row, free] += np.linalg.solve(damped, slope)
            rows = self._residuals(trials, self._corners, self._rays)
            costs = np.nan_to_num((rows**2).sum(axis=1), nan=np.inf)
            row = int(costs.argmin())
            if costs[row] >= cost:
                if fresh:
                    break
                residual, jacobian = self._linear(parameters, free)
                fresh = True
                continue
            gained = cost - float(costs[row])
            parameters, residual, cost = trials[row], rows[row], float(costs[row])
            damping = max(damping * 100.0**row / 10, 1e-9)
            if gained < 1e-5 * (1 + cost):
                break
            # Jacobians are expensive and hardly change near the end, except with a distorted lens.
            fresh = bends or gained > _FAR * cost
            if fresh:
                residual, jacobian = self._linear(parameters, free)
        return self._solution(parameters, residual, jacobian, free)

    def bent_step(self, start: Array) -> Solution:
        """The result of one step with a free lens, enough to see whether it is distorted."""
        free = self._free(bends=True)
        residual, jacobian = self._linear(start, free)
        step = -np.linalg.solve(_ridged(jacobian.T @ jacobian), jacobian.T @ residual)
        parameters = start.copy()
        parameters[free] += step
        return self._solution(parameters, residual + jacobian @ step, jacobian, free)

    def with_lens(self, start: Solution) -> tuple["Problem", Solution]:
        """The solution with a measured lens free within its uncertainty.

        Near the minimum the problem is linear in the lens; the plane is then solved again with the
        improved lens.
        """
        count = len(self.lens.doubts)
        free = [*self._free(bends=False), *range(PARAMETERS, PARAMETERS + count)]
        residual, jacobian = self._with_doubts(start.parameters)
        step = -np.linalg.solve(_ridged(jacobian.T @ jacobian), jacobian.T @ residual)
        better = self._behind(self.lens.shifted(np.asarray(step[-count:])))
        parameters = better.solve(start.parameters, bends=False).parameters
        residual, jacobian = better._with_doubts(parameters)
        return better, better._solution(parameters, residual, jacobian, free)

    def _with_doubts(self, parameters: Array) -> tuple[Array, Array]:
        """The residuals and Jacobian with a column and a prior for each uncertainty of the lens."""
        residual, jacobian = self._linear(parameters, self._free(bends=False))
        count = len(self.lens.doubts)
        others = [self._behind(self.lens.shifted(row)) for row in np.eye(count)]
        rows = [p._residuals(parameters[None], p._corners, p._rays)[0] for p in others]
        columns = np.stack(rows, axis=1) - residual[:, None]
        prior = np.hstack([np.zeros((count, jacobian.shape[1])), np.eye(count)])
        whole = np.vstack([np.hstack([jacobian, columns]), prior])
        return np.concatenate([residual, np.zeros(count)]), whole

    def _behind(self, lens: Lens) -> "Problem":
        """The same squares seen through another lens."""
        other = copy(self)
        other.lens, other._rays = lens, lens.rays(self._corners)
        return other

    def allow_for_curves(self, lens: Array) -> None:
        """Correct the corners for the curvature of squares under a distorted lens.

        Corners were found by fitting a quadrangle to the whole tag, which a distorted tag only
        approximates.
        """
        parameters = lens[None]
        flat = self._flatten(parameters, self._rays)
        bent = self._pixels(parameters, place_lattice(flat[0])[None])[0]
        self._corners = self._seen + bent[:, :4] - quadrangles(bent)
        self._rays = self.lens.rays(self._corners)

    def _solution(
        self, parameters: Array, residual: Array, jacobian: Array, free: list[int]
    ) -> Solution:
        # The rotation of a corner marker, and the place, rotation and size of a ship's, are fitted
        # too.
        own = int(np.where(self._fixed, 1, 4).sum())
        noise = max(float(residual @ residual) / max(self._corners.size - own - len(free), 1), 1.0)
        noise = max(noise, self._noise_of_fixed(residual, free))
        inverse = np.linalg.inv(_ridged(jacobian.T @ jacobian))
        covariance = inverse * noise
        corners = np.stack([self._corners, *self._skewed()])
        base, *skewed = self._residuals(
            np.tile(parameters, (len(corners), 1)), corners, self.lens.rays(corners)
        )
        for moved in skewed:
            shift = inverse @ (jacobian[: len(base)].T @ (moved - base))
            covariance = covariance + np.outer(shift, shift)
        whole = np.zeros((len(parameters), len(parameters)))
        whole[np.ix_(free, free)] = covariance
        error = residual[: self._corners.size].reshape(self._corners.shape)
        fixed_px = (error * self._sigma[:, None, None])[self._fixed]
        size = float(np.sqrt(np.mean(np.sum(fixed_px**2, axis=-1))))
        main = parameters[8:10]
        bend = float(main @ np.linalg.solve(whole[8:10, 8:10], main)) if 8 in free else 0.0
        return Solution(parameters, whole, size, bend)

    def _noise_of_fixed(self, residual: Array, free: list[int]) -> float:
        """The χ² of the squares of known place alone, by their degrees of freedom.

        They carry the plane. Where an edge of theirs runs along the pixels' rows their error may
        exceed their σ, which many ships' markers would hide in the sum over all.
        """
        error = residual[: self._corners.size].reshape(len(self._fixed), -1)[self._fixed]
        turn = residual[self._corners.size :][: len(self._fixed)][self._fixed]
        ships = len({11, 12}.intersection(free))
        freedom = error.size - len(error) - (len(free) - ships)
        return float(np.sum(error**2) + np.sum(turn**2)) / freedom if freedom > 0 else 0.0

    def _free(self, bends: bool) -> list[int]:
        free = [*range(8), *(LENS if bends else []), 10]
        return [*free, 11, 12] if (~self._fixed & ~self._odd).any() else free

    def _skewed(self) -> list[Array]:
        """The corners with each of the errors that all markers share."""
        offset = self._corners - self._corners.mean(axis=1, keepdims=True)
        unit = offset / self._side_px[:, None, None] * _STRETCH_PX
        zero = np.zeros_like(unit[..., 0])
        return [
            self._corners + np.stack(change, axis=-1)
            for change in (
                (unit[..., 0], zero),
                (zero, unit[..., 1]),
                (unit[..., 1], zero),
                (zero, unit[..., 0]),
            )
        ]


def _ridged(normal: Array) -> Array:
    """A normal matrix with a small ridge, so that it can be inverted."""
    return np.asarray(normal + 1e-12 * np.diag(np.diag(normal) + 1e-12))
