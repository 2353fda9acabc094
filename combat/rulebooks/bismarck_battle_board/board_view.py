"""The battle board as a page draws it, and a ship's moves on it (9.28, 9.5).

The printed board reaches six hexes from its centre. Where a ship stands beyond it, imaginary hexes
are drawn around it (9.56).
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from combat.actions import Action
from combat.board_views import (
    BoardCell,
    BoardMove,
    BoardMoves,
    BoardPiece,
    BoardView,
    HexCell,
    cheapest_first,
)
from combat.previews import Preview
from combat.rulebooks.bismarck_battle_board.actions import Movement
from combat.rulebooks.bismarck_battle_board.board import RADIUS, Place, hexes_between
from combat.rulebooks.bismarck_battle_board.maneuver import turn_to_move, turns_of, way_of
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from tabletop.messages import NO_WORDS, Message, ShipRef

_CENTRE: Final = Place(0, 0, 1)
_MOST_TURNS: Final = 3
_MOST_HEXES: Final = 2
_DEGREES: Final = 60.0


def board_view(fleet: tuple[Vessel, ...]) -> BoardView:
    """The board with the ships on it; those that have sunk lie where they were."""
    here = [(ship, ship.place) for ship in fleet if ship.place and not ship.marks.withdrawn]
    farthest = max((hexes_between(_CENTRE, place) for _, place in here), default=0)
    radius = RADIUS if farthest <= RADIUS else farthest + 1
    fire_began = any(ship.has_fired for ship, _ in here)
    to_move = [ship for ship, _ in here if not (fire_began or ship.sunk or ship.marks.moved)]
    placed = {ship.side for ship in fleet if ship.place}
    fighting = {ship.side for ship, _ in here if not ship.sunk}
    following = min(to_move, key=turn_to_move, default=None)
    notes = [Message("board.view.order")]
    if radius > RADIUS:
        notes.append(Message("board.view.imaginary"))
    return BoardView(
        title=Message("board.view.title"),
        cells=tuple(_cells(radius)),
        pieces=tuple(_piece(ship, place) for ship, place in here),
        setup="place",
        after="new turn",
        ended=Message("board.view.ended") if len(fighting) < min(2, len(placed)) else NO_WORDS,
        next_ship=following.id if following else "",
        notes=tuple(notes),
    )


def _cells(radius: int) -> Iterator[BoardCell]:
    for column in range(-radius, radius + 1):
        for row in range(max(-radius, -radius - column), min(radius, radius - column) + 1):
            printed = hexes_between(_CENTRE, Place(column, row, 1)) <= RADIUS
            yield BoardCell(
                _name(column, row),
                HexCell(column, row),
                NO_WORDS,
                Message("board.view.hex_title", column=column, row=row),
                int(printed),
            )


def _name(column: int, row: int) -> str:
    return f"{column},{row}"


def _cell_of(place: Place) -> str:
    return _name(*place.hex)


def _piece(ship: Vessel, place: Place) -> BoardPiece:
    marks = ship.marks
    notes = [Message("board.view.heading", bow=_bow(place.heading))]
    if marks.moved:
        notes.append(Message("board.view.moved"))
    if ship.has_fired:
        notes.append(Message("board.view.fired"))
    if marks.withdrawing:
        notes.append(Message("board.view.withdraws"))
    facing = (place.heading - 1) * _DEGREES
    return BoardPiece(ship.id, _cell_of(place), facing, tuple(notes), marks.moved)


def _bow(heading: int) -> Message:
    return Message(f"board.view.bow_{heading}")


def board_moves(
    ship: Vessel, cells: tuple[BoardCell, ...], most: int, check: Callable[[Action], Preview]
) -> BoardMoves:
    """Every hex with the moves that end there, one for each heading, or why there is none."""
    place = ship.place
    if place is None or ship.sunk or ship.marks.withdrawn:
        return BoardMoves(ship.id)
    moves = list(_moves(ship, place, check))
    tried = {move.cell for move in moves}
    far = Message("board.refused.too_far", ship=ShipRef(ship.id), most=most)
    title = Message("board.view.too_far")
    moves += [
        BoardMove(cell.id, title, "9.53", forbidden=far) for cell in cells if cell.id not in tried
    ]
    return BoardMoves(ship.id, cheapest_first(moves))


def _moves(ship: Vessel, place: Place, check: Callable[[Action], Preview]) -> Iterator[BoardMove]:
    """One move to each hex and heading: that with the fewest turns of those that are allowed."""
    found: dict[Place, BoardMove] = {}
    for action in sorted(_actions(ship.id), key=lambda each: (each.hexes, turns_of(each))):
        end = way_of(place, action)[-1] if action.hexes else place.turned(action.turn)
        before = found.get(end)
        if end == place or (before is not None and before.allowed):
            continue
        move = BoardMove.tried(
            _cell_of(end),
            _title(action.hexes, end),
            action,
            check(action),
            rule="9.53",
            cost=action.hexes,
        )
        if before is None or move.allowed:
            found[end] = move
    yield from found.values()


def _title(hexes: int, end: Place) -> Message:
    bow = _bow(end.heading)
    if not hexes:
        return Message("board.view.turns", bow=bow)
    return Message("board.view.moves", n=hexes, bow=bow)


def _actions(ship: str) -> Iterator[Movement]:
    """Every way to move: turns before, between and after, as few as the chart ever allows."""
    turns = range(-_MOST_TURNS, _MOST_TURNS + 1)
    for hexes in range(_MOST_HEXES + 1):
        between = turns if hexes == _MOST_HEXES else (0,)
        after = turns if hexes else (0,)
        for first, second, last in product(turns, between, after):
            if abs(first) + abs(second) + abs(last) <= _MOST_TURNS:
                yield Movement(
                    by=ship, turn=first, hexes=hexes, turn_between=second, turn_after=last
                )
