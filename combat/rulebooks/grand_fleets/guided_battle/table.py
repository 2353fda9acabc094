"""The measured table of a guided battle: lines of fire, distances, moves read from two poses."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from combat.formations import Distance
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.guided_battle.state import (
    RULES,
    Division,
    FleetState,
    Phase,
)
from combat.rulebooks.grand_fleets.movement import (
    HEADING_TOLERANCE_DEG,
    OtherShip,
    Run,
    check_move,
    limit_of,
    marker_after,
    nudge_faults,
    passing_faults,
    placing_faults,
    run_between,
    swing_between,
)
from combat.rulebooks.grand_fleets.table_files import MARKERS, YARDS_A_KYD, figure
from combat.rulebooks.grand_fleets.terms import marker_message
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.tables import TableSet
from combat.views import (
    DivisionPlacingCheck,
    DraftFault,
    MoveCloseCall,
    MoveReading,
    ShipMoveCheck,
)
from tabletop.closecall import CLOSE_CALL_SIGMAS
from tabletop.measure import Layout, base_gaps
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.rulings import AS_MEASURED, SettledPair, settle
from tabletop.survey import PairLimits, Survey, no_limits, survey
from tabletop.table import Model, Pose, Table

TOLERANCE_YARDS: Final = 50.0
"""A tenth of an inch on the table: hands put no model down better (decided)."""
SIGMAS: Final = CLOSE_CALL_SIGMAS
EXACT: Final = Pose(0.0, 0.0, 0.0)
"""A pose without uncertainty."""


def survey_of(state: FleetState, rules: TableRules, limits: PairLimits = no_limits) -> Survey:
    """Every ship in play, measured."""
    return survey(Table(state.models()), rules, limits)


def line_of_fire(
    state: FleetState, measured: Survey, rules: TableRules, firer: str, target: str
) -> SettledPair:
    """A line of fire as it counts: measured, or as the players have settled it."""
    agreed = state.agreed.get((firer, target))
    figures = agreed.figures if agreed is not None else AS_MEASURED
    return settle(rules, measured[firer, target], figures=figures)


def distance_in(measured: Survey) -> Distance:
    """The distance of two ships; bases in contact are 1 kyd apart."""
    return lambda one, other: measured[one, other].range_yards


def lenient_distance(measured: Survey) -> Distance:
    """The distance of two ships, less what hands and eyes cannot tell."""

    def distance(one: str, other: str) -> float:
        pair = measured[one, other]
        return pair.range_yards - TOLERANCE_YARDS - SIGMAS * pair.range_sigma_yards

    return distance


def whole_yards(yards: float) -> int:
    """A range in whole yards: any part of a yard beyond a limit is beyond it (decided)."""
    return math.ceil(round(yards, 3))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Two poses read as a move with a turn, or without one."""

    run: Run
    yards: float
    """Measured; the least that it can have been, where she came back on her own track."""
    sigma_yards: float
    """How well the distance is known (1 σ)."""
    slack: float
    """What eyes and hands cannot tell."""
    open_ended: bool = False
    """Whether she may have gone farther, and come back: two poses do not show it."""


@dataclass(frozen=True, slots=True)
class _SeenTurn:
    """Whether two headings are a turn, and whether that is too close to call."""

    turned: bool
    is_open: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """The points of a move, and the pose in which it ends before any nudge."""

    points: tuple[tuple[float, float], ...]
    rest: Pose


