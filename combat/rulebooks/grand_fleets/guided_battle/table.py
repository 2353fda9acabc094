"""The measured table of a guided battle: lines of fire, distances, moves read from two poses."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from combat.formations import Distance
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.guided_battle.state import Division, FleetState
from combat.rulebooks.grand_fleets.movement import (
    OtherShip,
    check_move,
    limit_of,
    marker_after,
    nudge_faults,
    passing_faults,
    placing_faults,
    run_between,
)
from combat.rulebooks.grand_fleets.table_files import figure
from combat.rulebooks.grand_fleets.terms import marker_message
from combat.tables import TableSet
from combat.views import DivisionPlacingCheck, DraftFault, ShipMoveCheck
from tabletop.measure import Layout, base_gaps
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.rulings import AS_MEASURED, SettledPair, settle
from tabletop.survey import Survey, survey
from tabletop.table import Model, Pose, Table

TOLERANCE_YARDS: Final = 50.0
"""A tenth of an inch on the table: hands put no model down better (decided)."""
SIGMAS: Final = 2.0


def survey_of(state: FleetState, rules: TableRules) -> Survey:
    """Every ship in play, measured."""
    return survey(Table(state.models()), rules)


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


def whole_yards(yards: float) -> int:
    """A range in whole yards: any part of a yard beyond a limit is beyond it (decided)."""
    return math.ceil(round(yards, 3))


def read_move(state: FleetState, ship: str, end: Pose, tables: TableSet) -> ShipMoveCheck:
    """What a move amounts to, from where she stood to where her model stands now."""
    start, vessel = state.poses[ship], state.vessel(ship)
    run, slack = run_between(start, end), _slack(start, end)
    turned, yards = run.turned, round(run.yards)
    if not turned and yards <= slack:
        yards = 0
    marker = vessel.marks.marker
    limit = limit_of(vessel, marker, tables, turned=turned)
    least = figure(tables, "least move with a turn, yards")
    # What hands and eyes cannot tell from the limit is at the limit.
    if limit.yards < yards <= limit.yards + slack:
        yards = limit.yards
    if turned and least - slack <= yards < least:
        yards = least
    corner = start.moved(ahead_yards=run.ahead_yards)
    rest = replace(corner, heading_deg=end.heading_deg).moved(
        ahead_yards=run.yards - run.ahead_yards
    )
    way = [(pose.x_yards, pose.y_yards) for pose in (start, corner, rest)]
    if not turned:
        way.pop(1)
    nudged = round(run.off_yards) if run.off_yards > slack else 0
    faults: list[DraftFault] = []
    try:
        check_move(vessel, yards, marker, tables, turned=turned)
    except Forbidden as error:
        faults.append(DraftFault("move", error.reason, error.rule))
    faults += passing_faults(way, state.ship(ship).side, _other_ships(state, ship))
    overlapped = nudged > 0 and _overlaps(state, state.model(ship, rest))
    faults += nudge_faults(nudged, tables, overlapped=overlapped)
    if not state.is_on_table(end):
        outside = Message("grand_fleets.fault.off_table", ship=ShipRef(ship))
        faults.append(DraftFault("place", outside, "The Movement Phase"))
    return ShipMoveCheck(
        ship=ship,
        yards=yards,
        turned=turned,
        limit_yards=limit.yards,
        limits=limit.ledger.modifiers,
        marker=marker_message(marker_after(yards, tables)),
        nudged_yards=nudged,
        points=tuple(way),
        end=end,
        faults=tuple(faults),
    )


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
    if _ahead_to_edge(state, pose) > straight + TOLERANCE_YARDS and (
        nearest > turning + TOLERANCE_YARDS
    ):
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
    slack = TOLERANCE_YARDS

    def distance(one: str, other: str) -> float:
        return measured[one, other].range_yards - slack

    def depth(model: Model) -> float:
        # Side by side with the flagship is not ahead of her, as well as a hand can do it.
        lenient = slack if model.name == flagship else 2 * slack
        return state.depth_yards(division.side, model.pose) - lenient

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


def _slack(start: Pose, end: Pose) -> float:
    sigma = math.hypot(start.position_sigma_yards, end.position_sigma_yards)
    return TOLERANCE_YARDS + SIGMAS * sigma


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
