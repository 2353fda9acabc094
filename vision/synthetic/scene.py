"""What stands on the rendered table: its size and cloth, markers, counters, hands."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final

import numpy as np
from pydantic import ConfigDict, Field

from calibration.marker_file import MarkerSet, PrintedMarker, number_name
from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    SHIP_SIZE_MM,
    SMALL,
    Corner,
    Family,
    MarkerKind,
)
from tabletop.errors import DreyerError
from tabletop.scale import mm_from_inches
from tabletop.schema import FILE_CONFIG, Number, Unit
from vision.synthetic.camera import Angle, FloatArray, TablePlace


class Surface(StrEnum):
    """What the table is covered with."""

    SEA = "sea"
    CLOTH = "cloth"
    WOOD = "wood"
    GREY = "grey"
    CHECKED = "checked"
    """A tablecloth that looks like a hundred tags to a careless detector."""


class Silhouette(StrEnum):
    """The hull that is drawn under a marker."""

    NONE = "none"
    BATTLESHIP = "battleship"
    CRUISER = "cruiser"
    DESTROYER = "destroyer"
    CARRIER = "carrier"


HULL_MM: Final = {
    Silhouette.NONE: 0.0,
    Silhouette.BATTLESHIP: 92.0,
    Silhouette.CARRIER: 92.0,
    Silhouette.CRUISER: 78.0,
    Silhouette.DESTROYER: 64.0,
}
"""The length of the models, about 1:2400."""


@dataclass(frozen=True, slots=True)
class RenderedMarker:
    """A coded marker on a base: its tag's centre is the ship's place, its upper edge her bow."""

    id: int
    x_mm: float
    y_mm: float
    heading_deg: float
    tag_mm: float = SHIP_SIZE_MM
    height_mm: float = 0.0
    """The tag's height above the table: the thickness of the base, or of base and model."""
    base_length_mm: float = mm_from_inches(2.0)
    base_width_mm: float = mm_from_inches(0.8)
    name: str = ""
    colour: str = ""
    """Of the deck: one of the side colours, or none of them."""
    silhouette: Silhouette = Silhouette.BATTLESHIP
    contrast: float = 1.0
    """1 is matte black on white; less is a pale print."""

    def __post_init__(self) -> None:
        if not 2 <= self.tag_mm <= 500 or not 0 <= self.height_mm <= 300:
            raise DreyerError(
                "vision.render.tag", marker=self.id, size=self.tag_mm, height=self.height_mm
            )


@dataclass(frozen=True, slots=True)
class RenderedCounter:
    """A plain counter without a code: a rectangle with a white stripe across its middle."""

    x_mm: float
    y_mm: float
    heading_deg: float
    length_mm: float = mm_from_inches(2.0)
    width_mm: float = mm_from_inches(0.8)
    stripe_mm: float = 6.0
    height_mm: float = 2.0
    colour: tuple[int, int, int] = (60, 60, 66)
    """Blue, green, red."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class RenderedHand:
    """A hand over the table with its arm; the palm's middle is the place."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    x_mm: TablePlace
    y_mm: TablePlace
    arm_deg: Angle = 180.0
    """Where the arm comes from: 180 is the host's side."""
    size: Annotated[Number, Field(ge=0.1, le=10)] = 1.0
    """1 is a grown-up's hand, its palm 85 mm wide."""
    height_mm: Annotated[Number, Field(ge=0, le=300), Unit("mm")] = 30.0


@dataclass(frozen=True, slots=True)
class RenderScene:
    """A table with everything on it; sizes are between the corner tags' centres."""

    markers: tuple[RenderedMarker, ...] = ()
    counters: tuple[RenderedCounter, ...] = ()
    hands: tuple[RenderedHand, ...] = ()
    table_width_mm: float = mm_from_inches(72)
    table_height_mm: float = mm_from_inches(48)
    corner_mm: float = CORNER_SIZE_MM
    corners: tuple[Corner, ...] = tuple(Corner)
    """Which of the corner tags lie on the table."""
    surface: Surface = Surface.SEA
    family: Family = SMALL
    lie_mm: tuple[tuple[float, float, float], ...] = ()
    """How far each corner tag lies off its place (x, y) and is turned (degrees), if at all."""

    def __post_init__(self) -> None:
        if not all(100 <= side <= 10_000 for side in (self.table_width_mm, self.table_height_mm)):
            raise DreyerError(
                "vision.render.table", width=self.table_width_mm, height=self.table_height_mm
            )

    @property
    def corner_markers(self) -> tuple[RenderedMarker, ...]:
        """The corner tags, flat on the table."""
        width, height = self.table_width_mm, self.table_height_mm
        places = dict(zip(Corner, ((0, 0), (width, 0), (width, height), (0, height)), strict=True))
        markers = []
        for corner in self.corners:
            number = CORNER_IDS[corner]
            off_x, off_y, turn = self.lie_mm[number] if number < len(self.lie_mm) else (0, 0, 0)
            x, y = places[corner]
            markers.append(
                RenderedMarker(
                    id=number,
                    x_mm=x + off_x,
                    y_mm=y + off_y,
                    heading_deg=turn,
                    tag_mm=self.corner_mm,
                    name=corner.value,
                    silhouette=Silhouette.NONE,
                    base_length_mm=self.corner_mm * 1.45,
                    base_width_mm=self.corner_mm * 1.45,
                )
            )
        return tuple(markers)


def marker_set_of(scene: RenderScene) -> MarkerSet:
    """The markers of the scene as they would have been printed: names and sizes."""
    kinds = ((MarkerKind.CORNER, scene.corner_markers), (MarkerKind.SHIP, scene.markers))
    markers = tuple(
        PrintedMarker(
            marker.id, marker.name or number_name(marker.id), kind, 0, 0.0, 0.0, marker.tag_mm, 0.0
        )
        for kind, group in kinds
        for marker in group
    )
    return MarkerSet(scene.family, markers, ())


def local_to_table(
    x_mm: float, y_mm: float, heading_deg: float, ahead_right: FloatArray, height_mm: float
) -> FloatArray:
    """Points given as (ahead, right) of a place and heading, as N × 3 points of the table."""
    sin, cos = math.sin(math.radians(heading_deg)), math.cos(math.radians(heading_deg))
    ahead, right = ahead_right[:, 0], ahead_right[:, 1]
    return np.stack(
        [
            x_mm + ahead * sin + right * cos,
            y_mm + ahead * cos - right * sin,
            np.full(len(ahead), height_mm),
        ],
        axis=1,
    )


def rectangle(length_mm: float, width_mm: float) -> FloatArray:
    """Corners as (ahead, right): upper left, upper right, lower right, lower left."""
    return np.array([(1, -1), (1, 1), (-1, 1), (-1, -1)]) * (length_mm / 2, width_mm / 2)
