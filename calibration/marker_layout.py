"""The layout of the printed marker pages: corners, the 100 mm bar, ships and the lens board.

`lay_out_markers()` places each marker; `web.drawing` draws the pages.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

from calibration.charuco import CHARUCO_COLUMNS, CHARUCO_ROWS, CHARUCO_SQUARE_MM
from calibration.marker_file import (
    MarkerSet,
    PageSize,
    PrintedMarker,
    anchor_name,
    contact_name,
    number_name,
)
from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    SHIP_SIZE_MM,
    Corner,
    Family,
    MarkerKind,
    family_for,
)
from calibration.model_pieces import (
    COUNTER_WIDTH_MM,
    USUAL_LENGTH_M,
    CodePlace,
    MarkerForm,
    MarkerPaint,
    ModelPiece,
    ModelScale,
    base,
    breadth_needed_mm,
    paper_ship,
    plate,
)
from tabletop.errors import DreyerError
from tabletop.places import shorten

Point = tuple[float, float]

MARGIN_MM: Final = 9.0
"""Printers leave at most about 8 mm blank at an edge."""
HEADER_MM: Final = 6.0
FIRST_CORNER_PAGE: Final = 2
BAR_MM: Final = 100.0
BAR_HEIGHT_MM: Final = 15.0
BOARD_SIZE_MM: Final = (CHARUCO_COLUMNS * CHARUCO_SQUARE_MM, CHARUCO_ROWS * CHARUCO_SQUARE_MM)
GAP_MM: Final = 1.2
_SHELF_GAP_MM: Final = 4.0
LEAST_TAG_MM: Final = 10.0
MOST_TAG_MM: Final = 80.0
LEAST_CORNER_MM: Final = 20.0
MOST_CORNER_MM: Final = 120.0
LONGEST_NAME: Final = 60
MOST_ANCHORS: Final = 60
_KINDS: Final = {MarkerForm.PLATE: MarkerKind.PLATE}
SHIPS_IN_A_SET: Final = 20
"""The default number of markers."""


class PaperSize(Enum):
    """Supported paper sizes, in portrait format."""

    A4 = PageSize(210.0, 297.0)
    LETTER = PageSize(215.9, 279.4)


@dataclass(frozen=True, slots=True)
class ShipPiece:
    """A ship's marker to cut out, measured from the centre of its coded square."""

    tag_mm: float
    modules: int

    @property
    def white(self) -> float:
        """Half the side of the white square: one module of white all around the tag."""
        return self.tag_mm / 2 + self.tag_mm / self.modules

    @property
    def side(self) -> float:
        """The width of the port and starboard bands."""
        return max(2.4, 0.7 / 6 * self.tag_mm)

    @property
    def half_width(self) -> float:
        """From the centre to the cut line at port and starboard."""
        return self.white + self.side

    @property
    def bow(self) -> float:
        """From the white square to the tip of the bow."""
        return max(7.5, 0.42 * self.tag_mm)

    @property
    def stern(self) -> float:
        """From the white square to the cut line at the stern."""
        return max(8.0, self.tag_mm / 3)

    @property
    def top(self) -> float:
        """From the centre to the tip of the bow."""
        return self.white + self.bow

    @property
    def bottom(self) -> float:
        """From the centre to the cut line at the stern."""
        return self.white + self.stern

    @property
    def shoulder(self) -> float:
        """From the centre forward to where the bow begins to taper."""
        return self.white + 0.08 * self.bow


@dataclass(frozen=True, slots=True)
class CornerPiece:
    """A corner marker to cut out, measured from the centre of its coded square."""

    tag_mm: float
    modules: int

    @property
    def white(self) -> float:
        """Half the side of the white square around the tag."""
        return self.tag_mm / 2 + self.tag_mm / self.modules

    @property
    def half_width(self) -> float:
        """From the centre to the cut line at the sides; wide enough for its text."""
        return max(self.white + 4.5, 36.0)

    @property
    def top(self) -> float:
        """From the centre to the cut line above."""
        return self.white + 13.0

    @property
    def bottom(self) -> float:
        """From the centre to the cut line below."""
        return self.white + 15.0


