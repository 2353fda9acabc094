"""The boxes of a ship in the Basic Game's hit record: a row for each section."""

from collections.abc import Iterator, Sequence
from typing import Final

from combat.conversions import BoxRow
from web.drawing.figures import Drawing, Figure, Text, hatched, polygon
from web.drawing.fonts import Face
from web.drawing.geometry import corners
from web.strings import text, words

WIDTH: Final = 358.0
"""The width of a phone's page between its margins."""
_PITCH: Final = 26.0
_BOX: Final = 18.0
_LEFT: Final = 150.0
_LETTERS: Final = 14.0


def draw_boxes(rows: Sequence[BoxRow]) -> Drawing:
    """The rows: a section's title, its boxes, and how many are marked."""
    items: list[Figure] = []
    for number, row in enumerate(rows):
        items += _row(row, number * _PITCH + 2)
    row_texts = [text("convert.spoken", title=row.title, words=row.words) for row in rows]
    return Drawing(WIDTH, len(rows) * _PITCH + 2, tuple(items), "; ".join(map(str, row_texts)))


def _row(row: BoxRow, top: float) -> Iterator[Figure]:
    baseline = top + _BOX - 4
    yield Text((0.0, baseline), words(row.title), _LETTERS, "ink_2")
    if not row.boxes:
        colour = "harm" if row.marked else "ink"
        yield Text((_LEFT, baseline), words(row.words), _LETTERS, colour, face=Face.SANS_SEMIBOLD)
        return
    step = min(_BOX + 2.5, (WIDTH - _LEFT) / row.boxes)
    size = step - 2.5
    for number in range(row.boxes):
        outline = corners(_LEFT + number * step, top + (_BOX - size) / 2, size, size)
        if number < row.marked:
            yield from hatched(outline)
        yield polygon(outline, stroke="ink_2", width=1)
