"""Columns: who follows whom by default, a plot for all of them, and what happens to bad ones."""

from typing import Any

import pytest

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.views import ColumnPlace
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    line_up,
    plot_draft,
)

LINE = ("Hood", "Prince of Wales", "Renown", "Repulse")
BATTLESHIPS = tuple((name, "british", 0.0, -1500.0 * n, 0.0) for n, name in enumerate(LINE))
ENEMY = ("Bismarck", "german", 15_000.0, 0.0, 0.0)


def begin(*ships: tuple[str, str, float, float, float], **changes: Any) -> Game:
    return Game.begin(line_up(*(ships or BATTLESHIPS), ENEMY, **changes))


def columns(game: Game, side: str = "british") -> list[tuple[str, ...]]:
    return list(BATTLE.columns(game.state, side))


def wake(game: Game, *followers: str, leader: str = "Hood", **plot: Any) -> list[ColumnPlace]:
    draft = plot_draft("british", leader, {"speed": 8, **plot})
    return list(BATTLE.column_plots(game.state, draft, followers))


def write(game: Game, *places: ColumnPlace, leader: str = "Hood", **plot: Any) -> None:
    """Write a leader's plot and those of her column as one action."""
    plots = [{"ship": leader, **plot}]
    for place in places:
        hers = place.plot
        plots.append({"ship": place.ship, "notation": hers.notation, "follows": hers.follows})
        if hers.speed is not None:
            plots[-1]["speed"] = hers.speed
    game.do("orders", "british", plots=plots)


def segment(game: Game, notation: str = "2R1", speed: int | None = 8) -> None:
    """Everybody moves: the column as it is proposed, the enemy straight on."""
    plot = {"notation": notation} | ({} if speed is None else {"speed": speed})
    for leader, *others in columns(game):
        write(game, *wake(game, *others, leader=leader, **plot), leader=leader, **plot)
    enemy = {"notation": "4"} | ({} if speed is None else {"speed": 8})
    game.do("plot", "german", ship="Bismarck", **enemy)
    game.commit()
    game.do("move", "british")
    game.commit()


def test_ships_in_line_are_a_column_in_the_order_in_which_they_stand() -> None:
    shuffled = (BATTLESHIPS[2], BATTLESHIPS[0], BATTLESHIPS[3], BATTLESHIPS[1])
    assert columns(begin(*shuffled)) == [LINE]
    assert columns(begin(), "german") == [("Bismarck",)]


@pytest.mark.parametrize(
    ("x", "y", "heading", "follows"),
    [
        (0, -2000, 0, True),
        (0, -2999, 0, True),
        (0, -3001, 0, False),
        (600, -1500, 0, True),
        (900, -1500, 0, False),
        (0, 1500, 0, False),
        (0, -1500, 14, True),
        (0, -1500, 16, False),
        (0, -1500, 180, False),
    ],
)
def test_a_ship_far_off_or_on_another_heading_is_no_part_of_it(
    x: float, y: float, heading: float, follows: bool
) -> None:
    game = begin(BATTLESHIPS[0], ("Renown", "british", x, y, heading))
    line = columns(game)
    assert (("Hood", "Renown") in line) is follows


def test_two_columns_side_by_side_do_not_mix() -> None:
    other = tuple(
        (name, "british", 1500.0, -1500.0 * n, 0.0) for n, name in enumerate(("Nelson", "Rodney"))
    )
    assert columns(begin(*BATTLESHIPS[:2], *other)) == [
        ("Hood", "Prince of Wales"),
        ("Nelson", "Rodney"),
    ]


def test_the_column_follows_in_her_wake_at_her_speed() -> None:
    places = wake(begin(), *LINE[1:], notation="4")
    assert [place.ahead for place in places] == list(LINE[:-1])
    assert {place.plot.notation for place in places} == {"follow"}
    assert {place.plot.speed for place in places} == {8}
    assert [place.yards for place in places] == [1500.0] * 3
    assert [place.yards_after for place in places] == pytest.approx([1500.0] * 3)
    assert not any(place.check.faults or place.too_close for place in places)


def test_a_slow_ship_keeps_to_what_she_can_and_falls_back() -> None:
    game = begin(BATTLESHIPS[0], ("Rodney", "british", 0, -1500, 0))
    (rodney,) = wake(game, "Rodney", speed=10, notation="5")
    assert rodney.plot.speed == 7
    assert rodney.yards_after == pytest.approx(1500 + MOVEMENT.factor_yards)


def test_a_column_that_runs_up_to_its_leader_is_said_to_be_too_close() -> None:
    (after,) = wake(begin(*BATTLESHIPS[:2]), "Prince of Wales", speed=0, notation="")
    assert not after.too_close
    near = begin(BATTLESHIPS[0], ("Renown", "british", 0, -450, 0))
    (after,) = wake(near, "Renown", notation="4")
    assert after.too_close


