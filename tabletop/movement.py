"""Straight and curved steps, and paths made of them, in yards.

A step is a length and the angle turned along it; its chord is computed in closed form, without
numerical integration. The rules for what a ship may do are the caller's.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

from tabletop.angles import forward, wrap_180
from tabletop.closecall import TOLERANCE_DEG, TOLERANCE_YARDS
from tabletop.errors import DreyerError
from tabletop.table import Pose


@dataclass(frozen=True, slots=True)
class Straight:
    """A run straight ahead."""

    length_yards: float

    def __post_init__(self) -> None:
        _check_length(self.length_yards)

    @property
    def angle_deg(self) -> float:
        """Always 0."""
        return 0.0

    @property
    def cost_yards(self) -> float:
        """What a straight takes of a ship's run: its length."""
        return self.length_yards

    def part(self, fraction: float) -> "Straight":
        """The first part of the run."""
        return Straight(self.length_yards * fraction)


@dataclass(frozen=True, slots=True)
class Turn:
    """A run along an arc, positive angles to the right; with length 0, a turn on the spot."""

    angle_deg: float
    length_yards: float
    least_fraction: float = 1.0
    """The ship may stop anywhere from this fraction of the arc to its end."""
    lost_yards: float = 0.0
    """The movement that the turn costs in addition to its length."""

    def __post_init__(self) -> None:
        _check_length(self.length_yards)
        _check_length(self.lost_yards)
        if not math.isfinite(self.angle_deg):
            raise DreyerError("tabletop.movement.angle", degrees=self.angle_deg)
        if not 0.0 <= self.least_fraction <= 1.0:
            raise DreyerError("tabletop.movement.fraction", fraction=self.least_fraction)

    @property
    def is_open_ended(self) -> bool:
        """Whether the ship may stop before the end of the arc."""
        return self.least_fraction < 1.0

    @property
    def cost_yards(self) -> float:
        """What the turn takes of the ship's run."""
        return self.length_yards + self.lost_yards

    def part(self, fraction: float) -> "Turn":
        """The first part of the arc, as a turn with a fixed end."""
        return Turn(
            self.angle_deg * fraction,
            self.length_yards * fraction,
            lost_yards=self.lost_yards * fraction,
        )


Step = Straight | Turn


def chord(heading_deg: float, step: Step) -> tuple[float, float]:
    """The vector (x, y) from the beginning of a step on this heading to its end."""
    # The chord of an arc points half-way between the headings at its ends and is shorter than
    # the arc by the factor sin(x)/x of half the angle, which is 1 for a straight.
    half = math.radians(step.angle_deg) / 2
    length = step.length_yards * (math.sin(half) / half if half else 1.0)
    x, y = forward(heading_deg + step.angle_deg / 2)
    return length * x, length * y


@dataclass(frozen=True, slots=True)
class NearestPoint:
    """The point of a path nearest to some place: its distance along the path and from the place."""

    along_yards: float
    off_yards: float


