"""The report on paper: what it came to on the first page, then a map for each segment."""

from calibration.paper import MM_PER_POINT, Font, Paper, cut_to_width, wrap
from web.battle.report.luck import draw_luck
from web.battle.report.report import Fate, Report, Segment
from web.battle.report_map import Chart, draw_map
from web.battle.sheet_ink import PAPER, Drawing
from web.battle.sheet_pdf import MARGIN_MM, SIZES_MM, paint, rule, write
from web.sides import side_name
from web.strings import text, words

_LEDGER_PT, _TEXT_PT, _HEAD_PT = 8.5, 10.0, 15.0


def print_report(report: Report, paper_size: str) -> bytes:
    """One PDF, from the outcome to the last segment."""
    flow = _Flow(Paper(*SIZES_MM[paper_size], title=report.title), report.title)
    _summary(flow, report)
    if report.segments:
        chart = Chart.of(report)
        flow.head(str(text("report.maps")))
        flow.words(str(text("report.map_key")), size=_LEDGER_PT, colour=PAPER["ink_3"])
        for number, segment in enumerate(report.segments):
            _segment(flow, segment, draw_map(report, number, chart))
    return flow.finish()


class _Flow:
    """Text and pictures one below the other, with a new page where one is full."""

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper, self._title = paper, title
        self.y, self.page = MARGIN_MM, 1

    @property
    def wide(self) -> float:
        return self.paper.width_mm - 2 * MARGIN_MM

    @property
    def room(self) -> float:
        return self.paper.height_mm - MARGIN_MM - 8 - self.y

    def need(self, height: float) -> None:
        """Begin a new page unless so much fits on this one."""
        if self.room < height:
            self._end_page()
            self.y, self.page = MARGIN_MM, self.page + 1

    def words(
        self,
        words: str,
        font: Font = Font.SANS,
        size: float = _TEXT_PT,
        colour: str = PAPER["ink"],
        indent: float = 0.0,
        after: float = 0.6,
    ) -> None:
        """A text in as many lines as it takes."""
        pitch = size * MM_PER_POINT * 1.28
        for each in wrap(words, font, size, self.wide - indent) or [""]:
            self.need(pitch)
            self.y += pitch
            at = (MARGIN_MM + indent, self.y - pitch * 0.25)
            write(self.paper, at, each, font, size, colour)
        self.y += after

    def row(self, left: str, right: str, *, name: bool = False) -> None:
        """One line with something at its end."""
        pitch = _TEXT_PT * MM_PER_POINT * 1.5
        self.need(pitch)
        self.y += pitch
        font = Font.NAME if name else Font.SANS
        at = self.y - pitch * 0.3
        words = cut_to_width(left, font, _TEXT_PT, self.wide * 0.62)
        write(self.paper, (MARGIN_MM, at), words, font, _TEXT_PT)
        write(self.paper, (MARGIN_MM + self.wide, at), right, Font.SANS, _TEXT_PT, anchor="end")

    def head(self, words: str, keep: float = 24.0) -> None:
        """A heading that does not stand alone at the foot of a page."""
        self.need(keep)
        if self.y > MARGIN_MM:
            self.y += 4
        self.words(words, Font.SERIF_BOLD, _HEAD_PT)
        rule(self.paper, MARGIN_MM, self.y, self.wide)
        self.y += 1.5

    def picture(self, drawing: Drawing, most: float) -> None:
        """A drawing as broad as the page, or as tall as it may be."""
        scale = min(self.wide / drawing.width, most / drawing.height)
        self.need(drawing.height * scale)
        left = MARGIN_MM + (self.wide - drawing.width * scale) / 2
        paint(self.paper, drawing, left, self.y, scale)
        self.y += drawing.height * scale + 2

    def finish(self) -> bytes:
        """The whole file."""
        self._end_page()
        return self.paper.finish()

    def _end_page(self) -> None:
        y = self.paper.height_mm - MARGIN_MM + 3
        write(self.paper, (MARGIN_MM, y), self._title, Font.SANS, _LEDGER_PT, PAPER["ink_3"])
        at = (MARGIN_MM + self.wide, y)
        write(self.paper, at, str(self.page), Font.SANS, _LEDGER_PT, PAPER["ink_3"], "end")
        self.paper.next_page()


def _summary(flow: _Flow, report: Report) -> None:
    flow.words(report.title, Font.SERIF_BOLD, 26, after=1)
    flow.words(report.outcome, size=12, after=0.5)
    flow.words(report.conditions, colour=PAPER["ink_3"], after=1)
    if not report.over:
        flow.words(str(text("report.so_far")), colour=PAPER["ink_3"])
    if report.segments:
        flow.head(str(text("report.luck")), keep=90)
        flow.picture(draw_luck(report), 75)
        for luck in report.luck:
            flow.words(f"{side_name(report.sides[luck.side])}: {luck.words}")
        flow.words(str(text("report.luck_note")), size=_LEDGER_PT, colour=PAPER["ink_3"])
    flow.head(str(text("report.losses")))
    for side in report.sides:
        flow.words(f"{side.letter}  {side_name(side)}", Font.SANS_BOLD, after=0)
        for fate in report.of_side(side.key):
            _fate(flow, fate)
        for label, owner in report.unknown:
            if owner == side.key:
                flow.row(label, str(text("report.face_down")))
    flow.head(str(text("report.ammunition")))
    for fate in report.fates:
        for title, spent, total in fate.spent:
            words = str(text("report.spent_of", spent=spent, total=total))
            flow.row(f"{fate.ship}: {title}", words)


def _fate(flow: _Flow, fate: Fate) -> None:
    flow.need(12)
    flow.row(fate.ship, fate.words, name=True)
    flow.words(fate.glance, size=_LEDGER_PT, colour=PAPER["ink_3"])


def _segment(flow: _Flow, segment: Segment, picture: Drawing) -> None:
    flow.head(segment.title, keep=110)
    flow.picture(picture, 92)
    # What moved where, the map shows better than words do.
    for entry in segment.events:
        fire = segment.fire_of(entry)
        told = words(entry.line.text)
        if fire is not None and fire.expected is not None:
            told = f"{told} ({text('report.expected', n=f'{fire.expected:.2f}')})"
        # A fire does not stand at the foot of a page with its ledger on the next.
        flow.need(min(len(entry.children), 4) * 5.0)
        flow.words(told, Font.SANS_BOLD if fire else Font.SANS, after=0.3)
        for child in entry.children:
            indent = 4.0 + 3.0 * max(child.depth - 1, 0)
            flow.words(
                words(child.text).strip(), Font.SANS, _LEDGER_PT, PAPER["ink_3"], indent, after=0
            )
        flow.y += 1
