"""Initiative, command, the flag and the order of play."""

import math

import pytest

from combat.dice import TypedDice
from combat.rulebooks.grand_fleets.card_file import load_cards
from combat.rulebooks.grand_fleets.command import (
    OrderedUnit,
    combat_order,
    in_command,
    movement_order,
    quality_of,
    returns,
    successors,
)
from combat.rulebooks.grand_fleets.table_files import load_tables
from combat.rulebooks.grand_fleets.vessel import Vessel

TABLES = load_tables()
LINE = {"A": 0.0, "B": 1000.0, "C": 2000.0, "D": 3001.0, "E": 4000.0}
BLUE, RED = "blue", "red"


def apart(one: str, two: str) -> float:
    return abs(LINE[one] - LINE[two])


@pytest.mark.parametrize(
    ("flagship", "out", "linked"),
    [("A", (), "ABC"), ("C", (), "ABC"), ("D", (), "DE"), ("A", ("B",), "A"), ("A", ("A",), ""),
     ("sunk", (), "")],
)  # fmt: skip
def test_a_chain_of_command(flagship: str, out: tuple[str, ...], linked: str) -> None:
    assert in_command(flagship, LINE, apart, TABLES, out=out) == set(linked)


def test_seven_returns() -> None:
    assert [returns(total, TABLES) for total in (6, 7)] == [False, True]


@pytest.mark.parametrize(
    ("total", "quality"),
    [(0, "terrible"), (1, "terrible"), (2, "terrible"), (3, "terrible"), (4, "poor"), (5, "poor"),
     (6, "average"), (8, "average"), (9, "good"), (10, "good"), (11, "superb"), (12, "superb")],
)  # fmt: skip
def test_command_quality(total: int, quality: str) -> None:
    assert quality_of(total, TABLES) == quality


def order(turns: list[OrderedUnit]) -> str:
    return " ".join(turn.name for turn in turns)


DIVISIONS = [
    OrderedUnit("b7", BLUE, 7),
    OrderedUnit("r9", RED, 9),
    OrderedUnit("b9", BLUE, 9),
    OrderedUnit("B9", BLUE, 9),
    OrderedUnit("r4", RED, 4),
]
LOOSE = [
    OrderedUnit("lost blue", BLUE),
    OrderedUnit("lost red", RED),
    OrderedUnit("lost red too", RED),
]


def test_moving_from_the_lowest_score_up() -> None:
    dice = TypedDice("2 5")
    assert order(movement_order(DIVISIONS, [], dice)) == "r4 b7 r9 b9 B9"
    dice.finish()
    assert order(movement_order(DIVISIONS, [], TypedDice("5 2"))) == "r4 b7 b9 r9 B9"


def test_firing_from_the_highest_score_down() -> None:
    assert order(combat_order(DIVISIONS, [], TypedDice("2 5"))) == "b9 r9 B9 b7 r4"
    assert order(combat_order(DIVISIONS, [], TypedDice("5 2"))) == "r9 b9 B9 b7 r4"


def test_out_of_command_moves_first_and_fires_last() -> None:
    two = DIVISIONS[:2]
    moving = order(movement_order(two, LOOSE, TypedDice("3 1")))
    assert moving == "lost red lost blue lost red too b7 r9"
    firing = order(combat_order(two, LOOSE, TypedDice("3 1")))
    assert firing == "r9 b7 lost blue lost red lost red too"


def test_equal_dice_are_rolled_again_and_one_side_needs_none() -> None:
    dice = TypedDice("4 4 1 2")
    assert order(movement_order([], LOOSE[:2], dice)) == "lost blue lost red"
    dice.finish()
    dice = TypedDice("")
    tied = [OrderedUnit("a", BLUE, 5), OrderedUnit("b", BLUE, 5)]
    assert order(movement_order(tied, LOOSE[1:], dice)) == "lost red lost red too a b"


def ship(name: str, kind: str, **marks: object) -> Vessel:
    card = load_cards().find(kind)
    assert card is not None
    return Vessel(name, card).marked(**marks)


def test_the_flag_goes_to_the_largest_that_can_take_it() -> None:
    battleship, cruiser = ship("big", "Iron Duke"), ship("small", "Sample cruiser")
    assert [each.name for each in successors([cruiser, battleship])] == ["big"]
    sunk = battleship.marked(hull_lost=18)
    assert [each.name for each in successors([cruiser, sunk])] == ["small"]
    astray = battleship.marked(out_of_command=True)
    assert [each.name for each in successors([cruiser, astray])] == ["small"]
    assert successors([sunk, astray]) == (), "no flag for the rest of the game"


def test_distances_come_from_the_survey_with_contact_as_a_kyd() -> None:
    """Two models in contact whose bridges are farther apart stay in command."""
    from combat.rulebooks import get_ruleset
    from tabletop.survey import survey
    from tabletop.table import Base, Model, Pose, Table

    base = Base(1200.0, 400.0)
    table = Table(
        tuple(Model(name, Pose(0.0, y, 0.0), base) for name, y in (("A", 0.0), ("B", 1199.0)))
    )
    measured = survey(table, get_ruleset("grand-fleets").table_rules)
    assert math.dist((0, 0), (0, 1199)) > 1000
    found = in_command("A", "AB", lambda one, two: measured[one, two].range_yards, TABLES)
    assert found == {"A", "B"}
