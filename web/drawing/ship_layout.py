"""The layout of a ship's drawing: her parts along the keel, in order and without overlaps.

The data has the distance of each part from the bow. True to scale a ship is too narrow for readable
boxes, so she is drawn wider, and parts that would overlap are moved along the keel.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.record_sheets import RecordSheet, SheetPart
from tabletop.arcs import Quadrant
from web.drawing.geometry import Point, smooth, spread

WIDTH: Final = 390.0
MIDDLE: Final = WIDTH / 2
BOX: Final = 20.0
ROW: Final = 23.0
_ROW_GAP: Final = 4.0
_BLOCK_EDGE: Final = 7.0
_LEAST_LENGTH: Final = 500.0
_TOP: Final = 4.0
_BOW_ROOM, _STERN_ROOM = 0.105, 34.0
_HOUSE: Final = 38.0
BARREL: Final = 20.0
MOUNT_WIDTH: Final = 26.0
_MOUNT_HEIGHTS: Final = (32.0, 25.0)
_MANY: Final = 5
"""From this many mounts in a row on they are drawn smaller."""
_BREADTHS: Final = (
    (0.0, 0.0), (0.04, 0.15), (0.085, 0.31), (0.148, 0.5), (0.214, 0.655), (0.284, 0.8),
    (0.362, 0.91), (0.447, 0.97), (0.537, 1.0), (0.63, 0.987), (0.724, 0.92), (0.817, 0.8),
    (0.899, 0.64), (0.96, 0.45), (1.0, 0.27),
)  # fmt: skip
"""The half breadth along a ship, relative to her greatest half breadth."""
_DECK: Final = ((0.0, 0.5), (0.025, 0.68), (0.2, 0.9), (0.38, 1.0), (0.9, 0.94), (1.0, 0.62))
"""The half breadth of a ship with a flight deck."""


@dataclass(frozen=True, slots=True)
class PartSpot:
    """A part with its place, and its length along the keel."""

    part: SheetPart
    at: Point
    height: float
    forward: bool = True
    """Whether its guns point towards the bow."""


@dataclass(frozen=True, slots=True)
class ShipLayout:
    """The layout of a ship."""

    length: float
    half_beam: float
    outline: tuple[Point, ...]
    deck: tuple[Point, ...]
    turrets: tuple[PartSpot, ...]
    secondaries: tuple[PartSpot, ...]
    block: tuple[float, float] | None
    """The upper and lower edge of the superstructure; None if it has no boxes."""
    block_parts: tuple[PartSpot, ...]
    """Its parts from the bow: conning tower, director, boxes, plotting room."""
    funnels: tuple[float, ...]
    rudder: PartSpot | None

    @property
    def height(self) -> float:
        """The height of the drawing."""
        return self.length + 2 * _TOP


def parts_of(sheet: RecordSheet, *kinds: str) -> tuple[SheetPart, ...]:
    """The parts of some kinds, in the order of the sheet."""
    return tuple(part for part in sheet.parts if part.kind in kinds)


def part_of(sheet: RecordSheet, kind: str) -> SheetPart | None:
    """The one part of a kind."""
    return next(iter(parts_of(sheet, kind)), None)


def lay_out(sheet: RecordSheet, hull: str) -> ShipLayout:
    """The layout of a ship's sheet."""
    turrets = parts_of(sheet, "turret")
    mounts = [part for part in parts_of(sheet, "secondary") if part.station is not None]
    block_rows, block_height = _block(sheet)
    centre = sorted(
        [
            *((_station(part), turret_room(part), part) for part in turrets),
            *((_station(part), _MOUNT_HEIGHTS[0], part) for part in mounts if part.side == "both"),
            *([(sum(sheet.superstructure) / 2, block_height, None)] if block_rows else []),
        ],
        key=lambda item: item[0],
    )
    gaps = 8.0
    needed = sum(room for _, room, _ in centre) + gaps * len(centre)
    length = max(_LEAST_LENGTH, (needed + _STERN_ROOM) / (1 - _BOW_ROOM))
    stations = [station for station, _, _ in centre]
    ys = spread(
        [station * length for station in stations],
        [room + gaps for _, room, _ in centre],
        (_BOW_ROOM * length, length - _STERN_ROOM),
    )
    spots: dict[str, PartSpot] = {}
    block: tuple[float, float] | None = None
    for (_, room, part), y in zip(centre, ys, strict=True):
        y += _TOP
        if part is None:
            block = (y - room / 2, y + room / 2)
        else:
            forward = _is_forward(part)
            # The length of a turret includes its barrels; the house is at the other end.
            barrels = room - house_height(part) if part.kind == "turret" else 0.0
            at = (MIDDLE, y + (barrels if forward else -barrels) / 2)
            spots[part.key] = PartSpot(part, at, room, forward)
    slim = sheet.beam < 0.12
    half_beam = 72.0 if slim else 76.0
    if not mounts and not block_rows:
        half_beam = 56.0
    seen = [(0.0, 0.0), *zip(stations, ys, strict=True), (1.0, length)]
    for side, way in (("port", -1.0), ("starboard", 1.0)):
        lane = sorted((part for part in mounts if part.side == side), key=_station)
        wanted = [_at(seen, _station(part)) for part in lane]
        height = _MOUNT_HEIGHTS[len(lane) >= _MANY]
        lane_ys = spread(wanted, [height + 5] * len(lane), _lane_limits(block, length))
        for part, y in zip(lane, lane_ys, strict=True):
            spots[part.key] = PartSpot(part, (MIDDLE + way * (half_beam - 20.0), y + _TOP), height)
    rudder = part_of(sheet, "rudder")
    return ShipLayout(
        length=length,
        half_beam=half_beam,
        outline=_outline(sheet, hull, length, half_beam),
        deck=_outline(sheet, hull, length, half_beam, inset=8.0),
        turrets=tuple(_wing(spots[part.key], half_beam) for part in turrets),
        secondaries=tuple(spots[part.key] for part in mounts),
        block=block,
        block_parts=_stacked(block_rows, block[0]) if block else (),
        funnels=tuple(_at(seen, station) + _TOP for station in sheet.funnels),
        rudder=PartSpot(rudder, (MIDDLE, length + _TOP - 15), 22.0) if rudder else None,
    )


