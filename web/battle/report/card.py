"""The result of a battle as one picture to share: map, losses, luck and the best salvo."""

from collections.abc import Iterator
from typing import Final

from web.battle.report.pictures import segment_maps
from web.battle.report.report import Report, ReportedFire
from web.drawing.document import placed
from web.drawing.figures import Drawing, Figure, Shape, Text, line
from web.drawing.fonts import Face, cut, text_width, wrap
from web.drawing.geometry import Path
from web.drawing.report_map import WIDTH as MAP_WIDTH
from web.drawing.theme import side_colour
from web.sides import side_name
from web.strings import text, words

WIDTH: Final = 1080.0
_MARGIN: Final = 56.0
_INNER: Final = WIDTH - 2 * _MARGIN
_TITLE, _HEAD, _TEXT, _SMALL = 58.0, 30.0, 27.0, 22.0
_LEADING: Final = 1.32
_DOT_ROOM: Final = 10.0
_MOST_SHIPS: Final = 8
"""More ships of a side than these are counted, those that were lost first."""


def result_card(report: Report) -> Drawing:
    """The picture, as tall as its content."""
    items: list[Figure] = []
    y = _MARGIN
    for drawn, height in _parts(report):
        items += (_moved(each, y) for each in drawn)
        y += height
    height = y + _MARGIN * 0.6
    ground = Shape(Path().rectangle(0, 0, WIDTH, height), fill="surface")
    frame = Shape(Path().rectangle(16, 16, WIDTH - 32, height - 32), stroke="line_strong", width=2)
    spoken = f"{report.title}. {report.outcome}"
    return Drawing(WIDTH, height, (ground, frame, *items), spoken, report.title)


def best_salvo(report: Report) -> ReportedFire | None:
    """The fire with the most hits, of several the least likely one; None if nothing was hit."""
    fires = [fire for segment in report.segments for fire in segment.fires if fire.hits]
    return max(fires, key=lambda fire: (fire.hits, -(fire.expected or 0.0)), default=None)


_Part = tuple[list[Figure], float]
"""Figures from a height of 0 on, and the height of what follows."""


def _parts(report: Report) -> Iterator[_Part]:
    yield _lines(report.title, Face.SERIF, _TITLE, "ink")
    yield _lines(report.outcome, Face.SERIF_ITALIC, _HEAD, "ink_2")
    if report.conditions:
        yield _lines(report.conditions, Face.SANS, _SMALL, "ink_3")
    yield [], 14.0
    maps = segment_maps(report)
    if maps:
        scale = _INNER / MAP_WIDTH
        yield [placed(maps[-1], _MARGIN, 0.0, scale)], maps[-1].height * scale + 28
    yield _sides(report)
    if report.luck and report.segments:
        yield from _section(
            str(text("report.luck")),
            [(f"{side_name(report.sides[each.side])}: {each.words}") for each in report.luck],
        )
    best = best_salvo(report)
    if best is not None:
        yield from _section(str(text("report.best_salvo")), [words(best.entry.line.text)])
    yield _lines(f"{report.rules} · Dreyer Table", Face.SANS, _SMALL, "ink_3")


def _section(title: str, sentences: list[str]) -> Iterator[_Part]:
    yield _lines(title, Face.SANS_SEMIBOLD, _HEAD * 0.9, "ink")
    for sentence in sentences:
        yield _lines(sentence, Face.SANS, _TEXT, "ink_2")
    yield [], 18.0


def _sides(report: Report) -> _Part:
    """The sides beside one another, with the fates of their ships."""
    sides = list(report.sides)
    width = _INNER / max(len(sides), 1)
    figures: list[Figure] = []
    lowest = 0.0
    for number, side in enumerate(sides):
        x, y = _MARGIN + number * width, _HEAD
        colour = side_colour(side)
        name = cut(side_name(side), Face.SERIF, _HEAD, width - 20, text_width)
        figures.append(Text((x, y), name, _HEAD, colour, face=Face.SERIF))
        fates = sorted(report.of_side(side.key), key=lambda fate: not fate.sunk)
        for fate in fates[:_MOST_SHIPS]:
            y += _TEXT * _LEADING
            told = _DOT_ROOM + text_width(f"· {fate.words}", Face.SANS, _SMALL)
            ship = cut(fate.ship, Face.SERIF_ITALIC, _TEXT, width - 24 - told, text_width)
            figures.append(Text((x, y), ship, _TEXT, "ink", face=Face.SERIF_ITALIC))
            after = x + text_width(ship, Face.SERIF_ITALIC, _TEXT) + _DOT_ROOM
            ink = "harm" if fate.sunk else "ink_3"
            figures.append(Text((after, y), f"· {fate.words}", _SMALL, ink))
        more = len(fates) - _MOST_SHIPS
        if more > 0:
            y += _TEXT * _LEADING
            figures.append(Text((x, y), str(text("report.more_ships", n=more)), _SMALL, "ink_3"))
        for label, owner in report.unknown:
            if owner == side.key:
                y += _TEXT * _LEADING
                figures.append(Text((x, y), label, _TEXT, "ink_3", face=Face.SERIF_ITALIC))
        lowest = max(lowest, y)
    bottom = lowest + 26
    figures.append(
        line((_MARGIN, bottom), (WIDTH - _MARGIN, bottom), colour="line_strong", width=1.5)
    )
    return figures, bottom + 24


def _lines(words_: str, face: Face, size: float, colour: str) -> _Part:
    rows = wrap(words_, face, size, _INNER, text_width)
    figures: list[Figure] = [
        Text(
            (_MARGIN, size * (0.95 + number * _LEADING * 0.9)),
            cut(row, face, size, _INNER, text_width),
            size,
            colour,
            face=face,
        )
        for number, row in enumerate(rows)
    ]
    return figures, size * _LEADING * (0.12 + 0.92 * len(rows))


def _moved(figure: Figure, down: float) -> Figure:
    return placed(Drawing(0, 0, (figure,)), 0.0, down, 1.0)
