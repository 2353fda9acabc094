"""Several pictures of one table solved together: where every camera was and every fixed marker is.

A bundle adjustment. Fixed markers are the corner markers, whose places are known, and anchor
markers, which lie anywhere. A picture need not show the whole table, only fixed markers that
another picture shows as well. Parameters are the pose of each camera, the lens of each kind of
picture unless it was measured, and place and rotation of each marker that is not known; residuals
are the markers' corners in pixels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens, LensSource, doubt_axes
from calibration.homography import FixedPlace, TablePlane
from tabletop.errors import DreyerError

Array = NDArray[np.float64]

MOST_VIEWS: Final = 60
_UNIT_SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
_LENS: Final = 5
"""A lens: log focal length, k1, k2, and the offset of the centre by the focal length."""
_LENS_PRIOR: Final = np.array([0.12, 0.15, 0.05, 0.006, 0.006])
_BLEED_PRIOR_PX: Final = 0.4
"""The σ in pixels by which white areas grow into the markers."""
_TURN_PRIOR_RAD: Final = np.radians(0.5)
"""The σ of the rotation with which a corner marker is laid down."""
_LEAST_SIGMA_PX: Final = 0.04
_CORRELATED: Final = 1.5
"""The corners of one marker err together, and markers are not quite flat."""
_MOST_STEPS: Final = 30
_QUICK_STEPS: Final = 8
_STEP: Final = 1e-6
_OUTLIER: Final = 8.0
"""A marker so many times as far off as usual has been moved between the pictures."""
_OUTLIER_PX: Final = 1.5
_FEW_MOVED: Final = 3
_MOST_MOVED: Final = 0.15
"""If more than this share of the sightings does not fit, the pictures are of different tables."""
_LEAST_HEIGHT_MM: Final = 50.0
_FAR_MM: Final = 100_000.0


@dataclass(frozen=True, slots=True)
class FixedSighting:
    """A fixed marker in a picture."""

    marker_id: int
    corners_px: Array
    """Upper left, upper right, lower right, lower left."""
    sigma_px: float
    size_mm: float


@dataclass(frozen=True, slots=True)
class BundleView:
    """One picture: its lens, and the fixed markers that it shows."""

    lens: Lens
    sightings: tuple[FixedSighting, ...]
    camera: str = ""
    """Pictures of the same camera share the lens; pictures of different sizes never do."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The result: a plane for each picture, and the places of the markers."""

    planes: tuple[TablePlane | None, ...]
    """None for a picture that shares too few markers with the others."""
    places: Mapping[int, FixedPlace]
    moved: tuple[tuple[int, int], ...]
    """Markers that do not lie where other pictures have them: the picture and the marker."""
    residual_px: float


@dataclass(slots=True)
class _Observations:
    """All sightings that are used, as arrays."""

    view: NDArray[np.int64]
    marker: NDArray[np.int64]
    corners: Array
    sigma: Array
    size: Array
    side_px: Array


