"""The marker pages: set-up, corner markers, the 100 mm bar, ships and the lens board."""

from collections.abc import Iterator, Mapping
from typing import Final

from calibration.charuco import (
    CHARUCO_COLUMNS,
    CHARUCO_DICTIONARY_NAME,
    CHARUCO_ROWS,
    CHARUCO_SQUARE_MM,
    charuco_tags,
)
from calibration.marker_layout import (
    BAR_MM,
    BOARD_SIZE_MM,
    FIRST_CORNER_PAGE,
    HEADER_MM,
    MARGIN_MM,
    CornerPiece,
    MarkerLayout,
    PlacedMarker,
    ShipPiece,
)
from calibration.markers import CORNER_IDS, Corner, tag_bits
from calibration.model_pieces import MarkerForm, MarkerPaint
from combat.participants import Side, SideColour, SideShape
from web.drawing.coded_square import cut_line, tag_shape
from web.drawing.document import cut_mm, print_text
from web.drawing.figures import Drawing, Figure, Shape, line, polygon
from web.drawing.fonts import CAP_HEIGHT, Face, text_width
from web.drawing.geometry import Path, Point
from web.drawing.marker_outline import marker_outline
from web.drawing.model_markers import Deck, ModelLook, draw_model_piece
from web.drawing.pdf import MM_PER_POINT, pdf_file
from web.drawing.setup_page import PageGuide, draw_setup_page
from web.drawing.side_marks import badge
from web.drawing.theme import side_colour
from web.sides import side_name
from web.strings import text

SMALLEST_NAME_PT: Final = 7.0
_BOLD: Final = Face.SANS_BOLD
_TITLES: Final = {
    MarkerForm.COUNTER: "ships",
    MarkerForm.PLATE: "plates",
    MarkerForm.BASE: "bases",
    MarkerForm.PAPER_SHIP: "paper_ships",
}
_NOBODY: Final = Side("", shape=SideShape.SQUARE, colour=SideColour.GREY)
"""A marker without a side."""


def print_markers(
    layout: MarkerLayout, sides: Mapping[str, Side], decks: Mapping[str, Deck] | None = None
) -> bytes:
    """All pages as one PDF at exact size.

    A ship without a known side gets none printed; `decks` are the plans of paper ships by name.
    """
    title = text("markers.title")
    return pdf_file([*draw_markers(layout, sides, decks)], title, "markers")


def draw_markers(
    layout: MarkerLayout, sides: Mapping[str, Side], decks: Mapping[str, Deck] | None = None
) -> Iterator[Drawing]:
    """The drawings of all pages."""
    size = layout.order.paper.value

    def page(items: Iterator[Figure]) -> Drawing:
        return Drawing(size.width_mm, size.height_mm, tuple(items))

    where = PageGuide(
        corners=_pages_in_words(FIRST_CORNER_PAGE, layout.last_corner_page),
        bar=_pages_in_words(layout.bar_page, layout.bar_page),
        ships=_pages_in_words(layout.last_anchor_page + 1, layout.last_ship_page),
    )
    yield page(draw_setup_page(size.width_mm, size.height_mm, where))
    for number in range(FIRST_CORNER_PAGE, layout.bar_page + 1):
        yield page(_corner_page(layout, number))
    for number in range(layout.bar_page + 1, layout.last_anchor_page + 1):
        yield page(_anchor_page(layout, number))
    for number in range(layout.last_anchor_page + 1, layout.last_ship_page + 1):
        yield page(_ship_page(layout, number, sides, decks or {}))
    yield page(_board_page(layout))


def _corner_page(layout: MarkerLayout, number: int) -> Iterator[Figure]:
    words = text("markers.corners", size=layout.order.corner_mm)
    if number > layout.last_corner_page:
        words = text("markers.bar")
    yield from _header(layout, words, number)
    for corner, (page, at) in layout.corners.items():
        if page == number:
            yield from _corner(layout, at, corner)
    if number == layout.bar_page:
        left = (layout.order.paper.value.width_mm - BAR_MM) / 2
        yield from _bar(left, layout.bar_top_mm)


def _anchor_page(layout: MarkerLayout, number: int) -> Iterator[Figure]:
    yield from _header(layout, text("markers.anchors", size=layout.order.corner_mm), number)
    for marker in layout.anchors:
        if marker.page == number:
            yield from _anchor(layout, marker)


