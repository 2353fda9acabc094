"""The map of plots and moves: ships, their paths, and where the paths end."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from combat.guided_play import BattleView, OrderedView, PlottedView
from combat.participants import ShipStatus, Side, SideShape
from combat.ship_conditions import ShipCondition
from combat.sides import Sides
from combat.views import ShipView
from tabletop.table import Pose
from web.drawing.figures import Anchor, Circle, Drawing, Figure, Group, Shape, Text, line
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Box, Path, Point, round_step
from web.drawing.labels import (
    AvoidedLine,
    FreeLabel,
    LabelRequest,
    LabelSpot,
    leader_line,
    model_boxes,
    place,
)
from web.drawing.silhouettes import kind_of_ship, ship_symbol
from web.drawing.theme import THIN, side_colour
from web.strings import figure, text

WIDTH: Final = 390.0
NAME_PX: Final = 16.0
_NOTE_PX: Final = 14.0
_TICK_PX: Final = 11.0
_NOTE_PITCH: Final = 15.0
_FEW: Final = 10
"""Up to this many ships names have their full size."""
_CROWDED: Final = 0.82
_LINE: Final = 1.25
"""The height of a line of text, in its size."""
_LEAST_TICK_PX: Final = 17.0
_TICK_RADIUS_PX: Final = 8.0
_MARGIN: Final = 38.0
_CLOSEST_YARDS_PER_PX: Final = 9.0
_LEAST_SHIP_PX: Final = 24.0
_WRECK_PX: Final = 6.0
"""From the middle of a wreck's cross to its ends."""
_LEAST_BASE_PX: Final = 40.0
_LARGEST_PLAIN_PX: Final = 60.0
_EDGE: Final = 16.0
_ARROW: Final = 26.0
"""What the arrow beside the name of a ship off the map needs."""
_BEYOND: Final = 900.0
"""How far lines extend beyond the sheet, for screens of another shape."""
_ADRIFT: Final = "doubt"
_LINE_PRICE: Final = 14.0

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Way:
    """A path to draw: a draft, or a final one."""

    ship: str
    points: tuple[Point, ...]
    end: Pose | None
    shortest_end: Pose | None = None
    main: bool = False
    ticks: tuple[Point, ...] = ()
    """Points along it to mark: the ends of movement factors."""
    stands: Pose | None = None
    """The place of the model, if it differs from the end of the path."""
    fire: bool = False
    """Whether it is a line of fire."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The line round all places where a ship may be after this segment."""

    ship: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class MapScale:
    """The conversion from yards to points of the map."""

    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def around(cls, places: Sequence[Point], height: float) -> "MapScale":
        """The scale with which these places fill a sheet of this height."""
        xs, ys = [x for x, _ in places], [y for _, y in places]
        across, up = max(xs) - min(xs), max(ys) - min(ys)
        scale = min(
            1 / _CLOSEST_YARDS_PER_PX,
            (WIDTH - 2 * _MARGIN) / max(across, 1.0),
            (height - 2 * _MARGIN) / max(up, 1.0),
        )
        x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        return cls(x - WIDTH / 2 / scale, y + height / 2 / scale, scale, height)

    @property
    def frame(self) -> Box:
        """The sheet."""
        return Box(0, 0, WIDTH, self.height)

    def at(self, point: Point) -> Point:
        """Where a place at sea is on the sheet."""
        return (point[0] - self.left) * self.scale, (self.top - point[1]) * self.scale

    def holds(self, ship: ShipView) -> bool:
        """Whether a ship is on the sheet."""
        x, y = self.at(_spot(ship.pose))
        return 0 <= x <= WIDTH and 0 <= y <= self.height

    def length(self, ship: ShipView) -> float:
        """The drawn length of a ship."""
        return max(ship.base.length_yards * self.scale, _LEAST_SHIP_PX)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A ship on the map; a ghost is a future pose, `adrift` a model out of place."""

    ship: ShipView
    pose: Pose
    ghost: bool = False
    main: bool = False
    adrift: bool = False


def draw_map(
    view: BattleView,
    ways: Sequence[Way],
    sides: Sides,
    *,
    focus: str | None = None,
    height: float = 300.0,
    measured: bool = True,
    reach: Sequence[Reach] = (),
) -> Drawing:
    """The map around one ship's path, or around all ships; ranges only if they may be known."""
    ships = [ship for ship in view.ships if ship.in_action]
    by_id = {ship.id: ship for ship in ships}
    drawn = [way for way in ways if way.ship in by_id]
    scale = map_scale(view, ways, focus, height, reach)
    marks = [*_marks(ships, drawn, focus)]
    paths = [[scale.at(point) for point in way.points] for way in drawn if len(way.points) > 1]
    smoke = [[scale.at(point) for point in front.ends] for front in view.smoke]
    notes = _ranges(ships, by_id.get(focus or "")) if measured else {}
    step = int(round_step(WIDTH / scale.scale / 4))
    labels = _Labels(scale, notes, step, 1.0 if len(ships) <= _FEW else _CROWDED)
    spots = labels.place(ships, marks, [*paths, *smoke])
    items: list[Figure] = [
        Shape(_grid(scale, step), stroke="contour", width=0.7, opacity=0.5),
        *(
            _reach(scale, each, side_colour(sides[by_id[each.ship].side]), main=each.ship == focus)
            for each in reach
            if each.ship in by_id
        ),
        *(Shape(Path().polyline(front), stroke="smoke", width=7, opacity=0.7) for front in smoke),
        *(
            _ship(scale, mark, sides[mark.ship.side])
            for mark in sorted(marks, key=lambda mark: (mark.main, mark.ghost))
        ),
    ]
    sunk = [scale.at(_spot(ship.pose)) for ship in view.ships if ship.status is ShipStatus.SUNK]
    items += (_wreck(at) for at in sunk if 0 <= at[0] <= WIDTH and 0 <= at[1] <= height)
    for way in drawn:
        if len(way.points) > 1:
            colour = side_colour(sides[by_id[way.ship].side])
            items += _way(way, Path().polyline(map(scale.at, way.points)), colour)
    items += (tick for way in drawn if way.main for tick in _ticks(scale, way))
    for ship in ships:
        items += labels.draw(ship, side_colour(sides[ship.side]), spots)
    if measured:
        items += labels.draw_bar(spots)
    return Drawing(WIDTH, height, tuple(items))


