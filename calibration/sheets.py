"""Printable sheets at exact size: corner markers, ships' markers, the 100 mm bar, the lens board.

`print_sheets()` lays everything out, draws the PDF and says where on the paper each marker is.
"""

import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    SHIP_SIZE_MM,
    Corner,
    Family,
    Kind,
    family_for,
)
from calibration.paper import Font, Paper, Point, missing_letters
from calibration.sheet_drawing import FAINT, INK, Piece, Side, draw_named_ship, draw_numbered
from calibration.sheet_fixtures import (
    BAR_HEIGHT_MM,
    BAR_MM,
    BOARD_SIZE_MM,
    CornerPiece,
    board_words,
    draw_bar,
    draw_board,
    draw_corner,
)
from calibration.sheet_setup import WhereToLook, draw_setup_page
from calibration.sheetfile import MarkerSheet, PageSize, PrintedMarker, number_name
from tabletop.errors import DreyerError, shorten

MARGIN_MM: Final = 9.0
"""No printer we know of leaves more than 8 mm blank at an edge."""
HEADER_MM: Final = 6.0
FIRST_CORNER_PAGE: Final = 2
GAP_MM: Final = 1.2
LEAST_TAG_MM: Final = 10.0
MOST_TAG_MM: Final = 80.0
LEAST_CORNER_MM: Final = 20.0
MOST_CORNER_MM: Final = 120.0
LONGEST_NAME: Final = 60
SHIPS_IN_A_SET: Final = 20
"""How many markers are printed where nobody says how many."""


class PaperSize(Enum):
    """The papers we print on, upright."""

    A4 = PageSize(210.0, 297.0)
    LETTER = PageSize(215.9, 279.4)


@dataclass(frozen=True, slots=True)
class ShipToPrint:
    """A ship that gets a marker; a side of None prints none."""

    name: str
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """What is to be printed."""

    ships: tuple[ShipToPrint, ...] = ()
    numbered: int = 0
    """How many markers with a number only, besides the ships."""
    hidden: bool = False
    """Print numbers in place of the ships' names; only the sheet file tells who is who."""
    paper: PaperSize = PaperSize.A4
    tag_mm: float = SHIP_SIZE_MM
    corner_mm: float = CORNER_SIZE_MM

    def __post_init__(self) -> None:
        _within("ship", self.tag_mm, LEAST_TAG_MM, MOST_TAG_MM)
        _within("corner", self.corner_mm, LEAST_CORNER_MM, MOST_CORNER_MM)
        if self.numbered < 0:
            raise DreyerError("calibration.print.numbered", found=self.numbered)
        seen: dict[str, str] = {}
        for ship in self.ships:
            name = ship.name
            if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
                raise DreyerError(
                    "calibration.print.name_length", most=LONGEST_NAME, name=shorten(name)
                )
            odd = missing_letters(name, Font.SANS_BOLD)
            if odd:
                raise DreyerError("calibration.print.letters", name=shorten(name), letters=odd[:8])
            if name.casefold() in seen:
                raise DreyerError("calibration.print.twice", name=shorten(name))
            seen[name.casefold()] = name


@dataclass(frozen=True, slots=True)
class PrintedSheets:
    """The PDF, and what is where in it."""

    pdf: bytes
    sheet: MarkerSheet


