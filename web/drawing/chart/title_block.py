"""The margins of a chart: title block with scale bar and result, compass rose and frame."""

import math
from collections.abc import Sequence
from dataclasses import replace

from combat.scene_file import Scene
from tabletop.rulings import merge_close_calls
from tabletop.survey import PairCheck
from web.drawing.chart.frame import ChartFrame
from web.drawing.chart.parts import Cartouche, CartoucheLine, Label, ScaleBar
from web.drawing.chart.sights import is_one_spot
from web.drawing.fonts import Face, cut, label_width
from web.drawing.geometry import Box, round_step
from web.drawing.labels import AvoidedLine, LabelRequest, LabelSpot
from web.strings import figure, text
from web.table.survey_text import call_words, range_text, segment_title, side_text, sight_text

ROSE_KEY = ("rose", "")
_FACES = {
    "title": Face.SERIF,
    "name": Face.SERIF_ITALIC,
    "italic": Face.SERIF_ITALIC,
    "plain": Face.SANS,
    "strong": Face.SANS_SEMIBOLD,
    "doubt": Face.SANS_SEMIBOLD,
}
_LEADING = 1.34


def finding_lines(scene: Scene, check: PairCheck) -> list[tuple[str, float, str]]:
    """The result of one pair as lines of the title block: text, size and style."""
    lines = [
        ("", 6.0, "rule"),
        (text("chart.pair", firer=check.firer, target=check.target), 16.0, "name"),
        (range_text(check), 18.0, "strong"),
    ]
    segment = segment_title(scene, check.segment)
    if segment:
        lines.append((segment, 13.5, "plain"))
    if check.quadrant and check.aspect:
        lines.append(
            (
                text(
                    "chart.bearing",
                    quadrant=text(f"chart.js.{check.quadrant}"),
                    side=side_text(check.aspect),
                ),
                13.5,
                "plain",
            )
        )
    lines += [(words, 13.5, "plain") for words in _sight_lines(check)]
    for number, call in enumerate(merge_close_calls(check.close_calls)):
        words = call_words(scene, call)
        if number == 0:
            lines.append(
                (text("chart.one_spot" if is_one_spot(check) else "chart.too_close"), 13.5, "doubt")
            )
        lines += [(words.short, 13.5, "plain"), (words.margin, 12.5, "plain")]
    return lines


def _sight_lines(check: PairCheck) -> list[str]:
    """What obstructs the line of sight; of several ships only the first."""
    more = len(check.blockers) - 1
    if more < 1:
        return [text("chart.sight", sight=sight_text(check))]
    first = replace(check, blockers=check.blockers[:1], smoke=False)
    rest = text("chart.more_smoke" if check.smoke else "chart.more_blockers", n=more)
    return [text("chart.sight", sight=sight_text(first)), rest]


def not_named(count: int) -> str:
    """The number of ships whose names were not placed."""
    return text("chart.not_named", n=count)