def _ship_page(
    layout: MarkerLayout, number: int, sides: Mapping[str, Side], decks: Mapping[str, Deck]
) -> Iterator[Figure]:
    order = layout.order
    what = "numbered" if order.hidden else _TITLES[order.form]
    yield from _header(
        layout, text(f"markers.{what}", size=order.tag_mm), number, _left_out(layout),
        white=order.paint is MarkerPaint.WHITE,
    )  # fmt: skip
    for marker in layout.ships:
        if marker.page != number:
            continue
        if marker.model is not None:
            ship = None if order.hidden else marker.ship
            look = ModelLook(
                order.paint,
                ship or _number_words(layout, marker),
                None if ship is None else sides.get(ship),
                None if ship is None else decks.get(ship),
            )
            yield from draw_model_piece(marker, marker.model, layout.family, look)
        elif marker.ship is None or order.hidden:
            yield from _numbered(layout, marker)
        else:
            yield from _named(layout, marker, marker.ship, sides.get(marker.ship))


def _number_words(layout: MarkerLayout, marker: PlacedMarker) -> str:
    """What is printed instead of a name: ships and dummies beside them look alike."""
    if layout.order.dummies:
        return text("markers.contact", n=marker.marker_id)
    return str(marker.marker_id)


def _board_page(layout: MarkerLayout) -> Iterator[Figure]:
    width, height = BOARD_SIZE_MM
    left, base = (layout.order.paper.value.width_mm - width) / 2, MARGIN_MM + 2.8
    yield print_text(left, base, text("markers.board"), 9, face=_BOLD)
    words = text("markers.page_of", page=layout.pages, pages=layout.pages)
    yield print_text(left + width, base, words, 8, colour="ink_3", anchor="end")
    top = MARGIN_MM + HEADER_MM
    yield from _board(left, top)
    base = top + height + 4.2
    words = text("markers.board_hint")
    yield print_text(left, base, words, 8)
    yield print_text(left, base + 3.4, _board_words(), 7, colour="ink_3")


def _header(
    layout: MarkerLayout, words: str, page: int, more: str = "", *, white: bool = True
) -> Iterator[Figure]:
    width, base = layout.order.paper.value.width_mm, MARGIN_MM + 2.8
    yield print_text(MARGIN_MM, base, words, 9, face=_BOLD)
    hint = text("markers.cut" if white else "markers.cut_colour", more=more)
    yield print_text(width / 2, base, hint, 8, colour="ink_3", anchor="middle")
    end = text("markers.page_of", page=page, pages=layout.pages)
    yield print_text(width - MARGIN_MM, base, end, 8, colour="ink_3", anchor="end")


def _left_out(layout: MarkerLayout) -> str:
    """The numbers that are not used, if numbers matter."""
    if not (layout.order.numbered or layout.order.hidden):
        return ""
    highest = max(marker.marker_id for marker in layout.ships)
    missing = [str(number) for number in sorted(layout.family.unfit) if number < highest]
    if not missing:
        return ""
    return text("markers.left_out", numbers=text("common.list_comma").join(missing))


def _pages_in_words(first: int, last: int) -> str:
    if last < first:
        return text("markers.no_page")
    if first == last:
        return text("markers.one_page", page=first)
    return text("markers.several_pages", first=first, last=last)


# Ships


def fit_name(
    name: str, face: Face, width_mm: float, height_mm: float
) -> tuple[tuple[str, ...], float]:
    """A name as large as fits, in points: in one line, or in two if larger, or else cut."""

    def largest(lines: tuple[str, ...]) -> float:
        tallest = height_mm / (1.08 * len(lines))
        return min(tallest, *(width_mm / text_width(line, face, 1.0) for line in lines))

    words = name.split()
    ways = [(name,)] + [
        (" ".join(words[:number]), " ".join(words[number:])) for number in range(1, len(words))
    ]
    best = max(ways, key=largest)
    size = largest(best) / MM_PER_POINT
    if size >= SMALLEST_NAME_PT:
        return best, size
    return tuple(cut_mm(line, face, SMALLEST_NAME_PT, width_mm) for line in best), SMALLEST_NAME_PT


