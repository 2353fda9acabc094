"""Shapely's lines of sight against the clip by hand, on tables with every kind of touch."""

import random
import tracemalloc
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from shapely import LineString, Point, Polygon

from tabletop.closecall import CLOSE_CALL_SIGMAS, TOLERANCE_YARDS
from tabletop.rules import TableRules
from tabletop.sight import Crossings
from tabletop.survey import Survey, survey
from tabletop.table import SmokeFront, Table
from tests.tabletop.clip_twin import Rectangles, clipped_crossings
from tests.tabletop.surveyed import BANDED, SIZED, ship

SCENES = 600
SIZES = SIZED.sight.sizes


def _random_scene(chance: random.Random) -> Table:
    """A small table: on a grid, so that bases, lines and fronts touch, or anywhere."""
    on_grid, heap = chance.random() < 0.5, chance.random() < 0.2
    sigma = chance.choice((0.0, 0.0, 10.0, 150.0))

    def coordinate() -> float:
        if heap:
            return 200.0 * chance.randrange(4) if on_grid else chance.uniform(0, 900)
        return 500.0 * chance.randrange(12) if on_grid else chance.uniform(0, 24_000)

    def heading() -> float:
        return 45.0 * chance.randrange(8) if on_grid else chance.uniform(0, 360)

    models = tuple(
        ship(
            f"s{number}",
            coordinate(),
            coordinate(),
            heading(),
            sigma=sigma,
            heading_sigma=chance.choice((0.0, 2.0)),
            length=chance.choice((400.0, 1000.0, 1400.0)),
            width=chance.choice((200.0, 400.0)),
            bridge=chance.choice((0.0, 100.0, -200.0)),
            size=chance.choice(SIZES),
        )
        for number in range(chance.randrange(2, 9))
    )
    fronts = tuple(
        SmokeFront(coordinate(), coordinate(), coordinate(), coordinate())
        for _ in range(chance.randrange(3))
    )
    return Table(models, fronts)


Row = tuple[float, float, float, float]


def _rows(crossings: Iterable[Crossings]) -> dict[tuple[int, int, int], Row]:
    """The crossings that matter: met, or in doubt."""
    rows = {}
    for part in crossings:
        doubt = CLOSE_CALL_SIGMAS * part.clearance_sigma_yards + TOLERANCE_YARDS
        for number in np.flatnonzero(part.clearance_yards <= doubt).tolist():
            key = int(part.firer[number]), int(part.target[number]), int(part.obstacle[number])
            rows[key] = (
                float(part.at_yards[number]),
                float(part.at_sigma_yards[number]),
                float(part.clearance_yards[number]),
                float(part.clearance_sigma_yards[number]),
            )
    return rows


def _borderline(row: Row) -> bool:
    """Whether rounding decides: the clearance is 2 σ to a hair."""
    _, _, clearance, sigma = row
    return abs(clearance - CLOSE_CALL_SIGMAS * sigma) < 1e-5


def _agree(ours: tuple[float, ...], twin: tuple[float, ...]) -> bool:
    return max(abs(one - other) for one, other in zip(ours, twin, strict=True)) <= 1e-6


def _touched_at(result: Survey, key: tuple[int, int, int], *, smoke: bool) -> float:
    """How far from the firer a line first comes within rounding of an obstacle."""
    firer, target, obstacle = key
    here, there = (Point(*result.sight.layout.point[ship]) for ship in (firer, target))
    shape = (
        LineString(result.table.smoke[obstacle].ends)
        if smoke
        else Polygon(result.table.models[obstacle].corners())
    )
    if here.distance(there) <= TOLERANCE_YARDS:
        return 0.0
    return here.distance(LineString([here, there]).intersection(shape.buffer(2e-6)))