@dataclass(frozen=True)
class Path:
    """Consecutive steps from a pose; open-ended turns are run to their end."""

    start: Pose
    steps: tuple[Step, ...] = ()

    @cached_property
    def stations(self) -> tuple[Pose, ...]:
        """The pose at the start and after each step."""
        return tuple(accumulate(self.steps, self._after, initial=self.start))

    @property
    def end(self) -> Pose:
        """The pose after the last step, with the uncertainty that follows from the start's."""
        return self.stations[-1]

    @property
    def length_yards(self) -> float:
        """The sum of the steps' lengths."""
        return math.fsum(step.length_yards for step in self.steps)

    def pose_at(self, distance_yards: float) -> Pose:
        """The pose after this distance, with any turn on the spot there completed.

        Raises DreyerError if the distance is not on the path.
        """
        self._check_on_path(distance_yards)
        left_yards = distance_yards
        for pose, step in zip(self.stations, self.steps, strict=False):
            if left_yards < step.length_yards:
                return self._after(pose, step.part(max(0.0, left_yards) / step.length_yards))
            left_yards -= step.length_yards
        return self.end

    def steps_from(self, distance_yards: float) -> tuple[Step, ...]:
        """The steps that remain after this distance; raises DreyerError if it is off the path."""
        self._check_on_path(distance_yards)
        passed_yards = distance_yards
        for number, step in enumerate(self.steps):
            if passed_yards < step.length_yards:
                rest = step.part(1.0 - max(0.0, passed_yards) / step.length_yards)
                return rest, *self.steps[number + 1 :]
            passed_yards -= step.length_yards
        return ()

    def then(self, steps: Iterable[Step]) -> "Path":
        """The path extended by more steps."""
        return Path(self.start, (*self.steps, *steps))

    def reversed(self) -> "Path":
        """The path back from the end to the start, on the reverse headings."""
        return Path(_turned_about(self.end), reversed_steps(self.steps))

    def polyline(self, spacing_yards: float) -> tuple[tuple[float, float], ...]:
        """Points to draw the path through: the steps' ends, and points of arcs at this spacing."""
        if not spacing_yards > 0:
            raise DreyerError("tabletop.movement.spacing", yards=spacing_yards)
        points = [(self.start.x_yards, self.start.y_yards)]
        for pose, step in zip(self.stations, self.steps, strict=False):
            pieces = math.ceil(step.length_yards / spacing_yards) if step.angle_deg else 1
            for piece in range(1, pieces + 1):
                x, y = chord(pose.heading_deg, step.part(piece / pieces))
                points.append((pose.x_yards + x, pose.y_yards + y))
        return tuple(points)

    def even_polyline(self, spacing_yards: float) -> tuple[tuple[float, float], ...]:
        """Points along the path at equal distances, which do not reveal its steps."""
        if not spacing_yards > 0:
            raise DreyerError("tabletop.movement.spacing", yards=spacing_yards)
        length = self.length_yards
        # Rounding must not add another piece.
        pieces = max(1, math.ceil(round(length / spacing_yards, 6)))
        poses = (self.pose_at(length * n / pieces) for n in range(pieces + 1))
        return tuple((round(pose.x_yards, 3), round(pose.y_yards, 3)) for pose in poses)

    def nearest(self, x_yards: float, y_yards: float) -> NearestPoint:
        """The point of the path nearest to a place, the first if several are."""
        nearest = NearestPoint(
            0.0, math.hypot(x_yards - self.start.x_yards, y_yards - self.start.y_yards)
        )
        passed_yards = 0.0
        for (pose, after), step in zip(pairwise(self.stations), self.steps, strict=True):
            fraction = _nearest_fraction(pose, after, step, x_yards, y_yards)
            dx, dy = chord(pose.heading_deg, step.part(fraction))
            off_yards = math.hypot(x_yards - pose.x_yards - dx, y_yards - pose.y_yards - dy)
            if off_yards < nearest.off_yards:
                nearest = NearestPoint(passed_yards + fraction * step.length_yards, off_yards)
            passed_yards += step.length_yards
        return nearest

    def _after(self, pose: Pose, step: Step) -> Pose:
        x, y = chord(pose.heading_deg, step)
        x, y = pose.x_yards + x, pose.y_yards + y
        # An error in the first heading rotates the whole path about its start.
        lever_yards = math.hypot(x - self.start.x_yards, y - self.start.y_yards)
        swing_yards = math.radians(self.start.heading_sigma_deg) * lever_yards
        return Pose(
            x,
            y,
            pose.heading_deg + step.angle_deg,
            math.hypot(self.start.position_sigma_yards, swing_yards),
            self.start.heading_sigma_deg,
        )

    def _check_on_path(self, distance_yards: float) -> None:
        if not -TOLERANCE_YARDS <= distance_yards <= self.length_yards + TOLERANCE_YARDS:
            raise DreyerError(
                "tabletop.movement.off_path", yards=distance_yards, length=self.length_yards
            )


