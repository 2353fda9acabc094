"""A measured camera as a small TOML file: written by `dreyer calibrate`, checked when loaded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
import tomli_w
from numpy.typing import NDArray

from calibration.camera import DOUBTED, Lens, LensSource
from calibration.homography import TablePlane, TableSize
from calibration.markers import CORNER_IDS
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError, shorten
from tabletop.fields import Fields
from tabletop.messages import Message

Array = NDArray[np.float64]

BUMPED_PX: Final = 2.0
"""A corner marker this far from where it was means the camera or the table has moved."""
HIGHEST_BASE_MM: Final = 200.0
_MOST_DOUBT: Final = 1000
_KEYS: Final = ("date", "print_scale", "camera_height_mm", "table", "lens", "heights", "corners",
                "plane")  # fmt: skip
_TABLE_KEYS: Final = ("width_inches", "height_inches")
_LENS_KEYS: Final = ("source", "width_px", "height_px", "fx_px", "fy_px", "cx_px", "cy_px",
                     "distortion", "focal_known", "residual_px", "doubts")  # fmt: skip
_CORNER_KEYS: Final = {corner.replace(" ", "_"): number for corner, number in CORNER_IDS.items()}
_PLANE_KEYS: Final = ("to_table", "camera_mm", "residual_px")
_HEAD: Final = f"""\
# The camera over the table, as `dreyer calibrate` measured it.
# print_scale is what the 100 mm bar measures, by 100; the table is measured between the corner
# markers' centres; heights are those of markers above the table, in mm; corners are where the
# corner markers' centres were, in pixels. The lens's distortion is k1, k2, p1, p2, k3; each line
# of its doubts is by how much it may be off: {", ".join(DOUBTED)}.
"""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of a camera over a table."""

    lens: Lens
    table: TableSize
    print_scale: float = 1.0
    """What the 100 mm bar measures, divided by 100."""
    height_mm: float = 0.0
    """How high markers are above the table, where nothing else is said."""
    heights_mm: Mapping[str, float] = field(default_factory=dict)
    """How high the markers of some ships are, by name."""
    camera_height_mm: float | None = None
    """As measured by hand, for a camera straight overhead."""
    corners_px: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Where the corner markers' centres were when this was measured."""
    plane: TablePlane | None = None
    date: str = ""

    def height_of(self, name: str) -> float:
        """How high this ship's marker is above the table."""
        return self.heights_mm.get(name, self.height_mm)

    def stale(
        self, width_px: int, height_px: int, corners_px: Mapping[int, Array]
    ) -> Message | None:
        """Why this no longer fits the picture, with the remedy; None if it does."""
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
        """How far the farthest corner marker is from where it was."""
        return max(
            (
                float(np.linalg.norm(np.asarray(corners_px[number]) - before))
                for number, before in self.corners_px.items()
                if number in corners_px
            ),
            default=0.0,
        )


def write_calibration(calibration: Calibration) -> str:
    """The calibration as TOML; numbers are not rounded."""
    table, plane = calibration.table, calibration.plane
    document: dict[str, object] = {"date": calibration.date} if calibration.date else {}
    document["print_scale"] = calibration.print_scale
    if calibration.camera_height_mm is not None:
        document["camera_height_mm"] = calibration.camera_height_mm
    document["table"] = {
        "width_inches": round(table.width_inches, 9),
        "height_inches": round(table.height_inches, 9),
    }
    document["lens"] = _lens_values(calibration.lens)
    document["heights"] = {
        "*": float(calibration.height_mm),
        **{name: float(height) for name, height in calibration.heights_mm.items()},
    }
    if calibration.corners_px:
        document["corners"] = {
            key: _floats(calibration.corners_px[number])
            for key, number in _CORNER_KEYS.items()
            if number in calibration.corners_px
        }
    if plane is not None:
        camera = {} if plane.camera_mm is None else {"camera_mm": _floats(plane.camera_mm)}
        document["plane"] = {
            "to_table": _floats(plane.to_table.ravel()),
            **camera,
            "residual_px": float(plane.residual_px),
        }
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
    """Numbers without their NumPy types."""
    return [float(value) for value in values]


