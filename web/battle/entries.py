"""Actions of a guided battle as entries of the journal, and undone ones."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from combat.battle import EventKind, GuidedRulebook
from combat.battle_actions import BattleAction, RollDice
from combat.dice import Roll
from combat.game import Played, TakenBack
from combat.rulebook import Place
from web.rolls import read_roll, write_roll


def written_action(rulebook: GuidedRulebook[Any], played: Played[Any]) -> dict[str, Any]:
    """An action as the journal keeps it: with its rolls, and with what it led to."""
    return {
        "action": rulebook.write_action(played.action),
        "rolls": [write_roll(roll) for roll in played.rolls],
        "events": rulebook.write_events(played.events),
        "place": str(played.place),
    }


def written_undo(numbers: Collection[int], taken_back: Sequence[TakenBack]) -> dict[str, Any]:
    """An undo as the journal keeps it: what is undone, and the rolls that are kept."""
    kept = [
        {"place": str(back.place), "rolls": [write_roll(roll) for roll in back.rolls]}
        for back in taken_back
    ]
    return {"events": sorted(numbers), "taken_back": kept}


def read_entry(
    rulebook: GuidedRulebook[Any], data: Mapping[str, Any]
) -> tuple[BattleAction, tuple[Roll, ...], Place | None]:
    """The action of an entry, its rolls, and where it was played.

    An entry of version 0.1.0 has its dice in the action's data, and a place only with dice.
    """
    if "action" in data:
        rolls = tuple(read_roll(roll) for roll in data["rolls"])
        return rulebook.read_action(data["action"]), rolls, Place.read(data["place"])
    said = dict(data["data"])
    fallen = _old_rolls(said) if data["kind"] == EventKind.DICE else ()
    action = rulebook.read_request(data["kind"], said, data["side"])
    return action, fallen, Place.read(data["phase"]) if data.get("phase") else None


def rolls_dice(data: Mapping[str, Any]) -> bool:
    """Whether an entry has dice that were rolled."""
    kind = data["action"]["kind"] if "action" in data else data["kind"]
    return bool(kind == EventKind.DICE)


def _old_rolls(said: dict[str, Any]) -> tuple[Roll, ...]:
    """The dice of an entry of version 0.1.0, taken out of its data: it did not keep what for."""
    how, values = said.pop("how", "typed"), said.pop("values")
    said.pop("rolls", None)
    return tuple(Roll(value, "", None, how == "rolled", how == "kept") for value in values)


def read_undone(data: Mapping[str, Any]) -> tuple[tuple[TakenBack, ...], frozenset[Place]]:
    """The rolls that an undo kept, and the places whose earlier ones they replace.

    Version 0.1.0 kept single figures, and all of a segment anew with every undo.
    """
    if "tape" not in data:
        kept = data["taken_back"]
        return tuple(_taken_back(each["place"], each["rolls"]) for each in kept), frozenset()
    tape = data["tape"]
    figures = ((at, [{"value": each, "purpose": ""} for each in text]) for at, text in tape.items())
    return tuple(_taken_back(at, rolls) for at, rolls in figures), frozenset(map(Place.read, tape))


def _taken_back(place: str, rolls: Sequence[Mapping[str, Any]]) -> TakenBack:
    return TakenBack(RollDice(), tuple(read_roll(roll) for roll in rolls), Place.read(place))