def reversed_steps(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps of the way back, in reverse order with left and right exchanged."""
    return tuple(
        replace(step, angle_deg=-step.angle_deg) if isinstance(step, Turn) else step
        for step in reversed(tuple(steps))
    )


def following(
    follower: Pose, track: Path, distance_yards: float, *, off_track_yards: float
) -> Path:
    """The path of a ship that follows another's track for a distance of her own.

    Begin the track where the ship ahead was some moves ago. A follower astern of its beginning
    runs straight to it; a follower within `off_track_yards` of the track continues from the
    nearest point of it. Past the end of the track she keeps its last heading. The `lost_yards` of
    a turn reduce her distance, too. Open-ended turns are run to their end, so give the track the
    steps that `PlacementCheck` found for the ship ahead. Raises DreyerError if the follower is too
    far off the track.
    """
    _check_length(distance_yards)
    if not distance_yards:
        return Path(follower)
    nearest = track.nearest(follower.x_yards, follower.y_yards)
    if nearest.along_yards > TOLERANCE_YARDS and nearest.off_yards <= off_track_yards:
        start, steps = track.pose_at(nearest.along_yards), track.steps_from(nearest.along_yards)
    elif track.start.offset_to(follower.x_yards, follower.y_yards)[0] <= TOLERANCE_YARDS:
        start, steps = follower, (*_run_in(follower, track.start), *track.steps)
    else:
        raise DreyerError(
            "tabletop.movement.off_track", yards=nearest.off_yards, most=off_track_yards
        )
    # The uncertainty of both ships' positions adds up.
    start = replace(
        start,
        position_sigma_yards=math.hypot(
            follower.position_sigma_yards, track.start.position_sigma_yards
        ),
        heading_sigma_deg=track.start.heading_sigma_deg,
    )
    return Path(start, _cut(steps, distance_yards))


def _run_in(follower: Pose, beginning: Pose) -> tuple[Step, ...]:
    """The steps from astern straight to the beginning of a track, with a bend at each end."""
    dx, dy = beginning.x_yards - follower.x_yards, beginning.y_yards - follower.y_yards
    distance_yards = math.hypot(dx, dy)
    if distance_yards <= TOLERANCE_YARDS:
        course_deg = follower.heading_deg
    else:
        course_deg = math.degrees(math.atan2(dx, dy))
    bend_deg = wrap_180(course_deg - follower.heading_deg)
    if abs(bend_deg) > 90.0:
        raise DreyerError("tabletop.movement.track_behind")
    bends = Turn(bend_deg, 0.0), Turn(wrap_180(beginning.heading_deg - course_deg), 0.0)
    return bends[0], Straight(distance_yards), bends[1]


def _cut(steps: Iterable[Step], distance_yards: float) -> tuple[Step, ...]:
    """The steps that this distance suffices for, extended by a straight if they end before it."""
    cut: list[Step] = []
    left_yards = distance_yards
    for step in steps:
        if left_yards <= TOLERANCE_YARDS:
            return tuple(cut)
        spent_yards = min(left_yards, step.cost_yards)
        cut.append(step.part(spent_yards / step.cost_yards if step.cost_yards else 1.0))
        left_yards -= spent_yards
    return (*cut, Straight(left_yards)) if left_yards > TOLERANCE_YARDS else tuple(cut)


def _nearest_fraction(pose: Pose, after: Pose, step: Step, x_yards: float, y_yards: float) -> float:
    """The fraction of a step after which it is nearest to a place."""
    ahead, right = pose.offset_to(x_yards, y_yards)
    if not step.length_yards:
        return 0.0
    if abs(step.angle_deg) <= TOLERANCE_DEG:
        return min(1.0, max(0.0, ahead / step.length_yards))
    # If the place lies within the arc's angle, seen from its centre, the nearest point is at
    # that angle; otherwise it is one of the arc's ends.
    radius = step.length_yards / math.radians(step.angle_deg)
    side = math.copysign(1.0, radius)
    passed_deg = math.degrees(math.atan2(ahead, abs(radius) - side * right)) % 360.0
    if passed_deg <= abs(step.angle_deg):
        return passed_deg / abs(step.angle_deg)
    to_end = math.hypot(x_yards - after.x_yards, y_yards - after.y_yards)
    return 0.0 if math.hypot(ahead, right) <= to_end else 1.0


def _turned_about(pose: Pose) -> Pose:
    return replace(pose, heading_deg=pose.heading_deg + 180.0)


def _check_length(length_yards: float) -> None:
    if not 0.0 <= length_yards < math.inf:
        raise DreyerError("tabletop.movement.length", yards=length_yards)
