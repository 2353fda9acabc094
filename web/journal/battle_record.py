"""The record of a guided battle: its beginning, and the actions that are not undone.

Undo erases nothing; it marks actions as undone. Their rolls are kept and used again for the same
purpose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.dice import Roll
from combat.game import UndoneRolls, unused_rolls
from combat.guided_actions import BattleAction, BattleSetup, RollDice
from combat.rulebook import Place


@dataclass(frozen=True, slots=True)
class UndoneActions:
    """Undone actions and their rolls."""

    numbers: frozenset[int]
    taken_back: tuple[UndoneRolls, ...] = ()
    replaced: frozenset[Place] = frozenset()
    """Places for which only the rolls of this undo are kept.

    Version 0.1.0 stored all rolls of a segment again with every undo.
    """


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action with its number in the journal and the player who took it."""

    n: int
    seconds: float
    seat: str | None
    who: str
    action: BattleAction
    rolls: tuple[Roll, ...] = ()
    """The dice that were rolled for it."""
    place: Place | None = None
    """The place in the sequence of play; version 0.1.0 stored it only with dice."""


def how_rolled(rolls: Sequence[Roll]) -> str:
    """The source of the dice: kept from before an undo, rolled by the program, or typed."""
    if all(roll.again for roll in rolls):
        return "kept"
    return "rolled" if any(roll.by_server for roll in rolls) else "typed"


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A request to undo; every other side with people at the table has to agree."""

    after: int
    """The number of the last action that would remain."""
    seat: str | None
    who: str
    side: str | None
    words: str
    agreed: tuple[str, ...] = ()
    """The sides that have agreed."""


@dataclass(frozen=True, slots=True)
class BattleRecord:
    """All that is needed to replay a battle from the journal."""

    setup: BattleSetup
    owner_values: str
    """The file of owner's values at the beginning; empty without any."""
    begun: int
    """The number of its first journal entry."""
    edition: int = 1
    """The edition of the rules, fixed for the whole battle."""
    events: tuple[RecordedAction, ...] = ()
    """The actions that are not undone."""
    taken_back: tuple[UndoneRolls, ...] = ()
    """Rolls of undone actions that have not been used again."""
    request: UndoRequest | None = None

    def with_event(self, recorded: RecordedAction) -> "BattleRecord":
        """The record with another action; its rolls replace those kept for the same purpose."""
        left, place = self.taken_back, recorded.place
        if isinstance(recorded.action, RollDice):
            left = unused_rolls(left, recorded.rolls, lambda back: back.place == place)
        # Any action after a request to undo cancels the request.
        return replace(self, events=(*self.events, recorded), taken_back=left, request=None)

    def with_consent(self, side: str) -> "BattleRecord":
        """The record after a side agreed to an undo, while other sides still have to."""
        if self.request is None or side in self.request.agreed:
            return self
        return replace(self, request=replace(self.request, agreed=(*self.request.agreed, side)))

    def without(self, undone: UndoneActions) -> "BattleRecord":
        """The record with some actions undone."""
        kept = (back for back in self.taken_back if back.place not in undone.replaced)
        return replace(
            self,
            events=tuple(each for each in self.events if each.n not in undone.numbers),
            taken_back=(*undone.taken_back, *kept),
            request=None,
        )
