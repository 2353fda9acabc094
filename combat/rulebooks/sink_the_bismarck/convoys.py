"""Convoys: attack, movement and entry, all without a die (9)."""

from combat.events import Event
from combat.previews import Forbidden
from combat.rulebooks.sink_the_bismarck.actions import (
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


def attack_strength(action: ConvoyAttack) -> Strength:
    """A convoy that may be attacked is destroyed (9.10)."""
    if action.attacker is Attacker.BOMBERS:
        raise Forbidden("land-based bombers cannot destroy convoys", "9.10")
    if action.attacker is Attacker.DUMMY:
        raise Forbidden("a dummy detects and attacks nothing", "9.9")
    if action.escorted and not action.escorts_sunk:
        raise Forbidden("all its escorts must be sunk first", "9.10")
    due = Phase.SURFACE_COMBAT if action.escorted else Phase.GERMAN_MOVEMENT
    if action.phase is not due:
        convoy = "an escorted" if action.escorted else "an unescorted"
        raise Forbidden(f"{convoy} convoy is destroyed in phase {due}", "9.10")
    return strength_of(1, "9.10: without a die", [], label="Convoys destroyed")


def attacked(action: ConvoyAttack) -> Event:
    """What an attack leads to."""
    if action.dummy_convoy:
        return DummyConvoyRemoved(rule="9.9")
    return ConvoyDestroyed(rule="9.10", ends_movement=action.phase is Phase.GERMAN_MOVEMENT)


def move_strength(action: ConvoyMove, tables: TableSet) -> Strength:
    """The hexes that a convoy moves, where the move is allowed."""
    limits = tables["limits"]
    speed = limits.integer("convoy speed", "most")
    track = limits.integer("hexes from the track", "most")
    stacked = limits.integer("convoys in a hex", "most")
    if action.hexes > speed:
        raise Forbidden(f"a convoy moves {speed} hex a turn", "9.1")
    if action.hexes < speed and not action.arrived:
        raise Forbidden("a convoy must move until it has arrived", "9.7")
    if action.distance_after > action.distance_before:
        raise Forbidden("a convoy never moves away from its destination", "9.8")
    if action.from_track > track:
        raise Forbidden(f"a convoy strays {track} hexes from its track at most", "9.6")
    if action.in_hex > stacked:
        raise Forbidden(f"{stacked} convoys at most share a hex", "9.5")
    if action.leaves_map and tables["convoys"].text(action.convoy, "leaves the map") == "no":
        raise Forbidden(f"{action.convoy} convoys do not leave the map", "9.7")
    return strength_of(action.hexes, "9.1: hexes", [], label="Hexes")


def moved(action: ConvoyMove) -> Event:
    """What a move leads to."""
    return ConvoyMoved(rule="9.8", convoy=action.convoy, hexes=action.hexes)


def entry_strength(action: ConvoyEntry, tables: TableSet) -> Strength:
    """A convoy that may enter."""
    limits = tables["limits"]
    first = limits.integer("first turn for convoys", "most")
    if action.turn < first:
        raise Forbidden(f"convoys are drawn from turn {first} on", "9.4")
    if action.on_map >= limits.integer("convoys on the map", "most"):
        raise Forbidden("the map has all the convoys that it may have", "9.5")
    cell = tables["convoys"].cell(action.convoy, "entry")
    return strength_of(1, "9.7: without a die", [], [cell], "Convoys")


def entered(action: ConvoyEntry, tables: TableSet) -> Event:
    """Where a convoy enters."""
    entry = tables["convoys"].text(action.convoy, "entry")
    return ConvoyEntered(rule="9.7", convoy=action.convoy, hex=None if entry == UNKNOWN else entry)
