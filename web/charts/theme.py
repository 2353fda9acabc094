"""The colours of the page and of the pictures, read from the one place that states them: the CSS.

A picture in a file must carry its colours itself, since no stylesheet goes with it; the chart on
the page takes the page's own variables and so follows its theme.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

Theme = Literal["light", "dark"]
Palette = Literal["light", "dark", "page"]

_TOKEN = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-fA-F]{6})\b")


@cache
def palette(name: Palette) -> Mapping[str, str]:
    """The colours by their names in the CSS, with underscores for hyphens.

    `"page"` gives a reference to each variable instead of the colour it stands for.
    """
    colours = _tokens("dreyer.css")
    if name == "light":
        colours |= _tokens("paper.css")
    if name == "page":
        colours = {token: f"var(--{token})" for token in colours}
    return MappingProxyType({token.replace("-", "_"): value for token, value in colours.items()})


def _tokens(stylesheet: str) -> dict[str, str]:
    css = (files("web") / "static" / stylesheet).read_text(encoding="utf-8")
    return dict(_TOKEN.findall(css))
