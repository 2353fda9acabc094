"""The search for close calls: readings of a survey within 2 σ of a limit.

Each function returns the close calls of one kind by pair of ship indices. The search itself is
array arithmetic; only the pairs it finds are handled one by one.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from tabletop.angles import FloatArray
from tabletop.arcs import CLOCKWISE, NO_QUADRANT, Arcs, QuadrantCodes
from tabletop.closecall import (
    CLOSE_CALL_SIGMAS,
    TOLERANCE_DEG,
    TOLERANCE_YARDS,
    CloseCall,
    CloseCallKind,
    RangeLimit,
    SightReading,
    SmokeReading,
)
from tabletop.measure import BaseGaps, BoolArray, Measurements
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.sight import Crossings, SightRule

Calls = dict[tuple[int, int], list[CloseCall]]
_A_YARD: Final = 1.0


def position_calls(codes: QuadrantCodes) -> Calls:
    """Pairs on one spot, which have no bearing."""
    call = CloseCall(
        CloseCallKind.POSITION, Message("tabletop.limit.one_spot"), tuple(CLOCKWISE), 0.0
    )
    firers, targets = np.nonzero((codes == NO_QUADRANT) & ~np.eye(len(codes), dtype=np.bool_))
    return {pair: [call] for pair in zip(firers.tolist(), targets.tolist(), strict=True)}


def contact_calls(gaps: BaseGaps, measured: Measurements, contact_range_yards: float) -> Calls:
    """Bases that may or may not touch, where touching fixes the range."""
    calls: Calls = {}
    for row in np.flatnonzero(gaps.too_close_to_call).tolist():
        pair = int(gaps.first[row]), int(gaps.second[row])
        readings = (contact_range_yards, float(measured.range_yards[pair]))
        call = CloseCall(
            CloseCallKind.CONTACT,
            Message("tabletop.limit.contact"),
            readings if gaps.touching[row] else readings[::-1],
            abs(float(gaps.gap_yards[row])),
        )
        calls[pair] = calls[pair[::-1]] = [call]
    return calls


def range_calls(rules: TableRules, range_yards: FloatArray, sigma_yards: FloatArray) -> Calls:
    """Ranges within 2 σ of a segment's limit."""
    calls: Calls = defaultdict(list)
    if not rules.segments:
        return calls
    limits, names = rules.limits_yards, rules.segment_names
    margins = np.abs(range_yards[..., None] - limits)
    doubt = CLOSE_CALL_SIGMAS * sigma_yards + TOLERANCE_YARDS
    codes = rules.segment_codes(range_yards)
    for firer, target, number in np.argwhere(margins <= doubt[..., None]).tolist():
        if firer != target:
            code = int(codes[firer, target])
            # The other reading is the segment on the other side of the limit.
            other = number + 1 if code <= number else number
            calls[firer, target].append(
                CloseCall(
                    CloseCallKind.RANGE,
                    float(limits[number]),
                    (names[code], names[other]),
                    float(margins[firer, target, number]),
                )
            )
    return calls


def limit_calls(
    limits: Sequence[RangeLimit], range_yards: float, sigma_yards: float
) -> tuple[CloseCall, ...]:
    """The limits of one pair that its range is too close to.

    A reading is a range in yards: the limit itself, or a yard beyond the one before it. It does
    not follow the measurement, so that a decision stands while a camera's range flickers. A range
    without uncertainty is on the one side or the other.
    """
    doubt = CLOSE_CALL_SIGMAS * sigma_yards
    ends: dict[float, list[RangeLimit]] = defaultdict(list)
    for limit in limits:
        if sigma_yards and abs(range_yards - limit.yards) <= doubt:
            ends[limit.yards].append(limit)
    yards = sorted(ends)
    # One for each part that the limits cut the range into, nearest first.
    readings = [*yards, yards[-1] + _A_YARD] if yards else []
    read = bisect_left(yards, range_yards - TOLERANCE_YARDS)
    return tuple(
        CloseCall(
            CloseCallKind.RANGE,
            limit,
            (readings[read], readings[number + 1 if read <= number else number]),
            abs(range_yards - limit),
            tuple(ends[limit]),
        )
        for number, limit in enumerate(yards)
    )


