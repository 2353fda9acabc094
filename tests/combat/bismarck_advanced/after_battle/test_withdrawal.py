"""Withdrawal by rule 66."""

import pytest

from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import (
    judge_withdrawal,
    rounds_outside,
)
from web.strings import words


@pytest.mark.parametrize(("rounds", "may"), [(0, False), (3, False), (4, True), (9, True)])
def test_more_than_three_rounds(rounds: int, may: bool) -> None:
    verdict = judge_withdrawal(rounds, 18_000)
    assert (verdict.may_withdraw, verdict.rounds_outside, verdict.rule) == (may, rounds, "66")


def test_the_verdict_says_why() -> None:
    assert words(judge_withdrawal(1, 18_000).why) == (
        "1 round in a row farther than 18,000 yards from every enemy: needs more than 3 to withdraw"
    )
    assert words(judge_withdrawal(4, None).why) == (
        "4 rounds in a row farther than 28,000 yards from every enemy, "
        "as no starting range was rolled: may withdraw"
    )


def test_every_enemy_after_every_move_must_be_farther() -> None:
    assert rounds_outside(2, [18_001, 30_000, 18_500, 29_000], 18_000) == 3
    assert rounds_outside(2, [18_001, 30_000, 17_999, 29_000], 18_000) == 0


def test_at_the_starting_range_is_not_outside_it() -> None:
    assert rounds_outside(3, [18_000], 18_000) == 0


def test_without_a_rolled_range_28_000_counts() -> None:
    assert rounds_outside(0, [28_001], None) == 1
    assert rounds_outside(0, [28_000], None) == 0


def test_nobody_left_to_keep_away_from() -> None:
    assert rounds_outside(3, [], 18_000) == 4
