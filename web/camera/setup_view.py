"""The content of the set-up pages as data: marks, findings and remedies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.markers import CORNER_IDS, Corner
from tabletop.messages import NO_WORDS, Message
from vision.images import Array
from vision.photo import SeenPhoto
from vision.setup.camera_check import not_seen
from vision.setup.preview import (
    CornerFault,
    PictureFault,
    Preview,
    kind_of_trouble,
    marker_outline_mm,
)
from vision.snapshot import CameraState, CounterState, ShipState
from vision.sources.all_sources import plugged_in
from vision.tracking.watcher import Seen
from web.camera.camera_thread import CameraThread
from web.camera.measurement import (
    GOOD_SHARE,
    Advice,
    SeenMarker,
    advice_on,
    bows_of,
    markers_in_sight,
)
from web.camera.storage import CameraSettingsStore
from web.strings import text
from web.table.moment import CameraHealth, CameraStatus

_GRID: Final = 1000.0
"""The width and height of the coordinate system of outlines."""
_ASKED: Final = frozenset({CounterState.UNNAMED, CounterState.AMBIGUOUS})
_ENOUGH_LOOKS: Final = 10
_NEAR_PERCENT: Final = 16.0
_PICTURES: Final[Mapping[PictureFault, tuple[str, str]]] = {
    PictureFault.NO_CAMERA: ("plug", "phone"),
    PictureFault.NO_FILE: ("file", "camera"),
    PictureFault.IN_USE: ("close", "replug"),
    PictureFault.NO_STREAM: ("wifi", "awake"),
    PictureFault.ENDED: ("file", "camera"),
    PictureFault.BLACK: ("shutter", "light"),
    PictureFault.DARK: ("light", "lamp"),
    PictureFault.BRIGHT: ("curtain", "exposure"),
    PictureFault.BLURRED: ("wipe", "focus"),
    PictureFault.SMALL: ("nearer", "bigger"),
    PictureFault.MIRRORED: ("mirror", "mirror_fine"),
    PictureFault.PALE: ("lamp", "matt"),
}
_CORNERS: Final[Mapping[CornerFault, tuple[str, str]]] = {
    CornerFault.BRIGHT: ("lamp_away", "still_matt"),
    CornerFault.DARK: ("lamp_to", "shade"),
    CornerFault.COVERED: ("uncover", "border"),
    CornerFault.OUTSIDE: ("turn", "raise"),
    CornerFault.SMALL: ("nearer", "bigger"),
    CornerFault.BLURRED: ("wipe", "focus"),
    CornerFault.TWICE: ("one_away", "which"),
    CornerFault.UNKNOWN: ("lay_out", "turn"),
}
_AS_LAID: Final = (Corner.FAR_LEFT, Corner.FAR_RIGHT, Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
"""The corners in their arrangement on the table, as the host sees them."""


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """A problem in words, with two remedies."""

    title: str
    remedies: tuple[str, ...] = ()
    """Keys of icons and texts."""
    more: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class CornerMark:
    """A corner in the list and in the picture."""

    corner: Corner
    state: str
    """seen, hand, beside (by the other camera) or missing."""
    outline: str = ""
    """The points of its outline, if it is seen."""
    x: float = 0.0
    """Its centre, in per cent of the picture."""
    y: float = 0.0
    placed: bool = False
    """Whether its place in the picture is known."""


@dataclass(frozen=True, slots=True)
class MarkerInPicture:
    """A ship's marker in the picture."""

    name: str
    outline: str
    x: float
    y: float
    moving: bool
    side: str = ""
    below: bool = False
    """Whether her name is drawn below her, because another ship is just above."""