@dataclass(frozen=True, slots=True)
class _Placed:
    """A ship's marker with its place; no ship for a marker that is a number only."""

    marker_id: int
    ship: ShipToPrint | None
    page: int
    at: Point

    @property
    def name(self) -> str:
        return self.ship.name if self.ship else number_name(self.marker_id)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is on which page: set-up first, then corners, the bar, ships, and the board."""

    order: SheetOrder
    family: Family
    corner_piece: CornerPiece
    piece: Piece
    corners: dict[Corner, tuple[int, Point]]
    bar_page: int
    bar_top_mm: float
    ships: tuple[_Placed, ...]

    @property
    def last_corner_page(self) -> int:
        return max(page for page, _ in self.corners.values())

    @property
    def last_ship_page(self) -> int:
        return max((ship.page for ship in self.ships), default=self.bar_page)

    @property
    def pages(self) -> int:
        return self.last_ship_page + 1


def print_sheets(order: SheetOrder, random: Random | None = None) -> PrintedSheets:
    """Draw the sheets; where names are hidden, the numbers are dealt by the given randomness."""
    plan = _plan(order, random)
    return PrintedSheets(_draw(plan), _sheet(plan))


def ship_to_print(name: str, side: Side | None = None) -> ShipToPrint:
    """A ship by her name as it was typed: composed letters, single spaces."""
    return ShipToPrint(" ".join(unicodedata.normalize("NFC", name).split()), side)


# ---------- where everything goes ----------


def _plan(order: SheetOrder, random: Random | None) -> _Plan:
    size = order.paper.value
    family = family_for(len(order.ships) + order.numbered)
    corner_piece = CornerPiece(order.corner_mm, family.modules)
    piece = Piece(order.tag_mm, family.modules)
    corners = _place_corners(size, corner_piece, FIRST_CORNER_PAGE)
    bar_page = max(page for page, _ in corners.values())
    bar_top = size.height_mm - MARGIN_MM - BAR_HEIGHT_MM
    lowest = max(y for page, (_, y) in corners.values() if page == bar_page)
    if lowest + corner_piece.bottom + 2 > bar_top:
        bar_page, bar_top = bar_page + 1, MARGIN_MM + HEADER_MM + 4
    ships = _place_ships(order, family, piece, bar_page + 1, random)
    return _Plan(order, family, corner_piece, piece, corners, bar_page, bar_top, ships)


def _sheet(plan: _Plan) -> MarkerSheet:
    """What the file beside the PDF says."""
    order = plan.order
    markers = [
        PrintedMarker(
            CORNER_IDS[corner], corner.value, Kind.CORNER, page, *at, order.corner_mm, 0.0
        )
        for corner, (page, at) in plan.corners.items()
    ]
    markers += [
        PrintedMarker(ship.marker_id, ship.name, Kind.SHIP, ship.page, *ship.at, order.tag_mm, 0.0)
        for ship in plan.ships
    ]
    _refuse_double_names(markers)
    return MarkerSheet(plan.family, tuple(markers), (order.paper.value,) * plan.pages)


def _place_corners(
    size: PageSize, piece: CornerPiece, first_page: int
) -> dict[Corner, tuple[int, Point]]:
    """The corner markers as they will lie on the table, or one below the other if too large."""
    order = (Corner.FAR_LEFT, Corner.FAR_RIGHT, Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
    spots = _grid(size, 2 * piece.half_width, piece.top, piece.bottom, first_page, most_columns=2)
    placed = {corner: next(spots) for corner in order}
    return {corner: placed[corner] for corner in Corner}


def _place_ships(
    order: SheetOrder, family: Family, piece: Piece, first_page: int, random: Random | None
) -> tuple[_Placed, ...]:
    count = len(order.ships) + order.numbered
    ids = list(family.ship_ids[:count])
    owners: list[ShipToPrint | None] = [*order.ships, *[None] * order.numbered]
    if order.hidden and random is not None:
        # In the order of the list, a number would give the ship away.
        random.shuffle(owners)
    spots = _grid(order.paper.value, 2 * piece.half_width, piece.top, piece.bottom, first_page)
    return tuple(
        _Placed(marker_id, owner, *next(spots))
        for marker_id, owner in zip(ids, owners, strict=True)
    )


def _grid(
    size: PageSize, width: float, top: float, bottom: float, page: int, most_columns: int = 99
) -> Iterator[tuple[int, Point]]:
    """Page and centre of one piece after the other, row by row, on as many pages as it takes."""
    room = size.width_mm - 2 * MARGIN_MM
    columns = min(most_columns, max(1, math.floor((room + GAP_MM) / (width + GAP_MM))))
    height = size.height_mm - 2 * MARGIN_MM - HEADER_MM
    rows = max(1, math.floor((height + GAP_MM) / (top + bottom + GAP_MM)))
    gap = min(6.0, (room - columns * width) / max(1, columns - 1))
    row_gap = min(4.0, (height - rows * (top + bottom)) / max(1, rows - 1))
    left = (size.width_mm - columns * width - (columns - 1) * gap) / 2
    while True:
        for row in range(rows):
            for column in range(columns):
                x = left + column * (width + gap) + width / 2
                y = MARGIN_MM + HEADER_MM + row * (top + bottom + row_gap) + top
                # Hundredths of a millimetre, so that file and paper say the same.
                yield page, (round(x, 2), round(y, 2))
        page += 1


# ---------- drawing ----------


def _draw(plan: _Plan) -> bytes:
    """The PDF, page by page."""
    order, size = plan.order, plan.order.paper.value
    paper = Paper(size.width_mm, size.height_mm, "Dreyer Table: markers to print and cut out")
    where = WhereToLook(
        corners=_pages_in_words(FIRST_CORNER_PAGE, plan.last_corner_page),
        bar=_pages_in_words(plan.bar_page, plan.bar_page),
        ships=_pages_in_words(plan.bar_page + 1, plan.last_ship_page),
    )
    draw_setup_page(paper, where)
    paper.next_page()
    for number in range(FIRST_CORNER_PAGE, plan.bar_page + 1):
        words = f"Corner markers · {order.corner_mm:g} mm"
        if number > plan.last_corner_page:
            words = "The bar"
        _draw_header(paper, words, number, plan.pages)
        for corner, (page, at) in plan.corners.items():
            if page == number:
                draw_corner(paper, plan.corner_piece, at, corner, plan.family)
        if number == plan.bar_page:
            draw_bar(paper, (size.width_mm - BAR_MM) / 2, plan.bar_top_mm)
        paper.next_page()
    words = f"{'Numbered markers' if order.hidden else 'Ships'} · {order.tag_mm:g} mm"
    for number in range(plan.bar_page + 1, plan.last_ship_page + 1):
        _draw_header(paper, words, number, plan.pages, _left_out(plan))
        for ship in plan.ships:
            if ship.page == number:
                _draw_ship(paper, plan.piece, ship, plan.family, order.hidden)
        paper.next_page()
    _draw_board_page(paper, plan.pages)
    paper.next_page()
    return paper.finish()


def _draw_ship(paper: Paper, piece: Piece, placed: _Placed, family: Family, hidden: bool) -> None:
    if placed.ship is None or hidden:
        draw_numbered(paper, piece, placed.at, placed.marker_id, family, writable=not hidden)
    else:
        draw_named_ship(
            paper, piece, placed.at, placed.marker_id, family, placed.ship.name, placed.ship.side
        )


def _left_out(plan: _Plan) -> str:
    """Which numbers nobody need look for, where numbers matter."""
    if not (plan.order.numbered or plan.order.hidden):
        return ""
    highest = max(ship.marker_id for ship in plan.ships)
    missing = [str(number) for number in sorted(plan.family.unfit) if number < highest]
    return f" · there is no {', '.join(missing)}" if missing else ""


def _draw_header(paper: Paper, words: str, page: int, pages: int, more: str = "") -> None:
    base = MARGIN_MM + 2.8
    paper.text(MARGIN_MM, base, words, Font.SANS_BOLD, 9, INK)
    paper.text(
        paper.width_mm / 2, base, f"cut along the dashes, keep the white border{more}",
        Font.SANS, 8, FAINT, "centre",
    )  # fmt: skip
    paper.text(
        paper.width_mm - MARGIN_MM, base, f"Dreyer Table · page {page} of {pages} · print at 100 %",
        Font.SANS, 8, FAINT, "right",
    )  # fmt: skip


def _draw_board_page(paper: Paper, pages: int) -> None:
    width, height = BOARD_SIZE_MM
    left, base = (paper.width_mm - width) / 2, MARGIN_MM + 2.8
    paper.text(left, base, "Board for the lens (optional)", Font.SANS_BOLD, 9, INK)
    paper.text(
        left + width, base, f"Dreyer Table · page {pages} of {pages} · print at 100 %",
        Font.SANS, 8, FAINT, "right",
    )  # fmt: skip
    top = MARGIN_MM + HEADER_MM
    draw_board(paper, left, top)
    base = top + height + 4.2
    paper.text(
        left, base, "Glue it flat to a board and take ten pictures of it at many angles: dreyer "
        "calibrate then knows your lens.", Font.SANS, 8, INK,
    )  # fmt: skip
    paper.text(left, base + 3.4, board_words(), Font.SANS, 7, FAINT)


def _pages_in_words(first: int, last: int) -> str:
    if last < first:
        return "no page this time"
    return f"page {first}" if first == last else f"pages {first} to {last}"


def _within(kind: str, value: float, least: float, most: float) -> None:
    if not (math.isfinite(value) and least <= value <= most):
        raise DreyerError(f"calibration.print.{kind}_tags", least=least, most=most, found=value)


def _refuse_double_names(markers: list[PrintedMarker]) -> None:
    seen: set[str] = set()
    for marker in markers:
        if marker.name.casefold() in seen:
            raise DreyerError("calibration.print.taken", name=shorten(marker.name))
        seen.add(marker.name.casefold())