@dataclass(frozen=True, slots=True)
class MarkerOrder:
    """The markers to print."""

    ships: tuple[str, ...] = ()
    """The names of ships with a marker of their own."""
    numbered: int = 0
    """The number of further markers with only a number."""
    hidden: bool = False
    """Whether numbers are printed instead of names; only the marker file then has the names."""
    paper: PaperSize = PaperSize.A4
    tag_mm: float = SHIP_SIZE_MM
    corner_mm: float = CORNER_SIZE_MM
    form: MarkerForm = MarkerForm.COUNTER
    paint: MarkerPaint = MarkerPaint.WHITE
    """The colours of plates, bases, paper ships and of counters' codes."""
    scale: ModelScale = ModelScale.S2400
    """The scale of the models, for bases and paper ships."""
    code: CodePlace = CodePlace.BEHIND
    """Where the code of a base is."""
    lengths_m: tuple[tuple[str, float], ...] = ()
    """The lengths of ships by name, for bases and paper ships."""
    dummies: int = 0
    """The number of contacts that are no ships, printed like the hidden ships."""
    anchors: int = 0
    """The number of further fixed markers for a table larger than a picture."""

    def __post_init__(self) -> None:
        _within("ship", self.tag_mm, LEAST_TAG_MM, MOST_TAG_MM)
        _within("corner", self.corner_mm, LEAST_CORNER_MM, MOST_CORNER_MM)
        if self.numbered < 0:
            raise DreyerError("calibration.print.numbered", found=self.numbered)
        if self.dummies < 0:
            raise DreyerError("calibration.print.dummies", found=self.dummies)
        if self.dummies and not self.hidden:
            raise DreyerError("calibration.print.dummies_seen")
        if not 0 <= self.anchors <= MOST_ANCHORS:
            raise DreyerError("calibration.print.anchors", most=MOST_ANCHORS, found=self.anchors)
        seen: dict[str, str] = {}
        for name in self.ships:
            if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
                raise DreyerError(
                    "calibration.print.name_length", most=LONGEST_NAME, name=shorten(name)
                )
            if name.casefold() in seen:
                raise DreyerError("calibration.print.twice", name=shorten(name))
            seen[name.casefold()] = name


@dataclass(frozen=True, slots=True)
class PlacedMarker:
    """A ship's marker with its place; `ship` is None for a marker with only a number."""

    marker_id: int
    ship: str | None
    page: int
    at: Point
    kind: MarkerKind = MarkerKind.SHIP
    model: ModelPiece | None = None
    """The piece, unless it is a counter."""

    @property
    def name(self) -> str:
        """The name of the marker in the marker file."""
        if self.kind is MarkerKind.DUMMY:
            return contact_name(self.marker_id)
        if self.kind is MarkerKind.ANCHOR:
            return anchor_name(self.marker_id)
        return self.ship or number_name(self.marker_id)


