"""The record of a guided battle: its beginning, and the actions that are not undone.

Undo erases nothing; it marks actions as undone. Their rolls are kept and used again for the same
purpose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from combat.dice import Roll, faces_of
from combat.game import PlayedAction, UndoneRolls, unused_rolls
from combat.guided_actions import BattleAction, BattleSetup, RollDice
from combat.guided_play import EventKind, GuidedRulebook, PlottedRulebook
from combat.rulebook import Place
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS
from web.journal.events import (
    BattlePlayed,
    BattleUndone,
    Entry,
    OldBattlePlayed,
    OldBattleUndone,
    RollsTakenBack,
)

State = TypeVar("State")


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
    """The source of the dice: kept from before an undo, typed by a side or umpire, or rolled."""
    if all(roll.again for roll in rolls):
        return "kept"
    if any(roll.by_umpire for roll in rolls):
        return "umpire"
    return "rolled" if any(roll.by_server for roll in rolls) else "typed"


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A request to undo; every other side with people at the table has to agree."""

    n: int
    """The number of its journal entry, by which it is answered."""
    after: int
    """The number of the last action that would remain."""
    seat: str | None
    who: str
    side: str | None
    words: str
    agreed: tuple[str, ...] = ()
    """The sides that have agreed."""
    retype: bool = False
    """Whether typed dice are to be typed anew."""


@dataclass(frozen=True, slots=True)
class RefusedUndo:
    """A request that was refused, and by whom."""

    request: UndoRequest
    who: str


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
    refused: RefusedUndo | None = None
    """The last request, where it was refused and nothing has happened since."""
    captains: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The names of the program's captains, by the sides that they play."""

    def with_captain(self, side: str, captain: str | None) -> "BattleRecord":
        """The record after a side was given to a captain, or to people where it is None."""
        kept = {key: name for key, name in self.captains.items() if key != side}
        changed = kept if captain is None else {**kept, side: captain}
        return replace(self, captains=MappingProxyType(changed))

    def with_event(self, recorded: RecordedAction) -> "BattleRecord":
        """The record with another action; its rolls replace those kept for the same purpose."""
        left, place = self.taken_back, recorded.place
        if isinstance(recorded.action, RollDice):
            left = unused_rolls(left, recorded.rolls, lambda back: back.place == place)
        # Any action after a request to undo cancels the request.
        return replace(
            self,
            events=(*self.events, recorded),
            taken_back=left,
            request=None,
            refused=None,
        )

    def with_refusal(self, who: str, *, withdrawn: bool) -> "BattleRecord":
        """The record after a request to undo was refused, or withdrawn."""
        refused = RefusedUndo(self.request, who) if self.request and not withdrawn else None
        return replace(self, request=None, refused=refused)

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
            refused=None,
        )


def battle_played(rulebook: GuidedRulebook[object], played: PlayedAction[object]) -> BattlePlayed:
    """The event of an action that has just been played."""
    action = played.action
    if not isinstance(action, BattleAction):
        raise TypeError(f"{action.kind} is no action of a guided battle")
    events = tuple(rulebook.write_events(played.events, brief=True))
    return BattlePlayed(action=action, rolls=played.rolls, events=events, place=played.place)


def recorded_action(entry: Entry, event: BattlePlayed) -> RecordedAction:
    """The recorded action of an event, with its entry's number."""
    return RecordedAction(
        n=entry.n,
        seconds=entry.seconds,
        seat=entry.seat,
        who=entry.who,
        action=event.action,
        rolls=event.rolls,
        place=event.place,
    )


def old_recorded_action(
    entry: Entry, event: OldBattlePlayed, rulebook: GuidedRulebook[object]
) -> RecordedAction:
    """The recorded action of version 0.1.0, which stored the place only with dice."""
    if not isinstance(rulebook, PlottedRulebook):
        # Version 0.1.0 guided no other battles.
        raise DreyerError("battle.order.not_plotted")
    action, rolls = read_old_action(rulebook, event.action_kind, event.data, event.side)
    return RecordedAction(
        n=entry.n,
        seconds=entry.seconds,
        seat=entry.seat,
        who=entry.who,
        action=action,
        rolls=rolls,
        place=Place.read(event.phase) if event.phase else None,
    )


def read_old_action(
    rulebook: PlottedRulebook[State], kind: str, data: Mapping[str, object], side: str | None
) -> tuple[BattleAction, tuple[Roll, ...]]:
    """An action of version 0.1.0, whose dice are in the action's data, without a purpose."""
    fields = dict(data)
    if kind != EventKind.DICE:
        return rulebook.read_version_1(kind, fields, side), ()
    how, values = fields.pop("how", "typed"), fields.pop("values")
    fields.pop("rolls", None)
    if not isinstance(values, list):
        raise TypeError("dice are a list")
    rolled, kept = how == "rolled", how == "kept"
    rolls = tuple(Roll(faces_of(value), NO_WORDS, None, rolled, kept) for value in values)
    return rulebook.read_version_1(kind, fields, side), rolls


def rolls_dice(event: BattlePlayed | OldBattlePlayed) -> bool:
    """Whether an action rolls dice."""
    if isinstance(event, BattlePlayed):
        return isinstance(event.action, RollDice)
    return event.action_kind is EventKind.DICE


def battle_undone(undone: UndoneActions) -> BattleUndone:
    """An undo for the journal."""
    return BattleUndone(
        events=tuple(sorted(undone.numbers)),
        taken_back=tuple(
            RollsTakenBack(place=back.place, rolls=back.rolls) for back in undone.taken_back
        ),
    )


def undone_by(event: BattleUndone | OldBattleUndone) -> UndoneActions:
    """The actions that an event undoes; version 0.1.0 stored single digits by segment."""
    numbers = frozenset(event.events)
    if isinstance(event, BattleUndone):
        kept = (UndoneRolls(RollDice(), back.rolls, back.place) for back in event.taken_back)
        return UndoneActions(numbers, tuple(kept))
    figures = {
        Place.read(place): tuple(Roll(faces_of(figure), NO_WORDS) for figure in text)
        for place, text in event.tape.items()
    }
    kept = (UndoneRolls(RollDice(), rolls, place) for place, rolls in figures.items() if rolls)
    return UndoneActions(numbers, tuple(kept), frozenset(figures))
