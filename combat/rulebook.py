"""The protocol that every rulebook implements.

States, actions and events are frozen values of the rulebook's own types. A rulebook rolls no dice,
reads no clock and opens no file: dice are passed in, and the tables are part of the object.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from combat.actions import Action, ActionOffer
from combat.dice import Dice, Roll
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.forecast import Forecast
from combat.participants import UMPIRE, Seat
from combat.record_sheets import RecordSheet

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
