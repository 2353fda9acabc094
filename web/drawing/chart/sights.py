"""Lines of sight on the chart: where they are blocked, where they pass smoke, and their ranges."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabletop.closecall import CloseCallKind
from tabletop.survey import PairCheck, Survey
from web.drawing.chart.frame import ChartFrame
from web.drawing.chart.parts import Label, Pill, PlacedModel, SightLine
from web.drawing.chart.ships import FEW
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Box, Point, between
from web.drawing.labels import AvoidedLine, FreeLabel, LabelRequest, LabelSpot, around, shrunk
from web.strings import text
from web.table.survey_text import range_text, yards_text

FAN = 8
"""Up to this many targets every range is shown; beyond that, those that fit."""

_POSITIONS = (
    *(0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.76, 0.24, 0.82, 0.18),
    *(0.88, 0.12, 0.94),
)
"""Preferred positions of a range label along its line, best first."""

_SMALL_PILL = 0.86


@dataclass(frozen=True, slots=True)
class SightPlan:
    """A line of sight with its label requests."""

    check: PairCheck
    line: SightLine
    pill: LabelRequest[tuple[str, str]]
    note: LabelRequest[tuple[str, str]] | None
    """The label of the distance at which it is blocked."""
    note_words: str


def plan_sight(
    result: Survey,
    check: PairCheck,
    chart_frame: ChartFrame,
    firer: PlacedModel,
    target: PlacedModel,
    *,
    bases: tuple[Box, ...],
    strong: bool,
    fan: int,
) -> SightPlan:
    """The line from one ship to another, one of `fan` lines; its label avoids the bases."""
    crowd = fan >= FEW
    unit = chart_frame.unit
    start, end = firer.point, target.point
    length = math.dist(start, end)
    blocked_at = min((blocker.at_yards for blocker in check.blockers), default=None)
    broken_at = bar = note = None
    words = ""
    if blocked_at is not None and length:
        part = min(chart_frame.px(blocked_at) / length, 1.0)
        broken_at = between(start, end, part)
        bar = _across(broken_at, start, end, (9 if strong else 4 if crowd else 6) * unit)
        if strong:
            words = f"{yards_text(blocked_at)} yd"
            width = label_width(words, Face.SANS, _note_size(chart_frame)) + 2 * unit
            note = LabelRequest(
                ("note", check.target),
                _beside(broken_at, width, _note_size(chart_frame) * 1.15, 14 * unit),
            )
    line = SightLine(
        start=start,
        end=end,
        broken_at=broken_at,
        bar=bar,
        through_smoke=tuple(
            between(start, end, min(chart_frame.px(at) / length, 1.0))
            for at in result.smoke_at_yards(check.firer, check.target)
            if length
        ),
        doubtful=bool(check.close_calls),
        strong=strong,
        faint=crowd,
    )
    must_be_seen = strong or fan <= FAN or is_one_spot(check)
    width, height = _pill_size(check, chart_frame)
    small = width * _SMALL_PILL, height * _SMALL_PILL
    full_spots = _pill_spots(start, end, (width, height), chart_frame)
    pill = LabelRequest(
        ("pill", check.target),
        (*full_spots, *shrunk(_pill_spots(start, end, small, chart_frame), _SMALL_PILL, 4.0)),
        on_line=AvoidedLine(start, end, sight_price(crowd=crowd)),
        worst=45.0 if must_be_seen else 11.9 if crowd else 27.0,
        clear_of=bases,
        roams=(FreeLabel(between(start, end, 0.5), *small, _SMALL_PILL),) if must_be_seen else (),
    )
    return SightPlan(check, line, pill, note, words)


def is_one_spot(check: PairCheck) -> bool:
    """Whether both ships are on one spot, so that there is no bearing between them."""
    return any(call.what is CloseCallKind.POSITION for call in check.close_calls)


def _pill_spots(
    start: Point, end: Point, size: tuple[float, float], chart_frame: ChartFrame
) -> tuple[LabelSpot, ...]:
    """Positions on the line, then beside it; all around if it is too short."""
    length = math.dist(start, end)
    frame = chart_frame.sea.grown(-4 * chart_frame.unit)
    if length <= 1.3 * size[0]:
        middle = between(start, end, 0.5)
        return around(middle, length / 3, *size, gap=9 * chart_frame.unit, frame=frame)
    on_line = tuple(
        LabelSpot((Box.around(between(start, end, position), *size),), number * 0.8)
        for number, position in enumerate(_POSITIONS)
    )
    # Perpendicular to the line, by half of the box's extent plus a gap.
    across, down = (start[1] - end[1]) / length, (end[0] - start[0]) / length
    away = (abs(across) * size[0] + abs(down) * size[1]) / 2 + 5 * chart_frame.unit
    beside = (
        LabelSpot((Box.around((x + side * across * away, y + side * down * away), *size),), penalty)
        for number, position in enumerate(_POSITIONS)
        for (x, y), penalty in [(between(start, end, position), 13.0 + number * 0.8)]
        for side in (-1, 1)
    )
    return (*on_line, *beside)


def sight_price(*, crowd: bool) -> float:
    """The price for a label of covering a line of sight; lower with many lines."""
    return 1.0 if crowd else 12.0


def draw_pills(
    plans: Sequence[SightPlan], spots: Mapping[tuple[str, str], LabelSpot]
) -> tuple[Pill, ...]:
    """The range labels that were placed, on their lines or with a leader."""
    return tuple(_draw_pill(plan, spots[plan.pill.key]) for plan in plans if plan.pill.key in spots)


def _draw_pill(plan: SightPlan, spot: LabelSpot) -> Pill:
    box, (start, end) = spot.boxes[0], (plan.line.start, plan.line.end)
    leader = None
    if not box.meets_line(start, end):
        on_line = _nearest_on(start, end, box.centre)
        leader = box.nearest(on_line), on_line
    return Pill(
        box=box,
        words=range_text(plan.check),
        second=_doubt_words(plan.check),
        doubtful=bool(plan.check.close_calls),
        scale=spot.scale,
        leader=leader,
    )


def _doubt_words(check: PairCheck) -> str:
    if is_one_spot(check):
        return text("chart.one_spot")
    return text("chart.too_close") if check.close_calls else ""


def _nearest_on(start: Point, end: Point, point: Point) -> Point:
    """The nearest point in the farther half of a line, where other lines are apart."""
    x, y = end[0] - start[0], end[1] - start[1]
    square = x * x + y * y
    if not square:
        return start
    part = ((point[0] - start[0]) * x + (point[1] - start[1]) * y) / square
    return between(start, end, min(max(part, 0.5), 0.95))


def draw_notes(
    plans: Sequence[SightPlan], spots: Mapping[tuple[str, str], LabelSpot], chart_frame: ChartFrame
) -> tuple[Label, ...]:
    """The label of the distance at which the line is blocked."""
    return tuple(
        Label(
            spots[plan.note.key].centre[0],
            spots[plan.note.key].centre[1] + _note_size(chart_frame) * 0.33,
            plan.note_words,
        )
        for plan in plans
        if plan.note is not None and plan.note.key in spots
    )


def _note_size(chart_frame: ChartFrame) -> float:
    return 12.5 * chart_frame.unit


def _pill_size(check: PairCheck, chart_frame: ChartFrame) -> tuple[float, float]:
    unit = chart_frame.unit
    width = label_width(range_text(check), Face.SANS_SEMIBOLD, 13.5 * unit)
    second = _doubt_words(check)
    if second:
        return max(width, label_width(second, Face.SANS, 12.5 * unit)) + 20 * unit, 38 * unit
    return width + 20 * unit, 23 * unit


def _across(at: Point, start: Point, end: Point, half: float) -> tuple[Point, Point]:
    """A stroke perpendicular to a line."""
    length = math.dist(start, end)
    x, y = (end[0] - start[0]) / length * half, (end[1] - start[1]) / length * half
    return (at[0] - y, at[1] + x), (at[0] + y, at[1] - x)


def _beside(at: Point, width: float, height: float, gap: float) -> tuple[LabelSpot, ...]:
    spots = []
    for step in range(4):
        distance = gap * (1 + step * 0.8)
        for number, (x, y) in enumerate(
            ((1, 0.6), (-1, 0.6), (1, -0.6), (-1, -0.6), (0, 1), (0, -1))
        ):
            middle = (at[0] + x * (distance + width / 2), at[1] + y * (distance + height / 2))
            spots.append(LabelSpot((Box.around(middle, width, height),), step * 5 + number * 0.3))
    return tuple(spots)
