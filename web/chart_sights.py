"""Lines of sight: where they are blocked, where they pass smoke, and the ranges on them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabletop.survey import PairCheck, Survey
from web.chart_parts import Pill, Placed, SightLine, Text
from web.labels import Box, Line, Point, Spot, Wanted, around
from web.lettering import Face, text_width
from web.sheet import Sheet
from web.words import range_text, yards_text

TOO_CLOSE = "too close to call"
_POSITIONS = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.76, 0.24, 0.82, 0.18)
"""Where on its line a range likes to ride, best first."""


@dataclass(frozen=True, slots=True)
class SightPlan:
    """A line of sight with the wishes of its labels."""

    check: PairCheck
    line: SightLine
    pill: Wanted[tuple[str, str]]
    note: Wanted[tuple[str, str]] | None
    """Where it is blocked, in yards, beside the mark."""
    note_words: str


def plan_sight(
    result: Survey,
    check: PairCheck,
    sheet: Sheet,
    firer: Placed,
    target: Placed,
    *,
    strong: bool,
    crowd: bool,
) -> SightPlan:
    """The line from one ship to another."""
    unit = sheet.unit
    start, end = firer.point, target.point
    length = math.dist(start, end)
    blocked_at = min((blocker.at_yards for blocker in check.blockers), default=None)
    broken_at = bar = note = None
    words = ""
    if blocked_at is not None and length:
        part = min(sheet.px(blocked_at) / length, 1.0)
        broken_at = _between(start, end, part)
        bar = _across(broken_at, start, end, (9 if strong else 4 if crowd else 6) * unit)
        if strong:
            words = f"{yards_text(blocked_at)} yd"
            width = text_width(words, Face.SANS, _note_size(sheet)) + 2 * unit
            note = Wanted(
                ("note", check.target),
                _beside(broken_at, width, _note_size(sheet) * 1.15, 14 * unit),
            )
    line = SightLine(
        start=start,
        end=end,
        broken_at=broken_at,
        bar=bar,
        through_smoke=tuple(
            _between(start, end, min(sheet.px(at) / length, 1.0))
            for at in _smoke_yards(result, check)
            if length
        ),
        doubtful=bool(check.close_calls),
        strong=strong,
        faint=crowd,
    )
    size = _pill_size(check, sheet)
    pill = Wanted(
        ("pill", check.target),
        _pill_spots(start, end, size, sheet),
        on_line=Line(start, end, sight_price(crowd=crowd)),
        # The one range that was asked for must be seen, whatever it covers.
        worst=math.inf if strong else 11.9 if crowd else 27.0,
    )
    return SightPlan(check, line, pill, note, words)


def _pill_spots(
    start: Point, end: Point, size: tuple[float, float], sheet: Sheet
) -> tuple[Spot, ...]:
    """On the line; beside it where it is too short to carry anything."""
    length = math.dist(start, end)
    if length > 1.3 * size[0]:
        return tuple(
            Spot((Box.around(_between(start, end, position), *size),), number * 0.8)
            for number, position in enumerate(_POSITIONS)
        )
    frame = sheet.sea.grown(-4 * sheet.unit)
    middle = _between(start, end, 0.5)
    return around(middle, length / 3, *size, gap=9 * sheet.unit, frame=frame)


def sight_price(*, crowd: bool) -> float:
    """What it costs a label to cover a line of sight; in a crowd there is no way round them."""
    return 1.0 if crowd else 12.0


def draw_pills(
    plans: Sequence[SightPlan], spots: Mapping[tuple[str, str], Spot]
) -> tuple[Pill, ...]:
    """The ranges that found room on their lines."""
    return tuple(
        Pill(
            box=spots[plan.pill.key].boxes[0],
            words=range_text(plan.check),
            second=TOO_CLOSE if plan.check.close_calls else "",
            doubtful=bool(plan.check.close_calls),
        )
        for plan in plans
        if plan.pill.key in spots
    )


def draw_notes(
    plans: Sequence[SightPlan], spots: Mapping[tuple[str, str], Spot], sheet: Sheet
) -> tuple[Text, ...]:
    """How far off the line is blocked, beside the mark."""
    return tuple(
        Text(
            spots[plan.note.key].centre[0],
            spots[plan.note.key].centre[1] + _note_size(sheet) * 0.33,
            plan.note_words,
        )
        for plan in plans
        if plan.note is not None and plan.note.key in spots
    )


def _note_size(sheet: Sheet) -> float:
    return 12.5 * sheet.unit


def _pill_size(check: PairCheck, sheet: Sheet) -> tuple[float, float]:
    unit = sheet.unit
    width = text_width(range_text(check), Face.SANS_BOLD, 13.5 * unit)
    if check.close_calls:
        return max(width, text_width(TOO_CLOSE, Face.SANS, 12.5 * unit)) + 20 * unit, 38 * unit
    return width + 20 * unit, 23 * unit


def _smoke_yards(result: Survey, check: PairCheck) -> list[float]:
    """How far off the line passes each front of smoke."""
    names = result.table.names
    firer, target = names.index(check.firer), names.index(check.target)
    smoke = result.smoke
    chosen = smoke.met & (smoke.firer == firer) & (smoke.target == target)
    return [float(at) for at in smoke.at_yards[chosen]]


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _across(at: Point, start: Point, end: Point, half: float) -> tuple[Point, Point]:
    """A stroke at right angles to a line."""
    length = math.dist(start, end)
    x, y = (end[0] - start[0]) / length * half, (end[1] - start[1]) / length * half
    return (at[0] - y, at[1] + x), (at[0] + y, at[1] - x)


def _beside(at: Point, width: float, height: float, gap: float) -> tuple[Spot, ...]:
    spots = []
    for step in range(4):
        distance = gap * (1 + step * 0.8)
        for number, (x, y) in enumerate(
            ((1, 0.6), (-1, 0.6), (1, -0.6), (-1, -0.6), (0, 1), (0, -1))
        ):
            middle = (at[0] + x * (distance + width / 2), at[1] + y * (distance + height / 2))
            spots.append(Spot((Box.around(middle, width, height),), step * 5 + number * 0.3))
    return tuple(spots)
