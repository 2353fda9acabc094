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
from combat.rulebooks.arctic_disaster.actions import Designation, Movement
from combat.rulebooks.arctic_disaster.display import (
    combat_round,
    is_decided,
    is_german,
    on_display,
    smoke_areas,
)
from combat.rulebooks.arctic_disaster.table_files import LAST_AREA
from combat.rulebooks.arctic_disaster.vessel import Vessel
from tabletop.messages import NO_WORDS, Message, ShipRef

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
        after="disengage" if here else "deploy",
        ended=_ended(fleet, here),
        notes=tuple(notes),
    )


def _ended(fleet: tuple[Vessel, ...], here: tuple[Vessel, ...]) -> Message:
    if is_decided(here):
        return Message("arctic.board.ended")
    over = not here and any(each.marks.left for each in fleet)
    return Message("arctic.board.over") if over else NO_WORDS


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
    if marks.submerged:
        notes.append(Message("arctic.board.submerged"))
    notes += [
        Message(f"arctic.board.{battery}_at", target=ShipRef(target))
        for battery, target in (("main", marks.main_target), ("secondary", marks.secondary_target))
        if target is not None and not (marks.fired_main if battery == "main" else
                                       marks.fired_secondary)
    ]  # fmt: skip
    if marks.fired_main or marks.fired_secondary:
        notes.append(Message("arctic.board.fired"))
    return BoardPiece(vessel.id, str(marks.area), None, tuple(notes), bool(marks.moved) or laid)


def board_moves(
    vessel: Vessel, others: tuple[Vessel, ...], check: Callable[[Action], Preview]
) -> BoardMoves:
    """Every area with the move that takes her there, or the reason why none does."""
    if vessel.marks.area is None or vessel.sunk:
        return BoardMoves(vessel.id)
    deeds = tuple(_targets(vessel, others, check)) if vessel.marks.in_segments else ()
    moves = cheapest_first(_tried(vessel, vessel.marks.area, check))
    return BoardMoves(vessel.id, moves, deeds)


def _targets(
    vessel: Vessel, others: tuple[Vessel, ...], check: Callable[[Action], Preview]
) -> Iterator[BoardMove]:
    """Every enemy as the target of each of her batteries (11.4.4)."""
    for other in others:
        if other.marks.area is None or is_german(other) == is_german(vessel):
            continue
        for kind in ("main-target", "secondary-target"):
            action = Designation(kind=kind, by=vessel.id, at=other.id)
            title = Message(f"arctic.board.{kind.replace('-', '_')}", target=ShipRef(other.id))
            cell = str(other.marks.area)
            yield BoardMove.tried(cell, title, action, check(action), rule="11.4.4", cost=0)


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
