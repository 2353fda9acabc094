"""The map of one segment: tracks, ships, lines of fire and hits."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from combat.participants import ShipStatus, Side
from web.drawing.figures import Drawing, Figure, Shape, Text, line, polygon
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Box, Path, Point, corners, round_step
from web.drawing.labels import (
    AvoidedLine,
    NamedModel,
    leader_line,
    model_boxes,
    name_requests,
    place,
)
from web.drawing.theme import THIN, side_colour
from web.strings import figure, text, words

WIDTH: Final = 560.0
_LEAST_YARDS: Final = 6000.0
_ASPECTS: Final = (0.45, 0.85)
_MARGIN: Final = 40.0
_SHIP: Final = 24.0
_NAME: Final = 17.0
_FEW: Final = 12
"""Up to this many ships names have their full size."""
_CROWDED: Final = 0.85
_FAR: Final = 34.0
"""The distance from which on a name has a leader line."""
_ROUND_HULL: Final = (
    (0, -0.5), (0.1, -0.3), (0.16, -0.08), (0.17, 0.15), (0.13, 0.36), (0.05, 0.5),
    (-0.05, 0.5), (-0.13, 0.36), (-0.17, 0.15), (-0.16, -0.08), (-0.1, -0.3),
)  # fmt: skip
_ANGULAR_HULL: Final = (
    (0, -0.5), (0.17, -0.12), (0.17, 0.3), (0.08, 0.5), (-0.08, 0.5), (-0.17, 0.3), (-0.17, -0.12),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MapShip:
    """A ship after the move, with her status at the segment's end."""

    name: str
    side: Side
    at_yards: Point
    heading_deg: float
    status: ShipStatus
    gone_before: bool = False
    """Whether she was sunk or gone before this segment."""


@dataclass(frozen=True, slots=True)
class MapFire:
    """One ship's fire at another."""

    firer: str
    target: str
    side: Side
    hits: int


@dataclass(frozen=True, slots=True)
class MapTrack:
    """The track of a ship in this segment and before."""

    side: Side
    now_yards: tuple[Point, ...]
    before_yards: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class SegmentMap:
    """The content of a map, in yards."""

    title: str
    ships: tuple[MapShip, ...]
    tracks: tuple[MapTrack, ...]
    smoke_yards: tuple[tuple[Point, Point], ...]
    fires: tuple[MapFire, ...]


@dataclass(frozen=True, slots=True)
class MapScale:
    """The scale of all maps of a battle."""

    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def around(cls, places_yards: Iterable[Point]) -> "MapScale":
        """The scale that shows all these places."""
        xs, ys = zip(*places_yards, strict=True)
        across = max(max(xs) - min(xs), _LEAST_YARDS)
        up = max(max(ys) - min(ys), _LEAST_YARDS / 3)
        height = WIDTH * min(max(up / across, _ASPECTS[0]), _ASPECTS[1])
        scale = min((WIDTH - 2 * _MARGIN) / across, (height - 2 * _MARGIN) / up)
        middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        return cls(
            middle[0] - WIDTH / 2 / scale, middle[1] + height / 2 / scale, scale, round(height)
        )

    def at(self, place_yards: Point) -> Point:
        """A place on the table as a point of the map."""
        x, y = place_yards
        return (x - self.left) * self.scale, (self.top - y) * self.scale


def draw_segment(segment: SegmentMap, scale: MapScale) -> Drawing:
    """The map of a segment."""
    points = {ship.name: scale.at(ship.at_yards) for ship in segment.ships}
    frame = Box(0, 0, WIDTH, scale.height)
    items: list[Figure] = [
        Shape(frame.path, fill="sea", stroke="contour"),
        *_graticule(scale),
        *(
            line(scale.at(start), scale.at(end), colour="smoke", width=6)
            for start, end in segment.smoke_yards
        ),
        *_tracks(segment.tracks, scale),
    ]
    for fire in segment.fires:
        items += _fire_line(fire, points, segment.fires)
    for ship in segment.ships:
        items += _ship(ship, points[ship.name])
    tracks = [[*map(scale.at, track.now_yards)] for track in segment.tracks]
    items += _names(segment, points, tracks, frame)
    items += _scale_bar(scale)
    return Drawing(WIDTH, scale.height, tuple(items), _description(segment))


