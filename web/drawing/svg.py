"""SVG of drawings: for a page, with the page's colours, or as a file with its own."""

import math
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape

from web.drawing.figures import ArcText, Circle, Drawing, Figure, Group, Link, Shape, Text
from web.drawing.fonts import SANS, SERIF, Face, is_visible, text_width
from web.drawing.geometry import Path
from web.drawing.theme import FileTheme, Theme, colours

_ROOT: Final = {"font-family": SANS, "stroke-linecap": "round", "stroke-linejoin": "round"}
"""The attributes of the root element."""


def inline_svg(
    drawing: Drawing, css_class: str = "", spoken: str = "", *, full_size: bool = False
) -> Markup:
    """The drawing for a page, which provides fonts, colours and symbols of ships.

    It is as wide as there is room, or with `full_size` as wide as it was drawn.
    """
    size = {"width": px(drawing.width), "height": px(drawing.height)} if full_size else {}
    head = _attributes(
        {
            "class": css_class,
            "viewBox": f"0 0 {px(drawing.width)} {px(drawing.height)}",
            **size,
            # The parts of a picture are not read out: links would be lost.
            "role": "group" if any(isinstance(item, Link) for item in drawing.items) else "img",
            "aria-label": spoken or drawing.spoken,
            **_ROOT,
        }
    )
    return _markup(f"<svg{head}>{_Writer('page').all_of(drawing.items)}</svg>")


def svg_file(drawing: Drawing, theme: FileTheme) -> str:
    """The drawing as a file, with a title and a description for screen readers."""
    head = _attributes(
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {px(drawing.width)} {px(drawing.height)}",
            "width": px(drawing.width),
            "height": px(drawing.height),
            "role": "img",
            "aria-labelledby": "drawing-title",
            "aria-describedby": "drawing-desc",
            "font-variant-numeric": "tabular-nums",
            **_ROOT,
        }
    )
    return (
        f'<svg{head}>\n<title id="drawing-title">{_text(drawing.title)}</title>\n'
        f'<desc id="drawing-desc">{_text(drawing.spoken)}</desc>\n'
        f"{_Writer(theme).all_of(drawing.items)}</svg>\n"
    )


def svg_figures(items: tuple[Figure, ...]) -> Markup:
    """Figures without a root element, for a symbol of the page."""
    return _markup(_Writer("page").all_of(items))


