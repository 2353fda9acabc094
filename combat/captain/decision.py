"""What a captain decides, and the protocol of captains."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from combat.guided_actions import BattleAction
from tabletop.messages import NO_WORDS, Message

State = TypeVar("State", contravariant=True)

Progress = Callable[[int, int], None]
"""Is told how many ships of how many a captain has decided for."""


def no_progress(done: int, of: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The next action of a side, and why its captain takes it."""

    action: BattleAction
    why: Mapping[str, Message] = field(default_factory=dict)
    """By ship, as the side knows her."""
    about: Message = NO_WORDS
    """Why, where it is about the whole side."""


class Captain(Protocol[State]):
    """A player of one side. It is given the state, and asks the rulebook what its side may see."""

    def decide(
        self,
        state: State,
        side: str,
        source: random.Random,
        progress: Progress = no_progress,
    ) -> Decision | None:
        """The side's next action; None while it has nothing to decide."""
        ...
