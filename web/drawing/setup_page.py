"""The printed page that explains the set-up in six pictures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from calibration.marker_layout import ShipPiece
from combat.participants import SideShape
from web.drawing.document import print_text, wrap_mm
from web.drawing.figures import Anchor, Figure, Shape
from web.drawing.fonts import Face
from web.drawing.geometry import Path
from web.drawing.marker_outline import marker_outline
from web.strings import text

PICTURE_WIDTH_MM: Final = 88.0
PICTURE_HEIGHT_MM: Final = 46.0
MARGIN_MM: Final = 10.0

Picture = Callable[[float, float], Iterator[Figure]]
"""Draws into a box of the pictures' size, given its upper left corner."""


@dataclass(frozen=True, slots=True)
class _Step:
    title: str
    words: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class PageGuide:
    """The pages of each kind of marker, as text."""

    corners: str
    bar: str
    ships: str


def draw_setup_page(width_mm: float, height_mm: float, where: PageGuide) -> Iterator[Figure]:
    """The page: six steps in two columns, and the command to type afterwards."""
    left, top = MARGIN_MM, MARGIN_MM
    width = width_mm - 2 * MARGIN_MM
    yield _text(left, top + 8, text("markers.setup.title"), Face.SERIF_BOLD, 24, "ink")
    yield _text(
        left, top + 14, text("markers.setup.intro"), Face.SANS, 9.5, "ink_3",
    )  # fmt: skip
    gap, foot = 5.0, 17.0
    panel_width = (width - gap) / 2
    panel_height = (height_mm - 2 * MARGIN_MM - 19 - foot - 2 * gap) / 3
    for number, step in enumerate(_steps(where)):
        x = left + (number % 2) * (panel_width + gap)
        y = top + 19 + (number // 2) * (panel_height + gap)
        yield from _draw_step(x, y, (panel_width, panel_height - 23), number + 1, step)
    y = height_mm - MARGIN_MM - foot + 6
    yield _stroke(Path().move(left, y - 4).line(left + width, y - 4), "cut", 0.2)
    yield _text(left, y, text("markers.setup.then"), Face.SANS_BOLD, 9.5, "ink")
    yield _text(
        left + 41, y, "dreyer locate photo.jpg --table-inches 72x48 --markers sheets.json",
        Face.SANS, 9.5, "ink",
    )  # fmt: skip
    yield _text(
        left, y + 5, text("markers.setup.not_found"), Face.SANS, 9, "ink_3",
    )  # fmt: skip
    yield _text(
        left, y + 9.4, text("markers.setup.keep"), Face.SANS, 9, "ink_3",
    )  # fmt: skip


def _steps(where: PageGuide) -> tuple[_Step, ...]:
    return (
        _Step(
            text("markers.setup.print"),
            text("markers.setup.print_hint"),
            _printing,
        ),
        _Step(
            text("markers.setup.bar"),
            text("markers.setup.bar_hint", page=where.bar),
            _checking,
        ),
        _Step(
            text("markers.setup.cut"),
            text("markers.setup.cut_hint", corners=where.corners, ships=where.ships),
            _cutting,
        ),
        _Step(
            text("markers.setup.corners"),
            text("markers.setup.corners_hint"),
            _corners,
        ),
        _Step(
            text("markers.setup.camera"),
            text("markers.setup.camera_hint"),
            _camera,
        ),
        _Step(
            text("markers.setup.bases"),
            text("markers.setup.bases_hint"),
            _bases,
        ),
    )


def _draw_step(
    x: float, y: float, frame: tuple[float, float], number: int, step: _Step
) -> Iterator[Figure]:
    width, height = frame
    yield _fill(Path().rounded(x, y, width, height, 3), "t4")
    yield from step.picture(
        x + (width - PICTURE_WIDTH_MM) / 2, y + (height - PICTURE_HEIGHT_MM) / 2
    )
    base = y + height + 6.4
    yield _fill(Path().circle(x + 3.6, base - 1.5, 3.4), "brass")
    yield _text(x + 3.6, base + 0.05, str(number), Face.SANS_BOLD, 12, "ink", "middle")
    yield _text(x + 9, base, step.title, Face.SANS_BOLD, 13, "ink")
    for line_number, line in enumerate(wrap_mm(step.words, Face.SANS, 10, width - 9.5)):
        yield _text(x + 9, base + 5 + 4.3 * line_number, line, Face.SANS, 10, "ink")


# The pictures


def _printing(x: float, y: float) -> Iterator[Figure]:
    # The printer: paper in at the top, a sheet of markers out at the front.
    yield _fill(
        Path().polygon(((x + 12, y + 16), (x + 14, y + 5), (x + 34, y + 5), (x + 36, y + 16))),
        "white",
    )
    yield _stroke(
        Path().polygon(((x + 12, y + 16), (x + 14, y + 5), (x + 34, y + 5), (x + 36, y + 16))),
        "ink",
        0.35,
    )
    yield _fill(Path().rounded(x + 6, y + 15, 36, 17, 2.5), "ink")
    yield _fill(Path().circle(x + 37.5, y + 19, 1), "brass")
    sheet = ((x + 11, y + 26), (x + 37, y + 26), (x + 40, y + 43), (x + 8, y + 43))
    yield _fill(Path().rectangle(x + 9.5, y + 24.6, 29, 1.8), "ink_2")
    yield _fill(Path().polygon(sheet), "white")
    yield _stroke(Path().polygon(sheet), "ink", 0.35)
    for number in range(3):
        yield from _toy_marker(x + 15 + 9 * number, y + 35.6, 0.13)
    # The dialogue.
    yield _fill(Path().rounded(x + 49, y + 7, 36, 32, 2), "white")
    yield _stroke(Path().rounded(x + 49, y + 7, 36, 32, 2), "ink", 0.35)
    for row, (words, right) in enumerate(
        (("100 %", True), (text("markers.setup.fit"), False), (text("markers.setup.shrink"), False))
    ):
        base = y + 16.6 + 8 * row
        yield _stroke(Path().circle(x + 54.5, base - 1.5, 1.9), "ink", 0.35)
        if right:
            yield _fill(Path().circle(x + 54.5, base - 1.5, 1.1), "ink")
            yield from _tick(x + 79, base - 1.4, 3)
        else:
            yield from _no(x + 79, base - 1.4, 1.7)
        yield _text(
            x + 58.4,
            base,
            words,
            Face.SANS_BOLD if right else Face.SANS,
            11,
            "ink" if right else "ink_3",
        )


def _checking(x: float, y: float) -> Iterator[Figure]:
    sheet = Path().polygon(((x + 4, y + 4), (x + 84, y + 4), (x + 84, y + 26), (x + 4, y + 26)))
    yield _fill(sheet, "white")
    start, length, top = x + 12, 60.0, y + 17.4
    blocks = Path()
    for number in range(0, 10, 2):
        blocks = blocks.rectangle(start + 6 * number, top, 6, 3)
    yield _fill(blocks, "black")
    yield _stroke(Path().rectangle(start, top, length, 3), "black", 0.25)
    yield _stroke(
        Path()
        .move(start, top - 3)
        .line(start, top + 6)
        .move(start + length, top - 3)
        .line(start + length, top + 6),
        "black",
        0.25,
    )
    yield _text(start + length / 2, y + 12.4, "100 mm", Face.SANS_BOLD, 13, "ink", "middle")
    yield _fill(Path().rounded(x + 5, y + 23.4, 76, 15, 1.4), "brass")
    yield _stroke(Path().rounded(x + 5, y + 23.4, 76, 15, 1.4), "ink", 0.35)
    marks = Path()
    for number in range(111):
        at = start + 0.6 * number
        if at < x + 80:
            marks = marks.move(at, y + 23.4).line(
                at, y + 23.4 + (4.4 if number % 10 == 0 else 3.2 if number % 5 == 0 else 2)
            )
    yield _stroke(marks, "ink", 0.14)
    for number in range(11):
        yield _text(start + 6 * number, y + 31.6, str(number), Face.SANS_BOLD, 8, "ink", "middle")
    yield _text(x + 76.4, y + 36.4, "cm", Face.SANS, 7, "ink", "end")
    yield from _tick(x + 78.4, y + 11.5, 6)


def _cutting(x: float, y: float) -> Iterator[Figure]:
    yield from _toy_marker(x + 25, y + 25.4, 0.57, dashed=True)
    yield from _scissors(x + 10.2, y + 30, 1.0, -8)
    yield from _tick(x + 43.4, y + 8, 6)
    yield _fill(Path().rectangle(x + 58.6, y + 17, 17, 17), "white")
    yield from _toy_tag(x + 67.1, y + 25.5, 17)
    yield from _no(x + 81, y + 8, 3)
    yield _text(
        x + 67.1, y + 40.4, text("markers.setup.no_border"), Face.SANS_BOLD, 9, "harm", "middle"
    )


def _corners(x: float, y: float) -> Iterator[Figure]:
    left, top, width, height = x + 17, y + 5.6, 50.0, 27.0
    yield _fill(Path().rounded(left - 6, top - 4.2, width + 12, height + 8.4, 1.2), "land")
    yield _stroke(Path().rounded(left - 6, top - 4.2, width + 12, height + 8.4, 1.2), "ink", 0.4)
    far, near = top + 5.6, top + height - 1.4
    for cx in (left, left + width):
        for cy in (far, near):
            yield _fill(Path().rectangle(cx - 3, cy - 3, 6, 6), "white")
            yield from _toy_tag(cx, cy, 4.6)
            yield _stroke(Path().move(cx, cy - 3.8).line(cx, cy - 5.2), "ink", 0.7)
            tip = ((cx, cy - 8), (cx + 1.6, cy - 5.2), (cx - 1.6, cy - 5.2))
            yield _fill(Path().polygon(tip), "ink")
    yield from _toy_marker(left + 17, top + 10, 0.14, turn_deg=70)
    yield from _toy_marker(left + 33, top + 17, 0.14, turn_deg=300, shape=SideShape.ANGULAR)
    y_w, x_h = near, left + width + 10
    yield from _measure(left + 3.2, y_w, left + width - 3.2, y_w)
    yield _fill(Path().rectangle(left + width / 2 - 3, y_w - 2.4, 6, 4.8), "land")
    yield _text(left + width / 2, y_w + 1.7, "W", Face.SANS_BOLD, 13, "side_blue", "middle")
    guide = Path()
    for cy in (far, near):
        guide = guide.move(left + width + 3.4, cy).line(x_h + 1.4, cy)
    yield _stroke(guide, "side_blue", 0.2, (0.8, 0.6))
    yield from _measure(x_h, far, x_h, near)
    middle = (far + near) / 2
    yield _fill(Path().rectangle(x_h - 2.4, middle - 3, 4.8, 6), "t4")
    yield _text(x_h, middle + 1.6, "H", Face.SANS_BOLD, 13, "side_blue", "middle")
    # The host, seen from above at the near edge.
    hx, hy = left + width / 2, y + 41.6
    yield _fill(Path().rounded(hx - 5.2, hy - 1.8, 10.4, 4, 2), "ink")
    yield _fill(Path().circle(hx, hy - 0.4, 2.2), "skin")
    yield _stroke(Path().circle(hx, hy - 0.4, 2.2), "ink", 0.35)
    yield _text(hx + 7, hy + 1.2, text("markers.host"), Face.SANS_BOLD, 9, "ink")


def _camera(x: float, y: float) -> Iterator[Figure]:
    eye_x, eye_y = x + 44.0, y + 8.0
    table = ((x + 19, y + 26), (x + 69, y + 26), (x + 81, y + 41), (x + 7, y + 41))
    yield _fill(
        Path().polygon(((eye_x, eye_y), (x + 83.4, y + 42.2), (x + 4.6, y + 42.2))), "light_beam"
    )
    yield _fill(Path().polygon(table), "land")
    yield _stroke(Path().polygon(table), "ink", 0.4)
    rays = Path()
    for px, py in ((24, 28), (64, 28), (73.5, 38.6), (14.5, 38.6)):
        rays = rays.move(eye_x, eye_y).line(x + px, y + py)
    yield _stroke(rays, "light_ray", 0.25, (1.2, 0.9))
    for px, py, size in ((24, 28, 2.6), (64, 28, 2.6), (73.5, 38.6, 3.6), (14.5, 38.6, 3.6)):
        lean, half = 0.004 * (px - 44) * size, 0.4 * size
        quad = (
            (x + px - size - lean, y + py - half),
            (x + px + size - lean, y + py - half),
            (x + px + size + lean, y + py + half),
            (x + px - size + lean, y + py + half),
        )
        yield _fill(Path().polygon(quad), "white")
        inner = [(x + px + 0.72 * (a - x - px), y + py + 0.72 * (b - y - py)) for a, b in quad]
        yield _fill(Path().polygon(inner), "black")
    for px, py, colour, flip in (
        (36, 32, "side_blue", 1),
        (33, 36.5, "side_blue", 1),
        (53, 31, "side_orange", -1),
        (57, 35, "side_orange", -1),
    ):
        hull = (
            Path()
            .move(-4, 0)
            .curve((-1, -1.5), (2, -1.4), (5, 0))
            .curve((2, 1.4), (-1, 1.5), (-4, 0))
            .close()
        )
        yield _fill(hull.placed(x + px, y + py, 0.8 * flip), colour)
    # The camera on its arm.
    arm = Path().move(x + 84, y + 44).line(x + 84, y + 5).line(x + 50, y + 5)
    yield _stroke(arm, "ink", 1.1)
    yield _fill(Path().rounded(eye_x - 6, eye_y - 6, 12, 6.6, 1.5), "ink")
    yield _fill(
        Path().polygon(
            (
                (eye_x - 2.4, eye_y),
                (eye_x + 2.4, eye_y),
                (eye_x + 3, eye_y + 2),
                (eye_x - 3, eye_y + 2),
            )
        ),
        "ink",
    )
    yield _fill(Path().circle(eye_x + 4, eye_y - 3.8, 0.7), "lamp")
    yield from _tick(x + 8, y + 9, 6)
    yield _text(
        x + 13, y + 10.4, text("markers.setup.all_seen"), Face.SANS_BOLD, 9, "starboard_ink"
    )


def _bases(x: float, y: float) -> Iterator[Figure]:
    # A base with its marker, the ship's model ahead of the tag, both pointing the same way.
    base = Path().rounded(x + 11, y + 3.6, 24, 39, 2)
    yield _fill(base.placed(0.7, 0.9), "shadow")
    yield _fill(base, "wood")
    yield _stroke(base, "ink", 0.35)
    yield from _toy_marker(x + 23, y + 29.4, 0.42)
    yield from _hull(x + 23, y + 10.6, 0.62, 0, "side_blue")
    yield from _tick(x + 40.4, y + 9, 6)
    arrow = Path().move(x + 6, y + 30).line(x + 6, y + 13)
    yield _stroke(arrow, "ink", 0.8)
    yield _fill(Path().polygon(((x + 6, y + 8.6), (x + 8.3, y + 13.2), (x + 3.7, y + 13.2))), "ink")
    yield _text(x + 7.2, y + 33.6, text("chart.js.bow"), Face.SANS_BOLD, 9, "ink", "middle")
    wrong = Path().rounded(x + 55, y + 3.6, 24, 39, 2)
    yield _fill(wrong.placed(0.7, 0.9), "shadow")
    yield _fill(wrong, "wood")
    yield _stroke(wrong, "ink", 0.35)
    yield from _toy_marker(x + 67, y + 23, 0.42, turn_deg=180)
    yield from _hull(x + 67, y + 23, 1.0, 0, "side_orange")
    yield from _no(x + 83.6, y + 9, 3)


# Their parts


def _toy_tag(x: float, y: float, size: float, turn_deg: float = 0.0) -> Iterator[Figure]:
    """A figure that looks like a tag to people but not to the detector."""
    path = Path().rectangle(-3, -3, 6, 6)
    path = path.polygon(((0, -1.9), (1.9, 0.5), (-1.9, 0.5))).rectangle(-0.7, 0.9, 1.4, 1.1)
    yield _fill(path.placed(x, y, size / 6, turn_deg), "black")


def _toy_marker(
    x: float, y: float, scale: float, *,
    turn_deg: float = 0.0, shape: SideShape = SideShape.ROUND, dashed: bool = False,
) -> Iterator[Figure]:  # fmt: skip
    piece = ShipPiece(30, 6)
    q, bow = piece.white, piece.top
    outline = marker_outline(piece, shape).placed(x, y, scale, turn_deg)
    colour = "side_blue" if shape is SideShape.ROUND else "side_orange"
    yield _fill(outline, f"{colour}_tint")
    white = Path().rectangle(-q, -q, 2 * q, 2 * q)
    yield _fill(white.placed(x, y, scale, turn_deg), "white")
    arrow = Path().polygon(((0, 2 - bow), (14, -q - 1.5), (0, -q - 4), (-14, -q - 1.5)))
    yield _fill(arrow.placed(x, y, scale, turn_deg), colour)
    name = Path().rounded(-14, q + 3, 28, 4, 1)
    yield _fill(name.placed(x, y, scale, turn_deg), "ink")
    yield from _toy_tag(x, y, 30 * scale, turn_deg)
    yield _stroke(
        outline, "ink" if dashed else "cut", 0.35 if dashed else 0.15, (1.6, 1.1) if dashed else ()
    )


def _hull(x: float, y: float, scale: float, turn_deg: float, colour: str) -> Iterator[Figure]:
    """A ship's model from above, bow up."""
    hull = Path().move(0, -9).curve((1.6, -6), (2.3, -2), (2.2, 2))
    hull = hull.curve((2.1, 6), (1.4, 8.4), (0.8, 9)).line(-0.8, 9)
    hull = hull.curve((-1.4, 8.4), (-2.1, 6), (-2.2, 2))
    hull = hull.curve((-2.3, -2), (-1.6, -6), (0, -9)).close()
    yield _fill(hull.placed(x, y, scale, turn_deg), colour)
    fittings = Path().circle(0, -4.4, 0.9).circle(0, 5, 0.9).rounded(-0.8, -2, 1.6, 5, 0.6)
    yield _fill(fittings.placed(x, y, scale, turn_deg), "white")


def _scissors(x: float, y: float, scale: float, turn_deg: float) -> Iterator[Figure]:
    """Open scissors, cutting upwards from here."""
    for hand in (-1, 1):
        shape = Path().polygon(((-0.6 * hand, 0.6), (2.8 * hand, -11), (0.9 * hand, 1)))
        blade = shape.placed(x, y, scale, turn_deg)
        yield _fill(blade, "steel")
        yield _stroke(blade, "ink", 0.25)
    handles = Path().circle(-2.6, 5.2, 2).circle(2.6, 5.2, 2)
    yield _stroke(handles.placed(x, y, scale, turn_deg), "harm", 1.0)
    stems = Path().move(0.3, 0.6).line(-1.6, 3.6).move(-0.3, 0.6).line(1.6, 3.6)
    yield _stroke(stems.placed(x, y, scale, turn_deg), "harm", 1.0)
    yield _fill(Path().circle(0, 0.4, 0.5).placed(x, y, scale, turn_deg), "ink")


def _tick(x: float, y: float, size: float) -> Iterator[Figure]:
    mark = Path().move(-0.5, 0.05).line(-0.12, 0.42).line(0.5, -0.42)
    yield _stroke(mark.placed(x, y, size), "starboard_ink", 0.2 * size)


def _no(x: float, y: float, radius: float) -> Iterator[Figure]:
    cross = Path().move(-0.7, -0.7).line(0.7, 0.7).move(0.7, -0.7).line(-0.7, 0.7)
    yield _stroke(cross.placed(x, y, radius), "harm", 0.36 * radius)


def _measure(x1: float, y1: float, x2: float, y2: float) -> Iterator[Figure]:
    """A dimension line with an arrow at each end, level or upright."""
    yield _stroke(Path().move(x1, y1).line(x2, y2), "side_blue", 0.4)
    along = 1.6
    for px, py, sign in ((x1, y1, 1), (x2, y2, -1)):
        if y1 == y2:
            head = ((px, py), (px + sign * along, py - 1), (px + sign * along, py + 1))
        else:
            head = ((px, py), (px - 1, py + sign * along), (px + 1, py + sign * along))
        yield _fill(Path().polygon(head), "side_blue")


def _fill(path: Path, colour: str) -> Shape:
    return Shape(path, fill=colour)


def _stroke(path: Path, colour: str, width: float, dashes: Sequence[float] = ()) -> Shape:
    return Shape(path, stroke=colour, width=width, dashes=tuple(dashes))


def _text(
    x: float, y: float, words: str, face: Face, size_pt: float, colour: str,
    anchor: Anchor = "start",
) -> Figure:  # fmt: skip
    return print_text(x, y, words, size_pt, colour=colour, anchor=anchor, face=face)
