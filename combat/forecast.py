"""Exact odds: every way the dice can fall, each with its weight.

`every_outcome` plays a piece of the rules once for each way its dice can fall, so a forecast
rests on the very code that resolves the fire, and no rule is written a second time.
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
    """The chance of each number of hits; together 1."""
    outcomes: Mapping[str, float]
    """The chance of each thing that may come of it, at least once; the weightiest first."""
    expected_boxes: Mapping[str, float]
    boxes: Mapping[tuple[float, float], float] = field(
        default_factory=dict, metadata={"exclude": True}
    )
    """The joint odds of hull and superstructure boxes marked, where a ruleset counts them so.

    They stay inside the program: JSON has no keys for pairs.
    """
    results: Mapping[Message, float] = field(default_factory=dict, metadata={"exclude": True})
    """The chance of each thing that a roll may say, at least once."""
    titles: Mapping[str, Message] = field(default_factory=dict, metadata={"exclude": True})
    """What players call outcomes of one part of many; `title` knows the others."""
    provenance: Provenance = Provenance.PRINTED
    """The least certain of all numbers that the odds rest on, however the dice fall."""
    expected_hits: float = field(init=False, default=0.0)
    """The hits on average."""

    def __post_init__(self) -> None:
        mean = sum(number * chance for number, chance in self.hits.items())
        object.__setattr__(self, "expected_hits", mean)

    def title(self, outcome: str) -> Message:
        """What players call an outcome."""
        return self.titles.get(outcome) or Message(f"combat.outcome.{outcome}")

    @property
    def box_titles(self) -> Mapping[Message, float]:
        """The expected boxes by what players call them."""
        return {
            Message(f"combat.boxes.{name.replace(' ', '_')}"): boxes
            for name, boxes in self.expected_boxes.items()
        }


@dataclass(frozen=True, slots=True)
class WeightedResult(Generic[Result]):
    """One way things may go, and its probability."""

    probability: Fraction
    result: Result


def every_outcome(play: Callable[["BranchingDice"], Result]) -> list[WeightedResult[Result]]:
    """Play through every way the dice can fall."""
    outcomes = []
    open_ends: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_ends:
        script, probability = open_ends.pop()
        try:
            outcomes.append(WeightedResult(probability, play(BranchingDice(script))))
        except _ForkError as fork:
            share = probability / fork.ways
            open_ends += [((*script, way), share) for way in range(fork.ways)]
    return outcomes


class BranchingDice:
    """Dice that follow a script, and fork where it ends."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self._script = iter(script)

    def pair(self, purpose: Message) -> Pair:  # noqa: ARG002 - every way is tried, whatever it is for
        """One of the 36 pairs."""
        return Pair.of_index(self._way(LAST_INDEX) + 1)

    def die(self, purpose: Message) -> int:  # noqa: ARG002 - as above
        """One of the six faces."""
        return self._way(FACES) + 1

    def ten_sided(self, purpose: Message) -> int:  # noqa: ARG002 - as above
        """One of the ten faces."""
        return self._way(TEN_SIDES)

    def choice(self, count: int, purpose: Message) -> Choice:  # noqa: ARG002 - as above
        """One of several things, with equal chances; no die need fall for it."""
        return Choice(self._way(count) if count > 1 else 0, ())

    def _way(self, ways: int) -> int:
        way = next(self._script, None)
        if way is None:
            raise _ForkError(ways)
        return way


class _ForkError(Exception):
    """Raised where a script ends and every way on must be tried."""

    def __init__(self, ways: int) -> None:
        self.ways = ways