def fire_lines(view: PlottedView | OrderedView) -> tuple[Way, ...]:
    """The lines from firers to targets, once fire orders are revealed or declared."""
    places = {ship.id: _spot(ship.pose) for ship in view.ships}
    orders = view.designations if isinstance(view, PlottedView) else view.declared
    pairs = dict.fromkeys((order.firer, order.target) for order in orders)
    return tuple(
        Way(firer, (places[firer], places[target]), None, fire=True) for firer, target in pairs
    )


def map_scale(
    view: BattleView,
    ways: Sequence[Way],
    focus: str | None,
    height: float,
    reach: Sequence[Reach] = (),
) -> MapScale:
    """The scale with which the map shows one ship's path, or all ships."""
    ships = [ship for ship in view.ships if ship.in_action]
    places = [_spot(ship.pose) for ship in ships if focus in (None, ship.id)]
    for way in ways:
        if focus in (None, way.ship):
            places += way.points
            places += [_spot(way.stands)] if way.stands else []
    # The map stays as it is while she is dragged about within her reach.
    places += [point for each in reach if each.ship == focus for point in each.points]
    return MapScale.around(places or [(0.0, 0.0)], height)


def _spot(pose: Pose) -> Point:
    return pose.x_yards, pose.y_yards


def _marks(ships: Sequence[ShipView], ways: Sequence[Way], focus: str | None) -> Iterator[_Mark]:
    by_id = {ship.id: ship for ship in ships}
    for ship in ships:
        yield _Mark(ship, ship.pose, main=ship.id == focus)
    for way in ways:
        ship = by_id[way.ship]
        for end in (way.shortest_end, way.end):
            if end is not None:
                yield _Mark(ship, end, ghost=True, main=way.main)
        if way.stands is not None:
            yield _Mark(ship, way.stands, adrift=True)


def _ranges(ships: Sequence[ShipView], own: ShipView | None) -> Mapping[str, str]:
    """The ranges of all enemies from the selected ship, centre to centre."""
    if own is None:
        return {}
    return {
        ship.id: str(
            text("battle.yards", yards=figure(math.dist(_spot(ship.pose), _spot(own.pose)), ",.0f"))
        )
        for ship in ships
        if ship.side != own.side
    }


# Figures


def _grid(scale: MapScale, step: float) -> Path:
    path = Path()
    x = math.floor((scale.left - _BEYOND / scale.scale) / step) * step
    while (px := scale.at((x, 0))[0]) < WIDTH + _BEYOND:
        path = path.move(px, -_BEYOND).line(px, scale.height + _BEYOND)
        x += step
    y = math.ceil((scale.top + _BEYOND / scale.scale) / step) * step
    while (py := scale.at((0, y))[1]) < scale.height + _BEYOND:
        path = path.move(-_BEYOND, py).line(WIDTH + _BEYOND, py)
        y -= step
    return path


