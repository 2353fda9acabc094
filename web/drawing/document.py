"""Functions for printed pages, and a flowing document of text and pictures."""

from typing import Final

from web.drawing.figures import Anchor, Drawing, Figure, Group, Shape, Text, line
from web.drawing.fonts import Face, cut, text_width, wrap
from web.drawing.geometry import Path
from web.drawing.pdf import MM_PER_POINT, PAPERS_MM, pdf_file

MARGIN_MM: Final = 13.0
SMALL_PT: Final = 8.5
TEXT_PT: Final = 10.0
HEAD_PT: Final = 15.0


def print_text(
    x: float,
    y: float,
    words: str,
    size_pt: float,
    *,
    colour: str = "ink",
    anchor: Anchor = "start",
    face: Face = Face.SANS,
    turn_deg: float = 0.0,
) -> Text:
    """A line of text on a page in millimetres; its size is in points."""
    return Text((x, y), words, size_pt * MM_PER_POINT, colour, anchor, face, turn_deg)


def cut_mm(words: str, face: Face, size_pt: float, width_mm: float) -> str:
    """The text, cut with an ellipsis to the width."""
    return cut(words, face, size_pt * MM_PER_POINT, width_mm, text_width)


def wrap_mm(words: str, face: Face, size_pt: float, width_mm: float) -> list[str]:
    """The text in lines within the width."""
    return wrap(words, face, size_pt * MM_PER_POINT, width_mm, text_width)


def rule(x: float, y: float, width_mm: float) -> Shape:
    """A line across the page."""
    return line((x, y), (x + width_mm, y), colour="line_strong", width=0.2)


def placed(drawing: Drawing, x: float, y: float, scale: float) -> Group:
    """A drawing placed by its upper left corner, with a scale in millimetres per unit."""
    return Group(drawing.items, at=(x, y), scale=(scale, scale))


def meter(x: float, y: float, width_mm: float, share: float) -> tuple[Shape, ...]:
    """A bar that is filled in proportion to what is left."""
    frame = Shape(Path().rectangle(x, y, width_mm, 2), stroke="ink_3", width=0.2)
    if not share:
        return (frame,)
    return frame, Shape(Path().rectangle(x, y, width_mm * share, 2), fill="ink_3")


class Document:
    """Text and pictures in a column, with page breaks."""

    def __init__(self, title: str, paper: str) -> None:
        self._title = title
        self._size_mm = PAPERS_MM[paper]
        self._pages: list[Drawing] = []
        self._items: list[Figure] = []
        self._y = MARGIN_MM

    @property
    def width_mm(self) -> float:
        """The width between the margins."""
        return self._size_mm[0] - 2 * MARGIN_MM

    def need(self, height_mm: float) -> None:
        """Begin a new page unless this height still fits."""
        if self._size_mm[1] - MARGIN_MM - 8 - self._y < height_mm:
            self._end_page()

    def space(self, height_mm: float) -> None:
        """Leave some space."""
        self._y += height_mm

    def text(
        self,
        words: str,
        face: Face = Face.SANS,
        size_pt: float = TEXT_PT,
        colour: str = "ink",
        indent_mm: float = 0.0,
        after_mm: float = 0.6,
    ) -> None:
        """A text, wrapped into lines."""
        pitch = size_pt * MM_PER_POINT * 1.28
        x = MARGIN_MM + indent_mm
        for words_in_line in wrap_mm(words, face, size_pt, self.width_mm - indent_mm):
            self.need(pitch)
            self._y += pitch
            at = self._y - pitch * 0.25
            self._items.append(print_text(x, at, words_in_line, size_pt, colour=colour, face=face))
        self._y += after_mm

    def row(self, left: str, right: str, *, face: Face = Face.SANS) -> None:
        """One line with another text at its right end."""
        pitch = TEXT_PT * MM_PER_POINT * 1.5
        self.need(pitch)
        self._y += pitch
        y = self._y - pitch * 0.3
        words = cut_mm(left, face, TEXT_PT, self.width_mm * 0.62)
        self._items.append(print_text(MARGIN_MM, y, words, TEXT_PT, face=face))
        end = MARGIN_MM + self.width_mm
        self._items.append(print_text(end, y, right, TEXT_PT, anchor="end"))

    def head(self, words: str, keep_mm: float = 24.0) -> None:
        """A heading, never alone at the foot of a page."""
        self.need(keep_mm)
        if self._y > MARGIN_MM:
            self._y += 4
        self.text(words, Face.SERIF_BOLD, HEAD_PT)
        self._items.append(rule(MARGIN_MM, self._y, self.width_mm))
        self._y += 1.5

    def picture(self, drawing: Drawing, tallest_mm: float) -> None:
        """A drawing as wide as the page, or limited by its height."""
        scale = min(self.width_mm / drawing.width, tallest_mm / drawing.height)
        self.need(drawing.height * scale)
        left = MARGIN_MM + (self.width_mm - drawing.width * scale) / 2
        self._items.append(placed(drawing, left, self._y, scale))
        self._y += drawing.height * scale + 2

    def finish(self) -> bytes:
        """The PDF file."""
        self._end_page()
        return pdf_file(self._pages, self._title)

    def _end_page(self) -> None:
        width, height = self._size_mm
        y = height - MARGIN_MM + 3
        number = str(len(self._pages) + 1)
        end = width - MARGIN_MM
        self._items += (
            print_text(MARGIN_MM, y, self._title, SMALL_PT, colour="ink_3"),
            print_text(end, y, number, SMALL_PT, colour="ink_3", anchor="end"),
        )
        self._pages.append(Drawing(width, height, tuple(self._items)))
        self._items = []
        self._y = MARGIN_MM
