"""A battle as it is played: numbers, undo, and dice that stay with their actions."""

import random

import pytest

from combat.actions import NextRound
from combat.dice import RolledDice, TypedDice
from combat.free_play import FreeState
from combat.game import Game
from combat.previews import Forbidden
from tabletop.errors import DreyerError
from tabletop.messages import verbatim
from tests.combat import bathtub
from tests.combat.bathtub import Marks, Splash
from tests.combat.free_battles import battle, rulebook_of

RULEBOOK = rulebook_of(bathtub.load())
ANN_AT_SPONGE = Splash(by="Alpha", at="Ship 1")
BOB_AT_SPONGE = Splash(by="Beta", at="Ship 1")


def begun() -> Game[FreeState[Marks]]:
    return Game(RULEBOOK, battle(RULEBOOK))


def soaked(game: Game[FreeState[Marks]]) -> int:
    return game.state.marks["Ship 1"].soaked


def values(game: Game[FreeState[Marks]]) -> list[str]:
    return [roll.value for played in game.played for roll in played.rolls]


def test_a_game_is_its_beginning_and_what_was_played() -> None:
    start = begun()
    game = start.play(1, ANN_AT_SPONGE, TypedDice("6")).play(5, NextRound(), TypedDice(""))
    assert (soaked(start), soaked(game)) == (0, 2)
    assert [played.n for played in game.played] == [1, 5]
    assert [len(played.rolls) for played in game.played] == [1, 0]
    assert game.state_after(1).round_number == 1
    assert [played.place.round_number for played in game.played] == [1, 1]
    assert game.state.round_number == 2


def test_a_roll_says_whose_it_is_and_whether_the_server_rolled_it() -> None:
    typed = begun().play(1, ANN_AT_SPONGE, TypedDice("6"))
    thrown = begun().play(1, ANN_AT_SPONGE, RolledDice(random.Random(1)))
    (first,), (second,) = typed.played[0].rolls, thrown.played[0].rolls
    assert (first.purpose, first.side, first.by_server) == (
        verbatim("the splash"),
        typed.state.ship(ANN_AT_SPONGE.by).side,
        False,
    )
    assert second.by_server
    again = thrown.undo().play(2, ANN_AT_SPONGE, TypedDice(""))
    (kept,) = again.played[0].rolls
    assert kept == second, "it is the server's roll still"
    assert (kept.again, second.again) == (True, False)


def test_what_is_refused_changes_nothing() -> None:
    game = begun()
    for number in range(3):
        game = game.play(number, ANN_AT_SPONGE, TypedDice("6"))
    with pytest.raises(Forbidden, match="under water"):
        game.play(4, ANN_AT_SPONGE, TypedDice("6"))
    assert soaked(game) == 6


def test_undo_takes_back_the_last_action_or_all_from_a_number_on() -> None:
    game = begun()
    for number, die in enumerate("4566", start=1):
        game = game.play(10 * number, ANN_AT_SPONGE, TypedDice(die))
    assert soaked(game) == 6
    assert soaked(game.undo()) == 4
    assert soaked(game.undo(to=20)) == 1
    assert soaked(game.undo(to=11)) == 1, "numbers may have gaps"
    assert game.undo(to=1).played == ()


def test_there_must_be_something_to_take_back() -> None:
    with pytest.raises(DreyerError, match=r"combat\.undo\.nothing_stands"):
        begun().undo()
    with pytest.raises(DreyerError, match=r"combat\.undo\.none_from\(number=2\)"):
        begun().play(1, NextRound(), TypedDice("")).undo(to=2)


def test_dice_stay_with_the_very_action() -> None:
    back = begun().play(1, ANN_AT_SPONGE, TypedDice("6")).undo()
    other = back.play(2, BOB_AT_SPONGE, TypedDice("1"))
    assert values(other) == ["1"], "another action has dice of its own"
    assert values(other.play(3, ANN_AT_SPONGE, TypedDice("1"))) == ["1", "6"]
    assert back.kept_rolls(BOB_AT_SPONGE) == ()


def test_dice_are_kept_once() -> None:
    back = begun().play(1, ANN_AT_SPONGE, TypedDice("6")).undo()
    again = back.play(2, ANN_AT_SPONGE, TypedDice("1")).play(3, ANN_AT_SPONGE, TypedDice("1"))
    assert values(again) == ["6", "1"]


def test_typed_dice_may_replace_kept_ones_for_good() -> None:
    back = begun().play(1, ANN_AT_SPONGE, TypedDice("6")).undo()
    anew = back.play(2, ANN_AT_SPONGE, TypedDice("1"), anew=True)
    assert values(anew) == ["1"]
    assert values(anew.undo().play(3, ANN_AT_SPONGE, TypedDice(""))) == ["1"]


@pytest.mark.parametrize("one_by_one", [True, False])
def test_the_same_action_twice_keeps_its_dice_in_order(*, one_by_one: bool) -> None:
    game = begun().play(1, ANN_AT_SPONGE, TypedDice("4")).play(2, ANN_AT_SPONGE, TypedDice("6"))
    back = game.undo().undo() if one_by_one else game.undo(to=1)
    again = back.play(3, ANN_AT_SPONGE, TypedDice("")).play(4, ANN_AT_SPONGE, TypedDice(""))
    assert values(again) == ["4", "6"]
    assert again.taken_back == ()


def test_what_was_played_before_is_restored_without_being_judged() -> None:
    game = begun().play(1, ANN_AT_SPONGE, TypedDice("6"))
    assert begun().restore(game.played[0]) == game


def test_what_is_restored_uses_up_the_dice_that_were_kept_for_it() -> None:
    game = begun().play(1, ANN_AT_SPONGE, TypedDice("6"))
    again = game.undo().restore(game.played[-1])
    assert again.taken_back == ()
    with pytest.raises(DreyerError, match=r"dice\.too_few"):
        again.play(2, ANN_AT_SPONGE, TypedDice(""))
