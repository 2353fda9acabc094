"""A plot of a side's hits, and of the hits expected from the exact odds."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from combat.participants import Side, SideShape
from web.drawing.figures import Circle, Drawing, Figure, Text, line, polygon
from web.drawing.fonts import Face
from web.drawing.geometry import Point, round_step, spread
from web.drawing.theme import side_colour
from web.sides import side_name
from web.strings import figure, text

WIDTH: Final = 480.0
_HEIGHT: Final = 292.0
# The report uses the reader's font, so there is room for the widest usual one.
_LEFT, _RIGHT, _TOP, _BOTTOM = 36.0, 280.0, 28.0, 236.0
_SIZE: Final = 15.0
_MOST_LABELS: Final = 8
_DOTS: Final = {
    SideShape.ANGULAR: ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
    SideShape.SQUARE: ((-4, -4), (4, -4), (4, 4), (-4, 4)),
    SideShape.HEXAGON: ((-5, 0), (-2.5, -4.5), (2.5, -4.5), (5, 0), (2.5, 4.5), (-2.5, 4.5)),
    SideShape.TRIANGLE: ((0, -5.5), (5.5, 4.5), (-5.5, 4.5)),
}
At = Callable[[int, float], Point]
"""The point of a number of hits after a number of segments."""


@dataclass(frozen=True, slots=True)
class LuckCurve:
    """A side's cumulative hits and expected hits, starting at 0 before the first segment."""

    side: Side
    expected: tuple[float, ...]
    actual: tuple[int, ...]


def draw_luck(
    curves: Sequence[LuckCurve], segments: Sequence[str], segments_told: str, spoken: str
) -> Drawing:
    """The plot: segments from left to right, hits upwards, expected hits dashed.

    `segments_told` stands below the segments and says what such a short name means.
    """
    most = max(max(*curve.expected, *curve.actual) for curve in curves)
    top = max(math.ceil(most), 1)
    count = max(len(segments), 1)

    def at(number: int, hits: float) -> Point:
        return (
            _LEFT + (_RIGHT - _LEFT) * number / count,
            _BOTTOM - (_BOTTOM - _TOP) * hits / top,
        )

    items = [*_axes(segments, top, at)]
    for curve in curves:
        items += _curve(curve, at)
    items += _ends(curves, at)
    middle = (_LEFT + _RIGHT) / 2
    items.append(Text((middle, _BOTTOM + 44), segments_told, _SIZE, "ink_3", "middle"))
    return Drawing(WIDTH, _HEIGHT, tuple(items), spoken)


def _axes(segments: Sequence[str], top: int, at: At) -> Iterator[Figure]:
    step = max(round_step(max(top / 4, 1)), 1)
    hits = 0.0
    while hits <= top:
        start, end = at(0, hits), (_RIGHT, at(0, hits)[1])
        yield line(start, end, colour="line", width=1 if hits else 1.4)
        yield Text((_LEFT - 8, start[1] + 5), f"{hits:g}", _SIZE, "ink_3", "end")
        hits += step
    yield Text((_LEFT, _TOP - 13), str(text("report.luck_axis")), _SIZE, "ink_3", "middle")
    every = max(1, math.ceil(len(segments) / _MOST_LABELS))
    for number, words in enumerate(segments, start=1):
        if number % every == 0:
            x = at(number, 0)[0]
            yield Text((x, _BOTTOM + 20), words, _SIZE, "ink_3", "middle")


def _curve(curve: LuckCurve, at: At) -> Iterator[Figure]:
    colour = side_colour(curve.side)
    expected = [at(number, hits) for number, hits in enumerate(curve.expected)]
    if len(expected) > 1:
        yield line(*expected, colour=colour, width=1.8, dashes=(6, 4))
        actual = [at(0, 0)]
        for number, hits in enumerate(curve.actual[1:], start=1):
            # Hits are counted at the end of a segment.
            actual += [(at(number, 0)[0], actual[-1][1]), at(number, hits)]
        yield line(*actual, colour=colour, width=2.8)
    for number, hits in enumerate(curve.actual):
        if number and hits > curve.actual[number - 1]:
            yield _dot(at(number, hits), curve.side)


def _dot(at: Point, side: Side) -> Figure:
    """A hit, in the shape of its side."""
    x, y = at
    colour = side_colour(side)
    if side.shape is SideShape.ROUND:
        return Circle(at, 4.5, fill=colour)
    return polygon(((x + dx, y + dy) for dx, dy in _DOTS[side.shape]), fill=colour)


def _ends(curves: Sequence[LuckCurve], at: At) -> Iterator[Figure]:
    """The total of each line, at its end."""
    ends = []
    for curve in curves:
        name, colour = side_name(curve.side), side_colour(curve.side)
        actual, expected = curve.actual[-1], curve.expected[-1]
        solid = text("report.luck_actual", side=name, n=actual)
        dashed = text("report.luck_expected", side=name, expected=figure(expected, ".1f"))
        ends.append((at(0, actual)[1], str(solid), colour, Face.SANS_SEMIBOLD))
        ends.append((at(0, expected)[1], str(dashed), colour, Face.SANS))
    ends.sort(key=lambda end: end[:2])
    places = spread([y for y, *_ in ends], [20.0] * len(ends), (_TOP - 14, _BOTTOM + 14))
    for (y, words, colour, face), place in zip(ends, places, strict=True):
        yield line((_RIGHT + 3, y), (_RIGHT + 14, place), colour=colour, width=1)
        yield Text((_RIGHT + 18, place + 5), words, _SIZE, colour, face=face)
