"""The table as the players have entered it: what replaying the journal gives.

Nothing here reads a clock, a file or a camera. Each event is data; `apply` turns one state and
one entry into the next state. What the camera sees is laid over it by `web.session`.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from combat.guided_actions import BattleSetup
from combat.sides import Sides, checked, usual
from tabletop.closecall import Question
from tabletop.errors import DreyerError
from tabletop.table import SmokeFront
from web.games.guided_game import guided_rulebook
from web.journal.battle_entries import read_entry, read_undone
from web.journal.battle_record import BattleRecord, Recorded, Undone, UndoRequest, Written
from web.journal.entries import NEWER, Entry, Kind
from web.journal.free_record import FreeBattles, FreeEntry, FreeKind, FreeRecord
from web.table.battle_plan import BattlePlan, read_plan
from web.table.pieces import (
    Couple,
    Decision,
    Declaration,
    Front,
    Origin,
    Piece,
    Placement,
    Premeasure,
    Ruling,
    Standing,
    read_pose,
    read_sides,
)

_ANGLES: Final = (Question.QUADRANT, Question.ASPECT)


def _empty() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that was entered, at one moment."""

    title: str = ""
    ruleset: str = ""
    yards_per_inch: float = 0.0
    width_yards: float = 0.0
    height_yards: float = 0.0
    pieces: Mapping[str, Piece] = field(default_factory=_empty)
    smoke: tuple[Front, ...] = ()
    premeasure: Premeasure = Premeasure.OPEN
    decisions: Mapping[tuple[str, str, str], Decision] = field(default_factory=_empty)
    """By firer, target and question."""
    rulings: Mapping[Couple, Ruling] = field(default_factory=_empty)
    declared: Mapping[Couple, Declaration] = field(default_factory=_empty)
    free: FreeBattles = field(default_factory=FreeBattles)
    """The battles in free play, one for each rulebook."""
    battle: BattleRecord | None = None
    plan: BattlePlan | None = None
    """How the battle on this table is meant to begin, where somebody has said it."""
    sides: Sides = field(default_factory=lambda: usual().sides)

    @property
    def is_open(self) -> bool:
        """Whether a table has been laid at all."""
        return bool(self.ruleset)


def replay(entries: Iterable[Entry], state: TableState | None = None) -> TableState:
    """The state after these entries."""
    state = state or TableState()
    for entry in entries:
        state = apply(state, entry)
    return state


def apply(state: TableState, entry: Entry) -> TableState:
    """The state after one more entry."""
    step = _STEPS.get(entry.event.kind)
    if step is None:
        raise DreyerError(NEWER.code)
    return step(state, entry, entry.event.data)


def _with(mapping: Mapping[Any, Any], key: object, value: object) -> Mapping[Any, Any]:
    return MappingProxyType({**mapping, key: value})


def _without(mapping: Mapping[Any, Any], gone: Callable[[Any], bool]) -> Mapping[Any, Any]:
    return MappingProxyType({key: value for key, value in mapping.items() if not gone(key)})


def _each(mapping: Mapping[Any, Any], change: Callable[[Any], Any]) -> Mapping[Any, Any]:
    return MappingProxyType({key: change(value) for key, value in mapping.items()})


def _standing(data: Mapping[str, Any]) -> Standing:
    return Standing(read_pose(data["firer_pose"]), read_pose(data["target_pose"]))


def _read_piece(data: Mapping[str, Any], entry: Entry) -> Piece:
    placed = data.get("pose")
    return Piece(
        name=data["name"],
        type=data.get("type"),
        side=data["side"],
        size=data.get("size"),
        length_yards=data["length_yards"],
        width_yards=data["width_yards"],
        bridge_yards=data.get("bridge_yards", 0.0),
        placement=(
            Placement(read_pose(placed), Origin.SETUP, entry.who, "", entry.seconds)
            if placed
            else None
        ),
    )


