"""The Surface Combat Display as a page draws it, and a ship's moves on it (11.4.3, 11.4.6)."""

from collections.abc import Callable, Iterator
from typing import Final

from combat.actions import Action
from combat.board_views import (
    BoardCell,
    BoardMark,
    BoardMove,
    BoardMoves,
    BoardPiece,
    BoardView,
    RowCell,
    cheapest_first,
)
from combat.previews import Preview
from combat.rulebooks.arctic_disaster.actions import Movement
from combat.rulebooks.arctic_disaster.display import (
    combat_round,
    is_decided,
    on_display,
    smoke_areas,
)
from combat.rulebooks.arctic_disaster.table_files import LAST_AREA
from combat.rulebooks.arctic_disaster.vessel import Vessel
from tabletop.messages import NO_WORDS, Message

_COLUMNS: Final = 3
_CELLS: Final = tuple(
    BoardCell(
        str(area),
        RowCell((area - 1) // _COLUMNS, (area - 1) % _COLUMNS),
        Message("arctic.board.area", area=area),
        Message("arctic.board.area_title", area=area),
        ((area - 1) // _COLUMNS) % 2,
    )
    for area in range(1, LAST_AREA + 1)
)
_SMOKERS: Final = ("DD", "TB")


def board_view(fleet: tuple[Vessel, ...], round_number: int) -> BoardView:
    """The display with the ships on it; those that have sunk lie where they were."""
    here = on_display(fleet)
    notes = [Message("arctic.board.line"), Message("arctic.board.outline")]
    if here:
        first = here[0].marks
        notes += [
            Message("arctic.board.fog" if first.fog else "arctic.board.clear"),
            Message("arctic.board.round", number=combat_round(round_number, first)),
        ]
    return BoardView(
        title=Message("arctic.board.title"),
        cells=_CELLS,
        pieces=tuple(_piece(vessel) for vessel in here),
        marks=tuple(
            BoardMark(str(area), Message("arctic.board.smoke")) for area in smoke_areas(fleet)
        ),
        setup="deploy",
        ended=Message("arctic.board.ended") if is_decided(here) else NO_WORDS,
        notes=tuple(notes),
    )


def _piece(vessel: Vessel) -> BoardPiece:
    marks = vessel.marks
    notes = []
    if marks.convoy:
        notes.append(Message("arctic.board.convoy"))
    elif marks.group is not None:
        notes.append(Message("arctic.board.group", group=marks.group))
    laid = marks.smoke_area is not None
    if marks.moved or laid:
        notes.append(Message("arctic.board.laid_smoke" if laid else "arctic.board.moved"))
    if marks.fired_main or marks.fired_secondary:
        notes.append(Message("arctic.board.fired"))
    return BoardPiece(vessel.id, str(marks.area), None, tuple(notes), bool(marks.moved) or laid)


def board_moves(vessel: Vessel, check: Callable[[Action], Preview]) -> BoardMoves:
    """Every area with the move that takes her there, or the reason why none does."""
    if vessel.marks.area is None or vessel.sunk:
        return BoardMoves(vessel.id)
    return BoardMoves(vessel.id, cheapest_first(_tried(vessel, vessel.marks.area, check)))


def _tried(vessel: Vessel, here: int, check: Callable[[Action], Preview]) -> Iterator[BoardMove]:
    for area in range(1, LAST_AREA + 1):
        cost = abs(area - here)
        if cost:
            action = Movement(by=vessel.id, to_area=area)
            title = Message("arctic.board.moves", n=cost)
            yield BoardMove.tried(str(area), title, action, check(action), rule="11.4.3", cost=cost)
    if vessel.unit in _SMOKERS:
        smoke = Movement(by=vessel.id, smoke_laid=True)
        title = Message("arctic.board.lays_smoke")
        yield BoardMove.tried(str(here), title, smoke, check(smoke), rule="11.4.6", cost=0)
