"""The parts of a chart, as plain geometry in pixels."""

from dataclasses import dataclass

from combat.participants import Side
from tabletop.table import Model
from web.drawing.chart.frame import ChartFrame
from web.drawing.geometry import Box, Path, Point


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text on the sheet; y is its baseline."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class NameTag:
    """A ship's name with her side's badge, and a leader line if it is apart from her."""

    box: Box
    badge: Point
    text: Label
    size: float
    leader: tuple[Point, Point] | None


@dataclass(frozen=True, slots=True)
class ShipMark:
    """A ship on the chart: her true base, and a silhouette of readable size."""

    name: str
    side: Side
    silhouette: str
    at: Point
    heading_deg: float
    length: float
    """The length of the silhouette in pixels."""
    base_length: float
    base_width: float
    bridge: float
    """The distance of the measuring point ahead of the base's centre, in pixels."""
    quadrant_ticks_deg: tuple[float, ...]
    vector: float
    role: str
    """`firer`, `target`, `blocker` or empty."""
    boxes: tuple[Box, ...]
    """Areas that labels should not cover."""
    core: tuple[Box, ...]
    """Her base and silhouette, which important labels never cover."""
    tag: NameTag | None
    spoken: str
    caption: str = ""
    """Her name with the markers beside her model."""

    @property
    def scale(self) -> float:
        """The scale of the silhouette, which is drawn 100 units long."""
        return self.length / 100

    @property
    def is_enlarged(self) -> bool:
        """Whether the silhouette is longer than the true base."""
        return self.length > self.base_length * 1.02

    @property
    def is_small(self) -> bool:
        """Whether fine details are left out."""
        return self.length < 70


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle of equal range, with the area inside it."""

    radius: float
    tint: str | None
    doubtful: bool


@dataclass(frozen=True, slots=True)
class RingLimit:
    """The figure on a ring, rotated along it."""

    at: Point
    turn_deg: float
    words: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The title of a range band, written along a circle about the firer."""

    radius: float
    turn_deg: float
    inward: bool
    """Whether the letters' tops point to the ship, so that the text is not upside down."""
    words: str


@dataclass(frozen=True, slots=True)
class QuadrantLine:
    """One of the lines between the quadrants."""

    end: Point
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Rings:
    """The rings, bands and quadrant lines about the firer."""

    centre: Point
    water: str
    """The colour beyond the last ring."""
    rings: tuple[Ring, ...]
    limits: tuple[RingLimit, ...]
    bands: tuple[Band, ...]
    quadrant_lines: tuple[QuadrantLine, ...]
    quadrant_names: tuple[Label, ...]
    lit: Path | None
    """The quadrant of the target."""


@dataclass(frozen=True, slots=True)
class Pill:
    """The label of a range on its line, with a second row for a close call."""

    box: Box
    words: str
    second: str
    doubtful: bool
    scale: float
    """Its scale; less than 1 if it was shrunk to fit."""
    leader: tuple[Point, Point] | None
    """A leader line, if the label is not on its line."""


@dataclass(frozen=True, slots=True)
class SharedSpot:
    """Ships on one spot, between which nothing can be measured."""

    at: Point
    radius: float
    label: Label | None


@dataclass(frozen=True, slots=True)
class SightLine:
    """A line of sight: solid up to the first blocker and dashed beyond."""

    start: Point
    end: Point
    broken_at: Point | None
    bar: tuple[Point, Point] | None
    """The stroke across the line where it is blocked."""
    through_smoke: tuple[Point, ...]
    doubtful: bool
    strong: bool
    faint: bool


@dataclass(frozen=True, slots=True)
class CartoucheLine:
    """A line of the title block."""

    words: str
    size: float
    style: str
    """`title`, `italic`, `plain`, `strong`, `doubt`, or `rule` for a thin line across."""
    y: float


@dataclass(frozen=True, slots=True)
class ScaleBar:
    """A scale bar."""

    x: float
    y: float
    cell: float
    cells: int
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Cartouche:
    """The title block."""

    box: Box
    lines: tuple[CartoucheLine, ...]
    bar: ScaleBar


@dataclass(frozen=True, slots=True)
class Rose:
    """A compass rose; 000 is away from the host."""

    at: Point
    radius: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A whole chart."""

    chart_frame: ChartFrame
    title: str
    spoken: str
    graduations: tuple[Box, ...]
    rings: Rings
    smoke: tuple[tuple[Point, Point], ...]
    wrecks: tuple[Point, ...]
    sights: tuple[SightLine, ...]
    notes: tuple[Label, ...]
    pills: tuple[Pill, ...]
    ships: tuple[ShipMark, ...]
    shared: tuple[SharedSpot, ...]
    cartouche: Cartouche
    rose: Rose | None


@dataclass(frozen=True, slots=True)
class PlacedModel:
    """A model before labels are placed."""

    model: Model
    mark: ShipMark
    point: Point
    """Her measuring point on the sheet."""