def read_move(
    state: FleetState,
    ship: str,
    end: Pose,
    tables: TableSet,
    *,
    yards: int | None = None,
    turned: bool | None = None,
) -> ShipMoveCheck:
    """What a move amounts to, from where she stood to where her model stands now.

    `yards` and `turned` are what the players agree on where the poses are too close to call.
    """
    start, vessel = state.poses[ship], state.vessel(ship)
    seen = _seen_turn(start, end)
    turns = seen.turned if turned is None else turned
    reading = _reading(start, end, turned=turns)
    measured = _counted(vessel, reading, tables)
    counted = measured if yards is None else yards
    limit = limit_of(vessel, vessel.marks.marker, tables, turned=turns)
    way = _way(start, end, reading, counted)
    nudged = round(reading.run.off_yards)
    if nudged <= _slack(start, end):
        nudged = 0
    faults = [
        *_faults_of_agreement(seen, reading, measured, yards=yards, turned=turned),
        *_faults_of_move(vessel, counted, tables, turned=turns),
        *passing_faults(way.points, state.ship(ship).side, _other_ships(state, ship)),
        *_faults_of_place(state, ship, end, way.rest, nudged, tables),
    ]
    calls = list(_distance_calls(reading, counted, limit.yards, tables))
    if seen.is_open:
        calls.insert(0, _turn_call(vessel, start, end, counted, tables, turned=turns))
    return ShipMoveCheck(
        ship=ship,
        yards=counted,
        measured_yards=round(reading.yards),
        sigma_yards=reading.sigma_yards,
        turned=turns,
        limit_yards=limit.yards,
        limits=limit.ledger.modifiers,
        marker=marker_message(marker_after(counted, tables)),
        nudged_yards=nudged,
        points=way.points,
        end=end,
        faults=tuple(faults),
        close_calls=tuple(calls),
    )


def _seen_turn(start: Pose, end: Pose) -> _SeenTurn:
    beyond = swing_between(start, end) - HEADING_TOLERANCE_DEG
    return _SeenTurn(beyond > 0, abs(beyond) <= SIGMAS * _heading_sigma(start, end))


def _way(start: Pose, end: Pose, reading: _Reading, counted: int) -> _Way:
    """The way that a reading stands for; where she may have gone out farther and back, she has."""
    run = reading.run
    more = max(0.0, counted - run.yards) / 2 if reading.open_ended else 0.0
    corner = start.moved(ahead_yards=run.ahead_yards + more)
    rest = replace(corner, heading_deg=end.heading_deg).moved(
        ahead_yards=run.yards - run.ahead_yards + more
    )
    poses = (start, corner, rest) if run.turned else (start, rest)
    return _Way(tuple((pose.x_yards, pose.y_yards) for pose in poses), rest)


def _faults_of_agreement(
    seen: _SeenTurn,
    reading: _Reading,
    measured: int,
    *,
    yards: int | None,
    turned: bool | None,
) -> Iterator[DraftFault]:
    """What players have agreed on may not be what the poses plainly show otherwise."""
    if turned is not None and turned is not seen.turned and not seen.is_open:
        yield DraftFault("turned", Message("grand_fleets.fault.turn_is_plain"), "Turning")
    if yards is not None and yards != measured and not _may_be(reading, yards):
        told = Message(
            "grand_fleets.fault.distance_is_plain", yards=yards, measured=round(reading.yards)
        )
        yield DraftFault("yards", told, RULES[Phase.MOVEMENT])


def _faults_of_move(
    vessel: Vessel, yards: int, tables: TableSet, *, turned: bool
) -> Iterator[DraftFault]:
    try:
        check_move(vessel, yards, vessel.marks.marker, tables, turned=turned)
    except Forbidden as error:
        yield DraftFault("move", error.reason, error.rule)


def _faults_of_place(
    state: FleetState, ship: str, end: Pose, rest: Pose, nudged: int, tables: TableSet
) -> Iterator[DraftFault]:
    """Where her model stands: shifted off another's by no more than is allowed, on the table."""
    overlapped = nudged > 0 and _overlaps(state, state.model(ship, rest))
    yield from nudge_faults(nudged, tables, overlapped=overlapped)
    if not state.is_on_table(end):
        outside = Message("grand_fleets.fault.off_table", ship=ShipRef(ship))
        yield DraftFault("place", outside, "The Movement Phase")


