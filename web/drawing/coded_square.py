"""The coded square of a marker, and the dashed line to cut along."""

from typing import Final

from calibration.markers import Bits, tag_outline
from web.drawing.figures import Shape
from web.drawing.geometry import Path, Point

_CUT_DASHES_MM: Final = (1.6, 1.1)
_CUT_WIDTH_MM: Final = 0.22


def tag_shape(bits: Bits, at: Point, size_mm: float, ink: str = "black") -> Shape:
    """The dark part of a coded square by its centre."""
    module = size_mm / len(bits)
    left, top = at[0] - size_mm / 2, at[1] - size_mm / 2
    path = Path()
    for loop in tag_outline(bits):
        path = path.polygon((left + column * module, top + row * module) for column, row in loop)
    return Shape(path, fill=ink)


def cut_line(outline: Path) -> Shape:
    """The line to cut along."""
    return Shape(outline, stroke="cut", width=_CUT_WIDTH_MM, dashes=_CUT_DASHES_MM)
