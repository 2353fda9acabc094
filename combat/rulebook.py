"""The protocol that every rulebook implements.

States, actions and events are frozen values of the rulebook's own types. A rulebook rolls no dice,
reads no clock and opens no file: dice are passed in, and the tables are part of the object.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, Protocol, TypeVar

from combat.actions import Action, ActionOffer
from combat.dice import Dice, DiceKind, Roll
from combat.events import Event
from combat.forecast import Forecast
from combat.participants import UMPIRE, Seat
from combat.record_sheets import RecordSheet
from tabletop.messages import Message

State = TypeVar("State")
View = TypeVar("View", covariant=True)
Check = TypeVar("Check", covariant=True)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A round and segment of a rulebook's sequence of play."""

    round_number: int
    segment: int = 0
    """Counted from 1; 0 in rulebooks without segments."""

    def __str__(self) -> str:
        return f"{self.round_number}.{self.segment}"

    @classmethod
    def read(cls, text: str) -> "Place":
        """Parse what `str` returns."""
        round_number, _, segment = text.partition(".")
        return cls(int(round_number), int(segment))


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """The next dice that a player has to roll."""

    kind: DiceKind
    purpose: Message
    """What they are for: "Hood at Bismarck: the location of hit 2"."""
    side: str | None = None
    """The side that rolls."""
    number: int = 1
    """Counted from 1 through the phase, so that two players do not enter the same roll."""
    at_least: int = 1
    """The least number of rolls still needed for it, including this one."""
    roll: str = ""
    """What this very roll is known by, so that no dice are entered for another."""


@dataclass(frozen=True, slots=True)
class DiceReach:
    """How far dice are used that are given at once."""

    roll: str | None = None
    """The roll that they begin with, as in `DiceWanted`; the first that is open where None."""
    only: bool = False
    """Whether they go no further than to the end of what that roll is for, such as a fire."""
    sides: frozenset[str] | None = None
    """Whose dice they may be; anybody's where None."""

    def includes(self, side: str | None) -> bool:
        """Whether dice of a side may be among them; those of nobody may be everybody's."""
        return self.sides is None or side is None or side in self.sides


def short_id(*parts: object) -> str:
    """A short text that is the same for the same parts, and another for others."""
    return sha256(repr(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """The state after an action, its events, and the dice that were rolled for it."""

    state: State
    events: tuple[Event, ...]
    rolls: tuple[Roll, ...] = ()


class Rulebook(Protocol[State, View, Check]):
    """One rulebook with its tables."""

    @property
    def name(self) -> str:
        """The name that files and commands use."""
        ...

    def actions(self, state: State, seat: Seat) -> tuple[ActionOffer, ...]:
        """The actions that a seat may take now."""
        ...

    def check(self, state: State, action: Action) -> Check:
        """What an action would do, or why it is forbidden, before any die is rolled."""
        ...

    def forecast(self, state: State, actions: Sequence[Action]) -> Forecast:
        """The exact odds of some actions at one target."""
        ...

    def dice_wanted(self, state: State) -> DiceWanted | None:
        """The dice that the battle waits for, or None."""
        ...

    def play(self, state: State, action: Action, dice: Dice) -> Outcome[State]:
        """Play an action. Raises Forbidden, with the rule, if it is not allowed."""
        ...

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may see."""
        ...

    def sheet(self, state: State, ship: str, seat: Seat = UMPIRE) -> RecordSheet:
        """A ship's record sheet, if the seat may see it."""
        ...

    def place(self, state: State) -> Place:
        """The current round and segment."""
        ...

    def reuses_rolls(self, taken_back: Action, at: Place, state: State, action: Action) -> bool:
        """Whether the rolls of an undone action are used again for this action.

        `at` is the place where the undone action was played.
        """
        ...
