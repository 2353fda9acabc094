"""Withdrawal: a ship that has been out of everybody's reach long enough may leave (66)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tabletop.closecall import TOLERANCE_YARDS
from tabletop.messages import Message

UNROLLED_RANGE_YARDS: Final = 28_000.0
"""What counts as the starting range of a battle for which none was rolled."""
PATIENCE_ROUNDS: Final = 3
"""More rounds than these must be spent outside."""


@dataclass(frozen=True, slots=True)
class WithdrawalVerdict:
    """Whether a ship may leave the battle, and why; once gone, she does not return."""

    may_withdraw: bool
    rounds_outside: int
    why: Message
    rule: str = "66"


def rounds_outside(
    rounds_before: int, ranges_yards: Iterable[float], starting_range_yards: float | None
) -> int:
    """How many rounds on end a ship has been outside the starting range of all her enemies.

    Give the ranges to every enemy after each of the round's two moves. One of them at or inside
    the starting range spoils the round, and the count begins anew: the rule asks how long she has
    kept away, and a ship that comes back has not. With no enemy left every round counts.
    """
    limit = _limit(starting_range_yards)
    kept_away = all(range_yards > limit + TOLERANCE_YARDS for range_yards in ranges_yards)
    return rounds_before + 1 if kept_away else 0


def judge_withdrawal(rounds: int, starting_range_yards: float | None) -> WithdrawalVerdict:
    """Whether a ship that has been outside for so many rounds may be taken off the table."""
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
