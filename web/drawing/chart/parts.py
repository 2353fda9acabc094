"""The things a chart is made of, ready to be drawn: plain geometry in pixels, no rules left."""

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
    """A ship's name with her side's badge, and a leader where it had to stand apart."""

    box: Box
    badge: Point
    text: Label
    size: float
    leader: tuple[Point, Point] | None


@dataclass(frozen=True, slots=True)
class ShipMark:
    """A ship on the chart: her true base, and a silhouette that is large enough to read."""

    name: str
    side: Side
    silhouette: str
    at: Point
    heading_deg: float
    length: float
    """Of the silhouette, in pixels."""
    base_length: float
    base_width: float
    bridge: float
    """The measuring point ahead of the base's centre, in pixels."""
    quadrant_ticks_deg: tuple[float, ...]
    vector: float
    role: str
    """`firer`, `target`, `blocker` or nothing."""
    boxes: tuple[Box, ...]
    """What labels should not cover."""
    core: tuple[Box, ...]
    """Her base and silhouette alone: what the labels that matter never cover."""
    tag: NameTag | None
    spoken: str

    @property
    def scale(self) -> float:
        """How much the silhouette, drawn 100 long, is enlarged."""
        return self.length / 100

    @property
    def is_enlarged(self) -> bool:
        """Whether the silhouette is longer than the true base."""
        return self.length > self.base_length * 1.02

    @property
    def is_small(self) -> bool:
        """Whether fine detail would only blur."""
        return self.length < 70


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle of equal range, with the water inside it."""

    radius: float
    tint: str | None
    doubtful: bool


@dataclass(frozen=True, slots=True)
class RingLimit:
    """A figure that stands on its ring, turned along it."""

    at: Point
    turn_deg: float
    words: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The title of a band of range, written along a circle about the ship that looks."""

    radius: float
    turn_deg: float
    inward: bool
    """Whether it stands with its head to the ship, so that nobody reads upside down."""
    words: str


@dataclass(frozen=True, slots=True)
class QuadrantLine:
    """One of the lines that part bow, sides and stern."""

    end: Point
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Rings:
    """Everything that is drawn about the ship that looks."""

    centre: Point
    water: str
    """The tint beyond the last ring."""
    rings: tuple[Ring, ...]
    limits: tuple[RingLimit, ...]
    bands: tuple[Band, ...]
    quadrant_lines: tuple[QuadrantLine, ...]
    quadrant_names: tuple[Label, ...]
    lit: Path | None
    """The quadrant in which the target lies."""


@dataclass(frozen=True, slots=True)
class Pill:
    """A range on its line, with a second row where it is too close to call."""

    box: Box
    words: str
    second: str
    doubtful: bool
    scale: float
    """How large it is drawn; smaller than 1 where it shrank to find room."""
    leader: tuple[Point, Point] | None
    """To its line, where the pill could not stand on it."""


@dataclass(frozen=True, slots=True)
class SharedSpot:
    """Ships that stand on one spot, so that nothing between them can be told."""

    at: Point
    radius: float
    label: Label | None


@dataclass(frozen=True, slots=True)
class SightLine:
    """A line of sight, whole up to the first blocker and broken beyond."""

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
    """`title`, `italic`, `plain`, `strong`, `doubt` or `rule`, a thin line across."""
    y: float


@dataclass(frozen=True, slots=True)
class ScaleBar:
    """A bar of round yards."""

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
    """A whole chart, ready to be drawn."""

    chart_frame: ChartFrame
    title: str
    spoken: str
    graduations: tuple[Box, ...]
    rings: Rings
    smoke: tuple[tuple[Point, Point], ...]
    sights: tuple[SightLine, ...]
    notes: tuple[Label, ...]
    pills: tuple[Pill, ...]
    ships: tuple[ShipMark, ...]
    shared: tuple[SharedSpot, ...]
    cartouche: Cartouche
    rose: Rose | None


@dataclass(frozen=True, slots=True)
class PlacedModel:
    """A model with what is known of her before any label is placed."""

    model: Model
    mark: ShipMark
    point: Point
    """Where she is measured from, on the sheet."""
