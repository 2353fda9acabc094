"""The typefaces: their files, the widths of text, and fallback fonts.

Source Sans Pro and Source Serif Pro have Latin, Greek and Cyrillic letters. Other letters come from
a font of the system, if one is found; in PDFs, Chinese, Japanese and Korean letters may also come
from the fonts that every PDF reader supplies. Browsers choose fallback fonts themselves. Widths of
such letters are estimated, so that labels are placed the same on every machine.
"""

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFont

SANS: Final = (
    "'Source Sans Pro', 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', "
    "'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', sans-serif"
)
SERIF: Final = (
    "'Source Serif Pro', 'Noto Serif', Georgia, 'Liberation Serif', 'DejaVu Serif', "
    "'Noto Serif CJK JP', 'Hiragino Mincho ProN', 'Yu Mincho', serif"
)
CAP_HEIGHT: Final = 0.66
"""The height of a capital letter, in ems."""
_SCREEN_ALLOWANCE: Final = 1.04
"""A factor for browsers without our fonts, which draw wider text."""
_MISSING: Final = "?"
"""The replacement for a letter that no font has."""
_EMOJI_EM: Final = 1.3

_SYSTEM_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "$WINDIR/Fonts",
    "$LOCALAPPDATA/Microsoft/Windows/Fonts",
)
_SYSTEM_FONTS: Final = (
    # Many scripts.
    "DejaVuSans.ttf", "Arial Unicode.ttf", "ARIALUNI.TTF", "FreeSans.ttf", "segoeui.ttf",
    # Chinese, Japanese, Korean.
    "NotoSansCJK-Regular.ttc", "NotoSansJP-Regular.ttf", "NotoSansSC-Regular.ttf",
    "DroidSansFallbackFull.ttf", "fonts-japanese-gothic.ttf", "ipag.ttf", "ipaexg.ttf",
    "wqy-microhei.ttc", "wqy-zenhei.ttc", "NanumGothic.ttf", "msgothic.ttc", "meiryo.ttc",
    "YuGothM.ttc", "msyh.ttc", "simsun.ttc", "malgun.ttf", "AppleGothic.ttf",
    "ヒラギノ角ゴシック W3.ttc", "Hiragino Sans GB.ttc", "PingFang.ttc",
    # Fonts for single scripts.
    "NotoSansArabic-Regular.ttf", "NotoNaskhArabic-Regular.ttf", "GeezaPro.ttc",
    "NotoSansHebrew-Regular.ttf", "NotoSansArmenian-Regular.ttf", "NotoSansGeorgian-Regular.ttf",
    "NotoSansThai-Regular.ttf", "NotoSansDevanagari-Regular.ttf", "Nirmala.ttf",
    # Symbols and emoji.
    "NotoSansSymbols2-Regular.ttf", "NotoEmoji-Regular.ttf", "Symbola.ttf", "seguisym.ttf",
    "seguiemj.ttf", "NotoColorEmoji.ttf", "Apple Color Emoji.ttc",
)  # fmt: skip
"""Fonts of operating systems, in order of preference."""
_READER_FONTS: Final = (
    ("HeiseiMin-W3", "euc_jp"),
    ("STSong-Light", "gb2312"),
    ("MSung-Light", "big5"),
    ("HYSMyeongJo-Medium", "euc_kr"),
)
"""Fonts that a PDF only names and its reader supplies, with the letters of each."""


class Face(StrEnum):
    """The faces by the names of their files."""

    SANS = "SourceSansPro-Regular.ttf"
    SANS_SEMIBOLD = "SourceSansPro-Semibold.ttf"
    SANS_BOLD = "SourceSansPro-Bold.ttf"
    SERIF = "SourceSerifPro-Regular.ttf"
    SERIF_ITALIC = "SourceSerifPro-It.ttf"
    SERIF_BOLD = "SourceSerifPro-Bold.ttf"
    SERIF_BOLD_ITALIC = "SourceSerifPro-BoldIt.ttf"

    @property
    def is_serif(self) -> bool:
        """Whether it is of the serif family."""
        return "Serif" in self

    @property
    def is_italic(self) -> bool:
        """Whether it is slanted."""
        return "It." in self

    @property
    def weight(self) -> int:
        """Its weight as in CSS."""
        return 600 if "Semibold" in self else 700 if "Bold" in self else 400

    @property
    def stand_in(self) -> "Face":
        """Our face with letters that this one lacks: Greek and Cyrillic."""
        return Face.SANS if self.weight == Face.SANS.weight else Face.SANS_BOLD

    @property
    def path(self) -> Path:
        """Its file in the package that provides it."""
        package = "font_source_serif_pro" if self.is_serif else "font_source_sans_pro"
        return Path(str(files(package))) / "files" / self.value


Measure = Callable[[str, Face, float], float]
"""Returns the width of a text in a face at a size."""


# Widths


def text_width(words: str, face: Face, size: float) -> float:
    """The width of a line of text, in the unit of the size."""
    own, other = _letter_widths(face), _letter_widths(face.stand_in)
    return size * sum(
        own.get(letter) or other.get(letter) or _estimated_width(letter) for letter in words
    )


