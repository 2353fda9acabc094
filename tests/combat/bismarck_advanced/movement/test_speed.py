"""Speed: limits, halves, damage, collisions, and plots that must use every factor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.movement.plot import parse_plot
from combat.rulebooks.bismarck_advanced.movement.speed import (
    BadSpeed,
    RoundSpeed,
    SpeedReason,
    SpeedRecord,
    after_collision,
    after_damage,
    begin_round,
    check_factors,
    end_round,
    halves,
    speed_limits,
)
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.ships import ShipClass
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message

BB, CA, DD = ShipClass.BATTLESHIP, ShipClass.HEAVY_CRUISER, ShipClass.DESTROYER
SLOW_TO_CHANGE = {"BB", "BC", "PB", "CV"}


def limits(ship_class: ShipClass, record: SpeedRecord) -> tuple[int, int]:
    found = speed_limits(ship_class, record)
    return found.lowest, found.highest


def test_the_books_example_of_halves() -> None:
    assert halves(9) == (5, 4)


@given(st.integers(0, 30))
def test_halves_make_the_whole_and_the_first_has_the_odd_one(speed: int) -> None:
    first, second = halves(speed)
    assert first + second == speed
    assert first - second == speed % 2


@pytest.mark.parametrize("ship_class", ShipClass)
def test_the_first_speed_is_free(ship_class: ShipClass) -> None:
    assert limits(ship_class, SpeedRecord(10)) == (0, 10)


@pytest.mark.parametrize("ship_class", ShipClass)
def test_who_changes_speed_slowly(ship_class: ShipClass) -> None:
    slowed, quickened = SpeedRecord(13, previous_speed=12), SpeedRecord(13, previous_speed=1)
    if ship_class in SLOW_TO_CHANGE:
        assert limits(ship_class, slowed) == (5, 13)
        assert limits(ship_class, quickened) == (0, 8)
    else:
        assert limits(ship_class, slowed) == limits(ship_class, quickened) == (0, 13)


def test_a_refused_speed_says_why() -> None:
    refused = refusal(SpeedRecord(10), 11)
    assert (refused.limits.lowest, refused.limits.highest) == (0, 10)
    assert refused.limits.highest_reason == SpeedReason(
        Message("advanced.speed.factor", factor=10), "58.2"
    )
    refused = refusal(SpeedRecord(10, previous_speed=1), 9)
    slowly = Message("advanced.speed.change", ship_class=BB, previous=1, most=7)
    assert (refused.limits.lowest, refused.limits.highest) == (0, 8)
    assert refused.limits.highest_reason == SpeedReason(slowly, "58.5")
    refused = refusal(SpeedRecord(10, previous_speed=9), 0)
    slowly = Message("advanced.speed.change", ship_class=BB, previous=9, most=7)
    assert (refused.limits.lowest, refused.limits.highest) == (2, 10)
    assert refused.limits.lowest_reason == SpeedReason(slowly, "58.5")
    refused = refusal(SpeedRecord(4, previous_speed=12), 4)
    too_fast = Message(
        "advanced.speed.still_too_fast", ship_class=BB, most=7, previous=12, highest=4
    )
    assert refused.limits.message == Message(
        "advanced.speed.only", speed=5, reason=SpeedReason(too_fast, "58.6").message
    )
    refused = refusal(SpeedRecord(10, previous_speed=4, collision_limit=4), 5)
    assert (refused.limits.lowest, refused.limits.highest) == (0, 4)
    assert refused.limits.highest_reason == SpeedReason(
        Message("advanced.speed.after_collision", speed=4), "59.1"
    )
    assert refusal(SpeedRecord(10), -1).speed == -1


def refusal(record: SpeedRecord, speed: int) -> BadSpeed:
    with pytest.raises(BadSpeed) as refused:
        begin_round(BB, record, speed)
    assert refused.value.message == Message(
        "advanced.speed.not_open", speed=speed, limits=refused.value.limits.message
    )
    return refused.value


def test_two_rounds_to_slow_down_after_heavy_damage() -> None:
    record = SpeedRecord(movement_factor=2, previous_speed=11)
    assert limits(BB, record) == (4, 4)
    record = end_round(record, begin_round(BB, record, 4), movement_factor=2)
    assert limits(BB, record) == (0, 2)
    # A cruiser comes down at once.
    assert limits(CA, SpeedRecord(movement_factor=2, previous_speed=11)) == (0, 2)


def test_damage_of_exactly_the_limit_takes_one_round() -> None:
    assert limits(BB, SpeedRecord(movement_factor=3, previous_speed=10)) == (3, 3)


@pytest.mark.parametrize(
    ("speed", "movement_factor", "expected_speed", "second"),
    [
        (9, 9, 9, 4),  # Nothing lost that she uses.
        (9, 8, 8, 3),  # Down to the factor: one less to go.
        (9, 7, 7, 2),
        (9, 6, 6, 2),  # The first move has been made: half of the second is left.
        (9, 4, 4, 2),
        (9, 0, 4, 2),  # Half of the speed, the rest in the next round.
        (10, 0, 5, 2),
        (4, 1, 2, 1),
        (1, 0, 0, 0),
        (0, 0, 0, 0),
    ],
)
def test_damage_during_a_round(
    speed: int, movement_factor: int, expected_speed: int, second: int
) -> None:
    moving = begin_round(DD, SpeedRecord(speed), speed)
    hit = after_damage(moving, movement_factor)
    assert (hit.speed, hit.second_factors) == (expected_speed, second)
    assert hit.initial_factors == moving.initial_factors
    assert [reason.rule for reason in hit.changes] == (["58.8"] if movement_factor < speed else [])


@given(st.integers(0, 20), st.integers(0, 20))
def test_damage_never_quickens_a_ship(speed: int, movement_factor: int) -> None:
    moving = RoundSpeed(speed, *halves(speed))
    hit = after_damage(moving, movement_factor)
    assert speed // 2 <= hit.speed <= speed
    assert moving.second_factors // 2 <= hit.second_factors <= moving.second_factors


def test_the_rest_of_the_loss_comes_in_the_next_round() -> None:
    record = SpeedRecord(movement_factor=10)
    moved = after_damage(begin_round(BB, record, 10), movement_factor=1)
    assert moved.speed == 5
    record = end_round(record, moved, movement_factor=1)
    assert record == SpeedRecord(movement_factor=1, previous_speed=5)
    assert limits(BB, record) == (0, 1)


def test_a_collision_halves_the_speed_and_the_second_move() -> None:
    moving = after_collision(begin_round(BB, SpeedRecord(10), 9), Segment.INITIAL)
    assert (moving.speed, moving.second_factors) == (4, 2)
    halved = Message("advanced.speed.collision", speed=4)
    assert moving.changes == (SpeedReason(halved, "59.1"),)


def test_a_collision_at_the_end_of_the_round_leaves_its_moves_alone() -> None:
    moving = after_collision(begin_round(BB, SpeedRecord(10), 9), Segment.SECOND)
    assert (moving.speed, moving.initial_factors, moving.second_factors) == (4, 5, 4)


@pytest.mark.parametrize("segment", Segment)
def test_after_a_collision_one_whole_round_is_moved_slowly(segment: Segment) -> None:
    record = SpeedRecord(10)
    record = end_round(record, after_collision(begin_round(DD, record, 9), segment), 10)
    assert record == SpeedRecord(10, previous_speed=4, collision_limit=4)
    assert limits(DD, record) == (0, 4)
    record = end_round(record, begin_round(DD, record, 3), 10)
    assert record == SpeedRecord(10, previous_speed=3)
    assert limits(DD, record) == (0, 10)


def test_a_second_collision_begins_the_wait_anew() -> None:
    record = SpeedRecord(10, previous_speed=4, collision_limit=4)
    moved = after_collision(begin_round(DD, record, 4), Segment.SECOND)
    assert end_round(record, moved, 10) == SpeedRecord(10, previous_speed=2, collision_limit=2)


def test_a_limit_not_yet_served_stays() -> None:
    # Only a ship that could not slow down in time moves faster than her limit.
    record = SpeedRecord(10, previous_speed=12, collision_limit=3)
    assert limits(BB, record) == (5, 5)
    assert end_round(record, begin_round(BB, record, 5), 10).collision_limit == 3


def test_collision_and_damage_in_one_segment_add_up() -> None:
    moving = after_collision(begin_round(BB, SpeedRecord(10), 10), Segment.INITIAL)
    hit = after_damage(moving, 3)
    assert (hit.speed, hit.second_factors) == (3, 1)
    assert [reason.rule for reason in hit.changes] == ["59.1", "58.8"]
    assert hit.collision_limit == 5


@pytest.mark.parametrize(
    ("text", "factors"), [("3Ll", 5), ("5", 5), ("", 0), ("follow", 5), ("3L", 4), ("follow", 0)]
)
def test_a_plot_that_uses_its_factors_passes(text: str, factors: int) -> None:
    check_factors(parse_plot(text, BB), factors)


@pytest.mark.parametrize(
    ("text", "factors", "at", "used"),
    [("3LL C", 4, 2, 5), ("6", 5, 0, 6), ("2 L 5", 4, 4, 8), ("3L", 5, 2, 4), ("", 5, 0, 0)],
)
def test_a_plot_uses_exactly_the_factors_of_its_segment(
    text: str, factors: int, at: int, used: int
) -> None:
    with pytest.raises(BadPlot) as caught:
        check_factors(parse_plot(text, BB), factors)
    assert (caught.value.position, caught.value.rule) == (at, "58.3")
    if used > factors:
        assert caught.value.reason == Message(
            "advanced.plot.too_long", used=used, factors=factors, excess=used - factors
        )
    else:
        assert caught.value.reason == Message(
            "advanced.plot.too_short", used=used, factors=factors, lack=factors - used
        )


def test_the_worked_examples_round_is_legal() -> None:
    # Hood, movement factor 10, at 9: "5" and then "3L".
    moving = begin_round(ShipClass.BATTLE_CRUISER, SpeedRecord(10), 9)
    for text, segment in (("5", Segment.INITIAL), ("3L", Segment.SECOND)):
        check_factors(parse_plot(text, ShipClass.BATTLE_CRUISER), moving.factors(segment))


def test_speeds_are_not_negative() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.speed\.negative"):
        SpeedRecord(-1)
