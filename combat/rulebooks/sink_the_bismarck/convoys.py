"""Convoys: attack, movement and entry, all without dice (9)."""

from combat.events import Event
from combat.previews import Forbidden
from combat.rulebooks.sink_the_bismarck.actions import (
    HEXES,
    Attacker,
    ConvoyAttack,
    ConvoyEntry,
    ConvoyMove,
    Phase,
)
from combat.rulebooks.sink_the_bismarck.events import (
    ConvoyDestroyed,
    ConvoyEntered,
    ConvoyMoved,
    DummyConvoyRemoved,
)
from combat.rulebooks.sink_the_bismarck.table_files import UNKNOWN
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import strength_of
from tabletop.messages import Message


def attack_strength(action: ConvoyAttack) -> Strength:
    """A convoy that may be attacked is destroyed (9.10)."""
    if action.attacker is Attacker.BOMBERS:
        raise Forbidden(Message("sink.convoy.bombers"), "9.10")
    if action.attacker is Attacker.DUMMY:
        raise Forbidden(Message("sink.convoy.dummy"), "9.9")
    if action.escorted and not action.escorts_sunk:
        raise Forbidden(Message("sink.convoy.escorts"), "9.10")
    due = Phase.SURFACE_COMBAT if action.escorted else Phase.GERMAN_MOVEMENT
    if action.phase is not due:
        phase = str(due)
        raise Forbidden(
            Message("sink.convoy.phase_escorted", phase=phase)
            if action.escorted
            else Message("sink.convoy.phase_unescorted", phase=phase),
            "9.10",
        )
    return strength_of(1, _no_die("9.10"), [], label=Message("sink.factor.destroyed"))


def attacked(action: ConvoyAttack) -> Event:
    """The results of an attack."""
    if action.dummy_convoy:
        return DummyConvoyRemoved(rule="9.9")
    return ConvoyDestroyed(rule="9.10", ends_movement=action.phase is Phase.GERMAN_MOVEMENT)


def move_strength(action: ConvoyMove, tables: TableSet) -> Strength:
    """The hexes that a convoy moves. Raises Forbidden if the move is not allowed."""
    limits = tables["limits"]
    speed = limits.integer("convoy speed", "most")
    track = limits.integer("hexes from the track", "most")
    stacked = limits.integer("convoys in a hex", "most")
    if action.hexes > speed:
        raise Forbidden(Message("sink.convoy.speed", hexes=speed), "9.1")
    if action.hexes < speed and not action.arrived:
        raise Forbidden(Message("sink.convoy.must_move"), "9.7")
    if action.distance_after > action.distance_before:
        raise Forbidden(Message("sink.convoy.moves_away"), "9.8")
    if action.from_track > track:
        raise Forbidden(Message("sink.convoy.track", hexes=track), "9.6")
    if action.in_hex > stacked:
        raise Forbidden(Message("sink.convoy.stacked", most=stacked), "9.5")
    if action.leaves_map and tables["convoys"].text(action.convoy, "leaves the map") == "no":
        raise Forbidden(Message("sink.convoy.stays", convoy=str(action.convoy)), "9.7")
    return strength_of(action.hexes, Message("sink.reference.hexes", rule="9.1"), [], label=HEXES)


def moved(action: ConvoyMove) -> Event:
    """The results of a move."""
    return ConvoyMoved(rule="9.8", convoy=action.convoy, hexes=action.hexes)


def entry_strength(action: ConvoyEntry, tables: TableSet) -> Strength:
    """The entry of a convoy. Raises Forbidden if it may not enter."""
    limits = tables["limits"]
    first = limits.integer("first turn for convoys", "most")
    if action.turn < first:
        raise Forbidden(Message("sink.convoy.too_early", turn=first), "9.4")
    if action.on_map >= limits.integer("convoys on the map", "most"):
        raise Forbidden(Message("sink.convoy.map_full"), "9.5")
    cell = tables["convoys"].cell(action.convoy, "entry")
    return strength_of(1, _no_die("9.7"), [], [cell], Message("sink.factor.convoys"))


def entered(action: ConvoyEntry, tables: TableSet) -> Event:
    """The place where a convoy enters."""
    entry = tables["convoys"].text(action.convoy, "entry")
    return ConvoyEntered(rule="9.7", convoy=action.convoy, hex=None if entry == UNKNOWN else entry)


def _no_die(rule: str) -> Message:
    return Message("sink.reference.no_die", rule=rule)
