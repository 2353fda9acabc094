"""Withdrawal: a ship that kept away from all enemies long enough may leave (66)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tabletop.closecall import TOLERANCE_YARDS
from tabletop.messages import Message

UNROLLED_RANGE_YARDS: Final = 28_000.0
"""The starting range of a battle in which none was rolled."""
PATIENCE_ROUNDS: Final = 3
"""The number of rounds outside that must be exceeded."""


@dataclass(frozen=True, slots=True)
class WithdrawalVerdict:
    """Whether a ship may leave the battle, and why. She cannot return."""

    may_withdraw: bool
    rounds_outside: int
    why: Message
    rule: str = "66"


def rounds_outside(
    rounds_before: int, ranges_yards: Iterable[float], starting_range_yards: float | None
) -> int:
    """The consecutive rounds that a ship has been outside the starting range of all enemies.

    Pass the ranges to every enemy after each of the round's two moves. A range at or inside the
    starting range resets the count to 0, because the rule asks for consecutive rounds. Without
    enemies every round counts.
    """
    limit = _limit(starting_range_yards)
    kept_away = all(range_yards > limit + TOLERANCE_YARDS for range_yards in ranges_yards)
    return rounds_before + 1 if kept_away else 0


def judge_withdrawal(rounds: int, starting_range_yards: float | None) -> WithdrawalVerdict:
    """Whether a ship may leave after this many rounds outside."""
    allowed = rounds > PATIENCE_ROUNDS
    limit_yards = _limit(starting_range_yards)
    if starting_range_yards is None:
        outside = Message("advanced.withdrawal.outside_unrolled", n=rounds, limit_yards=limit_yards)
    else:
        outside = Message("advanced.withdrawal.outside", n=rounds, limit_yards=limit_yards)
    if allowed:
        why = Message("advanced.withdrawal.may", outside=outside)
    else:
        why = Message("advanced.withdrawal.too_soon", outside=outside, patience=PATIENCE_ROUNDS)
    return WithdrawalVerdict(allowed, rounds, why)


def _limit(starting_range_yards: float | None) -> float:
    return UNROLLED_RANGE_YARDS if starting_range_yards is None else starting_range_yards
