"""A little map for plots and moves: ships, the ways they mean to go, and where these would end.

Only places on the sheet are found here; a template draws them in the page's own colours.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from combat.guided_play import BattleView
from combat.views import ShipView
from tabletop.table import Pose
from web.charts.lettering import Face, text_width
from web.charts.paper import round_step
from web.charts.ships import silhouette_by_class
from web.strings import text

WIDTH: Final = 390.0
NAME_PX: Final = 16.0
NOTE_PX: Final = 16.0
_LEAST_TICK_PX: Final = 24.0
_LINE_PX: Final = 3.0
"""Names keep this far from lines, where there is room."""
_MARGIN: Final = 38.0
_CLOSEST_YARDS_PER_PX: Final = 9.0
_LEAST_SHIP_PX: Final = 24.0
_EDGE: Final = 16.0
_BEYOND: Final = 900.0
"""How far lines go on beyond the sheet, for screens of another shape."""


@dataclass(frozen=True, slots=True)
class Way:
    """A path to draw: the ship's own choice under her pencil, or one that is settled."""

    ship: str
    points: tuple[tuple[float, float], ...]
    end: Pose | None
    shortest_end: Pose | None = None
    main: bool = False
    factors: int = 0
    """How many equal parts it is to be counted off in."""
    stands: Pose | None = None
    """Where the model stands, if that is not where the way ends."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Where a part of the main way ends; its number is empty where there is no room for it."""

    x: float
    y: float
    number: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A ship on the map, turned to her heading; a ghost is where she would be."""

    x: float
    y: float
    heading: float
    side: str
    kind: str
    """Which of the page's silhouettes she has."""
    plain: bool
    length: float
    breadth: float
    """Of her base, in pixels."""
    ghost: bool = False
    main: bool = False
    adrift: bool = False
    """Where a model stands that should stand elsewhere."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name beside its ship, or at the edge with an arrow towards her."""

    x: float
    y: float
    text: str
    side: str
    anchor: str = "start"
    arrow: float | None = None
    """Where she lies, as a heading; None for a ship that is on the map."""
    arrow_x: float = 0.0
    note: str = ""
    """What is to be read beneath the name: how far off she is."""


@dataclass(frozen=True, slots=True)
class Line:
    """A path in the sheet's own figures."""

    d: str
    side: str
    main: bool


@dataclass(frozen=True, slots=True)
class PlotMap:
    """All that a template needs."""

    width: float
    height: float
    grid: str
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    smoke: tuple[Line, ...]
    labels: tuple[Label, ...]
    bar: float
    bar_yards: int
    bar_at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Sheet:
    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def around(cls, places: Sequence[tuple[float, float]], height: float) -> "_Sheet":
        xs, ys = [x for x, _ in places], [y for _, y in places]
        across, up = max(xs) - min(xs), max(ys) - min(ys)
        scale = min(
            1 / _CLOSEST_YARDS_PER_PX,
            (WIDTH - 2 * _MARGIN) / max(across, 1.0),
            (height - 2 * _MARGIN) / max(up, 1.0),
        )
        x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        return cls(x - WIDTH / 2 / scale, y + height / 2 / scale, scale, height)

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def holds(self, x: float, y: float) -> bool:
        px, py = self.at(x, y)
        return 0 <= px <= WIDTH and 0 <= py <= self.height

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        return "M" + "L".join("{:.1f} {:.1f}".format(*self.at(x, y)) for x, y in points)


def draw_map(
    view: BattleView, ways: Sequence[Way], *, focus: str | None = None, height: float = 300.0
) -> PlotMap:
    """The map around one ship's way, or around everybody."""
    ships = [ship for ship in view.ships if ship.in_action]
    shown = [ship for ship in ships if focus in (None, ship.id)]
    places = [(ship.pose.x_yards, ship.pose.y_yards) for ship in shown]
    for way in ways:
        if focus in (None, way.ship):
            places += way.points
            places += [(way.stands.x_yards, way.stands.y_yards)] if way.stands else []
    sheet = _Sheet.around(places or [(0.0, 0.0)], height)
    by_name = {ship.id: ship for ship in ships}
    marks = [_mark(sheet, ship, ship.pose, main=ship.id == focus) for ship in ships]
    marks += (
        _mark(sheet, by_name[way.ship], end, ghost=True, main=way.main)
        for way in ways
        for end in (way.shortest_end, way.end)
        if way.ship in by_name and end is not None
    )
    marks += (
        replace(_mark(sheet, by_name[way.ship], way.stands), adrift=True)
        for way in ways
        if way.ship in by_name and way.stands is not None
    )
    step = int(round_step(WIDTH / sheet.scale / 4))
    taken = [_box_of(mark) for mark in marks]
    for line in (*(way.points for way in ways), *(front.ends for front in view.smoke)):
        taken += _boxes_along([sheet.at(x, y) for x, y in line])
    notes = _notes(ships, by_name.get(focus or ""))
    labels = (*_names(sheet, ships, taken, notes), *_edges(sheet, ships, taken, notes))
    return PlotMap(
        WIDTH,
        height,
        _grid(sheet, step),
        tuple(sorted(marks, key=lambda mark: (mark.main, mark.ghost))),
        tuple(
            Line(sheet.path(way.points), by_name[way.ship].side, way.main)
            for way in ways
            if len(way.points) > 1 and way.ship in by_name
        ),
        tuple(tick for way in ways if way.main for tick in _ticks(sheet, way)),
        tuple(Line(sheet.path(front.ends), "", main=False) for front in view.smoke),
        labels,
        step * sheet.scale,
        step,
        _bar_place(step * sheet.scale, taken, height),
    )


