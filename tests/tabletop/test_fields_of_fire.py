"""Fields of fire: what lies in them is what a survey would let a ship fire at."""

import random
from itertools import pairwise

import pytest
from shapely import Point, Polygon, union_all
from shapely.geometry.base import BaseGeometry

from tabletop.arcs import CLOCKWISE, Arcs, FiringArc, Quadrant
from tabletop.errors import DreyerError, UnknownName
from tabletop.fields_of_fire import Area, Reach, ReachBand, fields_of_fire
from tabletop.rules import TableRules
from tabletop.sight import SightRule
from tabletop.survey import survey
from tabletop.table import Base, Model, Pose, SmokeFront, Table
from tests.tabletop.surveyed import BANDED, SIZED, ship

LIMITS = (0.0, 4_000.0, 9_000.0, 20_000.0)
BANDS = tuple(
    ReachBand(f"band {number}", inner, outer)
    for number, (inner, outer) in enumerate(pairwise(LIMITS), start=1)
)
ALL_ROUND = FiringArc(frozenset(Quadrant))
TARGET_SIZE = "medium"
OPEN = TableRules(Arcs(), SightRule())
EDGE_YARDS = 6.0
"""How near to an edge of a drawn area a point may lie on either side: circles have corners."""


def shape(area: Area) -> BaseGeometry:
    return union_all([Polygon(each.outer, each.holes) for each in area])


def square_yards(area: Area) -> float:
    return float(shape(area).area)


def field(table: Table, rules: TableRules = OPEN, arc: FiringArc = ALL_ROUND, **more: str) -> Area:
    """The clear field of the first ship in one band of 10,000 yards."""
    reach = Reach("main", arc, (ReachBand("all", 0.0, 10_000.0),))
    (found,) = fields_of_fire(table, rules, table.names[0], [reach], **more)
    (band,) = found.bands
    return band.clear


def holds(area: Area, x: float, y: float) -> bool:
    return bool(shape(area).covers(Point(x, y)))


class TestPointsAgreeWithTheSurvey:
    """A target of no size lies in the field if, and only if, the survey lets it be fired at."""

    @pytest.mark.parametrize("rules", [BANDED, SIZED], ids=["banded", "sized"])
    @pytest.mark.parametrize("seed", range(12))
    def test_random_scenes(self, rules: TableRules, seed: int) -> None:
        chance = random.Random(seed)
        table, arc = _scene(chance), FiringArc.of(chance.sample(CLOCKWISE, chance.randint(1, 4)))
        reach = Reach("main", arc, BANDS)
        (found,) = fields_of_fire(table, rules, "firer", [reach], TARGET_SIZE)
        shapes = {band.name: (shape(band.clear), shape(band.through_smoke)) for band in found.bands}
        drawn_areas = [each for two in shapes.values() for each in two if not each.is_empty]
        seen = 0
        for _ in range(120):
            point = chance.uniform(-21_000, 21_000), chance.uniform(-21_000, 21_000)
            drawn = Point(point)
            if min(each.boundary.distance(drawn) for each in drawn_areas) < EDGE_YARDS:
                continue
            target = Model("target", Pose(*point, 0.0), Base(1e-6, 1e-6), TARGET_SIZE)
            check = survey(Table((*table.models, target), table.smoke), rules)["firer", "target"]
            if check.range_yards < 1_500.0:
                continue  # Touching bases have a range of their own.
            band = next((b.name for b in BANDS if check.range_yards <= b.outer_yards), None)
            may = band is not None and check.quadrant in arc.quadrants and not check.blocked
            for name, (clear, through_smoke) in shapes.items():
                assert clear.covers(drawn) == (may and name == band and not check.smoke), point
                assert through_smoke.covers(drawn) == (may and name == band and check.smoke), point
            seen += may
        assert seen, "no point could be fired at"


def _scene(chance: random.Random) -> Table:
    others = (
        ship(
            f"other {number}",
            chance.uniform(-9_000, 9_000),
            chance.uniform(-9_000, 9_000),
            chance.uniform(0, 360),
            size=chance.choice(SIZED.sight.sizes),
        )
        for number in range(8)
    )
    smoke = tuple(
        SmokeFront(*(chance.uniform(-15_000, 15_000) for _ in range(4))) for _ in range(2)
    )
    firer = ship("firer", 0, 0, chance.uniform(0, 360), bridge=150.0, size="large")
    return Table((firer, *others), smoke)


