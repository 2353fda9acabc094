"""Exact probability distributions of results, and sums of independent ones.

A distribution maps a result to its probability. A tuple of counts, such as boxes lost of several
parts, can be summed: the distribution of a sum is the convolution of the two.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import fsum
from operator import add
from typing import TypeVar

from combat.forecast import BranchingDice, every_outcome

Counts = tuple[int, ...]
Odds = Mapping[Counts, float]
Result = TypeVar("Result")


def odds_of(play: Callable[[BranchingDice], Result]) -> dict[Result, float]:
    """The distribution of a function's result over all dice rolls."""
    odds: dict[Result, float] = defaultdict(float)
    for outcome in every_outcome(play):
        odds[outcome.result] += float(outcome.probability)
    return odds


def convolve(first: Odds, second: Odds) -> Odds:
    """The distribution of the sum of two independent results."""
    both: dict[Counts, float] = defaultdict(float)
    for counts, chance in first.items():
        for more, share in second.items():
            both[tuple(map(add, counts, more))] += chance * share
    return both


def convolve_all(several: Iterable[Odds]) -> Odds:
    """The distribution of the sum of independent results; at least one is needed."""
    return reduce(convolve, several)


def convolve_repeated(odds: Odds, count: int) -> Odds:
    """The distribution of the sum of `count` independent results of the same distribution."""
    nothing = (0,) * len(next(iter(odds)))
    return reduce(convolve, [odds] * count, {nothing: 1.0})


def marginal(parts: Iterable[str], odds: Mapping[Result, float]) -> Odds:
    """The distribution of some integer fields of a result."""
    parts = tuple(parts)
    found: dict[Counts, float] = defaultdict(float)
    for result, chance in odds.items():
        found[tuple(getattr(result, part) for part in parts)] += chance
    return found


def chance(odds: Mapping[Result, float], happens: Callable[[Result], bool]) -> float:
    """The probability of the results for which `happens` is true."""
    return fsum(share for result, share in odds.items() if happens(result))