def _reach(scale: MapScale, reach: Reach, colour: str, *, main: bool) -> Shape:
    path = Path().polygon(map(scale.at, reach.points))
    width = 1.4 if main else 1.0
    return Shape(path, colour, colour, width, (2, 4), fill_opacity=0.07, css="reach")


def _ship(scale: MapScale, mark: _Mark, side: Side) -> Group:
    length = scale.length(mark.ship)
    colour = _ADRIFT if mark.adrift else side_colour(side)
    items: list[Figure] = []
    if length > _LEAST_BASE_PX:
        breadth = length * mark.ship.base.width_yards / mark.ship.base.length_yards
        items.append(_base(mark, side, colour, length, breadth))
    opacity = 0.55 if mark.ghost else 0.4 if mark.main else 1.0
    key = f"{kind_of_ship(mark.ship)}-{side.shape.hull}"
    items.append(
        ship_symbol(
            key, colour, fine=length > _LARGEST_PLAIN_PX, scale=0.0096 * length, opacity=opacity
        )
    )
    states = [name for name in ("ghost", "main", "adrift") if getattr(mark, name)]
    ship = Group(
        tuple(items),
        at=scale.at(_spot(mark.pose)),
        turn_deg=mark.pose.heading_deg,
        css=" ".join(("ship", *states)),
    )
    if mark.ghost or ShipCondition.BURNING not in mark.ship.conditions:
        return ship
    return Group((ship, *_plume(ship.at, length)))


def _plume(at: Point, length: float) -> Iterator[Circle]:
    """The smoke of a ship that burns; it drifts the same way everywhere."""
    for number, part in enumerate((0.1, 0.28, 0.5)):
        radius = length * (0.12 + 0.05 * number)
        yield Circle((at[0] + part * length, at[1] - part * length), radius, fill="smoke")


def _wreck(at: Point) -> Shape:
    """A cross where a ship has sunk."""
    (x, y), reach = at, _WRECK_PX
    cross = Path().move(x - reach, y - reach).line(x + reach, y + reach)
    cross = cross.move(x - reach, y + reach).line(x + reach, y - reach)
    return Shape(cross, stroke="ink_3", width=1.8, css="wreck-mark")


def _base(mark: _Mark, side: Side, colour: str, length: float, breadth: float) -> Shape:
    half, end = breadth / 2, length / 2
    if side.shape.hull == "angular":
        quarter = ((half / 2, -end), (half, -length / 3), (half, length / 3), (half / 2, end))
        path = Path().polygon([*quarter, *((-x, y) for x, y in reversed(quarter))])
    else:
        radius = half if side.shape is SideShape.ROUND else 2.0
        path = Path().rounded(-half, -end, breadth, length, radius)
    if mark.ghost:
        return Shape(path, colour, colour, 1.2, (5, 4), fill_opacity=0.12)
    if mark.adrift:
        return Shape(path, stroke=colour, width=2)
    return Shape(path, stroke=colour, width=1.2, opacity=0.6)


def _way(way: Way, path: Path, colour: str) -> Iterator[Figure]:
    if way.main:
        yield Shape(path, stroke="t3", width=8, opacity=0.8)
        yield Shape(path, stroke="brass_ink", width=3.5, css="way main")
    elif way.fire:
        yield Shape(path, stroke=colour, width=1.6, dashes=(7, 5), opacity=0.9, css="way")
    else:
        yield Shape(path, stroke=colour, width=2, opacity=0.9, css="way")


def _ticks(scale: MapScale, way: Way) -> Iterator[Figure]:
    """Marks at the end of each factor, numbered if there is room."""
    places = [scale.at(point) for point in (*way.points[:1], *way.ticks)]
    gaps = [math.dist(before, at) for before, at in pairwise(places)]
    numbered = max(gaps, default=0.0) >= _LEAST_TICK_PX
    for number, (at, gap) in enumerate(zip(places[1:], gaps, strict=True), start=1):
        # A short turn ends near the factor before it: a dot where the two would overlap.
        roomy = numbered and gap >= 2 * _TICK_RADIUS_PX
        radius = _TICK_RADIUS_PX if roomy else 3.0
        yield Circle(at, radius, fill="brass", stroke="t3", width=1.5, css="tick-mark")
        if roomy:
            below = (at[0], at[1] + 4)
            face = Face.SANS_SEMIBOLD
            yield Text(below, str(number), _TICK_PX, "on_brass", "middle", face, css="factor")


# Labels


