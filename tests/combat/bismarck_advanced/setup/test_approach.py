"""The start of a battle by 55.22–55.25: how far apart, and from where."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import TypedDice
from combat.forecast import every_outcome
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.setup.approach import (
    NoAttack,
    StartingRange,
    direction_by_die,
    direction_by_zones,
    direction_of_shadowers,
    roll_starting_range,
    zones_counted,
)
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef

TABLES, SHIPS = load_tables(), load_warships()


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


HOOD, NORFOLK = fresh("Hood"), fresh("Norfolk")


def start(
    die: int, visibility: Visibility = 5, *, night: bool = False, radar: bool = False
) -> StartingRange:
    attackers = [NORFOLK, HOOD] if radar else [NORFOLK]
    dice = TypedDice(str(die))
    rolled = roll_starting_range(attackers, dice, TABLES, visibility=visibility, night=night)
    assert isinstance(rolled, StartingRange)
    return rolled


@pytest.mark.parametrize(
    ("die", "yards"),
    [(1, 8000), (2, 12_000), (3, 18_000), (4, 24_000), (5, 26_000), (6, 28_000)],
)
def test_the_plain_die(die: int, yards: int) -> None:
    assert start(die).yards == yards


@pytest.mark.parametrize(
    ("die", "visibility", "night", "radar", "row"),
    [
        (1, 1, False, False, 6),
        (1, 4, False, False, 3),
        (1, 3, False, False, 5),
        (3, 6, False, False, 2),
        (1, 8, False, False, 1),
        (6, 8, False, False, 3),
        (6, 5, True, False, 2),
        (2, 5, True, False, 1),
        (2, 5, False, True, 5),
        (5, 8, True, True, 1),
        (6, 1, False, True, 6),
    ],
)
def test_modifications_add_up_and_stop_at_the_ends(
    die: int, visibility: Visibility, night: bool, radar: bool, row: int
) -> None:
    assert start(die, visibility, night=night, radar=radar).row == row


def test_the_player_sees_the_sum() -> None:
    rolled = start(6, 8, night=True, radar=True)
    assert [(m.number, m.value, m.label) for m in rolled.ledger] == [
        (1, -4, Message("advanced.setup.night")),
        (2, -3, Message("advanced.setup.visibility", visibility=8)),
        (3, 3, Message("advanced.setup.radar", ship=ShipRef("Hood"))),
    ]
    sum_of = Message("advanced.setup.range", die=6, added=-4, total=2, yards=12_000)
    assert rolled.why == sum_of
    assert start(2, 1).why == Message(
        "advanced.setup.range_read_as", die=2, added=5, total=7, row=6, yards=28_000
    )
    assert (rolled.rule, rolled.provenance) == ("55.22", Provenance.PRINTED)


def test_radar_that_is_lost_or_the_defenders_does_not_count() -> None:
    blind = replace(HOOD, radar_lost=True)
    rolled = roll_starting_range([blind], TypedDice("3"), TABLES, visibility=5)
    assert isinstance(rolled, StartingRange)
    assert rolled.yards == 18_000


def test_visibility_x_means_no_attack_and_no_die() -> None:
    refused = roll_starting_range([HOOD], TypedDice(""), TABLES, visibility="X")
    assert isinstance(refused, NoAttack)
    assert refused.why == Message("advanced.setup.no_attack", visibility="X")
    assert refused.rule == "55.22"


@pytest.mark.parametrize("visibility", [0, 9])
def test_there_is_no_such_visibility(visibility: int) -> None:
    with pytest.raises(DreyerError, match=r"advanced\.setup\.bad_visibility"):
        start(1, visibility)


@pytest.mark.parametrize(
    ("count", "quadrant"),
    [
        (1, Quadrant.STERN),
        (2, Quadrant.PORT),
        (3, Quadrant.PORT),
        (4, Quadrant.BOW),
        (5, Quadrant.STARBOARD),
        (6, Quadrant.STARBOARD),
    ],
)
def test_zones_counted_by_55_232(count: int, quadrant: Quadrant) -> None:
    direction = direction_by_zones(count, TABLES)
    assert (direction.quadrant, direction.rule) == (quadrant, "55.232")


@given(st.integers(0, 5), st.integers(0, 5))
def test_counting_is_clockwise_and_begins_with_the_defenders_zone(origin: int, by: int) -> None:
    assert zones_counted(origin, (origin + by) % 6) == by + 1


def test_astern_of_a_ship_that_came_from_the_south_clockwise_is_port() -> None:
    # Zones clockwise from north; the defenders steer north out of zone 3.
    assert direction_by_zones(zones_counted(3, 4), TABLES).quadrant is Quadrant.PORT
    assert direction_by_zones(zones_counted(3, 0), TABLES).quadrant is Quadrant.BOW


def test_where_somebody_stayed_the_die_decides() -> None:
    direction = direction_by_die(TypedDice("2"), TABLES)
    assert (direction.quadrant, direction.rule, direction.die) == (Quadrant.STERN, "55.24", 2)


def test_the_odds_of_55_24() -> None:
    odds: defaultdict[Quadrant, Fraction] = defaultdict(Fraction)
    for outcome in every_outcome(lambda dice: direction_by_die(dice, TABLES).quadrant):
        odds[outcome.result] += outcome.probability
    sixth, third = Fraction(1, 6), Fraction(1, 3)
    assert odds == {
        Quadrant.BOW: sixth, Quadrant.STERN: sixth, Quadrant.PORT: third, Quadrant.STARBOARD: third,
    }  # fmt: skip


def test_shadowers_come_from_astern() -> None:
    direction = direction_of_shadowers()
    assert (direction.quadrant, direction.rule) == (Quadrant.STERN, "55.25")


def test_zones_that_do_not_exist() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.setup\.bad_zone\(found=6, most=5\)"):
        zones_counted(6, 0)
    with pytest.raises(DreyerError, match=r"advanced\.setup\.bad_zone\(found=-1, most=5\)"):
        zones_counted(0, -1)
    with pytest.raises(DreyerError, match=r"advanced\.setup\.zone_count\(found=7, most=6\)"):
        direction_by_zones(7, TABLES)
