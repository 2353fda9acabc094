"""Base six, typed dice with their complaints, fair choices, recorded and kept rolls."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import (
    BadDice,
    Choice,
    DiceKind,
    KeptDice,
    OutOfDice,
    Pair,
    RecordedDice,
    ReplayedDice,
    Roll,
    RolledDice,
    SingleRollDice,
    TypedDice,
    base_six,
    kept_for,
)
from tabletop.messages import verbatim
from tests.refusals import refused


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
    assert dice.pair(verbatim("a")) == Pair(3, 4)
    assert dice.pair(verbatim("b")) == Pair(1, 2)
    assert dice.die(verbatim("c")) == 5
    dice.finish()


@pytest.mark.parametrize("text", ["17", "07", "123", "ab", "3-4", "1.5", "٣٤"])
def test_dice_that_are_not_dice(text: str) -> None:
    with refused(BadDice, match="number 2 is"):
        TypedDice(f"11 {text}")


def test_too_few_says_for_what() -> None:
    dice = TypedDice("34")
    dice.pair(verbatim("the hit roll"))
    with refused(BadDice, match=r"too few: 1 given, number 2 is for the location of hit 1"):
        dice.pair(verbatim("the location of hit 1"))


def test_too_many_says_how_many() -> None:
    dice = TypedDice("34 5 6")
    dice.pair(verbatim("the hit roll"))
    with refused(BadDice, match=r"3 given, 1 needed \(the hit roll\); leave out 5 6"):
        dice.finish()


def test_the_wrong_kind() -> None:
    with refused(BadDice, match="number 1 is for the hit roll: expected a pair, got 5"):
        TypedDice("5").pair(verbatim("the hit roll"))


@pytest.mark.parametrize("face", "0789")
def test_only_a_ten_sided_die_shows_these(face: str) -> None:
    with refused(BadDice, match="expected one die from 1 to 6"):
        TypedDice(face).die(verbatim("the turret"))
    assert TypedDice(face).ten_sided(verbatim("the gun")) == int(face)


def test_a_ten_sided_die_shows_every_face() -> None:
    dice = RolledDice(random.Random(4))
    assert {dice.ten_sided(verbatim("the gun")) for _ in range(200)} == set(range(10))


@pytest.mark.parametrize("count", range(1, 7))
def test_choices_are_fair(count: int) -> None:
    dice = RolledDice(random.Random(7))
    rolls = Counter(dice.choice(count, verbatim("test")).index for _ in range(6000))
    assert set(rolls) == set(range(count))
    for chosen in rolls.values():
        assert chosen == pytest.approx(6000 / count, rel=0.1)


def test_a_die_outside_the_shares_is_rolled_again() -> None:
    dice = TypedDice("5 6 4")
    assert dice.choice(4, verbatim("turret")) == Choice(3, (5, 6, 4))
    dice.finish()


def test_a_choice_of_one_takes_no_die() -> None:
    assert TypedDice("").choice(1, verbatim("turret")) == Choice(0, ())
    with pytest.raises(BadDice):
        TypedDice("1").choice(7, verbatim("turret"))


def test_recorded_dice_keep_every_roll_as_it_would_be_typed() -> None:
    dice = RecordedDice(TypedDice("34 5 0 6 2"), "german")
    assert dice.pair(verbatim("hit")) == Pair(3, 4)
    assert dice.die(verbatim("location")) == 5
    assert dice.ten_sided(verbatim("gun")) == 0
    assert dice.choice(4, verbatim("turret")) == Choice(1, (6, 2))
    assert [(roll.value, str(roll.purpose)) for roll in dice.rolls] == [
        ("34", "hit"), ("5", "location"), ("0", "gun"), ("6", "turret"), ("2", "turret"),
    ]  # fmt: skip
    assert {(roll.side, roll.by_server) for roll in dice.rolls} == {("german", False)}


def test_recorded_dice_know_what_the_program_rolled() -> None:
    dice = RecordedDice(RolledDice(random.Random(1)))
    dice.pair(verbatim("hit"))
    assert [roll.by_server for roll in dice.rolls] == [True]


@given(st.integers(0, 2**32), st.lists(st.sampled_from(["pair", "die", "ten_sided"]), max_size=8))
def test_recorded_dice_typed_again_are_the_same(seed: int, kinds: list[str]) -> None:
    dice = RecordedDice(RolledDice(random.Random(seed)))
    fell = [getattr(dice, kind)("x") for kind in kinds]
    typed = TypedDice(" ".join(roll.value for roll in dice.rolls))
    assert [getattr(typed, kind)("x") for kind in kinds] == fell
    typed.finish()
    kept = KeptDice(dice.rolls, TypedDice(""))
    assert [getattr(kept, kind)("x") for kind in kinds] == fell


def test_kept_dice_come_first_and_others_follow() -> None:
    dice = KeptDice([Roll((3, 4), verbatim("hit")), Roll((0,), verbatim("gun"))], TypedDice("5 66"))
    assert dice.pair(verbatim("hit")) == Pair(3, 4)
    assert dice.ten_sided(verbatim("gun")) == 0
    assert dice.die(verbatim("turret")) == 5
    assert dice.pair(verbatim("hit")) == Pair(6, 6)


def test_kept_dice_are_for_what_they_fell_for() -> None:
    dice = KeptDice(
        [Roll((3, 4), verbatim("hit")), Roll((5,), verbatim("turret"))], TypedDice("1 2")
    )
    assert dice.die(verbatim("special")) == 1
    assert dice.die(verbatim("turret")) == 5, "another roll comes between"
    assert dice.die(verbatim("turret")) == 2, "it is read once"
    assert dice.pair(verbatim("hit")) == Pair(3, 4)


def test_figures_of_old_journals_are_read_in_their_order() -> None:
    figures = [Roll((int(figure),), verbatim("")) for figure in "3452"]
    dice = KeptDice(figures, TypedDice("6"))
    assert (dice.pair(verbatim("hit")), dice.die(verbatim("turret"))) == (Pair(3, 4), 5)
    assert kept_for(figures[3:], DiceKind.PAIR, verbatim("hit")) == ()
    assert dice.die(verbatim("special")) == 2
    assert dice.die(verbatim("special")) == 6


def test_rolls_that_fell_are_read_whatever_they_are_for() -> None:
    rolls = [Roll((3, 4), verbatim("hit"), "red", by_server=True), Roll((5,), verbatim("turret"))]
    dice = RecordedDice(ReplayedDice(rolls))
    assert (dice.pair(verbatim("x")), dice.die(verbatim("y"))) == (Pair(3, 4), 5)
    assert [roll.by_server for roll in dice.rolls] == [True, False]
    with pytest.raises(OutOfDice):
        dice.die(verbatim("z"))
    with refused(BadDice, match="too many"):
        ReplayedDice(rolls).finish()


def test_one_roll_is_one_roll() -> None:
    dice = SingleRollDice(TypedDice("5 6"))
    assert dice.die(verbatim("x")) == 5
    with pytest.raises(OutOfDice):
        dice.die(verbatim("y"))


def test_kept_dice_know_roll_by_roll_who_rolled_them() -> None:
    kept = [
        Roll((3,), verbatim("first"), "red", by_server=True),
        Roll((4,), verbatim("second"), "red"),
    ]
    dice = RecordedDice(KeptDice(kept, RolledDice(random.Random(2))), "red")
    for purpose in ("first", "second", "third"):
        dice.die(verbatim(purpose))
    assert [roll.by_server for roll in dice.rolls] == [True, False, True]
    assert dice.rolls[:2] == tuple(kept)


def test_a_choice_of_kept_dice_reads_them_one_by_one() -> None:
    kept = [Roll((5,), verbatim("turret")), Roll((3,), verbatim("turret"))]
    assert KeptDice(kept, TypedDice("")).choice(4, verbatim("turret")) == Choice(2, (5, 3))
    with pytest.raises(OutOfDice) as error:
        KeptDice(kept[:1], TypedDice("")).choice(4, verbatim("turret"))
    assert (error.value.wanted, str(error.value.purpose)) == ("die", "turret")
