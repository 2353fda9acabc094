"""The words on the camera's picture: names of ships, corners, and what players should know.

They are drawn as in every other picture, with fonts for any script, and names keep apart. A
`CaptionWriter` remembers where each name was, so that names do not jump from picture to picture.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.compositing import decode_layer, edged_line, stamp
from vision.images import Image
from vision.overlay import FRAME_COLOUR, Captions, Colour, ShipCaption
from web.drawing.figures import Drawing, Text
from web.drawing.fonts import Face, label_width, wrap
from web.drawing.geometry import Box, Point
from web.drawing.labels import LabelSpot, NamedModel, leader_line, name_requests, place
from web.drawing.png import png_from_svg
from web.drawing.svg import svg_file

_REFERENCE_PX: Final = 1080
"""The height of a picture whose letters have the sizes below."""
_LEAST_UNIT: Final = 0.55
_NAME_PX: Final = 21.0
_NOTE_PX: Final = 17.0
_BANNER_PX: Final = 19.0
_LINE: Final = 1.3
_CORNER_PX: Final = 17.0
_HALO: Final = "#141414"
_BANNER_SHADE: Final = 0.35
_NAME_FACE: Final = Face.SANS_SEMIBOLD


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text, centred on a point of its baseline."""

    words: str
    size: float
    colour: str
    face: Face

    @property
    def tile(self) -> tuple[int, int]:
        """The width and height of a picture of it."""
        width = label_width(self.words, self.face, self.size) * 1.1 + self.size
        return math.ceil(width), math.ceil(self.size * 1.8)

    @property
    def baseline(self) -> int:
        """From the top of that picture."""
        return round(self.size * 1.3)


_Tiles = dict[_Line, NDArray[np.uint8]]


class CaptionWriter:
    """Writes the captions of one picture after another. Only one thread may use it."""

    def __init__(self) -> None:
        self._offsets: dict[str, tuple[Point, LabelSpot]] = {}
        """Where each ship was, and her name."""
        self._tiles: _Tiles = {}
        """The lines of the last picture, drawn: most of them are on the next one, too."""

    def write(self, picture: Image, captions: Captions, scale: float) -> Image:
        """The picture with its captions, whose pixels are this many of its own."""
        height, width = picture.shape[:2]
        frame = Box(0, 0, width, height)
        unit = max(height / _REFERENCE_PX, _LEAST_UNIT)
        rows = _banner_rows(captions, width, unit)
        written = np.array(picture, dtype=np.uint8)
        edge = height
        if rows:
            edge = max(round(height - (len(rows) + 0.5) * _BANNER_PX * _LINE * unit), 0)
            written[edge:] = (written[edge:] * _BANNER_SHADE).astype(np.uint8)
        free = Box(2, 2, width - 2, edge - 2)
        lines = [
            *_corner_lines(captions, scale, unit, frame),
            *self._ship_lines(written, captions.ships, scale, unit, free),
            *_banner_lines(rows, edge, unit),
        ]
        wanted = [line for line, _ in lines]
        new = _drawn([line for line in dict.fromkeys(wanted) if line not in self._tiles])
        self._tiles = {
            line: self._tiles[line] if line in self._tiles else new[line] for line in wanted
        }
        for line, at in lines:
            left, top = round(at[0] - line.tile[0] / 2), round(at[1] - line.baseline)
            stamp(written, self._tiles[line], left, top)
        return written

    def _ship_lines(
        self,
        written: Image,
        ships: tuple[ShipCaption, ...],
        scale: float,
        unit: float,
        frame: Box,
    ) -> Iterator[tuple[_Line, Point]]:
        models = [self._model(ship, scale, unit) for ship in ships]
        seen = [
            (ship, model)
            for ship, model in zip(ships, models, strict=True)
            if frame.nearest(model.at) == model.at
        ]
        spots = place(name_requests([model for _, model in seen], frame, gap=6 * unit), frame=frame)
        points = [model.at for _, model in seen]
        self._offsets = {
            model.key: (model.at, spots[model.key]) for _, model in seen if model.key in spots
        }
        for ship, model in seen:
            if model.key in spots:
                spot = spots[model.key]
                _draw_leader(written, ship, model, spot.boxes[0], points, unit)
                yield from _ship_words(ship, spot, unit)

    def _model(self, ship: ShipCaption, scale: float, unit: float) -> NamedModel[str]:
        covers = [(x * scale, y * scale) for x, y in ship.covers]
        xs, ys = zip(*covers, strict=True)
        at = ship.at[0] * scale, ship.at[1] * scale
        # Small movements of the camera's reading do not move names.
        at = round(at[0] / 3) * 3.0, round(at[1] / 3) * 3.0
        box = Box(min(xs), min(ys), max(xs), max(ys))
        return NamedModel(
            ship.name,
            at,
            max(box.width, box.height) / 2,
            (box.grown(2 * unit),),
            max(
                label_width(ship.name, _NAME_FACE, _NAME_PX * unit),
                label_width(ship.note, Face.SANS, _NOTE_PX * unit),
            ),
            (_NAME_PX + _NOTE_PX) * 1.15 * unit,
            self._before(ship.name, at),
        )

    def _before(self, name: str, at: Point) -> LabelSpot | None:
        if name not in self._offsets:
            return None
        (x, y), spot = self._offsets[name]
        box, dx, dy = spot.boxes[0], at[0] - x, at[1] - y
        moved = Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)
        return LabelSpot((moved,), spot.penalty, scale=spot.scale)


