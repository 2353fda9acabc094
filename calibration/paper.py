"""Drawing on paper at exact size: millimetres from the page's top left corner, y downwards."""

import math
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from tabletop.scale import mm_from_inches

Point = tuple[float, float]
Align = Literal["left", "centre", "right"]

MM_PER_POINT: Final = mm_from_inches(1 / 72)
POINTS_PER_MM: Final = 1 / MM_PER_POINT
_FILL_EVEN_ODD: Final = 0
BLACK: Final = "#000000"
CAP_HEIGHT: Final = 0.66
"""How tall a capital of our typefaces is, in ems."""
_ROUND: Final = 4 / 3 * math.tan(math.pi / 8)
"""How far a quarter circle's control points lie along its tangents, in radii."""


class Font(Enum):
    """The faces in use: the package that brings each, and its file."""

    SANS = ("font_source_sans_pro", "SourceSansPro-Regular.ttf")
    SANS_BOLD = ("font_source_sans_pro", "SourceSansPro-Bold.ttf")
    SERIF_BOLD = ("font_source_serif_pro", "SourceSerifPro-Bold.ttf")
    NAME = ("font_source_serif_pro", "SourceSerifPro-BoldIt.ttf")


@cache
def _registered(font: Font) -> TTFont:
    package, file = font.value
    face = TTFont(file.removesuffix(".ttf"), str(files(package) / "files" / file))
    pdfmetrics.registerFont(face)
    return face


def missing_letters(words: str, font: Font) -> str:
    """The letters that a face cannot print, each once."""
    known = _registered(font).face.charToGlyph
    return "".join(dict.fromkeys(letter for letter in words if ord(letter) not in known))


def text_width_mm(words: str, font: Font, size_pt: float) -> float:
    """How wide a line of text is."""
    return MM_PER_POINT * float(_registered(font).stringWidth(words, size_pt))


def cut_to_width(words: str, font: Font, size_pt: float, width_mm: float) -> str:
    """The text, cut with an ellipsis where it would be wider than the width."""
    if text_width_mm(words, font, size_pt) <= width_mm:
        return words
    kept = len(words)
    while kept > 1 and text_width_mm(f"{words[:kept].rstrip()}…", font, size_pt) > width_mm:
        kept -= 1
    return f"{words[:kept].rstrip()}…"


