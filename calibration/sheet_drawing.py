"""What the sheets are made of: tags, ships' quadrant markers, corner markers, bar and board."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from calibration.markers import Bits, Family, tag_bits
from calibration.paper import (
    BLACK,
    CAP_HEIGHT,
    MM_PER_POINT,
    Font,
    Paper,
    Path,
    Point,
    cut_to_width,
    missing_letters,
    text_width_mm,
)

INK: Final = "#12222a"
FAINT: Final = "#506169"
CUT: Final = "#6b7a80"
BLUE: Final = "#1a5b97"
ORANGE: Final = "#984a08"
PORT: Final = "#f6d3ce"
PORT_INK: Final = "#8f211b"
STARBOARD: Final = "#cfe8d8"
STARBOARD_INK: Final = "#135a3c"
CUT_DASHES_MM: Final = (1.6, 1.1)
CUT_WIDTH_MM: Final = 0.22
SMALLEST_NAME_PT: Final = 7.0


class Shape(StrEnum):
    """Sides differ by shape as well as by colour and letter."""

    ROUND = "round"
    ANGULAR = "angular"
    PLAIN = "plain"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"


class Colour(StrEnum):
    """The colours of sides."""

    BLUE = "blue"
    ORANGE = "orange"
    VIOLET = "violet"
    TEAL = "teal"
    GREY = "grey"


COLOURS: Final = {
    Colour.BLUE: BLUE,
    Colour.ORANGE: ORANGE,
    Colour.VIOLET: "#5b3fa6",
    Colour.TEAL: "#0a6660",
    Colour.GREY: "#4b5a4b",
}
TINTS: Final = {
    Colour.BLUE: "#dbe8f3",
    Colour.ORANGE: "#f4e3d2",
    Colour.VIOLET: "#e6e0f5",
    Colour.TEAL: "#d3ebe8",
    Colour.GREY: "#e6e9e3",
}


@dataclass(frozen=True, slots=True)
class Side:
    """Whose a ship is: a letter for the badge, a word, and the shape that goes with it."""

    letter: str
    word: str
    shape: Shape
    colour: Colour

    @property
    def ink(self) -> str:
        """What its badge and its arrow are printed with."""
        return COLOURS[self.colour]


NOBODY: Final = Side("", "", Shape.PLAIN, Colour.GREY)
"""A marker without a side."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A ship's marker to cut out, measured from the centre of its coded square."""

    tag_mm: float
    modules: int

    @property
    def white(self) -> float:
        """Half the side of the white square: one module of white all around the tag."""
        return self.tag_mm / 2 + self.tag_mm / self.modules

    @property
    def side(self) -> float:
        """How wide the port and starboard bands are."""
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

    def outline(self, shape: Shape) -> Path:
        """The cut line: a ship's plan, by the shape of her side."""
        w, top, shoulder, bottom = self.half_width, -self.top, -self.shoulder, self.bottom
        if shape is Shape.ROUND:
            r = 0.3 * self.stern
            rise = shoulder - top
            path = Path().move(0, top)
            path.curve(0.38 * w, top + 0.24 * rise, 0.8 * w, top + 0.58 * rise, w, shoulder)
            path.line(w, bottom - r).curve(w, bottom - 0.4 * r, w - 0.6 * r, bottom, w - r, bottom)
            path.line(r - w, bottom)
            path.curve(0.6 * r - w, bottom, -w, bottom - 0.4 * r, -w, bottom - r)
            path.line(-w, shoulder)
            path.curve(-0.8 * w, top + 0.58 * rise, -0.38 * w, top + 0.24 * rise, 0, top)
            return path.close()
        chamfer = 0.3 * self.stern if shape in (Shape.ANGULAR, Shape.HEXAGON) else 0.0
        corners = [(0, top), (w, shoulder), (w, bottom - chamfer), (w - chamfer, bottom)]
        mirrored = [(-x, y) for x, y in reversed(corners[1:])]
        return Path().polygon([*corners, *mirrored])


def tag_path(bits: Bits, x: float, y: float, size_mm: float) -> Path:
    """The black of a tag as one outline around its centre.

    One outline has no seams between its modules, however it is rasterised, and no rasteriser
    moves its edges to whole pixels, as some do with single rectangles.
    """
    side = bits.shape[0]
    black = np.zeros((side + 2, side + 2), dtype=bool)
    black[1:-1, 1:-1] = bits == 0
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def edge(start: tuple[int, int], end: tuple[int, int]) -> None:
        onward.setdefault(start, []).append(end)

    # Clockwise around every black module, leaving out what lies between two black ones.
    for row, column in np.argwhere(black):
        r, c = int(row) - 1, int(column) - 1
        if not black[row - 1, column]:
            edge((c, r), (c + 1, r))
        if not black[row, column + 1]:
            edge((c + 1, r), (c + 1, r + 1))
        if not black[row + 1, column]:
            edge((c + 1, r + 1), (c, r + 1))
        if not black[row, column - 1]:
            edge((c, r + 1), (c, r))
    module = size_mm / side
    left, top = x - size_mm / 2, y - size_mm / 2
    path = Path()
    while onward:
        start = here = next(iter(onward))
        loop: list[tuple[int, int]] = []
        while not loop or here != start:
            loop.append(here)
            ends = onward[here]
            following = ends.pop()
            if not ends:
                del onward[here]
            here = following
        path.polygon((left + c * module, top + r * module) for c, r in _corners_of(loop))
    return path


