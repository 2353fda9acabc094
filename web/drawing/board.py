"""A rulebook's board: its cells, the ships on them, and where the chosen ship may go.

Cells of rows are as high as the ships in them need; hexes have one size, and the names of the
ships stand beside them. Every cell is a link, at least 44 pixels high.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from combat.board_views import BoardCell, BoardMoves, BoardPiece, BoardView, HexCell, RowCell
from combat.participants import ShipStatus, Side
from web.drawing.figures import Circle, Drawing, Figure, Group, Link, Shape, Text, hatched, line
from web.drawing.fonts import Face, cut, label_width
from web.drawing.geometry import Box, Path, Point
from web.drawing.labels import FreeLabel, LabelRequest, around, place
from web.drawing.silhouettes import ship_symbol
from web.drawing.theme import HAIRLINE, MEDIUM, STRONG, side_colour
from web.strings import text, words

WIDTH: Final = 358.0
"""The width of a board of rows: that of a phone's page."""
_TEXT_PX: Final = 13.5
_NAME: Final = Face.SERIF_ITALIC
_HEAD: Final = 20.0
_LINE: Final = 30.0
_LEAST_ROW: Final = 50.0
_SHIP_PX: Final = 21.0
_HEX_RADIUS: Final = 26.0
_HEX_SHIP_PX: Final = 34.0
_MARGIN: Final = 10.0
_MOST_IN_HEX: Final = 3
"""Ships of one hex that are drawn; a number stands for more."""


@dataclass(frozen=True, slots=True)
class PieceLook:
    """How a ship is drawn on a board."""

    name: str
    side: Side
    silhouette: str
    status: ShipStatus
    trouble: float
    """The share of her that is lost."""


@dataclass(frozen=True, slots=True)
class CellLink:
    """Where the link of a cell leads, and what a screen reader says of it."""

    address: str
    part: str
    spoken: str


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """What a board is drawn from."""

    view: BoardView
    looks: Mapping[str, PieceLook]
    """By ship id."""
    link: Callable[[BoardCell], CellLink]
    into: str
    """The id of the part of the page that a link draws."""
    ship: str = ""
    """The id of the chosen ship."""
    cell: str = ""
    """The id of the chosen cell."""
    moves: BoardMoves = field(default_factory=lambda: BoardMoves(""))


def is_wide(view: BoardView) -> bool:
    """Whether the board keeps its size and is scrolled on a phone."""
    return any(isinstance(cell.place, HexCell) for cell in view.cells)


def draw_board(picture: BoardPicture) -> Drawing:
    """The board with its ships."""
    cells = picture.view.cells
    rows = [(cell, cell.place) for cell in cells if isinstance(cell.place, RowCell)]
    hexes = [(cell, cell.place) for cell in cells if isinstance(cell.place, HexCell)]
    return _draw_hexes(picture, hexes) if hexes else _draw_rows(picture, rows)


def _cell_link(
    picture: BoardPicture, cell: BoardCell, outline: Path, items: Sequence[Figure]
) -> Link:
    """A cell: brass where the chosen ship may go."""
    reached = cell.id in picture.moves.reached
    chosen = cell.id == picture.cell
    found = picture.link(cell)
    fill = "brass_wash" if reached else ("t7", "t6")[cell.tint % 2]
    face: list[Figure] = [
        Shape(outline, fill=("t7", "t6")[cell.tint % 2]),
        *([Shape(outline, fill=fill)] if reached else []),
        Shape(outline, stroke="contour", width=HAIRLINE),
    ]
    return Link(
        (*face, *items),
        address=found.address,
        part=found.part,
        into=picture.into,
        spoken=found.spoken,
        key=f"cell-{cell.id}",
        current=chosen,
        css="cell reached" if reached else "cell",
    )


def _chosen(outline: Path) -> Figure:
    """The edge of the chosen cell, over its neighbours."""
    return Group((Shape(outline, stroke="brass_ink", width=STRONG, css="chosen"),), css="label")


# Rows


def _draw_rows(picture: BoardPicture, cells: Sequence[tuple[BoardCell, RowCell]]) -> Drawing:
    view = picture.view
    columns = max(at.column for _, at in cells) + 1
    wide = (WIDTH - 2) / columns
    heads = {row.row: words(row.label) for row in view.rows}
    tops, y = dict[int, float](), 1.0
    for row in sorted({at.row for _, at in cells}):
        tops[row] = y
        fullest = max(
            len(view.pieces_in(cell.id)) + len(_marks_in(view, cell))
            for cell, at in cells
            if at.row == row
        )
        y += max(_LEAST_ROW, _HEAD + fullest * _LINE)
    bottoms = dict(zip(tops, [*list(tops.values())[1:], y], strict=True))
    items: list[Figure] = []
    last: list[Figure] = []
    for cell, at in cells:
        box = Box(
            1 + at.column * wide,
            tops[at.row],
            1 + (at.column + 1) * wide,
            bottoms[at.row],
        )
        head = "" if at.column else heads.get(at.row, "")
        content = [*_row_cell(picture, cell, box, head)]
        outline = box.grown(-0.5).path
        items.append(_cell_link(picture, cell, outline, content))
        if cell.id == picture.cell:
            last.append(_chosen(outline))
    items += last
    return Drawing(WIDTH, y + 1, tuple(items), words(view.title))