@dataclass(frozen=True, slots=True)
class CameraPicture:
    """The newest picture with all findings."""

    status: CameraStatus
    picture: int
    width_px: int
    height_px: int
    corners: tuple[CornerMark, ...]
    ships: tuple[MarkerInPicture, ...]
    edges: tuple[tuple[float, float, float, float, bool], ...]
    """The table's edges between known corners, and whether both ends are seen."""
    finding: SetupProblem | None
    corner_finding: SetupProblem | None
    preview: Preview | None
    settled: bool = False
    """Whether enough pictures were analysed to report a ship as missing."""
    absent: Message | None = None
    """The ships of the table that have a marker and are not in the picture."""

    @property
    def comes(self) -> bool:
        """Whether pictures are available."""
        return self.picture > 0 and self.status.state not in ("lost", "none", "starting")

    @property
    def looking(self) -> bool:
        """Whether no ship is found yet, and it is too early to say that there is none."""
        starting = self.status.state == "starting"
        return not self.ships and (starting or (self.comes and not self.settled))

    @property
    def found(self) -> int:
        """The number of corners that are seen or set by hand."""
        return sum(mark.state != "missing" for mark in self.corners)

    @property
    def missing(self) -> tuple[CornerMark, ...]:
        """The corners that are neither seen nor set by hand."""
        return tuple(mark for mark in self.corners if mark.state == "missing")

    @property
    def fixed(self) -> bool:
        """Whether the table can be measured."""
        return self.comes and not self.missing


def camera_picture(
    camera_thread: CameraThread, beside: CameraThread | None = None
) -> CameraPicture:
    """The newest picture for the set-up page.

    What the camera `beside` it sees is not missing.
    """
    seen, preview, status = camera_thread.latest, camera_thread.preview(), camera_thread.status()
    corners, names = _seen_by(beside)
    marks = _corner_marks(camera_thread, preview, corners)
    return CameraPicture(
        status,
        0 if seen is None or seen.frame is None else seen.looks,
        1920 if preview is None else preview.width_px,
        1080 if preview is None else preview.height_px,
        marks,
        _ship_marks(camera_thread, preview),
        _edges(marks),
        _finding(camera_thread, preview, status),
        _corner_finding(preview, marks),
        preview,
        seen is not None and seen.looks >= _ENOUGH_LOOKS,
        _absent(camera_thread, seen, names),
    )


def _seen_by(camera_thread: CameraThread | None) -> tuple[frozenset[Corner], frozenset[str]]:
    """The corners and the ships that a camera sees now."""
    seen = None if camera_thread is None else camera_thread.latest
    if seen is None or seen.snapshot.camera.state is not CameraState.OK:
        return frozenset(), frozenset()
    ships = (ship.name for ship in seen.snapshot.ships if ship.state is not ShipState.STALE)
    corners = (each.corner for each in seen.snapshot.corners if each.visible)
    return frozenset(corners), frozenset(ships)


def _absent(
    camera_thread: CameraThread, seen: Seen | None, elsewhere: frozenset[str]
) -> Message | None:
    """The ships of the table whose markers are not seen, once there was time to look."""
    if (
        seen is None
        or seen.looks < _ENOUGH_LOOKS
        or seen.snapshot.camera.state is not CameraState.OK
    ):
        return None
    in_sight = [ship for ship in seen.snapshot.ships if ship.state is not ShipState.STALE]
    marker_set = camera_thread.memory.marker_set
    # A plain counter may stand for a ship whose marker was printed as well.
    wanted = {ship.name for ship in camera_thread.memory.table.ships()}
    wanted -= {ship.name for ship in in_sight} | elsewhere
    markers = tuple(marker for marker in marker_set.markers if marker.name in wanted)
    return not_seen(replace(marker_set, markers=markers), {ship.id for ship in in_sight})


@dataclass(frozen=True, slots=True)
class PhotoMarks:
    """The markers of a photo, drawn over it."""

    corners: tuple[CornerMark, ...]
    ships: tuple[MarkerInPicture, ...]
    edges: tuple[tuple[float, float, float, float, bool], ...]


def photo_marks(photo: SeenPhoto, names: Mapping[int, str], sides: Mapping[str, str]) -> PhotoMarks:
    """The markers of a photo; a ship's mark has her name and her side."""
    outlines = photo.outlines_px()
    frame = Preview(photo.width_px, photo.height_px, ())
    corners = []
    for corner in _AS_LAID:
        outline = outlines.get(CORNER_IDS[corner])
        if outline is None:
            corners.append(CornerMark(corner, "missing"))
        else:
            points = _points(outline, frame)
            corners.append(CornerMark(corner, "seen", points, *_at(outline, frame)))
    ships = []
    for number, name in names.items():
        if number in outlines:
            x, y, _ = _at(outlines[number], frame)
            points, side = _points(outlines[number], frame), sides.get(name, "")
            ships.append(MarkerInPicture(name, points, x, y, moving=False, side=side))
    return PhotoMarks(tuple(corners), _apart(ships), _edges(tuple(corners)))