def _corners_of(loop: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The points of a closed loop at which it turns."""
    return [
        here
        for before, here, after in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
        if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
    ]


def draw_tag(paper: Paper, family: Family, marker_id: int, x: float, y: float, size: float) -> None:
    """A coded square by its centre."""
    paper.fill(tag_path(tag_bits(family, marker_id), x, y, size), BLACK)


def draw_named_ship(
    paper: Paper, piece: Piece, at: Point, marker_id: int, family: Family, name: str,
    side: Side | None,
) -> None:  # fmt: skip
    """A ship's marker with her name and side."""
    look = side or NOBODY
    _draw_quadrants(paper, piece, at, look)
    draw_tag(paper, family, marker_id, *at, piece.tag_mm)
    x, y = at
    stern, half = piece.stern, piece.half_width
    badge = 0.26 * stern if side else 0.0
    gap = 0.6 * badge
    room = 2 * (half - 0.34 * stern) - 2 * badge - gap
    font = Font.SANS_BOLD if missing_letters(name, Font.NAME) else Font.NAME
    lines, size = fit_name(name, font, room, 0.72 * stern)
    width = max(text_width_mm(line, font, size) for line in lines)
    left = x - (2 * badge + gap + width) / 2
    middle = y + piece.white + 0.4 * stern
    if side:
        draw_badge(paper, side, left + badge, middle, badge)
    leading = 1.02 * size * MM_PER_POINT
    baseline = middle + (CAP_HEIGHT * size * MM_PER_POINT - (len(lines) - 1) * leading) / 2
    for number, line in enumerate(lines):
        paper.text(left + 2 * badge + gap, baseline + number * leading, line, font, size, INK)
    small = max(5.0, 0.2 * piece.tag_mm)
    foot, edge = y + piece.bottom - 0.1 * stern, half - 0.3 * stern
    if side:
        paper.text(x - edge, foot, side.word.upper(), Font.SANS_BOLD, small, look.ink)
    paper.text(x + edge, foot, f"№ {marker_id}", Font.SANS_BOLD, small, FAINT, "right")
    _draw_cut_line(paper, piece, at, look.shape)


def draw_numbered(
    paper: Paper, piece: Piece, at: Point, marker_id: int, family: Family, *, writable: bool
) -> None:
    """A marker that shows only its number; a writable one has a line for a pencil beside it."""
    _draw_quadrants(paper, piece, at, NOBODY)
    draw_tag(paper, family, marker_id, *at, piece.tag_mm)
    x, y = at
    size = 0.66 * piece.stern / CAP_HEIGHT / MM_PER_POINT
    baseline = y + piece.white + 0.86 * piece.stern
    number = str(marker_id)
    if writable:
        edge = piece.half_width - 0.38 * piece.stern
        paper.text(x - edge, baseline, number, Font.SANS_BOLD, size, INK)
        start = x - edge + text_width_mm(number, Font.SANS_BOLD, size) + 0.2 * piece.stern
        paper.stroke(Path().move(start, baseline).line(x + edge, baseline), CUT, 0.18)
    else:
        paper.text(x, baseline, number, Font.SANS_BOLD, size, INK, "centre")
    _draw_cut_line(paper, piece, at, Shape.PLAIN)


def fit_name(
    name: str, font: Font, width_mm: float, height_mm: float
) -> tuple[tuple[str, ...], float]:
    """A name as large as fits: in one line, in two where that is larger, or else cut."""

    def largest(lines: tuple[str, ...]) -> float:
        tallest = height_mm / MM_PER_POINT / (1.08 * len(lines))
        return min(tallest, *(width_mm / text_width_mm(line, font, 1.0) for line in lines))

    words = name.split()
    ways = [(name,)] + [
        (" ".join(words[:number]), " ".join(words[number:])) for number in range(1, len(words))
    ]
    best = max(ways, key=largest)
    size = largest(best)
    if size >= SMALLEST_NAME_PT:
        return best, size
    return tuple(cut_to_width(line, font, SMALLEST_NAME_PT, width_mm) for line in best), (
        SMALLEST_NAME_PT
    )


def draw_badge(paper: Paper, side: Side, x: float, y: float, radius: float) -> None:
    """The side's letter on its shape."""
    if side.shape is Shape.ROUND:
        path = Path().circle(x, y, radius)
    elif side.shape is Shape.ANGULAR:
        r = 1.12 * radius
        path = Path().polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)))
    elif side.shape is Shape.HEXAGON:
        r = 1.12 * radius
        corners = ((-r, 0), (-r / 2, -0.87 * r), (r / 2, -0.87 * r))
        path = Path().polygon(
            [(x + dx, y + dy) for dx, dy in (*corners, *((-dx, -dy) for dx, dy in corners))]
        )
    elif side.shape is Shape.TRIANGLE:
        r = 1.3 * radius
        path = Path().polygon(((x, y - r), (x + r, y + 0.8 * r), (x - r, y + 0.8 * r)))
    else:
        r = 0.9 * radius
        path = Path().rectangle(x - r, y - r, 2 * r, 2 * r)
    paper.fill(path, side.ink)
    size = 1.25 * radius / MM_PER_POINT
    drop = CAP_HEIGHT / 2 * size * MM_PER_POINT
    paper.text(x, y + drop, side.letter, Font.SANS_BOLD, size, "#ffffff", "centre")