def draw_cartouche(
    scene: Scene,
    chart_frame: ChartFrame,
    obstacles: Sequence[Box],
    lines: Sequence[AvoidedLine],
    *,
    finding: PairCheck | None,
    unnamed: int = 0,
) -> tuple[Cartouche, bool]:
    """The title block in the emptiest corner, and whether it covers no ship there."""
    unit = chart_frame.unit
    entries: list[tuple[str, float, str]] = [
        (scene.title or text("chart.the_table"), 20.0, "title"),
        (scene.ruleset.title, 13.5, "italic"),
        (text("command.scale", yards=scene.scale.yards_per_inch), 12.5, "plain"),
    ]
    if unnamed:
        entries.append((not_named(unnamed), 12.5, "plain"))
    if finding is not None:
        entries += finding_lines(scene, finding)
    widest = chart_frame.format.width * 0.52
    bar_yards, cells = _scale_bar(chart_frame)
    cell = chart_frame.px(bar_yards) / cells
    texts = [_fitted(words, size * unit, style, widest) for words, size, style in entries]
    width = max(
        # The figures are centred under the ends of the bar, so they extend beyond it.
        cell * cells + label_width(f"{_round_yards(bar_yards)} yd", Face.SANS, 12 * unit),
        *(
            label_width(words, _FACES[style], size) * (1.06 if style == "title" else 1.0)
            for words, size, style in texts
            if words
        ),
    )
    width += 28 * unit
    height = 10 * unit + sum(size * _LEADING for _, size, _ in texts) + 40 * unit
    box, is_clear = _corner(chart_frame, width, height, obstacles, lines)
    placed = []
    y = box.top + 10 * unit
    for words, size, style in texts:
        y += size * _LEADING
        placed.append(CartoucheLine(words, size, style, y - size * 0.32))
    left = (box.left + box.right) / 2 - cell * cells / 2
    top = y + 9 * unit
    labels = tuple(
        Label(
            left + cell * number,
            top + 20 * unit,
            _round_yards(bar_yards * number / cells) + (" yd" if number == cells else ""),
        )
        for number in (
            (0, cells // 2, cells) if _has_middle(bar_yards, cells, chart_frame) else (0, cells)
        )
    )
    return Cartouche(box, tuple(placed), ScaleBar(left, top, cell, cells, labels)), is_clear


def _fitted(words: str, size: float, style: str, widest: float) -> tuple[str, float, str]:
    """A line within the given width: shrunk first, and cut only if that is not enough."""
    if not words:
        return words, size, style
    face = _FACES[style]
    smaller = size * min(max(widest / label_width(words, face, size), 0.72), 1.0)
    return cut(words, face, smaller, widest * 1.001), smaller, style


def rose_wish(chart_frame: ChartFrame) -> LabelRequest[tuple[str, str]]:
    """The label request of the compass rose, which needs an empty corner."""
    radius = rose_radius(chart_frame)
    sea = chart_frame.sea.grown(-10 * chart_frame.unit - radius * 1.15)
    spots = [
        LabelSpot((Box.around((x, y), 2.35 * radius, 2.35 * radius),), number * 0.5)
        for number, (x, y) in enumerate(
            (
                (sea.right, sea.bottom),
                (sea.right, sea.top),
                (sea.left, sea.top),
                (sea.left, sea.bottom),
                (sea.right, sum((sea.top, sea.bottom)) / 2),
                (sea.left, sum((sea.top, sea.bottom)) / 2),
                (sum((sea.left, sea.right)) / 2, sea.top),
                (sum((sea.left, sea.right)) / 2, sea.bottom),
            )
        )
    ]
    return LabelRequest(ROSE_KEY, tuple(spots), worst=19.0)


def rose_radius(chart_frame: ChartFrame) -> float:
    """The radius of the compass rose."""
    return 36 * chart_frame.unit


def graduations(chart_frame: ChartFrame) -> tuple[Box, ...]:
    """The dark bars of the frame: every other round step of yards from the table's origin."""
    step = round_step(46 * chart_frame.unit / chart_frame.px_per_yard)
    thick = 3 * chart_frame.unit
    sea = chart_frame.sea
    bars = []
    origin_x, origin_y = chart_frame.at(0.0, 0.0)
    length = chart_frame.px(step)
    for start, end in _every_other(sea.left, sea.right, origin_x, length):
        bars.append(Box(start, sea.top - thick, end, sea.top))
        bars.append(Box(start, sea.bottom, end, sea.bottom + thick))
    for start, end in _every_other(sea.top, sea.bottom, origin_y, length):
        bars.append(Box(sea.left - thick, start, sea.left, end))
        bars.append(Box(sea.right, start, sea.right + thick, end))
    return tuple(bars)


def _every_other(
    low: float, high: float, origin: float, length: float
) -> list[tuple[float, float]]:
    first = math.floor((low - origin) / (2 * length))
    last = math.ceil((high - origin) / (2 * length))
    spans = (
        (max(origin + 2 * length * number, low), min(origin + length * (2 * number + 1), high))
        for number in range(first, last + 1)
    )
    return [(start, end) for start, end in spans if end > start]


def _scale_bar(chart_frame: ChartFrame) -> tuple[float, int]:
    """The length of the scale bar in yards, and the number of its cells."""
    yards = round_step(150 * chart_frame.unit / chart_frame.px_per_yard)
    # A step is 1, 2 or 5 times a power of ten.
    is_five = round(yards / 10 ** math.floor(math.log10(yards))) == 5
    return yards, 5 if is_five else 4


def _has_middle(yards: float, cells: int, chart_frame: ChartFrame) -> bool:
    """Whether the middle figure fits beside the figure at the end."""
    size = 12 * chart_frame.unit
    needed = label_width(f"{_round_yards(yards / 2)}{_round_yards(yards)} yd", Face.SANS, size)
    return cells == 4 and chart_frame.px(yards) / 2 > needed / 2 + size / 2


def _round_yards(yards: float) -> str:
    return figure(yards, ",.0f" if yards >= 1 or yards == 0 else "g")


def _corner(
    chart_frame: ChartFrame,
    width: float,
    height: float,
    obstacles: Sequence[Box],
    lines: Sequence[AvoidedLine],
) -> tuple[Box, bool]:
    inner = chart_frame.sea.grown(-8 * chart_frame.unit)
    corners = (
        Box(inner.left, inner.bottom - height, inner.left + width, inner.bottom),
        Box(inner.right - width, inner.bottom - height, inner.right, inner.bottom),
        Box(inner.left, inner.top, inner.left + width, inner.top + height),
        Box(inner.right - width, inner.top, inner.right, inner.top + height),
    )

    def price(box: Box) -> tuple[int, int]:
        room = box.grown(8 * chart_frame.unit)
        hulls = sum(room.overlap(other) > 0 for other in obstacles)
        crossed = sum(box.meets_line(line.start, line.end) for line in lines)
        # A single selected line must stay visible; of many, some may be covered.
        return (hulls + crossed, 0) if len(lines) == 1 else (hulls, crossed)

    best = min(corners, key=price)
    return best, price(best)[0] == 0