def fire_lines(view: BattleView) -> tuple[Way, ...]:
    """From every firer to her target, once all fire lies open."""
    spots = {ship.id: _spot(ship) for ship in view.ships}
    pairs = dict.fromkeys((order.firer, order.target) for order in view.designations)
    return tuple(Way(firer, (spots[firer], spots[target]), None) for firer, target in pairs)


def _notes(ships: Sequence[ShipView], own: ShipView | None) -> Mapping[str, str]:
    """How far off every enemy is from the ship in the focus, centre to centre."""
    if own is None:
        return {}
    return {
        ship.id: str(
            text(
                "battle.yards",
                yards=f"{math.dist(_spot(ship), _spot(own)):,.0f}",
            )
        )
        for ship in ships
        if ship.side != own.side
    }


def _spot(ship: ShipView) -> tuple[float, float]:
    return ship.pose.x_yards, ship.pose.y_yards


def _ticks(sheet: _Sheet, way: Way) -> Iterable[Tick]:
    """The end of each factor: all are of one length, whether straight or along an arc."""
    lengths = [math.dist(a, b) for a, b in pairwise(way.points)]
    total = sum(lengths)
    if not way.factors or not total:
        return
    part = total / way.factors
    roomy = part * sheet.scale >= _LEAST_TICK_PX
    number, passed = 1, 0.0
    for (start, end), length in zip(pairwise(way.points), lengths, strict=True):
        while length and number <= way.factors and part * number <= passed + length + 1e-6:
            along = (part * number - passed) / length
            spot = (start[n] + (end[n] - start[n]) * along for n in (0, 1))
            x, y = sheet.at(*spot)
            yield Tick(round(x, 1), round(y, 1), str(number) if roomy else "")
            number += 1
        passed += length


def kind_of(ship: ShipView) -> str:
    """Which of the page's silhouettes a ship of the view has, round or angular."""
    return silhouette_by_class(ship.ship_class) if ship.ship_class else "unknown"


def _mark(
    sheet: _Sheet, ship: ShipView, pose: Pose, *, ghost: bool = False, main: bool = False
) -> Mark:
    x, y = sheet.at(pose.x_yards, pose.y_yards)
    length = max(ship.base.length_yards * sheet.scale, _LEAST_SHIP_PX)
    breadth = length * ship.base.width_yards / ship.base.length_yards
    return Mark(
        round(x, 1), round(y, 1), round(pose.heading_deg, 1), ship.side,
        kind_of(ship), length <= 60, round(length, 1), round(breadth, 1), ghost, main,
    )  # fmt: skip


def _grid(sheet: _Sheet, step: float) -> str:
    found = []
    x = math.floor((sheet.left - _BEYOND / sheet.scale) / step) * step
    while (px := sheet.at(x, 0)[0]) < WIDTH + _BEYOND:
        found.append(f"M{px:.1f} {-_BEYOND:.0f}V{sheet.height + _BEYOND:.0f}")
        x += step
    y = math.ceil((sheet.top + _BEYOND / sheet.scale) / step) * step
    while (py := sheet.at(0, y)[1]) < sheet.height + _BEYOND:
        found.append(f"M{-_BEYOND:.0f} {py:.1f}H{WIDTH + _BEYOND:.0f}")
        y -= step
    return "".join(found)


Box = tuple[float, float, float, float]