def _draw_quadrants(paper: Paper, piece: Piece, at: Point, side: Side) -> None:
    """The four quadrants around the white square: tints, the bow's arrow, the diagonal cross."""
    x, y = at
    q, w, s = piece.white, piece.half_width, piece.side
    # Where the forward diagonals meet the slope of the bow.
    slope = (piece.top - piece.shoulder) / w
    reach = (piece.shoulder - q + s * slope) / (1 + slope)
    paper.fill(piece.outline(side.shape).placed(x, y), TINTS[side.colour])
    band = ((-w, -piece.shoulder), (-q - reach, -q - reach), (-q, -q), (-q, q), (-w, q + s))
    for sign, tint in ((1, PORT), (-1, STARBOARD)):
        paper.fill(Path().polygon((x + sign * px, y + py) for px, py in band), tint)
    paper.fill(Path().rectangle(x - q, y - q, 2 * q, 2 * q), "#ffffff")
    stern = ((-q, q), (q, q), (w, q + s), (w, piece.bottom), (-w, piece.bottom), (-w, q + s))
    if side.shape is Shape.PLAIN:
        paper.fill(Path().polygon((x + px, y + py) for px, py in stern), "#ffffff")
    width = max(0.45, 0.025 * piece.tag_mm)
    # The ends are round: they must not bulge into the white, nor beyond the cut line.
    start, ahead, aside = q + width / 2, q + reach - 0.4 * width, q + s - 0.4 * width
    cross = Path()
    for sx in (-1, 1):
        cross.move(x + sx * start, y - start).line(x + sx * ahead, y - ahead)
        cross.move(x + sx * start, y + start).line(x + sx * aside, y + aside)
    paper.stroke(cross, BLACK, width)
    _draw_bow_arrow(paper, piece, at, side.ink)
    size = min(0.62 * s, 2.2) / MM_PER_POINT / CAP_HEIGHT * 0.8
    drop = CAP_HEIGHT / 2 * size * MM_PER_POINT
    paper.text(x - q - s / 2 + drop, y, "PORT", Font.SANS_BOLD, size, PORT_INK, "centre", -90)
    paper.text(
        x + q + s / 2 - drop, y, "STARBOARD", Font.SANS_BOLD, size, STARBOARD_INK, "centre", 90
    )


def _draw_bow_arrow(paper: Paper, piece: Piece, at: Point, ink: str) -> None:
    x, y = at
    tip, foot = -piece.top + 0.16 * piece.bow, -piece.white - 0.12 * piece.bow
    slope = (piece.top - piece.shoulder) / piece.half_width
    half = (foot - tip) / slope * 0.8
    notch = 0.2 * (foot - tip)
    paper.fill(
        Path().polygon(
            ((x, y + tip), (x + half, y + foot), (x, y + foot - notch), (x - half, y + foot))
        ),
        ink,
    )
    size = 0.3 * (foot - tip) / CAP_HEIGHT / MM_PER_POINT
    paper.text(
        x, y + foot - notch - 0.1 * (foot - tip), "BOW", Font.SANS_BOLD, size, "#ffffff", "centre"
    )


def _draw_cut_line(paper: Paper, piece: Piece, at: Point, shape: Shape) -> None:
    paper.stroke(piece.outline(shape).placed(*at), CUT, CUT_WIDTH_MM, CUT_DASHES_MM)
