"""A map of one segment: the tracks so far, who stands where, who fires at whom, and the hits."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from combat.participants import Side
from web.battle.report.history import Point as Spot
from web.battle.report.history import Standing
from web.battle.report.report import Fire, Report, Segment
from web.battle.sheet_drawing import side_colour
from web.battle.sheet_ink import Drawing, Item, Point, Stroke, Words, box, line, polygon
from web.charts.lettering import Face, text_width
from web.charts.paper import round_step
from web.strings import text

WIDTH: Final = 560.0
_LEAST_YARDS: Final = 6000.0
_ASPECTS: Final = (0.45, 0.85)
_MARGIN: Final = 40.0
_SHIP: Final = 24.0
_NAME: Final = 17.0
_TAIL: Final = 12
"""How many segments a track goes back: all of a long battle on each map would be too much."""
_ROUND_HULL: Final = (
    (0, -0.5), (0.1, -0.3), (0.16, -0.08), (0.17, 0.15), (0.13, 0.36), (0.05, 0.5),
    (-0.05, 0.5), (-0.13, 0.36), (-0.17, 0.15), (-0.16, -0.08), (-0.1, -0.3),
)  # fmt: skip
_ANGULAR_HULL: Final = (
    (0, -0.5), (0.17, -0.12), (0.17, 0.3), (0.08, 0.5), (-0.08, 0.5), (-0.17, 0.3), (-0.17, -0.12),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chart:
    """How yards become places on every map of a battle."""

    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def of(cls, report: Report) -> "Chart":
        """The chart that shows everybody at any time."""
        places = [(each.x, each.y) for each in report.start.values()]
        for segment in report.segments:
            places += [(each.x, each.y) for each in segment.ships.values()]
        xs, ys = [x for x, _ in places], [y for _, y in places]
        across = max(max(xs) - min(xs), _LEAST_YARDS)
        up = max(max(ys) - min(ys), _LEAST_YARDS / 3)
        height = WIDTH * min(max(up / across, _ASPECTS[0]), _ASPECTS[1])
        scale = min((WIDTH - 2 * _MARGIN) / across, (height - 2 * _MARGIN) / up)
        middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        return cls(
            middle[0] - WIDTH / 2 / scale, middle[1] + height / 2 / scale, scale, round(height)
        )

    def at(self, place: Spot) -> Point:
        """A place on the table as a point of the map."""
        return (place[0] - self.left) * self.scale, (self.top - place[1]) * self.scale


def draw_map(report: Report, number: int, chart: Chart) -> Drawing:
    """The map of the segment with this number."""
    segment = report.segments[number]
    items: list[Item] = [polygon(box(0, 0, WIDTH, chart.height), fill="sea", stroke="contour")]
    items += _graticule(chart)
    items += (
        line(chart.at(start), chart.at(end), colour="smoke", width=6)
        for start, end in segment.smoke
    )
    items += _tracks(report, number, chart)
    points = {name: chart.at((each.x, each.y)) for name, each in segment.ships.items()}
    for fire in segment.fires:
        items += _fire_line(fire, side_colour(report.sides[fire.side]), points, segment.fires)
    gone = _gone_before(report, number)
    for name, standing in segment.ships.items():
        items += _ship(
            report.sides[report.side_of[name]], standing, points[name], faint=name in gone
        )
    items += _names(segment, points, chart, gone)
    items += _scale_bar(chart)
    return Drawing(WIDTH, chart.height, _spoken(segment), tuple(items))


def _graticule(chart: Chart) -> Iterator[Item]:
    step = round_step(WIDTH / chart.scale / 3.5)
    lines: list[tuple[Point, ...]] = []
    x = math.ceil(chart.left / step) * step
    while (px := chart.at((x, 0))[0]) < WIDTH:
        lines.append(((px, 0.0), (px, chart.height)))
        x += step
    y = math.floor(chart.top / step) * step
    while (py := chart.at((0, y))[1]) < chart.height:
        lines.append(((0.0, py), (WIDTH, py)))
        y -= step
    if lines:
        yield Stroke(tuple(lines), stroke="contour", width=0.6, opacity=0.45)


def _tracks(report: Report, number: int, chart: Chart) -> Iterator[Item]:
    """Where everybody came from, and the way of this segment more strongly."""
    for name, side in report.side_of.items():
        older = [
            tuple(map(chart.at, segment.paths[name]))
            for segment in report.segments[max(number - _TAIL, 0) : number]
            if len(segment.paths.get(name, ())) > 1
        ]
        colour = side_colour(report.sides[side])
        if older:
            yield Stroke(tuple(older), stroke=colour, width=1.3, opacity=0.5)
        now = report.segments[number].paths.get(name, ())
        if len(now) > 1:
            yield line(*map(chart.at, now), colour=colour, width=2.6)


def _ship(side: Side, standing: Standing, at: Point, *, faint: bool) -> Iterator[Item]:
    if standing.status == "sunk":
        size = 5.0 if faint else 9.0
        for way in (-1, 1):
            start, end = (at[0] - size, at[1] - way * size), (at[0] + size, at[1] + way * size)
            yield line(start, end, colour="harm", width=2 if faint else 3.5)
        return
    colour = side_colour(side)
    hull = _ANGULAR_HULL if side.shape.hull == "angular" else _ROUND_HULL
    turn = math.radians(standing.heading)
    cosine, sine = math.cos(turn), math.sin(turn)
    corners = [
        (at[0] + _SHIP * (x * cosine - y * sine), at[1] + _SHIP * (x * sine + y * cosine))
        for x, y in hull
    ]
    fill = "sea" if standing.status != "in action" else f"ship_{colour}"
    yield polygon(corners, fill=fill, stroke="ink" if fill != "sea" else colour, width=1)


def _fire_line(
    fire: Fire, colour: str, points: Mapping[str, Point], fires: Sequence[Fire]
) -> Iterator[Item]:
    """From firer to target, a little to the right, so that two who exchange fire have two lines."""
    start, end = points[fire.firer], points[fire.target]
    length = math.dist(start, end)
    if length < 2 * _SHIP:
        return
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    same = [each for each in fires if (each.firer, each.target) == (fire.firer, fire.target)]
    aside = 4.0 + 7.0 * next(n for n, each in enumerate(same) if each is fire)

    def place(distance: float, across: float = 0.0) -> Point:
        offset = aside + across
        return (
            start[0] + along[0] * distance - along[1] * offset,
            start[1] + along[1] * distance + along[0] * offset,
        )

    tip = length - _SHIP * 0.8
    dashes = () if fire.hits else (5.0, 4.0)
    yield line(
        place(_SHIP * 0.7), place(tip - 6), colour=colour, width=1.8 if fire.hits else 1.1,
        dashes=dashes,
    )  # fmt: skip
    yield polygon((place(tip), place(tip - 13, 3.8), place(tip - 13, -3.8)), fill=colour)
    if fire.hits:
        # Several that hit the same ship leave each other room.
        others = [each for each in fires if each.hits and each.target == fire.target]
        number = next(n for n, each in enumerate(others) if each is fire)
        at = place(max(length - (2.2 + 1.2 * number) * _SHIP, _SHIP))
        yield polygon(_burst(at, 12.5), fill="struck", stroke="harm", width=1)
        yield polygon(box(at[0] - 6, at[1] - 6.5, 12, 13), fill="surface")
        middle = (at[0], at[1] + 4.8)
        yield Words(middle, str(fire.hits), 14, "harm", "middle", bold=True)


def _burst(at: Point, radius: float) -> tuple[Point, ...]:
    return tuple(
        (
            at[0] + math.sin(math.pi * number / 8) * radius * (1 if number % 2 else 0.68),
            at[1] - math.cos(math.pi * number / 8) * radius * (1 if number % 2 else 0.68),
        )
        for number in range(16)
    )


def _names(
    segment: Segment,
    points: Mapping[str, Point],
    chart: Chart,
    gone: frozenset[str],
) -> Iterator[Item]:
    """Every name beside its ship, where it covers no other and no ship."""
    taken = [(x - 13, y - 13, x + 13, y + 13) for x, y in points.values()]
    crossed = [
        (start[0] + (end[0] - start[0]) * part / 60, start[1] + (end[1] - start[1]) * part / 60)
        for fire in segment.fires
        for start, end in [(points[fire.firer], points[fire.target])]
        for part in range(1, 60)
    ]
    for name in sorted(segment.ships, key=lambda name: (name in gone, points[name][1])):
        x, y = points[name]
        wide = text_width(name, Face.SERIF_ITALIC, _NAME)
        spots = [
            (x + dx if dx >= 0 else x + dx - wide, y + dy)
            for dx, dy in ((17, 5), (-17, 5), (15, -14), (15, 24), (-15, -14), (-15, 24))
        ]
        spots += [(x - wide / 2, y - 17), (x - wide / 2, y + 27)]
        boxes = [(left, base - 14, left + wide, base + 5) for left, base in spots]
        prices = [_price(each, taken, crossed, chart) for each in boxes]
        best = prices.index(min(prices))
        taken.append(boxes[best])
        left, top, right, bottom = boxes[best]
        # A line that passes beneath a name must not strike it out.
        backing = box(left - 1, top + 2, right - left + 2, bottom - top - 3)
        yield Stroke((backing,), closed=True, fill="sea", opacity=0.8)
        colour = "ink_3" if name in gone else "ink"
        yield Words(spots[best], name, _NAME, colour, name=True)


def _price(
    spot: tuple[float, float, float, float],
    taken: Sequence[tuple[float, float, float, float]],
    crossed: Sequence[Point],
    chart: Chart,
) -> float:
    left, top, right, bottom = spot
    outside = max(4 - left, right - WIDTH + 4, 4 - top, bottom - chart.height + 4, 0.0)
    overlap = sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in taken
    )
    on_lines = sum(left < x < right and top < y < bottom for x, y in crossed)
    return outside * 100 + overlap + on_lines * 12


def _gone_before(report: Report, number: int) -> frozenset[str]:
    """The ships that were sunk or away before a segment."""
    if not number:
        return frozenset()
    before = report.segments[number - 1].ships
    return frozenset(name for name, each in before.items() if each.status != "in action")


def _scale_bar(chart: Chart) -> Iterator[Item]:
    yards = round_step(WIDTH / chart.scale / 3.5)
    length = yards * chart.scale
    y = chart.height - 16
    yield line((16, y - 4), (16, y), (16 + length, y), (16 + length, y - 4), colour="ink_3")
    words = str(text("report.scale", yards=f"{yards:,.0f}"))
    yield Words((22, y - 5), words, 14, "ink_3")


def _spoken(segment: Segment) -> str:
    fires = "; ".join(
        str(text("report.map_fire", firer=fire.firer, target=fire.target, n=fire.hits))
        for fire in segment.fires
    )
    ships = ", ".join(f"{name} {each.status}" for name, each in segment.ships.items())
    words = fires or str(text("report.map_no_fire"))
    return str(text("report.map_spoken", segment=segment.title, ships=ships, fires=words))