def _marks_in(view: BoardView, cell: BoardCell) -> list[str]:
    return [words(mark.label) for mark in view.marks if mark.cell == cell.id]


def _row_cell(picture: BoardPicture, cell: BoardCell, box: Box, head: str) -> Iterator[Figure]:
    yield Text((box.left + 6, box.top + 15), words(cell.label), _TEXT_PX, "ink_3")
    if head:
        yield Text((box.left + 32, box.top + 15), head, _TEXT_PX, "ink_2")
    cost = picture.moves.cost(cell.id)
    if cost:
        at = (box.right - 6, box.top + 15)
        yield Text(at, f"{cost}", _TEXT_PX, "brass_ink", "end", Face.SANS_SEMIBOLD, css="cost")
    y = box.top + _HEAD
    for mark in _marks_in(picture.view, cell):
        yield Text((box.left + 6, y + 16), mark, _TEXT_PX, "ink_2")
        y += _LINE
    for piece in picture.view.pieces_in(cell.id):
        yield from _row_piece(picture, piece, Box(box.left + 5, y, box.right - 6, y + _LINE))
        y += _LINE


def _row_piece(picture: BoardPicture, piece: BoardPiece, box: Box) -> Iterator[Figure]:
    look = picture.looks[piece.ship]
    at = (box.left + _SHIP_PX / 2, box.top + _LINE / 2 - 1)
    yield from _ship(picture, piece, look, at, _SHIP_PX)
    start = box.left + _SHIP_PX + 3
    room = box.right - start
    hurt = look.trouble > 0 and look.status is ShipStatus.IN_ACTION
    baseline = box.top + (14 if hurt else 19)
    name = _short_name(look.name, room)
    yield Text((start, baseline), name, _TEXT_PX, _name_colour(look), face=_NAME, css="name")
    if hurt:
        yield from _damage(Box(start, baseline + 5, start + min(room, 60.0), baseline + 10), look)


def _short_name(name: str, room: float) -> str:
    """A name cut to the room there is; the number of a sister stays."""
    stem, _, number = name.rpartition(" ")
    if not stem or not number.isdecimal() or label_width(name, _NAME, _TEXT_PX) <= room:
        return cut(name, _NAME, _TEXT_PX, room)
    return (
        f"{cut(stem, _NAME, _TEXT_PX, room - label_width(f' {number}', _NAME, _TEXT_PX))} {number}"
    )


# Hexes


def _draw_hexes(picture: BoardPicture, cells: Sequence[tuple[BoardCell, HexCell]]) -> Drawing:
    high = math.sqrt(3) * _HEX_RADIUS
    plain = {
        cell.id: (1.5 * _HEX_RADIUS * at.column, high * (at.row + at.column / 2))
        for cell, at in cells
    }
    left = min(x for x, _ in plain.values()) - _HEX_RADIUS - _MARGIN
    top = min(y for _, y in plain.values()) - high / 2 - _MARGIN
    centres = {key: (x - left, y - top) for key, (x, y) in plain.items()}
    width = max(x for x, _ in centres.values()) + _HEX_RADIUS + _MARGIN
    height = max(y for _, y in centres.values()) + high / 2 + _MARGIN
    items: list[Figure] = [
        _cell_link(picture, cell, _hexagon(centres[cell.id]), [*_hex_cell(picture, cell, at)])
        for cell, _ in cells
        for at in [centres[cell.id]]
    ]
    if picture.cell in centres:
        items.append(_chosen(_hexagon(centres[picture.cell])))
    items += _hex_names(picture, centres, Box(2, 2, width - 2, height - 2))
    return Drawing(width, height, tuple(items), words(picture.view.title))


def _hexagon(centre: Point) -> Path:
    x, y = centre
    half = math.sqrt(3) / 2 * _HEX_RADIUS
    corners = ((-1.0, 0.0), (-0.5, -half), (0.5, -half), (1.0, 0.0), (0.5, half), (-0.5, half))
    return Path().polygon([(x + across * _HEX_RADIUS, y + down) for across, down in corners])


