"""Drawings on paper: the same figures as on the page, black on white."""

from typing import Final

from calibration.paper import MM_PER_POINT, Font, Paper, Path, missing_letters
from web.battle.sheet_ink import PAPER, Disc, Drawing, Stroke, Words

SIZES_MM: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM: Final = 13.0
_ANCHORS: Final = {"start": "left", "middle": "centre", "end": "right"}
_THINNEST_MM: Final = 0.12


def paint(paper: Paper, drawing: Drawing, x: float, y: float, scale: float) -> None:
    """Draw by the upper left corner, at so many millimetres for a unit of the drawing."""
    for item in drawing.items:
        if isinstance(item, Words):
            write(
                paper,
                (x + item.at[0] * scale, y + item.at[1] * scale),
                item.text,
                _font(item),
                item.size * scale / MM_PER_POINT,
                PAPER[item.colour],
                item.anchor,
            )
            continue
        path = Path()
        if isinstance(item, Disc):
            path.circle(x + item.at[0] * scale, y + item.at[1] * scale, item.radius * scale)
            dashes: tuple[float, ...] = ()
        else:
            for points in item.lines:
                _add_line(path, item, points, x, y, scale)
            dashes = tuple(dash * scale for dash in item.dashes)
        if item.fill:
            paper.fill(path, PAPER[item.fill])
        if item.stroke:
            width = max(item.width * scale, _THINNEST_MM)
            paper.stroke(path, PAPER[item.stroke], width, dashes)


def write(
    paper: Paper,
    at: tuple[float, float],
    words: str,
    font: Font,
    size_pt: float,
    colour: str = PAPER["ink"],
    anchor: str = "start",
) -> None:
    """A line of text; a letter that the typeface lacks becomes a question mark."""
    for letter in missing_letters(words, font):
        words = words.replace(letter, "?")
    align = _ANCHORS[anchor]
    if align == "left":
        paper.text(*at, words, font, size_pt, colour, "left")
    elif align == "centre":
        paper.text(*at, words, font, size_pt, colour, "centre")
    else:
        paper.text(*at, words, font, size_pt, colour, "right")


def rule(paper: Paper, x: float, y: float, width_mm: float, thick_mm: float = 0.2) -> None:
    """A line across the page."""
    path = Path().move(x, y).line(x + width_mm, y)
    paper.stroke(path, PAPER["line_strong"], thick_mm)


def _font(item: Words) -> Font:
    if item.name:
        return Font.NAME
    return Font.SANS_BOLD if item.bold else Font.SANS


def _add_line(
    path: Path,
    item: Stroke,
    points: tuple[tuple[float, float], ...],
    x: float,
    y: float,
    scale: float,
) -> None:
    placed = [(x + px * scale, y + py * scale) for px, py in points]
    if item.closed:
        path.polygon(placed)
        return
    path.move(*placed[0])
    for point in placed[1:]:
        path.line(*point)
