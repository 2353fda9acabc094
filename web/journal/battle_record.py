"""The battle as the journal has it: how it began, and every action that still stands.

Undoing never erases: it marks actions as undone. Dice that were rolled stay rolled: what an undo
takes back is kept, and read again for what it fell for before anybody rolls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from combat.dice import Roll, faces_of
from combat.game import PlayedAction, UndoneRolls, used_up
from combat.guided_actions import BattleAction, BattleSetup, RollDice
from combat.guided_play import EventKind, GuidedRulebook
from combat.rulebook import Place
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
    """Actions that were taken back, and their rolls."""

    numbers: frozenset[int]
    taken_back: tuple[UndoneRolls, ...] = ()
    replaced: frozenset[Place] = frozenset()
    """Places for which nothing is kept any more but what is taken back now: version 0.1.0 wrote
    all of a segment anew with every undo."""


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action of the battle with its number in the journal and who did it."""

    n: int
    seconds: float
    seat: str | None
    who: str
    action: BattleAction
    rolls: tuple[Roll, ...] = ()
    """The dice that were rolled for it."""
    place: Place | None = None
    """Where in the sequence of play; version 0.1.0 kept it with dice alone."""


def how_rolled(rolls: Sequence[Roll]) -> str:
    """How dice came in: kept from before an undo, rolled by the app, or typed."""
    if all(roll.again for roll in rolls):
        return "kept"
    return "rolled" if any(roll.by_server for roll in rolls) else "typed"


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Somebody asks to go back; every other side with people at the table has to agree."""

    after: int
    """The last action that would still stand, by its number in the journal."""
    seat: str | None
    who: str
    side: str | None
    words: str
    agreed: tuple[str, ...] = ()
    """The sides that have agreed so far."""


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
    events: tuple[RecordedAction, ...] = ()
    """The actions that stand."""
    taken_back: tuple[UndoneRolls, ...] = ()
    """Rolls that an undo took back and that were not made again since."""
    request: UndoRequest | None = None

    def with_event(self, recorded: RecordedAction) -> "BattleRecord":
        """One more action; its rolls take the place of those that were kept for the same."""
        left, place = self.taken_back, recorded.place
        if isinstance(recorded.action, RollDice):
            left = used_up(left, recorded.rolls, lambda back: back.place == place)
        # Whatever happens after a request to undo answers it.
        return replace(self, events=(*self.events, recorded), taken_back=left, request=None)

    def with_consent(self, side: str) -> "BattleRecord":
        """A side agrees to the request to undo; others are still to be asked."""
        if self.request is None or side in self.request.agreed:
            return self
        return replace(self, request=replace(self.request, agreed=(*self.request.agreed, side)))

    def without(self, undone: UndoneActions) -> "BattleRecord":
        """The same battle with some actions undone."""
        kept = (back for back in self.taken_back if back.place not in undone.replaced)
        return replace(
            self,
            events=tuple(each for each in self.events if each.n not in undone.numbers),
            taken_back=(*undone.taken_back, *kept),
            request=None,
        )


def battle_played(rulebook: GuidedRulebook[object], played: PlayedAction[object]) -> BattlePlayed:
    """An action that has just been played, for the journal."""
    action = played.action
    if not isinstance(action, BattleAction):
        raise TypeError(f"{action.kind} is no action of a guided battle")
    events = tuple(rulebook.write_events(played.events, brief=True))
    return BattlePlayed(action=action, rolls=played.rolls, events=events, place=played.place)


def recorded_action(entry: Entry, event: BattlePlayed) -> RecordedAction:
    """An action of the battle with its entry's number."""
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
    """The same of version 0.1.0, which kept the place with dice alone."""
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
    rulebook: GuidedRulebook[State], kind: str, data: Mapping[str, object], side: str | None
) -> tuple[BattleAction, tuple[Roll, ...]]:
    """An action of version 0.1.0, which had its dice in the action's data, without what for."""
    said = dict(data)
    if kind != EventKind.DICE:
        return rulebook.read_version_1(kind, said, side), ()
    how, values = said.pop("how", "typed"), said.pop("values")
    said.pop("rolls", None)
    if not isinstance(values, list):
        raise TypeError("dice are a list")
    rolled, kept = how == "rolled", how == "kept"
    rolls = tuple(Roll(faces_of(value), NO_WORDS, None, rolled, kept) for value in values)
    return rulebook.read_version_1(kind, said, side), rolls


def rolls_dice(event: BattlePlayed | OldBattlePlayed) -> bool:
    """Whether it is an action that rolls dice."""
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
    """What an event takes back; version 0.1.0 kept single figures by segment."""
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