def _names(
    sheet: _Sheet,
    ships: Sequence[ShipView],
    taken: list[Box],
    notes: Mapping[str, str],
) -> Iterable[Label]:
    """Every name beside its ship, where it covers least."""
    for ship in ships:
        pose = ship.pose
        if not sheet.holds(pose.x_yards, pose.y_yards):
            continue
        x, y = sheet.at(pose.x_yards, pose.y_yards)
        reach = max(ship.base.length_yards * sheet.scale, _LEAST_SHIP_PX) / 2
        wide = text_width(ship.id, Face.SERIF_ITALIC, NAME_PX)
        spots = [
            (x + way * (reach * part + 8) + (0 if way > 0 else -wide), y + drop)
            for part, drop in ((1.0, 5.0), (0.6, reach * 0.8 + 14), (0.6, -reach * 0.8 - 6))
            for way in (1, -1)
        ]
        spots += [
            (x - wide * part, y + drop)
            for part in (0.5, 0.8, 0.2)
            for drop in (reach + 18, -reach - 8)
        ]
        note = notes.get(ship.id, "")
        below = 5 + (NOTE_PX if note else 0)
        boxes = [(left, base - 14, left + wide, base + below) for left, base in spots]
        prices = [_price(each, taken, sheet.height) for each in boxes]
        best = prices.index(min(prices))
        taken.append(boxes[best])
        x, y = round(spots[best][0], 1), round(spots[best][1], 1)
        yield Label(x, y, ship.id, ship.side, note=note)


def _box_of(mark: Mark) -> Box:
    turn = math.radians(mark.heading)
    across = abs(math.sin(turn)) * mark.length / 2 + abs(math.cos(turn)) * mark.breadth / 2
    up = abs(math.cos(turn)) * mark.length / 2 + abs(math.sin(turn)) * mark.breadth / 2
    return mark.x - across, mark.y - up, mark.x + across, mark.y + up


def _boxes_along(points: Sequence[tuple[float, float]]) -> Iterable[Box]:
    """What a line covers, piece by piece."""
    for start, end in pairwise(points):
        pieces = max(1, round(math.dist(start, end) / (2 * _LINE_PX)))
        for n in range(pieces):
            x, y = (a + (b - a) * (n + 0.5) / pieces for a, b in zip(start, end, strict=True))
            yield x - _LINE_PX, y - _LINE_PX, x + _LINE_PX, y + _LINE_PX


def _price(spot: Box, taken: Sequence[Box], height: float) -> float:
    left, top, right, bottom = spot
    outside = max(4 - left, right - WIDTH + 4, 4 - top, bottom - height + 4, 0.0)
    overlap = sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in taken
    )
    return outside * 100 + overlap


def _edges(
    sheet: _Sheet,
    ships: Sequence[ShipView],
    taken: list[Box],
    notes: Mapping[str, str],
) -> Iterable[Label]:
    """Where the ships lie that are not on the map: along the edge that is nearer to them."""
    middle = WIDTH / 2, sheet.height / 2
    for ship in ships:
        if sheet.holds(ship.pose.x_yards, ship.pose.y_yards):
            continue
        px, py = sheet.at(ship.pose.x_yards, ship.pose.y_yards)
        dx, dy = px - middle[0], py - middle[1]
        way = -1 if dx < 0 else 1
        wanted = middle[1] + dy * (middle[0] - _EDGE) / max(abs(dx), 1.0)
        note = notes.get(ship.id, "")
        below = NOTE_PX if note else 0.0
        wanted = min(max(wanted, _EDGE), sheet.height - _EDGE - below)
        wide = text_width(ship.id, Face.SERIF_ITALIC, NAME_PX) + 30
        left = 0.0 if way < 0 else WIDTH - wide
        rows = [_EDGE + 10.0 * n for n in range(int((sheet.height - 2 * _EDGE - below) / 10) + 1)]
        boxes = [(left, y - 10, left + wide, y + 10 + below) for y in rows]
        prices = [
            2 * abs(y - wanted) + _price((4 + left, *box[1:]), taken, sheet.height)
            for y, box in zip(rows, boxes, strict=True)
        ]
        best = prices.index(min(prices))
        taken.append(boxes[best])
        x = _EDGE if way < 0 else WIDTH - _EDGE
        yield Label(
            x - way * 14, round(rows[best] + 5, 1), ship.id, ship.side,
            "start" if way < 0 else "end", round(math.degrees(math.atan2(dx, -dy)), 1), x, note,
        )  # fmt: skip


def _bar_place(length: float, taken: Sequence[Box], height: float) -> tuple[float, float]:
    """The corner in which the scale covers least."""
    spots = [(x, y) for y in (height - 14, 30.0) for x in (WIDTH - 18 - length, 18.0)]
    prices = [_price((x, y - 24, x + length, y + 4), taken, height) for x, y in spots]
    return spots[prices.index(min(prices))]
