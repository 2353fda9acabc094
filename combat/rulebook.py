"""The contract that every rulebook keeps: what may be done, what it would do, what it does.

States, actions and events are frozen values of the rulebook's own types. Nothing here rolls dice,
reads a clock or opens a file: dice are passed in, and a rulebook object carries the tables that it
plays with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from combat.actions import Action, ActionOffer
from combat.dice import Dice
from combat.events import Event
from combat.forecast import Forecast
from combat.participants import Seat
from combat.record_sheets import RecordSheet
from combat.report import Preview

State = TypeVar("State")
View = TypeVar("View", covariant=True)


@dataclass(frozen=True, slots=True)
class DiceNeeded:
    """Dice that somebody has to roll."""

    kind: str
    """pair, die or ten_sided."""
    purpose: str
    side: str | None
    """Whose roll it is."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """A battle after an action, and what happened."""

    state: State
    events: tuple[Event, ...]


class Rulebook(Protocol[State, View]):
    """One rulebook with the tables that it plays with."""

    @property
    def name(self) -> str:
        """The name that files and commands use."""
        ...

    def actions(self, state: State, seat: Seat) -> tuple[ActionOffer, ...]:
        """What a seat may do now."""
        ...

    def check(self, state: State, action: Action) -> Preview:
        """An action before any die is rolled: its strength and modifiers, or why it is refused."""
        ...

    def forecast(self, state: State, actions: Sequence[Action]) -> Forecast:
        """The exact odds of some actions at one target."""
        ...

    def dice_wanted(self, state: State) -> DiceNeeded | None:
        """The dice that the battle waits for."""
        ...

    def play(self, state: State, action: Action, dice: Dice) -> Outcome[State]:
        """Play an action; Forbidden, with its rule, where it is not allowed."""
        ...

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may see."""
        ...

    def sheet(self, state: State, ship: str) -> RecordSheet:
        """A ship's record sheet."""
        ...