def quadrant_calls(arcs: Arcs, measured: Measurements, codes: QuadrantCodes) -> Calls:
    """Relative bearings within 2 σ of a quadrant line, for the firer and, as aspect, the target."""
    calls: Calls = defaultdict(list)
    bearing = measured.relative_bearing_deg
    doubt = CLOSE_CALL_SIGMAS * measured.relative_bearing_sigma_deg + TOLERANCE_DEG
    lines = np.array(arcs.lines_deg)
    past_line = np.mod(bearing[..., None] - lines + 180.0, 360.0) - 180.0
    in_doubt = np.argwhere(np.abs(past_line) <= doubt[..., None]).tolist()
    for question in (CloseCallKind.QUADRANT, CloseCallKind.ASPECT):
        for ship, other, number in in_doubt:
            reading = CLOCKWISE[codes[ship, other]]
            before, after = CLOCKWISE[number], CLOCKWISE[(number + 1) % 4]
            # A bearing on a line has one of its two quadrants, on whichever side it was rounded.
            if reading in (before, after):
                across = after if reading is before else before
            else:
                across = before if past_line[ship, other, number] > 0 else after
            pair = (ship, other) if question is CloseCallKind.QUADRANT else (other, ship)
            margin = abs(float(past_line[ship, other, number]))
            calls[pair].append(CloseCall(question, float(lines[number]), (reading, across), margin))
    return calls


def sight_calls(
    rule: SightRule,
    line: Crossings,
    blocks: BoolArray,
    line_range_yards: FloatArray,
    line_range_sigma_yards: FloatArray,
    names: Sequence[str],
) -> Calls:
    """Lines that pass the edge of a base within 2 σ, or meet it within 2 σ of a limit of sight."""
    whole_line = line_range_yards <= rule.whole_line_range_yards + TOLERANCE_YARDS
    within_reach = line.at_yards <= rule.near_reach_yards + TOLERANCE_YARDS
    at_doubt = CLOSE_CALL_SIGMAS * line.at_sigma_yards + TOLERANCE_YARDS
    range_doubt = CLOSE_CALL_SIGMAS * line_range_sigma_yards + TOLERANCE_YARDS
    past_reach = np.abs(line.at_yards - rule.near_reach_yards)
    past_range = np.abs(line_range_yards - rule.whole_line_range_yards)

    may_count = whole_line | (line.at_yards <= rule.near_reach_yards + at_doubt)
    at_edge = line.too_close_to_call & may_count
    at_reach = line.met & ~whole_line & (past_reach <= at_doubt)
    at_range = line.met & ~within_reach & (past_range <= range_doubt)
    calls: Calls = defaultdict(list)
    for row in np.flatnonzero(at_edge | at_reach | at_range).tolist():
        readings = (SightReading.BLOCKED, SightReading.CLEAR)
        if not blocks[row]:
            readings = readings[::-1]
        limits: list[tuple[float | Message, float]] = []
        if at_edge[row]:
            edge = Message("tabletop.limit.edge", ship=ShipRef(names[line.obstacle[row]]))
            limits.append((edge, abs(float(line.clearance_yards[row]))))
        if at_reach[row]:
            limits.append((rule.near_reach_yards, float(past_reach[row])))
        if at_range[row]:
            limits.append((rule.whole_line_range_yards, float(past_range[row])))
        calls[int(line.firer[row]), int(line.target[row])] += [
            CloseCall(CloseCallKind.SIGHT, limit, readings, margin) for limit, margin in limits
        ]
    return calls


def smoke_calls(smoke: Crossings) -> Calls:
    """Lines that pass the end of a smoke front, or end at one, within 2 σ."""
    calls: Calls = defaultdict(list)
    met = smoke.met
    for row in np.flatnonzero(smoke.too_close_to_call).tolist():
        readings = (SmokeReading.THROUGH, SmokeReading.CLEAR)
        calls[int(smoke.firer[row]), int(smoke.target[row])].append(
            CloseCall(
                CloseCallKind.SMOKE,
                Message("tabletop.limit.smoke", number=int(smoke.obstacle[row]) + 1),
                readings if met[row] else readings[::-1],
                abs(float(smoke.clearance_yards[row])),
            )
        )
    return calls
