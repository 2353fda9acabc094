"""The diagrams of a check: quadrant dials and the ruler of a close call, as geometry."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tabletop.arcs import CLOCKWISE, Arcs, Quadrant
from tabletop.closecall import CLOSE_CALL_SIGMAS, CloseCall, CloseCallKind
from tabletop.messages import Message
from tabletop.survey import PairCheck
from web.drawing.geometry import Path, Point, on_circle, round_step
from web.drawing.svg import path_data
from web.strings import figure, text

_CENTRE: Point = (0.0, 0.0)
_DIAL_RADIUS = 9.0
_RULER_WIDTH = 338.0
_LABEL_ROOM = 54.0
"""Figures on the ruler that are nearer than this would overlap."""
_EDGE_ROOM = 26.0


@dataclass(frozen=True, slots=True)
class Dial:
    """A quadrant dial, bow up: the highlighted sector and the four lines."""

    quadrant: Quadrant
    sector: str
    lines: str


@dataclass(frozen=True, slots=True)
class RulerLabel:
    """A figure on the ruler; y is its baseline."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Ruler:
    """A reading on a ruler with 2 σ to either side, and the limit."""

    width: float
    reading: float
    low: float
    high: float
    limit: float
    limit_label: RulerLabel
    labels: tuple[RulerLabel, ...]
    ticks: str


@dataclass(frozen=True, slots=True)
class Wedge:
    """One quadrant of a large dial that can be tapped."""

    quadrant: Quadrant
    path: str
    x: float
    y: float
    turn_deg: float
    """The rotation of its text: upwards to port and downwards to starboard."""


def dial_of(arcs: Arcs, quadrant: Quadrant | None) -> Dial | None:
    """The dial with one quadrant highlighted; None without a bearing."""
    if quadrant is None:
        return None
    number = CLOCKWISE.index(quadrant)
    start = arcs.lines_deg[number - 1]
    end = start + (arcs.lines_deg[number] - start) % 360
    lines = Path()
    for line_deg in arcs.lines_deg:
        lines = lines.move(0, 0).line(*on_circle(_CENTRE, _DIAL_RADIUS, line_deg))
    sector = Path().move(0, 0).arc(_CENTRE, _DIAL_RADIUS, start, end).close()
    return Dial(quadrant, path_data(sector), path_data(lines))


def wedges_of(arcs: Arcs, radius: float, hole: float) -> tuple[Wedge, ...]:
    """The four quadrants as rings to tap on, clockwise from the bow."""
    turns = (0.0, 90.0, 0.0, -90.0)
    wedges = []
    for number, quadrant in enumerate(CLOCKWISE):
        start = arcs.lines_deg[number - 1]
        end = start + (arcs.lines_deg[number] - start) % 360
        path = Path().arc(_CENTRE, radius, start, end).arc(_CENTRE, hole, end, start).close()
        x, y = on_circle(_CENTRE, (radius + hole) / 2, 90.0 * number)
        wedges.append(Wedge(quadrant, path_data(path), x, y, turns[number]))
    return tuple(wedges)


def ruler_of(check: PairCheck, call: CloseCall, sigma: float | None) -> Ruler | None:
    """The ruler of a close call; None if its margin has no σ."""
    if not sigma:
        return None
    if call.what is CloseCallKind.RANGE and not isinstance(call.limit, Message):
        return _ruler(check.range_yards, call.limit, sigma, _yards)
    if call.what in (CloseCallKind.QUADRANT, CloseCallKind.ASPECT):
        # Bearings are drawn relative to the quadrant line.
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

    # Figures that would overlap the limit's are left out.
    labels = [
        RulerLabel(at(value), 12.0, words(value))
        for value in (low, high)
        if abs(at(value) - at(limit)) > _LABEL_ROOM
    ]
    tick = round_step(room / 5)
    first = math.ceil((left - 2 * _EDGE_ROOM / scale) / tick)
    last = math.floor((right + 2 * _EDGE_ROOM / scale) / tick)
    return Ruler(
        width=_RULER_WIDTH,
        reading=at(reading),
        low=at(low),
        high=at(high),
        limit=at(limit),
        limit_label=RulerLabel(at(limit), 12.0, limit_words or words(limit)),
        labels=tuple(labels),
        ticks="".join(f"M{at(n * tick):.1f} 19v4" for n in range(first, last + 1)),
    )


def _yards(value: float) -> str:
    return figure(value, ",.0f")


def _degrees_text(value: float) -> str:
    return figure(value, "+.1f") + "°"


def _yards_off(value: float) -> str:
    return figure(value, "+,.0f")
