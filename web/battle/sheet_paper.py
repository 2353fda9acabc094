"""Record sheets on paper: a page for each ship, with her damage as it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from calibration.paper import Font, Paper, Path, cut_to_width
from combat.participants import Side
from combat.record_sheets import RecordSheet
from web.battle.sheet_drawing import draw_hull, draw_plan
from web.battle.sheet_ink import PAPER
from web.battle.sheet_pdf import MARGIN_MM, SIZES_MM, paint, rule, write
from web.battle.sheet_words import armour_words, glance, hull_words, stores
from web.sides import side_name
from web.strings import text

_PLAN_TOP: Final = 49.0
_FOOT: Final = 56.0
"""What the hull track and the stores take below the plan."""


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A sheet to print, with the words for her class and her state."""

    sheet: RecordSheet
    side: Side
    ship_class: str
    state: str


def print_sheets(sheets: Sequence[PrintedSheet], heading: str, paper_size: str) -> bytes:
    """One PDF, a page for each sheet."""
    paper = Paper(*SIZES_MM[paper_size], title=heading)
    for each in sheets:
        _page(paper, each, heading)
        paper.next_page()
    return paper.finish()


def _page(paper: Paper, printed: PrintedSheet, heading: str) -> None:
    sheet = printed.sheet
    left, wide = MARGIN_MM, paper.width_mm - 2 * MARGIN_MM
    name = cut_to_width(sheet.ship, Font.NAME, 26, wide * 0.7)
    write(paper, (left, 22), name, Font.NAME, 26)
    write(paper, (left + wide, 22), printed.state, Font.SANS_BOLD, 15, anchor="end")
    whose = f"{printed.side.letter} · {side_name(printed.side)} · {printed.ship_class}"
    write(paper, (left, 28.5), cut_to_width(whose, Font.SANS, 11, wide * 0.4), Font.SANS, 11)
    words = cut_to_width(heading, Font.SANS, 11, wide * 0.55)
    write(paper, (left + wide, 28.5), words, Font.SANS, 11, PAPER["ink_3"], "end")
    rule(paper, left, 32, wide)
    counts = glance(sheet)
    for number, count in enumerate(counts):
        x = left + number * wide / 4
        whole = text("sheet.of", part=count.left, whole=count.whole)
        write(paper, (x, 39.5), str(whole), Font.SANS_BOLD, 15)
        write(paper, (x, 44.5), count.label, Font.SANS, 10, PAPER["ink_3"])
    plan = draw_plan(sheet, printed.side)
    room = paper.height_mm - _PLAN_TOP - _FOOT - MARGIN_MM
    scale = min(wide / plan.width, room / plan.height)
    # The drawing stands in the middle, whatever of the page's breadth it needs.
    paint(paper, plan, left + (wide - plan.width * scale) / 2, _PLAN_TOP, scale)
    bottom = paper.height_mm - MARGIN_MM
    _track(paper, sheet, left, bottom - _FOOT + 8, wide)
    _stores(paper, sheet, left, bottom - 16, wide)


def _track(paper: Paper, sheet: RecordSheet, x: float, y: float, wide: float) -> None:
    hull = draw_hull(sheet)
    if hull is None:
        return
    write(paper, (x, y), str(text("sheet.hull_left")).capitalize(), Font.SANS_BOLD, 12)
    write(paper, (x + 12, y), armour_words(sheet), Font.SANS, 10, PAPER["ink_3"])
    write(paper, (x + wide, y), hull_words(sheet), Font.SANS_BOLD, 12, anchor="end")
    paint(paper, hull, x, y + 3, wide / hull.width * 0.72)


def _stores(paper: Paper, sheet: RecordSheet, x: float, y: float, wide: float) -> None:
    """What is left, in two columns."""
    pitch = wide / 2
    for number, store in enumerate(stores(sheet)):
        row, place = divmod(number, 2)
        left, top, room = x + place * pitch, y + row * 11, pitch - 8
        title = cut_to_width(store.title, Font.SANS, 10, room - 14)
        write(paper, (left, top), title, Font.SANS, 10, PAPER["ink_3"])
        write(paper, (left + room, top), store.words, Font.SANS_BOLD, 12, anchor="end")
        if store.share is not None:
            paper.stroke(Path().rectangle(left, top + 2, room, 2), PAPER["ink_3"], 0.2)
            if store.share:
                full = Path().rectangle(left, top + 2, room * store.share, 2)
                paper.fill(full, PAPER["ink_3"])
