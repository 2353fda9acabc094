"""What an umpire may set right: a ship's marks and place, the score, the optional rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Final

from combat.corrections import CorrectableValue, ValueForm, typed
from combat.optional_rules import OptionalRule, optional_rules
from combat.participants import ShipStatus
from combat.rulebooks.grand_fleets.damage import battery_names
from combat.rulebooks.grand_fleets.fleet import points_for_leaving
from combat.rulebooks.grand_fleets.guided_battle.actions import Conditions, ShipValues
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState
from combat.rulebooks.grand_fleets.table_files import MARKERS
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.tables import TableSet
from tabletop.errors import BadField, UnknownName
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace
from tabletop.schema import bounds

_ROWS: Final = ("dice_lost", "torpedoes_fired", "torpedoes_lost")
"""Marks with a number for each battery or kind of torpedo."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A battle with values set right, and what has changed."""

    state: FleetState
    changes: tuple[Message, ...]


def correctable_ship(state: FleetState, name: str) -> tuple[CorrectableValue, ...]:
    """What an umpire may set right of a ship, as it is now."""
    now, vessel = _values_of(state, name), state.vessel(name)
    names: dict[str, Mapping[str, Message]] = {
        "dice_lost": {key: verbatim(words) for key, words in battery_names(vessel).items()},
        "marker": {key: Message(f"grand_fleets.choice.marker.{key}") for key in MARKERS},
    }
    pose = CorrectableValue("pose", ValueForm.POSE, _title("pose"), "")
    values = (
        CorrectableValue(
            key, _FORMS[key], _title(key), typed(value), tuple(names.get(key, {}).items())
        )
        for key, value in now.items()
    )
    return pose, *values


def correctable_battle(
    state: FleetState, rules: Iterable[OptionalRule]
) -> tuple[CorrectableValue, ...]:
    """What an umpire may set right of the whole battle, as it is now."""
    sides = tuple((side, verbatim(state.side_title(side))) for side in state.sides)
    score = CorrectableValue(
        "score", ValueForm.PAIRS, _title("score"), typed(dict(state.score)), sides
    )
    options = (
        CorrectableValue(each.key, ValueForm.FLAG, each.title, typed(each.on)) for each in rules
    )
    return score, *options


def corrected_ship(state: FleetState, name: str, values: ShipValues, tables: TableSet) -> Corrected:
    """A battle with some of a ship's values set; points follow whether she is sunk or has left."""
    place = DocumentPlace(name)
    before, vessel = _values_of(state, name), state.vessel(name)
    stated = {
        each.name: getattr(values, each.name)
        for each in fields(values)
        if each.name != "pose" and getattr(values, each.name) is not None
    }
    _check_counts(vessel, stated, place)
    for key in _ROWS:
        if key in stated:
            counts = {**getattr(vessel.marks, key), **stated[key]}
            stated[key] = {row: count for row, count in counts.items() if count}
    after = state.with_marks(name, **stated)
    if values.pose is not None:
        after = after.with_poses({name: values.pose})
    scored = _points(after.vessel(name), tables) - _points(vessel, tables)
    if scored:
        enemy = state.other_side(state.ship(name).side)
        points = max(0, state.score[enemy] + scored)
        after = replace(after, score=MappingProxyType({**state.score, enemy: points}))
    now = _values_of(after, name)
    changes = [_change(key, before[key], now[key]) for key in now if now[key] != before[key]]
    if values.pose is not None:
        changes.append(_title("pose"))
    return Corrected(after, tuple(changes))


def corrected_battle(state: FleetState, values: Conditions) -> Corrected:
    """A battle with its score or its optional rules set."""
    changes = []
    if values.score is not None:
        for side in values.score:
            if side not in state.sides:
                raise UnknownName(DocumentPlace("correct"), "side", side, state.sides)
        score = {**state.score, **values.score}
        changes.append(_change("score", dict(state.score), score))
        state = replace(state, score=MappingProxyType(score))
    for each in optional_rules(state.options):
        on = getattr(values, each.key)
        if on is not None:
            state = replace(state, options=replace(state.options, **{each.key: on}))
            changes.append(_changed(each.title, typed(each.on), typed(on)))
    return Corrected(state, tuple(changes))


_FORMS: Final = {
    "hull_lost": ValueForm.WHOLE,
    "speed_lost": ValueForm.WHOLE,
    "dice_lost": ValueForm.PAIRS,
    "torpedoes_fired": ValueForm.PAIRS,
    "torpedoes_lost": ValueForm.PAIRS,
    "marker": ValueForm.CHOICE,
    "out_of_command": ValueForm.FLAG,
    "left_table": ValueForm.FLAG,
    "command_quality": ValueForm.WHOLE,
}


def _values_of(state: FleetState, name: str) -> dict[str, object]:
    """A ship's marks; batteries and torpedoes with all that her card has."""
    vessel = state.vessel(name)
    rows = _rows_of(vessel)
    return {
        key: {row: getattr(vessel.marks, key).get(row, 0) for row in rows[key]}
        if key in rows
        else getattr(vessel.marks, key)
        for key in _FORMS
        if key not in rows or rows[key]
    }


def _rows_of(vessel: Vessel) -> dict[str, Mapping[str, int]]:
    """How much there is of each battery and each kind of torpedo."""
    dice = {str(row): len(boxes) for row, boxes in vessel.card.dice_boxes.items()}
    carried = vessel.card.torpedoes.carried if vessel.card.torpedoes else {}
    tubes = {str(tube): count for tube, count in carried.items()}
    return {"dice_lost": dice, "torpedoes_fired": tubes, "torpedoes_lost": tubes}


def _check_counts(vessel: Vessel, stated: Mapping[str, object], place: DocumentPlace) -> None:
    """Raise BadField for more than her card has."""
    most = {"hull_lost": vessel.hull_boxes, "speed_lost": len(vessel.card.speed)}
    for key, boxes in most.items():
        if key in stated:
            _check_most(place, key, stated[key], boxes)
    for key, rows in _rows_of(vessel).items():
        counts = stated.get(key)
        if isinstance(counts, Mapping):
            for row, count in counts.items():
                if row not in rows:
                    raise UnknownName(place.key(key), "row", str(row), rows)
                _check_most(place.key(key), str(row), count, rows[row])


def _check_most(place: DocumentPlace, key: str, found: object, most: int) -> None:
    if isinstance(found, int) and found > most:
        raise BadField(place, key, bounds("whole", least=0, most=most), str(found))


def _points(vessel: Vessel, tables: TableSet) -> int:
    """What the enemy has scored for a ship as she is."""
    points = vessel.card.victory_points or 0
    match vessel.status:
        case ShipStatus.SUNK:
            return points
        case ShipStatus.WITHDRAWN:
            return points_for_leaving(points, tables)
    return 0


def _change(key: str, before: object, now: object) -> Message:
    return _changed(_title(key), typed(before), typed(now))


def _changed(title: Message, before: str, now: str) -> Message:
    return Message(
        "grand_fleets.battle_story.changed", value=title, before=before or "–", now=now or "–"
    )


def _title(key: str) -> Message:
    return Message(f"grand_fleets.value.{key}")
