"""Fleets, divisions, what a commander costs, and who has won."""

from dataclasses import replace

import pytest

from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.card_file import load_cards
from combat.rulebooks.grand_fleets.fleet import (
    Division,
    division_faults,
    division_points,
    fleet_faults,
    points_for_leaving,
    winner,
)
from combat.rulebooks.grand_fleets.table_files import SIZES, load_tables
from tabletop.messages import Message

TABLES = load_tables()


def ships(*sizes: str) -> tuple[Card, ...]:
    model = load_cards().find("Iron Duke")
    assert model is not None
    return tuple(
        replace(model, name=f"{size} {number}", size=size) for number, size in enumerate(sizes)
    )


@pytest.mark.parametrize(
    ("points", "quality", "cost"),
    [(385, "superb", 462), (385, "terrible", 289), (385, "poor", 347), (385, "average", 385),
     (385, "good", 424), (100, "good", 110)],
)  # fmt: skip
def test_a_chosen_commander_costs_points(points: int, quality: str, cost: int) -> None:
    # 385 − 25 % = 288.75, − 10 % = 346.5, + 10 % = 423.5, each rounded up.
    assert division_points(points, quality, TABLES) == cost


@pytest.mark.parametrize(("points", "scored"), [(125, 63), (130, 65), (1, 1), (0, 0)])
def test_leaving_the_table_costs_half_rounded_up(points: int, scored: int) -> None:
    assert points_for_leaving(points, TABLES) == scored


@pytest.mark.parametrize(
    ("size", "threshold"),
    list(zip(SIZES, (120, 240, 360, 480, 600), strict=True)),
)
def test_the_threshold_is_met_when_reached(size: str, threshold: int) -> None:
    assert winner({"blue": threshold, "red": 0}, size, TABLES) == "blue"
    assert winner({"blue": threshold - 1, "red": threshold}, size, TABLES) == "red"
    assert winner({"blue": threshold - 1, "red": 0}, size, TABLES) == ""
    assert winner({"blue": threshold + 50, "red": threshold}, size, TABLES) == "draw"


def test_a_fleet_within_its_limit() -> None:
    three = ships("large", "large", "large")
    assert not list(fleet_faults(three, "small", TABLES, year=1914))
    found = [fault.message for fault in fleet_faults(three, "very small", TABLES, year=1913)]
    assert found[0] == Message("grand_fleets.fault.points", points=390, limit=200)
    assert len(found) == 4, "and every ship is too new"
    other = replace(three[0], nation="German", victory_points=None)
    found = [fault.message for fault in fleet_faults((*three[1:], other), "small", TABLES)]
    assert found[0] == Message("grand_fleets.fault.navies", navies=("British", "German"))
    assert found[1].code == "grand_fleets.fault.no_points"


def faults(*divisions: tuple[str, ...], flags: tuple[int, ...] = ()) -> list[str]:
    made = []
    for number, sizes in enumerate(divisions):
        fleet = ships(*sizes)
        flag = fleet[flags[number] if flags else 0]
        made.append(Division(f"division {number}", fleet, flag.name))
    return [str(fault.message) for fault in division_faults(made, TABLES)]


BIG, MIDDLE, SMALL, TINY = ("large",), ("medium",), ("small",), ("very small",)


def test_divisions_of_three_to_six() -> None:
    assert not faults(BIG * 3)
    assert not faults(BIG * 6)
    assert faults(BIG * 7)[0].endswith("fault.too_many(count=7, division='division 0', most=6)")
    assert "fault.too_few(count=2, division='division 0', fewest=3" in faults(BIG * 2, BIG * 3)[0]


def test_sizes_next_to_each_other() -> None:
    assert not faults(BIG + MIDDLE * 2)
    assert not faults(MIDDLE * 2 + SMALL * 2)
    assert "grand_fleets.fault.sizes" in faults(BIG + SMALL * 2)[0]


def test_the_flag_on_a_larger_ship() -> None:
    assert not faults(SMALL + TINY * 3)
    assert "grand_fleets.fault.flag" in faults(SMALL + TINY * 3, flags=(1,))[0]


def test_one_or_two_of_a_size() -> None:
    assert not faults(BIG * 2, TINY * 4), "nobody could take the large ones"
    assert "grand_fleets.fault.too_few" in faults(MIDDLE * 2, SMALL * 4)[0]
    assert not faults(MIDDLE * 2, SMALL * 5), "seven would be too many"