class _Labels:
    """Names beside their ships or, for ships off the map, at its edge; and the scale bar."""

    def __init__(
        self, scale: MapScale, notes: Mapping[str, str], bar_yards: int, lettering: float
    ) -> None:
        self._scale = scale
        self._lettering = lettering
        self._notes = notes
        self._bar_yards = bar_yards
        self._frame = scale.frame.grown(-4)
        self._others: tuple[Point, ...] = ()

    def place(
        self, ships: Sequence[ShipView], marks: Sequence[_Mark], paths: Sequence[Sequence[Point]]
    ) -> Mapping[Key, LabelSpot]:
        """The places of all labels: names of ships on the map first."""
        inside = [ship for ship in ships if self._scale.holds(ship)]
        outside = [ship for ship in ships if not self._scale.holds(ship)]
        self._others = tuple(self._scale.at(_spot(ship.pose)) for ship in inside)
        never = tuple(box for mark in marks for box in self._boxes_of(mark))
        return place(
            [
                *(self._name_wish(ship, never) for ship in inside),
                *(self._edge_wish(ship, never) for ship in outside),
                LabelRequest(("bar", ""), tuple(self._bar_spots())),
            ],
            frame=self._frame,
            obstacles=[self._box_of(mark) for mark in marks],
            lines=[
                AvoidedLine(start, end, _LINE_PRICE)
                for path in paths
                for start, end in pairwise(path)
            ],
        )

    def draw(self, ship: ShipView, colour: str, spots: Mapping[Key, LabelSpot]) -> Iterator[Figure]:
        """A ship's name, her range, and her direction if she is off the map."""
        spot = spots.get(("name", ship.id))
        if spot is None:
            return
        box = spot.boxes[0]
        at = self._scale.at(_spot(ship.pose))
        # Wider screens use smaller text, so the box is aligned on the side of the ship.
        x, anchor = _towards(at[0], box)
        size = self._lettering * spot.scale
        if not self._scale.holds(ship):
            way = self._way_to(ship)
            arrow_x = box.left + _EDGE - 4 if way < 0 else box.right - _EDGE + 4
            x, anchor = arrow_x - way * 14, "start" if way < 0 else "end"
            dx, dy = at[0] - WIDTH / 2, at[1] - self._scale.height / 2
            head = Path().polygon(((0, -9), (6, 5), (-6, 5)))
            bearing = math.degrees(math.atan2(dx, -dy))
            yield Shape(head.placed(arrow_x, box.top + 10, 1, bearing), fill=colour, css="arrow")
        else:
            length = self._scale.length(ship)
            leader = leader_line(box, at, length / 2, self._others, far=length)
            if leader is not None:
                yield line(*leader, colour=colour, width=THIN)
        note = self._notes.get(ship.id, "")
        has_note = note and box.height > self._height(spot.scale) + 1
        yield from self._words(
            ship,
            note if has_note else "",
            (x, box.top + 0.95 * NAME_PX * size),
            anchor,
            colour,
            size,
        )

    def draw_bar(self, spots: Mapping[Key, LabelSpot]) -> Iterator[Figure]:
        """The scale bar, if it was placed."""
        spot = spots.get(("bar", ""))
        if spot is None:
            return
        box = spot.boxes[0]
        left, right, y = box.left, box.right, box.bottom - 4
        ends = (left, y - 5), (left, y), (right, y), (right, y - 5)
        yield line(*ends, colour="ink_2", width=1.4)
        words = f"{self._bar_yards:,} {text('common.yards_short')}"
        yield _haloed(((left + right) / 2, y - 7), words, "middle", "scale")

    def _words(
        self, ship: ShipView, note: str, at: Point, anchor: Anchor, colour: str, size: float
    ) -> Iterator[Figure]:
        yield Text(
            at,
            ship.id,
            NAME_PX * size,
            colour,
            anchor,
            Face.SERIF_ITALIC,
            halo="halo",
            halo_width=3,
            css="name" if size == 1.0 else "name small",
        )
        if note:
            yield _haloed((at[0], at[1] + _NOTE_PITCH), note, anchor, "range")

    def _height(self, scale: float) -> float:
        """The height of a name."""
        return NAME_PX * _LINE * self._lettering * scale

    def _size(self, ship: ShipView, *, with_note: bool) -> tuple[float, float]:
        """The size of a name, with or without the range below it."""
        note = self._notes.get(ship.id, "") if with_note else ""
        width = label_width(ship.id, Face.SERIF_ITALIC, NAME_PX * self._lettering)
        if not note:
            return width, self._height(1.0)
        return max(width, label_width(note, Face.SANS, _NOTE_PX)), self._height(1.0) + _NOTE_PITCH

    def _anywhere(self, ship: ShipView, near: Point, aside: float = 0.0) -> tuple[FreeLabel, ...]:
        """Her name anywhere: with her range, without it, then smaller."""
        wide, high = self._size(ship, with_note=True)
        width, height = self._size(ship, with_note=False)
        return (
            FreeLabel(near, wide + aside, high),
            *(
                FreeLabel(near, width * scale + aside, height * scale, scale)
                for scale in (1.0, 0.8, 0.65)
            ),
        )

    def _name_wish(self, ship: ShipView, never: tuple[Box, ...]) -> LabelRequest[Key]:
        x, y = self._scale.at(_spot(ship.pose))
        reach = self._scale.length(ship) / 2
        width, height = self._size(ship, with_note=True)
        lower, upper = reach + height / 2 + 5, -reach - height / 2 - 5
        beside = [
            (way * (reach * part + 8 + width / 2), drop)
            for part, drop in ((1.0, 0.0), (0.6, lower * 0.8), (0.6, upper * 0.8))
            for way in (1, -1)
        ]
        above = [(width * part, drop) for part in (0.0, 0.3, -0.3) for drop in (lower, upper)]
        spots = [
            LabelSpot(
                (Box.around((x + dx, y + dy), width, height).slid_into(self._frame),), rank * 0.5
            )
            for rank, (dx, dy) in enumerate((*beside, *above))
        ]
        roams = self._anywhere(ship, (x, y))
        return LabelRequest(("name", ship.id), tuple(spots), clear_of=never, roams=roams)

    def _way_to(self, ship: ShipView) -> int:
        """The edge of the map for a ship's label: -1 left, 1 right."""
        return -1 if self._scale.at(_spot(ship.pose))[0] < WIDTH / 2 else 1

    def _edge_wish(self, ship: ShipView, never: tuple[Box, ...]) -> LabelRequest[Key]:
        """Places along the nearer edge, at her height."""
        middle_x, middle_y = WIDTH / 2, self._scale.height / 2
        x, y = self._scale.at(_spot(ship.pose))
        slope = (y - middle_y) / max(abs(x - middle_x), 1.0)
        width, height = self._size(ship, with_note=True)
        width += _ARROW
        wanted = middle_y + slope * (middle_x - _EDGE)
        left = self._frame.left if self._way_to(ship) < 0 else self._frame.right - width
        rows = range(int((self._frame.height - height) / 10) + 1)
        spots = [
            LabelSpot((Box(left, top, left + width, top + height),), abs(top + 10 - wanted) * 0.2)
            for top in (self._frame.top + 10 * row for row in rows)
        ]
        edge = self._frame.left if self._way_to(ship) < 0 else self._frame.right
        roams = self._anywhere(ship, (edge, wanted), _ARROW)
        return LabelRequest(("name", ship.id), tuple(spots), clear_of=never, roams=roams)

    def _bar_spots(self) -> Iterable[LabelSpot]:
        """The corners of the map."""
        length, height = self._bar_yards * self._scale.scale, self._scale.height
        rank = 0.0
        for bottom in (height - 10, 34.0):
            for left in (WIDTH - 18 - length, 18.0):
                yield LabelSpot((Box(left, bottom - 28, left + length, bottom),), rank)
                rank += 0.5

    def _boxes_of(self, mark: _Mark) -> tuple[Box, ...]:
        """What a ship covers; no name does."""
        length = self._scale.length(mark.ship)
        breadth = length * mark.ship.base.width_yards / mark.ship.base.length_yards
        return model_boxes(self._scale.at(_spot(mark.pose)), mark.pose.heading_deg, length, breadth)

    def _box_of(self, mark: _Mark) -> Box:
        """The area of a ship, independent of her heading."""
        length = self._scale.length(mark.ship)
        breadth = length * mark.ship.base.width_yards / mark.ship.base.length_yards
        turn = math.radians(mark.pose.heading_deg)
        across = abs(math.sin(turn)) * length + abs(math.cos(turn)) * breadth
        up = abs(math.cos(turn)) * length + abs(math.sin(turn)) * breadth
        return Box.around(self._scale.at(_spot(mark.pose)), across, up)


def _towards(ship_x: float, box: Box) -> tuple[float, Anchor]:
    """The alignment of text in a box that keeps it near a ship beside it."""
    if box.right <= ship_x:
        return box.right, "end"
    return (box.left, "start") if box.left >= ship_x else (box.centre[0], "middle")


def _haloed(at: Point, words: str, anchor: Anchor, css: str) -> Text:
    return Text(at, words, _NOTE_PX, "ink_2", anchor, halo="halo", halo_width=3, css=css)