@dataclass(frozen=True, slots=True)
class MarkerLayout:
    """The markers of each page: set-up first, then corners, the bar, ships and the board."""

    order: MarkerOrder
    family: Family
    corner_piece: CornerPiece
    piece: ShipPiece
    corners: dict[Corner, tuple[int, Point]]
    bar_page: int
    bar_top_mm: float
    anchors: tuple[PlacedMarker, ...]
    ships: tuple[PlacedMarker, ...]

    @property
    def last_corner_page(self) -> int:
        """The last page with a corner marker."""
        return max(page for page, _ in self.corners.values())

    @property
    def last_anchor_page(self) -> int:
        """The last page with an anchor marker, or the page of the bar."""
        return max((anchor.page for anchor in self.anchors), default=self.bar_page)

    @property
    def last_ship_page(self) -> int:
        """The last page with a ship's marker."""
        return max((ship.page for ship in self.ships), default=self.last_anchor_page)

    @property
    def pages(self) -> int:
        """The number of pages; the last one has the lens board."""
        return self.last_ship_page + 1

    @property
    def marker_set(self) -> MarkerSet:
        """The marker file of these pages."""
        order = self.order
        corners = (
            PrintedMarker(
                CORNER_IDS[corner], corner.value, MarkerKind.CORNER, page, *at, order.corner_mm, 0.0
            )
            for corner, (page, at) in self.corners.items()
        )
        anchors = (
            PrintedMarker(
                each.marker_id, each.name, each.kind, each.page, *each.at, order.corner_mm, 0.0
            )
            for each in self.anchors
        )
        ships = (
            PrintedMarker(
                ship.marker_id, ship.name, ship.kind, ship.page, *ship.at, order.tag_mm, 0.0,
                0.0 if ship.model is None else round(ship.model.ahead_mm, 3),
            )
            for ship in self.ships
        )  # fmt: skip
        pages = (order.paper.value,) * self.pages
        return MarkerSet(self.family, (*corners, *anchors, *ships), pages)


def tidy_name(name: str) -> str:
    """A typed name with composed letters and single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def lay_out_markers(order: MarkerOrder, random: Random | None = None) -> MarkerLayout:
    """Lay out the pages; if names are hidden, `random` assigns the numbers."""
    size = order.paper.value
    family = family_for(len(order.ships) + order.numbered + order.dummies + order.anchors)
    _check_breadth(order, family)
    corner_piece = CornerPiece(order.corner_mm, family.modules)
    piece = ShipPiece(order.tag_mm, family.modules)
    corners = _place_corners(size, corner_piece, FIRST_CORNER_PAGE)
    bar_page = max(page for page, _ in corners.values())
    bar_top = size.height_mm - MARGIN_MM - BAR_HEIGHT_MM
    lowest = max(y for page, (_, y) in corners.values() if page == bar_page)
    if lowest + corner_piece.bottom + 2 > bar_top:
        bar_page, bar_top = bar_page + 1, MARGIN_MM + HEADER_MM + 4
    anchors = _place_anchors(order, family, corner_piece, bar_page + 1)
    first = max((anchor.page for anchor in anchors), default=bar_page) + 1
    ships = _place_ships(order, family, piece, first, random)
    names = (marker.name for marker in (*anchors, *ships))
    _refuse_double_names((*(corner.value for corner in corners), *names))
    return MarkerLayout(
        order, family, corner_piece, piece, corners, bar_page, bar_top, anchors, ships
    )


def _place_corners(
    size: PageSize, piece: CornerPiece, first_page: int
) -> dict[Corner, tuple[int, Point]]:
    """The corner markers in their arrangement on the table, or one below the other if too large."""
    order = (Corner.FAR_LEFT, Corner.FAR_RIGHT, Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
    spots = _grid(size, 2 * piece.half_width, piece.top, piece.bottom, first_page, most_columns=2)
    placed = {corner: next(spots) for corner in order}
    return {corner: placed[corner] for corner in Corner}


def _place_anchors(
    order: MarkerOrder, family: Family, piece: CornerPiece, first_page: int
) -> tuple[PlacedMarker, ...]:
    """Anchors have the last ids, so that ships have the same ids with and without them."""
    ids = family.ship_ids[len(family.ship_ids) - order.anchors :]
    spots = _grid(order.paper.value, 2 * piece.half_width, piece.top, piece.bottom, first_page)
    return tuple(PlacedMarker(number, None, *next(spots), kind=MarkerKind.ANCHOR) for number in ids)


def _place_ships(
    order: MarkerOrder, family: Family, piece: ShipPiece, first_page: int, random: Random | None
) -> tuple[PlacedMarker, ...]:
    usual = _KINDS.get(order.form, MarkerKind.SHIP)
    owners: list[tuple[str | None, MarkerKind]] = [
        *((name, usual) for name in order.ships),
        *[(None, usual)] * order.numbered,
        *[(None, MarkerKind.DUMMY)] * order.dummies,
    ]
    ids = list(family.ship_ids[: len(owners)])
    if order.hidden and random is not None:
        # In the order of the list a number would reveal the ship.
        random.shuffle(owners)
    if order.form is MarkerForm.COUNTER:
        spots = _grid(order.paper.value, 2 * piece.half_width, piece.top, piece.bottom, first_page)
        return tuple(
            PlacedMarker(number, owner, *next(spots), kind=kind)
            for number, (owner, kind) in zip(ids, owners, strict=True)
        )
    pieces = [_model_piece(order, family, owner) for owner, _ in owners]
    places = _shelves(order.paper.value, pieces, first_page)
    return tuple(
        PlacedMarker(number, owner, page, at, kind, model)
        for number, (owner, kind), model, (page, at) in zip(
            ids, owners, pieces, places, strict=True
        )
    )


def _model_piece(order: MarkerOrder, family: Family, owner: str | None) -> ModelPiece:
    """The piece of a ship; hidden ships and dummies have pieces of one size."""
    if order.form is MarkerForm.PLATE:
        return plate(order.tag_mm, family.modules)
    known = [length for name, length in order.lengths_m if order.hidden or name == owner]
    length = max(known, default=USUAL_LENGTH_M)
    if order.form is MarkerForm.BASE:
        return base(order.tag_mm, family.modules, order.scale, length, order.code)
    return paper_ship(order.tag_mm, family.modules, order.scale, length)


def _check_breadth(order: MarkerOrder, family: Family) -> None:
    """A code that is broader than the boxed game's counter does not fit on it."""
    needed = breadth_needed_mm(order.tag_mm, family.modules)
    on_base = order.form is MarkerForm.BASE and order.scale is ModelScale.BOXED
    if on_base and needed > COUNTER_WIDTH_MM:
        raise DreyerError(
            "calibration.print.too_broad", size=order.tag_mm, needed=needed, room=COUNTER_WIDTH_MM
        )


