"""Names on the pictures: with many ships, each has hers, and none covers a model or a name."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from shapely import Polygon, box

from combat.participants import UMPIRE, ShipStatus
from combat.sides import usual
from tabletop.table import Pose
from tests.web.battles import Fought
from tests.web.conftest import ReadTable, ShipToml
from tests.web.drawing.charted import lay_out
from tests.web.drawing.inspected import box_of, figures_of
from web.drawing.chart.frame import PHONE, WIDE, Format
from web.drawing.figures import Group, Text
from web.drawing.fonts import Face
from web.drawing.geometry import Box
from web.drawing.plot_map import draw_map
from web.drawing.report_map import MapScale, MapShip, SegmentMap, draw_segment

SHIPS = 24
Spot = tuple[float, float, float]


def anywhere(number: int) -> Spot:
    return (number * 7919) % 19_000, (number * 6271) % 13_000, (number * 97) % 360


def clump(number: int) -> Spot:
    return 9000 + (number * 331) % 900, 6000 + (number * 517) % 900, (number * 97) % 360


def line_ahead(number: int) -> Spot:
    return 2000 + 600.0 * number, 6000 + 150.0 * number, 76


SHAPES = pytest.mark.parametrize("shape", [anywhere, clump, line_ahead])


def hull(at: tuple[float, float], heading: float, length: float, breadth: float) -> Polygon:
    ahead = math.sin(math.radians(heading)), -math.cos(math.radians(heading))
    return Polygon(
        (
            at[0] + along * ahead[0] * length / 2 - across * ahead[1] * breadth / 2,
            at[1] + along * ahead[1] * length / 2 + across * ahead[0] * breadth / 2,
        )
        for along, across in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    )


def assert_apart(names: list[Box], hulls: list[Polygon]) -> None:
    assert not any(one.overlap(other) > 1 for one, other in combinations(names, 2))
    for name in names:
        covered = box(name.left, name.top, name.right, name.bottom)
        assert not any(covered.intersection(each).area > 1 for each in hulls)


@SHAPES
def test_the_map_of_a_segment(shape: Callable[[int], Spot]) -> None:
    places = [shape(number) for number in range(SHIPS)]
    names = [f"Destroyer {number}" for number in range(SHIPS)]
    ships = tuple(
        MapShip(name, usual().sides["german"], (x, y), heading, ShipStatus.IN_ACTION)
        for name, (x, y, heading) in zip(names, places, strict=True)
    )
    scale = MapScale.around((x, y) for x, y, _ in places)
    drawing = draw_segment(SegmentMap("1.1", ships, (), (), ()), scale)
    texts = [each for each in figures_of(drawing) if isinstance(each, Text)]
    named = {each.words: each for each in texts if each.face is Face.SERIF_ITALIC}
    assert named.keys() == set(names)
    hulls = [hull(scale.at((x, y)), heading, 24, 8) for x, y, heading in places]
    assert_apart([box_of(each) for each in named.values()], hulls)


@pytest.mark.parametrize("format_", [PHONE, WIDE])
@SHAPES
def test_the_chart(
    read_table: ReadTable,
    ship_toml: ShipToml,
    format_: Format,
    shape: Callable[[int], Spot],
) -> None:
    table = read_table("".join(ship_toml(f"Ship {n}", *shape(n)) for n in range(SHIPS)))
    chart = lay_out(table, format_=format_)
    assert all(ship.tag for ship in chart.ships)
    hulls = [
        hull(ship.at, ship.heading_deg, max(ship.length, ship.base_length), ship.base_width)
        for ship in chart.ships
    ]
    assert_apart([ship.tag.box for ship in chart.ships if ship.tag], hulls)


@SHAPES
@pytest.mark.parametrize("focused", [False, True])
def test_the_map_of_plots(tmp_path: Path, shape: Callable[[int], Spot], focused: bool) -> None:
    fought = Fought(tmp_path / "table.sqlite")
    view = fought.battle.plotted_view(UMPIRE)
    ships = tuple(
        replace(view.ships[number % 4], id=f"Ship {number}", pose=Pose(*shape(number)))
        for number in range(SHIPS)
    )
    drawing = draw_map(
        replace(view, ships=ships),
        (),
        usual().sides,
        focus="Ship 3" if focused else None,
        height=300,
    )
    texts = [each for each in drawing.items if isinstance(each, Text) and "name" in each.css]
    assert {each.words for each in texts} == {ship.id for ship in ships}
    drawn = [each for each in drawing.items if isinstance(each, Group) and "ship" in each.css]
    hulls = [hull(each.at, each.turn_deg, 24, 8) for each in drawn]
    frame = Box(0, 0, 390, 300)
    assert all(frame.contains(box_of(each)) for each in texts)
    assert_apart([box_of(each) for each in texts], hulls)
