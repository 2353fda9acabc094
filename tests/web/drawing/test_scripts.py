"""Ships called in any script: drawn in the chart, in its PNG, and on paper as text."""

import unicodedata
import xml.etree.ElementTree as ET
from random import Random

import pypdfium2  # type: ignore[import-untyped]
import pytest

from calibration.marker_layout import MarkerOrder, lay_out_markers
from combat.participants import Ship
from combat.rulebooks import get_ruleset
from combat.sides import usual
from tests.web.conftest import ReadTable, ShipToml
from web.drawing.chart.chart import draw_chart
from web.drawing.figures import ArcText, Drawing, Text
from web.drawing.fonts import Face, label_width, missing_letters, pdf_runs, system_fonts, text_width
from web.drawing.marker_pages import print_markers
from web.drawing.pdf import pdf_file
from web.drawing.png import png_from_svg
from web.drawing.record_sheet import PrintedSheet, print_sheets

JAPANESE, CHINESE, KOREAN = "大和", "济远", "거북선"
CYRILLIC, GREEK = "Аврора", "Αβέρωφ"
ARABIC, HEBREW = "الزبير", "אילת"
EMOJI = "⚓ Jolly"
READABLE = (JAPANESE, CHINESE, KOREAN, CYRILLIC, GREEK)
"""What paper always has letters for: our own typefaces, or those of every PDF reader."""
NEEDS_A_FONT = (ARABIC, HEBREW, EMOJI)
ALL = (*READABLE, *NEEDS_A_FONT, "😀", "Zo\u0308e", "𓊝")


def has_font(name: str) -> bool:
    """Whether this machine can print a name without a question mark."""
    return "?" not in "".join(words for _, words in pdf_runs(name, Face.SANS))


def words_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    return unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("name", ALL)
def test_a_chart_shows_the_name(read_table: ReadTable, ship_toml: ShipToml, name: str) -> None:
    table = read_table(ship_toml(name, 0, 0) + ship_toml("Hood", 9000, 9000))
    svg = draw_chart(table.scene, table.result, firer=name)
    texts = [e.text for e in ET.fromstring(svg).iter() if e.get("class") == "name"]  # noqa: S314
    assert name in texts
    assert png_from_svg(svg, width=200).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", [CYRILLIC, ARABIC, EMOJI])
def test_a_picture_has_letters_and_no_boxes(name: str) -> None:
    """Other letters give another picture; boxes for missing ones would all look alike."""
    if not has_font(name):
        pytest.skip("this machine has no font for it")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 20">'
        '<text y="15" font-family="Source Serif Pro">{}</text></svg>'
    )
    first = next(letter for letter in name if letter.isalpha() or ord(letter) > 0x2000)
    unknown = "\U000e0fff"
    shown = png_from_svg(svg.format(first), width=90)
    assert shown != png_from_svg(svg.format(unknown), width=90)
    assert shown != png_from_svg(svg.format(""), width=90)


def sheet_pdf(name: str) -> bytes:
    ruleset = get_ruleset("bismarck-advanced")
    assert ruleset.rulebook is not None
    rulebook = ruleset.rulebook(ruleset.tables)
    ship = Ship(name, name, "british", "Hood")
    sheet = rulebook.record_sheet(ship, rulebook.fresh(ship))
    side = usual().sides["british"]
    return print_sheets([PrintedSheet(sheet, side, "Battle cruiser", "Unharmed")], name, "a4")


@pytest.mark.parametrize("name", ALL)
def test_a_record_sheet_is_printed_with_the_name(name: str) -> None:
    words = words_of(sheet_pdf(name))
    assert "Battle cruiser" in words
    # Letters beyond the first 65,536 are drawn, but this maker of PDFs cannot say what they are.
    if name in READABLE or (name in NEEDS_A_FONT and has_font(name)):
        assert unicodedata.normalize("NFKC", name) in words


@pytest.mark.parametrize("name", READABLE)
def test_a_marker_is_printed_with_the_name(name: str) -> None:
    layout = lay_out_markers(MarkerOrder((name,)), Random(1))
    assert layout.marker_set.names[4] == name
    assert name in words_of(print_markers(layout, {}))


def test_our_own_typefaces_come_first() -> None:
    assert not missing_letters("Köln Аврора Αβέρωφ № 5 ± ½")
    assert missing_letters("Köln 大和 大") == "大和"
    fonts = [(font.fontName, words) for font, words in pdf_runs("Hood Аврора", Face.SERIF_ITALIC)]
    assert fonts == [("SourceSerifPro-It", "Hood "), ("SourceSansPro-Regular", "Аврора")]


def test_right_to_left_is_drawn_in_its_order() -> None:
    drawn = "".join(words for _, words in pdf_runs("Eilat " + HEBREW, Face.SANS))
    if "?" not in drawn:
        assert drawn == "Eilat " + HEBREW[::-1]


def test_a_letter_that_no_font_has_is_a_question_mark() -> None:
    assert [words for _, words in pdf_runs("A\U000e0fff\x07B", Face.SANS)] == ["AB"]
    assert [words for _, words in pdf_runs("A\ue123B", Face.SANS)] in (["AB"], ["A?B"])


def test_widths_of_other_letters_are_the_same_everywhere() -> None:
    assert text_width("大和", Face.SERIF_ITALIC, 10) == 20
    assert text_width("\u200d\ufe0f", Face.SANS, 10) == 0
    assert label_width("Hood", Face.SANS, 10) > text_width("Hood", Face.SANS, 10)


def test_fonts_of_the_system_are_files() -> None:
    assert all(path.is_file() for path in system_fonts())


def test_words_along_a_circle_are_text_on_paper() -> None:
    arcs = (
        ArcText((50, 50), 30, 0, "medium", 5),
        ArcText((50, 50), 30, 180, "long", 5, inward=True),
        Text((10, 90), "straight", 5, turn_deg=30),
    )
    words = words_of(pdf_file([Drawing(100, 100, arcs)], "Arcs"))
    assert {*"medium", *"long"} <= set(words)
    assert "straight" in words
