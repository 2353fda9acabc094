"""The drawing of boards: rows that grow with their ships, hexes of one size, links for fingers."""

import re
from dataclasses import replace

import pytest

from combat.board_views import (
    BoardCell,
    BoardMove,
    BoardMoves,
    BoardPiece,
    BoardRow,
    BoardView,
    HexCell,
    RowCell,
)
from combat.participants import ShipStatus
from combat.rulebooks.chase_of_the_bismarck.actions import Movement
from combat.sides import usual
from tabletop.messages import NO_WORDS, Message, verbatim
from web.drawing.board import BoardPicture, CellLink, PieceLook, draw_board, is_wide
from web.drawing.figures import Drawing, Link
from web.drawing.svg import inline_svg, svg_file

NAMES = ("Bismarck", "Prinz Eugen", "Hood", "Norfolk", "Suffolk")
FINGER_PX = 44


def _looks(**statuses: ShipStatus) -> dict[str, PieceLook]:
    sides = usual().sides
    return {
        name: PieceLook(
            name,
            sides["german" if name in NAMES[:2] else "british"],
            "battleship-round",
            statuses.get(name, ShipStatus.IN_ACTION),
            0.25,
        )
        for name in NAMES
    }


def _row_view(*cells: str) -> BoardView:
    return BoardView(
        title=verbatim("Board"),
        cells=tuple(
            BoardCell(str(n), RowCell(n // 3, n % 3), verbatim(str(n)), verbatim(f"Zone {n}"))
            for n in range(9)
        ),
        pieces=tuple(BoardPiece(name, cell, 0.0) for name, cell in zip(NAMES, cells, strict=False)),
        rows=tuple(BoardRow(n, verbatim(f"Sea {n}")) for n in range(3)),
        next_ship=NAMES[0],
    )


def _hex_view(*cells: str) -> BoardView:
    places = [HexCell(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]
    view = _row_view(*cells)
    found = tuple(
        BoardCell(f"{at.column},{at.row}", at, NO_WORDS, verbatim(f"Hex {at.column} {at.row}"))
        for at in places
    )
    return replace(view, cells=found, rows=())


def _picture(view: BoardView, **more: object) -> BoardPicture:
    def link(cell: BoardCell) -> CellLink:
        return CellLink(f"/fight?cell={cell.id}", f"/fight/part?cell={cell.id}", cell.id)

    return replace(BoardPicture(view, _looks(), link, "fight"), **more)  # type: ignore[arg-type]


def _links(drawing: Drawing) -> dict[str, Link]:
    return {item.spoken: item for item in drawing.items if isinstance(item, Link)}


def _size(link: Link) -> tuple[float, float]:
    points = [point for item in link.items[:1] for point in item.path.points]  # type: ignore[union-attr]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) - min(xs), max(ys) - min(ys)


@pytest.mark.parametrize("view", [_row_view("1", "1"), _hex_view("0,0", "0,0")])
def test_every_cell_is_a_link_for_a_finger(view: BoardView) -> None:
    links = _links(draw_board(_picture(view)))
    assert set(links) == {cell.id for cell in view.cells}
    for link in links.values():
        wide, high = _size(link)
        assert wide >= FINGER_PX
        assert high >= FINGER_PX


def test_a_row_is_as_high_as_its_ships_need() -> None:
    few = _links(draw_board(_picture(_row_view("1"))))
    many = _links(draw_board(_picture(_row_view("1", "1", "1", "1", "1"))))
    assert _size(many["0"])[1] - _size(few["0"])[1] > 3 * 20
    assert _size(many["3"]) == _size(few["3"])


def test_only_hexes_keep_their_size() -> None:
    assert is_wide(_hex_view())
    assert not is_wide(_row_view())


def test_the_cells_that_she_may_reach_are_told_apart() -> None:
    to = Movement(by="Bismarck", zones=2)
    moves = BoardMoves(
        "Bismarck",
        (
            BoardMove("4", verbatim("on"), "10", to, 2),
            BoardMove("5", verbatim("far"), "10", forbidden=Message("chase.refused.too_far")),
        ),
    )
    picture = _picture(_row_view("1"), ship="Bismarck", cell="4", moves=moves)
    links = _links(draw_board(picture))
    assert links["4"].css == "cell reached"
    assert links["5"].css == "cell"
    assert (links["4"].current, links["5"].current) == (True, False)


def test_on_a_page_cells_lead_on_and_in_a_file_they_do_not() -> None:
    drawing = draw_board(_picture(_hex_view("0,0", "1,0")))
    page = str(inline_svg(drawing))
    assert 'role="group"' in page
    assert len(re.findall("<a ", page)) == 19
    assert 'data-draw="/fight/part?cell=0,0"' in page
    assert "<a " not in svg_file(drawing, "dark")


def test_all_names_stand_on_a_crowded_hex() -> None:
    drawing = draw_board(_picture(_hex_view(*["0,0"] * 5)))
    page = str(inline_svg(drawing))
    assert all(f">{name}<" in page for name in NAMES)
    assert ">+2<" in page


def test_a_sunk_ship_is_crossed_out() -> None:
    afloat = draw_board(_picture(_row_view("1")))
    sunk = draw_board(_picture(_row_view("1"), looks=_looks(Bismarck=ShipStatus.SUNK)))

    def crosses(drawing: Drawing) -> int:
        return str(inline_svg(drawing)).count('stroke="var(--ink-2)"')

    assert crosses(sunk) - crosses(afloat) == 2