def px(value: float) -> str:
    """A length with a sensible number of decimals."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def path_data(path: Path) -> str:
    """An outline as the `d` of an SVG path."""
    return "".join(
        command + " ".join(f"{px(x)} {px(y)}" for x, y in points) for command, points in path.steps
    )


class _Writer:
    """Writes figures in the colours of one theme."""

    def __init__(self, theme: Theme) -> None:
        self._colours = colours(theme)
        self._is_page = theme == "page"
        self._arcs = 0

    def all_of(self, items: tuple[Figure, ...]) -> str:
        return "".join(map(self._figure, items))

    def _figure(self, item: Figure) -> str:
        if isinstance(item, Group):
            return self._group(item)
        if isinstance(item, Link):
            return self._link(item)
        if isinstance(item, Text):
            return self._line_of_text(item)
        if isinstance(item, ArcText):
            return self._arc_text(item)
        if isinstance(item, Circle):
            place = {"cx": px(item.at[0]), "cy": px(item.at[1]), "r": px(item.radius)}
            return f"<circle{_attributes({'class': item.css, **place, **self._ink(item)})}/>\n"
        return self._shape(item)

    def _shape(self, item: Shape) -> str:
        head = {
            "class": item.css,
            "d": path_data(item.path),
            **self._ink(item),
            "fill-rule": "evenodd" if item.fill and _has_parts(item.path) else "",
            # Opacity of the whole figure would be slower to render.
            "fill-opacity": _share(item.opacity * item.fill_opacity) if item.fill else "",
            "stroke-opacity": _share(item.opacity) if item.stroke else "",
        }
        return f"<path{_attributes(head)}/>\n"

    def _group(self, item: Group) -> str:
        moves = []
        if any(item.at):
            moves.append(f"translate({px(item.at[0])} {px(item.at[1])})")
        if item.turn_deg:
            moves.append(f"rotate({px(item.turn_deg)})")
        if item.scale != (1.0, 1.0):
            moves.append(f"scale({item.scale[0]:.5g} {item.scale[1]:.5g})")
        head = {
            "class": item.css,
            "transform": " ".join(moves),
            "opacity": _share(item.opacity),
            "data-ship": item.ship,
        }
        if item.symbol and self._is_page:
            use = {"href": f"#{item.symbol}", "color": self._colour(item.colour), **head}
            return f"<use{_attributes(use)}/>\n"
        title = f"<title>{_text(item.title)}</title>" if item.title else ""
        return f"<g{_attributes(head)}>{title}{self.all_of(item.items)}</g>\n"

    def _link(self, item: Link) -> str:
        if not self._is_page:
            return f"<g>{self.all_of(item.items)}</g>\n"
        head = {
            "class": item.css,
            "href": item.address,
            "aria-label": item.spoken,
            "aria-current": "true" if item.current else "",
            "data-draw": item.part,
            "data-into": item.into,
            "data-key": item.key,
        }
        return f"<a{_attributes(head)}>{self.all_of(item.items)}</a>\n"

    def _line_of_text(self, item: Text) -> str:
        x, y = item.at
        head = {
            "class": item.css,
            "x": px(x),
            "y": px(y),
            "transform": f"rotate({px(item.turn_deg)} {px(x)} {px(y)})" if item.turn_deg else "",
            "text-anchor": item.anchor if item.anchor != "start" else "",
            **self._letters(item),
        }
        if item.halo:
            head |= {
                "stroke": self._colour(item.halo),
                "stroke-width": px(item.halo_width),
                "paint-order": "stroke",
            }
        return f"<text{_attributes(head)}>{_text(item.words)}</text>\n"

    def _arc_text(self, item: ArcText) -> str:
        """Text along a path."""
        self._arcs += 1
        name = f"drawing-arc{self._arcs}"
        half = _half_turn_deg(item)
        ends = (half, -half) if item.inward else (-half, half)
        start, end = (item.turn_deg + each for each in ends)
        arc = path_data(Path().arc(item.centre, item.radius, start, end))
        head = {"class": item.css, "text-anchor": "middle", **self._letters(item)}
        return (
            f'<path id="{name}" d="{arc}" fill="none"/><text{_attributes(head)}>'
            f'<textPath href="#{name}" startOffset="50%">{_text(item.words)}</textPath></text>\n'
        )

    def _letters(self, item: Text | ArcText) -> dict[str, str]:
        face = item.face
        return {
            "font-family": SERIF if face.is_serif else "",
            "font-style": "italic" if face.is_italic else "",
            "font-weight": str(face.weight) if face.weight != Face.SANS.weight else "",
            "font-size": px(item.size),
            "fill": self._colour(item.colour),
        }

    def _ink(self, item: Shape | Circle) -> dict[str, str]:
        found = {"fill": self._colour(item.fill)}
        if item.stroke:
            found |= {"stroke": self._colour(item.stroke), "stroke-width": px(item.width)}
            found["stroke-dasharray"] = " ".join(map(px, item.dashes))
            ends_round = isinstance(item, Shape) and item.ends_round
            found["stroke-linecap"] = "" if ends_round or not _has_ends(item) else "butt"
        return found

    def _colour(self, name: str) -> str:
        if not name:
            return "none"
        is_literal = name.startswith("#") or name == "currentColor"
        return name if is_literal else self._colours[name]


def _half_turn_deg(item: ArcText) -> float:
    """Half of the arc that the text needs, with a margin."""
    width = text_width(item.words, item.face, item.size) + item.size
    return min(math.degrees(width / 2 / item.radius), 150.0)


def _has_parts(path: Path) -> bool:
    """Whether an outline has several parts, one of which may be a hole in another."""
    return sum(command == "M" for command, _ in path.steps) > 1


def _has_ends(item: Shape | Circle) -> bool:
    """Whether the stroke of a figure has ends."""
    if isinstance(item, Circle):
        return bool(item.dashes)
    return bool(item.dashes) or any(command == "L" for command, _ in item.path.steps)


def _share(value: float) -> str:
    return "" if value == 1 else px(value)


def _attributes(values: Mapping[str, str]) -> str:
    """The attributes that have a value."""
    return "".join(f' {name}="{_text(value)}"' for name, value in values.items() if value)


def _text(words: str) -> str:
    """Escaped text without the control characters that XML forbids even when escaped."""
    if not words.isprintable():
        words = "".join(letter if is_visible(letter) else "\ufffd" for letter in words)
    return str(escape(words))


def _markup(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704  # Every word in it was escaped.