class _Problem:
    """The parameters and residuals for the views and markers that are linked so far."""

    def __init__(
        self,
        views: Sequence[BundleView],
        known: Mapping[int, tuple[float, float]],
        size_sigma: float,
    ):
        self.views = views
        self.known = known
        self.size_sigma = size_sigma
        keys = [_lens_key(view) for view in views]
        self.groups = list(dict.fromkeys(keys))
        self.group_of = [self.groups.index(key) for key in keys]
        self.open = [
            views[keys.index(key)].lens.source is LensSource.ASSUMED for key in self.groups
        ]
        self.lenses = np.zeros((len(self.groups), _LENS))
        self.shared = np.zeros(2)
        """Log printer's scale, and bleed in pixels."""
        self.poses: dict[int, Array] = {}
        self.places: dict[int, Array] = {}
        self.dropped: set[tuple[int, int]] = set()
        self.fixed_turn: int | None = None
        """The marker whose rotation is the frame's, where only one known marker is in sight."""

    def lens(self, group: int) -> Lens:
        base = self.views[self.group_of.index(group)].lens
        if not self.open[group]:
            return base
        scale, k1, k2, x, y = self.lenses[group].tolist()
        focal = base.fx_px * float(np.exp(scale))
        return replace(
            base,
            fx_px=focal, fy_px=focal,
            cx_px=base.cx_px + x * focal, cy_px=base.cy_px + y * focal,
            distortion=(k1, k2, 0.0, 0.0, 0.0), source=LensSource.TAGS, focal_known=True,
        )  # fmt: skip

    def observations(self) -> _Observations:
        rows = [
            (number, sighting)
            for number in sorted(self.poses)
            for sighting in self.views[number].sightings
            if sighting.marker_id in self.places
            and (number, sighting.marker_id) not in self.dropped
        ]
        corners = np.stack([s.corners_px for _, s in rows])
        side = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1)
        return _Observations(
            np.array([number for number, _ in rows]),
            np.array([s.marker_id for _, s in rows]),
            corners,
            np.array([max(s.sigma_px, _LEAST_SIGMA_PX) for _, s in rows]) * _CORRELATED,
            np.array([s.size_mm for _, s in rows]),
            side,
        )

    # Parameters as one vector

    def pack(self) -> Array:
        parts = [self.lenses[number] for number, is_open in enumerate(self.open) if is_open]
        parts.append(self.shared)
        parts += [self.poses[number] for number in sorted(self.poses)]
        for number in sorted(self.places):
            place = self.places[number]
            parts.append(place[2:] if number in self.known else place)
        return np.concatenate(parts)

    def unpack(self, vector: Array) -> None:
        at = 0

        def take(count: int) -> Array:
            nonlocal at
            at += count
            return vector[at - count : at]

        for number, is_open in enumerate(self.open):
            if is_open:
                self.lenses[number] = take(_LENS)
        self.shared = take(2).copy()
        for number in sorted(self.poses):
            self.poses[number] = take(6).copy()
        for number in sorted(self.places):
            if number in self.known:
                self.places[number] = np.array([*self.known[number], take(1)[0]])
            else:
                self.places[number] = take(3).copy()

    def columns(self) -> tuple[dict[int, slice], dict[int, slice], dict[int, slice]]:
        """Where the lenses, the poses and the markers are in the vector."""
        at = 0
        lenses: dict[int, slice] = {}
        for number, is_open in enumerate(self.open):
            if is_open:
                lenses[number] = slice(at, at + _LENS)
                at += _LENS
        at += 2
        poses = {}
        for number in sorted(self.poses):
            poses[number] = slice(at, at + 6)
            at += 6
        places = {}
        for number in sorted(self.places):
            count = 1 if number in self.known else 3
            places[number] = slice(at, at + count)
            at += count
        return lenses, poses, places

    def residuals(self, vector: Array, seen: _Observations) -> Array:
        self.unpack(vector)
        scale, bleed = self.shared
        place = np.array([self.places[int(number)] for number in seen.marker])
        size = seen.size * np.exp(scale) * (1 - bleed / seen.side_px)
        sine, cosine = np.sin(place[:, 2]), np.cos(place[:, 2])
        unit = _UNIT_SQUARE[None] * size[:, None, None]
        # Headings turn clockwise from +y.
        x = place[:, 0, None] + unit[..., 0] * cosine[:, None] + unit[..., 1] * sine[:, None]
        y = place[:, 1, None] - unit[..., 0] * sine[:, None] + unit[..., 1] * cosine[:, None]
        error = np.empty_like(seen.corners)
        for number, pose in self.poses.items():
            rows = seen.view == number
            if rows.any():
                error[rows] = seen.corners[rows] - self._project(number, pose, x[rows], y[rows])
        turns = [
            self.places[number][2] / _TURN_PRIOR_RAD * (1e4 if number == self.fixed_turn else 1.0)
            for number in sorted(self.places)
            if number in self.known
        ]
        lenses = [
            self.lenses[number] / _LENS_PRIOR for number, is_open in enumerate(self.open) if is_open
        ]
        return np.concatenate(
            [
                (error / seen.sigma[:, None, None]).ravel(),
                np.array(turns),
                *lenses,
                self.shared / [self.size_sigma, _BLEED_PRIOR_PX],
            ]
        )

    def _project(self, number: int, pose: Array, x: Array, y: Array) -> Array:
        turn = np.asarray(cv2.Rodrigues(pose[:3])[0])
        depth = turn[2, 0] * x + turn[2, 1] * y + pose[5]
        depth = np.where(np.abs(depth) < 1.0, 1.0, depth)
        rays = np.stack(
            [
                (turn[0, 0] * x + turn[0, 1] * y + pose[3]) / depth,
                (turn[1, 0] * x + turn[1, 1] * y + pose[4]) / depth,
            ],
            axis=-1,
        )
        return self.lens(self.group_of[number]).pixels(rays)

    def jacobian(self, vector: Array, seen: _Observations, base: Array) -> Array:
        """Numerical slopes; a sighting depends on one camera and one marker, so that those of all
        cameras, and of all markers, are found at once.
        """
        slopes = np.zeros((base.size, vector.size))
        lenses, poses, places = self.columns()
        count = len(seen.view) * 8

        def difference(columns: Sequence[int]) -> Array:
            moved = vector.copy()
            moved[list(columns)] += _STEP * np.maximum(1.0, np.abs(vector[list(columns)]))
            return self.residuals(moved, seen) - base

        alone = [column for each in lenses.values() for column in range(each.start, each.stop)]
        first = max((each.stop for each in lenses.values()), default=0)
        for column in [*alone, first, first + 1]:
            slopes[:, column] = difference([column]) / _step_of(vector, column)
        view, marker = np.repeat(seen.view, 8), np.repeat(seen.marker, 8)
        for parameter in range(6):
            moved = difference([each.start + parameter for each in poses.values()])
            for number, each in poses.items():
                rows = np.flatnonzero(view == number)
                column = each.start + parameter
                slopes[rows, column] = moved[rows] / _step_of(vector, column)
        priors = {
            number: count + row
            for row, number in enumerate(n for n in sorted(self.places) if n in self.known)
        }
        for parameter in range(3):
            chosen = {
                number: each.start + parameter
                for number, each in places.items()
                if parameter < each.stop - each.start
            }
            moved = difference([*chosen.values()])
            for number, column in chosen.items():
                rows = np.flatnonzero(marker == number)
                if number in priors:
                    rows = np.append(rows, priors[number])
                slopes[rows, column] = moved[rows] / _step_of(vector, column)
        return slopes

    def solve(self, steps: int) -> None:
        """Levenberg and Marquardt's search from where the parameters are."""
        seen = self.observations()
        vector = self.pack()
        base = self.residuals(vector, seen)
        damping = 1e-4
        for _ in range(steps):
            slopes = self.jacobian(vector, seen, base)
            normal = slopes.T @ slopes
            wanted = -slopes.T @ base
            before = float(base @ base)
            for _ in range(8):
                damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
                step = np.linalg.solve(damped, wanted)
                moved = self.residuals(vector + step, seen)
                after = float(moved @ moved)
                if np.isfinite(after) and after < before:
                    vector, base = vector + step, moved
                    damping = max(damping / 10, 1e-9)
                    break
                damping *= 8
            else:
                break
            if before - after < 1e-6 * before:
                break
        self.unpack(vector)

    def covariance(self) -> tuple[Array, float, Array, _Observations]:
        """The covariance of all parameters, the residual, and every sighting's own error in σ."""
        seen = self.observations()
        vector = self.pack()
        base = self.residuals(vector, seen)
        slopes = self.jacobian(vector, seen, base)
        self.unpack(vector)
        free = max(base.size - vector.size, 1)
        noise = max(float(base @ base) / free, 1.0)
        normal = slopes.T @ slopes
        ridge = 1e-12 * np.diag(np.diag(normal) + 1e-12)
        covariance = np.asarray(np.linalg.inv(normal + ridge) * noise, dtype=np.float64)
        own = base[: seen.corners.size].reshape(len(seen.view), 8)
        pixels = own * seen.sigma[:, None]
        return covariance, float(np.sqrt((pixels**2).sum() / (4 * len(pixels)))), own, seen