def _graticule(scale: MapScale) -> Iterator[Figure]:
    step = round_step(WIDTH / scale.scale / 3.5)
    lines = Path()
    x = math.ceil(scale.left / step) * step
    while (px := scale.at((x, 0))[0]) < WIDTH:
        lines = lines.move(px, 0.0).line(px, scale.height)
        x += step
    y = math.floor(scale.top / step) * step
    while (py := scale.at((0, y))[1]) < scale.height:
        lines = lines.move(0.0, py).line(WIDTH, py)
        y -= step
    if lines.steps:
        yield Shape(lines, stroke="contour", width=0.6, opacity=0.45)


def _tracks(tracks: Sequence[MapTrack], scale: MapScale) -> Iterator[Figure]:
    """The tracks, with that of this segment more strongly."""
    for track in tracks:
        colour = side_colour(track.side)
        older = Path()
        for way in track.before_yards:
            older = older.polyline(map(scale.at, way))
        if older.steps:
            yield Shape(older, stroke=colour, width=1.3, opacity=0.5)
        if len(track.now_yards) > 1:
            yield line(*map(scale.at, track.now_yards), colour=colour, width=2.6)


def _ship(ship: MapShip, at: Point) -> Iterator[Figure]:
    if ship.status is ShipStatus.SUNK:
        size = 5.0 if ship.gone_before else 9.0
        cross = Path().move(-size, -size).line(size, size).move(-size, size).line(size, -size)
        yield Shape(cross.placed(*at), stroke="harm", width=2 if ship.gone_before else 3.5)
        return
    colour = side_colour(ship.side)
    hull = _ANGULAR_HULL if ship.side.shape.hull == "angular" else _ROUND_HULL
    outline = Path().polygon(hull).placed(*at, _SHIP, ship.heading_deg)
    if ship.status is ShipStatus.IN_ACTION:
        yield Shape(outline, fill=f"ship_{colour}", stroke="ink", width=THIN)
    else:
        yield Shape(outline, fill="sea", stroke=colour, width=THIN)


def _fire_line(
    fire: MapFire, points: Mapping[str, Point], fires: Sequence[MapFire]
) -> Iterator[Figure]:
    """A line from firer to target, shifted to the right, so that mutual fire gives two lines."""
    start, end = points[fire.firer], points[fire.target]
    colour = side_colour(fire.side)
    length = math.dist(start, end)
    if length < 2 * _SHIP:
        return
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    same = [each for each in fires if (each.firer, each.target) == (fire.firer, fire.target)]
    aside = 4.0 + 7.0 * next(n for n, each in enumerate(same) if each is fire)

    def place_at(distance: float, across: float = 0.0) -> Point:
        offset = aside + across
        return (
            start[0] + along[0] * distance - along[1] * offset,
            start[1] + along[1] * distance + along[0] * offset,
        )

    tip = length - _SHIP * 0.8
    width, dashes = (1.8, ()) if fire.hits else (1.1, (5.0, 4.0))
    yield line(place_at(_SHIP * 0.7), place_at(tip - 6), colour=colour, width=width, dashes=dashes)
    head = place_at(tip), place_at(tip - 13, 3.8), place_at(tip - 13, -3.8)
    yield polygon(head, fill=colour)
    if fire.hits:
        # Several hits on the same ship are spread.
        others = [each for each in fires if each.hits and each.target == fire.target]
        number = next(n for n, each in enumerate(others) if each is fire)
        x, y = place_at(max(length - (2.2 + 1.2 * number) * _SHIP, _SHIP))
        yield polygon(_burst((x, y), 12.5), fill="struck", stroke="harm", width=THIN)
        yield polygon(corners(x - 6, y - 6.5, 12, 13), fill="surface")
        figure = str(fire.hits)
        yield Text((x, y + 4.8), figure, 14, "harm", "middle", Face.SANS_SEMIBOLD)


