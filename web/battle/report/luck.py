"""Luck against expectation as a plot: a side's hits, and the hits that the exact odds promised."""

import math
from collections.abc import Callable, Iterator
from typing import Final

from combat.participants import Side, SideShape
from web.battle.report.report import Luck, Report
from web.battle.sheet_drawing import side_colour
from web.battle.sheet_ink import Disc, Drawing, Item, Point, Words, line, polygon
from web.battle.sheet_plan import spread
from web.charts.paper import round_step
from web.sides import side_name
from web.strings import text

WIDTH: Final = 480.0
_HEIGHT: Final = 270.0
# The report takes the reader's own face; beside the plot is room for the widest usual one.
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
"""Where a number of hits after a number of segments stands."""


def draw_luck(report: Report) -> Drawing:
    """The plot: segments from left to right, hits upwards; dashes are what was to be expected."""
    most = max(max(*luck.expected, *luck.actual) for luck in report.luck)
    top = max(math.ceil(most), 1)
    count = max(len(report.segments), 1)

    def at(number: int, hits: float) -> Point:
        return (
            _LEFT + (_RIGHT - _LEFT) * number / count,
            _BOTTOM - (_BOTTOM - _TOP) * hits / top,
        )

    items: list[Item] = [*_axes(report, top, at)]
    for luck in report.luck:
        items += _curves(luck, report.sides[luck.side], at)
    items += _ends(report, at)
    words = " ".join(f"{side_name(report.sides[luck.side])}: {luck.words}." for luck in report.luck)
    spoken = str(text("report.luck_spoken", words=words))
    return Drawing(WIDTH, _HEIGHT, spoken, tuple(items))


def _axes(report: Report, top: int, at: At) -> Iterator[Item]:
    step = max(round_step(max(top / 4, 1)), 1)
    hits = 0.0
    while hits <= top:
        start, end = at(0, hits), (_RIGHT, at(0, hits)[1])
        yield line(start, end, colour="line", width=1 if hits else 1.4)
        yield Words((_LEFT - 8, start[1] + 5), f"{hits:g}", _SIZE, "ink_3", "end")
        hits += step
    yield Words((_LEFT, _TOP - 13), str(text("report.luck_axis")), _SIZE, "ink_3", "middle")
    every = max(1, math.ceil(len(report.segments) / _MOST_LABELS))
    for number, segment in enumerate(report.segments, start=1):
        if number % every == 0:
            x = at(number, 0)[0]
            words = f"{segment.key[0]}.{segment.key[1]}"
            yield Words((x, _BOTTOM + 20), words, _SIZE, "ink_3", "middle")


def _curves(luck: Luck, side: Side, at: At) -> Iterator[Item]:
    colour = side_colour(side)
    expected = [at(number, hits) for number, hits in enumerate(luck.expected)]
    if len(expected) > 1:
        yield line(*expected, colour=colour, width=1.8, dashes=(6, 4))
        actual = [at(0, 0)]
        for number, hits in enumerate(luck.actual[1:], start=1):
            # Hits come all at once at the end of a segment.
            actual += [(at(number, 0)[0], actual[-1][1]), at(number, hits)]
        yield line(*actual, colour=colour, width=2.8)
    for number, hits in enumerate(luck.actual):
        if number and hits > luck.actual[number - 1]:
            yield _dot(at(number, hits), side)


def _dot(at: Point, side: Side) -> Item:
    """A hit, as the shape of its side."""
    x, y = at
    colour = side_colour(side)
    if side.shape is SideShape.ROUND:
        return Disc(at, 4.5, fill=colour)
    return polygon(((x + dx, y + dy) for dx, dy in _DOTS[side.shape]), fill=colour)


def _ends(report: Report, at: At) -> Iterator[Item]:
    """What each line came to, written at its end."""
    ends = []
    for luck in report.luck:
        name = side_name(report.sides[luck.side])
        actual, expected = luck.actual[-1], luck.expected[-1]
        solid = text("report.luck_actual", side=name, n=actual)
        dashed = text("report.luck_expected", side=name, expected=f"{expected:.1f}")
        ends.append((at(0, actual)[1], str(solid), luck.side, True))
        ends.append((at(0, expected)[1], str(dashed), luck.side, False))
    ends.sort()
    places = spread([y for y, *_ in ends], [20.0] * len(ends), (_TOP - 14, _BOTTOM + 14))
    for (y, words, side, is_strong), place in zip(ends, places, strict=True):
        colour = side_colour(report.sides[side])
        yield line((_RIGHT + 3, y), (_RIGHT + 14, place), colour=colour, width=1)
        yield Words((_RIGHT + 18, place + 5), words, _SIZE, colour, bold=is_strong)