def _step_of(vector: Array, column: int) -> float:
    return _STEP * max(1.0, abs(float(vector[column])))


def solve_bundle(
    views: Sequence[BundleView],
    known: Mapping[int, tuple[float, float]],
    *,
    size_sigma: float,
) -> Bundle:
    """Every picture's plane in one frame, from the markers that they share.

    `size_sigma` is how much the size of all markers may differ from what was meant. Raises
    DreyerError where no picture shows a marker of known place.
    """
    if len(views) > MOST_VIEWS:
        raise DreyerError("calibration.bundle.many", most=MOST_VIEWS, found=len(views))
    problem = _Problem(views, known, size_sigma)
    _link(problem)
    moved: list[tuple[int, int]] = []
    while True:
        problem.solve(_MOST_STEPS)
        covariance, residual, own, seen = problem.covariance()
        worst = _worst(own, seen)
        if worst is None:
            break
        problem.dropped.add(worst)
        moved.append(worst)
        if len(moved) > max(_FEW_MOVED, _MOST_MOVED * len(seen.view)):
            raise DreyerError("calibration.bundle.disagree")
        _forget_unseen(problem)
        if not problem.poses:
            raise DreyerError("calibration.bundle.disagree")
    lenses, poses, places = problem.columns()
    planes = tuple(
        _plane(problem, covariance, number, lenses, poses) if number in problem.poses else None
        for number in range(len(views))
    )
    found = {
        number: FixedPlace(
            float(place[0]),
            float(place[1]),
            float(np.degrees(place[2])) % 360,
            0.0 if number in known else float(_spread(covariance, places[number])),
        )
        for number, place in problem.places.items()
    }
    return Bundle(planes, found, tuple(moved), residual)


