"""What the host has said about the camera, kept in the data folder between evenings.

The lens and the table's plane are in a calibration file of their own, as `dreyer calibrate` writes
it; this is all the rest: which camera, how the paper was printed, how high the markers are.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import tomli_w

from calibration.calibration_file import HIGHEST_BASE_MM
from calibration.markers import CORNER_IDS, LARGE, Corner
from tabletop.documents import parse_toml
from tabletop.errors import BadField
from tabletop.fields import Fields
from tabletop.messages import Message
from vision.tapped import HandCorner

LONGEST_SOURCE: Final = 400
BAR_MM: Final = 100.0
LEAST_BAR_MM: Final = 90.0
MOST_BAR_MM: Final = 110.0
LEAST_CAMERA_MM: Final = 100.0
MOST_CAMERA_MM: Final = 20_000.0
_KEYS: Final = ("source", "step", "bar_mm", "paper", "height_mm", "camera_height_mm", "heights",
                "markers", "counters", "corners", "distance", "plain")  # fmt: skip
_DISTANCE_KEYS: Final = ("first", "second", "measured_mm", "ours_mm")
_CORNER_KEYS: Final = {corner.replace(" ", "_"): corner for corner in Corner}
_HEAD: Final = """\
# The camera, as the set-up page keeps it. Counters are plain ones with names: x and y in mm on the
# table, heading. Corners were shown by hand: x and y in the picture, and whether it was read.
"""


class SetupStep(StrEnum):
    """The wizard's steps, in their order."""

    PRINT = "print"
    CAMERA = "camera"
    CORNERS = "corners"
    CHECK = "check"
    DONE = "done"

    @property
    def number(self) -> int:
        """From 1."""
        return list(SetupStep).index(self) + 1


@dataclass(frozen=True, slots=True)
class KnownDistance:
    """A distance between two markers that somebody measured, beside our own figure."""

    first: str
    second: str
    measured_mm: float
    ours_mm: float

    @property
    def off(self) -> float:
        """By what share our figure is too large; negative where it is too small."""
        return self.ours_mm / self.measured_mm - 1


def _none() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CameraSetup:
    """Everything the wizard asks for."""

    source: str = ""
    """As `Eyes.start` takes it; empty without a camera."""
    step: SetupStep = SetupStep.PRINT
    """The farthest step that was reached."""
    bar_mm: float = BAR_MM
    """What the printed 100 mm bar measures."""
    paper: str = "a4"
    height_mm: float = 0.0
    """How high markers are above the table."""
    heights_mm: Mapping[str, float] = field(default_factory=_none)
    """The same for the bases of some kinds of ship, by the kind's key."""
    camera_height_mm: float | None = None
    plain: bool = False
    """Whether plain striped counters are looked for besides the coded markers."""
    markers: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Which ship a marker stands for, where the players said so."""
    counters: Mapping[str, tuple[float, float, float]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Where the plain counters that have names last stood: x and y in mm, and the heading."""
    corners: Mapping[Corner, HandCorner] = field(default_factory=lambda: MappingProxyType({}))
    """Corners that were shown by hand."""
    distance: KnownDistance | None = None

    @property
    def print_scale(self) -> float:
        """How large the paper came out against what was meant."""
        return self.bar_mm / BAR_MM


def write_setup(setup: CameraSetup) -> str:
    """The set-up as TOML."""
    document: dict[str, object] = {"source": setup.source} if setup.source else {}
    document |= {
        "step": str(setup.step),
        "bar_mm": setup.bar_mm,
        "paper": setup.paper,
        "height_mm": setup.height_mm,
        "plain": setup.plain,
    }
    if setup.camera_height_mm is not None:
        document["camera_height_mm"] = setup.camera_height_mm
    corners = {key: setup.corners.get(corner) for key, corner in _CORNER_KEYS.items()}
    tables = {
        "heights": setup.heights_mm,
        "markers": {str(number): name for number, name in setup.markers.items()},
        "counters": setup.counters,
        "corners": {key: (c.x_px, c.y_px, c.found) for key, c in corners.items() if c is not None},
        "distance": {} if setup.distance is None else asdict(setup.distance),
    }
    return _HEAD + tomli_w.dumps(
        {**document, **{key: each for key, each in tables.items() if each}}
    )


