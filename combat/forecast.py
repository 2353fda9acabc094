"""Exact odds by playing every possible result of the dice.

`every_outcome` calls the code that resolves a fire once for each sequence of dice, so that odds
and resolution share one implementation of the rules.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from combat.dice import FACES, LAST_INDEX, TEN_SIDES, Choice, Pair
from combat.provenance import Provenance
from tabletop.messages import Message

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Forecast:
    """The exact odds of one fire."""

    hits: Mapping[int, float]
    """The probability of each number of hits; the sum is 1."""
    outcomes: Mapping[str, float]
    """The probability that each outcome occurs at least once, the most serious first."""
    expected_boxes: Mapping[str, float]
    boxes: Mapping[tuple[float, float], float] = field(
        default_factory=dict, metadata={"exclude": True}
    )
    """The joint odds of (hull, superstructure) boxes, in rulebooks that count both.

    Not part of JSON, which has no tuple keys.
    """
    results: Mapping[Message, float] = field(default_factory=dict, metadata={"exclude": True})
    """The probability that each result of a roll occurs at least once."""
    titles: Mapping[str, Message] = field(default_factory=dict, metadata={"exclude": True})
    """The titles of outcomes that are not in the string tables; see `title`."""
    provenance: Provenance = Provenance.PRINTED
    """The worst provenance of all numbers that the odds depend on."""
    expected_hits: float = field(init=False, default=0.0)
    """The mean number of hits."""

    def __post_init__(self) -> None:
        mean = sum(number * chance for number, chance in self.hits.items())
        object.__setattr__(self, "expected_hits", mean)

    def title(self, outcome: str) -> Message:
        """The title of an outcome."""
        return self.titles.get(outcome) or Message(f"combat.outcome.{outcome}")

    @property
    def box_titles(self) -> Mapping[Message, float]:
        """The expected boxes by title."""
        return {
            Message(f"combat.boxes.{name.replace(' ', '_')}"): boxes
            for name, boxes in self.expected_boxes.items()
        }


@dataclass(frozen=True, slots=True)
class WeightedResult(Generic[Result]):
    """A result and its probability."""

    probability: Fraction
    result: Result


def every_outcome(play: Callable[["BranchingDice"], Result]) -> list[WeightedResult[Result]]:
    """The result of `play` for every sequence of dice, with its probability."""
    outcomes = []
    unfinished: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while unfinished:
        script, probability = unfinished.pop()
        try:
            outcomes.append(WeightedResult(probability, play(BranchingDice(script))))
        except _ForkError as fork:
            share = probability / fork.count
            unfinished += [((*script, value), share) for value in range(fork.count)]
    return outcomes


class BranchingDice:
    """Dice that follow a script and raise `_ForkError` at its end."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self._script = iter(script)

    def pair(self, purpose: Message) -> Pair:  # noqa: ARG002 - part of the protocol
        """One of the 36 pairs."""
        return Pair.of_index(self._next_value(LAST_INDEX) + 1)

    def die(self, purpose: Message) -> int:  # noqa: ARG002 - as above
        """One of the six faces."""
        return self._next_value(FACES) + 1

    def ten_sided(self, purpose: Message) -> int:  # noqa: ARG002 - as above
        """One of the ten faces."""
        return self._next_value(TEN_SIDES)

    def choice(self, count: int, purpose: Message) -> Choice:  # noqa: ARG002 - as above
        """One of several things with equal probability, without rolling a die."""
        return Choice(self._next_value(count) if count > 1 else 0, ())

    def _next_value(self, count: int) -> int:
        value = next(self._script, None)
        if value is None:
            raise _ForkError(count)
        return value


class _ForkError(Exception):
    """Raised at the end of a script: the next roll has `count` possible values."""

    def __init__(self, count: int) -> None:
        self.count = count