@pytest.mark.parametrize("rules", [BANDED, SIZED], ids=["banded", "sized"])
def test_agrees_with_the_clip_by_hand(rules: TableRules) -> None:
    chance = random.Random(1916)
    met = in_doubt = covered = touched = 0
    for scene in range(SCENES):
        table = _random_scene(chance)
        result = survey(table, rules)
        layout, measured = result.sight.layout, result.measured
        bases = clipped_crossings(layout, measured, Rectangles.of_bases(layout), skip_own=True)
        fronts = clipped_crossings(
            layout, measured, Rectangles.of_smoke(table.smoke), skip_own=False
        )
        ours = _rows(result.sight.crossings(firers) for firers in result.sight.portions)
        smoke = _rows(result.smoke.crossings(firers) for firers in result.smoke.portions)
        covers = result.sight.covers
        for found, twins in ((ours, _rows([bases])), (smoke, _rows([fronts]))):
            for key, twin in twins.items():
                firer, target, obstacle = key
                if key not in found:
                    if found is ours and covers[firer, obstacle] and covers[target, obstacle]:
                        # A base over both ends: met at once, and without a doubt.
                        assert twin[0] == pytest.approx(0.0, abs=1e-6), (scene, key)
                        assert -twin[2] > CLOSE_CALL_SIGMAS * twin[3] + TOLERANCE_YARDS
                        covered += 1
                        continue
                    assert _borderline(twin), (scene, key)
                    continue
                if abs(twin[2]) > TOLERANCE_YARDS:
                    assert _agree(found[key], twin), (scene, key)
                else:
                    # Along an edge the clip by hand finds any point of it, as rounding will.
                    assert _agree(found[key][1:], twin[1:]), (scene, key)
                    at = _touched_at(result, key, smoke=found is not ours)
                    assert found[key][0] == pytest.approx(at, abs=0.01), (scene, key)
                    touched += 1
                met += twin[2] <= TOLERANCE_YARDS
                in_doubt += abs(twin[2]) <= CLOSE_CALL_SIGMAS * twin[3]
            for key, row in found.items():
                assert key in twins or _borderline(row), (scene, key)
    assert min(met, in_doubt, covered, touched) > SCENES / 2, "the scenes show too little"


class TestHeaps:
    """Ships on top of each other, which would fill the memory if every blocker were listed."""

    @pytest.mark.parametrize("rules", [BANDED, SIZED], ids=["banded", "sized"])
    @pytest.mark.parametrize("spread_yards", [0.0, 150.0, 600.0])
    def test_what_is_left_out_of_the_crossings_is_still_reported(
        self, rules: TableRules, spread_yards: float
    ) -> None:
        whole = survey(_heap(14, spread_yards), rules)
        sight = whole.sight
        assert sight.covers.any()
        listed = replace(whole, sight=replace(sight, covers=np.zeros_like(sight.covers)))
        assert list(whole) == list(listed)
        assert np.array_equal(whole.blocked, listed.blocked)

    @pytest.mark.parametrize("rules", [BANDED, SIZED], ids=["banded", "sized"])
    def test_portions_of_a_table_make_the_whole(self, rules: TableRules) -> None:
        whole = survey(_heap(14, 2_000.0), rules)
        singly = tuple(range(number, number + 1) for number in range(14))
        in_portions = replace(whole, sight=replace(whole.sight, portions=singly))
        assert whole.sight.portions == (range(14),)
        assert list(in_portions) == list(whole)
        assert np.array_equal(in_portions.blocked, whole.blocked)

    def test_two_hundred_ships_on_one_spot_fit_into_memory(self) -> None:
        table = _heap(200, 0.0)
        tracemalloc.start()
        try:
            result = survey(table, SIZED)
            blocked = result.blocked
            check = result["s0", "s1"]
            _, most_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most_bytes < 300e6
        assert len(check.blockers) > 50
        assert np.sum(blocked) > 0.9 * 200 * 199

    def test_a_heap_among_ships_all_over_the_table_is_searched_in_small_portions(self) -> None:
        apart = _heap(200, 30_000.0).models[100:]
        table = Table((*_heap(100, 0.0).models, *apart))
        result = survey(table, SIZED)
        line = result.sight.crossings(next(each for each in result.sight.portions if 150 in each))
        assert 0 < len(line.firer) < 200_000
        assert result["s150", "s0"].blockers


def _heap(ships: int, spread_yards: float) -> Table:
    chance = random.Random(7)
    return Table(
        tuple(
            ship(
                f"s{number}",
                chance.uniform(0, spread_yards),
                chance.uniform(0, spread_yards),
                chance.uniform(0, 360),
                sigma=10.0,
                heading_sigma=0.5,
                bridge=chance.choice((0.0, 150.0)),
                size=chance.choice(SIZES),
            )
            for number in range(ships)
        )
    )
