"""The table as entered by the players: the result of replaying the journal.

Nothing here reads a clock, a file or a camera. `apply` makes the next state from a state and an
entry. `web.session` combines it with what the camera sees.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeVar

from combat.sides import Sides, checked, usual
from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError
from tabletop.places import NamedDocument
from tabletop.table import SmokeFront
from web.games.guided_game import guided_rulebook
from web.journal import events
from web.journal.battle_plan import BattlePlan
from web.journal.battle_record import (
    BattleRecord,
    UndoRequest,
    old_recorded_action,
    recorded_action,
    undone_by,
)
from web.journal.events import NEWER, Entry, Origin, Premeasure
from web.journal.free_record import FreeBattles, FreeEntry, FreeEvent, FreeRecord
from web.table.pieces import (
    Couple,
    Decision,
    Declaration,
    Front,
    PairPoses,
    Piece,
    Placement,
    Ruling,
)

_ANGLES: Final = (CloseCallKind.QUADRANT, CloseCallKind.ASPECT)


K = TypeVar("K")
V = TypeVar("V")


def _empty() -> Mapping[K, V]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that was entered."""

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
    """The battles in free play, by rulebook."""
    battle: BattleRecord | None = None
    plan: BattlePlan | None = None
    """The plan of the next battle on this table, if any."""
    sides: Sides = field(default_factory=lambda: usual().sides)
    demo: bool = False
    """Whether it is the demo battle, which the rendered camera shows."""

    @property
    def is_open(self) -> bool:
        """Whether a table is open."""
        return bool(self.ruleset)


def replay(entries: Iterable[Entry], state: TableState | None = None) -> TableState:
    """The state after these entries."""
    state = state or TableState()
    for entry in entries:
        state = apply(state, entry)
    return state


def apply(state: TableState, entry: Entry) -> TableState:
    """The state after another entry."""
    match entry.event:
        case events.TableOpened() as event:
            return _table_opened(state, entry, event)
        case events.TableSized() as event:
            return _table_sized(state, event)
        case events.SidesSet(sides=sides):
            return replace(state, sides=_checked(sides))
        case events.ShipAdded() as event:
            return replace(state, pieces=_with(state.pieces, event.name, _piece(event, entry)))
        case events.ShipRemoved(name=name):
            return _without_ship(state, name)
        case events.ShipSided(name=name, side=side):
            return _change_piece(state, name, lambda piece: replace(piece, side=side))
        case events.ShipsPlaced() as event:
            return _ships_placed(state, entry, event)
        case events.ShipFollows(name=name):
            return _change_piece(state, name, lambda piece: replace(piece, follows=True))
        case events.ShipLifted(name=name):
            return _change_piece(
                state, name, lambda piece: replace(piece, placement=None, follows=False)
            )
        case events.SmokeLaid() as event:
            front = Front(event.id, SmokeFront(event.x1, event.y1, event.x2, event.y2))
            return replace(state, smoke=(*state.smoke, front))
        case events.SmokeCleared(id=number):
            return replace(state, smoke=tuple(each for each in state.smoke if each.id != number))
        case events.PremeasureSet(mode=mode):
            return replace(state, premeasure=mode, declared=_empty())
        case events.SetUp() | events.Joined() | events.Left():
            # Only the log shows it.
            return state
    settled = _settled(state, entry)
    found = _battle(state, entry) if settled is None else settled
    found = _free(state, entry) if found is None else found
    if found is None:
        raise DreyerError(NEWER.code)
    return found


