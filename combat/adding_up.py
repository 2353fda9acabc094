"""Odds of marks that simply add up: of one die, of many of the same, of several attacks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import fsum
from operator import add
from typing import TypeVar

from combat.forecast import BranchingDice, every_outcome

Marks = tuple[int, ...]
Odds = Mapping[Marks, float]
Result = TypeVar("Result")


def odds_of(play: Callable[[BranchingDice], Result]) -> dict[Result, float]:
    """The odds of whatever a piece of the rules comes to, every way its dice can fall."""
    odds: dict[Result, float] = defaultdict(float)
    for outcome in every_outcome(play):
        odds[outcome.result] += float(outcome.probability)
    return odds


def plus(first: Odds, second: Odds) -> Odds:
    """The odds of both, added up."""
    both: dict[Marks, float] = defaultdict(float)
    for marks, chance in first.items():
        for more, share in second.items():
            both[tuple(map(add, marks, more))] += chance * share
    return both


def times(odds: Odds, count: int) -> Odds:
    """The odds of so many of the same, added up."""
    nothing = (0,) * len(next(iter(odds)))
    return reduce(plus, [odds] * count, {nothing: 1.0})


def total(several: Iterable[Odds]) -> Odds:
    """The odds of all of several, added up."""
    return reduce(plus, several)


def looking_at(parts: Iterable[str], odds: Mapping[Result, float]) -> Odds:
    """The same odds with an eye on some fields of the results only."""
    parts = tuple(parts)
    seen: dict[Marks, float] = defaultdict(float)
    for result, chance in odds.items():
        seen[tuple(getattr(result, part) for part in parts)] += chance
    return seen


def chance(odds: Mapping[Result, float], happens: Callable[[Result], bool]) -> float:
    """How likely it is that something happens."""
    return fsum(share for result, share in odds.items() if happens(result))
