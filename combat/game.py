"""A battle as it is played: a beginning, and the actions that stand.

Playing and replaying are the same function. Undo takes actions back from the end; their rolls
stay with those very actions, should they be played again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from combat.actions import Action
from combat.dice import Dice, KeptDice, RanOut, RecordedDice, Roll, TypedDice
from combat.events import Event
from combat.rulebook import DiceNeeded, Outcome, Rulebook
from tabletop.errors import DreyerError

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Played(Generic[State]):
    """An action that stands: its rolls, its events, and the battle after it."""

    n: int
    """Its number in the journal or the file; numbers grow and may have gaps."""
    action: Action
    rolls: tuple[Roll, ...]
    events: tuple[Event, ...]
    state: State


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Rolls of an action that an undo took back."""

    action: Action
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """A battle under one rulebook with all that was played in it."""

    rulebook: Rulebook[State, Any]
    start: State
    played: tuple[Played[State], ...] = ()
    taken_back: tuple[TakenBack, ...] = ()

    @property
    def state(self) -> State:
        """The battle now."""
        return self.played[-1].state if self.played else self.start

    def play(
        self, n: int, action: Action, dice: Dice, *, side: str | None = None, anew: bool = False
    ) -> "Game[State]":
        """One more action. Rolls that an undo took back are read before the dice given here.

        `anew` uses the given dice alone, such as those that a player typed.
        """
        kept = () if anew else self.kept_rolls(action)
        recorded = RecordedDice(KeptDice(kept, dice) if kept else dice, side)
        outcome = self.rulebook.play(self.state, action, recorded)
        return self.restore(Played(n, action, recorded.rolls, outcome.events, outcome.state))

    def restore(self, played: Played[State]) -> "Game[State]":
        """One more action as it was played: rolls that were kept for it are used up."""
        left = list(self.taken_back)
        used = next((each for each in left if each.action == played.action), None)
        if used is not None:
            left.remove(used)
        return replace(self, played=(*self.played, played), taken_back=tuple(left))

    def kept_rolls(self, action: Action) -> tuple[Roll, ...]:
        """The rolls that an undo took back from this very action."""
        return next((each.rolls for each in self.taken_back if each.action == action), ())

    def undo(self, to: int | None = None) -> "Game[State]":
        """Take back the last action, or every action from number `to` on."""
        if not self.played:
            raise DreyerError("nothing stands that could be taken back")
        first = self.played[-1].n if to is None else to
        gone = [each for each in self.played if each.n >= first]
        if not gone:
            raise DreyerError(f"no action from number {first} on stands")
        back = tuple(TakenBack(each.action, each.rolls) for each in gone if each.rolls)
        return replace(
            self,
            played=self.played[: len(self.played) - len(gone)],
            # They came before all that was taken back earlier, and are played again before it.
            taken_back=(*back, *self.taken_back),
        )


def play_typed(
    rulebook: Rulebook[State, Any], state: State, action: Action, values: Sequence[str]
) -> DiceNeeded | Outcome[State]:
    """Play an action with typed dice: its outcome, or the next die where they are too few.

    BadDice where they do not fit or are too many.
    """
    dice = TypedDice(" ".join(values))
    try:
        outcome = rulebook.play(state, action, dice)
    except RanOut as out:
        return DiceNeeded(out.wanted, out.purpose, None)
    dice.finish()
    return outcome