def _lens_key(view: BundleView) -> tuple[object, ...]:
    lens = view.lens
    if lens.source is LensSource.ASSUMED:
        return view.camera, lens.width_px, lens.height_px
    return (lens,)


def _link(problem: _Problem) -> None:
    """Pose the pictures one after the other, from the markers that have places already."""
    views, known = problem.views, problem.known
    first = max(
        range(len(views)),
        key=lambda n: (sum(s.marker_id in known for s in views[n].sightings), -n),
        default=None,
    )
    if first is None or not any(s.marker_id in known for s in views[first].sightings):
        raise DreyerError("calibration.bundle.no_corner")
    seen_known = {s.marker_id for view in views for s in view.sightings} & set(known)
    if len(seen_known) == 1:
        problem.fixed_turn = next(iter(seen_known))
    problem.places = {number: np.array([*known[number], 0.0]) for number in seen_known}
    waiting = set(range(len(views)))
    while waiting:
        shared = {
            n: sum(s.marker_id in problem.places for s in views[n].sightings) for n in waiting
        }
        number = max(sorted(waiting), key=lambda n: shared[n])
        if not shared[number]:
            break
        waiting.discard(number)
        pose = _first_pose(problem, number)
        if pose is None:
            continue
        problem.poses[number] = pose
        for sighting in views[number].sightings:
            if sighting.marker_id not in problem.places:
                place = _first_place(problem, number, sighting)
                if place is not None:
                    problem.places[sighting.marker_id] = place
        _forget_unseen(problem)
        problem.solve(_QUICK_STEPS)
    if not problem.poses:
        raise DreyerError("calibration.bundle.disagree")


def _forget_unseen(problem: _Problem) -> None:
    """Drop places that no posed picture shows any more, and pictures that show none."""
    in_sight = {
        s.marker_id
        for number in problem.poses
        for s in problem.views[number].sightings
        if (number, s.marker_id) not in problem.dropped
    }
    problem.places = {
        number: place
        for number, place in problem.places.items()
        if number in in_sight or number in problem.known
    }
    problem.poses = {
        number: pose
        for number, pose in problem.poses.items()
        if any(
            s.marker_id in problem.places and (number, s.marker_id) not in problem.dropped
            for s in problem.views[number].sightings
        )
    }


