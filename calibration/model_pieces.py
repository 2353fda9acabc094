"""Pieces to cut out that carry a model, a name or a drawn ship beside their code.

Every piece is measured in millimetres from the centre of its coded square, the bow up. The code is
ahead of or behind the model, never beside it: a tilted camera sees past the ends of a model, but a
model that stands beside the code hides it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tabletop.scale import mm_from_inches


class MarkerForm(StrEnum):
    """What a marker is printed as."""

    COUNTER = "counter"
    """A counter with the code in its middle, for a base or to be used by itself."""
    PLATE = "plate"
    """A name plate to be glued to a model: the code and the name."""
    BASE = "base"
    """A base for a model, with the code ahead of or behind it."""
    PAPER_SHIP = "paper-ship"
    """A ship from above, with the code in her deck."""


class MarkerPaint(StrEnum):
    """The colours of a code and of what surrounds it."""

    WHITE = "white"
    GREY = "grey"
    """Light grey instead of white, under lamps that dazzle the camera."""
    SEA = "sea"
    """Dark blue on a light grey-blue, which is not conspicuous on a sea."""


class CodePlace(StrEnum):
    """Where the code of a base is."""

    BEHIND = "behind"
    AHEAD = "ahead"


class ModelScale(StrEnum):
    """The scale of the models."""

    S6000 = "6000"
    S3000 = "3000"
    S2400 = "2400"
    S1200 = "1200"
    BOXED = "boxed"
    """The counters of the boxed game."""


CODE_MM: Final[Mapping[ModelScale, float]] = {
    ModelScale.S6000: 12.0,
    ModelScale.S3000: 15.0,
    ModelScale.S2400: 20.0,
    ModelScale.S1200: 30.0,
    ModelScale.BOXED: 14.0,
}
"""The usual size of a code by scale: about the breadth of a capital ship's base."""
PLATE_MM: Final = 15.0
COUNTER_LENGTH_MM: Final = mm_from_inches(2.0)
COUNTER_WIDTH_MM: Final = mm_from_inches(0.8)
USUAL_LENGTH_M: Final = 180.0
"""The length of a ship of which nothing is known."""
_BREADTH: Final = 0.13
"""A ship's breadth by her length: that of a capital ship, so that every model fits."""
_EDGE_MM: Final = 0.8
_MODEL_ROOM_MM: Final = 2.0
_NAME_ROOM_MM: Final = 4.0
"""Beside the model, for her name."""
_PAPER_BREADTH: Final = 0.19
_LEAST_PAPER_LENGTH: Final = 2.1
"""A paper ship is at least so many times as long as the white square of her code."""


@dataclass(frozen=True, slots=True)
class ModelPiece:
    """A piece by the distances from its code's centre to its edges."""

    form: MarkerForm
    tag_mm: float
    modules: int
    left: float
    right: float
    top: float
    bottom: float
    ahead_mm: float = 0.0
    """How far the middle of the base lies ahead of the code's centre."""

    @property
    def white(self) -> float:
        """Half the side of the white square: one module all around the tag."""
        return white_half(self.tag_mm, self.modules)

    @property
    def width(self) -> float:
        """Across."""
        return self.left + self.right

    @property
    def height(self) -> float:
        """Along."""
        return self.top + self.bottom


def white_half(tag_mm: float, modules: int) -> float:
    """Half the side of the white square around a tag."""
    return tag_mm / 2 + tag_mm / modules


def plate(tag_mm: float, modules: int) -> ModelPiece:
    """A name plate: the code at the left, the name at the right."""
    edge = white_half(tag_mm, modules) + _EDGE_MM / 2
    label = max(16.0, 2.2 * tag_mm)
    return ModelPiece(MarkerForm.PLATE, tag_mm, modules, edge, edge + label, edge, edge)


def base(
    tag_mm: float, modules: int, scale: ModelScale, length_m: float, place: CodePlace
) -> ModelPiece:
    """A base with room for a model of this scale, and the code at one end of it."""
    code = white_half(tag_mm, modules) + _EDGE_MM / 2
    if scale is ModelScale.BOXED:
        width, length = COUNTER_WIDTH_MM, COUNTER_LENGTH_MM
    else:
        model = model_length_mm(scale, length_m)
        width = max(_BREADTH * model, 6.0) + 2 * _NAME_ROOM_MM
        length = model + 2 * _MODEL_ROOM_MM + 2 * code
    half = max(width / 2, code)
    far = max(length, 2 * code) - code
    top, bottom = (far, code) if place is CodePlace.BEHIND else (code, far)
    return ModelPiece(MarkerForm.BASE, tag_mm, modules, half, half, top, bottom, (top - bottom) / 2)


def paper_ship(tag_mm: float, modules: int, scale: ModelScale, length_m: float) -> ModelPiece:
    """A ship from above with the code amidships; broader than to scale where the code needs it."""
    white = 2 * white_half(tag_mm, modules)
    length = max(model_length_mm(scale, length_m), _LEAST_PAPER_LENGTH * white)
    # The hull tapers, so the square's corners need more than its side.
    breadth = max(_PAPER_BREADTH * length, 1.18 * white)
    half, long = breadth / 2, length / 2
    return ModelPiece(MarkerForm.PAPER_SHIP, tag_mm, modules, half, half, long, long)


def model_length_mm(scale: ModelScale, length_m: float) -> float:
    """How long a ship of this length is as a model."""
    if scale is ModelScale.BOXED:
        return COUNTER_LENGTH_MM
    return 1000 * length_m / int(scale)


def breadth_needed_mm(tag_mm: float, modules: int) -> float:
    """The least breadth of a base that carries a code of this size."""
    return 2 * (white_half(tag_mm, modules) + _EDGE_MM / 2)
