"""The check of whether a model stands where its move puts it.

A move with open-ended turns allows many final poses. The check compares the model with the one
that fits it best.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from tabletop.angles import FloatArray, forward, wrap_180
from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.movement import Path, Step, Turn, chord
from tabletop.table import Pose

ROUNDING_DEG: Final = 1e-6
"""Headings within this distance of a limit count as on it, because of rounding."""

_GRID_LEVELS: Final = (1 / 6, 1 / 2, 5 / 6)
_MOST_GRID_POINTS: Final = 250
_DESCENTS: Final = 3
_MOST_ITERATIONS: Final = 100
_MOST_DAMPING: Final = 1e12


@dataclass(frozen=True, slots=True)
class PlacementCheck:
    """The difference between a model's pose and the end of its move."""

    expected: Pose
    """The plotted pose; of those that open-ended turns allow, the best fit."""
    steps: tuple[Step, ...]
    """The move with every open-ended turn cut where it fits the model best."""
    off_ahead_yards: float
    """Distance beyond the plotted position along the plotted heading; negative is short of it."""
    off_right_yards: float
    """Distance to starboard of the plotted position; negative is to port."""
    off_heading_deg: float
    """Angle to starboard of the plotted heading; negative is to port."""
    placing_tolerance_yards: float
    heading_tolerance_deg: float
    doubt_yards: float
    """2 σ of the measurement, allowed in addition to the tolerance."""
    doubt_deg: float

    @property
    def off_yards(self) -> float:
        """The distance from the plotted position."""
        return math.hypot(self.off_ahead_yards, self.off_right_yards)

    @property
    def allowed_yards(self) -> float:
        """The tolerance of the position, including the measuring error."""
        return self.placing_tolerance_yards + self.doubt_yards

    @property
    def allowed_heading_deg(self) -> float:
        """The tolerance of the heading, including the measuring error."""
        return self.heading_tolerance_deg + self.doubt_deg

    @property
    def in_place(self) -> bool:
        """Whether position and heading are within what is allowed."""
        return self._within(self.allowed_yards, self.allowed_heading_deg)

    @property
    def by_benefit_of_doubt(self) -> bool:
        """Whether the model is in place only because of the measuring error."""
        within_tolerance = self._within(self.placing_tolerance_yards, self.heading_tolerance_deg)
        return self.in_place and not within_tolerance

    @property
    def why(self) -> Message:
        """The result with its figures."""
        if not self.in_place:
            return Message(
                "tabletop.referee.out_of_place", place=self._place, heading=self._heading
            )
        code = "by_doubt" if self.by_benefit_of_doubt else "in_place"
        return Message(
            f"tabletop.referee.{code}",
            yards=self.off_yards,
            allowed_yards=self.allowed_yards,
            degrees=abs(self.off_heading_deg),
            allowed_degrees=self.allowed_heading_deg,
        )

    @property
    def _place(self) -> Message:
        ahead, right = round(self.off_ahead_yards), round(self.off_right_yards)
        along = Message(f"tabletop.referee.{'beyond' if ahead > 0 else 'short'}", yards=abs(ahead))
        across = Message(
            f"tabletop.referee.{'starboard' if right > 0 else 'port'}", yards=abs(right)
        )
        if ahead and right:
            return Message("tabletop.referee.off_both", along=along, across=across)
        if ahead or right:
            return Message("tabletop.referee.off", by=along if ahead else across)
        return Message("tabletop.referee.on_place")

    @property
    def _heading(self) -> Message:
        angle = round(self.off_heading_deg)
        if not angle:
            return Message("tabletop.referee.on_heading")
        side = "starboard" if angle > 0 else "port"
        return Message(f"tabletop.referee.heading_{side}", degrees=abs(angle))

    def _within(self, yards: float, degrees: float) -> bool:
        return (
            self.off_yards <= yards + TOLERANCE_YARDS
            and abs(self.off_heading_deg) <= degrees + ROUNDING_DEG
        )


def referee(
    before: Pose,
    steps: Sequence[Step],
    after: Pose,
    *,
    placing_tolerance_yards: float,
    heading_tolerance_deg: float,
) -> PlacementCheck:
    """Compare the pose after a move with the pose before it and the move's steps.

    The tolerances are for placing models by hand; 2 σ of the measuring error of both poses is
    allowed in addition. Raises DreyerError for a negative or infinite tolerance.
    """
    if not (0 <= placing_tolerance_yards < math.inf and 0 <= heading_tolerance_deg < math.inf):
        raise DreyerError(
            "tabletop.referee.tolerance",
            yards=placing_tolerance_yards,
            degrees=heading_tolerance_deg,
        )
    steps = tuple(steps)
    doubt_deg = CLOSE_CALL_SIGMAS * math.hypot(before.heading_sigma_deg, after.heading_sigma_deg)

    def doubt_yards(plotted: Pose) -> float:
        return CLOSE_CALL_SIGMAS * math.hypot(
            plotted.position_sigma_yards, after.position_sigma_yards
        )

    fit = _Fit(
        before,
        steps,
        after,
        yards=max(1.0, placing_tolerance_yards + doubt_yards(Path(before, steps).end)),
        degrees=max(0.1, heading_tolerance_deg + doubt_deg),
    )
    path = Path(before, fit.best_steps())
    expected = path.end
    ahead_yards, right_yards = expected.offset_to(after.x_yards, after.y_yards)
    return PlacementCheck(
        expected=expected,
        steps=path.steps,
        off_ahead_yards=ahead_yards,
        off_right_yards=right_yards,
        off_heading_deg=wrap_180(after.heading_deg - expected.heading_deg),
        placing_tolerance_yards=placing_tolerance_yards,
        heading_tolerance_deg=heading_tolerance_deg,
        doubt_yards=doubt_yards(expected),
        doubt_deg=doubt_deg,
    )


