"""The badges of sides: a letter on a shape."""

from typing import Final

from combat.participants import Side, SideShape
from web.drawing.figures import Figure, Shape, Text
from web.drawing.fonts import CAP_HEIGHT, Face
from web.drawing.geometry import Path, Point
from web.drawing.theme import side_colour

_HEXAGON: Final = ((-1.2, 0), (-0.6, -1.04), (0.6, -1.04), (1.2, 0), (0.6, 1.04), (-0.6, 1.04))
_OUTLINES: Final = {
    SideShape.ROUND: Path().circle(0, 0, 1),
    SideShape.ANGULAR: Path().polygon(((0, -1.22), (1.22, 0), (0, 1.22), (-1.22, 0))),
    SideShape.SQUARE: Path().rectangle(-0.9, -0.9, 1.8, 1.8),
    SideShape.HEXAGON: Path().polygon(_HEXAGON),
    SideShape.TRIANGLE: Path().polygon(((0, -1.4), (1.45, 1), (-1.45, 1))),
}


def badge(side: Side, at: Point, radius: float, face: Face = Face.SANS_SEMIBOLD) -> list[Figure]:
    """The badge of a side: its letter on its shape, in its colour."""
    size = 1.3 * radius
    letter_at = (at[0], at[1] + CAP_HEIGHT / 2 * size)
    return [
        Shape(_OUTLINES[side.shape].placed(*at, radius), fill=side_colour(side)),
        Text(letter_at, side.letter, size, "on_side", "middle", face),
    ]