def _lane_limits(block: tuple[float, float] | None, length: float) -> tuple[float, float]:
    """The limits of the mounts at the sides: those of the superstructure, if there is one."""
    if block is None:
        return 0.3 * length, 0.75 * length
    room = (length - (block[1] - block[0])) / 2
    reach = min(16.0, max(room, 0.0))
    return block[0] - reach - _TOP, block[1] + reach - _TOP


def turret_room(part: SheetPart) -> float:
    """The length of a turret along the keel, including its barrels."""
    house = _HOUSE if box_count(part) else 26.0
    return house + (BARREL if part.details.guns else 0.0)


def house_height(part: SheetPart) -> float:
    """The height of a turret's house."""
    return _HOUSE if box_count(part) else 26.0


def box_count(part: SheetPart) -> int:
    """The number of boxes of a part."""
    if part.details.boxes is not None:
        return part.details.boxes
    return part.total // 4 if part.unit == "quarters" else 0


def box_rows(part: SheetPart) -> int:
    """The number of rows of three boxes."""
    return -(-box_count(part) // 3)


def _block(sheet: RecordSheet) -> tuple[list[SheetPart], float]:
    """The parts of the superstructure from the bow aft, and its height; empty without boxes."""
    boxes = part_of(sheet, "superstructure")
    found = [part_of(sheet, kind) for kind in ("conning_tower", "director")]
    rows = [*found, boxes if boxes and box_count(boxes) else None, part_of(sheet, "plot")]
    parts = [part for part in rows if part is not None]
    return parts, sum(map(_row_height, parts)) + _ROW_GAP * (len(parts) - 1) + 2 * _BLOCK_EDGE


def _row_height(part: SheetPart) -> float:
    if part.kind != "superstructure":
        return ROW
    rows = box_rows(part)
    return rows * BOX + (rows - 1) * 2


def _stacked(parts: Sequence[SheetPart], top: float) -> tuple[PartSpot, ...]:
    spots = []
    y = top + _BLOCK_EDGE
    for part in parts:
        height = _row_height(part)
        spots.append(PartSpot(part, (MIDDLE, y + height / 2), height))
        y += height + _ROW_GAP
    return tuple(spots)


def _wing(spot: PartSpot, half_beam: float) -> PartSpot:
    """A turret at one side of the ship."""
    way = {"port": -1.0, "starboard": 1.0}.get(spot.part.side, 0.0)
    return PartSpot(
        spot.part, (MIDDLE + way * half_beam * 0.4, spot.at[1]), spot.height, spot.forward
    )


def _is_forward(part: SheetPart) -> bool:
    arcs = part.details.arcs
    if (Quadrant.BOW in arcs) is not (Quadrant.STERN in arcs):
        return Quadrant.BOW in arcs
    return _station(part) < 0.5


def _station(part: SheetPart) -> float:
    return 0.5 if part.station is None else part.station


def _outline(
    sheet: RecordSheet, hull: str, length: float, half_beam: float, inset: float = 0.0
) -> tuple[Point, ...]:
    """A ship's outline, bow up: angular or round by her side, or with a flight deck."""
    breadths = _BREADTHS if sheet.island == "both" else _DECK
    start, end = inset * (1.6 if sheet.island == "both" else 1.0), length - inset
    edge = [
        (max(breadth * half_beam - inset, 0.0), min(max(part * length, start), end) + _TOP)
        for part, breadth in breadths
    ]
    if hull == "round" and sheet.island == "both":
        edge = list(smooth([*edge[:-1], (edge[-1][0] * 1.15, end - 4 + _TOP), (0.0, end + _TOP)]))
    starboard = [(MIDDLE + x, y) for x, y in edge]
    port = [(MIDDLE - x, y) for x, y in reversed(edge)]
    return (*starboard, *port)


def _at(known: Sequence[tuple[float, float]], part: float) -> float:
    """Linear interpolation between known values."""
    number = min(max(bisect([each for each, _ in known], part), 1), len(known) - 1)
    (x1, y1), (x2, y2) = known[number - 1], known[number]
    if x2 == x1:
        return y2
    return y1 + (y2 - y1) * min(max((part - x1) / (x2 - x1), 0.0), 1.0)