def _reading(start: Pose, end: Pose, *, turned: bool) -> _Reading:
    run = run_between(start, end, turned=turned)
    sigma = _sigma(start, end)
    if not turned:
        return _Reading(run, run.yards, sigma, TOLERANCE_YARDS + SIGMAS * sigma)
    half = math.radians(swing_between(start, end) / 2)
    if math.degrees(2 * half) > 180.0 - HEADING_TOLERANCE_DEG:
        # Out and back on one track: how far she went before the turn leaves no trace.
        return _Reading(run, run.yards, sigma, TOLERANCE_YARDS + SIGMAS * sigma, open_ended=True)
    # The way is ahead + right · tan(θ/2), so errors grow with the turn.
    _, right = start.offset_to(end.x_yards, end.y_yards)
    by_heading = right / (2 * math.cos(half) ** 2) * math.radians(_heading_sigma(start, end))
    sigma = math.hypot(sigma / math.cos(half), by_heading)
    return _Reading(run, run.yards, sigma, TOLERANCE_YARDS + SIGMAS * sigma)


def _counted(vessel: Vessel, reading: _Reading, tables: TableSet) -> int:
    """The distance as it counts: what cannot be told from a limit is at the limit."""
    turned, slack, yards = reading.run.turned, reading.slack, round(reading.yards)
    if not turned and yards <= slack:
        return 0
    limit = limit_of(vessel, vessel.marks.marker, tables, turned=turned).yards
    least = figure(tables, "least move with a turn, yards")
    if limit < yards <= limit + slack:
        return limit
    if turned and yards < least and (reading.open_ended or yards >= least - slack):
        return least
    return yards


def _may_be(reading: _Reading, yards: int) -> bool:
    """Whether the poses leave room for a distance."""
    if reading.open_ended:
        return yards >= reading.yards - reading.slack
    return abs(yards - reading.yards) <= reading.slack


def _distance_calls(
    reading: _Reading, counted: int, limit: int, tables: TableSet
) -> Iterator[MoveCloseCall]:
    turned, measured = reading.run.turned, reading.yards
    if not turned and measured <= reading.slack:
        return

    def as_read(yards: int) -> MoveReading:
        marker = marker_after(yards, tables)
        label = Message(f"grand_fleets.move_reading.{marker}", yards=yards)
        return MoveReading(label, yards, turned)

    if reading.open_ended:
        longer = (as_read(yards) for yards in range(counted, limit + 1, YARDS_A_KYD))
        readings = tuple(dict.fromkeys((as_read(counted), *longer)))
        yield MoveCloseCall("back", counted, 0.0, readings)
        return
    # A model at her limit is no question, but whether she is farther beyond it than a hand errs.
    beyond = measured - limit - TOLERANCE_YARDS
    if abs(beyond) <= SIGMAS * reading.sigma_yards and counted == limit:
        yield MoveCloseCall("limit", limit, abs(beyond), (as_read(counted),))
    thresholds = (tables["speed_markers"].integer(name, "least_yards") for name in MARKERS)
    for least in thresholds:
        if least <= 1 or abs(measured - least) > reading.slack:
            continue
        below, reached = as_read(least - 1), as_read(least)
        allowed = [each for each in (reached, below) if each.yards <= limit]
        # The reading that counts comes first.
        allowed.sort(key=lambda each: (each.yards >= least) is not (counted >= least))
        if len(allowed) > 1:
            now = as_read(counted)
            readings = (now, *(each for each in allowed[1:]))
            yield MoveCloseCall("marker", least, abs(measured - least), readings)


def _turn_call(
    vessel: Vessel, start: Pose, end: Pose, counted: int, tables: TableSet, *, turned: bool
) -> MoveCloseCall:
    other = _counted(vessel, _reading(start, end, turned=not turned), tables)
    readings = tuple(
        MoveReading(
            Message(f"grand_fleets.move_reading.{'turned' if way else 'straight'}", yards=yards),
            yards,
            way,
        )
        for way, yards in ((turned, counted), (not turned, other))
    )
    margin = abs(swing_between(start, end) - HEADING_TOLERANCE_DEG)
    return MoveCloseCall("turn", HEADING_TOLERANCE_DEG, margin, readings)


