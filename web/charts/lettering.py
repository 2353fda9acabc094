"""The two typefaces of the chart, and how wide a line of text will be in them.

The advance widths come from the font files themselves, so that a label's box is known before
anything is drawn: the label placer can only keep apart what it can measure.
"""

import struct
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path

SANS = "'Source Sans Pro', 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
SERIF = "'Source Serif Pro', 'Noto Serif', Georgia, 'Liberation Serif', serif"

_FALLBACK_ALLOWANCE = 1.04
"""A browser without our fonts draws a little wider; a label's box allows for it."""


class Face(StrEnum):
    """The faces in use, by the names of their files."""

    SANS = "SourceSansPro-Regular.ttf"
    SANS_BOLD = "SourceSansPro-Semibold.ttf"
    SERIF = "SourceSerifPro-Regular.ttf"
    SERIF_ITALIC = "SourceSerifPro-It.ttf"


@cache
def font_path(face: Face) -> Path:
    """Where a face's file is, in the package that brings it."""
    package = "font_source_serif_pro" if "Serif" in face else "font_source_sans_pro"
    return Path(str(files(package))) / "files" / face.value


def text_width(text: str, face: Face, size: float) -> float:
    """How wide a line of text is at a size, both in the same unit."""
    metrics = _metrics(face)
    return _FALLBACK_ALLOWANCE * size * sum(map(metrics.advance, text))


def fit(text: str, face: Face, size: float, width: float) -> str:
    """The text, cut with an ellipsis where it would be wider than the width."""
    if text_width(text, face, size) <= width:
        return text
    kept = len(text)
    while kept > 1 and text_width(f"{text[:kept].rstrip()}…", face, size) > width:
        kept -= 1
    return f"{text[:kept].rstrip()}…"


@dataclass(frozen=True, slots=True)
class _Metrics:
    """The advance widths of a face, in ems, by character."""

    by_code: dict[int, float]
    missing: float

    def advance(self, letter: str) -> float:
        return self.by_code.get(ord(letter), self.missing)


@cache
def _metrics(face: Face) -> _Metrics:
    data = font_path(face).read_bytes()
    tables = {}
    for number in range(struct.unpack_from(">H", data, 4)[0]):
        tag, _, offset, _ = struct.unpack_from(">4sLLL", data, 12 + 16 * number)
        tables[tag] = offset
    (units_per_em,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    (metric_count,) = struct.unpack_from(">H", data, tables[b"hhea"] + 34)
    advances = [
        struct.unpack_from(">H", data, tables[b"hmtx"] + 4 * glyph)[0] / units_per_em
        for glyph in range(metric_count)
    ]
    by_code = {
        code: advances[min(glyph, metric_count - 1)]
        for code, glyph in _glyphs(data, tables[b"cmap"]).items()
    }
    # A letter that the face lacks is drawn from another font; an em is what it needs at most.
    return _Metrics(by_code, missing=1.0)


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """The glyph of each character, from the cmap's subtable of format 4, which every font has."""
    count = struct.unpack_from(">H", data, cmap + 2)[0]
    offsets = (struct.unpack_from(">HHL", data, cmap + 4 + 8 * i)[2] for i in range(count))
    table = next(
        cmap + offset for offset in offsets if struct.unpack_from(">H", data, cmap + offset)[0] == 4
    )
    segments = struct.unpack_from(">H", data, table + 6)[0] // 2
    row = f">{segments}H"
    ends = struct.unpack_from(row, data, table + 14)
    starts = struct.unpack_from(row, data, table + 16 + 2 * segments)
    deltas = struct.unpack_from(row, data, table + 16 + 4 * segments)
    range_table = table + 16 + 6 * segments
    ranges = struct.unpack_from(row, data, range_table)
    glyphs: dict[int, int] = {}
    for i, (start, end, delta, jump) in enumerate(zip(starts, ends, deltas, ranges, strict=True)):
        for code in range(start, end + 1):
            glyph = code
            if jump:
                at = range_table + 2 * i + jump + 2 * (code - start)
                glyph = struct.unpack_from(">H", data, at)[0] if at + 2 <= len(data) else 0
            if glyph or not jump:
                glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs
