"""The host's camera settings, stored in the data folder.

The lens and the table's plane are in a separate calibration file, as `dreyer calibrate` writes it;
this file has the rest: the camera, the print scale, the markers' heights.
"""

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar, Final, Literal

import tomli_w
from pydantic import ConfigDict, Field

from calibration.calibration_file import (
    HIGHEST_BASE_MM,
    UNMEASURED_PRINT,
    PrintScale,
    measured_print,
)
from calibration.homography import FixedPlace, HandCorner
from calibration.markers import CORNER_IDS, CORNERS_BY_KEY, LARGE, Corner, CornerKey
from tabletop.schema import (
    FILE_CONFIG,
    Flag,
    Line,
    Number,
    Schema,
    Text,
    Unit,
    file_document,
)

LONGEST_SOURCE: Final = 400
BAR_MM: Final = 100.0
LEAST_BAR_MM: Final = 90.0
MOST_BAR_MM: Final = 110.0
LEAST_CAMERA_MM: Final = 100.0
MOST_CAMERA_MM: Final = 20_000.0
_Height = Annotated[Number, Field(ge=0, le=HIGHEST_BASE_MM), Unit("mm")]
_HEAD: Final = """\
# The camera, as the set-up page keeps it. Counters are plain ones with names: x and y in mm on the
# table, heading. Corners were shown by hand: x and y in the picture, and whether it was read.
"""


class SetupStep(StrEnum):
    """The steps of the set-up, in order."""

    PRINT = "print"
    CAMERA = "camera"
    CORNERS = "corners"
    CHECK = "check"
    DONE = "done"

    @property
    def number(self) -> int:
        """Counted from 1."""
        return list(SetupStep).index(self) + 1


@dataclass(frozen=True, slots=True)
class KnownDistance:
    """A distance between two markers that was measured by hand, and our own figure."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    first: Text
    second: Text
    measured_mm: Annotated[Number, Field(gt=0, le=100_000), Unit("mm")]
    ours_mm: Annotated[Number, Field(ge=0, le=100_000), Unit("mm")]

    @property
    def off(self) -> float:
        """The relative error of our figure; negative if it is too small."""
        return self.ours_mm / self.measured_mm - 1


def _none() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CameraSetup:
    """All camera settings."""

    source: str = ""
    """The source, as `CameraThread.start` takes it; empty without a camera."""
    step: SetupStep = SetupStep.PRINT
    """The farthest step reached."""
    bar_mm: float | None = None
    """The measured length of the printed 100 mm bar; None until somebody measures it."""
    paper: str = "a4"
    height_mm: float | None = None
    """The height of markers above the table, if somebody said it."""
    heights_mm: Mapping[str, float] = field(default_factory=_none)
    """The heights for some kinds of ship, by the kind's key."""
    camera_height_mm: float | None = None
    plain: bool = False
    """Whether plain striped counters are detected besides the coded markers."""
    film: bool = True
    """Whether a photo of the table is kept after every segment of a battle."""
    markers: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The ships of markers that players assigned."""
    counters: Mapping[str, tuple[float, float, float]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """The last positions of named plain counters: x and y in mm, and the heading."""
    corners: Mapping[Corner, HandCorner] = field(default_factory=lambda: MappingProxyType({}))
    """Corners that were set by hand."""
    distance: KnownDistance | None = None
    anchors: Mapping[int, FixedPlace] = field(default_factory=lambda: MappingProxyType({}))
    """Where anchor markers lie, as several photos showed."""

    @property
    def print_scale(self) -> PrintScale:
        """The scale of the print: measured length divided by nominal length."""
        return UNMEASURED_PRINT if self.bar_mm is None else measured_print(self.bar_mm / BAR_MM)


def write_setup(setup: CameraSetup) -> str:
    """The settings as TOML."""
    document: dict[str, object] = {"source": setup.source} if setup.source else {}
    document |= {
        "step": str(setup.step),
        "paper": setup.paper,
        "plain": setup.plain,
        "film": setup.film,
    }
    if setup.bar_mm is not None:
        document["measured_bar_mm"] = setup.bar_mm
    if setup.height_mm is not None:
        document["height_mm"] = setup.height_mm
    if setup.camera_height_mm is not None:
        document["camera_height_mm"] = setup.camera_height_mm
    corners = {key: setup.corners.get(corner) for key, corner in CORNERS_BY_KEY.items()}
    tables = {
        "heights": setup.heights_mm,
        "markers": {str(number): name for number, name in setup.markers.items()},
        "counters": setup.counters,
        "corners": {key: (c.x_px, c.y_px, c.found) for key, c in corners.items() if c is not None},
        "distance": {} if setup.distance is None else asdict(setup.distance),
        "anchors": {str(number): astuple(place) for number, place in setup.anchors.items()},
    }
    return _HEAD + tomli_w.dumps(
        {**document, **{key: each for key, each in tables.items() if each}}
    )


_Bar = Annotated[Number, Field(ge=LEAST_BAR_MM, le=MOST_BAR_MM), Unit("mm")]
_ShipMarker = Annotated[int, Field(ge=len(CORNER_IDS), le=LARGE.size - 1)]


@file_document
class _SetupFile:
    """The settings file."""

    source: Annotated[Line, Field(min_length=1, max_length=LONGEST_SOURCE)] | None = None
    step: SetupStep = SetupStep.PRINT
    bar_mm: _Bar = BAR_MM
    """What older versions wrote: 100 too where nobody had measured it."""
    measured_bar_mm: _Bar | None = None
    paper: Literal["a4", "letter"] = "a4"
    height_mm: _Height | None = None
    camera_height_mm: (
        Annotated[Number, Field(ge=LEAST_CAMERA_MM, le=MOST_CAMERA_MM), Unit("mm")] | None
    ) = None
    heights: Mapping[str, _Height] = field(default_factory=dict)
    markers: Mapping[_ShipMarker, Text] = field(default_factory=dict)
    counters: Mapping[str, tuple[Number, Number, Number]] = field(default_factory=dict)
    corners: Mapping[CornerKey, tuple[Number, Number, Flag]] = field(default_factory=dict)
    distance: KnownDistance | None = None
    anchors: Mapping[_ShipMarker, tuple[Number, Number, Number, Number]] = field(
        default_factory=dict
    )
    plain: Flag = False
    film: Flag = True


_FILE: Final[Schema[_SetupFile]] = Schema(_SetupFile)


def read_setup(data: bytes, source: str) -> CameraSetup:
    """Parse a settings file. Raises DreyerError with the field."""
    file = _FILE.read_toml(data, source)
    return CameraSetup(
        source=file.source or "",
        step=file.step,
        bar_mm=file.measured_bar_mm or (None if file.bar_mm == BAR_MM else file.bar_mm),
        paper=file.paper,
        height_mm=file.height_mm,
        heights_mm=MappingProxyType(dict(file.heights)),
        camera_height_mm=file.camera_height_mm,
        plain=file.plain,
        film=file.film,
        markers=MappingProxyType(dict(file.markers)),
        counters=MappingProxyType(dict(file.counters)),
        corners=MappingProxyType(
            {CORNERS_BY_KEY[key]: HandCorner(*corner) for key, corner in file.corners.items()}
        ),
        distance=file.distance,
        anchors=MappingProxyType(
            {number: FixedPlace(*place) for number, place in file.anchors.items()}
        ),
    )
