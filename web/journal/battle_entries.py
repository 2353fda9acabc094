"""What events of a guided battle say, as its record and its game have it."""

from collections.abc import Mapping
from typing import Any

from combat.dice import Roll, faces_of
from combat.game import PlayedAction, UndoneRolls
from combat.guided_actions import BattleAction, RollDice
from combat.guided_play import EventKind, GuidedRulebook
from combat.rulebook import Place
from tabletop.messages import NO_WORDS
from web.journal.battle_record import RecordedAction, UndoneActions
from web.journal.entries import Entry
from web.journal.events import (
    BattlePlayed,
    BattleUndone,
    OldBattlePlayed,
    OldBattleUndone,
    RollsTakenBack,
)


def battle_played(rulebook: GuidedRulebook[Any], played: PlayedAction[Any]) -> BattlePlayed:
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
    entry: Entry, event: OldBattlePlayed, rulebook: GuidedRulebook[Any]
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
    rulebook: GuidedRulebook[Any], kind: str, data: Mapping[str, Any], side: str | None
) -> tuple[BattleAction, tuple[Roll, ...]]:
    """An action of version 0.1.0, which had its dice in the action's data, without what for."""
    said = dict(data)
    if kind != EventKind.DICE:
        return rulebook.read_version_1(kind, said, side), ()
    how, values = said.pop("how", "typed"), said.pop("values")
    said.pop("rolls", None)
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
