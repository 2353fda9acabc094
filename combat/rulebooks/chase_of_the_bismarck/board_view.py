"""The Battle Board as a page draws it, and a ship's moves on it (10, step 4).

A row is a sea zone of three movement zones; the attacker's edge is at the top.
"""

from collections.abc import Callable, Iterator
from typing import Final

from combat.actions import Action
from combat.board_views import (
    BoardCell,
    BoardMove,
    BoardMoves,
    BoardPiece,
    BoardRow,
    BoardView,
    RowCell,
    cheapest_first,
)
from combat.previews import Preview
from combat.rulebooks.chase_of_the_bismarck.actions import Movement
from combat.rulebooks.chase_of_the_bismarck.board import (
    LAST_ZONE,
    SEA_ZONES,
    ZONES_IN_A_SEA_ZONE,
    Counter,
    Position,
    in_order,
    sea_zone,
)
from combat.rulebooks.chase_of_the_bismarck.stations import counter_of, counters_of
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from tabletop.messages import NO_WORDS, Message

MOST_ZONES: Final = 4
"""The most movement zones of the Movement Table."""
_TOWARDS_BOTTOM, _TOWARDS_TOP, _ACROSS = 180.0, 0.0, 90.0
_CELLS: Final = tuple(
    BoardCell(
        str(zone),
        RowCell(sea_zone(zone) - 1, (zone - 1) % ZONES_IN_A_SEA_ZONE),
        Message("chase.board.zone", zone=zone),
        Message("chase.board.zone_title", zone=zone, sea_zone=sea_zone(zone)),
        (sea_zone(zone) - 1) % 2,
    )
    for zone in range(1, LAST_ZONE + 1)
)
_ROWS: Final = tuple(
    BoardRow(number - 1, Message("chase.board.sea_zone", number=number))
    for number in range(1, SEA_ZONES + 1)
)


def board_view(fleet: tuple[Vessel, ...]) -> BoardView:
    """The board with the ships on it; those that have sunk lie where they were."""
    found = ((vessel, counter_of(vessel)) for vessel in fleet if not vessel.marks.aborted)
    here = [(vessel, counter) for vessel, counter in found if counter is not None]
    turns = [each.name for each in in_order(counters_of(fleet)) if not each.moved]
    fighting = {each.attacker for each in counters_of(fleet)}
    seen = {vessel.marks.visibility for vessel, _ in here} - {None}
    return BoardView(
        title=Message("chase.board.title"),
        cells=_CELLS,
        pieces=tuple(_piece(vessel, counter) for vessel, counter in here),
        rows=_ROWS,
        setup="start",
        after="start",
        ended=Message("chase.board.ended") if here and len(fighting) < 2 else NO_WORDS,
        next_ship=next(iter(turns), ""),
        notes=(
            Message("chase.board.edges"),
            *(Message("chase.board.visibility", level=level) for level in sorted(seen, key=str)),
        ),
    )


def _piece(vessel: Vessel, counter: Counter) -> BoardPiece:
    facing = {1: _TOWARDS_BOTTOM, -1: _TOWARDS_TOP}.get(counter.forward, _ACROSS)
    notes = [Message(f"chase.position.{counter.position}")]
    if vessel.marks.fired:
        notes.append(Message("chase.board.fired"))
    if counter.moved:
        notes.append(Message("chase.board.moved"))
    return BoardPiece(vessel.id, str(counter.zone), facing, tuple(notes), counter.moved)


def board_moves(vessel: Vessel, check: Callable[[Action], Preview]) -> BoardMoves:
    """Every zone with the moves that take her there, or the reason why none does."""
    counter = counter_of(vessel)
    if counter is None or vessel.sunk or vessel.marks.aborted:
        return BoardMoves(vessel.id)
    tried = (
        _tried(counter, zone, position, zones, check)
        for zone in range(1, LAST_ZONE + 1)
        for position, zones in _ways(counter, zone)
    )
    return BoardMoves(vessel.id, cheapest_first(tried))


def _ways(counter: Counter, zone: int) -> Iterator[tuple[Position, int]]:
    """The positions and zones that would take a ship to a zone."""
    if zone == counter.zone:
        others = (each for each in Position if each is not counter.position)
        yield from ((position, 0) for position in (counter.position, *others))
    towards_enemy = 1 if counter.attacker else -1
    for position, forward in (
        (Position.CLOSING, towards_enemy),
        (Position.BREAKING_OFF, -towards_enemy),
    ):
        zones = (zone - counter.zone) * forward
        if zones > 0:
            yield position, zones
        # Beyond an edge the board shifts, and she stays at it.
        at_edge = zone == (LAST_ZONE if forward > 0 else 1)
        if at_edge and zones >= 0:
            yield from ((position, more) for more in range(zones + 1, MOST_ZONES + 1))


def _tried(
    counter: Counter,
    zone: int,
    position: Position,
    zones: int,
    check: Callable[[Action], Preview],
) -> BoardMove:
    action = Movement(by=counter.name, new_position=position, zones=zones)
    found = check(action)
    words = Message(f"chase.position.{position}")
    title = (
        Message("chase.board.moves", position=words, n=zones)
        if zones
        else Message("chase.board.stays", position=words)
    )
    beyond = zones - abs(zone - counter.zone)
    if beyond > 0:
        title = Message("chase.board.shifts", move=title, n=beyond)
    return BoardMove.tried(str(zone), title, action, found, rule="10, step 4", cost=zones)
