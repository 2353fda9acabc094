"""Base six, typed dice with their complaints, and fair choices."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import BadDice, Choice, Pair, RolledDice, TypedDice, base_six


@pytest.mark.parametrize(
    ("dice", "modifier", "result"),
    [("46", 1, "51"), ("16", 1, "21"), ("26", 1, "31"), ("12", 20, "44"), ("66", 12, "86")],
)
def test_sums_in_base_six(dice: str, modifier: int, result: str) -> None:
    """13.24 and the worked example of the Advanced Game."""
    pair = Pair(int(dice[0]), int(dice[1]))
    assert base_six(pair.index + modifier) == result


@given(st.integers(1, 36))
def test_index_and_pair_are_one(index: int) -> None:
    pair = Pair.of_index(index)
    assert pair.index == index
    assert str(pair) == base_six(index)


def test_typed_dice_come_in_their_order() -> None:
    dice = TypedDice("34, 12 5")
    assert dice.pair("a") == Pair(3, 4)
    assert dice.pair("b") == Pair(1, 2)
    assert dice.die("c") == 5
    dice.finish()


@pytest.mark.parametrize("text", ["17", "07", "123", "ab", "3-4", "1.5", "٣٤"])
def test_dice_that_are_not_dice(text: str) -> None:
    with pytest.raises(BadDice, match="number 2 is"):
        TypedDice(f"11 {text}")


def test_too_few_says_for_what() -> None:
    dice = TypedDice("34")
    dice.pair("the hit roll")
    with pytest.raises(BadDice, match=r"too few: 1 given, number 2 is for the location of hit 1"):
        dice.pair("the location of hit 1")


def test_too_many_says_how_many() -> None:
    dice = TypedDice("34 5 6")
    dice.pair("the hit roll")
    with pytest.raises(BadDice, match=r"3 given, 1 needed \(the hit roll\); leave out 5 6"):
        dice.finish()


def test_the_wrong_kind() -> None:
    with pytest.raises(BadDice, match="number 1 is for the hit roll: expected a pair, got 5"):
        TypedDice("5").pair("the hit roll")


@pytest.mark.parametrize("face", "0789")
def test_only_a_ten_sided_die_shows_these(face: str) -> None:
    with pytest.raises(BadDice, match="expected one die from 1 to 6"):
        TypedDice(face).die("the turret")
    assert TypedDice(face).ten_sided("the gun") == int(face)


def test_a_ten_sided_die_shows_every_face() -> None:
    dice = RolledDice(random.Random(4))
    assert {dice.ten_sided("the gun") for _ in range(200)} == set(range(10))


@pytest.mark.parametrize("count", range(1, 7))
def test_choices_are_fair(count: int) -> None:
    dice = RolledDice(random.Random(7))
    rolls = Counter(dice.choice(count, "test").index for _ in range(6000))
    assert set(rolls) == set(range(count))
    for chosen in rolls.values():
        assert chosen == pytest.approx(6000 / count, rel=0.1)


def test_a_die_outside_the_shares_is_rolled_again() -> None:
    dice = TypedDice("5 6 4")
    assert dice.choice(4, "turret") == Choice(3, (5, 6, 4))
    dice.finish()


def test_a_choice_of_one_takes_no_die() -> None:
    assert TypedDice("").choice(1, "turret") == Choice(0, ())
    with pytest.raises(BadDice):
        TypedDice("1").choice(7, "turret")