class _Fit:
    """Fits the lengths of open-ended turns so that a path ends nearest to a pose.

    Yards and degrees are scaled by their tolerances. The sum of squares is minimised by damped
    Gauss-Newton steps (Levenberg-Marquardt) within the bounds, starting from the best points of a
    coarse grid; the result is deterministic.
    """

    def __init__(
        self, start: Pose, steps: tuple[Step, ...], goal: Pose, yards: float, degrees: float
    ) -> None:
        self._start, self._steps, self._goal = start, steps, goal
        self._scale = np.array([yards, yards, degrees])
        self._least = {
            number: step.least_fraction
            for number, step in enumerate(steps)
            if isinstance(step, Turn) and step.is_open_ended
        }

    def best_steps(self) -> tuple[Step, ...]:
        """The steps, every open-ended turn cut where that fits best."""
        if not self._least:
            return self._steps
        ranked = sorted(self._grid(), key=self._cost)
        return self._cut(min(map(self._descend, ranked[:_DESCENTS]), key=self._cost))

    def _grid(self) -> list[FloatArray]:
        count = len(self._least)
        levels = _GRID_LEVELS if len(_GRID_LEVELS) ** count <= _MOST_GRID_POINTS else (1 / 2,)
        least = np.array(list(self._least.values()))
        return [least + (1.0 - least) * np.array(point) for point in product(levels, repeat=count)]

    def _descend(self, fractions: FloatArray) -> FloatArray:
        least = np.array(list(self._least.values()))
        damping = 1e-3
        misfit, slope = self._misfit(fractions)
        for _ in range(_MOST_ITERATIONS):
            gradient = slope.T @ misfit
            # A turn at its bound whose gradient points outwards is kept fixed in this step.
            free = ~((fractions <= least) & (gradient > 0) | (fractions >= 1.0) & (gradient < 0))
            if damping > _MOST_DAMPING or not free.any():
                break
            trial = fractions.copy()
            trial[free] += _damped_step(slope[:, free], misfit, damping)
            trial = np.clip(trial, least, 1.0)
            trial_misfit, trial_slope = self._misfit(trial)
            if trial_misfit @ trial_misfit < misfit @ misfit:
                fractions, misfit, slope = trial, trial_misfit, trial_slope
                damping /= 10.0
            else:
                damping *= 10.0
        return fractions

    def _cost(self, fractions: FloatArray) -> float:
        misfit, _ = self._misfit(fractions)
        return float(misfit @ misfit)

    def _misfit(self, fractions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The scaled residuals in x, y and heading, and their derivatives by each turn."""
        x, y, heading = self._start.x_yards, self._start.y_yards, self._start.heading_deg
        stops = []
        for number, step in enumerate(self._cut(fractions)):
            dx, dy = chord(heading, step)
            x, y, heading = x + dx, y + dy, heading + step.angle_deg
            if number in self._least:
                stops.append((x, y, heading, self._steps[number]))
        goal = self._goal
        misfit = x - goal.x_yards, y - goal.y_yards, wrap_180(heading - goal.heading_deg)
        slopes = []
        for stop_x, stop_y, stop_heading, step in stops:
            # A longer arc moves the end along the heading and rotates everything after it.
            ahead_x, ahead_y = forward(stop_heading)
            swing = math.radians(step.angle_deg)
            slopes.append(
                (
                    step.length_yards * ahead_x + swing * (y - stop_y),
                    step.length_yards * ahead_y - swing * (x - stop_x),
                    step.angle_deg,
                )
            )
        return np.array(misfit) / self._scale, np.array(slopes).T / self._scale[:, None]

    def _cut(self, fractions: FloatArray) -> tuple[Step, ...]:
        cut = dict(zip(self._least, fractions.tolist(), strict=True))
        return tuple(
            step.part(cut[number]) if number in cut else step
            for number, step in enumerate(self._steps)
        )


def _damped_step(slope: FloatArray, misfit: FloatArray, damping: float) -> FloatArray:
    # With more turns than residuals the normal equations are singular; lstsq takes the
    # minimum-norm step.
    count = slope.shape[1]
    damped_slope = np.vstack((slope, math.sqrt(damping) * np.eye(count)))
    step, *_ = np.linalg.lstsq(damped_slope, np.append(-misfit, np.zeros(count)))
    return np.asarray(step, dtype=np.float64)
