"""What a scene file may say about its picture: `[camera]`, `[table]`, hands, light, counters."""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from calibration.markers import CORNER_SIZE_MM, SHIP_SIZE_MM
from tabletop.documents import parse_toml
from tabletop.scale import mm_from_inches
from tabletop.schema import Number, Schema, Text, Unit, file_document, keys_of, present_values
from vision.synthetic.camera import (
    Angle,
    CameraSettings,
    CameraView,
    Glare,
    Shadow,
    Share,
    TablePlace,
)
from vision.synthetic.scene import RenderedCounter, RenderedHand, Surface

_Inches = Annotated[Number, Field(ge=4, le=390), Unit("inches")]
_Height = Annotated[Number, Field(ge=0, le=300), Unit("mm")]
_Size = Annotated[Number, Field(gt=0, le=1000), Unit("mm")]


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """Everything of a scene file that is about its picture."""

    view: CameraView
    table_width_mm: float
    table_height_mm: float
    corner_mm: float
    tag_mm: float
    tag_height_mm: float
    surface: Surface
    hands: tuple[RenderedHand, ...]
    counters: tuple[RenderedCounter, ...]


@file_document
class _Webcam(CameraSettings):
    """An ordinary webcam on a stand at the host's edge, its lens without distortion."""

    blur_px: Annotated[Number, Field(ge=0, le=50), Unit("pixels")] = 0.6
    noise: Annotated[Number, Field(ge=0, le=100)] = 1.5
    vignette: Share = 0.15


@file_document
class _TableSettings:
    width_inches: _Inches = 72.0
    height_inches: _Inches = 48.0
    corner_mm: Annotated[Number, Field(ge=5, le=500), Unit("mm")] = CORNER_SIZE_MM
    tag_mm: Annotated[Number, Field(ge=2, le=500), Unit("mm")] = SHIP_SIZE_MM
    tag_height_mm: _Height = 0.0
    surface: Surface = Surface.SEA


@file_document
class _Counter:
    """A plain counter; all are of one colour."""

    name: Text | None = None
    x_mm: TablePlace
    y_mm: TablePlace
    heading_deg: Angle
    length_mm: _Size | None = None
    width_mm: _Size | None = None
    stripe_mm: _Size | None = None
    height_mm: _Height | None = None


@file_document
class PictureFile:
    """The part of a scene file that only the renderer reads."""

    camera: _Webcam = _Webcam()
    table: _TableSettings = _TableSettings()
    hand: tuple[RenderedHand, ...] = ()
    glare: tuple[Glare, ...] = ()
    shadow: tuple[Shadow, ...] = ()
    counter: tuple[_Counter, ...] = ()


_PICTURE_FILE: Final[Schema[PictureFile]] = Schema(PictureFile)


def read_picture_settings(data: bytes, source: str) -> PictureSettings:
    """The picture's part of a scene file; the ships are the table's part and are not read."""
    own = keys_of(PictureFile)
    values = {key: value for key, value in parse_toml(data, source).items() if key in own}
    file = _PICTURE_FILE.read_table(values, source)
    return PictureSettings(
        view=CameraView(**present_values(file.camera), glare=file.glare, shadow=file.shadow),
        table_width_mm=mm_from_inches(file.table.width_inches),
        table_height_mm=mm_from_inches(file.table.height_inches),
        corner_mm=file.table.corner_mm,
        tag_mm=file.table.tag_mm,
        tag_height_mm=file.table.tag_height_mm,
        surface=file.table.surface,
        hands=file.hand,
        counters=tuple(RenderedCounter(**present_values(each)) for each in file.counter),
    )
