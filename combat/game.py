"""A battle as it is played: a beginning, and the actions that stand.

Playing and replaying are the same function. Undo takes actions back; their rolls stay with what
they fell for, should it be rolled for again.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from combat.actions import Action
from combat.dice import Dice, DiceKind, KeptDice, OutOfDice, ReplayedDice, Roll, TypedDice, kept_for
from combat.events import Event
from combat.rulebook import DiceWanted, Outcome, Place, Rulebook
from tabletop.errors import DreyerError

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class PlayedAction(Generic[State]):
    """An action that stands: where it was played, its rolls, its events, the battle after it."""

    n: int
    """Its number in the journal or the file; numbers grow and may have gaps."""
    action: Action
    rolls: tuple[Roll, ...]
    events: tuple[Event, ...]
    place: Place
    state: State


@dataclass(frozen=True, slots=True)
class UndoneRolls:
    """Rolls of an action that an undo took back."""

    action: Action
    rolls: tuple[Roll, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """A battle under one rulebook with all that was played in it."""

    rulebook: Rulebook[State, object, object]
    start: State
    played: tuple[PlayedAction[State], ...] = ()
    taken_back: tuple[UndoneRolls, ...] = ()

    @property
    def state(self) -> State:
        """The battle now."""
        return self.state_after(len(self.played))

    def state_after(self, count: int) -> State:
        """The battle after the first `count` actions."""
        return self.played[count - 1].state if count else self.start

    def play(self, n: int, action: Action, dice: Dice, *, anew: bool = False) -> "Game[State]":
        """One more action. Rolls that an undo took back are read before the dice given here.

        `anew` uses the given dice alone, such as those that a player typed.
        """
        kept = () if anew else self.kept_rolls(action)
        state = self.state
        outcome = self.rulebook.play(state, action, KeptDice(kept, dice) if kept else dice)
        place = self.rulebook.place(state)
        return self.restore(
            PlayedAction(n, action, outcome.rolls, outcome.events, place, outcome.state)
        )

    def restore(self, played: PlayedAction[State]) -> "Game[State]":
        """One more action as it was played: rolls that were kept for it are used up."""
        state = self.state

        def belongs(back: UndoneRolls) -> bool:
            return self.rulebook.reuses_rolls(back.action, back.place, state, played.action)

        left = used_up(self.taken_back, played.rolls, belongs)
        return replace(self, played=(*self.played, played), taken_back=left)

    def kept_rolls(self, action: Action) -> tuple[Roll, ...]:
        """The rolls that an undo took back and that are read again for this action."""
        state = self.state
        return tuple(
            roll
            for back in self.taken_back
            if self.rulebook.reuses_rolls(back.action, back.place, state, action)
            for roll in back.rolls
        )

    def undo(self, to: int | None = None) -> "Game[State]":
        """Take back the last action, or every action from number `to` on."""
        if not self.played:
            raise DreyerError("combat.undo.nothing_stands")
        first = self.played[-1].n if to is None else to
        gone = {each.n for each in self.played if each.n >= first}
        if not gone:
            raise DreyerError("combat.undo.none_from", number=first)
        return self.without(gone)

    def without(self, numbers: Collection[int]) -> "Game[State]":
        """Take back the actions with these numbers; the others are played again without them.

        A DreyerError, and nothing is taken back, where one of the others needs one of them.
        """
        first = next((at for at, each in enumerate(self.played) if each.n in numbers), None)
        if first is None:
            return self
        state, standing = self.state_after(first), list(self.played[:first])
        gone = []
        for each in self.played[first:]:
            if each.n in numbers:
                gone.append(each)
                continue
            place = self.rulebook.place(state)
            outcome = self.rulebook.play(state, each.action, ReplayedDice(each.rolls))
            state = outcome.state
            standing.append(replace(each, events=outcome.events, place=place, state=state))
        back = tuple(
            UndoneRolls(each.action, each.rolls, each.place) for each in gone if each.rolls
        )
        # They came before all that was taken back earlier, and are played again before it.
        return replace(self, played=tuple(standing), taken_back=(*back, *self.taken_back))


def used_up(
    taken_back: Sequence[UndoneRolls], rolls: Sequence[Roll], belongs: Callable[[UndoneRolls], bool]
) -> tuple[UndoneRolls, ...]:
    """What is left of the kept rolls after these were made: each takes the place of its own."""
    left = list(taken_back)
    for roll in rolls:
        kind = DiceKind.PAIR if roll.is_pair else DiceKind.DIE
        for at, back in enumerate(left):
            used = kept_for(back.rolls, kind, roll.purpose) if belongs(back) else ()
            if used:
                rest = list(back.rolls)
                for each in used:
                    rest.remove(each)
                left[at] = replace(back, rolls=tuple(rest))
                break
    return tuple(back for back in left if back.rolls)


def play_typed(
    rulebook: Rulebook[State, object, object], state: State, action: Action, values: Sequence[str]
) -> DiceWanted | Outcome[State]:
    """Play an action with typed dice: its outcome, or the next die where they are too few.

    BadDice where they do not fit or are too many.
    """
    dice = TypedDice(" ".join(values))
    try:
        outcome = rulebook.play(state, action, dice)
    except OutOfDice as out:
        return DiceWanted(out.wanted, out.purpose)
    dice.finish()
    return outcome