def size_inches(memory: CameraSettingsStore) -> tuple[str, str]:
    """The table's size as short text."""
    size = memory.size
    return short(size.width_inches), short(size.height_inches)


def short(value: float) -> str:
    """A number with at most two decimals and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class DistanceComparison:
    """The last comparison with a known distance."""

    first: str
    second: str
    ours_mm: float
    measured_mm: float
    off_percent: float
    good: bool
    advice: tuple[Advice, ...]


def distance_comparison(camera_thread: CameraThread) -> DistanceComparison | None:
    """The known distance and our figure, if one was given."""
    known = camera_thread.memory.setup.distance
    if known is None:
        return None
    return DistanceComparison(
        known.first,
        known.second,
        known.ours_mm,
        known.measured_mm,
        100 * known.off,
        abs(known.off) <= GOOD_SHARE,
        advice_on(camera_thread, known),
    )


def blank_markers(camera_thread: CameraThread) -> tuple[SeenMarker, ...]:
    """The markers in the picture that were printed without a ship."""
    printed = {ship.name for ship in camera_thread.memory.table.ships()} & set(
        camera_thread.memory.printed.names.values()
    )
    by_hand = camera_thread.memory.setup.markers
    return tuple(
        marker
        for marker in markers_in_sight(camera_thread)
        if marker.marker_id is not None
        and (marker.marker_id in by_hand or marker.name not in printed)
    )


@dataclass(frozen=True, slots=True)
class UnnamedCounter:
    """A plain counter without a ship, or whose ship is uncertain."""

    key: int
    letter: str
    bows: tuple[str, ...]
    may_be: tuple[str, ...] = ()
    """The ships out of sight that she may be, the likeliest first."""


def unnamed_counters(camera_thread: CameraThread) -> tuple[UnnamedCounter, ...]:
    """The plain counters to ask about, lettered as in the picture."""
    seen = camera_thread.latest
    if seen is None or seen.snapshot.plane is None:
        return ()
    plane = seen.snapshot.plane
    listed = {ship.name for ship in camera_thread.memory.table.ships()}
    return tuple(
        UnnamedCounter(
            counter.key,
            _letter(counter.key),
            bows_of(plane, counter),
            tuple(name for name in counter.may_be if name in listed),
        )
        for counter in seen.snapshot.counters
        if counter.state in _ASKED
    )


def _letter(key: int) -> str:
    return chr(ord("A") + key % 26)


def kinds_of(camera_thread: CameraThread) -> tuple[str, ...]:
    """The kinds of ship on this table, in the order of the list."""
    return tuple(dict.fromkeys(ship.kind for ship in camera_thread.memory.table.ships()))


def _corner_marks(
    camera_thread: CameraThread, preview: Preview | None, elsewhere: frozenset[Corner]
) -> tuple[CornerMark, ...]:
    looks = {} if preview is None else {each.corner: each for each in preview.corners}
    marks = []
    for corner in _AS_LAID:
        each, shown = looks.get(corner), camera_thread.memory.setup.corners.get(corner)
        if (each is None or each.outline_px is None) and corner in elsewhere:
            marks.append(CornerMark(corner, "beside"))
        elif preview is None or each is None:
            marks.append(CornerMark(corner, "missing"))
        elif each.outline_px is not None:
            points = each.outline_px
            marks.append(
                CornerMark(corner, "seen", _points(points, preview), *_at(points, preview))
            )
        elif shown is not None:
            x = 100 * shown.x_px / preview.width_px
            y = 100 * shown.y_px / preview.height_px
            marks.append(CornerMark(corner, "hand", "", round(x, 2), round(y, 2), True))
        elif each.guess_px is not None:
            x, y, _ = _at(each.guess_px, preview)
            marks.append(CornerMark(corner, "missing", "", x, y, True))
        else:
            marks.append(CornerMark(corner, "missing"))
    return tuple(marks)


def _ship_marks(
    camera_thread: CameraThread, preview: Preview | None
) -> tuple[MarkerInPicture, ...]:
    seen = camera_thread.latest
    if seen is None or preview is None or seen.snapshot.plane is None:
        return ()
    if seen.snapshot.camera.state is not CameraState.OK:
        return ()
    marks = []
    sides = {ship.name: ship.side for ship in camera_thread.memory.table.ships()}
    for ship in seen.snapshot.ships:
        if ship.state is ShipState.STALE:
            continue
        pose, size = ship.pose, camera_thread.memory.marker_set.size_mm(ship.id)
        outline = seen.snapshot.plane.to_px(
            marker_outline_mm(pose.x_mm, pose.y_mm, pose.heading_deg, size)
        )
        x, y, _ = _at(outline, preview)
        moving = ship.state is ShipState.MOVING
        side = sides.get(ship.name, "")
        marks.append(MarkerInPicture(ship.name, _points(outline, preview), x, y, moving, side))
    kind = camera_thread.memory.counter_kind
    for counter in seen.snapshot.counters if kind is not None else ():
        if counter.state in _ASKED and kind is not None:
            pose = counter.pose
            outline = seen.snapshot.plane.to_px(
                marker_outline_mm(
                    pose.x_mm, pose.y_mm, pose.heading_deg, kind.width_mm, kind.length_mm
                )
            )
            x, y, _ = _at(outline, preview)
            letter = _letter(counter.key)
            marks.append(MarkerInPicture(letter, _points(outline, preview), x, y, moving=True))
    return _apart(marks)


def _apart(ships: Sequence[MarkerInPicture]) -> tuple[MarkerInPicture, ...]:
    """Place the names of ships side by side: above the upper one and below the lower."""
    return tuple(
        replace(
            ship,
            below=any(
                abs(other.x - ship.x) < _NEAR_PERCENT and 0 < ship.y - other.y < _NEAR_PERCENT
                for other in ships
            ),
        )
        for ship in ships
    )


def _points(outline: Array, preview: Preview) -> str:
    return " ".join(
        f"{_GRID * x / preview.width_px:.1f},{_GRID * y / preview.height_px:.1f}"
        for x, y in outline
    )


def _at(outline: Array, preview: Preview) -> tuple[float, float, bool]:
    x, y = outline.mean(axis=0)
    return (
        round(100 * float(x) / preview.width_px, 2),
        round(100 * float(y) / preview.height_px, 2),
        True,
    )


def _edges(
    marks: tuple[CornerMark, ...],
) -> tuple[tuple[float, float, float, float, bool], ...]:
    by_corner = {mark.corner: mark for mark in marks}
    corners = list(Corner)
    edges = []
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = by_corner[one], by_corner[other]
        if a.placed and b.placed:
            whole = "missing" not in (a.state, b.state)
            edges.append((a.x, a.y, b.x, b.y, whole))
    return tuple(edges)


def _finding(
    camera_thread: CameraThread, preview: Preview | None, status: CameraStatus
) -> SetupProblem | None:
    """Problems of the picture as a whole."""
    trouble = camera_thread.trouble
    if trouble is not None:
        there = frozenset(str(camera.index) for camera in plugged_in())
        kind = kind_of_trouble(trouble, camera_thread.memory.setup.source, there)
        return SetupProblem(_words(f"fault.{kind}"), _PICTURES[kind], status.words)
    if status.state is CameraHealth.BUMPED:
        return SetupProblem(_words("fault.bumped"), ("steady", "arm"), status.words)
    if preview is None or not preview.faults:
        return None
    kind = preview.faults[0]
    return SetupProblem(_words(f"fault.{kind}"), _PICTURES[kind])


def _corner_finding(preview: Preview | None, marks: tuple[CornerMark, ...]) -> SetupProblem | None:
    """The first missing corner, and the reason."""
    missing = [mark.corner for mark in marks if mark.state == "missing"]
    if preview is None or not missing:
        return None
    looks = {each.corner: each for each in preview.corners}
    known = [looks[corner] for corner in missing]
    first = min(known, key=lambda each: each.fault is CornerFault.UNKNOWN)
    fault = first.fault or CornerFault.UNKNOWN
    if len(missing) == len(CORNER_IDS) and fault is CornerFault.UNKNOWN:
        return SetupProblem(_words("corner_fault.unknown_all"), _CORNERS[fault])
    return SetupProblem(
        _words(f"corner_fault.{fault}", corner=first.corner.message), _CORNERS[fault]
    )


def _words(key: str, **values: object) -> str:
    return str(text(f"setup.{key}", **values))
