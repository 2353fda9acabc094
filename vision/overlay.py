"""Drawing only: what the tracker knows, on a copy of the frame it came from.

A ship's state shows in the shape of her mark and in words as well as in colour: settled is a full
outline, moving a broken one, stale a crossed one with her age. The words are `captions_of` a
snapshot; whoever shows the picture writes them, for OpenCV has no letters but those of English.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from tabletop.messages import Message
from vision.images import Array, Image
from vision.snapshot import CameraState, ShipState, Snapshot, TrackedShip

Colour = tuple[int, int, int]
Words = Callable[[Message], str]
"""Turns a message into the text that is written."""
Point = tuple[float, float]

COLOURS: Final[dict[ShipState, Colour]] = {
    ShipState.SETTLED: (120, 230, 130),
    ShipState.MOVING: (60, 190, 255),
    ShipState.STALE: (190, 160, 255),
}
"""Blue, green, red; light enough to read on a dark sea, told apart by the colour-blind."""
_FRAME: Final[Colour] = (235, 220, 170)
_WARNING: Final[Colour] = (90, 110, 255)
_INK: Final[Colour] = (20, 20, 20)
_ARROW_MM: Final = 62.0
_HALF_MM: Final = 21.0
_SHIFT: Final = 4
"""Drawing to a sixteenth of a pixel."""


@dataclass(frozen=True, slots=True)
class ShipCaption:
    """What is written beside a ship: her name, then her heading and state."""

    name: str
    note: str
    colour: Colour
    at: Point
    """The middle of her marker, in pixels of the picture."""
    covers: tuple[Point, ...]
    """The corners of her marker and the tip of her bow."""


@dataclass(frozen=True, slots=True)
class CornerCaption:
    """What is written above a corner marker."""

    words: str
    at: Point
    """The middle of its upper edge, in pixels of the picture."""


@dataclass(frozen=True, slots=True)
class Captions:
    """All that is written on a picture."""

    ships: tuple[ShipCaption, ...]
    corners: tuple[CornerCaption, ...]
    banner: tuple[str, ...]
    """Sentences that the players should read."""


FRAME_COLOUR: Final = _FRAME
"""The colour of corners and of the banner's words."""


def draw_snapshot(image: Image, snapshot: Snapshot, table: TableSize | None = None) -> Image:
    """The frame with corner markers, table and ships, without words."""
    picture = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image.copy()
    if snapshot.mirrored:
        # Pixels count in the flipped picture, and words must not be mirrored.
        picture = np.ascontiguousarray(picture[:, ::-1])
    canvas = _Canvas(np.asarray(picture, dtype=np.uint8))
    if snapshot.plane is not None:
        if table is not None:
            canvas.outline(snapshot.plane.to_px(_rim(table)), _FRAME, 1)
        for ship in snapshot.ships:
            _draw_ship(canvas, snapshot.plane, ship)
    for tag in snapshot.unknown:
        canvas.outline(tag.outline_px, _WARNING, 2, broken=True)
    for corner in snapshot.corners:
        canvas.outline(corner.outline_px, _FRAME, 2, broken=not corner.visible)
    return canvas.picture


def captions_of(snapshot: Snapshot, words: Words) -> Captions:
    """What is written on the picture of a snapshot."""
    lines = [*snapshot.notes]
    report = snapshot.camera
    if report.state is not CameraState.OK:
        state = Message(f"vision.camera_state.{report.state}")
        said = Message("vision.overlay.state", state=state, words=report.message or state)
        lines.insert(0, said)
    plane = snapshot.plane
    return Captions(
        ships=()
        if plane is None
        else tuple(_caption(plane, ship, words) for ship in snapshot.ships),
        corners=tuple(_corner_captions(snapshot, words)),
        banner=tuple(map(words, lines)),
    )


def _caption(plane: TablePlane, ship: TrackedShip, words: Words) -> ShipCaption:
    corners, bow = _marker_px(plane, ship)
    points = np.vstack([corners, bow])
    return ShipCaption(
        ship.name,
        f"{round(ship.pose.heading_deg) % 360:03d} {words(_condition(ship))}",
        COLOURS[ship.state],
        _point(corners.mean(axis=0)),
        tuple(map(_point, points)),
    )


def _corner_captions(snapshot: Snapshot, words: Words) -> Iterator[CornerCaption]:
    for corner in snapshot.corners:
        name = corner.corner.message
        if not corner.visible:
            name = Message("vision.overlay.hidden", corner=name)
        x, y = _point(corner.outline_px.mean(axis=0))
        above = float(np.abs(corner.outline_px[:, 1] - y).max())
        yield CornerCaption(words(name), (x, y - above))


def _point(pixel: Array) -> Point:
    x, y = np.clip(np.nan_to_num(pixel), -30_000, 30_000)
    return float(x), float(y)


class _Canvas:
    """A picture to draw on, with strokes to its size."""

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


def _draw_ship(canvas: _Canvas, plane: TablePlane, ship: TrackedShip) -> None:
    colour = COLOURS[ship.state]
    pose = ship.pose
    corners, bow = _marker_px(plane, ship)
    canvas.outline(corners, colour, 2, broken=ship.state is ShipState.MOVING)
    if ship.state is ShipState.STALE:
        canvas.line(corners[0], corners[2], colour, 1.5)
        canvas.line(corners[1], corners[3], colour, 1.5)
    centre, ahead, _ = _axes(ship)
    canvas.arrow(plane.to_px(centre + ahead * _HALF_MM), bow, colour, 2)
    # The circle of 2 σ on the table, drawn as the camera sees it; often smaller than a pixel.
    turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = centre + 2 * pose.position_sigma_mm * np.column_stack([np.cos(turns), np.sin(turns)])
    canvas.hairline(plane.to_px(ring), _WARNING)


def _marker_px(plane: TablePlane, ship: TrackedShip) -> tuple[Array, Array]:
    """The corners of her marker, and the tip of the arrow at her bow."""
    centre, ahead, right = _axes(ship)
    square = np.array([(1, -1), (1, 1), (-1, 1), (-1, -1)]) * _HALF_MM
    corners = plane.to_px(centre + square[:, :1] * ahead + square[:, 1:] * right)
    return corners, plane.to_px(centre + ahead * _ARROW_MM)


def _axes(ship: TrackedShip) -> tuple[Array, Array, Array]:
    """Her middle on the table, and the directions ahead and to starboard."""
    angle = math.radians(ship.pose.heading_deg)
    ahead = np.array([math.sin(angle), math.cos(angle)])
    right = np.array([math.cos(angle), -math.sin(angle)])
    return np.array([ship.pose.x_mm, ship.pose.y_mm]), ahead, right


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
