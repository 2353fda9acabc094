"""What is on a drawing, for tests."""

from collections.abc import Iterable, Iterator

from web.drawing.figures import Drawing, Figure, Group, Text
from web.drawing.fonts import label_width
from web.drawing.geometry import Box


def figures_of(drawing: Drawing) -> Iterator[Figure]:
    """All figures, those of groups too, as they stand in their groups."""
    return _all_of(drawing.items)


def box_of(text: Text) -> Box:
    """What a text covers that is not turned."""
    width = label_width(text.words, text.face, text.size)
    x, y = text.at
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return Box(left, y - 0.8 * text.size, left + width, y + 0.25 * text.size)


def words_in(drawing: Drawing) -> set[str]:
    """Every text of a drawing."""
    return {item.words for item in figures_of(drawing) if isinstance(item, Text)}


def _all_of(items: Iterable[Figure]) -> Iterator[Figure]:
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from _all_of(item.items)
