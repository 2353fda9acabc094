"""Conversions by 72.2, rounded down by 72.3."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.conversion import (
    Hexes,
    Rate,
    evasion_rating,
    from_advanced,
    hexes_apart,
    hull_boxes,
    midships_boxes,
    movement_factors,
    to_advanced,
    turret_quarters,
)
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.table_files import load_tables

TABLES = load_tables()


@pytest.mark.parametrize(("midships", "hull"), [(0, 0), (1, 1), (2, 3), (3, 4), (10, 15), (6, 9)])
def test_midships_boxes_are_one_and_a_half_hull_boxes(midships: int, hull: int) -> None:
    assert hull_boxes(midships, TABLES) == hull


def test_bismarck_and_rodney_by_9_714() -> None:
    ships = load_warships()
    assert ships.named("Bismarck", "here").hull_boxes == hull_boxes(10, TABLES)
    assert ships.named("Rodney", "here").hull_boxes == hull_boxes(6, TABLES)


@pytest.mark.parametrize(("quarters", "midships"), [(0, 0), (5, 0), (6, 1), (11, 1), (12, 2)])
def test_a_marked_hull_goes_back_to_the_other_sheet(quarters: int, midships: int) -> None:
    assert midships_boxes(quarters, TABLES) == midships


@pytest.mark.parametrize(
    ("evasion", "factors"), [(4, 1), (5, 1), (6, 2), (8, 2), (10, 3), (20, 6), (Fraction(5), 1)]
)
def test_evasion_in_movement_factors(evasion: int, factors: int) -> None:
    assert movement_factors(evasion, TABLES) == factors


@given(st.integers(0, 14))
def test_movement_factors_convert_exactly_both_ways(factor: int) -> None:
    assert evasion_rating(factor, TABLES) == 3 * factor
    assert movement_factors(evasion_rating(factor, TABLES), TABLES) == factor


@given(st.sampled_from(Rate), st.integers(0, 500))
def test_there_and_back_never_gains(rate: Rate, count: int) -> None:
    assert from_advanced(rate, to_advanced(rate, count, TABLES), TABLES) <= count
    assert to_advanced(rate, from_advanced(rate, count, TABLES), TABLES) <= count


def test_ammunition_and_secondaries() -> None:
    assert to_advanced(Rate.AMMUNITION_FACTOR, 3, TABLES) == 72
    assert from_advanced(Rate.AMMUNITION_FACTOR, 71, TABLES) == 2
    assert to_advanced(Rate.SECONDARY_HIT, 2, TABLES) == 2


def test_a_turret_hit_is_half_a_turret() -> None:
    assert turret_quarters(1, 3, TABLES) == 6
    assert turret_quarters(2, 3, TABLES) == 12


@pytest.mark.parametrize(
    ("yards", "hexes"),
    [(0, Hexes.ONE), (4000, Hexes.ONE), (4001, Hexes.TWO), (8000, Hexes.TWO), (8001, None)],
)
def test_hexes_by_69_3(yards: float, hexes: Hexes | None) -> None:
    assert hexes_apart(yards, TABLES) == hexes
