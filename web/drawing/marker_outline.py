"""The cut line of a ship's marker."""

from calibration.marker_layout import ShipPiece
from combat.participants import SideShape
from web.drawing.geometry import Path


def marker_outline(piece: ShipPiece, shape: SideShape) -> Path:
    """The cut line about the centre of the tag: a ship's outline in the shape of her side."""
    w, top, shoulder, bottom = piece.half_width, -piece.top, -piece.shoulder, piece.bottom
    if shape is SideShape.ROUND:
        r, rise = 0.3 * piece.stern, shoulder - top
        path = Path().move(0, top)
        path = path.curve(
            (0.38 * w, top + 0.24 * rise), (0.8 * w, top + 0.58 * rise), (w, shoulder)
        )
        path = path.line(w, bottom - r)
        path = path.curve((w, bottom - 0.4 * r), (w - 0.6 * r, bottom), (w - r, bottom))
        path = path.line(r - w, bottom)
        path = path.curve((0.6 * r - w, bottom), (-w, bottom - 0.4 * r), (-w, bottom - r))
        path = path.line(-w, shoulder)
        path = path.curve((-0.8 * w, top + 0.58 * rise), (-0.38 * w, top + 0.24 * rise), (0, top))
        return path.close()
    chamfer = 0.3 * piece.stern if shape.hull == "angular" else 0.0
    corners = [(0, top), (w, shoulder), (w, bottom - chamfer), (w - chamfer, bottom)]
    return Path().polygon([*corners, *((-x, y) for x, y in reversed(corners[1:]))])
