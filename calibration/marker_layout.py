"""The layout of the printed marker pages: corners, the 100 mm bar, ships and the lens board.

`lay_out_markers()` places each marker; `web.drawing` draws the pages.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

from calibration.charuco import CHARUCO_COLUMNS, CHARUCO_ROWS, CHARUCO_SQUARE_MM
from calibration.marker_file import MarkerSet, PageSize, PrintedMarker, number_name
from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    SHIP_SIZE_MM,
    Corner,
    Family,
    MarkerKind,
    family_for,
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
LEAST_TAG_MM: Final = 10.0
MOST_TAG_MM: Final = 80.0
LEAST_CORNER_MM: Final = 20.0
MOST_CORNER_MM: Final = 120.0
LONGEST_NAME: Final = 60
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

    def __post_init__(self) -> None:
        _within("ship", self.tag_mm, LEAST_TAG_MM, MOST_TAG_MM)
        _within("corner", self.corner_mm, LEAST_CORNER_MM, MOST_CORNER_MM)
        if self.numbered < 0:
            raise DreyerError("calibration.print.numbered", found=self.numbered)
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

    @property
    def name(self) -> str:
        """The name of the marker in the marker file."""
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
    ships: tuple[PlacedMarker, ...]

    @property
    def last_corner_page(self) -> int:
        """The last page with a corner marker."""
        return max(page for page, _ in self.corners.values())

    @property
    def last_ship_page(self) -> int:
        """The last page with a ship's marker."""
        return max((ship.page for ship in self.ships), default=self.bar_page)

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
        ships = (
            PrintedMarker(
                ship.marker_id, ship.name, MarkerKind.SHIP, ship.page, *ship.at, order.tag_mm, 0.0
            )
            for ship in self.ships
        )
        return MarkerSet(self.family, (*corners, *ships), (order.paper.value,) * self.pages)


def tidy_name(name: str) -> str:
    """A typed name with composed letters and single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def lay_out_markers(order: MarkerOrder, random: Random | None = None) -> MarkerLayout:
    """Lay out the pages; if names are hidden, `random` assigns the numbers."""
    size = order.paper.value
    family = family_for(len(order.ships) + order.numbered)
    corner_piece = CornerPiece(order.corner_mm, family.modules)
    piece = ShipPiece(order.tag_mm, family.modules)
    corners = _place_corners(size, corner_piece, FIRST_CORNER_PAGE)
    bar_page = max(page for page, _ in corners.values())
    bar_top = size.height_mm - MARGIN_MM - BAR_HEIGHT_MM
    lowest = max(y for page, (_, y) in corners.values() if page == bar_page)
    if lowest + corner_piece.bottom + 2 > bar_top:
        bar_page, bar_top = bar_page + 1, MARGIN_MM + HEADER_MM + 4
    ships = _place_ships(order, family, piece, bar_page + 1, random)
    _refuse_double_names((*(corner.value for corner in corners), *(ship.name for ship in ships)))
    return MarkerLayout(order, family, corner_piece, piece, corners, bar_page, bar_top, ships)


def _place_corners(
    size: PageSize, piece: CornerPiece, first_page: int
) -> dict[Corner, tuple[int, Point]]:
    """The corner markers in their arrangement on the table, or one below the other if too large."""
    order = (Corner.FAR_LEFT, Corner.FAR_RIGHT, Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
    spots = _grid(size, 2 * piece.half_width, piece.top, piece.bottom, first_page, most_columns=2)
    placed = {corner: next(spots) for corner in order}
    return {corner: placed[corner] for corner in Corner}


def _place_ships(
    order: MarkerOrder, family: Family, piece: ShipPiece, first_page: int, random: Random | None
) -> tuple[PlacedMarker, ...]:
    count = len(order.ships) + order.numbered
    ids = list(family.ship_ids[:count])
    owners: list[str | None] = [*order.ships, *[None] * order.numbered]
    if order.hidden and random is not None:
        # In the order of the list a number would reveal the ship.
        random.shuffle(owners)
    spots = _grid(order.paper.value, 2 * piece.half_width, piece.top, piece.bottom, first_page)
    return tuple(
        PlacedMarker(marker_id, owner, *next(spots))
        for marker_id, owner in zip(ids, owners, strict=True)
    )


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
