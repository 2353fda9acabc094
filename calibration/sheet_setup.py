"""The page that explains setting up in six pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from calibration.paper import BLACK, Font, Paper, Path, wrap
from calibration.sheet_drawing import (
    BLUE,
    COLOURS,
    CUT,
    FAINT,
    INK,
    ORANGE,
    STARBOARD_INK,
    TINTS,
    Colour,
    Piece,
    Shape,
)

SEA: Final = "#dce9ee"
LAND: Final = "#f4f1e6"
BRASS: Final = "#dcbb66"
WRONG: Final = "#b02d26"
WHITE: Final = "#ffffff"
PICTURE_WIDTH_MM: Final = 88.0
PICTURE_HEIGHT_MM: Final = 46.0
MARGIN_MM: Final = 10.0

Picture = Callable[[Paper, float, float], None]
"""Draws into a box of the pictures' size, given its upper left corner."""


@dataclass(frozen=True, slots=True)
class _Step:
    title: str
    words: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class WhereToLook:
    """Which pages hold what, in words."""

    corners: str
    bar: str
    ships: str


def draw_setup_page(paper: Paper, where: WhereToLook) -> None:
    """The whole page: six steps in two columns, and what to type when all is ready."""
    left, top = MARGIN_MM, MARGIN_MM
    width = paper.width_mm - 2 * MARGIN_MM
    paper.text(left, top + 8, "Setting up the table", Font.SERIF_BOLD, 24, INK)
    paper.text(
        left, top + 14, "From paper to yards in six steps. You need a printer, scissors, a tape "
        "measure and a webcam or a phone.", Font.SANS, 9.5, FAINT,
    )  # fmt: skip
    gap, foot = 5.0, 17.0
    panel_width = (width - gap) / 2
    panel_height = (paper.height_mm - 2 * MARGIN_MM - 19 - foot - 2 * gap) / 3
    for number, step in enumerate(_steps(where)):
        x = left + (number % 2) * (panel_width + gap)
        y = top + 19 + (number // 2) * (panel_height + gap)
        _draw_step(paper, x, y, (panel_width, panel_height - 23), number + 1, step)
    y = paper.height_mm - MARGIN_MM - foot + 6
    paper.stroke(Path().move(left, y - 4).line(left + width, y - 4), CUT, 0.2)
    paper.text(left, y, "Then take a photo and try:", Font.SANS_BOLD, 9.5, INK)
    paper.text(
        left + 41, y, "dreyer locate photo.jpg --table-inches 72x48 --markers sheets.json",
        Font.SANS, 9.5, INK,
    )  # fmt: skip
    paper.text(
        left, y + 5, "Markers not found? The three usual reasons: printed “fit to page”, glossy "
        "paper under a lamp, or the white border cut away.", Font.SANS, 9, FAINT,
    )  # fmt: skip
    paper.text(
        left, y + 9.4, "Keep sheets.json, which was written beside this file: it tells the "
        "program which number is which ship and how large the squares are.", Font.SANS, 9, FAINT,
    )  # fmt: skip


def _steps(where: WhereToLook) -> tuple[_Step, ...]:
    return (
        _Step(
            "Print at 100 %",
            "Choose “actual size”, never “fit to page”. Plain matte paper or card: glossy paper "
            "mirrors the lamp.",
            _printing,
        ),
        _Step(
            "Check the bar",
            f"Hold a ruler to the bar on {where.bar}. "
            "It must measure 100\u00a0mm from tick to tick.",
            _checking,
        ),
        _Step(
            "Cut along the dashes",
            f"Corner markers are on {where.corners}, ships on {where.ships}. Leave the white "
            "border around the black square.",
            _cutting,
        ),
        _Step(
            "Lay out the four corners",
            "Lay each flat at its corner, arrow away from the host. Measure W and H from centre "
            "to centre.",
            _corners,
        ),
        _Step(
            "Point the camera",
            "From above or tilted, but so that it sees all four corners. Fix it well, lock its "
            "focus, keep lamps out of its reflection.",
            _camera,
        ),
        _Step(
            "Stick the markers on",
            "One on each base, flat, its point towards the ship’s bow. Nothing may stand over the "
            "black square.",
            _bases,
        ),
    )


def _draw_step(
    paper: Paper, x: float, y: float, frame: tuple[float, float], number: int, step: _Step
) -> None:
    width, height = frame
    paper.fill(Path().rounded(x, y, width, height, 3), SEA)
    step.picture(paper, x + (width - PICTURE_WIDTH_MM) / 2, y + (height - PICTURE_HEIGHT_MM) / 2)
    base = y + height + 6.4
    paper.fill(Path().circle(x + 3.6, base - 1.5, 3.4), BRASS)
    paper.text(x + 3.6, base + 0.05, str(number), Font.SANS_BOLD, 12, INK, "centre")
    paper.text(x + 9, base, step.title, Font.SANS_BOLD, 13, INK)
    for line_number, line in enumerate(wrap(step.words, Font.SANS, 10, width - 9.5)):
        paper.text(x + 9, base + 5 + 4.3 * line_number, line, Font.SANS, 10, INK)


# ---------- the pictures ----------


def _printing(paper: Paper, x: float, y: float) -> None:
    # The printer: paper in at the top, a sheet of markers out at the front.
    paper.fill(
        Path().polygon(((x + 12, y + 16), (x + 14, y + 5), (x + 34, y + 5), (x + 36, y + 16))),
        WHITE,
    )
    paper.stroke(
        Path().polygon(((x + 12, y + 16), (x + 14, y + 5), (x + 34, y + 5), (x + 36, y + 16))),
        INK,
        0.35,
    )
    paper.fill(Path().rounded(x + 6, y + 15, 36, 17, 2.5), INK)
    paper.fill(Path().circle(x + 37.5, y + 19, 1), BRASS)
    sheet = ((x + 11, y + 26), (x + 37, y + 26), (x + 40, y + 43), (x + 8, y + 43))
    paper.fill(Path().rectangle(x + 9.5, y + 24.6, 29, 1.8), "#3d5059")
    paper.fill(Path().polygon(sheet), WHITE)
    paper.stroke(Path().polygon(sheet), INK, 0.35)
    for number in range(3):
        _toy_marker(paper, x + 15 + 9 * number, y + 35.6, 0.13)
    # The dialogue.
    paper.fill(Path().rounded(x + 49, y + 7, 36, 32, 2), WHITE)
    paper.stroke(Path().rounded(x + 49, y + 7, 36, 32, 2), INK, 0.35)
    for row, (words, right) in enumerate(
        (("100 %", True), ("Fit to page", False), ("Shrink", False))
    ):
        base = y + 16.6 + 8 * row
        paper.stroke(Path().circle(x + 54.5, base - 1.5, 1.9), INK, 0.35)
        if right:
            paper.fill(Path().circle(x + 54.5, base - 1.5, 1.1), INK)
            _tick(paper, x + 79, base - 1.4, 3)
        else:
            _no(paper, x + 79, base - 1.4, 1.7)
        paper.text(
            x + 58.4,
            base,
            words,
            Font.SANS_BOLD if right else Font.SANS,
            11,
            INK if right else FAINT,
        )


def _checking(paper: Paper, x: float, y: float) -> None:
    sheet = Path().polygon(((x + 4, y + 4), (x + 84, y + 4), (x + 84, y + 26), (x + 4, y + 26)))
    paper.fill(sheet, WHITE)
    start, length, top = x + 12, 60.0, y + 17.4
    blocks = Path()
    for number in range(0, 10, 2):
        blocks.rectangle(start + 6 * number, top, 6, 3)
    paper.fill(blocks, BLACK)
    paper.stroke(Path().rectangle(start, top, length, 3), BLACK, 0.25)
    paper.stroke(
        Path()
        .move(start, top - 3)
        .line(start, top + 6)
        .move(start + length, top - 3)
        .line(start + length, top + 6),
        BLACK,
        0.25,
    )
    paper.text(start + length / 2, y + 12.4, "100 mm", Font.SANS_BOLD, 13, INK, "centre")
    paper.fill(Path().rounded(x + 5, y + 23.4, 76, 15, 1.4), BRASS)
    paper.stroke(Path().rounded(x + 5, y + 23.4, 76, 15, 1.4), INK, 0.35)
    marks = Path()
    for number in range(111):
        at = start + 0.6 * number
        if at < x + 80:
            marks.move(at, y + 23.4).line(
                at, y + 23.4 + (4.4 if number % 10 == 0 else 3.2 if number % 5 == 0 else 2)
            )
    paper.stroke(marks, INK, 0.14)
    for number in range(11):
        paper.text(start + 6 * number, y + 31.6, str(number), Font.SANS_BOLD, 8, INK, "centre")
    paper.text(x + 76.4, y + 36.4, "cm", Font.SANS, 7, INK, "right")
    _tick(paper, x + 78.4, y + 11.5, 6)


def _cutting(paper: Paper, x: float, y: float) -> None:
    _toy_marker(paper, x + 25, y + 25.4, 0.57, dashed=True)
    _scissors(paper, x + 10.2, y + 30, 1.0, -8)
    _tick(paper, x + 43.4, y + 8, 6)
    paper.fill(Path().rectangle(x + 58.6, y + 17, 17, 17), WHITE)
    _toy_tag(paper, x + 67.1, y + 25.5, 17)
    _no(paper, x + 81, y + 8, 3)
    paper.text(x + 67.1, y + 40.4, "no white border", Font.SANS_BOLD, 9, WRONG, "centre")


def _corners(paper: Paper, x: float, y: float) -> None:
    left, top, width, height = x + 17, y + 5.6, 50.0, 27.0
    paper.fill(Path().rounded(left - 6, top - 4.2, width + 12, height + 8.4, 1.2), LAND)
    paper.stroke(Path().rounded(left - 6, top - 4.2, width + 12, height + 8.4, 1.2), INK, 0.4)
    far, near = top + 5.6, top + height - 1.4
    for cx in (left, left + width):
        for cy in (far, near):
            paper.fill(Path().rectangle(cx - 3, cy - 3, 6, 6), WHITE)
            _toy_tag(paper, cx, cy, 4.6)
            paper.stroke(Path().move(cx, cy - 3.8).line(cx, cy - 5.2), INK, 0.7)
            tip = ((cx, cy - 8), (cx + 1.6, cy - 5.2), (cx - 1.6, cy - 5.2))
            paper.fill(Path().polygon(tip), INK)
    _toy_marker(paper, left + 17, top + 10, 0.14, turn_deg=70)
    _toy_marker(paper, left + 33, top + 17, 0.14, turn_deg=300, shape=Shape.ANGULAR)
    y_w, x_h = near, left + width + 10
    _measure(paper, left + 3.2, y_w, left + width - 3.2, y_w)
    paper.fill(Path().rectangle(left + width / 2 - 3, y_w - 2.4, 6, 4.8), LAND)
    paper.text(left + width / 2, y_w + 1.7, "W", Font.SANS_BOLD, 13, BLUE, "centre")
    guide = Path()
    for cy in (far, near):
        guide.move(left + width + 3.4, cy).line(x_h + 1.4, cy)
    paper.stroke(guide, BLUE, 0.2, (0.8, 0.6))
    _measure(paper, x_h, far, x_h, near)
    middle = (far + near) / 2
    paper.fill(Path().rectangle(x_h - 2.4, middle - 3, 4.8, 6), SEA)
    paper.text(x_h, middle + 1.6, "H", Font.SANS_BOLD, 13, BLUE, "centre")
    # The host, seen from above at the near edge.
    hx, hy = left + width / 2, y + 41.6
    paper.fill(Path().rounded(hx - 5.2, hy - 1.8, 10.4, 4, 2), INK)
    paper.fill(Path().circle(hx, hy - 0.4, 2.2), "#c9b79c")
    paper.stroke(Path().circle(hx, hy - 0.4, 2.2), INK, 0.35)
    paper.text(hx + 7, hy + 1.2, "host", Font.SANS_BOLD, 9, INK)


def _camera(paper: Paper, x: float, y: float) -> None:
    eye_x, eye_y = x + 44.0, y + 8.0
    table = ((x + 19, y + 26), (x + 69, y + 26), (x + 81, y + 41), (x + 7, y + 41))
    paper.fill(
        Path().polygon(((eye_x, eye_y), (x + 83.4, y + 42.2), (x + 4.6, y + 42.2))), "#fbf3d8"
    )
    paper.fill(Path().polygon(table), LAND)
    paper.stroke(Path().polygon(table), INK, 0.4)
    rays = Path()
    for px, py in ((24, 28), (64, 28), (73.5, 38.6), (14.5, 38.6)):
        rays.move(eye_x, eye_y).line(x + px, y + py)
    paper.stroke(rays, "#a97f14", 0.25, (1.2, 0.9))
    for px, py, size in ((24, 28, 2.6), (64, 28, 2.6), (73.5, 38.6, 3.6), (14.5, 38.6, 3.6)):
        lean, half = 0.004 * (px - 44) * size, 0.4 * size
        quad = (
            (x + px - size - lean, y + py - half),
            (x + px + size - lean, y + py - half),
            (x + px + size + lean, y + py + half),
            (x + px - size + lean, y + py + half),
        )
        paper.fill(Path().polygon(quad), WHITE)
        inner = [(x + px + 0.72 * (a - x - px), y + py + 0.72 * (b - y - py)) for a, b in quad]
        paper.fill(Path().polygon(inner), BLACK)
    for px, py, colour, flip in (
        (36, 32, BLUE, 1),
        (33, 36.5, BLUE, 1),
        (53, 31, ORANGE, -1),
        (57, 35, ORANGE, -1),
    ):
        hull = (
            Path().move(-4, 0).curve(-1, -1.5, 2, -1.4, 5, 0).curve(2, 1.4, -1, 1.5, -4, 0).close()
        )
        paper.fill(hull.placed(x + px, y + py, 0.8 * flip), colour)
    # The camera on its arm.
    arm = Path().move(x + 84, y + 44).line(x + 84, y + 5).line(x + 50, y + 5)
    paper.stroke(arm, INK, 1.1)
    paper.fill(Path().rounded(eye_x - 6, eye_y - 6, 12, 6.6, 1.5), INK)
    paper.fill(
        Path().polygon(
            (
                (eye_x - 2.4, eye_y),
                (eye_x + 2.4, eye_y),
                (eye_x + 3, eye_y + 2),
                (eye_x - 3, eye_y + 2),
            )
        ),
        INK,
    )
    paper.fill(Path().circle(eye_x + 4, eye_y - 3.8, 0.7), "#f58a80")
    _tick(paper, x + 8, y + 9, 6)
    paper.text(x + 13, y + 10.4, "all four seen", Font.SANS_BOLD, 9, STARBOARD_INK)


def _bases(paper: Paper, x: float, y: float) -> None:
    # A base with its marker, the ship's model ahead of the square, both pointing the same way.
    base = Path().rounded(x + 11, y + 3.6, 24, 39, 2)
    paper.fill(base.placed(0.7, 0.9), "#9fb0b6")
    paper.fill(base, "#b9a67c")
    paper.stroke(base, INK, 0.35)
    _toy_marker(paper, x + 23, y + 29.4, 0.42)
    _hull(paper, x + 23, y + 10.6, 0.62, 0, BLUE)
    _tick(paper, x + 40.4, y + 9, 6)
    arrow = Path().move(x + 6, y + 30).line(x + 6, y + 13)
    paper.stroke(arrow, INK, 0.8)
    paper.fill(Path().polygon(((x + 6, y + 8.6), (x + 8.3, y + 13.2), (x + 3.7, y + 13.2))), INK)
    paper.text(x + 7.2, y + 33.6, "bow", Font.SANS_BOLD, 9, INK, "centre")
    wrong = Path().rounded(x + 55, y + 3.6, 24, 39, 2)
    paper.fill(wrong.placed(0.7, 0.9), "#9fb0b6")
    paper.fill(wrong, "#b9a67c")
    paper.stroke(wrong, INK, 0.35)
    _toy_marker(paper, x + 67, y + 23, 0.42, turn_deg=180)
    _hull(paper, x + 67, y + 23, 1.0, 0, ORANGE)
    _no(paper, x + 83.6, y + 9, 3)


# ---------- their parts ----------


def _toy_tag(paper: Paper, x: float, y: float, size: float, turn_deg: float = 0.0) -> None:
    """Something that looks like a tag to people but is no tag to a camera."""
    path = Path().rectangle(-3, -3, 6, 6)
    path.polygon(((0, -1.9), (1.9, 0.5), (-1.9, 0.5))).rectangle(-0.7, 0.9, 1.4, 1.1)
    paper.fill(path.placed(x, y, size / 6, turn_deg), BLACK)


def _toy_marker(
    paper: Paper, x: float, y: float, scale: float, *,
    turn_deg: float = 0.0, shape: Shape = Shape.ROUND, dashed: bool = False,
) -> None:  # fmt: skip
    piece = Piece(30, 6)
    q, bow = piece.white, piece.top
    outline = piece.outline(shape).placed(x, y, scale, turn_deg)
    colour = Colour.BLUE if shape is Shape.ROUND else Colour.ORANGE
    paper.fill(outline, TINTS[colour])
    white = Path().rectangle(-q, -q, 2 * q, 2 * q)
    paper.fill(white.placed(x, y, scale, turn_deg), WHITE)
    arrow = Path().polygon(((0, 2 - bow), (14, -q - 1.5), (0, -q - 4), (-14, -q - 1.5)))
    paper.fill(arrow.placed(x, y, scale, turn_deg), COLOURS[colour])
    name = Path().rounded(-14, q + 3, 28, 4, 1)
    paper.fill(name.placed(x, y, scale, turn_deg), INK)
    _toy_tag(paper, x, y, 30 * scale, turn_deg)
    paper.stroke(
        outline, INK if dashed else CUT, 0.35 if dashed else 0.15, (1.6, 1.1) if dashed else ()
    )


def _hull(paper: Paper, x: float, y: float, scale: float, turn_deg: float, colour: str) -> None:
    """A ship's model from above, bow up."""
    hull = Path().move(0, -9).curve(1.6, -6, 2.3, -2, 2.2, 2).curve(2.1, 6, 1.4, 8.4, 0.8, 9)
    hull.line(-0.8, 9).curve(-1.4, 8.4, -2.1, 6, -2.2, 2).curve(-2.3, -2, -1.6, -6, 0, -9).close()
    paper.fill(hull.placed(x, y, scale, turn_deg), colour)
    fittings = Path().circle(0, -4.4, 0.9).circle(0, 5, 0.9).rounded(-0.8, -2, 1.6, 5, 0.6)
    paper.fill(fittings.placed(x, y, scale, turn_deg), WHITE)


def _scissors(paper: Paper, x: float, y: float, scale: float, turn_deg: float) -> None:
    """Open scissors, cutting upwards from here."""
    for hand in (-1, 1):
        shape = Path().polygon(((-0.6 * hand, 0.6), (2.8 * hand, -11), (0.9 * hand, 1)))
        blade = shape.placed(x, y, scale, turn_deg)
        paper.fill(blade, "#7d8b90")
        paper.stroke(blade, INK, 0.25)
    handles = Path().circle(-2.6, 5.2, 2).circle(2.6, 5.2, 2)
    paper.stroke(handles.placed(x, y, scale, turn_deg), WRONG, 1.0)
    stems = Path().move(0.3, 0.6).line(-1.6, 3.6).move(-0.3, 0.6).line(1.6, 3.6)
    paper.stroke(stems.placed(x, y, scale, turn_deg), WRONG, 1.0)
    paper.fill(Path().circle(0, 0.4, 0.5).placed(x, y, scale, turn_deg), INK)


def _tick(paper: Paper, x: float, y: float, size: float) -> None:
    mark = Path().move(-0.5, 0.05).line(-0.12, 0.42).line(0.5, -0.42)
    paper.stroke(mark.placed(x, y, size), STARBOARD_INK, 0.2 * size)


def _no(paper: Paper, x: float, y: float, radius: float) -> None:
    cross = Path().move(-0.7, -0.7).line(0.7, 0.7).move(0.7, -0.7).line(-0.7, 0.7)
    paper.stroke(cross.placed(x, y, radius), WRONG, 0.36 * radius)


def _measure(paper: Paper, x1: float, y1: float, x2: float, y2: float) -> None:
    """A dimension line with an arrow at each end, level or upright."""
    paper.stroke(Path().move(x1, y1).line(x2, y2), BLUE, 0.4)
    along = 1.6
    for px, py, sign in ((x1, y1, 1), (x2, y2, -1)):
        if y1 == y2:
            head = ((px, py), (px + sign * along, py - 1), (px + sign * along, py + 1))
        else:
            head = ((px, py), (px - 1, py + sign * along), (px + 1, py + sign * along))
        paper.fill(Path().polygon(head), BLUE)
