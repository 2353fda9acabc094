"""The colours of all drawings by name, and the usual line widths.

The style sheets define the colours of the night chart and of the paper chart. A drawing in a page
uses the page's variables and follows its theme; a file has its own colours. Record sheets and
reports are printed black on white, markers in colour.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal

from combat.participants import Side, SideColour

FileTheme = Literal["light", "dark"]
PrintTheme = Literal["paper", "markers"]
Theme = Literal["light", "dark", "page", "paper", "markers"]

HAIRLINE: Final = 0.7
THIN: Final = 1.0
MEDIUM: Final = 1.4
STRONG: Final = 2.0
"""Widths of lines, in pixels of the screen."""

_TOKEN: Final = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?)\b")

_NAMES_BY_MEANING: Final = {
    "struck": "harm",
    "strike": "surface",
    "sea": "t7",
    **{f"ship_side_{colour}": f"side_{colour}" for colour in SideColour},
}
"""Colours that differ between screen and print."""

_BLACK_ON_WHITE: Final = {
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

_OF_MARKERS: Final = {
    "black": "#000000",
    "white": "#ffffff",
    "cut": "#6b7a80",
    "port": "#f6d3ce",
    "port_ink": "#8f211b",
    "starboard": "#cfe8d8",
    "starboard_ink": "#135a3c",
    "side_blue_tint": "#dbe8f3",
    "side_orange_tint": "#f4e3d2",
    "side_violet_tint": "#e6e0f5",
    "side_teal_tint": "#d3ebe8",
    "side_grey_tint": "#e6e9e3",
    "corner_tint": "#e9eef0",
    "land": "#f4f1e6",
    "wood": "#b9a67c",
    "shadow": "#9fb0b6",
    "steel": "#7d8b90",
    "skin": "#c9b79c",
    "light_beam": "#fbf3d8",
    "light_ray": "#a97f14",
    "lamp": "#f58a80",
    "code_grey": "#c4c8c9",
    "code_sea": "#8fb2bf",
    "code_sea_ink": "#0b2230",
    "deck": "#b9bcae",
    "deck_house": "#8d938c",
    "deck_line": "#4a524f",
}


@cache
def colours(theme: Theme) -> Mapping[str, str]:
    """The colours by their names in the style sheets, with underscores instead of hyphens."""
    if theme == "paper":
        return MappingProxyType(_BLACK_ON_WHITE)
    found = _tokens("tokens.css")
    if theme in ("light", "markers"):
        found |= _tokens("tokens-paper.css")
    if theme == "page":
        found = {name: f"var(--{name.replace('_', '-')})" for name in found}
    found |= {name: found[other] for name, other in _NAMES_BY_MEANING.items()}
    if theme == "markers":
        found |= _OF_MARKERS
    return MappingProxyType(found)


def side_colour(side: Side) -> str:
    """The name of a side's colour."""
    return f"side_{side.colour}"


def _tokens(stylesheet: str) -> dict[str, str]:
    css = (files("web") / "static" / "css" / stylesheet).read_text(encoding="utf-8")
    return {name.replace("-", "_"): value for name, value in _TOKEN.findall(css)}