def _named(
    layout: MarkerLayout, marker: PlacedMarker, name: str, side: Side | None
) -> Iterator[Figure]:
    """A ship's marker with her name and side."""
    piece, (x, y) = layout.piece, marker.at
    look = side or _NOBODY
    yield from _quadrants(piece, marker.at, look)
    yield _tag(layout, marker.marker_id, marker.at, piece.tag_mm)
    stern, half = piece.stern, piece.half_width
    radius = 0.26 * stern if side else 0.0
    gap = 0.6 * radius
    room = 2 * (half - 0.34 * stern) - 2 * radius - gap
    face = Face.SERIF_BOLD_ITALIC
    lines, size = fit_name(name, face, room, 0.72 * stern)
    size_mm = size * MM_PER_POINT
    width = max(text_width(words, face, size_mm) for words in lines)
    left = x - (2 * radius + gap + width) / 2
    middle = y + piece.white + 0.4 * stern
    if side:
        yield from badge(side, (left + radius, middle), radius, _BOLD)
    leading = 1.02 * size_mm
    baseline = middle + (CAP_HEIGHT * size_mm - (len(lines) - 1) * leading) / 2
    for number, words in enumerate(lines):
        at = (left + 2 * radius + gap, baseline + number * leading)
        yield print_text(*at, words, size, face=face)
    small = max(5.0, 0.2 * piece.tag_mm)
    foot, edge = y + piece.bottom - 0.1 * stern, half - 0.3 * stern
    if side:
        words = side_name(side).upper()
        yield print_text(x - edge, foot, words, small, colour=side_colour(side), face=_BOLD)
    number_words = f"№ {marker.marker_id}"
    yield print_text(x + edge, foot, number_words, small, colour="ink_3", anchor="end", face=_BOLD)
    yield cut_line(marker_outline(piece, look.shape).placed(x, y))


def _numbered(layout: MarkerLayout, marker: PlacedMarker) -> Iterator[Figure]:
    """A marker with only its number, with a line for writing unless ships are hidden."""
    piece, (x, y) = layout.piece, marker.at
    yield from _quadrants(piece, marker.at, _NOBODY)
    yield _tag(layout, marker.marker_id, marker.at, piece.tag_mm)
    size = 0.66 * piece.stern / CAP_HEIGHT / MM_PER_POINT
    baseline = y + piece.white + 0.86 * piece.stern
    number = _number_words(layout, marker)
    if layout.order.hidden:
        fitted = _fitted(number, size, 1.8 * piece.half_width)
        yield print_text(x, baseline, number, fitted, anchor="middle", face=_BOLD)
    else:
        edge = piece.half_width - 0.38 * piece.stern
        yield print_text(x - edge, baseline, number, size, face=_BOLD)
        start = x - edge + text_width(number, _BOLD, size * MM_PER_POINT) + 0.2 * piece.stern
        yield line((start, baseline), (x + edge, baseline), colour="cut", width=0.18)
    yield cut_line(marker_outline(piece, _NOBODY.shape).placed(x, y))


def _quadrants(piece: ShipPiece, at: Point, side: Side) -> Iterator[Figure]:
    """The four quadrants around the white square: tints, the bow's arrow, the diagonals."""
    x, y = at
    q, w, s = piece.white, piece.half_width, piece.side
    # Where the forward diagonals meet the slope of the bow.
    slope = (piece.top - piece.shoulder) / w
    reach = (piece.shoulder - q + s * slope) / (1 + slope)
    yield Shape(marker_outline(piece, side.shape).placed(x, y), fill=f"{side_colour(side)}_tint")
    band = ((-w, -piece.shoulder), (-q - reach, -q - reach), (-q, -q), (-q, q), (-w, q + s))
    for sign, tint in ((1, "port"), (-1, "starboard")):
        yield polygon(((x + sign * px, y + py) for px, py in band), fill=tint)
    yield Shape(Path().rectangle(x - q, y - q, 2 * q, 2 * q), fill="white")
    if side.shape is SideShape.SQUARE:
        stern = ((-q, q), (q, q), (w, q + s), (w, piece.bottom), (-w, piece.bottom), (-w, q + s))
        yield polygon(((x + px, y + py) for px, py in stern), fill="white")
    width = max(0.45, 0.025 * piece.tag_mm)
    # Line ends are round and must not extend into the white or beyond the cut line.
    start, ahead, aside = q + width / 2, q + reach - 0.4 * width, q + s - 0.4 * width
    cross = Path()
    for sx in (-1, 1):
        cross = cross.move(x + sx * start, y - start).line(x + sx * ahead, y - ahead)
        cross = cross.move(x + sx * start, y + start).line(x + sx * aside, y + aside)
    yield Shape(cross, stroke="black", width=width)
    yield from _bow_arrow(piece, at, side_colour(side))
    size = min(0.62 * s, 2.2) / MM_PER_POINT / CAP_HEIGHT * 0.8
    drop = CAP_HEIGHT / 2 * size * MM_PER_POINT
    for sign, key in ((-1, "port"), (1, "starboard")):
        words = str(text(f"markers.{key}"))
        yield print_text(
            x + sign * (q + s / 2 - drop),
            y,
            words,
            _fitted(words, size, 2 * q),
            colour=f"{key}_ink",
            anchor="middle",
            face=_BOLD,
            turn_deg=sign * 90,
        )