class TestArcs:
    def test_all_round_is_a_circle(self) -> None:
        area = field(Table((ship("a", 500, 700, 30),)))
        assert square_yards(area) == pytest.approx(3.14159 * 10_000**2, rel=1e-3)
        assert len(area) == 1

    def test_one_quadrant_lies_about_its_bearing(self) -> None:
        area = field(Table((ship("a", 0, 0, 90),)), arc=FiringArc.of(["bow"]))
        assert holds(area, 9_000, 0)
        assert holds(area, 6_000, 5_900)
        assert not holds(area, 6_000, 6_100)
        assert not holds(area, -100, 0)

    def test_neighbouring_quadrants_make_one_outline(self) -> None:
        arc = FiringArc.of(["bow", "port", "starboard"])
        assert len(field(Table((ship("a", 0, 0, 17),)), arc=arc)) == 1

    def test_opposite_quadrants_make_two(self) -> None:
        arc = FiringArc.of(["port", "starboard"])
        assert len(field(Table((ship("a", 0, 0, 17),)), arc=arc)) == 2

    def test_no_quadrant_is_no_field(self) -> None:
        assert field(Table((ship("a", 0, 0),)), arc=FiringArc(frozenset())) == ()


class TestShadows:
    def test_behind_a_ship_and_not_before_her(self) -> None:
        area = field(Table((ship("a", 0, 0), ship("b", 0, 5_000, 90))))
        assert holds(area, 0, 4_700)
        assert not holds(area, 0, 5_000)
        assert not holds(area, 0, 9_000)
        assert holds(area, 2_000, 9_000)

    def test_under_a_ship_there_is_no_field(self) -> None:
        assert field(Table((ship("a", 0, 0), ship("b", 50, 0)))) == ()

    def test_a_ship_alongside_hides_her_whole_side(self) -> None:
        area = field(Table((ship("a", 0, 0), ship("b", 200.001, 0, length=9_000.0))))
        assert not holds(area, 300, 0)
        assert not holds(area, 9_000, 3_000)
        assert holds(area, -9_000, 0)

    def test_far_targets_are_hidden_by_near_ships_alone(self) -> None:
        rules = TableRules(Arcs(), SightRule(6_000.0, 2_000.0))
        far = field(Table((ship("a", 0, 0), ship("b", 0, 4_000, 90))), rules)
        assert not holds(far, 0, 5_900)
        assert holds(far, 0, 6_100)
        near = field(Table((ship("a", 0, 0), ship("b", 0, 2_100, 90))), rules)
        assert not holds(near, 0, 6_100)

    def test_smaller_ships_hide_nothing_from_a_target_as_large_as_the_firer(self) -> None:
        table = Table((ship("a", 0, 0, size="large"), ship("b", 0, 5_000, 90, size="small")))
        assert holds(field(table, SIZED), 0, 9_000)
        assert not holds(field(table, SIZED, target_size="small"), 0, 9_000)

    def test_smoke_hides_all_beyond_it(self) -> None:
        table = Table((ship("a", 0, 0),), (SmokeFront(-1_000, 5_000, 1_000, 5_000),))
        (found,) = fields_of_fire(
            table, OPEN, "a", [Reach("main", ALL_ROUND, (ReachBand("all", 0, 10_000),))]
        )
        (band,) = found.bands
        assert holds(band.clear, 0, 4_900)
        assert not holds(band.clear, 0, 5_100)
        assert holds(band.through_smoke, 0, 5_100)
        assert not holds(band.through_smoke, 2_500, 5_100)

    def test_in_the_smoke_all_is_beyond_it(self) -> None:
        table = Table((ship("a", 0, 0),), (SmokeFront(0, 0, 1_000, 5_000),))
        assert field(table) == ()


def test_bands_do_not_overlap_and_make_the_whole() -> None:
    table = Table((ship("a", 0, 0, 20), ship("b", 3_000, 3_000)))
    (found,) = fields_of_fire(table, BANDED, "a", [Reach("main", ALL_ROUND, BANDS)])
    areas = [shape(band.clear) for band in found.bands]
    assert sum(area.area for area in areas) == pytest.approx(union_all(areas).area, rel=1e-9)


def test_a_battery_without_reach_has_no_bands() -> None:
    (found,) = fields_of_fire(Table((ship("a", 0, 0),)), OPEN, "a", [Reach("main", ALL_ROUND, ())])
    assert found.bands == ()


def test_unknown_names_and_bad_bands_are_refused() -> None:
    table = Table((ship("a", 0, 0),))
    with pytest.raises(UnknownName):
        fields_of_fire(table, OPEN, "b", [])
    with pytest.raises(UnknownName):
        fields_of_fire(table, SIZED, "a", [], "huge")
    with pytest.raises(DreyerError):
        ReachBand("none", 5.0, 5.0)
