"""SVG to PNG, with our own fonts and no others: the same picture on every machine."""

import resvg_py

from tabletop.errors import DreyerError
from web.charts.lettering import Face, font_path

LARGEST_WIDTH = 8192


def png_from_svg(svg: str, *, width: int = 1080) -> bytes:
    """A PNG of this width from a standalone SVG, such as `draw_chart()` makes."""
    if not 1 <= width <= LARGEST_WIDTH:
        raise DreyerError(
            "verbatim", text=f"a picture is 1 to {LARGEST_WIDTH} pixels wide, got {width}"
        )
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(font_path(face)) for face in Face],
        serif_family="Source Serif Pro",
        sans_serif_family="Source Sans Pro",
    )