def check_leaving(state: FleetState, ship: str, tables: TableSet) -> None:
    """Whether a ship reaches an edge, straight ahead or by a turn; Forbidden where not."""
    pose, vessel = state.poses[ship], state.vessel(ship)
    straight = limit_of(vessel, vessel.marks.marker, tables, turned=False).yards
    turning = limit_of(vessel, vessel.marks.marker, tables, turned=True).yards
    if turning < figure(tables, "least move with a turn, yards"):
        turning = 0
    nearest = min(
        pose.x_yards,
        pose.y_yards,
        state.width_yards - pose.x_yards,
        state.height_yards - pose.y_yards,
    )
    slack = _slack(pose, EXACT)
    if _ahead_to_edge(state, pose) > straight + slack and nearest > turning + slack:
        raise Forbidden(
            Message("grand_fleets.refused.far_from_any_edge", ship=ShipRef(ship)),
            "The Movement Phase",
        )


def check_placing(
    state: FleetState,
    division: Division,
    poses: Mapping[str, Pose],
    rules: TableRules,
    tables: TableSet,
) -> DivisionPlacingCheck:
    """What is wrong with a division as it enters the game (First Movement Phase)."""
    assert division.flagship is not None  # noqa: S101  # Nobody is sunk before the first move.
    flagship = division.flagship
    models = [state.model(ship, poses[ship]) for ship in division.ships]
    faults = [
        DraftFault(
            ship, Message("grand_fleets.fault.not_on_table", ship=ShipRef(ship)), "Setting Up"
        )
        for ship in division.ships
        if not state.is_on_table(poses[ship])
    ]
    measured = survey(Table(tuple(models)), rules)
    distance = lenient_distance(measured)

    def depth(model: Model) -> float:
        # Side by side with the flagship is not ahead of her, as well as a hand can do it.
        slack = _slack(model.pose, EXACT)
        if model.name != flagship:
            slack += _slack(poses[flagship], EXACT)
        return state.depth_yards(division.side, model.pose) - slack

    placed = _in_order_of_placing(models, flagship, distance, tables)
    speed = state.vessel(flagship).speed_kyds
    faults += placing_faults(placed, speed, distance, tables, depth=depth)
    return DivisionPlacingCheck(division.name, tuple(faults))


def _in_order_of_placing(
    models: Sequence[Model], flagship: str, distance: Distance, tables: TableSet
) -> list[Model]:
    """An order in which each ship stands near one before her, as far as there is one."""
    reach = figure(tables, "placing distance, yards")
    left = {model.name: model for model in models}
    placed = [left.pop(flagship)]
    while left:
        near = [
            model
            for model in left.values()
            if any(distance(model.name, other.name) <= reach for other in placed)
        ]
        placed += [left.pop(model.name) for model in near or list(left.values())]
    return placed


def _sigma(start: Pose, end: Pose) -> float:
    return math.hypot(start.position_sigma_yards, end.position_sigma_yards)


def _heading_sigma(start: Pose, end: Pose) -> float:
    return math.hypot(start.heading_sigma_deg, end.heading_sigma_deg)


def _slack(start: Pose, end: Pose) -> float:
    return TOLERANCE_YARDS + SIGMAS * _sigma(start, end)


def _other_ships(state: FleetState, but: str) -> tuple[OtherShip, ...]:
    return tuple(
        OtherShip(
            model,
            state.ship(model.name).side,
            state.division_of(model.name).name,
            state.in_command(model.name),
        )
        for model in state.models()
        if model.name != but
    )


def _overlaps(state: FleetState, model: Model) -> bool:
    others = tuple(each for each in state.models() if each.name != model.name)
    gaps = base_gaps(Layout.of(Table((model, *others)), from_bridge=True))
    return bool((gaps.touching & (gaps.first == 0)).any())


def _ahead_to_edge(state: FleetState, pose: Pose) -> float:
    """How far it is straight ahead to the edge of the table."""
    ahead_x, ahead_y = pose.forward
    found = [math.inf]
    for at, step, length in (
        (pose.x_yards, ahead_x, state.width_yards),
        (pose.y_yards, ahead_y, state.height_yards),
    ):
        if abs(step) > 1e-9:
            found.append(((length if step > 0 else 0.0) - at) / step)
    return min(found)
