"""The report on paper: what it came to on the first page, then a map for each segment."""

from combat.provenance import CHANGED_MARK
from web.battle.report.pictures import luck_plot, segment_maps
from web.battle.report.report import Fate, Report, SegmentReport
from web.drawing.document import SMALL_PT, Document
from web.drawing.figures import Drawing
from web.drawing.fonts import Face
from web.sides import side_name
from web.strings import sentence, text, words


def print_report(report: Report, paper: str) -> bytes:
    """One PDF, from the outcome to the last segment."""
    page = Document(report.title, paper)
    _summary(page, report)
    if report.segments:
        page.head(str(text("report.maps")))
        page.text(str(text("report.map_key")), size_pt=SMALL_PT, colour="ink_3")
        for segment, picture in zip(report.segments, segment_maps(report), strict=True):
            _segment(page, segment, picture)
    return page.finish()


def _summary(page: Document, report: Report) -> None:
    page.text(report.title, Face.SERIF_BOLD, 26, after_mm=1)
    page.text(report.outcome, size_pt=12, after_mm=0.5)
    page.text(report.conditions, colour="ink_3", after_mm=1)
    if not report.over:
        page.text(str(text("report.so_far")), colour="ink_3")
    _rules(page, report)
    if report.segments and report.luck:
        page.head(str(text("report.luck")), keep_mm=90)
        page.picture(luck_plot(report), 75)
        for luck in report.luck:
            page.text(f"{side_name(report.sides[luck.side])}: {luck.words}")
        page.text(str(text("report.luck_note")), size_pt=SMALL_PT, colour="ink_3")
    page.head(str(text("report.losses")))
    for side in report.sides:
        page.text(f"{side.letter}  {side_name(side)}", Face.SANS_BOLD, after_mm=0)
        for fate in report.of_side(side.key):
            _fate(page, fate)
        for label, owner in report.unknown:
            if owner == side.key:
                page.row(label, str(text("report.face_down")))
    page.head(str(text("report.ammunition")))
    for fate in report.fates:
        for title, spent, total in fate.spent:
            words = str(text("report.spent_of", spent=spent, total=total))
            page.row(f"{fate.ship}: {title}", words)


def _rules(page: Document, report: Report) -> None:
    page.head(str(text("report.rules")))
    page.text(report.rules)
    for option in report.options:
        page.text(f"{CHANGED_MARK} {sentence(words(option.title))} ({option.rule})")
    if not report.options:
        page.text(str(text("report.options_none")), colour="ink_3")
    if report.own_cells:
        page.text(f"{CHANGED_MARK} {text('report.own_cells', n=report.own_cells)}")


def _fate(page: Document, fate: Fate) -> None:
    page.need(12)
    page.row(fate.ship, fate.words, face=Face.SERIF_BOLD_ITALIC)
    page.text(fate.glance, size_pt=SMALL_PT, colour="ink_3")


def _segment(page: Document, segment: SegmentReport, picture: Drawing) -> None:
    page.head(segment.title, keep_mm=110)
    page.picture(picture, 92)
    # What moved where, the map shows better than words do.
    for entry in segment.events:
        fire = segment.fire_of(entry)
        told = words(entry.line.text)
        if fire is not None and fire.expected is not None:
            told = f"{told} ({text('report.expected', n=f'{fire.expected:.2f}')})"
        # A fire does not stand at the foot of a page with its ledger on the next.
        page.need(min(len(entry.children), 4) * 5.0)
        page.text(told, Face.SANS_BOLD if fire else Face.SANS, after_mm=0.3)
        for child in entry.children:
            indent = 4.0 + 3.0 * max(child.depth - 1, 0)
            told = words(child.text).strip()
            page.text(told, Face.SANS, SMALL_PT, "ink_3", indent, after_mm=0)
        page.space(1)
