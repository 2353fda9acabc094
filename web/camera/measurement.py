"""Measuring the camera on the set-up page: corners by hand, the lens, a known distance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import numpy as np

from calibration.calibration_file import (
    HEIGHT_SIGMA_MM,
    UNKNOWN_HEIGHT,
    Calibration,
    measured_print,
    print_scale_of,
)
from calibration.camera import FEWEST_BOARD_VIEWS, LensSource, assumed_lens, board_corners
from calibration.homography import HandCorner, TablePlane
from calibration.marker_file import number_name
from calibration.markers import CORNER_IDS, Corner
from tabletop.errors import DreyerError, UnknownName, Where
from tabletop.messages import Message
from vision.images import Image, to_gray
from vision.setup.calibrate import CalibrationSettings, MeasuredCalibration, calibrate
from vision.setup.tapped_corners import look_closer, plane_by_hand
from vision.snapshot import CameraState, PlainCounter, ShipState
from vision.tags.detect import Detection, detect
from vision.tags.pose import height_sigma_mm, lens_sigma_mm
from vision.tracking.watcher import Seen
from web.camera.camera_thread import CameraThread
from web.camera.settings import BAR_MM, KnownDistance, SetupStep

GOOD_SHARE: Final = 0.01
"""A known distance measured within this share confirms the set-up."""
MOST_BOARD_VIEWS: Final = 12
_BOW_MM: Final = 25.0
_AGREES: Final = 0.012
_USUAL_CORNER_PX: Final = 40.0


@dataclass(frozen=True, slots=True)
class SeenMarker:
    """A marker in the picture, for measuring a distance."""

    key: str
    name: str
    x_mm: float
    y_mm: float
    corner: Corner | None = None
    marker_id: int | None = None
    is_ship: bool = False
    """Whether it is assigned to a ship of the table."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A probable cause if a known distance is measured wrongly."""

    what: str
    """The key of the cause: table, print, height or again."""
    width_inches: float = 0.0
    height_inches: float = 0.0
    bar_mm: float = 0.0


def need_picture(camera_thread: CameraThread) -> tuple[Seen, Image]:
    """The newest picture. Raises DreyerError if there is none."""
    seen = camera_thread.latest
    if seen is None or seen.frame is None:
        raise DreyerError("camera.no_picture")
    return seen, seen.frame.image


def markers_in_sight(camera_thread: CameraThread) -> tuple[SeenMarker, ...]:
    """The ships' markers and the corners in the newest picture."""
    seen = camera_thread.latest
    if seen is None or seen.snapshot.camera.state is not CameraState.OK:
        return ()
    names = {ship.name for ship in camera_thread.memory.table.ships()}
    found = [
        SeenMarker(
            str(ship.id), ship.name, ship.pose.x_mm, ship.pose.y_mm, None, ship.id,
            ship.name in names,
        )
        for ship in seen.snapshot.ships
        if ship.state is not ShipState.STALE
    ]  # fmt: skip
    found.sort(key=lambda marker: (not marker.is_ship, marker.name))
    places = camera_thread.memory.size.corner_places_mm
    for c in seen.snapshot.corners:
        if c.visible:
            x_mm, y_mm = (float(value) for value in places[CORNER_IDS[c.corner]])
            key = f"corner-{CORNER_IDS[c.corner]}"
            found.append(SeenMarker(key, c.corner, x_mm, y_mm, c.corner))
    return tuple(found)


class Unmeasured(StrEnum):
    """What nobody has measured, and a ship's place is the less sure for."""

    BASES = "bases"
    CAMERA = "camera"
    """The camera's height: one that looks straight down does not know it by itself."""
    BOTH = "both"
    """The bases' height and the camera's."""
    LENS = "lens"
    PRINT = "print"


@dataclass(frozen=True, slots=True)
class SigmaPart:
    """The part of a ship's σ that comes from something that nobody has measured, in mm."""

    now_mm: float
    measured_mm: float
    """What remains once it is measured."""