def label_width(words: str, face: Face, size: float) -> float:
    """The width of a line of text on a screen, also with fallback fonts."""
    return _SCREEN_ALLOWANCE * text_width(words, face, size)


def cut(words: str, face: Face, size: float, width: float, measure: Measure = label_width) -> str:
    """The text, cut with an ellipsis to the width."""
    if measure(words, face, size) <= width:
        return words
    kept = len(words)
    while kept > 1 and measure(f"{words[:kept].rstrip()}…", face, size) > width:
        kept -= 1
    return f"{words[:kept].rstrip()}…"


def wrap(
    words: str, face: Face, size: float, width: float, measure: Measure = label_width
) -> list[str]:
    """The text in lines within the width, broken between words."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, face, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@cache
def _letter_widths(face: Face) -> dict[str, float]:
    """The widths of all letters of a face, in ems."""
    return {chr(code): width / 1000 for code, width in _our_font(face).face.charWidths.items()}


def _estimated_width(letter: str) -> float:
    """The estimated width of a letter from another font, in ems."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    is_wide = unicodedata.east_asian_width(letter) in ("W", "F")
    return _EMOJI_EM if is_wide and unicodedata.category(letter) == "So" else 1.0


# Fonts for letters that our typefaces lack


def missing_letters(words: str) -> str:
    """The letters that our typefaces lack, without duplicates."""
    known = _letter_widths(Face.SANS)
    return "".join(
        letter for letter in dict.fromkeys(words) if letter not in known and is_visible(letter)
    )


def is_visible(letter: str) -> bool:
    """Whether a letter may be drawn: not a control character or the like."""
    return letter.isprintable() or unicodedata.category(letter) in ("Zs", "Cf")


@cache
def system_fonts() -> tuple[Path, ...]:
    """The font files of this system that may have other letters, in order of preference."""
    wanted = {name.casefold(): rank for rank, name in enumerate(_SYSTEM_FONTS)}
    found: dict[int, Path] = {}
    for folder in _SYSTEM_FOLDERS:
        place = Path(os.path.expandvars(folder)).expanduser()
        for root, _, names in os.walk(place):
            for name in names:
                rank = wanted.get(name.casefold())
                if rank is not None:
                    found.setdefault(rank, Path(root) / name)
    return tuple(found[rank] for rank in sorted(found))


def picture_fonts(words: str) -> tuple[Path, ...]:
    """The font files for a picture with this text: ours, and the system's if needed."""
    ours = tuple(face.path for face in Face)
    return (*ours, *system_fonts()) if missing_letters(words) else ours


def pdf_runs(words: str, face: Face) -> "Iterator[tuple[TTFont | UnicodeCIDFont, str]]":
    """The text in visual order, in runs of one font each."""
    shown = _left_to_right(words)
    ours = (_our_font(face), _our_font(face.stand_in))
    reader_fonts = _reader_fonts(shown)
    found = [
        (_font_for(letter, ours, reader_fonts), letter) for letter in shown if is_visible(letter)
    ]
    visible = [
        (font or ours[0], letter if font else _MISSING)
        for font, letter in found
        if font or _estimated_width(letter)
    ]
    for font, group in groupby(visible, key=lambda pair: pair[0]):
        yield font, "".join(letter for _, letter in group)


def _left_to_right(words: str) -> str:
    """The text in visual order, with Arabic letters joined."""
    if not any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in words):
        return words
    # Imported late: most tables have no such names.
    import arabic_reshaper
    from bidi import get_display

    return str(get_display(arabic_reshaper.reshape(words)))


def _font_for(
    letter: str, ours: "Iterable[TTFont]", reader_fonts: "Iterable[tuple[UnicodeCIDFont, str]]"
) -> "TTFont | UnicodeCIDFont | None":
    code = ord(letter)
    for font in (*ours, *map(_system_font, system_fonts())):
        if font is not None and code in font.face.charToGlyph:
            return font
    return next((font for font, codec in reader_fonts if _can_encode(letter, codec)), None)


def _reader_fonts(words: str) -> "list[tuple[UnicodeCIDFont, str]]":
    """The fonts of PDF readers, first the one with most of these letters."""
    others = [letter for letter in words if not letter.isascii()]
    order = sorted(
        _READER_FONTS, key=lambda pair: -sum(_can_encode(letter, pair[1]) for letter in others)
    )
    return [(_reader_font(name), codec) for name, codec in order]


def _can_encode(letter: str, codec: str) -> bool:
    try:
        letter.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _our_font(face: Face) -> "TTFont":
    # Imported late, here and below: a page without a drawing needs no widths.
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(face.value.removesuffix(".ttf"), str(face.path))
    pdfmetrics.registerFont(font)
    return font


@cache
def _system_font(path: Path) -> "TTFont | None":
    """A font of the system as PDFs embed it; None for other formats."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    try:
        font = TTFont(f"system-{path.stem}", str(path))
    except (TTFError, OSError, ValueError, KeyError):
        return None
    pdfmetrics.registerFont(font)
    return font


@cache
def _reader_font(name: str) -> "UnicodeCIDFont":
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    font = UnicodeCIDFont(name)
    pdfmetrics.registerFont(font)
    return font
