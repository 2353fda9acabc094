"""Name plates, bases for models, and paper ships, each with its code."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from calibration.marker_layout import PlacedMarker
from calibration.markers import Family, tag_bits
from calibration.model_pieces import MarkerForm, MarkerPaint, ModelPiece
from combat.participants import Side
from web.drawing.coded_square import cut_line, tag_shape
from web.drawing.document import cut_mm, print_text
from web.drawing.figures import Figure, Group, Shape, line, polygon
from web.drawing.fonts import CAP_HEIGHT, Face, text_width
from web.drawing.geometry import Path, Point, octagon
from web.drawing.pdf import MM_PER_POINT
from web.drawing.ship_layout import MIDDLE, ShipLayout, house_height
from web.drawing.silhouettes import silhouette
from web.drawing.theme import side_colour
from web.strings import text

Deck = ShipLayout | str
"""How a paper ship is drawn: by her plan, or by the key of a silhouette."""
USUAL_DECK: Final = "unknown-round"
_PAPERS: Final = {
    MarkerPaint.WHITE: ("white", "black", "ink_3"),
    MarkerPaint.GREY: ("code_grey", "black", "ink"),
    MarkerPaint.SEA: ("code_sea", "code_sea_ink", "code_sea_ink"),
}
"""Of each paint: the light colour, the dark colour, and the colour of small words."""
_NAME: Final = Face.SERIF_BOLD_ITALIC
_BOLD: Final = Face.SANS_BOLD
_LEAST_NAME_PT: Final = 4.0
_SILHOUETTE_LENGTH: Final = 100.0


@dataclass(frozen=True, slots=True)
class ModelLook:
    """What a piece shows besides its code."""

    paint: MarkerPaint
    words: str
    """The name, or the number where names are hidden."""
    side: Side | None
    deck: Deck | None


def draw_model_piece(
    marker: PlacedMarker, piece: ModelPiece, family: Family, look: ModelLook
) -> Iterator[Figure]:
    """A piece at the place of its marker."""
    light, dark, _ = _PAPERS[look.paint]
    x, y = marker.at
    if piece.form is MarkerForm.PLATE:
        yield from _plate(piece, marker.at, look)
    elif piece.form is MarkerForm.BASE:
        yield from _base(piece, marker.at, look)
    else:
        yield from _paper_ship(piece, marker.at, look)
    q = piece.white
    yield Shape(Path().rectangle(x - q, y - q, 2 * q, 2 * q), fill=light)
    yield tag_shape(tag_bits(family, marker.marker_id), marker.at, piece.tag_mm, dark)


def _plate(piece: ModelPiece, at: Point, look: ModelLook) -> Iterator[Figure]:
    """The code, an arrow to the bow, and the name."""
    light, dark, _ = _PAPERS[look.paint]
    x, y = at
    frame = _frame(piece, at)
    yield Shape(frame, fill=light)
    start, end = x + piece.white, x + piece.right - 2.4
    tip = 0.2 * piece.height
    arrow = (start + tip, y - piece.top + 0.6), (start + 2 * tip, y - piece.top + 0.6 + tip)
    yield polygon((*arrow, (start, arrow[1][1])), fill=dark)
    words = text("markers.bow")
    small = _points(0.5 * tip)
    yield print_text(start + 2.4 * tip, arrow[1][1], words, small, colour=dark, face=_BOLD)
    top = y - piece.top + 1.4 * tip
    yield from _name(look, (start + end) / 2, (top + y + piece.bottom - 0.5) / 2,
                     end - start, y + piece.bottom - 0.5 - top, dark)  # fmt: skip
    if look.side is not None:
        edge = Path().rectangle(x + piece.right - 0.9, y - piece.top, 0.9, piece.height)
        yield Shape(edge, fill=side_colour(look.side))
    yield cut_line(frame)


def _base(piece: ModelPiece, at: Point, look: ModelLook) -> Iterator[Figure]:
    """The base with the place of the model: her outline, the middle, and the name."""
    light, dark, small = _PAPERS[look.paint]
    x, y = at
    frame = _frame(piece, at)
    yield Shape(frame, fill=light)
    code = piece.white + 0.4
    behind = piece.top > piece.bottom
    # The model's room, from its bow to its stern.
    bow, stern = (y - piece.top, y - code) if behind else (y + code, y + piece.bottom)
    room = stern - bow
    if room < 4:
        yield cut_line(frame)
        return
    half = piece.width / 2
    breadth = min(0.087 * room, half - 1.0)
    hull = Path().move(x, bow + 1)
    hull = hull.curve((x + breadth, bow + 0.3 * room), (x + breadth, bow + 0.6 * room),
                      (x + 0.5 * breadth, stern - 1))  # fmt: skip
    hull = hull.line(x - 0.5 * breadth, stern - 1)
    hull = hull.curve(
        (x - breadth, bow + 0.6 * room), (x - breadth, bow + 0.3 * room), (x, bow + 1)
    )
    yield Shape(hull.close(), stroke=small, width=0.2, dashes=(0.8, 0.8))
    middle = y - piece.ahead_mm
    for sign in (-1, 1):
        yield line((x + sign * half, middle), (x + sign * (half - 1.6), middle), colour=dark,
                   width=0.35)  # fmt: skip
    tip = min(2.6, 0.16 * piece.width)
    yield polygon(
        ((x - half + 0.7, bow + 0.7 + tip), (x - half + 0.7 + tip / 2, bow + 0.7),
         (x - half + 0.7 + tip, bow + 0.7 + tip)),
        fill=dark,
    )  # fmt: skip
    # The name stands along the side, where the model leaves room.
    aside = half - 0.75 * breadth
    height = min(aside - 0.8, 4.0)
    if height > 1.2:
        size = min(_points(0.8 * height), room * 0.8 / text_width(look.words, _NAME, MM_PER_POINT))
        drop = CAP_HEIGHT * size * MM_PER_POINT / 2
        yield print_text(x + half - aside / 2 + drop, (bow + stern) / 2, look.words, size,
                         colour=dark, anchor="middle", face=_NAME, turn_deg=-90)  # fmt: skip
    if look.side is not None:
        edge = Path().rectangle(x - half, bow + room * 0.35, 0.9, room * 0.3)
        yield Shape(edge, fill=side_colour(look.side))
    yield cut_line(frame)


def _paper_ship(piece: ModelPiece, at: Point, look: ModelLook) -> Iterator[Figure]:
    """A ship from above, cut out along her hull; the code is amidships."""
    deck = USUAL_DECK if look.deck is None else look.deck
    x, y = at
    q, letters = piece.white, max(0.11 * piece.width, 1.3)
    strip = letters + 0.9
    if isinstance(deck, str):
        yield from _silhouette_deck(deck, piece, at)
    else:
        yield from _planned_deck(deck, piece, at, look, q + strip)
    size = _points(letters)
    wide = text_width(look.words, _NAME, size * MM_PER_POINT)
    size *= min(1.0, 1.7 * q / wide)
    baseline = y + q + 0.4 + CAP_HEIGHT * size * MM_PER_POINT
    plate = Path().rectangle(x - q * 0.95, y + q, q * 1.9, baseline + 0.5 - y - q)
    yield Shape(plate, fill="deck")
    yield print_text(x, baseline, look.words, size, anchor="middle", face=_NAME)


def _silhouette_deck(key: str, piece: ModelPiece, at: Point) -> Iterator[Figure]:
    """The silhouette of a class, as broad as the piece, with the line to cut along."""
    figures = silhouette(key, "deck", "deck_house", fine=True)
    hull = next(each for each in figures if isinstance(each, Shape) and each.fill == "deck")
    half = max(abs(x) for x, _ in hull.path.points)
    scale = (piece.width / (2 * half), piece.height / _SILHOUETTE_LENGTH)
    even = min(scale)
    edge = Shape(hull.path, stroke="cut", width=0.22 / even, dashes=(1.6 / even, 1.1 / even))
    yield Group((*figures, edge), at=at, scale=scale)


def _planned_deck(
    plan: ShipLayout, piece: ModelPiece, at: Point, look: ModelLook, aft_mm: float
) -> Iterator[Figure]:
    """The hull and what stands on it by the ship's plan, but for what the code covers.

    The code and the name below it reach `aft_mm` aft of the middle.
    """
    x, y = at
    across = piece.width / (2 * plan.half_beam)
    along = piece.height / plan.length
    top = plan.outline[0][1] if plan.outline else 0.0
    top = min(top, *(point[1] for point in plan.outline))

    def place(point: Point) -> Point:
        return x + (point[0] - MIDDLE) * across, y - piece.height / 2 + (point[1] - top) * along

    hull = Path().polygon(map(place, plan.outline))
    colour = "deck_line" if look.side is None else side_colour(look.side)
    yield Shape(hull, fill="deck")
    yield polygon(map(place, plan.deck), stroke=colour, width=0.5)
    q = piece.white
    even = min(across, along)
    for aft in plan.funnels:
        at_funnel = place((MIDDLE, aft))
        if abs(at_funnel[1] - y) > q + 8 * even:
            yield polygon(octagon(at_funnel, 16 * even, 20 * even, 6 * even), fill="deck_house")
    for spot in plan.secondaries:
        here = place(spot.at)
        if max(abs(here[0] - x), abs(here[1] - y)) > q + 8 * even:
            yield polygon(octagon(here, 16 * even, 18 * even, 5 * even), fill="deck_house")
    for spot in plan.turrets:
        here = place(spot.at)
        way = -1.0 if spot.forward else 1.0
        tall, half = house_height(spot.part) * along, 24 * even
        muzzle = here[1] + way * (tall / 2 + 20 * along)
        ends = here[1] - way * tall / 2 - y, muzzle - y
        if max(ends) > -q and min(ends) < aft_mm:
            continue
        guns = min(spot.part.details.guns, 4)
        for gun in range(guns):
            aside = (gun - (guns - 1) / 2) * 10 * even
            yield line((here[0] + aside, here[1]), (here[0] + aside, muzzle), colour="deck_line",
                       width=max(2.6 * even, 0.25))  # fmt: skip
        yield polygon(
            octagon(here, 2 * half, tall, 0.3 * tall), fill="deck_house", stroke="deck_line",
            width=0.2,
        )  # fmt: skip
    yield cut_line(hull)


def _frame(piece: ModelPiece, at: Point) -> Path:
    x, y = at
    return Path().rectangle(x - piece.left, y - piece.top, piece.width, piece.height)


def _points(height_mm: float) -> float:
    """The size in points of capitals of this height."""
    return height_mm / CAP_HEIGHT / MM_PER_POINT


def _name(
    look: ModelLook, x: float, y: float, width: float, height: float, colour: str
) -> Iterator[Figure]:
    """The words as large as fits, in one line or two."""
    words = look.words.split()
    ways = [(look.words,)] + [
        (" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))
    ]

    def largest(lines: tuple[str, ...]) -> float:
        tallest = height / (1.12 * len(lines)) / MM_PER_POINT
        return min(tallest, *(width / text_width(each, _NAME, MM_PER_POINT) for each in lines))

    lines = max(ways, key=largest)
    size = max(0.97 * largest(lines), _LEAST_NAME_PT)
    leading = 1.06 * size * MM_PER_POINT
    baseline = y + (CAP_HEIGHT * size * MM_PER_POINT - (len(lines) - 1) * leading) / 2
    for number, each in enumerate(lines):
        fitted = cut_mm(each, _NAME, size, width)
        yield print_text(x, baseline + number * leading, fitted, size, colour=colour,
                         anchor="middle", face=_NAME)  # fmt: skip
