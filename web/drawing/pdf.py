"""PDFs of drawings: one page each, in millimetres.

Print is opaque: what is transparent on a screen has its own grey in the theme. Black and grey use
black ink only. The same pages always give the same bytes.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from typing import Final

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.marker_layout import PaperSize
from tabletop.scale import mm_from_inches
from web.drawing.figures import ArcText, Circle, Drawing, Figure, Group, Link, Shape, Text
from web.drawing.fonts import pdf_runs, text_width
from web.drawing.geometry import Path, on_circle
from web.drawing.theme import PrintTheme, colours

MM_PER_POINT: Final = mm_from_inches(1 / 72)
PAPERS_MM: Final = {
    paper.name.lower(): (paper.value.width_mm, paper.value.height_mm) for paper in PaperSize
}
"""Supported paper sizes in portrait format: width and height."""
_BLACK: Final = "#000000"
_FILL_EVEN_ODD: Final = 0
_THINNEST_MM: Final = 0.12


def pdf_file(pages: Sequence[Drawing], title: str, theme: PrintTheme = "paper") -> bytes:
    """One PDF with a page for each drawing."""
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("Dreyer Table")
    # Some viewers then print at 100 % by default; the printed bar shows whether they did.
    canvas.setViewerPreference("PrintScaling", "None")
    for page in pages:
        canvas.setPageSize((page.width / MM_PER_POINT, page.height / MM_PER_POINT))
        canvas.translate(0, page.height / MM_PER_POINT)
        canvas.scale(1 / MM_PER_POINT, -1 / MM_PER_POINT)
        _Painter(canvas, theme).paint(page.items)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


class _Painter:
    """Draws figures on a canvas whose y axis points down."""

    def __init__(self, canvas: Canvas, theme: PrintTheme) -> None:
        self._canvas = canvas
        self._colours = colours(theme)
        self._scale = 1.0
        """Millimetres per unit, within groups."""

    def paint(self, items: Iterable[Figure]) -> None:
        for item in items:
            if isinstance(item, Group):
                self._group(item)
            elif isinstance(item, Link):
                self.paint(item.items)
            elif isinstance(item, Text):
                self._text(item)
            elif isinstance(item, ArcText):
                self._arc_text(item)
            elif isinstance(item, Circle):
                path = Path().circle(*item.at, item.radius)
                self._shape(Shape(path, item.fill, item.stroke, item.width, item.dashes))
            else:
                self._shape(item)

    def _group(self, item: Group) -> None:
        canvas, scale = self._canvas, self._scale
        canvas.saveState()
        canvas.translate(*item.at)
        canvas.rotate(item.turn_deg)
        canvas.scale(*item.scale)
        self._scale *= math.sqrt(abs(item.scale[0] * item.scale[1]))
        self.paint(item.items)
        self._scale = scale
        canvas.restoreState()

    def _shape(self, item: Shape) -> None:
        canvas = self._canvas
        canvas.saveState()
        if item.fill:
            self._ink(item.fill)
            outline = self._outline(item.path)
            canvas.drawPath(outline, stroke=0, fill=1, fillMode=_FILL_EVEN_ODD)
        if item.stroke:
            canvas.setStrokeColor(self._colour(item.stroke))
            canvas.setLineWidth(max(item.width, _THINNEST_MM / self._scale))
            canvas.setLineCap(int(item.ends_round))
            canvas.setLineJoin(1)
            canvas.setDash(list(item.dashes))
            canvas.drawPath(self._outline(item.path), stroke=1, fill=0)
        canvas.restoreState()

    def _text(self, item: Text) -> None:
        """The text in runs of one font each; print needs no halo."""
        canvas = self._canvas
        runs = [
            (font, words, float(font.stringWidth(words, item.size)))
            for font, words in pdf_runs(item.words, item.face)
        ]
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor]
        x = -share * sum(width for _, _, width in runs)
        canvas.saveState()
        self._ink(item.colour)
        canvas.translate(*item.at)
        canvas.rotate(item.turn_deg)
        canvas.scale(1, -1)
        for font, words, width in runs:
            canvas.setFont(font.fontName, item.size)
            canvas.drawString(x, 0, words)
            x += width
        canvas.restoreState()

    def _arc_text(self, item: ArcText) -> None:
        """Letter by letter along the circle."""
        total = text_width(item.words, item.face, item.size)
        way = -1.0 if item.inward else 1.0
        passed = 0.0
        for letter in item.words:
            width = text_width(letter, item.face, item.size)
            away = math.degrees((passed + width / 2 - total / 2) / item.radius)
            turn = item.turn_deg + way * away
            at = on_circle(item.centre, item.radius, turn)
            upright = turn + 180 if item.inward else turn
            face = item.face
            self._text(Text(at, letter, item.size, item.colour, "middle", face, upright))
            passed += width

    def _ink(self, name: str) -> None:
        colour = self._colours.get(name, name)
        if colour == _BLACK:
            # Grey is black ink only; printers mix RGB values.
            self._canvas.setFillGray(0)
        else:
            self._canvas.setFillColor(_parsed(colour))

    def _colour(self, name: str) -> Color:
        return _parsed(self._colours.get(name, name))

    def _outline(self, path: Path) -> PDFPathObject:
        outline = self._canvas.beginPath()
        for command, points in path.steps:
            flat = [value for point in points for value in point]
            if command == "M":
                outline.moveTo(*flat)
            elif command == "L":
                outline.lineTo(*flat)
            elif command == "C":
                outline.curveTo(*flat)
            else:
                outline.close()
        return outline


@cache
def _parsed(code: str) -> Color:
    return HexColor(code)
