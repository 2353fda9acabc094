"""An action resolved as its dice come in: what is wanted next, or what came of it."""

from collections.abc import Sequence
from typing import Any, TypeVar

from combat.actions import Action
from combat.dice import RanOut, TypedDice
from combat.rulebook import DiceWanted, Outcome, Rulebook

State = TypeVar("State")


def unfold(
    rulebook: Rulebook[State, Any, Any], state: State, action: Action, values: Sequence[str]
) -> DiceWanted | Outcome[State]:
    """Play an action with the dice there are; BadDice where they do not fit or are too many."""
    dice = TypedDice(" ".join(values))
    try:
        outcome = rulebook.play(state, action, dice)
    except RanOut as out:
        return DiceWanted(out.wanted, out.purpose)
    dice.finish()
    return outcome