def sigma_parts(camera_thread: CameraThread) -> Mapping[str, Mapping[Unmeasured, SigmaPart]]:
    """What is not measured yet, and what it costs each coded ship in sight."""
    seen = camera_thread.latest
    if seen is None or seen.snapshot.plane is None:
        return {}
    plane = seen.snapshot.plane
    memory = camera_thread.memory
    calibration = memory.calibration_for(plane.lens.width_px, plane.lens.height_px)
    ships = [
        # A plain counter has a height of its own.
        (ship, UNKNOWN_HEIGHT if calibration is None else calibration.height_of(ship.name))
        for ship in seen.snapshot.ships
        if ship.id >= 0 and ship.state is not ShipState.STALE
    ]
    if not ships:
        return {}
    places = np.array([[ship.pose.x_mm, ship.pose.y_mm] for ship, _ in ships])
    height, sigma = np.array([each for _, each in ships]).T
    now = height_sigma_mm(plane, places, height, sigma)
    said = height_sigma_mm(plane, places, 0 * height, np.minimum(sigma, HEIGHT_SIGMA_MM))
    lens = np.zeros(len(ships))
    if calibration is None or calibration.lens.source is not LensSource.CHARUCO:
        lens = lens_sigma_mm(plane, places, height)
    ahead = np.array([abs(memory.marker_set.ahead_mm(ship.id)) for ship, _ in ships])
    printed = print_scale_of(calibration)
    found: dict[str, dict[Unmeasured, SigmaPart]] = {}
    for row, (ship, height_of) in enumerate(ships):
        parts = found[ship.name] = {}
        if now[row] > said[row]:
            bases, camera = height_of == UNKNOWN_HEIGHT, plane.camera_mm is None
            what = Unmeasured.BASES if bases else Unmeasured.CAMERA
            what = Unmeasured.BOTH if bases and camera else what
            parts[what] = SigmaPart(float(now[row]), float(said[row]))
        if lens[row]:
            parts[Unmeasured.LENS] = SigmaPart(float(lens[row]), 0.0)
        if ahead[row] and not printed.is_measured:
            measured = float(ahead[row]) * measured_print(1.0).sigma
            parts[Unmeasured.PRINT] = SigmaPart(float(ahead[row]) * printed.sigma, measured)
    return found


def known_distance(
    camera_thread: CameraThread, first: str, second: str, measured_mm: float
) -> KnownDistance:
    """Compare our measurement with a known distance, and store both."""
    found = {marker.key: marker for marker in markers_in_sight(camera_thread)}
    for key in (first, second):
        if key not in found:
            raise DreyerError("camera.distance.out_of_sight")
    if first == second:
        raise DreyerError("camera.distance.same")
    one, other = found[first], found[second]
    ours = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    distance = KnownDistance(one.name, other.name, measured_mm, ours)
    camera_thread.memory.change(distance=distance)
    return distance


def advice_on(camera_thread: CameraThread, distance: KnownDistance) -> tuple[Advice, ...]:
    """The probable causes of a difference, the likeliest first; empty if the figures agree."""
    if abs(distance.off) <= GOOD_SHARE:
        return ()
    preview = camera_thread.preview()
    looks = preview.size_factor if preview is not None else None
    looks = None if looks is None else looks / camera_thread.memory.setup.print_scale.factor
    size, scale = camera_thread.memory.size, 1 + distance.off
    table = Advice("table", size.width_inches / scale, size.height_inches / scale)
    found = []
    # If the table is smaller than stated, its corner markers look too large by the same factor.
    if looks is not None and abs(looks / scale - 1) < _AGREES:
        found.append(table)
    setup = camera_thread.memory.setup
    if not setup.height_mm and not any(setup.heights_mm.values()):
        found.append(Advice("height"))
    if looks is not None and abs(looks - 1) > GOOD_SHARE and found[:1] != [table]:
        found.append(Advice("print", bar_mm=(setup.bar_mm or BAR_MM) * looks))
    found.append(Advice("again"))
    if table not in found:
        found.append(table)
    return tuple(found[:3])


