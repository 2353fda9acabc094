"""Plots of how often each side wins: bars with intervals, or a curve over what is varied."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from combat.balance.report import Part, SideReport
from combat.participants import Side
from combat.sides import Sides
from web.drawing.figures import Circle, Drawing, Figure, Text, line, polygon
from web.drawing.geometry import Point, corners
from web.drawing.theme import side_colour
from web.sides import side_name
from web.strings import figure, text

_WIDTH: Final = 380.0
_SIZE: Final = 15.0
_LEFT, _RIGHT = 44.0, 356.0
_BAR_TOP, _BAR_STEP, _BAR = 44.0, 62.0, 22.0
_CURVE_TOP, _CURVE_BOTTOM = 34.0, 250.0
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_LABELS: Final = 6
At = Callable[[float, float], Point]
"""The point of a value of what is varied, and a share of wins."""


def draw_wins(part: Part, sides: Sides, spoken: str) -> Drawing:
    """A bar for each side, with its interval as a whisker; a fair share is a dashed line."""
    items: list[Figure] = []
    height = _BAR_TOP + _BAR_STEP * len(part.sides) + 24.0
    for tick in _TICKS:
        x = _across(tick)
        dashes = (4.0, 4.0) if tick == 0.5 else ()
        items.append(line((x, 18.0), (x, height - 26.0), colour="line", dashes=dashes))
        items.append(Text((x, height - 8.0), figure(tick, ".0%"), _SIZE, "ink_3", "middle"))
    for row, each in enumerate(part.sides):
        items += _bar(each, sides[each.side], _BAR_TOP + row * _BAR_STEP)
    return Drawing(_WIDTH, height, tuple(items), spoken, spoken)


def _across(share: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * share


def _bar(report: SideReport, side: Side, top: float) -> Iterator[Figure]:
    colour, share = side_colour(side), report.win_share
    said = text("balance.bar", side=side_name(side), share=figure(share.share, ".0%"))
    yield Text((_LEFT, top - 6.0), str(said), _SIZE, "ink")
    width = max(_across(share.share) - _LEFT, 1.0)
    yield polygon(corners(_LEFT, top, width, _BAR), fill=colour)
    middle = top + _BAR / 2
    low, high = _across(share.low), _across(share.high)
    yield line((low, middle), (high, middle), colour="ink", width=2.0)
    for x in (low, high):
        yield line((x, middle - 5.0), (x, middle + 5.0), colour="ink", width=2.0)


def draw_sweep(parts: Sequence[Part], sides: Sides, axis: str, spoken: str) -> Drawing:
    """The share of wins of each side over the values of what is varied."""
    values = [part.value or 0.0 for part in parts]
    low, high = values[0], values[-1]
    span = high - low or 1.0

    def at(value: float, share: float) -> Point:
        across = (value - low) / span if len(values) > 1 else 0.5
        return (
            _LEFT + 10.0 + (_RIGHT - _LEFT - 10.0) * across,
            _CURVE_BOTTOM - (_CURVE_BOTTOM - _CURVE_TOP) * share,
        )

    items: list[Figure] = []
    for tick in _TICKS:
        y = at(low, tick)[1]
        items.append(line((_LEFT, y), (_RIGHT, y), colour="line"))
        items.append(Text((_LEFT - 4.0, y + 5.0), figure(tick, ".0%"), 12.0, "ink_3", "end"))
    every = max(1, -(-len(values) // _MOST_LABELS))
    for value in values[::every]:
        x, y = at(value, 0.0)
        items.append(Text((x, y + 20.0), figure(value, ",g"), _SIZE, "ink_3", "middle"))
    middle = (_LEFT + _RIGHT) / 2
    items.append(Text((middle, _CURVE_BOTTOM + 42.0), axis, _SIZE, "ink_3", "middle"))
    for number, each in enumerate(parts[0].sides):
        items += _curve(parts, number, sides[each.side], at)
    return Drawing(_WIDTH, _CURVE_BOTTOM + 56.0, tuple(items), spoken, spoken)


def _curve(parts: Sequence[Part], number: int, side: Side, at: At) -> Iterator[Figure]:
    colour = side_colour(side)
    shares = [(part.value or 0.0, part.sides[number].win_share) for part in parts]
    if len(shares) > 1:
        yield line(*(at(value, each.share) for value, each in shares), colour=colour, width=2.5)
    for value, each in shares:
        yield line(at(value, each.low), at(value, each.high), colour=colour, width=1.4)
        yield Circle(at(value, each.share), 4.5, fill=colour)
    x = _LEFT + number * 150.0
    yield Circle((x + 6.0, 14.0), 5.0, fill=colour)
    yield Text((x + 18.0, 19.0), side_name(side), _SIZE, "ink")
