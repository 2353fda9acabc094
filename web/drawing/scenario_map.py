"""A small map of a battle's start."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from combat.participants import Side
from combat.ships import ShipType
from tabletop.table import Pose, SmokeFront
from web.drawing.figures import Drawing, Figure, Group, Shape, Text, line
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Box, Path, Point
from web.drawing.labels import NamedModel, leader_line, model_boxes, name_requests, place
from web.drawing.silhouettes import ship_symbol, silhouette_of
from web.drawing.theme import THIN, side_colour

WIDTH: Final = 320.0
_SHIP_LENGTH: Final = 17.0
_NUMBER_PX: Final = 11.0
_NUMBER: Final = Face.SANS_SEMIBOLD


@dataclass(frozen=True, slots=True)
class StartingShip:
    """A ship at the start."""

    side: Side
    type: ShipType | None
    pose: Pose


def draw_scenario(
    ships: Sequence[StartingShip],
    width_yards: float,
    height_yards: float,
    smoke: Iterable[SmokeFront] = (),
    *,
    numbered: bool = False,
) -> Drawing:
    """Ships on a table of this size, its far edge at the top, optionally with their numbers."""
    factor = WIDTH / width_yards
    height = height_yards * factor

    def at(x_yards: float, y_yards: float) -> Point:
        return x_yards * factor, height - y_yards * factor

    points = [at(ship.pose.x_yards, ship.pose.y_yards) for ship in ships]
    items: list[Figure] = [
        Shape(_graticule(height), stroke="contour", width=0.5, opacity=0.45),
        *(
            Shape(
                Path().polyline(at(*end) for end in front.ends),
                stroke="smoke",
                width=6,
                dashes=(1, 8),
                round_ends=True,
            )
            for front in smoke
        ),
        *(_ship(ship, point) for ship, point in zip(ships, points, strict=True)),
    ]
    if numbered:
        items += _numbers(ships, points, Box(0, 0, WIDTH, height))
    return Drawing(WIDTH, height, tuple(items))


def _graticule(height: float) -> Path:
    step = WIDTH / 6
    path = Path()
    for number in range(1, 6):
        path = path.move(number * step, 0).line(number * step, height)
    for number in range(1, int(height / step) + 1):
        path = path.move(0, number * step).line(WIDTH, number * step)
    return path


def _ship(ship: StartingShip, at: Point) -> Group:
    colour = side_colour(ship.side)
    key = silhouette_of(ship.type, ship.side)
    course = Path().move(0, -12).line(0, -24)
    return Group(
        (
            Shape(course, stroke=colour, width=1.1, dashes=(2.5, 2.5), opacity=0.7),
            ship_symbol(key, colour, fine=False, scale=_SHIP_LENGTH / 100),
        ),
        at=at,
        turn_deg=ship.pose.heading_deg,
        css="ship",
    )


def _numbers(
    ships: Sequence[StartingShip], points: Sequence[Point], frame: Box
) -> Iterator[Figure]:
    """The number of each ship beside her, away from the others."""
    models = [
        NamedModel(
            number,
            point,
            8,
            model_boxes(point, ship.pose.heading_deg, _SHIP_LENGTH, _SHIP_LENGTH * 0.34),
            label_width(str(number + 1), _NUMBER, _NUMBER_PX),
            _NUMBER_PX,
        )
        for number, (ship, point) in enumerate(zip(ships, points, strict=True))
    ]
    spots = place(name_requests(models, frame, gap=5), frame=frame)
    for number, spot in spots.items():
        x, y = spot.centre
        colour = side_colour(ships[number].side)
        leader = leader_line(spot.boxes[0], points[number], 8, points, far=16)
        if leader is not None:
            yield line(*leader, colour=colour, width=THIN)
        yield Text(
            (x, y + 0.36 * _NUMBER_PX * spot.scale),
            str(number + 1),
            _NUMBER_PX * spot.scale,
            colour,
            "middle",
            _NUMBER,
            halo="halo",
            halo_width=3,
        )
