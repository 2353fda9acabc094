"""The Battle Board: zones and ranges, movement and its shifts."""

import pytest

from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck import load
from combat.rulebooks.chase_of_the_bismarck.board import (
    Counter,
    Position,
    allowance,
    move,
    range_of,
    reinforcement_zone,
    sea_zone,
    start_zone,
    zones_between,
)

TABLES = load().tables
OPENING, CLOSING, BREAKING_OFF = Position


def ship(name: str, zone: int, position: Position = CLOSING, evasion: int = 31) -> Counter:
    return Counter(name, name.isupper(), zone, position, evasion)


def zones(board: tuple[Counter, ...]) -> dict[str, int]:
    return {each.name: each.zone for each in board}


def test_nine_sea_zones_of_three() -> None:
    assert [sea_zone(zone) for zone in (1, 3, 4, 27)] == [1, 1, 2, 9]
    assert [zones_between(1, zone) for zone in (1, 4, 7, 10, 27)] == [0, 0, 1, 2, 7]
    expected = ["short"] * 2 + ["medium"] * 2 + ["long"] * 3 + ["extreme"]
    assert [range_of(between, TABLES) for between in range(8)] == expected
    assert (start_zone(9, True), start_zone(9, False)) == (9, 19)
    assert [reinforcement_zone(level, True) for level in (1, 2, 9)] == [1, 1, 8]
    assert reinforcement_zone(9, False) == 20


def test_a_ship_moves_into_her_front() -> None:
    board = (ship("A", 9), ship("b", 19))
    assert zones(move(board, "A", CLOSING, 4, TABLES)) == {"A": 13, "b": 19}
    assert zones(move(board, "A", BREAKING_OFF, 2, TABLES)) == {"A": 7, "b": 19}
    assert zones(move(board, "b", CLOSING, 1, TABLES)) == {"A": 9, "b": 18}
    assert move(board, "b", OPENING, 0, TABLES)[1].position is OPENING


@pytest.mark.parametrize(
    ("position", "distance", "counter", "reason"),
    [
        (OPENING, 1, ship("A", 9), "chase.refused.opening"),
        (CLOSING, 5, ship("A", 9), "chase.refused.too_far\\(most=4, ship=A, zones=5"),
        (CLOSING, 1, ship("A", 9, evasion=0), "chase.refused.too_far\\(most=0"),
        (
            OPENING,
            0,
            Counter("A", True, 9, CLOSING, 31, rudder_damaged=True),
            "chase.refused.rudder",
        ),
        (
            BREAKING_OFF,
            1,
            Counter("A", True, 1, CLOSING, 31, held_up=2),
            "chase.refused.must_close",
        ),
    ],
)
def test_moves_that_are_not_allowed(
    position: Position, distance: int, counter: Counter, reason: str
) -> None:
    with pytest.raises(Forbidden, match=reason):
        move((counter,), "A", position, distance, TABLES)


def test_the_board_shifts_for_a_ship_that_would_leave_it() -> None:
    board = (ship("A", 2, BREAKING_OFF), ship("b", 20), ship("c", 26))
    after = move(board, "A", BREAKING_OFF, 4, TABLES)
    assert zones(after) == {"A": 1, "b": 23, "c": 27}
    pushed = after[2]
    assert (pushed.position, pushed.held_up, allowance(pushed, TABLES)) == (CLOSING, 2, 2)


def test_whoever_is_pushed_off_the_other_edge_is_gone() -> None:
    has_moved = Counter("b", False, 26, CLOSING, 31, moved=True)
    too_slow = ship("c", 27, evasion=22)
    after = move((ship("A", 1), has_moved, too_slow), "A", BREAKING_OFF, 3, TABLES)
    assert zones(after) == {"A": 1}
