"""A ship's move as her model makes it: her bow up, every leg with its length on the table."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from combat.participants import Side
from combat.views import ShipView
from tabletop.table import Pose
from web.drawing.figures import Circle, Drawing, Figure, Group, Shape, Text
from web.drawing.geometry import Path, Point, between
from web.drawing.silhouettes import kind_of_ship, ship_symbol
from web.drawing.theme import side_colour

_WIDTH: Final = 150.0
_HEIGHT: Final = 130.0
_MARGIN: Final = 24.0
_LEAST_SHIP_PX: Final = 22.0
_MOST_SHIP_PX: Final = 60.0
_MOST_PX_PER_YARD: Final = 0.12
_SYMBOL_SCALE: Final = 0.0096
_LABEL_PX: Final = 13.0


def draw_move(
    ship: ShipView,
    side: Side,
    points: Sequence[Point],
    end: Pose,
    legs: Iterable[tuple[Point, str]],
    spoken: str,
) -> Drawing:
    """The move from where she stands; `legs` are where each of them ends, and its length."""
    start = ship.pose
    way = [_from_bow(start, point) for point in points]
    last = _from_bow(start, (end.x_yards, end.y_yards))
    xs, ys = [x for x, _ in (*way, last, (0.0, 0.0))], [y for _, y in (*way, last, (0.0, 0.0))]
    scale = min(
        _MOST_PX_PER_YARD,
        (_WIDTH - 2 * _MARGIN) / max(max(xs) - min(xs), 1.0),
        (_HEIGHT - 2 * _MARGIN) / max(max(ys) - min(ys), 1.0),
    )
    left = (max(xs) + min(xs)) / 2 - _WIDTH / 2 / scale
    top = (max(ys) + min(ys)) / 2 - _HEIGHT / 2 / scale

    def at(point: Point) -> Point:
        return (point[0] - left) * scale, (point[1] - top) * scale

    colour = side_colour(side)
    length = min(max(ship.base.length_yards * scale, _LEAST_SHIP_PX), _MOST_SHIP_PX)
    key = f"{kind_of_ship(ship)}-{side.shape.hull}"
    turn_deg = end.heading_deg - start.heading_deg
    figures: list[Figure] = [
        _ship(key, colour, length, at((0.0, 0.0)), 0.0, 0.45),
        Shape(Path().polyline(map(at, way)), stroke="brass_ink", width=2.5),
        _ship(key, colour, length, at(last), turn_deg, 1.0),
    ]
    figures += _lengths([(at(_from_bow(start, point)), words) for point, words in legs], at((0, 0)))
    return Drawing(_WIDTH, _HEIGHT, tuple(figures), spoken=spoken)


def _from_bow(start: Pose, point: Point) -> Point:
    """A place as it is seen with her bow up."""
    ahead, right = start.offset_to(*point)
    return right, -ahead


def _ship(
    key: str, colour: str, length: float, at: Point, turn_deg: float, opacity: float
) -> Group:
    symbol = ship_symbol(key, colour, fine=False, scale=_SYMBOL_SCALE * length, opacity=opacity)
    return Group((symbol,), at=at, turn_deg=turn_deg)


def _lengths(ends: Sequence[tuple[Point, str]], start: Point) -> Iterator[Figure]:
    """A dot where each leg ends, and its length beside its middle."""
    for (before, _), (after, words) in pairwise([(start, ""), *ends]):
        yield Circle(after, 2.5, fill="brass", stroke="t3", width=1.0)
        if math.dist(before, after) < _LABEL_PX:
            continue
        x, y = between(before, after, 0.5)
        yield Text((x + 7, y + 4), words, _LABEL_PX, "ink", halo="halo", halo_width=3.0)