def _with(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return MappingProxyType({**mapping, key: value})


def _without(mapping: Mapping[K, V], gone: Callable[[K], bool]) -> Mapping[K, V]:
    return MappingProxyType({key: value for key, value in mapping.items() if not gone(key)})


def _each(mapping: Mapping[K, V], change: Callable[[V], V]) -> Mapping[K, V]:
    return MappingProxyType({key: change(value) for key, value in mapping.items()})


def _change_piece(state: TableState, name: str, change: Callable[[Piece], Piece]) -> TableState:
    return replace(state, pieces=_with(state.pieces, name, change(state.pieces[name])))


# The table


def _piece(facts: events.ShipFacts, entry: Entry) -> Piece:
    return Piece(
        name=facts.name,
        type=facts.type,
        side=facts.side,
        size=facts.size,
        length_yards=facts.length_yards,
        width_yards=facts.width_yards,
        bridge_yards=facts.bridge_yards,
        placement=(
            Placement(facts.pose, Origin.SETUP, entry.who, "", entry.seconds, entry.n)
            if facts.pose
            else None
        ),
    )


def _table_opened(before: TableState, entry: Entry, event: events.TableOpened) -> TableState:
    return TableState(
        title=event.title,
        ruleset=event.ruleset,
        yards_per_inch=event.yards_per_inch,
        width_yards=event.width_yards,
        height_yards=event.height_yards,
        pieces=MappingProxyType({ship.name: _piece(ship, entry) for ship in event.ships}),
        smoke=tuple(Front(number, front) for number, front in enumerate(event.smoke, start=1)),
        premeasure=event.premeasure,
        plan=event.plan,
        sides=_checked(event.sides) if event.sides is not None else usual().sides,
        demo=event.demo,
        # A battle in free play continues on another table.
        free=before.free,
    )


def _table_sized(state: TableState, event: events.TableSized) -> TableState:
    """Change the size or scale; positions in inches stay, so with another scale yards change.

    Settled angles remain valid then; settled distances do not.
    """
    sized = replace(
        state,
        yards_per_inch=event.yards_per_inch,
        width_yards=event.width_yards,
        height_yards=event.height_yards,
    )
    factor = event.yards_per_inch / (state.yards_per_inch or event.yards_per_inch)
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


def _checked(sides: Sides) -> Sides:
    return checked(sides, NamedDocument.TABLE)


def _without_ship(state: TableState, name: str) -> TableState:
    return replace(
        state,
        pieces=_without(state.pieces, lambda key: key == name),
        decisions=_without(state.decisions, lambda key: name in key[:2]),
        rulings=_without(state.rulings, lambda key: name in key),
        declared=_without(state.declared, lambda key: name in key),
    )


def _ships_placed(state: TableState, entry: Entry, event: events.ShipsPlaced) -> TableState:
    pieces = dict(state.pieces)
    for placed in event.ships:
        placement = Placement(
            placed.pose, event.origin, entry.who, event.reason, entry.seconds, entry.n
        )
        pieces[placed.name] = replace(pieces[placed.name], placement=placement, follows=False)
    return replace(state, pieces=MappingProxyType(pieces))


# Settlements


def _settled(state: TableState, entry: Entry) -> TableState | None:
    """The state after a settlement; None for other entries."""
    match entry.event:
        case events.Decided() as event:
            decision = Decision(
                what=event.what,
                reading=event.reading,
                who=entry.who,
                seconds=entry.seconds,
                standing=PairPoses(event.firer_pose, event.target_pose),
            )
            key = (*event.pair, event.what)
            return replace(state, decisions=_with(state.decisions, key, decision))
        case events.Reopened() as event:
            gone = (*event.pair, event.what)
            return replace(state, decisions=_without(state.decisions, lambda key: key == gone))
        case events.Ruled() as event:
            ruling = Ruling(
                range_yards=event.range_yards,
                quadrant=event.quadrant,
                aspect=event.aspect,
                blocked=event.blocked,
                smoke=event.smoke,
                reason=event.reason,
                who=entry.who,
                seconds=entry.seconds,
                standing=PairPoses(event.firer_pose, event.target_pose),
            )
            return replace(state, rulings=_with(state.rulings, event.pair, ruling))
        case events.Unruled() as event:
            pair = event.pair
            return replace(state, rulings=_without(state.rulings, lambda key: key == pair))
        case events.Declared() as event:
            standing = PairPoses(event.firer_pose, event.target_pose)
            declaration = Declaration(entry.who, entry.seconds, standing)
            return replace(state, declared=_with(state.declared, event.pair, declaration))
    return None


# A guided battle


def _battle(state: TableState, entry: Entry) -> TableState | None:
    """The state after an event of a guided battle; None for other entries."""
    match entry.event:
        case events.BattleBegun() as event:
            record = BattleRecord(event.setup, event.owner_values, entry.n, event.edition)
            return replace(state, battle=record)
        case events.BattlePlayed() as event:
            played = recorded_action(entry, event)
            return _change_battle(state, lambda record: record.with_event(played))
        case events.OldBattlePlayed() as event:
            return _old_battle_played(state, entry, event)
        case events.UndoAsked() as event:
            request = UndoRequest(
                entry.n,
                event.after,
                entry.seat,
                entry.who,
                event.side,
                event.words,
                retype=event.retype,
            )
            return _change_battle(
                state, lambda record: replace(record, request=request, refused=None)
            )
        case events.CaptainSet(side=side, captain=captain):
            return _change_battle(state, lambda record: record.with_captain(side, captain))
        case events.UndoAgreed(side=side):
            return _change_battle(state, lambda record: record.with_consent(side))
        case events.UndoRefused(withdrawn=withdrawn):
            return _change_battle(
                state, lambda record: record.with_refusal(entry.who, withdrawn=withdrawn)
            )
        case events.BattleUndone() | events.OldBattleUndone() as event:
            undone = undone_by(event)
            return _change_battle(state, lambda record: record.without(undone))
    return None


def _old_battle_played(
    state: TableState, entry: Entry, event: events.OldBattlePlayed
) -> TableState:
    if state.battle is None:
        return state
    record = state.battle
    rulebook = guided_rulebook(state.ruleset, record.owner_values, record.edition)
    return replace(state, battle=record.with_event(old_recorded_action(entry, event, rulebook)))


def _change_battle(state: TableState, change: Callable[[BattleRecord], BattleRecord]) -> TableState:
    return replace(state, battle=change(state.battle)) if state.battle else state


# Battles in free play


def _free(state: TableState, entry: Entry) -> TableState | None:
    """The state after an event of free play; None for other entries."""
    match entry.event:
        case events.FreeBegun() as event:
            record = FreeRecord(event.ruleset, event.edition, event.owner_values, entry.n)
            return replace(state, free=state.free.begun(record))
        case (
            events.FreePlayed() | events.FreeUndone() | events.AttackMade() | events.AttackRound()
        ) as event:
            return _free_entry(state, entry, event, event.ruleset)
        case events.AttackUndone() as event:
            return _free_entry(state, entry, event, _ruleset_of_attack(state, entry, event))
        case events.FreeEnded(ruleset=ruleset) | events.FightEnded(ruleset=ruleset):
            return replace(state, free=state.free.ended(ruleset))
    return None


def _free_entry(state: TableState, entry: Entry, event: FreeEvent, ruleset: str) -> TableState:
    written = FreeEntry(entry.n, entry.seconds, entry.seat, entry.who, event)
    return replace(state, free=state.free.with_entry(ruleset, written))


def _ruleset_of_attack(state: TableState, entry: Entry, event: events.AttackUndone) -> str:
    """The rulebook of an attack, which an undo of version 0.1.0 does not store."""
    for name, record in state.free.records.items():
        if any(each.n == event.n for each in record.entries):
            return name
    raise DreyerError("errors.no_attack_to_undo", count=entry.n)
