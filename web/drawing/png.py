"""Conversion of SVG to PNG, with our own fonts and fallback fonts of the system."""

import resvg_py

from tabletop.errors import DreyerError
from web.drawing.fonts import picture_fonts

LARGEST_WIDTH = 8192


def png_from_svg(svg: str, *, width: int = 1080) -> bytes:
    """A PNG of this width from an SVG with colours."""
    if not 1 <= width <= LARGEST_WIDTH:
        raise DreyerError("errors.picture_width", largest_width=LARGEST_WIDTH, width=width)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in picture_fonts(svg)],
        serif_family="Source Serif Pro",
        sans_serif_family="Source Sans Pro",
    )