def _shelves(
    size: PageSize, pieces: Sequence[ModelPiece], page: int
) -> Iterator[tuple[int, Point]]:
    """The page and code's centre of pieces of different sizes, in rows, in their order."""
    right, low = size.width_mm - MARGIN_MM, size.height_mm - MARGIN_MM
    first = MARGIN_MM + HEADER_MM
    x, top, tall = MARGIN_MM, first, 0.0
    for piece in pieces:
        if piece.width > right - MARGIN_MM or piece.height > low - first:
            raise DreyerError("calibration.print.too_large", size=max(piece.width, piece.height))
        if x + piece.width > right:
            x, top, tall = MARGIN_MM, top + tall + _SHELF_GAP_MM, 0.0
        if top + piece.height > low:
            page, x, top, tall = page + 1, MARGIN_MM, first, 0.0
        yield page, (round(x + piece.left, 2), round(top + piece.top, 2))
        x, tall = x + piece.width + _SHELF_GAP_MM, max(tall, piece.height)


def _grid(
    size: PageSize, width: float, top: float, bottom: float, page: int, most_columns: int = 99
) -> Iterator[tuple[int, Point]]:
    """The page and centre of each piece, row by row, on as many pages as needed."""
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
                # Rounded to 0.01 mm so that the file and the paper agree.
                yield page, (round(x, 2), round(y, 2))
        page += 1


def _within(kind: str, value: float, least: float, most: float) -> None:
    if not (math.isfinite(value) and least <= value <= most):
        raise DreyerError(f"calibration.print.{kind}_tags", least=least, most=most, found=value)


def _refuse_double_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise DreyerError("calibration.print.taken", name=shorten(name))
        seen.add(name.casefold())