def _burst(at: Point, radius: float) -> tuple[Point, ...]:
    return tuple(
        (
            at[0] + math.sin(math.pi * number / 8) * radius * (1 if number % 2 else 0.68),
            at[1] - math.cos(math.pi * number / 8) * radius * (1 if number % 2 else 0.68),
        )
        for number in range(16)
    )


def _names(
    segment: SegmentMap,
    points: Mapping[str, Point],
    tracks: Sequence[Sequence[Point]],
    frame: Box,
) -> Iterator[Figure]:
    """The names beside their ships, none on a ship or another name, avoiding lines."""
    inside = frame.grown(-4)
    size = _NAME * (1.0 if len(segment.ships) <= _FEW else _CROWDED)
    order = sorted(segment.ships, key=lambda ship: ship.gone_before)
    models = [
        NamedModel(
            ship.name,
            points[ship.name],
            _SHIP * 0.45,
            _boxes(ship, points[ship.name]),
            label_width(ship.name, Face.SERIF_ITALIC, size),
            size * 1.15,
        )
        for ship in order
    ]
    spots = place(
        name_requests(models, inside, gap=8),
        frame=inside,
        lines=[
            *(AvoidedLine(points[fire.firer], points[fire.target], 20.0) for fire in segment.fires),
            *(AvoidedLine(*pair, 8.0) for track in tracks for pair in pairwise(track)),
        ],
        # The scale bar is in the lower left corner.
        taken=[Box(0, frame.bottom - 36, 120, frame.bottom)],
    )
    named = [ship for ship in order if ship.name in spots]
    for ship in named:
        box, at = spots[ship.name].boxes[0], points[ship.name]
        leader = leader_line(box, at, _SHIP / 2, points.values(), far=_FAR)
        if leader is not None:
            yield line(*leader, colour="ink_3", width=THIN)
    for ship in named:
        spot = spots[ship.name]
        box = spot.boxes[0]
        # A line that passes below a name must not strike it through.
        yield Shape(box.path, fill="sea", opacity=0.8)
        colour = "ink_3" if ship.gone_before else "ink"
        letters = size * spot.scale
        start = (box.left, box.bottom - letters * 0.3)
        yield Text(start, ship.name, letters, colour, face=Face.SERIF_ITALIC)


def _boxes(ship: MapShip, at: Point) -> tuple[Box, ...]:
    """What her mark covers."""
    if ship.status is ShipStatus.SUNK:
        return (Box.around(at, 18, 18),)
    return model_boxes(at, ship.heading_deg, _SHIP, _SHIP * 0.34)


def _scale_bar(scale: MapScale) -> Iterator[Figure]:
    yards = round_step(WIDTH / scale.scale / 3.5)
    length = yards * scale.scale
    y = scale.height - 16
    yield line((16, y - 4), (16, y), (16 + length, y), (16 + length, y - 4), colour="ink_3")
    label = str(text("report.scale", yards=figure(yards, ",.0f")))
    yield Text((22, y - 5), label, 14, "ink_3")


def _description(segment: SegmentMap) -> str:
    fires = "; ".join(
        str(text("report.map_fire", firer=fire.firer, target=fire.target, n=fire.hits))
        for fire in segment.fires
    )
    ships = ", ".join(f"{ship.name} {words(ship.status.message)}" for ship in segment.ships)
    fire_text = fires or str(text("report.map_no_fire"))
    return str(text("report.map_spoken", segment=segment.title, ships=ships, fires=fire_text))
