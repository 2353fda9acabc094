"""Playing through every fall of the dice, with icepool as an independent twin."""

from fractions import Fraction

import icepool  # type: ignore[import-untyped]
import pytest

from combat.dice import Pair
from combat.forecast import BranchingDice, Forecast, every_outcome
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import HIGHEST_ROW, CombatTables
from tabletop.messages import verbatim

CARD = CombatTables.of(get_ruleset("bismarck-advanced").tables)


def test_every_pair_comes_once() -> None:
    outcomes = every_outcome(lambda dice: dice.pair(verbatim("test")))
    assert {outcome.result for outcome in outcomes} == {Pair.of_index(i) for i in range(1, 37)}
    assert {outcome.probability for outcome in outcomes} == {Fraction(1, 36)}


def test_sums_of_dice_agree_with_icepool() -> None:
    """Three dice, the third rolled only after a six: forks of different depth."""

    def play(dice: BranchingDice) -> int:
        total = dice.die(verbatim("first")) + dice.die(verbatim("second"))
        return total + dice.die(verbatim("third")) if total == 12 else total

    ours: dict[int, Fraction] = {}
    for outcome in every_outcome(play):
        ours[outcome.result] = ours.get(outcome.result, Fraction(0)) + outcome.probability
    two = 2 @ icepool.d6
    twin = two.map(lambda total: total + icepool.d6 if total == 12 else total)
    assert ours == {total: twin.probability("==", total) for total in twin.outcomes()}


def test_a_choice_is_even_whatever_the_die() -> None:
    outcomes = every_outcome(lambda dice: dice.choice(4, verbatim("turret")).index)
    assert sorted(outcome.result for outcome in outcomes) == [0, 1, 2, 3]
    assert all(outcome.probability == Fraction(1, 4) for outcome in outcomes)


@pytest.mark.parametrize("factor", [1, 5, 11, 28])
@pytest.mark.parametrize("modifier", [-6, 0, 7, 20, 40])
def test_the_hit_table_by_icepool(factor: int, modifier: int) -> None:
    """The odds of a salvo's hits are those of a 36-sided die read through the table."""

    def hits(roll: int) -> int:
        return CARD.hits[min(max(roll + modifier, 1), HIGHEST_ROW) - 1][factor]

    twin = icepool.d(36).map(hits)
    ours: dict[int, Fraction] = {}
    for outcome in every_outcome(lambda dice: hits(dice.pair(verbatim("the hit roll")).index)):
        ours[outcome.result] = ours.get(outcome.result, Fraction(0)) + outcome.probability
    assert ours == {number: twin.probability("==", number) for number in twin.outcomes()}


def test_the_mean_follows_from_the_odds() -> None:
    assert Forecast({0: 0.5, 3: 0.25, 4: 0.25}, {}, {}).expected_hits == 1.75