def _hex_cell(picture: BoardPicture, cell: BoardCell, at: Point) -> Iterator[Figure]:
    pieces = picture.view.pieces_in(cell.id)
    label = words(cell.label)
    if label and not pieces:
        yield Text((at[0], at[1] - 8), label, _TEXT_PX, "ink_3", "middle")
    for mark in _marks_in(picture.view, cell):
        yield Text((at[0], at[1] + 5), mark, _TEXT_PX, "ink_2", "middle")
    cost = picture.moves.cost(cell.id)
    if cost and not pieces:
        spot = (at[0], at[1] + 16)
        yield Text(spot, f"{cost}", _TEXT_PX, "brass_ink", "middle", Face.SANS_SEMIBOLD, css="cost")
    shown = pieces[:_MOST_IN_HEX]
    for number, piece in enumerate(shown):
        shift = (number - (len(shown) - 1) / 2) * 13
        yield from _ship(
            picture, piece, picture.looks[piece.ship], (at[0] + shift, at[1]), _HEX_SHIP_PX
        )
    if len(pieces) > _MOST_IN_HEX:
        more = f"+{len(pieces) - _MOST_IN_HEX}"
        yield Text((at[0], at[1] + 20), more, _TEXT_PX, "ink", "middle", Face.SANS_SEMIBOLD)


def _hex_names(picture: BoardPicture, centres: Mapping[str, Point], frame: Box) -> Iterator[Figure]:
    """The names of ships beside their hexes, one below another for those of one hex."""
    occupied = {piece.cell: picture.view.pieces_in(piece.cell) for piece in picture.view.pieces}
    lines = {
        key: [picture.looks[piece.ship] for piece in pieces] for key, pieces in occupied.items()
    }
    sizes = {
        key: (
            max(label_width(look.name, _NAME, _TEXT_PX) for look in looks),
            16.0 * len(looks),
        )
        for key, looks in lines.items()
    }
    spots = place(
        [
            LabelRequest(
                key,
                around(centres[key], _HEX_RADIUS * 0.7, *size, gap=6, frame=frame),
                roams=(FreeLabel(centres[key], *size),),
            )
            for key, size in sizes.items()
        ],
        frame=frame,
        obstacles=[Box.around(centres[key], 1.4 * _HEX_RADIUS, 1.4 * _HEX_RADIUS) for key in lines],
    )
    for key, spot in spots.items():
        box = spot.boxes[0]
        if math.dist(box.nearest(centres[key]), centres[key]) > 1.6 * _HEX_RADIUS:
            yield line(box.nearest(centres[key]), centres[key], colour="ink_3", width=HAIRLINE)
        for number, look in enumerate(lines[key]):
            at = (box.left, box.top + 12 + 16 * number)
            yield Group(
                (
                    Text(
                        at, look.name, _TEXT_PX, _name_colour(look), face=_NAME,
                        halo="halo", halo_width=3, css="name",
                    ),
                ),
                css="label",
            )  # fmt: skip


# Ships


def _ship(
    picture: BoardPicture, piece: BoardPiece, look: PieceLook, at: Point, length: float
) -> Iterator[Figure]:
    """Her silhouette, with a ring if she is chosen or next, and a cross if she has sunk."""
    sunk = look.status is ShipStatus.SUNK
    if piece.ship == picture.ship:
        yield Circle(at, length / 2 + 1, stroke="brass_ink", width=STRONG, css="ring")
    elif piece.ship == picture.view.next_ship:
        yield Circle(at, length / 2 + 1, stroke="brass_ink", width=MEDIUM, dashes=(3, 3))
    symbol = ship_symbol(
        look.silhouette,
        side_colour(look.side),
        fine=False,
        scale=length / 100,
        opacity=0.4 if sunk else 1.0,
    )
    facing = 90.0 if piece.facing_deg is None else piece.facing_deg
    bow = Path().polygon(((0, -length / 2 - 5), (3.5, -length / 2), (-3.5, -length / 2)))
    tip = [] if piece.facing_deg is None or sunk else [Shape(bow, fill=side_colour(look.side))]
    yield Group((symbol, *tip), at=at, turn_deg=facing, ship=look.name)
    if sunk:
        x, y, arm = *at, length / 3
        for slope in (1, -1):
            ends = (x - arm, y - arm * slope), (x + arm, y + arm * slope)
            yield line(*ends, colour="ink_2", width=STRONG)


def _name_colour(look: PieceLook) -> str:
    return side_colour(look.side) if look.status is ShipStatus.IN_ACTION else "ink_3"


def _damage(box: Box, look: PieceLook) -> Iterator[Figure]:
    """How much of her is lost, as a bar."""
    lost = max(3.0, box.width * min(1.0, look.trouble))
    yield Shape(box.path, fill="raised", stroke="line_strong", width=HAIRLINE)
    right = box.left + lost
    corners = (
        (box.left, box.top), (right, box.top), (right, box.bottom), (box.left, box.bottom),
    )  # fmt: skip
    yield Group((*hatched(corners),), title=str(text("fight.board.lost")))