def _bow_arrow(piece: ShipPiece, at: Point, ink: str) -> Iterator[Figure]:
    x, y = at
    tip, foot = -piece.top + 0.16 * piece.bow, -piece.white - 0.12 * piece.bow
    slope = (piece.top - piece.shoulder) / piece.half_width
    half = (foot - tip) / slope * 0.8
    notch = 0.2 * (foot - tip)
    arrow = ((x, y + tip), (x + half, y + foot), (x, y + foot - notch), (x - half, y + foot))
    yield polygon(arrow, fill=ink)
    size = 0.3 * (foot - tip) / CAP_HEIGHT / MM_PER_POINT
    base = y + foot - notch - 0.1 * (foot - tip)
    words = str(text("markers.bow"))
    fitted = _fitted(words, size, 1.4 * half)
    yield print_text(x, base, words, fitted, colour="white", anchor="middle", face=_BOLD)


def _fitted(words: str, size: float, room_mm: float) -> float:
    """The size in points at which the words are no wider than the room."""
    width_mm = text_width(words, _BOLD, size * MM_PER_POINT)
    return size * min(1.0, room_mm / width_mm)


def _tag(layout: MarkerLayout, marker_id: int, at: Point, size_mm: float) -> Shape:
    """A coded square by its centre."""
    return tag_shape(tag_bits(layout.family, marker_id), at, size_mm)


# Corners


def _corner(layout: MarkerLayout, at: Point, corner: Corner) -> Iterator[Figure]:
    """A corner marker: its corner, the edge away from the host, and its centre."""
    piece: CornerPiece = layout.corner_piece
    x, y = at
    q, w = piece.white, piece.half_width
    frame = Path().rectangle(x - w, y - piece.top, 2 * w, piece.top + piece.bottom)
    yield Shape(frame, fill="corner_tint")
    yield Shape(Path().rectangle(x - q, y - q, 2 * q, 2 * q), fill="white")
    yield _tag(layout, CORNER_IDS[corner], at, piece.tag_mm)
    # The centre lines end before the white area, because a mark in it would spoil the code.
    end = q + 0.4
    ticks = Path().move(x - w + 0.2, y).line(x - end, y).move(x + end, y).line(x + w - 0.2, y)
    ticks = ticks.move(x, y + end).line(x, y + q + 2.6)
    yield Shape(ticks, stroke="black", width=0.35)
    arrow = ((0, -10), (7, -3.6), (2.6, -3.6), (2.6, 0), (-2.6, 0), (-2.6, -3.6), (-7, -3.6))
    yield polygon(((x + px, y - q - 1.6 + py) for px, py in arrow), fill="ink")
    yield print_text(x - 9.5, y - q - 4.6, text("markers.away_from"), 13, anchor="end", face=_BOLD)
    yield print_text(x + 9.5, y - q - 4.6, text("markers.the_host"), 13, face=_BOLD)
    yield print_text(
        x,
        y + q + 9.4,
        text(f"markers.corner.{CORNER_IDS[corner]}"),
        20,
        anchor="middle",
        face=_BOLD,
    )
    hint = text("markers.measure")
    if corner is Corner.NEAR_LEFT:
        hint = text("markers.origin", hint=hint)
    yield print_text(x + 4, y + q + 13.2, hint, 7, colour="ink_3", anchor="middle")
    number = f"№ {CORNER_IDS[corner]}"
    yield print_text(x + w - 2.5, y + q + 9.4, number, 10, colour="ink_3", anchor="end", face=_BOLD)
    yield from _corner_of_table(x - w + 2.5, y + q + 3.6, corner)
    yield cut_line(frame)


