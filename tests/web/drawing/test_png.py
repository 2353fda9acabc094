"""The PNG: real pixels in the right size, the same everywhere."""

import struct
import zlib

import pytest

from tabletop.errors import DreyerError
from tests.web.conftest import Surveyed
from web.drawing.chart.chart import draw_chart
from web.drawing.png import png_from_svg


def rows(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the raw, still filtered, pixels of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack_from(">II", png, 16)
    data, offset = b"", 8
    while offset < len(png):
        length, kind = struct.unpack_from(">I4s", png, offset)
        body = png[offset + 8 : offset + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", png, offset + 8 + length)[0]
        data += body if kind == b"IDAT" else b""
        offset += 12 + length
    return width, height, zlib.decompress(data)


def test_a_picture_has_the_asked_width_and_differing_pixels(demo: Surveyed) -> None:
    svg = draw_chart(demo.scene, demo.result)
    width, height, pixels = rows(png_from_svg(svg, width=360))
    assert width == 360
    assert height == pytest.approx(360 * 0.95, abs=1)
    assert len(set(pixels)) > 100


def test_themes_and_targets_change_the_picture(demo: Surveyed) -> None:
    pictures = {
        png_from_svg(draw_chart(demo.scene, demo.result, theme=theme, target=target), width=200)
        for theme in ("light", "dark")
        for target in (None, "Bismarck")
    }
    assert len(pictures) == 4


def test_text_is_drawn_with_our_fonts() -> None:
    letters = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text y="15">{}</text></svg>'
    )
    assert png_from_svg(letters.format("Hood")) != png_from_svg(letters.format(""))


@pytest.mark.parametrize("width", [0, -1, 100_000])
def test_a_width_out_of_bounds_is_told(demo: Surveyed, width: int) -> None:
    with pytest.raises(DreyerError, match=r"errors\.picture_width"):
        png_from_svg("<svg/>", width=width)
