"""Calibration files: a measured camera as TOML, written by `dreyer calibrate`."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

import numpy as np
import tomli_w
from numpy.typing import NDArray
from pydantic import Field

from calibration.camera import DOUBTED, Distortion, Lens, LensSource, Residual
from calibration.homography import FixedPlace, TablePlane, TableSize
from calibration.markers import CORNER_IDS, CORNERS_BY_KEY, LARGE, CornerKey
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import (
    Flag,
    Line,
    Number,
    Schema,
    Unit,
    Whole,
    file_document,
    missing,
    present_values,
    wrong,
)

Array = NDArray[np.float64]

BUMPED_PX: Final = 2.0
"""A corner marker this far from its stored place means that the camera or the table has moved."""
HIGHEST_BASE_MM: Final = 200.0
HEIGHT_SIGMA_MM: Final = 0.1
"""How well a stated height of a base is known."""
_HEAD: Final = f"""\
# The camera over the table, as `dreyer calibrate` measured it.
# print_scale is what the 100 mm bar measures, by 100, if somebody measured it, and
# print_scale_sigma its doubt; the table is measured between the corner markers' centres; heights
# are those of markers above the table, in mm; corners are where the corner markers' centres were,
# in pixels. The lens's distortion is k1, k2, p1, p2, k3; each line
# of its doubts is by how much it may be off: {", ".join(DOUBTED)}.
"""


class MarkerHeight(NamedTuple):
    """The height of a marker above the table, and its uncertainty."""

    mm: float
    sigma_mm: float


UNKNOWN_HEIGHT: Final = MarkerHeight(0.0, 2.0)
"""Paper flat on the table until somebody says otherwise; usual bases are up to 4 mm high."""


class PrintScale(NamedTuple):
    """The size of what was printed relative to what was meant, and its uncertainty."""

    factor: float
    sigma: float

    @property
    def is_measured(self) -> bool:
        """Whether somebody measured the printed bar."""
        return self.sigma < UNMEASURED_PRINT.sigma


UNMEASURED_PRINT: Final = PrintScale(1.0, 0.02)
"""Until the bar is measured: printers that fit a page to the paper change it by up to 4 %."""
_BAR_SIGMA: Final = 0.0025
"""A ruler is read to a quarter of a millimetre in 100."""


def measured_print(scale: float) -> PrintScale:
    """The scale of a print whose bar was measured: its length by what it was meant to be."""
    return PrintScale(scale, _BAR_SIGMA)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured camera over a table."""

    lens: Lens
    table: TableSize
    print_scale: PrintScale = UNMEASURED_PRINT
    height_mm: float | None = None
    """The height of markers above the table, for ships that are not in `heights_mm`, if known."""
    heights_mm: Mapping[str, float] = field(default_factory=dict)
    """The heights of some ships' markers above the table, by name."""
    camera_height_mm: float | None = None
    """The camera's height, measured by hand, for a camera straight overhead."""
    corners_px: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """The pixel positions of the corner markers' centres at the time of calibration."""
    plane: TablePlane | None = None
    date: str = ""
    anchors: Mapping[int, FixedPlace] = field(default_factory=dict)
    """Where anchor markers lie, as measured from several pictures."""

    def height_of(self, name: str) -> MarkerHeight:
        """The height of a ship's marker above the table."""
        height = self.heights_mm.get(name, self.height_mm)
        return UNKNOWN_HEIGHT if height is None else MarkerHeight(height, HEIGHT_SIGMA_MM)

    def stale(
        self, width_px: int, height_px: int, corners_px: Mapping[int, Array]
    ) -> Message | None:
        """Why the calibration no longer fits the picture; None if it does."""
        if (width_px, height_px) != (self.lens.width_px, self.lens.height_px):
            return Message(
                "calibration.stale.size",
                measured_width=self.lens.width_px,
                measured_height=self.lens.height_px,
                width=width_px,
                height=height_px,
            )
        moved = self.moved_px(corners_px)
        if moved > BUMPED_PX:
            return Message("calibration.stale.moved", pixels=round(moved))
        return None

    def moved_px(self, corners_px: Mapping[int, Array]) -> float:
        """The largest distance of a corner marker from its stored place, in pixels."""
        return max(
            (
                float(np.linalg.norm(np.asarray(corners_px[number]) - before))
                for number, before in self.corners_px.items()
                if number in corners_px
            ),
            default=0.0,
        )


def print_scale_of(calibration: Calibration | None) -> PrintScale:
    """The scale of the print by a calibration, if there is one."""
    return UNMEASURED_PRINT if calibration is None else calibration.print_scale


def write_calibration(calibration: Calibration) -> str:
    """The calibration as TOML, with unrounded numbers."""
    table, plane = calibration.table, calibration.plane
    document: dict[str, object] = {"date": calibration.date} if calibration.date else {}
    if calibration.print_scale.is_measured:
        document["print_scale"] = float(calibration.print_scale.factor)
        document["print_scale_sigma"] = float(calibration.print_scale.sigma)
    if calibration.camera_height_mm is not None:
        document["camera_height_mm"] = calibration.camera_height_mm
    document["table"] = {
        "width_inches": round(table.width_inches, 9),
        "height_inches": round(table.height_inches, 9),
    }
    document["lens"] = _lens_values(calibration.lens)
    document["heights"] = {
        **({} if calibration.height_mm is None else {"*": float(calibration.height_mm)}),
        **{name: float(height) for name, height in calibration.heights_mm.items()},
    }
    if calibration.corners_px:
        document["corners"] = {
            key: _floats(calibration.corners_px[CORNER_IDS[corner]])
            for key, corner in CORNERS_BY_KEY.items()
            if CORNER_IDS[corner] in calibration.corners_px
        }
    if plane is not None:
        camera = {} if plane.camera_mm is None else {"camera_mm": _floats(plane.camera_mm)}
        document["plane"] = {
            "to_table": _floats(plane.to_table.ravel()),
            **camera,
            "residual_px": float(plane.residual_px),
        }
    if calibration.anchors:
        document["anchors"] = [
            {"id": number, **asdict(place)} for number, place in sorted(calibration.anchors.items())
        ]
    return _HEAD + tomli_w.dumps(document)


