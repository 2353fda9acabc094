"""QR codes that open the sheets of ships, to cut out and lay beside the models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import segno

from combat.participants import Side
from web.drawing.document import MARGIN_MM, cut_mm, print_text
from web.drawing.figures import Drawing, Figure, Shape
from web.drawing.fonts import Face
from web.drawing.geometry import Path
from web.drawing.pdf import PAPERS_MM, pdf_file
from web.sides import side_name

_COLUMNS: Final = 3
_CARD_MM: Final = 62.0
"""The height of a card."""
_CODE_MM: Final = 42.0
_QUIET: Final = 4
"""The white modules about a code that its readers need."""


@dataclass(frozen=True, slots=True)
class ShipCode:
    """A ship and the address of her sheet."""

    name: str
    side: Side
    address: str


def print_codes(codes: Sequence[ShipCode], heading: str, paper: str) -> bytes:
    """One PDF with a card for each ship, cut lines about them."""
    width, height = PAPERS_MM[paper]
    rows = max(int((height - 2 * MARGIN_MM) // _CARD_MM), 1)
    count = rows * _COLUMNS
    pages = [codes[start : start + count] for start in range(0, len(codes), count)]
    return pdf_file([_page(each, width, height) for each in pages], heading)


def _page(codes: Sequence[ShipCode], width: float, height: float) -> Drawing:
    card = (width - 2 * MARGIN_MM) / _COLUMNS
    items: list[Figure] = []
    for number, code in enumerate(codes):
        row, column = divmod(number, _COLUMNS)
        items += _card(code, MARGIN_MM + column * card, MARGIN_MM + row * _CARD_MM, card)
    return Drawing(width, height, tuple(items), ", ".join(code.name for code in codes))


def _card(code: ShipCode, left: float, top: float, width: float) -> Iterator[Figure]:
    outline = Path().rectangle(left, top, width, _CARD_MM)
    yield Shape(outline, stroke="line_strong", width=0.2, dashes=(1.5, 1.5))
    yield _code(code.address, left + (width - _CODE_MM) / 2, top + 3)
    middle = left + width / 2
    name = cut_mm(code.name, Face.SERIF_BOLD_ITALIC, 12, width - 6)
    face = Face.SERIF_BOLD_ITALIC
    yield print_text(middle, top + _CODE_MM + 9, name, 12, anchor="middle", face=face)
    side = f"{code.side.letter}  {side_name(code.side)}"
    yield print_text(middle, top + _CODE_MM + 14.5, side, 9, colour="ink_3", anchor="middle")


def _code(address: str, left: float, top: float) -> Shape:
    """The code's dark modules, a row's neighbours as one rectangle."""
    matrix = segno.make_qr(address, error="m").matrix
    module = _CODE_MM / (len(matrix) + 2 * _QUIET)
    path = Path()
    for row, modules in enumerate(matrix):
        start: int | None = None
        for column, dark in enumerate((*modules, 0)):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                x, y = left + (start + _QUIET) * module, top + (row + _QUIET) * module
                path = path.rectangle(x, y, (column - start) * module, module)
                start = None
    return Shape(path, fill="ink")