def _anchor(layout: MarkerLayout, marker: PlacedMarker) -> Iterator[Figure]:
    """An anchor marker: it may lie anywhere and any way round."""
    piece, (x, y) = layout.corner_piece, marker.at
    q, w = piece.white, piece.half_width
    frame = Path().rectangle(x - w, y - piece.top, 2 * w, piece.top + piece.bottom)
    yield Shape(frame, fill="corner_tint")
    yield Shape(Path().rectangle(x - q, y - q, 2 * q, 2 * q), fill="white")
    yield _tag(layout, marker.marker_id, marker.at, piece.tag_mm)
    words = text("markers.anchor", n=marker.marker_id)
    yield print_text(x, y + q + 9.4, words, 20, anchor="middle", face=_BOLD)
    hint = text("markers.anchor_hint")
    fitted = _fitted(hint, 7.5, 1.9 * w)
    yield print_text(x, y + q + 13.2, hint, fitted, colour="ink_3", anchor="middle")
    yield cut_line(frame)


def _corner_of_table(x: float, y: float, corner: Corner) -> Iterator[Figure]:
    """A small plan of the table with this corner highlighted."""
    width, height, box = 12.0, 8.0, 3.0
    yield Shape(Path().rectangle(x, y, width, height), fill="white", stroke="ink", width=0.3)
    left = corner in (Corner.NEAR_LEFT, Corner.FAR_LEFT)
    near = corner in (Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
    box_x, box_y = x if left else x + width - box, y + height - box if near else y
    yield Shape(Path().rectangle(box_x, box_y, box, box), fill="ink")
    size = 5.5
    base = y + height + 0.5 + CAP_HEIGHT * size * MM_PER_POINT
    yield print_text(
        x + width / 2, base, text("markers.host"), size, colour="ink_3", anchor="middle", face=_BOLD
    )


# The bar and the board


def _bar(x: float, y: float) -> Iterator[Figure]:
    """The 100 mm bar by the upper left of its box, to be checked with a ruler."""
    top, thick = y + 1.5, 3.4
    blocks = Path()
    for number in range(0, 10, 2):
        blocks = blocks.rectangle(x + 10 * number, top, 10, thick)
    yield Shape(blocks, fill="black")
    yield Shape(Path().rectangle(x, top, BAR_MM, thick), stroke="black", width=0.2)
    ends = Path().move(x, top - 1.5).line(x, top + 6.2)
    ends = ends.move(x + BAR_MM, top - 1.5).line(x + BAR_MM, top + 6.2)
    yield Shape(ends, stroke="black", width=0.2)
    base, right = top + 8.4, x + BAR_MM
    yield print_text(x + 1.2, base, "0", 9, face=_BOLD)
    yield print_text(right - 1.2, base, "100 mm", 9, anchor="end", face=_BOLD)
    words = text("markers.measure_me")
    yield print_text(x + BAR_MM / 2, base, words, 9, anchor="middle")
    words = text("markers.measure_hint")
    yield print_text(x, base + 3.9, words, 7, colour="ink_3")


def _board(x: float, y: float) -> Iterator[Figure]:
    """The ChArUco board by its upper left corner, exactly as `charuco_board()` describes it."""
    size = CHARUCO_SQUARE_MM
    black = Path()
    for row in range(CHARUCO_ROWS):
        for column in range(CHARUCO_COLUMNS):
            if (row + column) % 2 == 0:
                black = black.rectangle(x + column * size, y + row * size, size, size)
    yield Shape(black, fill="black")
    for tag in charuco_tags():
        yield tag_shape(tag.bits, (x + tag.x_mm, y + tag.y_mm), tag.size_mm)


def _board_words() -> str:
    """The description of the board, below it."""
    tag_mm = charuco_tags()[0].size_mm
    return text(
        "markers.board_is",
        columns=CHARUCO_COLUMNS,
        rows=CHARUCO_ROWS,
        square=CHARUCO_SQUARE_MM,
        tag=tag_mm,
        dictionary=CHARUCO_DICTIONARY_NAME,
    )