def read_calibration(data: bytes, source: str) -> Calibration:
    """The calibration in these bytes; every fault is one line that names the field."""
    fields = Fields(parse_toml(data, source), source, _KEYS)
    if "lens" not in fields:
        raise DreyerError("calibration.file.no_lens", source=source)
    lens = _read_lens(fields.table("lens", _LENS_KEYS))
    table = fields.table("table", _TABLE_KEYS)
    size = TableSize.of_inches(
        *(table.number(key, above=0, most=1000, unit="inches") for key in _TABLE_KEYS)
    )
    heights = _read_heights(fields)
    corners = fields.table("corners", _CORNER_KEYS)
    height = (
        fields.number("camera_height_mm", above=0, most=20_000, unit="mm")
        if "camera_height_mm" in fields
        else None
    )
    return Calibration(
        lens,
        size,
        fields.number("print_scale", 1.0, least=0.5, most=2.0),
        heights.pop("*", 0.0),
        MappingProxyType(heights),
        height,
        MappingProxyType(
            {
                number: (pair[0], pair[1])
                for key, number in _CORNER_KEYS.items()
                if key in corners
                for pair in [_numbers(corners, key, 2)]
            }
        ),
        _read_plane(fields, lens),
        fields.text("date", most=40) if "date" in fields else "",
    )


def _read_lens(fields: Fields) -> Lens:
    bend = _numbers(fields, "distortion", 5)
    if any(abs(value) > 100 for value in bend):
        raise fields.wrong("distortion", Message("calibration.expected.distortion"), list(bend))
    fx_px, fy_px, cx_px, cy_px = (
        fields.number(key, above=0, most=200_000, unit="pixels") for key in _LENS_KEYS[3:7]
    )
    return Lens(
        fields.integer("width_px", least=64, most=20_000),
        fields.integer("height_px", least=64, most=20_000),
        fx_px,
        fy_px,
        cx_px,
        cy_px,
        (bend[0], bend[1], bend[2], bend[3], bend[4]),
        LensSource(fields.choice("source", list(LensSource))),
        fields.flag("focal_known"),
        fields.number("residual_px", 0.0, least=0, most=1000),
        _read_doubts(fields),
    )


def _read_doubts(fields: Fields) -> tuple[tuple[float, ...], ...]:
    """A file of before there were any has none, and its lens is taken at its word."""
    if "doubts" not in fields:
        return ()
    wanted = Message("calibration.expected.doubts", most=len(DOUBTED))
    raw = fields.value("doubts", wanted)
    if not isinstance(raw, list) or len(raw) > len(DOUBTED):
        raise fields.wrong("doubts", wanted, shorten(raw))
    for row in raw:
        if not isinstance(row, list) or len(row) != len(DOUBTED):
            raise fields.wrong("doubts", wanted, shorten(row))
        for value in row:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise fields.wrong("doubts", wanted, shorten(value))
            if not abs(value) <= _MOST_DOUBT:
                within = Message("calibration.expected.doubt", most=_MOST_DOUBT)
                raise fields.wrong("doubts", within, value)
    return tuple(tuple(float(value) for value in row) for row in raw)


def _read_heights(fields: Fields) -> dict[str, float]:
    expected = Message("schema.table", key="heights")
    raw = fields.value("heights", expected) if "heights" in fields else {}
    if not isinstance(raw, dict):
        raise fields.wrong("heights", expected, raw)
    table = fields.table("heights", raw)
    return {
        name: table.number(name, least=0, most=HIGHEST_BASE_MM, unit="mm_above_table")
        for name in raw
    }


def _read_plane(fields: Fields, lens: Lens) -> TablePlane | None:
    if "plane" not in fields:
        return None
    table = fields.table("plane", _PLANE_KEYS)
    to_table = np.array(_numbers(table, "to_table", 9)).reshape(3, 3)
    if not np.isfinite(np.linalg.cond(to_table)) or np.linalg.cond(to_table) > 1e12:
        expected = Message("calibration.expected.plane")
        raise table.wrong("to_table", expected, to_table.ravel().tolist())
    camera = np.array(_numbers(table, "camera_mm", 3)) if "camera_mm" in table else None
    if camera is not None and camera[2] <= 0:
        raise table.wrong("camera_mm", Message("calibration.expected.above"), camera.tolist())
    return TablePlane(
        lens, to_table, camera, (), table.number("residual_px", 0.0, least=0, most=1000)
    )


def _numbers(fields: Fields, key: str, count: int) -> tuple[float, ...]:
    what = Message("schema.numbers")
    values = fields.values(key, count, what)
    numbers = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise fields.wrong(
                key, Message("schema.list_of_count", count=count, what=what), shorten(value)
            )
        numbers.append(float(value))
    return tuple(numbers)
