"""The little pictures of a check: quadrant dials and the ruler of a close call, as geometry."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tabletop.angles import forward
from tabletop.arcs import CLOCKWISE, Arcs, Quadrant
from tabletop.closecall import CLOSE_CALL_SIGMAS, Question
from tabletop.messages import Message
from tabletop.survey import PairCheck
from web.charts.parts import Text
from web.checks.pair_check import Doubt
from web.strings import text
from web.table.survey_text import yards_text

_DIAL_RADIUS = 9.0
_RULER_WIDTH = 338.0
_LABEL_ROOM = 54.0
"""Two figures on the ruler that are nearer than this would run into each other."""
_EDGE_ROOM = 26.0


@dataclass(frozen=True, slots=True)
class Dial:
    """A quadrant dial, bow up: the lit sector and the four lines."""

    quadrant: Quadrant
    sector: str
    lines: str


@dataclass(frozen=True, slots=True)
class Ruler:
    """A reading on a ruler, with two σ to either side, and the limit in doubt."""

    width: float
    reading: float
    low: float
    high: float
    limit: float
    limit_label: Text
    labels: tuple[Text, ...]
    ticks: str


@dataclass(frozen=True, slots=True)
class Wedge:
    """One quadrant of a large dial to tap on."""

    quadrant: Quadrant
    path: str
    x: float
    y: float
    turn_deg: float
    """So that a word along the side reads upwards to port and downwards to starboard."""


def dial_of(arcs: Arcs, quadrant: Quadrant | None) -> Dial | None:
    """The dial with one quadrant lit; None where there is no bearing."""
    if quadrant is None:
        return None
    ends = [
        (across * _DIAL_RADIUS, -up * _DIAL_RADIUS) for across, up in map(forward, arcs.lines_deg)
    ]
    number = CLOCKWISE.index(quadrant)
    (x1, y1), (x2, y2) = ends[number - 1], ends[number]
    return Dial(
        quadrant=quadrant,
        sector=f"M0 0L{x1:.1f} {y1:.1f}A{_DIAL_RADIUS} {_DIAL_RADIUS} 0 0 1 {x2:.1f} {y2:.1f}Z",
        lines="".join(f"M0 0L{x:.1f} {y:.1f}" for x, y in ends),
    )


def wedges_of(arcs: Arcs, radius: float, hole: float) -> tuple[Wedge, ...]:
    """The four quadrants as rings to tap on, clockwise from the bow."""
    lines = [math.radians(angle) for angle in arcs.lines_deg]
    middles = (0.0, 90.0, 180.0, 270.0)
    turns = (0.0, 90.0, 0.0, -90.0)
    wedges = []
    for number, quadrant in enumerate(CLOCKWISE):
        start, end = lines[number - 1], lines[number]
        outer = [(math.sin(a) * radius, -math.cos(a) * radius) for a in (start, end)]
        inner = [(math.sin(a) * hole, -math.cos(a) * hole) for a in (end, start)]
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = *outer, *inner
        middle = math.radians(middles[number])
        at = (radius + hole) / 2
        wedges.append(
            Wedge(
                quadrant=quadrant,
                path=f"M{x1:.1f} {y1:.1f}A{radius:g} {radius:g} 0 0 1 {x2:.1f} {y2:.1f}"
                f"L{x3:.1f} {y3:.1f}A{hole:g} {hole:g} 0 0 0 {x4:.1f} {y4:.1f}Z",
                x=math.sin(middle) * at,
                y=-math.cos(middle) * at,
                turn_deg=turns[number],
            )
        )
    return tuple(wedges)


def ruler_of(check: PairCheck, doubt: Doubt) -> Ruler | None:
    """The ruler of a close call, where its margin has a σ to draw."""
    call, sigma = doubt.call, doubt.sigma
    if not sigma:
        return None
    if call.what is Question.RANGE and not isinstance(call.limit, Message):
        return _ruler(check.range_yards, call.limit, sigma, yards_text)
    if call.what in (Question.QUADRANT, Question.ASPECT):
        # Drawn about the line itself: what matters is how far off it the bearing lies.
        return _ruler(
            call.margin, 0.0, sigma, _degrees_text, limit_words=str(text("check.ruler_line"))
        )
    if isinstance(call.limit, Message):
        return _ruler(
            call.margin, 0.0, sigma, _yards_off, limit_words=str(text("check.ruler_edge"))
        )
    return None


def _ruler(
    reading: float,
    limit: float,
    sigma: float,
    words: Callable[[float], str],
    limit_words: str = "",
) -> Ruler:
    low, high = reading - CLOSE_CALL_SIGMAS * sigma, reading + CLOSE_CALL_SIGMAS * sigma
    left, right = min(low, limit), max(high, limit)
    room = right - left
    scale = (_RULER_WIDTH - 4 * _EDGE_ROOM) / room

    def at(value: float) -> float:
        return 2 * _EDGE_ROOM + (value - left) * scale

    # Figures that would stand on the limit's own are left out.
    labels = [
        Text(at(value), 12.0, words(value))
        for value in (low, high)
        if abs(at(value) - at(limit)) > _LABEL_ROOM
    ]
    tick = _tick(room)
    first = math.ceil((left - 2 * _EDGE_ROOM / scale) / tick)
    last = math.floor((right + 2 * _EDGE_ROOM / scale) / tick)
    return Ruler(
        width=_RULER_WIDTH,
        reading=at(reading),
        low=at(low),
        high=at(high),
        limit=at(limit),
        limit_label=Text(at(limit), 12.0, limit_words or words(limit)),
        labels=tuple(labels),
        ticks="".join(f"M{at(n * tick):.1f} 19v4" for n in range(first, last + 1)),
    )


def _tick(room: float) -> float:
    """A round step of which five to a dozen fit into the room."""
    power = 10.0 ** math.floor(math.log10(room / 5))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= room / 5)


def _degrees_text(value: float) -> str:
    return f"{value:+.1f}°"


def _yards_off(value: float) -> str:
    return f"{value:+,.0f}"
