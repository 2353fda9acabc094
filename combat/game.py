"""A battle as a start state and the actions played since, with undo.

Playing and replaying use the same function. Undo keeps the rolls of the undone actions, so that
playing the same action again gives the same dice.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from combat.actions import Action
from combat.dice import Dice, DiceKind, KeptDice, OutOfDice, ReplayedDice, Roll, TypedDice, kept_for
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.rulebook import Outcome, Place, Rulebook
from tabletop.errors import DreyerError

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class PlayedAction(Generic[State]):
    """An action with its rolls, its events, its place in the sequence, and the state after it."""

    n: int
    """Its number in the journal or the file: increasing, possibly with gaps."""
    action: Action
    rolls: tuple[Roll, ...]
    events: tuple[Event, ...]
    place: Place
    state: State


@dataclass(frozen=True, slots=True)
class UndoneRolls:
    """The rolls of an undone action."""

    action: Action
    rolls: tuple[Roll, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """A battle under one rulebook. Immutable: every change returns a new game."""

    rulebook: Rulebook[State, object, object]
    start: State
    played: tuple[PlayedAction[State], ...] = ()
    taken_back: tuple[UndoneRolls, ...] = ()

    @property
    def state(self) -> State:
        """The current state."""
        return self.state_after(len(self.played))

    def state_after(self, count: int) -> State:
        """The state after the first `count` actions."""
        return self.played[count - 1].state if count else self.start

    def play(self, n: int, action: Action, dice: Dice, *, anew: bool = False) -> "Game[State]":
        """Play an action. Rolls kept by an undo are used before `dice`.

        With `anew` only `dice` are used, such as those that a player typed.
        """
        kept = () if anew else self.kept_rolls(action)
        state = self.state
        outcome = self.rulebook.play(state, action, KeptDice(kept, dice) if kept else dice)
        place = self.rulebook.place(state)
        return self.restore(
            PlayedAction(n, action, outcome.rolls, outcome.events, place, outcome.state)
        )

    def restore(self, played: PlayedAction[State]) -> "Game[State]":
        """Add an action that was played before, and discard the kept rolls that it used."""
        state = self.state

        def belongs(back: UndoneRolls) -> bool:
            return self.rulebook.reuses_rolls(back.action, back.place, state, played.action)

        left = unused_rolls(self.taken_back, played.rolls, belongs)
        return replace(self, played=(*self.played, played), taken_back=left)

    def kept_rolls(self, action: Action) -> tuple[Roll, ...]:
        """The rolls kept by undo that this action would use again."""
        state = self.state
        return tuple(
            roll
            for back in self.taken_back
            if self.rulebook.reuses_rolls(back.action, back.place, state, action)
            for roll in back.rolls
        )

    def undo(self, to: int | None = None) -> "Game[State]":
        """Undo the last action, or every action from number `to` on.

        Raises DreyerError if there is nothing to undo.
        """
        if not self.played:
            raise DreyerError("combat.undo.nothing_stands")
        first = self.played[-1].n if to is None else to
        undone = {each.n for each in self.played if each.n >= first}
        if not undone:
            raise DreyerError("combat.undo.none_from", number=first)
        return self.without(undone)

    def without(self, numbers: Collection[int]) -> "Game[State]":
        """Undo the actions with these numbers and replay the others.

        Raises DreyerError if one of the others cannot be played without them.
        """
        first = next((at for at, each in enumerate(self.played) if each.n in numbers), None)
        if first is None:
            return self
        state, kept_actions = self.state_after(first), list(self.played[:first])
        undone = []
        for each in self.played[first:]:
            if each.n in numbers:
                undone.append(each)
                continue
            place = self.rulebook.place(state)
            outcome = self.rulebook.play(state, each.action, ReplayedDice(each.rolls))
            state = outcome.state
            kept_actions.append(replace(each, events=outcome.events, place=place, state=state))
        back = tuple(
            UndoneRolls(each.action, each.rolls, each.place) for each in undone if each.rolls
        )
        # These were played before anything that was undone earlier, so they come first.
        return replace(self, played=tuple(kept_actions), taken_back=(*back, *self.taken_back))


def unused_rolls(
    taken_back: Sequence[UndoneRolls], rolls: Sequence[Roll], belongs: Callable[[UndoneRolls], bool]
) -> tuple[UndoneRolls, ...]:
    """The kept rolls that remain after `rolls` were made."""
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
    """Play an action with typed dice. Returns the next dice wanted if there are too few.

    Raises BadDice if a value does not fit or if there are too many.
    """
    dice = TypedDice(" ".join(values))
    try:
        outcome = rulebook.play(state, action, dice)
    except OutOfDice as out:
        return DiceWanted(out.wanted, out.purpose)
    dice.finish()
    return outcome
