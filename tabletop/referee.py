"""Does the model stand where its move puts it, and if not, by how much is it off?

Where a move has open-ended turns there are many places where the model may stand. The referee
looks for the one that fits the model best and judges by that, so that a player who may stop
short anywhere along an arc is never told that he stopped at the wrong point of it.
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
"""Headings this near to a limit lie on it; floating point cannot tell them apart."""

_GRID_LEVELS: Final = (1 / 6, 1 / 2, 5 / 6)
_MOST_GRID_POINTS: Final = 250
_DESCENTS: Final = 3
_MOST_ITERATIONS: Final = 100
_MOST_DAMPING: Final = 1e12


@dataclass(frozen=True, slots=True)
class PlacementCheck:
    """How a model stands to the place that its move gives it."""

    expected: Pose
    """The plotted place; of all the places that open-ended turns allow, the best fit."""
    steps: tuple[Step, ...]
    """The move as it was run, every open-ended turn cut where the model shows that it ended."""
    off_ahead_yards: float
    """How far beyond the plotted place, on the plotted heading; negative is short of it."""
    off_right_yards: float
    """How far to starboard of the plotted place; negative is to port of it."""
    off_heading_deg: float
    """How far the bow points to starboard of the plotted heading; negative is to port of it."""
    placing_tolerance_yards: float
    heading_tolerance_deg: float
    doubt_yards: float
    """What the measuring error may account for."""
    doubt_deg: float

    @property
    def off_yards(self) -> float:
        """How far the model stands from the plotted place."""
        return math.hypot(self.off_ahead_yards, self.off_right_yards)

    @property
    def allowed_yards(self) -> float:
        """How far off the model may seem before it is out of place."""
        return self.placing_tolerance_yards + self.doubt_yards

    @property
    def allowed_heading_deg(self) -> float:
        """How far off the heading may seem before it is wrong."""
        return self.heading_tolerance_deg + self.doubt_deg

    @property
    def in_place(self) -> bool:
        """Whether the model stands where its move puts it, heading included."""
        return self._within(self.allowed_yards, self.allowed_heading_deg)

    @property
    def by_benefit_of_doubt(self) -> bool:
        """Whether only the measuring error keeps the model in place."""
        within_tolerance = self._within(self.placing_tolerance_yards, self.heading_tolerance_deg)
        return self.in_place and not within_tolerance

    @property
    def why(self) -> Message:
        """The ruling and its figures."""
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
    """Judge the pose seen after a move by the pose before it and the steps it was to take.

    The tolerances are for hands and rulers; twice the measuring error of both poses, carried
    along the path, is allowed on top of them.
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
    """The search for the ends of the open-ended turns that bring a path nearest to a pose.

    Yards and degrees are weighed against each other by what is allowed of each. The sum of the
    squares is minimised by damped Gauss-Newton steps (Levenberg-Marquardt) within the bounds,
    from the best few of a coarse grid, so that the same move is always judged the same.
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
            # A turn at its bound that wants to go farther out takes no part in the step.
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
        """How far from the goal the path ends in x, y and heading, and the slope by each turn."""
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
            # A longer arc carries the ship on along her heading and swings all that comes after.
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
    # Many turns and three readings leave directions in which nothing changes; least squares
    # stays put in those, where solving the normal equations would fail.
    count = slope.shape[1]
    damped_slope = np.vstack((slope, math.sqrt(damping) * np.eye(count)))
    step, *_ = np.linalg.lstsq(damped_slope, np.append(-misfit, np.zeros(count)))
    return np.asarray(step, dtype=np.float64)