def show_corner(
    camera_thread: CameraThread, corner: Corner, x_share: float, y_share: float
) -> HandCorner:
    """Set a corner by a point on the picture, after refining it."""
    seen, image = need_picture(camera_thread)
    gray = _upright(seen, image)
    height_px, width_px = gray.shape[:2]
    marker_set, number = camera_thread.memory.marker_set, CORNER_IDS[corner]
    at = (x_share * (width_px - 1), y_share * (height_px - 1))
    found = detect(gray, marker_set.family, ids=CORNER_IDS.values())
    sides = [sighting.side_px for sighting in found.sightings]
    shown = look_closer(gray, marker_set.family, number, at, max(sides, default=_USUAL_CORNER_PX))
    corners = {**camera_thread.memory.setup.corners, corner: shown}
    camera_thread.memory.change(corners=corners)
    _hold_table(camera_thread, found, width_px, height_px)
    return shown


def forget_corners(camera_thread: CameraThread) -> None:
    """Discard corners that were set by hand."""
    if camera_thread.memory.setup.corners:
        camera_thread.memory.change(corners={})
        kept = camera_thread.memory.calibration
        if kept is not None and kept.plane is not None:
            camera_thread.memory.save_calibration(replace(kept, plane=None, corners_px={}))


def _hold_table(
    camera_thread: CameraThread, found: Detection, width_px: int, height_px: int
) -> None:
    """Fix the table's plane once all four corners are known."""
    setup = camera_thread.memory.setup
    by_hand = {CORNER_IDS[corner]: point for corner, point in setup.corners.items()}
    if len({s.marker_id for s in found.sightings} | by_hand.keys()) < len(Corner):
        return
    base = camera_thread.memory.calibration_for(width_px, height_px)
    lens = base.lens if base is not None else assumed_lens(width_px, height_px)
    size = camera_thread.memory.size
    plane = plane_by_hand(
        found.sightings, by_hand, camera_thread.memory.marker_set, size, lens,
        print_scale=setup.print_scale.factor, camera_height_mm=setup.camera_height_mm,
    )  # fmt: skip
    camera_thread.memory.save_calibration(
        Calibration(
            plane.lens,
            size,
            setup.print_scale,
            setup.height_mm,
            {},
            setup.camera_height_mm,
            {s.marker_id: (float(s.centre_px[0]), float(s.centre_px[1])) for s in found.sightings},
            plane,
            _today(),
        )
    )


def board_view(camera_thread: CameraThread, views: Sequence[Image]) -> Image:
    """The newest picture, if it shows the lens board clearly and differs from the last one."""
    _, image = need_picture(camera_thread)
    if len(views) >= MOST_BOARD_VIEWS:
        raise DreyerError("camera.board.enough", most=MOST_BOARD_VIEWS)
    if board_corners(to_gray(image)) is None:
        raise DreyerError("camera.board.unclear")
    return image


def measure(camera_thread: CameraThread, board: Sequence[Image] = ()) -> MeasuredCalibration:
    """Measure the camera from the newest picture, and from pictures of the lens board if any."""
    seen, image = need_picture(camera_thread)
    setup, size = camera_thread.memory.setup, camera_thread.memory.size
    height_px, width_px = image.shape[:2]
    known = camera_thread.memory.calibration_for(width_px, height_px)
    settings = CalibrationSettings(
        size,
        setup.print_scale,
        setup.height_mm,
        {} if known is None else known.heights_mm,
        setup.camera_height_mm,
        _today(),
    )
    shown = _upright_image(seen, image)
    views: list[tuple[Where, Image]] = [
        (Message("vision.calibrate.board", number=n), view) for n, view in enumerate(board, start=1)
    ]
    measured = calibrate(
        [*views, (Message("vision.calibrate.the_picture"), shown)],
        camera_thread.memory.marker_set,
        settings,
        board_wanted=len(board) >= FEWEST_BOARD_VIEWS,
    )
    calibration = measured.calibration
    if not board and camera_thread.memory.calibration is not None:
        # A lens measured with the board is kept; only the table is measured again.
        lens = camera_thread.memory.calibration.lens.resized(width_px, height_px)
        if lens is not None and lens.focal_known and calibration.plane is not None:
            calibration = replace(calibration, lens=lens, plane=None)
    camera_thread.memory.save_calibration(replace(calibration, heights_mm={}))
    camera_thread.memory.save_step(SetupStep.DONE)
    return measured