def read_setup(data: bytes, source: str) -> CameraSetup:
    """The set-up in these bytes; every fault is one line that names the field."""
    fields = Fields(parse_toml(data, source), source, _KEYS)
    distance = None
    if "distance" in fields:
        table = fields.table("distance", _DISTANCE_KEYS)
        distance = KnownDistance(
            table.text("first"),
            table.text("second"),
            table.number("measured_mm", above=0, most=100_000, unit="mm"),
            table.number("ours_mm", least=0, most=100_000, unit="mm"),
        )
    return CameraSetup(
        source=fields.text("source", most=LONGEST_SOURCE) if "source" in fields else "",
        step=SetupStep(fields.choice("step", list(SetupStep), SetupStep.PRINT)),
        bar_mm=fields.number("bar_mm", BAR_MM, least=LEAST_BAR_MM, most=MOST_BAR_MM, unit="mm"),
        paper=fields.choice("paper", ("a4", "letter"), "a4"),
        height_mm=fields.number("height_mm", 0.0, least=0, most=HIGHEST_BASE_MM, unit="mm"),
        heights_mm=MappingProxyType(_heights(fields)),
        camera_height_mm=(
            fields.number("camera_height_mm", least=LEAST_CAMERA_MM, most=MOST_CAMERA_MM, unit="mm")
            if "camera_height_mm" in fields
            else None
        ),
        plain=fields.flag("plain", False),
        markers=MappingProxyType(_markers(fields)),
        counters=MappingProxyType(_counters(fields)),
        corners=MappingProxyType(_corners(fields)),
        distance=distance,
    )


def _heights(fields: Fields) -> dict[str, float]:
    table = _any_table(fields, "heights")
    return {
        str(key): table.number(str(key), least=0, most=HIGHEST_BASE_MM, unit="mm")
        for key in _keys(fields, "heights")
    }


def _markers(fields: Fields) -> dict[int, str]:
    table = _any_table(fields, "markers")
    found = {}
    for key in _keys(fields, "markers"):
        if not key.isdecimal() or not len(CORNER_IDS) <= int(key) < LARGE.size:
            raise BadField(fields.place, "markers", Message("setup.expected.markers"), repr(key))
        found[int(key)] = table.text(key)
    return found


def _counters(fields: Fields) -> dict[str, tuple[float, float, float]]:
    table = _any_table(fields, "counters")
    found = {}
    for name in _keys(fields, "counters"):
        values = table.values(name, 3, Message("setup.expected.pose_values"))
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        if len(numbers) < 3 or not all(map(math.isfinite, numbers)):
            raise table.wrong(name, Message("setup.expected.pose"), values)
        found[name] = (numbers[0], numbers[1], numbers[2])
    return found


def _corners(fields: Fields) -> dict[Corner, HandCorner]:
    table = fields.table("corners", _CORNER_KEYS)
    found = {}
    for key, corner in _CORNER_KEYS.items():
        if key not in table:
            continue
        x, y, read = table.values(key, 3, Message("setup.expected.corner_values"))
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            raise table.wrong(key, Message("setup.expected.corner"), [x, y])
        found[corner] = HandCorner(float(x), float(y), read is True)
    return found


def _keys(fields: Fields, name: str) -> list[str]:
    raw = fields.value(name, Message("schema.table", key=name)) if name in fields else {}
    return list(raw) if isinstance(raw, dict) else []


def _any_table(fields: Fields, name: str) -> Fields:
    return fields.table(name, _keys(fields, name))
