"""Parsers of requests about battles in free play."""

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Final, cast

from combat.actions import Action, ByShip, NextRound, SetMarks
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.questions import questions, read_keys, with_values
from combat.shot_file import found_in
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.schema import (
    Schema,
    Text,
    file_document,
    missing,
    one_of,
    optional_keys,
    present_values,
)

_PLACE: Final = "action"
NEXT_ROUND: Final = "next-round"
SET_MARKS: Final = "set-marks"


@file_document
class _Action:
    """The keys of every action."""

    kind: str


@file_document
class _ActionBy(_Action):
    """An action of a ship."""

    by: Text


@file_document
class _ActionByAt(_ActionBy):
    """An action of a ship at another."""

    at: Text


@file_document
class _ActionAt(_Action):
    """An action at a ship."""

    at: Text


@file_document
class _Marks(_Action):
    """Marks entered by hand."""

    ship: Text
    marks: dict[str, object]


_NEXT_ROUND: Final[Schema[_Action]] = Schema(_Action)
_SET_MARKS: Final[Schema[_Marks]] = Schema(_Marks)


def read_action(
    rulebook: FreeRulebook[object], state: FreeState[object], written: Mapping[str, object]
) -> Action:
    """The action that a request describes by its kind, ships and answers."""
    infos = rulebook.info_by_kind
    kind = one_of(written.get("kind"), (*infos, NEXT_ROUND, SET_MARKS), _PLACE, "kind")
    if kind == NEXT_ROUND:
        _NEXT_ROUND.read_table(written, _PLACE)
        return NextRound()
    if kind == SET_MARKS:
        entered = _SET_MARKS.read_table(written, _PLACE)
        return read_marks(rulebook, state, entered.ship, entered.marks)
    info = infos[kind]
    schema = _action_schema(cast("Hashable", info.type), info.at_ship)
    values = present_values(schema.read_table(written, _PLACE))
    for role in ("by", "at"):
        if role in values:
            values[role] = state.ship(str(values[role])).id
    for each in questions(info.type):
        if each.required and each.name not in values:
            raise missing(_PLACE, each.name, each.expected)
    return info.make(values)


@cache
def _action_schema(taken: type, at_ship: bool) -> Schema[object]:
    """The schema of an action type with the names of its fields as keys."""
    if issubclass(taken, ByShip):
        base: type[_Action] = _ActionByAt if at_ship else _ActionBy
    else:
        base = _ActionAt if at_ship else _Action
    answers = {each.name: each.annotation for each in questions(taken)}
    return Schema(optional_keys(taken.__name__, answers, base))


def read_marks(
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    ship_id: str,
    changes: Mapping[str, object],
) -> SetMarks[object]:
    """Marks entered by hand, with the keys of a shot file.

    Omitted marks stay unchanged as far as they fit those that are entered.
    """
    ship, unmarked = state.ship(ship_id), rulebook.state_type()
    place = f"marks of {ship.name}"
    read = read_keys(rulebook.state_type, changes, place)
    cleared = {
        each.name: getattr(unmarked, each.name)
        for each in questions(rulebook.state_type)
        if changes.get(each.key, ...) is None
    }
    before = state.marks[ship.id]
    wanted = with_values(rulebook.written(ship, before), {**cleared, **read})
    with found_in(place):
        fitting = rulebook.written(ship, rulebook.corrected(ship, before, wanted))
        marks = with_values(fitting, {**cleared, **read})
        rulebook.check_marks(ship, marks)
    return SetMarks(ship=ship.id, marks=marks)


def is_new(rulebook: FreeRulebook[object], state: FreeState[object], ship: Ship) -> bool:
    """Whether a ship has yet to be added. Raises if another ship has her name."""
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
