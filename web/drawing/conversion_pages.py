"""The PDF of conversions: each ship with both of her sheets, and the rule of every line."""

from collections.abc import Sequence

from combat.conversions import Conversion, ConversionLine, HexRange
from combat.guided_actions import StartingMarks
from combat.sides import Sides, usual
from tabletop.messages import Message
from web.drawing.document import SMALL_PT, Document
from web.drawing.fonts import Face
from web.drawing.hit_record_pad import draw_boxes
from web.drawing.sheet_words import glance_words, state_key
from web.drawing.ship_plan import draw_small
from web.strings import forgiving_text, text, words

_INDENT_MM = 6.0
_TALLEST_PLAN_MM = 22.0
_TALLEST_PAD_MM = 52.0


def print_conversions(
    conversions: Sequence[Conversion[object, StartingMarks]],
    ranges: Sequence[HexRange],
    title: str,
    paper: str,
    sides: Sides | None = None,
) -> bytes:
    """One PDF with all ships."""
    document = Document(title, paper)
    known = sides or usual().sides
    for each in conversions:
        _ship(document, each, known)
    if ranges:
        document.head(str(text("convert.ranges")))
        for band in ranges:
            document.text(range_words(band))
    return document.finish()


def _ship(document: Document, each: Conversion[object, StartingMarks], sides: Sides) -> None:
    document.head(each.ship.name, keep_mm=_TALLEST_PLAN_MM + 30)
    state = str(forgiving_text(state_key(each.sheet)))
    document.row(f"{state} · {glance_words(each.sheet)}", each.ship.type)
    document.picture(draw_small(each.sheet, sides[each.ship.side]), _TALLEST_PLAN_MM)
    for line in each.lines:
        if line.is_marked:
            document.row(words(line.title), line.rule, face=Face.SANS_SEMIBOLD)
            document.text(words(line_message(line)), indent_mm=_INDENT_MM)
            if line.remark:
                document.text(words(line.remark), size_pt=SMALL_PT, indent_mm=_INDENT_MM)
    if each.remark:
        document.text(words(each.remark))
    elif not any(line.is_marked for line in each.lines):
        document.text(str(text("convert.unmarked")))
    if each.beside_words:
        document.text(words(Message("convert.beside_list", parts=each.beside_words)))
    if each.boxes:
        document.space(2)
        document.picture(draw_boxes(each.boxes), _TALLEST_PAD_MM)


def line_message(line: ConversionLine) -> Message:
    """A line as one sentence."""
    code = "convert.line_rounded" if line.rounded else "convert.line"
    return Message(code, before=line.before_words, after=line.after_words)


def range_words(band: HexRange) -> str:
    """A distance in hexes and in yards, with its rule."""
    return str(text("convert.range", n=band.hexes, least=band.least_yards, most=band.most_yards))
