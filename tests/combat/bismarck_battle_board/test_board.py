"""Hexes, headings and sectors of the battle board."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_battle_board.actions import Sector
from combat.rulebooks.bismarck_battle_board.board import (
    HEADINGS,
    RADIUS,
    Place,
    centre_place,
    edge_place,
    hexes_between,
    sector_of,
)

places = st.builds(Place, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 6))
CENTRE = Place(0, 0, 1)
OPPOSITE = {
    Sector.BOW: Sector.STERN,
    Sector.STERN: Sector.BOW,
    Sector.PORT: Sector.STARBOARD,
    Sector.STARBOARD: Sector.PORT,
}


@given(places, places)
def test_distance_is_the_same_both_ways(one: Place, other: Place) -> None:
    assert hexes_between(one, other) == hexes_between(other, one)
    assert (hexes_between(one, other) == 0) == (one.hex == other.hex)


@given(places)
def test_a_hex_ahead_is_one_hex_away_and_in_the_bow_sector(place: Place) -> None:
    assert hexes_between(place, place.ahead()) == 1
    assert sector_of(place, place.ahead()) is Sector.BOW
    assert sector_of(place.ahead(), place) is Sector.STERN


@given(places, places)
def test_a_turn_about_changes_every_sector_to_its_opposite(one: Place, other: Place) -> None:
    if one.hex != other.hex:
        assert sector_of(one.turned(3), other) is OPPOSITE[sector_of(one, other)]


@given(places, places, st.integers(-12, 12))
def test_the_board_has_no_north(one: Place, other: Place, turns: int) -> None:
    """Turned together about the centre, two ships lie to each other as before."""

    def turned(place: Place) -> Place:
        column, row = place.hex
        for _ in range(turns % HEADINGS):
            column, row = -row, column + row
        return Place(column, row, place.heading).turned(turns)

    if one.hex != other.hex:
        assert sector_of(turned(one), turned(other)) is sector_of(one, other)
        assert hexes_between(turned(one), turned(other)) == hexes_between(one, other)


@pytest.mark.parametrize("edge", range(1, 7))
def test_an_edge_runs_from_corner_to_corner_at_its_distance(edge: int) -> None:
    hexes = [edge_place(edge, RADIUS, index, 1) for index in range(RADIUS + 1)]
    assert {hexes_between(CENTRE, each) for each in hexes} == {RADIUS}
    assert [hexes_between(*pair) for pair in pairwise(hexes)] == [1] * RADIUS
    following = edge_place(edge % HEADINGS + 1, RADIUS, 0, 1)
    assert hexes[-1].hex == following.hex


def test_the_centre_and_the_hexes_beside_it() -> None:
    assert centre_place(0, 4) == Place(0, 0, 4)
    beside = {centre_place(index, 1).hex for index in range(1, 7)}
    assert len(beside) == HEADINGS
    assert {hexes_between(CENTRE, Place(*each, 1)) for each in beside} == {1}
