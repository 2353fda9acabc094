"""Actions of a guided battle and undone ones as JSON: in the journal and in exports."""

from collections.abc import Mapping, Sequence
from typing import Any

from combat.dice import Roll, faces_of
from combat.game import Played, TakenBack
from combat.guided_actions import BattleAction, RollDice
from combat.guided_play import EventKind, GuidedRulebook
from combat.rulebook import Place
from tabletop.messages import verbatim
from web.journal.battle_record import Undone, Written
from web.journal.rolls import read_roll, write_roll


def as_written(played: Played[Any]) -> Written:
    """An action that has just been played."""
    action = played.action
    if not isinstance(action, BattleAction):
        raise TypeError(f"{action.kind} is no action of a guided battle")
    return Written(action, played.rolls, played.events, played.place, played.state)


def write_entry(rulebook: GuidedRulebook[Any], written: Written) -> dict[str, Any]:
    """An action as the journal keeps it."""
    return {
        "action": rulebook.write_action(written.action),
        "rolls": [write_roll(roll) for roll in written.rolls],
        "events": rulebook.write_events(written.events, brief=True),
        "place": str(written.place),
    }


def read_entry(rulebook: GuidedRulebook[Any], data: Mapping[str, Any]) -> Written:
    """The action of an entry; that of version 0.1.0 has its dice in the action's data.

    Its events are for whoever reads the file: playing the action again gives them in full.
    """
    if "action" in data:
        action = rulebook.read_action(data["action"])
        rolls = tuple(read_roll(roll) for roll in data["rolls"])
        return Written(action, rolls, place=Place.read(data["place"]))
    said = dict(data["data"])
    fallen = _old_rolls(said) if data["kind"] == EventKind.DICE else ()
    action = rulebook.read_request(data["kind"], said, data["side"])
    place = Place.read(data["phase"]) if data.get("phase") else None
    return Written(action, fallen, place=place)


def rolls_dice(data: Mapping[str, Any]) -> bool:
    """Whether an entry has dice that were rolled."""
    kind = data["action"]["kind"] if "action" in data else data["kind"]
    return bool(kind == EventKind.DICE)


def _old_rolls(said: dict[str, Any]) -> tuple[Roll, ...]:
    """The dice of an entry of version 0.1.0, taken out of its data: it did not keep what for."""
    how, values = said.pop("how", "typed"), said.pop("values")
    said.pop("rolls", None)
    rolled, kept = how == "rolled", how == "kept"
    return tuple(Roll(faces_of(value), verbatim(""), None, rolled, kept) for value in values)


def write_undone(undone: Undone) -> dict[str, Any]:
    """An undo as the journal keeps it."""
    kept = [
        {"place": str(back.place), "rolls": [write_roll(roll) for roll in back.rolls]}
        for back in undone.taken_back
    ]
    return {"events": sorted(undone.numbers), "taken_back": kept}


def read_undone(data: Mapping[str, Any]) -> Undone:
    """The undo of an entry; version 0.1.0 kept single figures by segment."""
    numbers = frozenset(data["events"])
    if "tape" not in data:
        kept = (_taken_back(each["place"], each["rolls"]) for each in data["taken_back"])
        return Undone(numbers, tuple(kept))
    figures = {
        place: [{"value": figure, "purpose": ""} for figure in text]
        for place, text in data["tape"].items()
    }
    kept = (_taken_back(place, rolls) for place, rolls in figures.items() if rolls)
    return Undone(numbers, tuple(kept), frozenset(map(Place.read, figures)))


def _taken_back(place: str, rolls: Sequence[Mapping[str, Any]]) -> TakenBack:
    return TakenBack(RollDice(), tuple(read_roll(roll) for roll in rolls), Place.read(place))