def _table_opened(before: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    return TableState(
        title=data["title"],
        ruleset=data["ruleset"],
        yards_per_inch=data["yards_per_inch"],
        width_yards=data["width_yards"],
        height_yards=data["height_yards"],
        pieces=MappingProxyType(
            {piece["name"]: _read_piece(piece, entry) for piece in data["ships"]}
        ),
        smoke=tuple(
            Front(number, SmokeFront(*ends)) for number, ends in enumerate(data["smoke"], start=1)
        ),
        premeasure=Premeasure(data.get("premeasure", Premeasure.OPEN)),
        plan=read_plan(data["plan"], data["ruleset"]) if data.get("plan") else None,
        sides=_sides(data) if "sides" in data else usual().sides,
        # A battle in free play goes on, whatever lies on the table.
        free=before.free,
    )


def _table_sized(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    """Everything stays where it is in inches, so with another scale its yards change.

    Angles that were settled still hold then; distances in yards are open again.
    """
    sized = replace(
        state,
        yards_per_inch=data["yards_per_inch"],
        width_yards=data["width_yards"],
        height_yards=data["height_yards"],
    )
    factor = data["yards_per_inch"] / (state.yards_per_inch or data["yards_per_inch"])
    if math.isclose(factor, 1.0):
        return sized
    return replace(
        sized,
        pieces=_each(state.pieces, lambda piece: piece.scaled(factor)),
        smoke=tuple(front.scaled(factor) for front in state.smoke),
        decisions=_each(
            _without(state.decisions, lambda key: key[2] not in _ANGLES),
            lambda decision: decision.scaled(factor),
        ),
        rulings=_each(
            _without(state.rulings, lambda key: state.rulings[key].range_yards is not None),
            lambda ruling: ruling.scaled(factor),
        ),
        declared=_each(state.declared, lambda declared: declared.scaled(factor)),
    )


def _sides_set(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return replace(state, sides=_sides(data))


def _sides(data: Mapping[str, Any]) -> Sides:
    return checked(read_sides(data["sides"]), "this table")


def _ship_added(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    return replace(state, pieces=_with(state.pieces, data["name"], _read_piece(data, entry)))


def _ship_removed(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    name = data["name"]
    return replace(
        state,
        pieces=_without(state.pieces, lambda key: key == name),
        decisions=_without(state.decisions, lambda key: name in key[:2]),
        rulings=_without(state.rulings, lambda key: name in key),
        declared=_without(state.declared, lambda key: name in key),
    )


def _ship_sided(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return _change_piece(state, data["name"], side=data["side"])


def _ships_placed(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    pieces = dict(state.pieces)
    origin, reason = Origin(data["origin"]), data.get("reason", "")
    for placed in data["ships"]:
        placement = Placement(read_pose(placed), origin, entry.who, reason, entry.seconds)
        pieces[placed["name"]] = replace(pieces[placed["name"]], placement=placement, follows=False)
    return replace(state, pieces=MappingProxyType(pieces))


def _change_piece(state: TableState, name: str, **changes: Any) -> TableState:
    return replace(state, pieces=_with(state.pieces, name, replace(state.pieces[name], **changes)))


def _ship_follows(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return _change_piece(state, data["name"], follows=True)


def _ship_lifted(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return _change_piece(state, data["name"], placement=None, follows=False)


def _smoke_laid(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    front = Front(data["id"], SmokeFront(data["x1"], data["y1"], data["x2"], data["y2"]))
    return replace(state, smoke=(*state.smoke, front))


def _smoke_cleared(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return replace(state, smoke=tuple(each for each in state.smoke if each.id != data["id"]))


def _decided(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    decision = Decision(
        what=data["what"],
        reading=data["reading"],
        who=entry.who,
        seconds=entry.seconds,
        standing=_standing(data),
    )
    key = (data["firer"], data["target"], data["what"])
    return replace(state, decisions=_with(state.decisions, key, decision))


def _reopened(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    gone = (data["firer"], data["target"], data["what"])
    return replace(state, decisions=_without(state.decisions, lambda key: key == gone))


def _ruled(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    ruling = Ruling(
        range_yards=data["range_yards"],
        quadrant=data["quadrant"],
        aspect=data["aspect"],
        blocked=data["blocked"],
        smoke=data["smoke"],
        reason=data["reason"],
        who=entry.who,
        seconds=entry.seconds,
        standing=_standing(data),
    )
    return replace(state, rulings=_with(state.rulings, (data["firer"], data["target"]), ruling))


def _unruled(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    gone = (data["firer"], data["target"])
    return replace(state, rulings=_without(state.rulings, lambda key: key == gone))


def _declared(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    declaration = Declaration(entry.who, entry.seconds, _standing(data))
    return replace(
        state, declared=_with(state.declared, (data["firer"], data["target"]), declaration)
    )


def _premeasure(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return replace(state, premeasure=Premeasure(data["mode"]), declared=_empty())


def _battle_begun(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    edition, owner_values = data.get("edition", 1), data.get("owner_values", "")
    setup = entry.event.value
    if not isinstance(setup, BattleSetup):
        rulebook = guided_rulebook(state.ruleset, owner_values, edition)
        setup = rulebook.read_setup(data["setup"])
    return replace(state, battle=BattleRecord(setup, owner_values, entry.n, edition))


def _battle(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    record = state.battle
    if record is None:
        return state
    played = entry.event.value
    if not isinstance(played, Written):
        rulebook = guided_rulebook(state.ruleset, record.owner_values, record.edition)
        played = read_entry(rulebook, data)
    recorded = Recorded(entry.n, entry.seconds, entry.seat, entry.who, played)
    return replace(state, battle=record.with_event(recorded))


def _undo_asked(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    request = UndoRequest(data["after"], entry.seat, entry.who, data["side"], data["words"])
    return _change_battle(state, lambda record: replace(record, request=request))


def _undo_agreed(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return _change_battle(state, lambda record: record.with_consent(data["side"]))


def _undo_refused(state: TableState, _: Entry, __: Mapping[str, Any]) -> TableState:
    return _change_battle(state, lambda record: replace(record, request=None))


def _undone(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    undone = entry.event.value
    if not isinstance(undone, Undone):
        undone = read_undone(data)
    return _change_battle(state, lambda record: record.without(undone))


def _change_battle(state: TableState, change: Callable[[BattleRecord], BattleRecord]) -> TableState:
    return replace(state, battle=change(state.battle)) if state.battle else state


def _free_begun(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    record = FreeRecord(data["ruleset"], data["edition"], data["owner_values"], entry.n)
    return replace(state, free=state.free.begun(record))


def _free_entry(kind: FreeKind) -> Callable[[TableState, Entry, Mapping[str, Any]], TableState]:
    def apply_entry(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
        played = entry.event.value if isinstance(entry.event.value, tuple) else ()
        written = FreeEntry(entry.n, entry.seconds, entry.seat, entry.who, kind, data, played)
        return replace(state, free=state.free.with_entry(data["ruleset"], written))

    return apply_entry


def _attack_undone(state: TableState, entry: Entry, data: Mapping[str, Any]) -> TableState:
    """An undo of version 0.1.0 names the attack alone."""
    found = (
        name
        for name, record in state.free.records.items()
        if any(each.n == data["n"] for each in record.entries)
    )
    ruleset = next(found, None)
    if ruleset is None:
        raise DreyerError("errors.no_attack_to_undo", count=entry.n)
    return _free_entry(FreeKind.OLD_UNDO)(state, entry, {**data, "ruleset": ruleset})


def _free_ended(state: TableState, _: Entry, data: Mapping[str, Any]) -> TableState:
    return replace(state, free=state.free.ended(data["ruleset"]))


def _said(state: TableState, _: Entry, __: Mapping[str, Any]) -> TableState:
    """Only the log tells of it."""
    return state


_STEPS: Final[Mapping[Kind, Callable[[TableState, Entry, Mapping[str, Any]], TableState]]] = {
    Kind.TABLE_OPENED: _table_opened,
    Kind.TABLE_SIZED: _table_sized,
    Kind.SIDES_SET: _sides_set,
    Kind.SHIP_ADDED: _ship_added,
    Kind.SHIP_REMOVED: _ship_removed,
    Kind.SHIP_SIDED: _ship_sided,
    Kind.SHIPS_PLACED: _ships_placed,
    Kind.SHIP_FOLLOWS: _ship_follows,
    Kind.SHIP_LIFTED: _ship_lifted,
    Kind.SMOKE_LAID: _smoke_laid,
    Kind.SMOKE_CLEARED: _smoke_cleared,
    Kind.DECIDED: _decided,
    Kind.REOPENED: _reopened,
    Kind.RULED: _ruled,
    Kind.UNRULED: _unruled,
    Kind.DECLARED: _declared,
    Kind.PREMEASURE: _premeasure,
    Kind.BATTLE_BEGUN: _battle_begun,
    Kind.BATTLE: _battle,
    Kind.UNDO_ASKED: _undo_asked,
    Kind.UNDO_AGREED: _undo_agreed,
    Kind.UNDO_REFUSED: _undo_refused,
    Kind.UNDONE: _undone,
    Kind.FREE_BEGUN: _free_begun,
    Kind.FREE_PLAYED: _free_entry(FreeKind.PLAYED),
    Kind.FREE_UNDONE: _free_entry(FreeKind.UNDONE),
    Kind.FREE_ENDED: _free_ended,
    Kind.ATTACK_MADE: _free_entry(FreeKind.OLD_ATTACK),
    Kind.ATTACK_UNDONE: _attack_undone,
    Kind.ATTACK_ROUND: _free_entry(FreeKind.OLD_ROUND),
    Kind.FIGHT_ENDED: _free_ended,
    Kind.SET_UP: _said,
    Kind.JOINED: _said,
    Kind.LEFT: _said,
}
