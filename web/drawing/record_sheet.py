"""PDFs of record sheets: a page for each ship with her current damage."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from combat.participants import Side
from combat.record_sheets import RecordSheet
from web.drawing.document import MARGIN_MM, cut_mm, meter, placed, print_text, rule
from web.drawing.figures import Drawing, Figure
from web.drawing.fonts import Face
from web.drawing.pdf import PAPERS_MM, pdf_file
from web.drawing.sheet_words import armour_words, glance, hull_words, stores
from web.drawing.ship_plan import draw_hull, draw_plan
from web.sides import side_name
from web.strings import text

_PLAN_TOP: Final = 49.0
_FOOT: Final = 56.0
"""The height of the hull track and the stores below the plan."""


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A sheet to print, with texts for the ship's class and state."""

    sheet: RecordSheet
    side: Side
    ship_class: str
    state: str


def print_sheets(sheets: Sequence[PrintedSheet], heading: str, paper: str) -> bytes:
    """One PDF, a page for each sheet."""
    return pdf_file([draw_page(each, heading, PAPERS_MM[paper]) for each in sheets], heading)


def draw_page(printed: PrintedSheet, heading: str, size_mm: tuple[float, float]) -> Drawing:
    """One sheet on its page."""
    sheet = printed.sheet
    width, height = size_mm
    left, wide = MARGIN_MM, width - 2 * MARGIN_MM
    bottom = height - MARGIN_MM
    plan = draw_plan(sheet, printed.side)
    room = bottom - _PLAN_TOP - _FOOT
    scale = min(wide / plan.width, room / plan.height)
    items: list[Figure] = [
        *_head(printed, heading, left, wide),
        # The drawing is centred.
        placed(plan, left + (wide - plan.width * scale) / 2, _PLAN_TOP, scale),
        *_hull_track(sheet, left, bottom - _FOOT + 8, wide),
        *_stores(sheet, left, bottom - 16, wide),
    ]
    return Drawing(width, height, tuple(items), plan.spoken)


def _head(printed: PrintedSheet, heading: str, left: float, wide: float) -> Iterator[Figure]:
    """The ship's name and class, and four figures of her condition."""
    right = left + wide
    name_face = Face.SERIF_BOLD_ITALIC
    name = cut_mm(printed.sheet.ship, name_face, 26, wide * 0.7)
    yield print_text(left, 22, name, 26, face=name_face)
    yield print_text(right, 22, printed.state, 15, anchor="end", face=Face.SANS_BOLD)
    whose = f"{printed.side.letter} · {side_name(printed.side)} · {printed.ship_class}"
    yield print_text(left, 28.5, cut_mm(whose, Face.SANS, 11, wide * 0.4), 11)
    words = cut_mm(heading, Face.SANS, 11, wide * 0.55)
    yield print_text(right, 28.5, words, 11, colour="ink_3", anchor="end")
    yield rule(left, 32, wide)
    for number, count in enumerate(glance(printed.sheet)):
        x = left + number * wide / 4
        whole = str(text("sheet.of", part=count.left, whole=count.whole))
        yield print_text(x, 39.5, whole, 15, face=Face.SANS_BOLD)
        yield print_text(x, 44.5, count.label, 10, colour="ink_3")


def _hull_track(sheet: RecordSheet, x: float, y: float, wide: float) -> Iterator[Figure]:
    hull = draw_hull(sheet)
    if hull is None:
        return
    title = str(text("sheet.hull_left")).capitalize()
    yield print_text(x, y, title, 12, face=Face.SANS_BOLD)
    yield print_text(x + 12, y, armour_words(sheet), 10, colour="ink_3")
    yield print_text(x + wide, y, hull_words(sheet), 12, anchor="end", face=Face.SANS_BOLD)
    yield placed(hull, x, y + 3, wide / hull.width * 0.72)


def _stores(sheet: RecordSheet, x: float, y: float, wide: float) -> Iterator[Figure]:
    """The stores, in two columns."""
    pitch = wide / 2
    for number, store in enumerate(stores(sheet)):
        row, place = divmod(number, 2)
        left, top, room = x + place * pitch, y + row * 11, pitch - 8
        title = cut_mm(store.title, Face.SANS, 10, room - 14)
        yield print_text(left, top, title, 10, colour="ink_3")
        yield print_text(left + room, top, store.words, 12, anchor="end", face=Face.SANS_BOLD)
        if store.share is not None:
            yield from meter(left, top + 2, room, store.share)
