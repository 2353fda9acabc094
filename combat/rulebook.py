"""The contract that every rulebook keeps: what may be done, what it would do, what it does.

States, actions and events are frozen values of the rulebook's own types. Nothing here rolls dice,
reads a clock or opens a file: dice are passed in, and a rulebook object carries the tables that it
plays with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
    """Where in a rulebook's sequence of play something happens."""

    round_number: int
    segment: int = 0
    """Counted from 1 in rulebooks that divide a round."""

    def __str__(self) -> str:
        return f"{self.round_number}.{self.segment}"

    @classmethod
    def read(cls, text: str) -> "Place":
        """The place that `str` has written."""
        round_number, _, segment = text.partition(".")
        return cls(int(round_number), int(segment))


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """The next dice that somebody has to roll."""

    kind: DiceKind
    purpose: Message
    """For what: "Hood at Bismarck: the location of hit 2"."""
    side: str | None = None
    """Whose roll it is."""
    number: int = 1
    """Counted from 1 through the phase, so that two players do not enter the same roll."""
    at_least: int = 1
    """How many rolls are certain to be needed still, this one included."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """A battle after an action, what happened, and the dice that were rolled for it."""

    state: State
    events: tuple[Event, ...]
    rolls: tuple[Roll, ...] = ()


class Rulebook(Protocol[State, View, Check]):
    """One rulebook with the tables that it plays with."""

    @property
    def name(self) -> str:
        """The name that files and commands use."""
        ...

    def actions(self, state: State, seat: Seat) -> tuple[ActionOffer, ...]:
        """What a seat may do now."""
        ...

    def check(self, state: State, action: Action) -> Check:
        """An action before any die is rolled: what it would be, or why it is refused."""
        ...

    def forecast(self, state: State, actions: Sequence[Action]) -> Forecast:
        """The exact odds of some actions at one target."""
        ...

    def dice_wanted(self, state: State) -> DiceWanted | None:
        """The dice that the battle waits for."""
        ...

    def play(self, state: State, action: Action, dice: Dice) -> Outcome[State]:
        """Play an action; Forbidden, with its rule, where it is not allowed."""
        ...

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may see."""
        ...

    def sheet(self, state: State, ship: str, seat: Seat = UMPIRE) -> RecordSheet:
        """A ship's record sheet, if the seat may see it."""
        ...

    def place(self, state: State) -> Place:
        """Where the battle stands in the sequence of play."""
        ...

    def reuses_rolls(self, taken_back: Action, at: Place, state: State, action: Action) -> bool:
        """Whether the rolls of an action that was taken back are read again for this one.

        `at` is where the action that was taken back had been played.
        """
        ...
