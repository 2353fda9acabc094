"""Drawings as plain figures, put down once and inked twice: as SVG on a page, as PDF on paper.

Colours are names. On a page they are the page's own variables, so that a drawing follows its
theme; on paper they are black, white and the greys that a printer makes of hatching.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal

from markupsafe import Markup, escape

from combat.participants import SideColour
from web.charts.lettering import Face, text_width

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

PAPER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ink": "#000000",
        "ink_2": "#222222",
        "ink_3": "#4d4d4d",
        "line": "#bbbbbb",
        "line_strong": "#777777",
        "surface": "#ffffff",
        "raised": "#ffffff",
        "page": "#ffffff",
        "contour": "#cccccc",
        "harm": "#000000",
        "harm_wash": "#ffffff",
        "struck": "#ffffff",
        "strike": "#000000",
        "brass_ink": "#000000",
        "pressed": "#e4e4e4",
        **{f"side_{colour}": "#000000" for colour in SideColour},
        **{f"side_{colour}_wash": "#f7f7f7" for colour in SideColour},
        "on_side": "#ffffff",
        "sea": "#ffffff",
        "ship_side_blue": "#ffffff",
        "ship_side_orange": "#000000",
        "ship_side_violet": "#666666",
        "ship_side_teal": "#dddddd",
        "ship_side_grey": "#aaaaaa",
        "smoke": "#999999",
    }
)
"""Black on white: what a sheet is printed with."""
_ON_PAGE: Final = {
    "struck": "var(--harm)",
    "strike": "var(--surface)",
    "sea": "var(--t7)",
    **{f"ship_side_{colour}": f"var(--side-{colour})" for colour in SideColour},
}
_HATCH_GAP: Final = 3.6


@dataclass(frozen=True, slots=True)
class Stroke:
    """One or more lines of straight pieces, closed or not."""

    lines: tuple[tuple[Point, ...], ...]
    closed: bool = False
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle by its centre."""

    at: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text by its baseline."""

    at: Point
    text: str
    size: float
    colour: str = "ink"
    anchor: Anchor = "start"
    bold: bool = False
    name: bool = False
    """A ship's name: in the italics of the serif face."""

    @property
    def face(self) -> Face:
        """The typeface that it is written in."""
        if self.name:
            return Face.SERIF_ITALIC
        return Face.SANS_BOLD if self.bold else Face.SANS

    @property
    def width(self) -> float:
        """How wide it is."""
        return text_width(self.text, self.face, self.size)


Item = Stroke | Disc | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """Figures on a sheet of a size, and what they show in words."""

    width: float
    height: float
    spoken: str
    items: tuple[Item, ...] = field(default=())

    def turned(self) -> "Drawing":
        """The same without its words, what was at the top now at the left."""

        def turn(point: Point) -> Point:
            return point[1], self.width - point[0]

        items: list[Item] = []
        for item in self.items:
            if isinstance(item, Stroke):
                lines = tuple(tuple(map(turn, line)) for line in item.lines)
                items.append(replace(item, lines=lines))
            elif isinstance(item, Disc):
                items.append(replace(item, at=turn(item.at)))
        return Drawing(self.height, self.width, self.spoken, tuple(items))


# Figures


def polygon(points: Iterable[Point], *, fill: str = "", stroke: str = "", width: float = 1) -> Item:
    """A closed outline."""
    return Stroke((tuple(points),), closed=True, fill=fill, stroke=stroke, width=width)


def line(*points: Point, colour: str, width: float = 1, dashes: tuple[float, ...] = ()) -> Item:
    """A line through some points."""
    return Stroke((points,), stroke=colour, width=width, dashes=dashes)


