"""The battle as the journal has it: how it began, and every event that still stands.

Undoing never erases: it marks events as undone. Dice that were rolled stay rolled: what an undo
takes back goes onto a tape and is read from there before anybody rolls again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from combat.battle_actions import BattleAction, BattleSetup, EnterDice


@dataclass(frozen=True, slots=True)
class Recorded:
    """An action of the battle with its number in the journal and who did it."""

    n: int
    seconds: float
    seat: str | None
    who: str
    action: BattleAction
    events: tuple[Mapping[str, Any], ...] = ()
    """What it led to, as the journal has it: `BattleRules.read_events` reads it where it is shown.
    Version 0.1.0 did not keep it."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Somebody asks to go back; every other side with people at the table has to agree."""

    after: int
    """The last event that would still stand, by its number in the journal."""
    seat: str | None
    who: str
    side: str | None
    words: str
    agreed: tuple[str, ...] = ()
    """The sides that have agreed so far."""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BattleRecord:
    """A battle's journal, folded: what replaying it needs."""

    setup: BattleSetup
    owner_values: str
    """The owner's table values in effect when it began, as their file; empty without any."""
    begun: int
    """The journal's number of its beginning."""
    edition: int = 1
    """The edition of the rules that it is played by, to its end."""
    events: tuple[Recorded, ...] = ()
    tape: Mapping[str, str] = field(default_factory=_nothing)
    """Dice that an undo took back, figure by figure, by the phase they belong to."""
    request: UndoRequest | None = None

    def with_event(self, recorded: Recorded, phase: str = "") -> "BattleRecord":
        """One more event; dice leave the tape of their phase, be they read from it or not.

        Typed dice take the place of those that were kept for the same rolls.
        """
        tape = self.tape
        action = recorded.action
        if isinstance(action, EnterDice) and tape.get(phase):
            used = sum(map(len, action.values))
            rest = tape.get(phase, "")[used:]
            tape = MappingProxyType({**tape, phase: rest})
        # Whatever happens after a request to undo answers it.
        return replace(self, events=(*self.events, recorded), tape=tape, request=None)

    def with_consent(self, side: str) -> "BattleRecord":
        """A side agrees to the request to undo; others are still to be asked."""
        if self.request is None or side in self.request.agreed:
            return self
        return replace(self, request=replace(self.request, agreed=(*self.request.agreed, side)))

    def without(self, numbers: frozenset[int], tape: Mapping[str, str]) -> "BattleRecord":
        """The same battle with some events undone."""
        return replace(
            self,
            events=tuple(each for each in self.events if each.n not in numbers),
            tape=MappingProxyType({**self.tape, **tape}),
            request=None,
        )

    @property
    def played(self) -> tuple[BattleAction, ...]:
        """The actions that stand."""
        return tuple(each.action for each in self.events)