def _draw_leader(
    written: Image,
    ship: ShipCaption,
    model: NamedModel[str],
    box: Box,
    points: list[Point],
    unit: float,
) -> None:
    reach = model.reach * 0.6
    leader = leader_line(box, model.at, reach, points, far=model.reach + 24 * unit)
    if leader is not None:
        edged_line(written, *leader, ship.colour, 1.4 * unit)


def _ship_words(ship: ShipCaption, spot: LabelSpot, unit: float) -> Iterator[tuple[_Line, Point]]:
    box, colour = spot.boxes[0], _hex(ship.colour)
    x = (box.left + box.right) / 2
    name, note = _NAME_PX * unit * spot.scale, _NOTE_PX * unit * spot.scale
    yield _Line(ship.name, name, colour, _NAME_FACE), (x, box.top + name * 0.9)
    at = x, box.top + name * 1.15 + note * 0.85
    yield _Line(ship.note, note, colour, Face.SANS), at


def _corner_lines(
    captions: Captions, scale: float, unit: float, frame: Box
) -> Iterator[tuple[_Line, Point]]:
    size = _CORNER_PX * unit
    for corner in captions.corners:
        x, y = corner.at[0] * scale, corner.at[1] * scale - 8 * unit
        width = label_width(corner.words, Face.SANS, size)
        box = Box(x - width / 2, y - size, x + width / 2, y + 0.3 * size).slid_into(frame)
        at = (box.left + box.right) / 2, box.bottom - 0.3 * size
        yield _Line(corner.words, size, _hex(FRAME_COLOUR), Face.SANS), at


def _banner_rows(captions: Captions, width: int, unit: float) -> list[str]:
    size = _BANNER_PX * unit
    return [
        row
        for sentence in captions.banner
        for row in wrap(sentence, Face.SANS, size, width - 2 * size)
    ]


def _banner_lines(rows: list[str], top: float, unit: float) -> Iterator[tuple[_Line, Point]]:
    size = _BANNER_PX * unit
    for number, row in enumerate(rows):
        line = _Line(row, size, _hex(FRAME_COLOUR), Face.SANS)
        middle = size + label_width(row, Face.SANS, size) / 2
        yield line, (middle, top + (number + 1.1) * size * _LINE)


def _drawn(lines: Sequence[_Line]) -> _Tiles:
    """Pictures of lines of text, from one drawing of them all below one another."""
    if not lines:
        return {}
    width = max(line.tile[0] for line in lines)
    tops = list(accumulate((line.tile[1] for line in lines), initial=0))
    items = tuple(
        Text(
            (line.tile[0] / 2, top + line.baseline),
            line.words,
            line.size,
            line.colour,
            "middle",
            line.face,
            halo=_HALO,
            halo_width=line.size / 5,
        )
        for line, top in zip(lines, tops, strict=False)
    )
    svg = svg_file(Drawing(width, tops[-1], items), "dark")
    sheet = decode_layer(png_from_svg(svg, width=width))
    return {
        line: sheet[top : top + line.tile[1], : line.tile[0]].copy()
        for line, top in zip(lines, tops, strict=False)
    }


def _hex(colour: Colour) -> str:
    blue, green, red = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
