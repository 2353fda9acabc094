"""Drawing only: what the tracker knows, on a copy of the frame it came from.

A ship's state shows in the shape of her mark and in words as well as in colour: settled is a full
outline, moving a broken one, stale a crossed one with her age.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import TablePlane, TableSize
from tabletop.messages import Message
from vision.detect import Image
from vision.snapshot import CameraState, ShipState, Snapshot, TrackedShip

Array = NDArray[np.float64]
Colour = tuple[int, int, int]
Words = Callable[[Message], str]
"""Turns a message into the text that is drawn."""

COLOURS: Final[dict[ShipState, Colour]] = {
    ShipState.SETTLED: (120, 230, 130),
    ShipState.MOVING: (60, 190, 255),
    ShipState.STALE: (190, 160, 255),
}
"""Blue, green, red; light enough to read on a dark sea, told apart by the colour-blind."""
_FRAME: Final[Colour] = (235, 220, 170)
_WARNING: Final[Colour] = (90, 110, 255)
_INK: Final[Colour] = (20, 20, 20)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_ARROW_MM: Final = 62.0
_HALF_MM: Final = 21.0
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ł": "l", "×": "x", "±": "+-"}
)
_SHIFT: Final = 4
"""Drawing to a sixteenth of a pixel."""


def draw_snapshot(
    image: Image, snapshot: Snapshot, words: Words, table: TableSize | None = None
) -> Image:
    """The frame with corner markers, table, ships and whatever the players should know."""
    picture = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image.copy()
    if snapshot.mirrored:
        # Pixels count in the flipped picture, and words must not be mirrored.
        picture = np.ascontiguousarray(picture[:, ::-1])
    canvas = _Canvas(np.asarray(picture, dtype=np.uint8))
    if snapshot.plane is not None:
        if table is not None:
            canvas.outline(snapshot.plane.to_px(_rim(table)), _FRAME, 1)
        drawn = [_draw_ship(canvas, snapshot.plane, ship) for ship in snapshot.ships]
        _write_names(canvas, snapshot.ships, drawn, words)
    for corner in snapshot.corners:
        canvas.outline(corner.outline_px, _FRAME, 2, broken=not corner.visible)
        name = corner.corner.message
        if not corner.visible:
            name = Message("vision.overlay.hidden", corner=name)
        reach = corner.outline_px - corner.outline_px.mean(axis=0)
        canvas.text(
            corner.outline_px.mean(axis=0), words(name), _FRAME,
            below_px=-float(np.abs(reach[:, 1]).max()) - 16 * canvas.unit,
        )  # fmt: skip
    lines = [*snapshot.notes]
    report = snapshot.camera
    if report.state is not CameraState.OK:
        state = Message(f"vision.camera_state.{report.state}")
        said = Message("vision.overlay.state", state=state, words=report.message or state)
        lines.insert(0, said)
    canvas.banner(map(words, lines))
    return canvas.picture


class _Canvas:
    """A picture to draw on, with strokes and letters to its size."""

    def __init__(self, picture: Image) -> None:
        self.picture = picture
        self.unit = max(float(picture.shape[0]) / 1080, 0.5)

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.unit))

    def line(self, start: Array, end: Array, colour: Colour, width: float) -> None:
        points = [_fixed(point) for point in (start, end)]
        for ink, extra in ((_INK, 2.0), (colour, 0.0)):
            cv2.line(
                self.picture, points[0], points[1], ink, self._thick(width + extra),
                cv2.LINE_AA, _SHIFT,
            )  # fmt: skip

    def outline(
        self, corners: Array, colour: Colour, width: float, *, broken: bool = False
    ) -> None:
        if not broken:
            self._ring(corners, _INK, width + 2)
            self._ring(corners, colour, width)
            return
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            for share in (0.0, 0.4, 0.8):
                stop = min(share + 0.2, 1.0)
                self.line(
                    start + (end - start) * share, start + (end - start) * stop, colour, width
                )

    def arrow(self, start: Array, end: Array, colour: Colour, width: float) -> None:
        self.line(start, end, colour, width)
        back = (start - end) / max(float(np.linalg.norm(start - end)), 1e-6) * 11 * self.unit
        for turn in (-0.5, 0.5):
            cos, sin = math.cos(turn), math.sin(turn)
            barb = np.array([back[0] * cos - back[1] * sin, back[0] * sin + back[1] * cos])
            self.line(end, end + barb, colour, width)

    def _ring(self, points: Array, colour: Colour, width: float) -> None:
        clipped = np.clip(np.nan_to_num(points), -30_000, 30_000) * (1 << _SHIFT)
        fixed = np.round(clipped).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.picture, [fixed], True, colour, self._thick(width), cv2.LINE_AA, _SHIFT)

    def hairline(self, points: Array, colour: Colour) -> None:
        self._ring(points, colour, 0.0)

    def text(self, centre: Array, words: str, colour: Colour, *, below_px: float = 0.0) -> None:
        words = _plain_letters(words)
        size = 0.5 * self.unit
        thick = self._thick(1.2)
        (wide, tall), _ = cv2.getTextSize(words, _FONT, size, thick)
        height, width = self.picture.shape[:2]
        x = min(max(round(float(centre[0]) - wide / 2), 2), max(width - wide - 2, 2))
        y = min(max(round(float(centre[1]) + below_px + tall / 2), tall + 2), height - 4)
        self._write((x, y), words, size, colour, thick)

    def width_of(self, lines: Iterable[str]) -> float:
        """How wide the widest of these lines is written."""
        sizes = (
            cv2.getTextSize(_plain_letters(line), _FONT, 0.5 * self.unit, self._thick(1.2))[0]
            for line in lines
        )
        return float(max(wide for wide, _ in sizes))

    def banner(self, lines: Iterable[str]) -> None:
        """Sentences along the lower edge, broken to the picture's width."""
        size, thick = 0.55 * self.unit, self._thick(1.2)
        height, width = self.picture.shape[:2]
        rows = [row for line in lines for row in self._rows(line, size, thick, width)]
        step = round(24 * self.unit)
        top = height - step * len(rows) - step // 2
        if not rows:
            return
        strip = self.picture[max(top, 0) :]
        strip[:] = (strip * 0.35).astype(np.uint8)
        for i, row in enumerate(rows):
            self._write((step // 2, top + step * (i + 1) - step // 4), row, size, _FRAME, thick)

    def _rows(self, line: str, size: float, thick: int, width: int) -> list[str]:
        rows, row = [], ""
        for word in _plain_letters(line).split():
            longer = f"{row} {word}".strip()
            if row and cv2.getTextSize(longer, _FONT, size, thick)[0][0] > width * 0.96:
                rows.append(row)
                longer = word
            row = longer
        return [*rows, row]

    def _write(
        self, place: tuple[int, int], words: str, size: float, colour: Colour, thick: int
    ) -> None:
        for ink, width in ((_INK, thick + self._thick(2.5)), (colour, thick)):
            cv2.putText(self.picture, words, place, _FONT, size, ink, width, cv2.LINE_AA)


def _draw_ship(canvas: _Canvas, plane: TablePlane, ship: TrackedShip) -> Array:
    """Draw her marker; the points that it covers, the tip of the bow last."""
    colour = COLOURS[ship.state]
    pose = ship.pose
    angle = math.radians(pose.heading_deg)
    ahead = np.array([math.sin(angle), math.cos(angle)])
    right = np.array([math.cos(angle), -math.sin(angle)])
    centre = np.array([pose.x_mm, pose.y_mm])
    square = np.array([(1, -1), (1, 1), (-1, 1), (-1, -1)]) * _HALF_MM
    corners = plane.to_px(centre + square[:, :1] * ahead + square[:, 1:] * right)
    bow = plane.to_px(centre + ahead * _ARROW_MM)
    canvas.outline(corners, colour, 2, broken=ship.state is ShipState.MOVING)
    if ship.state is ShipState.STALE:
        canvas.line(corners[0], corners[2], colour, 1.5)
        canvas.line(corners[1], corners[3], colour, 1.5)
    canvas.arrow(plane.to_px(centre + ahead * _HALF_MM), bow, colour, 2)
    # The circle of 2 σ on the table, drawn as the camera sees it; often smaller than a pixel.
    turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = centre + 2 * pose.position_sigma_mm * np.column_stack([np.cos(turns), np.sin(turns)])
    canvas.hairline(plane.to_px(ring), _WARNING)
    return np.vstack([corners, bow])


def _write_names(
    canvas: _Canvas, ships: Sequence[TrackedShip], drawn: Sequence[Array], words: Words
) -> None:
    """Each ship's name and heading where they cover no marker and no other words, if they can."""
    taken = [np.concatenate([points.min(axis=0), points.max(axis=0)]) for points in drawn]
    for ship, points in zip(ships, drawn, strict=True):
        lines = (
            ship.name,
            f"{round(ship.pose.heading_deg) % 360:03d} {words(_condition(ship))}",
        )
        half = np.array([canvas.width_of(lines) / 2, 18 * canvas.unit])
        middle, bow = points[:4].mean(axis=0), points[4]
        reach = np.abs(points[:4] - middle).max(axis=0) + half + 6 * canvas.unit
        # The words keep out of the arrow's way, and rather stand below or above than aside.
        upright = 1.0 if bow[1] <= middle[1] else -1.0
        ways = [(0, upright), (0, -upright), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
        places = [middle + reach * np.array(way) for way in ways]
        boxes = [np.concatenate([place - half, place + half]) for place in places]
        best = min(range(len(ways)), key=lambda n: _covered(boxes[n], taken))
        taken.append(boxes[best])
        for line, down in zip(lines, (-9, 9), strict=True):
            canvas.text(places[best], line, COLOURS[ship.state], below_px=down * canvas.unit)


def _covered(box: Array, taken: Sequence[Array]) -> float:
    """How much of what is there already a box would cover, in square pixels."""
    others = np.array(taken)
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    return float(np.clip(sides, 0, None).prod(axis=1).sum())


def _condition(ship: TrackedShip) -> Message:
    if ship.state is ShipState.STALE:
        return Message("vision.overlay.unseen", seconds=ship.age_seconds)
    if ship.state is ShipState.MOVING:
        return Message("vision.overlay.moving")
    return Message("vision.overlay.within", mm=2 * ship.pose.position_sigma_mm)


def _rim(table: TableSize) -> Array:
    """The table's frame as many points, since a lens bends its sides."""
    corners = table.corner_places_mm
    steps = np.linspace(0, 1, 12, endpoint=False)[:, None]
    sides = [
        start + (end - start) * steps
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    return np.concatenate(sides)


def _fixed(point: Array) -> tuple[int, int]:
    # Far outside the picture OpenCV's integers would overflow.
    x, y = np.clip(np.nan_to_num(point), -30_000, 30_000) * (1 << _SHIFT)
    return round(float(x)), round(float(y))


def _plain_letters(words: str) -> str:
    """OpenCV's letters know no accents: ü becomes u rather than two question marks."""
    bare = unicodedata.normalize("NFKD", words.translate(_LETTERS))
    return bare.encode("ascii", "ignore").decode("ascii")
