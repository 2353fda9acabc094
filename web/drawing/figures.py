"""The figures of a drawing, which the back ends `svg` and `pdf` write.

Colours are names of the theme or `#rrggbb`; an empty name draws nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from web.drawing.fonts import Face
from web.drawing.geometry import Path, Point, hatching

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline that is filled or stroked, with the even-odd rule."""

    path: Path
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0
    """Only on screens; print is opaque."""
    fill_opacity: float = 1.0
    round_ends: bool | None = None
    """Whether line ends are round; by default those of lines are and those of dashes are not."""
    css: str = ""

    @property
    def ends_round(self) -> bool:
        """Whether lines and dashes have round ends."""
        return not self.dashes if self.round_ends is None else self.round_ends


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle by its centre."""

    at: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    css: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text by its baseline, rotated clockwise about its anchor."""

    at: Point
    words: str
    size: float
    colour: str = "ink"
    anchor: Anchor = "start"
    face: Face = Face.SANS
    turn_deg: float = 0.0
    halo: str = ""
    """The colour of an edge around the letters."""
    halo_width: float = 0.0
    css: str = ""


@dataclass(frozen=True, slots=True)
class ArcText:
    """A line of text along a circle, its middle at an angle clockwise from the top."""

    centre: Point
    radius: float
    turn_deg: float
    words: str
    size: float
    colour: str = "ink"
    face: Face = Face.SERIF_ITALIC
    inward: bool = False
    """Whether the letters' tops point to the centre, as is needed below it."""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Figures that are moved, rotated clockwise and scaled together."""

    items: tuple["Figure", ...]
    at: Point = (0.0, 0.0)
    turn_deg: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)
    opacity: float = 1.0
    title: str = ""
    css: str = ""
    ship: str = ""
    """The name of the ship that it shows, written into the SVG."""
    symbol: str = ""
    """The id of a symbol of the page that shows the same in one colour."""
    colour: str = ""
    """The colour of the symbol."""


@dataclass(frozen=True, slots=True)
class Link:
    """Figures of a page that lead to an address; in files they are plain figures."""

    items: tuple["Figure", ...]
    address: str
    spoken: str
    """What a screen reader says of it."""
    part: str = ""
    """The address of the part of the page that an open page draws instead of going there."""
    into: str = ""
    """The id of that part."""
    key: str = ""
    """What it is known by from one drawing to the next."""
    current: bool = False
    """Whether it is chosen."""
    css: str = ""


Figure: TypeAlias = Shape | Circle | Text | ArcText | Group | Link


@dataclass(frozen=True, slots=True)
class Drawing:
    """Figures on a sheet, with a description."""

    width: float
    height: float
    items: tuple[Figure, ...]
    spoken: str = ""
    title: str = ""


# Usual figures


def polygon(
    outline: Iterable[Point], *, fill: str = "", stroke: str = "", width: float = 1.0
) -> Shape:
    """A closed outline of straight lines."""
    return Shape(Path().polygon(outline), fill=fill, stroke=stroke, width=width)


def line(*points: Point, colour: str, width: float = 1.0, dashes: tuple[float, ...] = ()) -> Shape:
    """A line through some points."""
    return Shape(Path().polyline(points), stroke=colour, width=width, dashes=dashes)


def hatched(outline: Sequence[Point], edge: str = "") -> Iterator[Shape]:
    """A convex figure, filled and hatched from lower left to upper right."""
    yield polygon(outline, fill="struck")
    strokes = Path()
    for pair in hatching(outline):
        strokes = strokes.polyline(pair)
    if strokes.steps:
        yield Shape(strokes, stroke="strike", width=1.1, opacity=0.6, round_ends=False)
    if edge:
        yield polygon(outline, stroke=edge, width=1.3)