def test_orders_write_the_whole_column_or_nothing() -> None:
    game = begin()
    write(game, *wake(game, *LINE[1:], notation="4"), speed=8, notation="4")
    assert {name: plot.follows for name, plot in game.state.plots.items()} == {
        "Hood": None,
        "Prince of Wales": "Hood",
        "Renown": "Prince of Wales",
        "Repulse": "Renown",
    }
    before = game.state
    with pytest.raises(DreyerError) as refused:
        game.do(
            "orders",
            "british",
            plots=[
                {"ship": "Hood", "speed": 8, "notation": "4"},
                {"ship": "Renown", "speed": 8, "notation": "3"},
            ],
        )
    assert refused.value.message.code == "advanced.draft.refused_at"
    assert game.state is before
    with pytest.raises(DreyerError) as refused:
        game.do("orders", "british")
    assert refused.value.message.code == "advanced.order.no_orders"
    with pytest.raises(DreyerError) as refused:
        game.do("orders", "german", plots=[{"ship": "Hood", "speed": 8, "notation": "4"}])
    assert refused.value.message.code == "advanced.order.not_yours"


def test_orders_are_told_ship_by_ship() -> None:
    game = begin(*BATTLESHIPS[:2])
    write(game, *wake(game, "Prince of Wales", notation="4"), speed=8, notation="4")
    written = [each for each in game.happened if type(each).__name__ == "PlotWritten"]
    assert [each.ship for each in written] == ["Hood", "Prince of Wales"]


def test_the_column_of_the_last_segment_is_proposed_again() -> None:
    game = begin()
    segment(game)
    assert columns(game) == [LINE]
    # Whoever wrote a plot of her own has left it, and who followed her follows her.
    plots = [
        {"ship": "Hood", "notation": "4"},
        {"ship": "Prince of Wales", "notation": "follow", "follows": "Hood"},
        {"ship": "Renown", "notation": "2L1"},
        {"ship": "Repulse", "notation": "follow", "follows": "Renown"},
    ]
    game.do("orders", "british", plots=plots)
    game.do("plot", "german", ship="Bismarck", notation="4")
    game.commit()
    game.do("move", "british")
    game.commit()
    assert columns(game) == [("Hood", "Prince of Wales"), ("Renown", "Repulse")]


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("Hood", [("Prince of Wales", "Renown", "Repulse")]),
        ("Renown", [("Hood", "Prince of Wales", "Repulse")]),
        ("Repulse", [("Hood", "Prince of Wales", "Renown")]),
    ],
)
def test_a_sunk_ship_leaves_the_column_and_the_next_closes_up(
    gone: str, left: list[tuple[str, ...]]
) -> None:
    game = begin()
    segment(game)
    game.do("correct", ship=gone, values={"sunk": True}, reason="a test")
    assert columns(game) == left
    (leader, *followers), *_ = left
    assert all(
        place.check.legal
        for place in wake(game, *followers, leader=leader, notation="4", speed=None)
    )


def test_a_ship_with_a_damaged_rudder_cannot_follow_and_the_next_closes_up() -> None:
    game = begin()
    segment(game)
    game.do("correct", ship="Renown", values={"helm": ["no_port"]}, reason="a test")
    pow_, renown, repulse = wake(game, *LINE[1:], notation="4", speed=None)
    assert pow_.check.legal
    assert [fault.field for fault in renown.check.faults] == ["notation"]
    assert repulse.check.legal
    assert repulse.ahead == "Prince of Wales"


def test_an_illegal_plot_of_the_leader_lets_nobody_follow() -> None:
    (after,) = wake(begin(*BATTLESHIPS[:2]), "Prince of Wales", notation="9")
    assert after.yards_after is None
    assert not after.check.legal


def test_the_last_plot_is_repeated_as_it_fits_this_segment() -> None:
    game = begin(*BATTLESHIPS[:2])
    assert BATTLE.repeated_plot(game.state, "Hood", "british") is None
    segment(game, "2R2", speed=9)
    # Of nine factors five are run first and four then (58.3).
    again = BATTLE.repeated_plot(game.state, "Hood", "british")
    assert again is not None
    assert (again.notation, again.speed) == ("1R2", None)
    assert BATTLE.repeated_plot(game.state, "Prince of Wales", "british") is None


@pytest.mark.parametrize(
    ("first", "speed", "then"), [("LLL", 5, "LL"), ("1R1", 5, "R1"), ("R1R SC", 5, "RR SC")]
)
def test_a_repeated_plot_loses_a_factor_of_its_longest_straight(
    first: str, speed: int, then: str
) -> None:
    game = begin(BATTLESHIPS[0])
    segment(game, first, speed=speed)
    again = BATTLE.repeated_plot(game.state, "Hood", "british")
    found = None if again is None else again.notation
    assert found == (None if first == "LLL" else then)