def _lens_values(lens: Lens) -> dict[str, object]:
    values: dict[str, object] = {
        "source": str(lens.source),
        "width_px": lens.width_px,
        "height_px": lens.height_px,
        **{key: float(getattr(lens, key)) for key in ("fx_px", "fy_px", "cx_px", "cy_px")},
        "distortion": _floats(lens.distortion),
        "focal_known": lens.focal_known,
        "residual_px": float(lens.residual_px),
    }
    return {**values, "doubts": [_floats(row) for row in lens.doubts]} if lens.doubts else values


def _floats(values: Iterable[float]) -> list[float]:
    """Numbers as plain Python floats."""
    return [float(value) for value in values]


_Inches = Annotated[Number, Field(gt=0, le=1000), Unit("inches")]


@file_document
class _TableTable:
    """The table's size."""

    width_inches: _Inches
    height_inches: _Inches


@file_document
class _LensTable(Lens):
    """A lens; keys that older versions did not write are optional."""

    distortion: Distortion
    source: LensSource
    focal_known: Flag


@file_document
class _PlaneTable:
    """The table's plane; the homography is given row by row."""

    to_table: Annotated[tuple[Number, ...], Field(min_length=9, max_length=9)]
    camera_mm: tuple[Number, Number, Number] | None = None
    residual_px: Residual = 0.0


_Far = Annotated[Number, Field(ge=-100_000, le=100_000), Unit("mm")]


@file_document
class _AnchorTable:
    """The place of an anchor marker."""

    id: Annotated[Whole, Field(ge=len(CORNER_IDS), le=LARGE.size - 1)]
    x_mm: _Far
    y_mm: _Far
    heading_deg: Annotated[Number, Field(ge=-360, le=360), Unit("degrees")]
    position_sigma_mm: Annotated[Number, Field(ge=0, le=1000), Unit("mm")] = 0.0


@file_document
class _CalibrationFile:
    """A calibration file."""

    date: Annotated[Line, Field(min_length=1, max_length=40)] | None = None
    print_scale: Annotated[Number, Field(ge=0.5, le=2.0)] | None = None
    print_scale_sigma: Annotated[Number, Field(ge=0, le=0.5)] | None = None
    camera_height_mm: Annotated[Number, Field(gt=0, le=20_000), Unit("mm")] | None = None
    table: _TableTable | None = None
    lens: _LensTable | None = None
    heights: Mapping[
        str, Annotated[Number, Field(ge=0, le=HIGHEST_BASE_MM), Unit("mm_above_table")]
    ] = field(default_factory=dict)
    corners: Mapping[CornerKey, tuple[Number, Number]] = field(default_factory=dict)
    plane: _PlaneTable | None = None
    anchors: tuple[_AnchorTable, ...] = ()


_FILE: Final[Schema[_CalibrationFile]] = Schema(_CalibrationFile)


def read_calibration(data: bytes, source: str) -> Calibration:
    """Parse a calibration file. Raises DreyerError with the field."""
    file = _FILE.read_toml(data, source)
    if file.lens is None:
        raise DreyerError("calibration.file.no_lens", source=source)
    if file.table is None:
        raise missing(source, "table", Message("schema.table", key="table"))
    lens = Lens(**present_values(file.lens))
    return Calibration(
        lens,
        TableSize.of_inches(file.table.width_inches, file.table.height_inches),
        _print_scale(file),
        file.heights.get("*"),
        MappingProxyType({name: height for name, height in file.heights.items() if name != "*"}),
        file.camera_height_mm,
        MappingProxyType(
            {CORNER_IDS[CORNERS_BY_KEY[key]]: place for key, place in file.corners.items()}
        ),
        None
        if file.plane is None
        else _plane(file.plane, lens, DocumentPlace(source).table("plane")),
        file.date or "",
        MappingProxyType(
            {
                each.id: FixedPlace(each.x_mm, each.y_mm, each.heading_deg, each.position_sigma_mm)
                for each in file.anchors
            }
        ),
    )


def _print_scale(file: _CalibrationFile) -> PrintScale:
    """The scale of the print; older versions wrote 1 too where nobody had measured it."""
    scale, sigma = file.print_scale, file.print_scale_sigma
    if scale is None or (sigma is None and scale == 1.0):
        return UNMEASURED_PRINT
    return measured_print(scale) if sigma is None else PrintScale(scale, sigma)


def _plane(table: _PlaneTable, lens: Lens, place: DocumentPlace) -> TablePlane:
    to_table = np.array(table.to_table).reshape(3, 3)
    if not np.isfinite(np.linalg.cond(to_table)) or np.linalg.cond(to_table) > 1e12:
        raise wrong(place, "to_table", Message("calibration.expected.plane"), table.to_table)
    if table.camera_mm is not None and table.camera_mm[2] <= 0:
        raise wrong(place, "camera_mm", Message("calibration.expected.above"), table.camera_mm)
    camera = None if table.camera_mm is None else np.array(table.camera_mm)
    return TablePlane(lens, to_table, camera, (), table.residual_px)
