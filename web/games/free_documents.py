"""What a request says of a battle in free play, read as strictly as a file."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from combat.actions import Action, ByShip, NextRound, SetMarks
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.questions import questions, read_value
from tabletop.errors import BadField
from tabletop.fields import Fields
from tabletop.messages import Message

_PLACE: Final = "action"
NEXT_ROUND: Final = "next-round"
SET_MARKS: Final = "set-marks"


def read_action(
    rulebook: FreeRulebook[Any], state: FreeState[Any], written: Mapping[str, Any]
) -> Action:
    """The action that a request describes by its kind, its ships and its answers."""
    infos = rulebook.info_by_kind
    kind = Fields(written, _PLACE, (*written,)).choice("kind", (*infos, NEXT_ROUND, SET_MARKS))
    if kind == NEXT_ROUND:
        Fields(written, _PLACE, ("kind",))
        return NextRound()
    if kind == SET_MARKS:
        said = Fields(written, _PLACE, ("kind", "ship", "marks"))
        marks = said.value("marks", Message("schema.found.table"))
        if not isinstance(marks, Mapping):
            raise said.wrong("marks", Message("schema.found.table"), marks)
        return read_marks(rulebook, state, said.text("ship"), marks)
    taken = infos[kind].type
    said = Fields(written, _PLACE, [each.name for each in fields(taken)])
    values: dict[str, Any] = {"kind": kind}
    for role, has in (("by", issubclass(taken, ByShip)), ("at", infos[kind].at_ship)):
        if has:
            values[role] = state.ship(said.text(role)).id
    for each in questions(taken):
        if each.name in said:
            values[each.name] = read_value(each, said.value(each.name, each.expected), _PLACE)
        elif each.required:
            raise said.missing(each.name, each.expected)
    action: Action = taken(**values)
    return action


def read_marks(
    rulebook: FreeRulebook[Any], state: FreeState[Any], ship_id: str, changes: Mapping[str, Any]
) -> SetMarks[Any]:
    """Marks of a ship entered by hand, with the keys of a shot file; what is not named stays."""
    ship, unmarked = state.ship(ship_id), rulebook.state_type()
    asked = {each.key: each for each in questions(rulebook.state_type)}
    place = f"marks of {ship.name}"
    Fields(changes, place, asked)
    values = {
        asked[key].name: getattr(unmarked, asked[key].name)
        if value is None
        else read_value(asked[key], value, place)
        for key, value in changes.items()
    }
    marks = replace(rulebook.written(ship, state.marks[ship.id]), **values)
    return SetMarks(ship=ship.id, marks=marks)


def is_new(rulebook: FreeRulebook[Any], state: FreeState[Any], ship: Ship) -> bool:
    """Whether a ship is still to join; another of her name is an error."""
    known = next((other for other in state.ships if other.id == ship.id), None)
    card = rulebook.ship_type(ship)
    if known is None:
        return True
    if rulebook.ship_type(known).name != card.name:
        expected = Message("fight.expected.type", type=known.type)
        raise BadField("ships", ship.name, expected, ship.type)
    if known.side != ship.side:
        expected = Message("fight.expected.side", side=known.side)
        raise BadField("ships", ship.name, expected, ship.side)
    return False