def _first_pose(problem: _Problem, number: int) -> Array | None:
    """The camera's rough pose from the markers with places; of two, the one that suits the rest."""
    view = problem.views[number]
    lens = problem.lens(problem.group_of[number])
    here = [s for s in view.sightings if s.marker_id in problem.places]
    on_table = np.concatenate([_square(problem.places[s.marker_id], s.size_mm) for s in here])
    rays = lens.rays(np.concatenate([s.corners_px for s in here]))
    points = np.column_stack([on_table, np.zeros(len(on_table))])
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        points.reshape(-1, 1, 3), rays.reshape(-1, 1, 2), np.eye(3), np.zeros(5),
        flags=cv2.SOLVEPNP_IPPE,
    )  # fmt: skip
    best, least = None, np.inf
    for turn, shift in zip(turns[:count], shifts[:count], strict=True):
        pose = np.concatenate([np.ravel(turn), np.ravel(shift)])
        plane = _plane_of(lens, pose)
        if plane.camera_mm is None or plane.camera_mm[2] < _LEAST_HEIGHT_MM:
            continue
        cost = 0.0
        for sighting in view.sightings:
            flat = plane.to_mm(sighting.corners_px)
            sides = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
            across = np.linalg.norm(flat[[0, 1]] - flat[[2, 3]], axis=1) / np.sqrt(2)
            cost += float(np.sum(np.log(np.maximum(sides, 1e-6) / sighting.size_mm) ** 2))
            cost += float(np.sum(np.log(np.maximum(across, 1e-6) / sighting.size_mm) ** 2))
        if cost < least:
            best, least = pose, cost
    return best


def _first_place(problem: _Problem, number: int, sighting: FixedSighting) -> Array | None:
    plane = _plane_of(problem.lens(problem.group_of[number]), problem.poses[number])
    flat = plane.to_mm(sighting.corners_px)
    centre = flat.mean(axis=0)
    up = flat[:2].mean(axis=0) - flat[2:].mean(axis=0)
    side = float(np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1).mean())
    if not np.isfinite(flat).all() or np.abs(centre).max() > _FAR_MM:
        return None
    if not 0.5 < side / sighting.size_mm < 2.0:
        return None
    return np.array([*centre, np.arctan2(up[0], up[1])])


def _square(place: Array, size_mm: float) -> Array:
    sine, cosine = np.sin(place[2]), np.cos(place[2])
    unit = _UNIT_SQUARE * size_mm
    return np.column_stack(
        [
            place[0] + unit[:, 0] * cosine + unit[:, 1] * sine,
            place[1] - unit[:, 0] * sine + unit[:, 1] * cosine,
        ]
    )


def _worst(own: Array, seen: _Observations) -> tuple[int, int] | None:
    """The sighting that does not fit the others, if there is one."""
    error = np.sqrt((own**2).mean(axis=1))
    usual = max(float(np.median(error)), 1.0)
    worst = int(np.argmax(error))
    pixels = error[worst] * seen.sigma[worst]
    if error[worst] < _OUTLIER * usual or pixels < _OUTLIER_PX:
        return None
    return int(seen.view[worst]), int(seen.marker[worst])


def _plane(
    problem: _Problem,
    covariance: Array,
    number: int,
    lenses: Mapping[int, slice],
    poses: Mapping[int, slice],
) -> TablePlane:
    """A picture's plane with its variants: each axis of the uncertainty shifted by 1 σ."""
    group = problem.group_of[number]
    columns = list(range(poses[number].start, poses[number].stop))
    if group in lenses:
        columns += range(lenses[group].start, lenses[group].stop)
    plane = _plane_of(problem.lens(group), problem.poses[number])
    kept = problem.lenses[group].copy()
    variants = []
    for axis in doubt_axes(covariance[np.ix_(columns, columns)]):
        shift = np.array(axis)
        problem.lenses[group] = kept + (shift[6:] if group in lenses else 0.0)
        variants.append(_plane_of(problem.lens(group), problem.poses[number] + shift[:6]))
    problem.lenses[group] = kept
    return replace(plane, variants=tuple(variants))


def _plane_of(lens: Lens, pose: Array) -> TablePlane:
    turn = np.asarray(cv2.Rodrigues(pose[:3])[0], dtype=np.float64)
    to_rays = np.column_stack([turn[:, 0], turn[:, 1], pose[3:]])
    camera = -turn.T @ pose[3:]
    return TablePlane(lens, np.asarray(np.linalg.inv(to_rays)), camera)


def _spread(covariance: Array, columns: slice) -> float:
    """The σ of a place along its worse axis."""
    place = covariance[columns, columns][:2, :2]
    return float(np.sqrt(np.linalg.eigvalsh(place)[-1]))