def box(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle by its upper left one."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def octagon(centre: Point, width: float, height: float, cut: float) -> tuple[Point, ...]:
    """The corners of a rectangle with its corners cut."""
    x, y = centre[0] - width / 2, centre[1] - height / 2
    right, bottom = x + width, y + height
    return (
        (x + cut, y),
        (right - cut, y),
        (right, y + cut),
        (right, bottom - cut),
        (right - cut, bottom),
        (x + cut, bottom),
        (x, bottom - cut),
        (x, y + cut),
    )


def hatched(corners: Sequence[Point], outline: str = "") -> Iterator[Item]:
    """A convex figure struck out: filled, and hatched from lower left to upper right."""
    yield polygon(corners, fill="struck")
    strokes = tuple(_hatching(corners))
    if strokes:
        yield Stroke(strokes, stroke="strike", width=1.1, opacity=0.6)
    if outline:
        yield polygon(corners, stroke=outline, width=1.3)


def _hatching(corners: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """The pieces of the lines x + y = constant that lie within a convex figure."""
    sums = [x + y for x, y in corners]
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    gap = _HATCH_GAP * math.sqrt(2)
    level = (math.floor(min(sums) / gap) + 1) * gap
    while level < max(sums):
        crossings = sorted(
            (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
            for (x1, y1), (x2, y2) in edges
            if (x1 + y1 < level) is not (x2 + y2 < level)
            for part in [(level - x1 - y1) / (x2 + y2 - x1 - y1)]
        )
        if len(crossings) >= 2:
            yield crossings[0], crossings[-1]
        level += gap


def smooth(points: Sequence[Point], pieces: int = 5) -> tuple[Point, ...]:
    """A line through the same points without corners, by short straight pieces."""
    found = [points[0]]
    for number in range(len(points) - 1):
        before = points[max(number - 1, 0)]
        start, end = points[number], points[number + 1]
        after = points[min(number + 2, len(points) - 1)]
        for piece in range(1, pieces + 1):
            part = piece / pieces
            found.append(
                (
                    _between(before[0], start[0], end[0], after[0], part),
                    _between(before[1], start[1], end[1], after[1], part),
                )
            )
    return tuple(found)


def _between(before: float, start: float, end: float, after: float, part: float) -> float:
    """A curve through four values, between the two in the middle."""
    slope, next_slope = (end - before) / 2, (after - start) / 2
    bend, twist = 3 * (end - start) - 2 * slope - next_slope, 2 * (start - end) + slope + next_slope
    return start + part * (slope + part * (bend + part * twist))


# Ink


def as_svg(drawing: Drawing, css_class: str = "") -> Markup:
    """The drawing in a page's own colours."""
    size = f"0 0 {_px(drawing.width)} {_px(drawing.height)}"
    start = Markup('<svg class="{}" viewBox="{}" role="img" aria-label="{}">').format(
        css_class, size, drawing.spoken
    )
    body = Markup().join(_svg_item(item) for item in drawing.items)
    return start + body + Markup("</svg>")


def _svg_item(item: Item) -> Markup:
    if isinstance(item, Words):
        classes = "name" if item.name else "strong" if item.bold else "plain"
        return Markup(
            '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="{}" class="{}">{}</text>'
        ).format(
            _px(item.at[0]),
            _px(item.at[1]),
            _px(item.size),
            _on_page(item.colour),
            item.anchor,
            classes,
            _printable(item.text),
        )
    if isinstance(item, Disc):
        return Markup('<circle cx="{}" cy="{}" r="{}" fill="{}"{}/>').format(
            _px(item.at[0]),
            _px(item.at[1]),
            _px(item.radius),
            _on_page(item.fill),
            _svg_stroke(item.stroke, item.width),
        )
    path = "".join(
        f"M{' '.join(f'{_px(x)} {_px(y)}' for x, y in points)}{'Z' * item.closed}"
        for points in item.lines
    )
    more = Markup()
    if item.dashes:
        more += Markup(' stroke-dasharray="{}"').format(" ".join(map(_px, item.dashes)))
    if item.opacity != 1:
        more += Markup(' opacity="{}"').format(_px(item.opacity))
    return Markup('<path d="{}" fill="{}"{}{}/>').format(
        path, _on_page(item.fill), _svg_stroke(item.stroke, item.width), more
    )


def _svg_stroke(colour: str, width: float) -> Markup:
    if not colour:
        return Markup()
    return Markup(' stroke="{}" stroke-width="{}" stroke-linejoin="round"').format(
        _on_page(colour), _px(width)
    )


def _on_page(colour: str) -> str:
    if not colour:
        return "none"
    return _ON_PAGE.get(colour) or f"var(--{colour.replace('_', '-')})"


def _printable(text: str) -> Markup:
    """Text without the control characters that XML forbids even when escaped."""
    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))


def _px(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