def assign(camera_thread: CameraThread, marker_id: int, ship: str | None) -> None:
    """Assign a marker to a ship of the table; None makes it a number again."""
    printed = camera_thread.memory.printed
    if marker_id not in printed.names:
        raise UnknownName(
            Message("errors.where.printed_markers"),
            "marker",
            str(marker_id),
            map(str, printed.names),
        )
    chosen = {n: name for n, name in camera_thread.memory.setup.markers.items() if n != marker_id}
    if ship is not None:
        names = [each.name for each in camera_thread.memory.table.ships()]
        if ship not in names:
            raise UnknownName(Message("errors.where.this_table"), "ship", ship, names)
        chosen = {n: name for n, name in chosen.items() if name != ship}
        if printed.names[marker_id] != ship:
            chosen[marker_id] = ship
    elif printed.names[marker_id] != number_name(marker_id):
        chosen[marker_id] = number_name(marker_id)
    camera_thread.memory.change(markers=chosen)


class Bow(StrEnum):
    """The rough direction of a bow in the picture."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


_BOWS: Final = {
    Bow.LEFT: (-1.0, 0.0),
    Bow.RIGHT: (1.0, 0.0),
    Bow.UP: (0.0, -1.0),
    Bow.DOWN: (0.0, 1.0),
}


def bows_of(plane: TablePlane, counter: PlainCounter) -> tuple[Bow, Bow]:
    """The two possible directions of a plain counter's bow in the picture."""
    dx, dy = _in_picture(plane, counter)
    return (Bow.LEFT, Bow.RIGHT) if abs(dx) >= abs(dy) else (Bow.UP, Bow.DOWN)


def name_counter(camera_thread: CameraThread, key: int, ship: str, bow: Bow | None) -> None:
    """Assign a plain counter to a ship; of its two headings the one nearest to `bow` is taken.

    Without a bow it is the one nearest to where she pointed when she was last seen.
    """
    seen, _ = need_picture(camera_thread)
    counter = next((each for each in seen.snapshot.counters if each.key == key), None)
    if counter is None or seen.snapshot.plane is None:
        raise DreyerError("camera.counter.out_of_sight")
    names = [each.name for each in camera_thread.memory.table.ships()]
    if ship not in names:
        raise UnknownName(Message("errors.where.this_table"), "ship", ship, names)
    if bow is None:
        before = seen.snapshot.ship(ship)
        heading = counter.pose.heading_deg if before is None else before.pose.heading_deg
        camera_thread.name_counter(key, ship, heading)
        return
    dx, dy = _in_picture(seen.snapshot.plane, counter)
    x, y = _BOWS[bow]
    turned = 0.0 if dx * x + dy * y >= 0 else 180.0
    camera_thread.name_counter(key, ship, (counter.pose.heading_deg + turned) % 360)


def _in_picture(plane: TablePlane, counter: PlainCounter) -> tuple[float, float]:
    """The counter's heading in the picture, in pixels."""
    pose, angle = counter.pose, math.radians(counter.pose.heading_deg)
    here = np.array([pose.x_mm, pose.y_mm])
    ahead = here + _BOW_MM * np.array([math.sin(angle), math.cos(angle)])
    (x1, y1), (x2, y2) = plane.to_px(np.stack([here, ahead]))
    return float(x2 - x1), float(y2 - y1)


def _upright(seen: Seen, image: Image) -> Image:
    return to_gray(_upright_image(seen, image))


def _upright_image(seen: Seen, image: Image) -> Image:
    """The picture as displayed: a mirrored one is flipped."""
    if not seen.snapshot.mirrored:
        return image
    flipped: Image = image[:, ::-1].copy()
    return flipped


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()
