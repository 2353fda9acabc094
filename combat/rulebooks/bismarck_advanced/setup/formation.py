"""Formations at the start of a battle: columns of ships, checked and laid out (55.11–55.114).

A formation is a list of columns, each a list of ships with the lead ship first. Distances are
between quadrant markers; ahead and across are relative to the first column's lead ship.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, pairwise
from typing import Final, NamedTuple

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, MovementRules
from tabletop.angles import wrap_180
from tabletop.closecall import (
    CLOSE_CALL_SIGMAS,
    TOLERANCE_DEG,
    TOLERANCE_YARDS,
    CloseCall,
    CloseCallKind,
)
from tabletop.errors import DreyerError
from tabletop.measure import measure
from tabletop.messages import Message, ShipRef
from tabletop.table import Model, Pose

LEGAL, ILLEGAL = "legal", "illegal"

_INTERVAL: Final = "55.111"
_COLUMNS: Final = "55.112"
_HEADINGS: Final = "55.113"
_LEADS: Final = "55.114"


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure of a formation that breaks a limit, or is too close to call."""

    rule: str
    ships: tuple[str, str]
    measured: float
    limit: float
    why: Message
    close_call: CloseCall | None = None
    """The close call, if the limit is within the measuring error; such a figure is legal."""


@dataclass(frozen=True, slots=True)
class FormationCheck:
    """The faults and close calls of a formation."""

    faults: tuple[Finding, ...] = ()
    close_calls: tuple[Finding, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the ships may start like this."""
        return not self.faults


class _Figure(StrEnum):
    """The measured figures of a formation."""

    INTERVAL = "interval"
    MARKERS = "markers"
    COLUMNS = "columns"
    LEADS = "leads"
    HEADINGS = "headings"
    """In degrees; the others are in yards."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One measured figure and its uncertainty."""

    rule: str
    ships: tuple[str, str]
    figure: _Figure
    measured: float
    sigma: float

    def at_least(self, limit: float) -> Finding | None:
        return self._judge(limit, limit - self.measured, "at_least")

    def at_most(self, limit: float) -> Finding | None:
        return self._judge(limit, self.measured - limit, "at_most")

    def _judge(self, limit: float, excess: float, bound: str) -> Finding | None:
        angular = self.figure is _Figure.HEADINGS
        rounding = TOLERANCE_DEG if angular else TOLERANCE_YARDS
        doubt = CLOSE_CALL_SIGMAS * self.sigma
        if excess < -doubt or (not doubt and excess <= rounding):
            return None
        call = None
        if excess <= doubt + rounding:
            what = CloseCallKind.ASPECT if angular else CloseCallKind.RANGE
            readings = (ILLEGAL, LEGAL) if excess > 0 else (LEGAL, ILLEGAL)
            call = CloseCall(what, limit, readings, abs(excess))
        first, second = self.ships
        why = Message(
            f"advanced.formation.{self.figure}.{bound}",
            first=ShipRef(first),
            second=ShipRef(second),
            measured=round(self.measured, 1),
            limit=limit,
            rule=self.rule,
        )
        return Finding(self.rule, self.ships, self.measured, limit, why, call)


def check_formation(
    columns: Sequence[Sequence[Model]], rules: MovementRules = MOVEMENT
) -> FormationCheck:
    """Check a formation against every limit; columns in any order, lead ships first."""
    _check_columns(columns)
    found = [
        *_interval_findings(columns, rules),
        *_marker_findings(columns, rules),
        *_column_findings(columns, rules),
        *_heading_findings(columns, rules),
        *_lead_findings(columns, rules),
    ]
    findings = [finding for finding in found if finding is not None]
    return FormationCheck(
        faults=tuple(finding for finding in findings if finding.close_call is None),
        close_calls=tuple(finding for finding in findings if finding.close_call is not None),
    )


def arrange(
    columns: Sequence[Sequence[str]],
    lead: Pose,
    *,
    interval_yards: float | None = None,
    columns_yards: float | None = None,
    rules: MovementRules = MOVEMENT,
) -> dict[str, Pose]:
    """A legal formation: each further column to starboard, the lead ships abreast.

    The columns have the ships' names, lead ships first; the first lead ship is at the given pose.
    By default ships and columns are as close as the rules allow.
    """
    _check_columns(columns)
    least, most = rules.interval_least_yards, rules.interval_most_yards
    interval_yards = least if interval_yards is None else interval_yards
    if not least <= interval_yards <= most:
        raise DreyerError(
            "advanced.formation.bad_interval",
            interval_yards=interval_yards,
            least_yards=least,
            most_yards=most,
            rule=_INTERVAL,
        )
    least, most = rules.marker_diameter_yards, rules.columns_most_yards
    columns_yards = least if columns_yards is None else columns_yards
    if not least <= columns_yards <= most:
        raise DreyerError(
            "advanced.formation.bad_columns",
            columns_yards=columns_yards,
            least_yards=least,
            most_yards=most,
            rule=f"{_INTERVAL}, {_COLUMNS}",
        )
    poses = {
        name: lead.moved(ahead_yards=-place * interval_yards, right_yards=number * columns_yards)
        for number, column in enumerate(columns)
        for place, name in enumerate(column)
    }
    if len(poses) < sum(map(len, columns)):
        raise DreyerError("advanced.formation.ship_twice")
    return poses


def _interval_findings(
    columns: Sequence[Sequence[Model]], rules: MovementRules
) -> list[Finding | None]:
    findings = []
    for ahead, astern in chain.from_iterable(map(pairwise, columns)):
        reading = _distance(ahead, astern, _Figure.INTERVAL)
        findings.append(reading.at_least(rules.interval_least_yards))
        findings.append(reading.at_most(rules.interval_most_yards))
    return findings


def _marker_findings(
    columns: Sequence[Sequence[Model]], rules: MovementRules
) -> list[Finding | None]:
    # Circles of one size overlap if their centres are nearer than the diameter. Neighbours in a
    # column are left out, because the interval is a stricter limit.
    neighbours = {frozenset(pair) for column in columns for pair in pairwise(_names(column))}
    return [
        _distance(*pair, _Figure.MARKERS).at_least(rules.marker_diameter_yards)
        for pair in combinations(chain.from_iterable(columns), 2)
        if frozenset(_names(pair)) not in neighbours
    ]


def _column_findings(
    columns: Sequence[Sequence[Model]], rules: MovementRules
) -> list[Finding | None]:
    guide = columns[0][0]
    leads = sorted((column[0] for column in columns), key=lambda lead: _offset(guide, lead)[1])
    return [
        _lead_readings(guide, *pair).across.at_most(rules.columns_most_yards)
        for pair in pairwise(leads)
    ]


def _lead_findings(
    columns: Sequence[Sequence[Model]], rules: MovementRules
) -> list[Finding | None]:
    guide = columns[0][0]
    return [
        _lead_readings(guide, *pair).along.at_most(rules.leads_most_yards)
        for pair in combinations([column[0] for column in columns], 2)
    ]


def _heading_findings(
    columns: Sequence[Sequence[Model]], rules: MovementRules
) -> list[Finding | None]:
    guide, *others = chain.from_iterable(columns)
    findings = []
    for ship in others:
        off = abs(wrap_180(ship.pose.heading_deg - guide.pose.heading_deg))
        sigma = math.hypot(ship.pose.heading_sigma_deg, guide.pose.heading_sigma_deg)
        ships = guide.name, ship.name
        reading = _Reading(_HEADINGS, ships, _Figure.HEADINGS, off, sigma)
        findings.append(reading.at_most(rules.heading_tolerance_deg))
    return findings


def _distance(first: Model, second: Model, figure: _Figure) -> _Reading:
    apart = measure(first, second)
    ships = first.name, second.name
    return _Reading(_INTERVAL, ships, figure, apart.range_yards, apart.range_sigma_yards)


class _LeadReadings(NamedTuple):
    """The distances of two lead ships along and across the heading of the formation."""

    along: _Reading
    across: _Reading


def _lead_readings(guide: Model, first: Model, second: Model) -> _LeadReadings:
    (ahead_1, right_1), (ahead_2, right_2) = _offset(guide, first), _offset(guide, second)
    along, across = abs(ahead_2 - ahead_1), abs(right_2 - right_1)
    places = math.hypot(first.pose.position_sigma_yards, second.pose.position_sigma_yards)
    # An error in the guide's heading turns part of one distance into the other.
    swing = math.radians(guide.pose.heading_sigma_deg)
    ships = first.name, second.name
    return _LeadReadings(
        _Reading(_LEADS, ships, _Figure.LEADS, along, math.hypot(places, swing * across)),
        _Reading(_COLUMNS, ships, _Figure.COLUMNS, across, math.hypot(places, swing * along)),
    )


def _offset(guide: Model, ship: Model) -> tuple[float, float]:
    return guide.pose.offset_to(ship.pose.x_yards, ship.pose.y_yards)


def _names(models: Sequence[Model]) -> list[str]:
    return [model.name for model in models]


def _check_columns(columns: Sequence[Sequence[object]]) -> None:
    if not columns or not all(columns):
        raise DreyerError("advanced.formation.empty")
