"""A rulebook's board as a page draws it: cells, the ships on them, and a ship's moves.

A rulebook of free play gives it (`FreeRulebook.board`, `FreeRulebook.board_moves`). A move is an
action of the rulebook, complete and ready to be played, or the reason why there is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from combat.actions import Action
from combat.previews import Preview
from tabletop.messages import NO_WORDS, Message


@dataclass(frozen=True, slots=True)
class RowCell:
    """The place of a cell on a board of rows; all cells of a row are as high as it needs."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class HexCell:
    """The place of a hex, flat side up: columns go to the right, rows down and half a hex on.

    The centre of the board is 0 and 0; the hex below it is in row 1, the one to its lower right in
    column 1 and row 0.
    """

    column: int
    row: int


CellPlace = RowCell | HexCell


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A cell of a board."""

    id: str
    place: CellPlace
    label: Message
    """What is written in it: "7"."""
    title: Message
    """What it is called where it stands alone: "Movement zone 7"."""
    tint: int = 0
    """Neighbouring groups of cells differ in it: 0 or 1."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The heading of a row of cells."""

    row: int
    label: Message


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """A ship on a board."""

    ship: str
    """Her id."""
    cell: str
    facing_deg: float | None = None
    """Where her bow points, clockwise from the top of the board; None if the board has none."""
    notes: tuple[Message, ...] = ()
    """Her position, and whether she has moved or fired."""
    done: bool = False
    """Whether she has moved in this round."""


@dataclass(frozen=True, slots=True)
class BoardMark:
    """Something besides ships in a cell, such as smoke."""

    cell: str
    label: Message


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board with everything on it."""

    title: Message
    cells: tuple[BoardCell, ...]
    pieces: tuple[BoardPiece, ...]
    rows: tuple[BoardRow, ...] = ()
    marks: tuple[BoardMark, ...] = ()
    setup: str = ""
    """The kind of action that puts ships on the board."""
    next_ship: str = ""
    """The id of the ship whose turn it is to move; empty if there is no order."""
    notes: tuple[Message, ...] = ()
    """What the players should know of it: the visibility, where its outline is our own."""
    ended: Message = NO_WORDS
    """That the combat is over, and by which rule; no words while it goes on."""
    after: str = ""
    """The kind of action that follows a combat that is over."""

    def cell(self, cell_id: str) -> BoardCell | None:
        """The cell with this id."""
        return next((cell for cell in self.cells if cell.id == cell_id), None)

    def piece(self, ship_id: str) -> BoardPiece | None:
        """The piece of a ship; None where she is not on the board."""
        return next((piece for piece in self.pieces if piece.ship == ship_id), None)

    def pieces_in(self, cell_id: str) -> tuple[BoardPiece, ...]:
        """The ships in a cell."""
        return tuple(piece for piece in self.pieces if piece.cell == cell_id)


@dataclass(frozen=True, slots=True)
class BoardMove:
    """What it takes a ship to go to a cell, or why she may not."""

    cell: str
    title: Message
    """What she does: "closing, 2 zones"."""
    rule: str
    action: Action | None = None
    """The move; None if it is forbidden."""
    cost: int = 0
    """What it costs her of her movement."""
    forbidden: Message = NO_WORDS
    """Why she may not."""

    @classmethod
    def tried(
        cls, cell: str, title: Message, action: Action, found: Preview, *, rule: str, cost: int
    ) -> "BoardMove":
        """A move as `Rulebook.check` has found it, with the rule that allows it."""
        if found.forbidden is not None:
            return cls(cell, title, found.rule, forbidden=found.forbidden)
        return cls(cell, title, rule, action, cost)

    @property
    def allowed(self) -> bool:
        """Whether she may go there."""
        return self.action is not None


@dataclass(frozen=True, slots=True)
class BoardMoves:
    """All moves of a ship, each cell once or more often: by several headings or positions."""

    ship: str
    moves: tuple[BoardMove, ...] = ()
    deeds: tuple[BoardMove, ...] = ()
    """What else she may do without dice at the ships in a cell, such as choosing her target."""

    def to(self, cell_id: str) -> tuple[BoardMove, ...]:
        """The moves to a cell; those that are allowed, or else one that says why not."""
        there = [move for move in self.moves if move.cell == cell_id]
        allowed = tuple(move for move in there if move.allowed)
        return allowed or tuple(there[:1])

    def deeds_in(self, cell_id: str) -> tuple[BoardMove, ...]:
        """What else she may do in a cell, as far as it is allowed."""
        return tuple(each for each in self.deeds if each.cell == cell_id and each.allowed)

    def cost(self, cell_id: str) -> int | None:
        """The least that it costs to go to a cell; None if she may not."""
        return min((move.cost for move in self.to(cell_id) if move.allowed), default=None)

    @property
    def reached(self) -> frozenset[str]:
        """The cells that she may go to."""
        return frozenset(move.cell for move in self.moves if move.allowed)

    @property
    def refusal(self) -> BoardMove | None:
        """Why she may go nowhere at all, if that is so."""
        return None if self.reached or not self.moves else self.moves[0]


def cheapest_first(moves: Iterable[BoardMove]) -> tuple[BoardMove, ...]:
    """The moves by their cost, those that are forbidden last."""
    return tuple(sorted(moves, key=lambda move: (not move.allowed, move.cost)))