def wrap(words: str, font: Font, size_pt: float, width_mm: float) -> list[str]:
    """The text in lines no wider than the width, broken between words."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width_mm(longer, font, size_pt) <= width_mm:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Path:
    """An outline of straight and curved pieces."""

    def __init__(self) -> None:
        self._steps: list[tuple[Point, ...] | None] = []
        self._start = True

    def move(self, x: float, y: float) -> "Path":
        """Begin a new piece here."""
        self._start = True
        return self.line(x, y)

    def line(self, x: float, y: float) -> "Path":
        """Go straight to a point."""
        self._steps.append(((math.nan, math.nan), (x, y)) if self._start else ((x, y),))
        self._start = False
        return self

    def curve(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> "Path":
        """Go to a point in a curve that two other points pull."""
        self._steps.append(((x1, y1), (x2, y2), (x, y)))
        return self

    def close(self) -> "Path":
        """Go back to where this piece began."""
        self._steps.append(None)
        self._start = True
        return self

    def polygon(self, corners: Iterable[Point]) -> "Path":
        """Add a closed piece of straight lines."""
        for number, (x, y) in enumerate(corners):
            if number == 0:
                self.move(x, y)
            else:
                self.line(x, y)
        return self.close()

    def rectangle(self, x: float, y: float, width: float, height: float) -> "Path":
        """Add a rectangle by its upper left corner."""
        return self.polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))

    def rounded(self, x: float, y: float, width: float, height: float, radius: float) -> "Path":
        """Add a rectangle with round corners."""
        right, bottom, pull = x + width, y + height, radius * (1 - _ROUND)
        self.move(x + radius, y).line(right - radius, y)
        self.curve(right - pull, y, right, y + pull, right, y + radius)
        self.line(right, bottom - radius)
        self.curve(right, bottom - pull, right - pull, bottom, right - radius, bottom)
        self.line(x + radius, bottom)
        self.curve(x + pull, bottom, x, bottom - pull, x, bottom - radius)
        self.line(x, y + radius)
        return self.curve(x, y + pull, x + pull, y, x + radius, y).close()

    def circle(self, x: float, y: float, radius: float) -> "Path":
        """Add a circle by its centre."""
        return self.rounded(x - radius, y - radius, 2 * radius, 2 * radius, radius)

    def placed(self, x: float, y: float, scale: float = 1.0, turn_deg: float = 0.0) -> "Path":
        """The same outline enlarged, turned clockwise about its origin and moved there."""
        cosine, sine = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))

        def carry(point: Point) -> Point:
            px, py = point
            return (
                x + scale * (px * cosine - py * sine),
                y + scale * (px * sine + py * cosine),
            )

        other = Path()
        other._steps = [
            None if step is None else tuple(carry(point) for point in step) for step in self._steps
        ]
        return other

    def draw_on(self, target: PDFPathObject, page_height_mm: float) -> None:
        """Hand the outline to a page, whose y goes upwards in points."""
        for step in self._steps:
            if step is None:
                target.close()
                continue
            flat = [
                value
                for x, y in step
                for value in (x * POINTS_PER_MM, (page_height_mm - y) * POINTS_PER_MM)
            ]
            if len(step) == 1:
                target.lineTo(*flat)
            elif len(step) == 2:
                target.moveTo(*flat[2:])
            else:
                target.curveTo(*flat)


class Paper:
    """The pages of one PDF, drawn one after the other."""

    def __init__(self, width_mm: float, height_mm: float, title: str) -> None:
        self.width_mm, self.height_mm = width_mm, height_mm
        self._file = BytesIO()
        # Invariant: the same order gives the same file, whenever it is printed.
        self._canvas = Canvas(
            self._file,
            pagesize=(width_mm * POINTS_PER_MM, height_mm * POINTS_PER_MM),
            invariant=1,
            pageCompression=1,
        )
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Dreyer Table")
        # Viewers that know this offer 100 % first; the printed bar tells whether they did.
        self._canvas.setViewerPreference("PrintScaling", "None")

    def next_page(self) -> None:
        """End this page."""
        self._canvas.showPage()

    def finish(self) -> bytes:
        """The whole file, after the last page has ended."""
        self._canvas.save()
        return self._file.getvalue()

    def fill(self, path: Path, colour: str) -> None:
        """Fill an outline; where pieces overlap, every second layer is a hole."""
        self._ink(colour)
        self._canvas.drawPath(self._outline(path), stroke=0, fill=1, fillMode=_FILL_EVEN_ODD)

    def stroke(
        self, path: Path, colour: str, width_mm: float, dashes_mm: Sequence[float] = ()
    ) -> None:
        """Draw along an outline with round ends, dashed where a pattern is given."""
        canvas = self._canvas
        canvas.setStrokeColor(_colour(colour))
        canvas.setLineWidth(width_mm * POINTS_PER_MM)
        canvas.setLineCap(0 if dashes_mm else 1)
        canvas.setLineJoin(1)
        canvas.setDash([dash * POINTS_PER_MM for dash in dashes_mm])
        canvas.drawPath(self._outline(path), stroke=1, fill=0)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        font: Font,
        size_pt: float,
        colour: str,
        align: Align = "left",
        turn_deg: float = 0.0,
    ) -> None:
        """A line of text by its baseline, turned clockwise about its anchor."""
        canvas = self._canvas
        canvas.saveState()
        self._ink(colour)
        canvas.setFont(_registered(font).fontName, size_pt)
        canvas.translate(x * POINTS_PER_MM, (self.height_mm - y) * POINTS_PER_MM)
        canvas.rotate(-turn_deg)
        width = text_width_mm(words, font, size_pt) * POINTS_PER_MM
        canvas.drawString({"left": 0.0, "centre": -width / 2, "right": -width}[align], 0, words)
        canvas.restoreState()

    def _ink(self, colour: str) -> None:
        if colour == BLACK:
            # Grey is black ink alone; a printer may mix what is called red, green and blue.
            self._canvas.setFillGray(0)
        else:
            self._canvas.setFillColor(_colour(colour))

    def _outline(self, path: Path) -> PDFPathObject:
        outline = self._canvas.beginPath()
        path.draw_on(outline, self.height_mm)
        return outline


@cache
def _colour(code: str) -> Color:
    return HexColor(code)
