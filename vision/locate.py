"""A picture becomes a table: markers found, the plane solved, every ship placed with its doubt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np

from calibration.calibration_file import (
    UNKNOWN_HEIGHT,
    Calibration,
    PrintScale,
    print_scale_of,
)
from calibration.camera import Lens, assumed_lens
from calibration.homography import USUAL_TABLE, FixedPlace, TablePlane, TableSize
from calibration.marker_file import MarkerSet, number_name
from calibration.markers import CORNER_IDS, Corner
from calibration.planefit import FEWEST_CORNERS, PlaneFit, solve_plane
from calibration.planeproblem import SeenSquare
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from vision.images import Array, Gray, Image, to_gray
from vision.snapshot import TablePose
from vision.tags.detect import Detection, Sighting, detect, settle
from vision.tags.guided_search import search_by_plane
from vision.tags.partly_hidden import LEAST_PARTLY_SCORE, PartlySeen, search_partly_hidden
from vision.tags.pose import TagPose, guess_from_sightings, measure

UNKNOWN: Final = "vision.locate.unknown"
TWICE: Final = "vision.locate.twice"
STRANGERS: Final = "vision.locate.strangers"
TOO_BRIGHT: Final = Message("vision.locate.too_bright")
CLIPPING: Final = 1.5
"""From this exposure on white runs over into black so far that small markers suffer."""
BENT_LENS: Final = Message("vision.locate.bent_lens")
_BLACK: Final = 12
_PLAINLY_NOT_MIRRORED: Final = 5
"""So many markers that were printed are not read by chance in a mirrored picture."""
_HELD_SIGMA_MM: Final = 0.5
_NO_SENSE: Final = Message("vision.locate.no_sense")
_SIZE_ALARM: Final = 0.04
_SIZE_MATCH: Final = 1.35
"""Apparent against printed size: beyond this a marker is a poster on the wall, or no marker."""
_UNTOLD_SIZE_MATCH: Final = 2.5
"""The same where nobody said what was printed, and tags may have any usual size."""


@dataclass(frozen=True, slots=True)
class ShipSighting:
    """A ship in the picture, on the table."""

    id: int
    name: str
    pose: TablePose
    tag: TagPose
    """Her marker as it was measured."""


@dataclass(frozen=True, slots=True, eq=False)
class UnknownMarker:
    """A marker in the picture that may be more than one ship's."""

    x_mm: float
    y_mm: float
    corners_px: Array

    def mirrored(self, width_px: int) -> "UnknownMarker":
        """The marker with its corners in the picture flipped left to right."""
        corners = self.corners_px.copy()
        corners[:, 0] = width_px - 1 - corners[:, 0]
        return replace(self, corners_px=corners)


@dataclass(frozen=True, slots=True)
class Located:
    """All that one picture tells."""

    corners_found: int
    ships: tuple[ShipSighting, ...]
    notes: tuple[Message, ...]
    """What the players should know, each with its remedy."""
    problem: Message | None
    """Why there is no table in this picture, with the remedy."""
    detection: Detection
    plane: TablePlane | None = None
    mirrored: bool = False
    unknown: tuple[UnknownMarker, ...] = ()
    """Markers that were seen and not known, because what hides a part of them hides their names."""
    thorough: bool = True
    """Whether the ships were measured, and the palest and smallest markers looked for too."""


# A picture that makes no sense may overflow on the way to being told so.
@np.errstate(all="ignore")
def locate(
    image: Image,
    marker_set: MarkerSet,
    table: TableSize | None = None,
    calibration: Calibration | None = None,
    *,
    thorough: bool = True,
) -> Located:
    """Every ship of the marker set that the picture shows, with honest error bars.

    Without a calibration the markers are taken to lie flat on the table, and the lens's
    distortion is taken from the markers where they show it. Unless it has to be thorough, it is
    so only if a glance does not find every corner; after a glance no ship is measured.
    """
    gray = to_gray(image)
    detection = detect(gray, marker_set.family, thorough=thorough)
    if not thorough and _corner_count(detection) < len(Corner):
        thorough, detection = True, detect(gray, marker_set.family)
    mirrored = False
    known = sum(marker_set.find(s.marker_id) is not None for s in detection.sightings)
    if fixed_count(detection, calibration) < FEWEST_CORNERS and known < _PLAINLY_NOT_MIRRORED:
        # A mirrored tag is another tag or none, so a flipped picture shows far more of them.
        flipped: Gray = np.ascontiguousarray(gray[:, ::-1])
        other = detect(flipped, marker_set.family, thorough=thorough)
        if fixed_count(other, calibration) >= FEWEST_CORNERS:
            gray, detection, mirrored = flipped, other, True
    notes = _notes_on_markers(detection, marker_set, mirrored)
    if detection.exposure > CLIPPING:
        notes.append(TOO_BRIGHT)
    corners, fixed = _corner_count(detection), fixed_count(detection, calibration)
    if table is None:
        table = calibration.table if calibration is not None else USUAL_TABLE
    lens = lens_for(gray, calibration, mirrored)
    plane: TablePlane | None = None
    problem: Message | None = None
    if fixed >= FEWEST_CORNERS:
        try:
            fit = _solve(detection, marker_set, table, lens, calibration)
        except DreyerError as error:
            problem = error.message
        except np.linalg.LinAlgError:
            problem = _NO_SENSE
        else:
            if thorough and fixed < len(Corner):
                detection = search_more(gray, marker_set, fit.plane, table, detection, calibration)
                if _corner_count(detection) > corners:
                    corners = _corner_count(detection)
                    fit = _solve(detection, marker_set, table, lens, calibration)
            plane = fit.plane
            # With anchors a picture of a part of the table lacks nothing.
            shown = corners if fixed == corners else len(Corner)
            notes += _notes_on_plane(fit, detection, calibration, shown)
    elif calibration is not None and (held := _held(calibration, gray, detection, mirrored)):
        plane = held
        notes.append(Message("vision.locate.held", corners=corners))
    if plane is None:
        problem = problem or _why_no_table(gray, detection, corners)
        return Located(corners, (), tuple(notes), problem, detection, None, mirrored)
    if calibration is not None:
        centres = {s.marker_id: s.centre_px for s in detection.sightings}
        why = calibration.stale(gray.shape[1], gray.shape[0], centres)
        notes += [why] if why else []
        if plane.camera_mm is None and (calibration.height_mm or calibration.heights_mm):
            notes.append(Message("vision.locate.straight_down"))
    if thorough:
        detection = search_more(gray, marker_set, plane, table, detection, calibration)
    ships: tuple[ShipSighting, ...] = ()
    unknown: tuple[UnknownMarker, ...] = ()
    if thorough:
        try:
            ships = ships_on(gray, marker_set, plane, detection, calibration)
        except np.linalg.LinAlgError:
            return Located(corners, (), tuple(notes), _NO_SENSE, detection, None, mirrored)
        hidden, unknown = _partly_hidden(gray, marker_set, plane, table, calibration, ships)
        ships = tuple(sorted((*ships, *hidden), key=lambda ship: ship.id))
        unknown += _unnamed(plane, detection, [*ships, *unknown])
        if unknown:
            notes.append(Message(UNKNOWN, n=len(unknown)))
        if mirrored:
            unknown = tuple(marker.mirrored(gray.shape[1]) for marker in unknown)
    return Located(
        corners, ships, tuple(notes), None, detection, plane, mirrored, unknown, thorough
    )


def solve_table(
    detection: Detection,
    marker_set: MarkerSet,
    table: TableSize,
    lens: Lens,
    *,
    print_scale: float = 1.0,
    camera_height_mm: float | None = None,
    anchors: Mapping[int, FixedPlace] | None = None,
) -> PlaneFit:
    """The table's plane from the markers of one picture."""
    places = {
        number: FixedPlace(float(x), float(y), 0.0, 0.0)
        for number, (x, y) in enumerate(table.corner_places_mm)
    } | {**(anchors or {})}
    squares = []
    for sighting in detection.sightings:
        size = marker_set.size_mm(sighting.marker_id) * print_scale
        place = places.get(sighting.marker_id)
        if place is not None:
            # How surely its place is known counts like how surely it was seen there.
            loose = place.position_sigma_mm / size * sighting.side_px
            sigma = float(np.hypot(sighting.sigma_px, loose))
            at = (place.x_mm, place.y_mm)
            squares.append(SeenSquare(sighting.corners_px, sigma, size, at, place.heading_deg))
        elif sighting.marker_id in marker_set.names:
            squares.append(SeenSquare(sighting.corners_px, sighting.sigma_px, size))
    return solve_plane(squares, table, lens, camera_height_mm=camera_height_mm)


def _solve(
    detection: Detection,
    marker_set: MarkerSet,
    table: TableSize,
    lens: Lens,
    calibration: Calibration | None,
) -> PlaneFit:
    if calibration is None:
        return solve_table(detection, marker_set, table, lens)
    return solve_table(
        detection, marker_set, table, lens,
        print_scale=calibration.print_scale.factor, camera_height_mm=calibration.camera_height_mm,
        anchors=calibration.anchors,
    )  # fmt: skip


def search_more(
    gray: Gray,
    marker_set: MarkerSet,
    plane: TablePlane,
    table: TableSize,
    detection: Detection,
    calibration: Calibration | None,
) -> Detection:
    """The detection with the markers that only the plane helps to find."""
    scale = print_scale_of(calibration).factor
    names = marker_set.names
    wanted = {*names, *CORNER_IDS.values()}.difference(detection.twice)
    more = search_by_plane(
        gray, marker_set.family, plane, table,
        {number: marker_set.size_mm(number) * scale for number in wanted},
        {} if calibration is None else {n: calibration.height_of(names[n]).mm for n in names},
        {sighting.marker_id: sighting.centre_px for sighting in detection.sightings},
    )  # fmt: skip
    if not more:
        return detection
    together = settle([*detection.sightings, *more])
    return replace(
        together,
        twice=tuple(sorted({*detection.twice, *together.twice})),
        unnamed_px=(*detection.unnamed_px, *together.unnamed_px),
    )


def ships_on(
    gray: Gray,
    marker_set: MarkerSet,
    plane: TablePlane,
    detection: Detection,
    calibration: Calibration | None,
) -> tuple[ShipSighting, ...]:
    """The ships among the markers that were found, measured on the table's plane."""
    names = marker_set.names
    # A marker set that was printed has pages, and then its sizes are true.
    most = _SIZE_MATCH if marker_set.pages else _UNTOLD_SIZE_MATCH
    printed = print_scale_of(calibration)
    seen = [s for s in detection.sightings if s.marker_id in names]
    sizes = [marker_set.size_mm(s.marker_id) * printed.factor for s in seen]
    heights = [
        UNKNOWN_HEIGHT if calibration is None else calibration.height_of(names[s.marker_id])
        for s in seen
    ]
    guesses = guess_from_sightings(plane, seen, sizes, heights)
    right = [1 / most < g.size_mm / size < most for g, size in zip(guesses, sizes, strict=True)]
    guesses = [guess for guess, is_right in zip(guesses, right, strict=True) if is_right]
    blur = np.array([s.fit.blur_px for s, is_right in zip(seen, right, strict=True) if is_right])
    tags = measure(gray, marker_set.family, plane, guesses, blur_px=blur)
    return tuple(_sighting(marker_set, tag, printed) for tag in tags if tag is not None)


def _sighting(marker_set: MarkerSet, tag: TagPose, printed: PrintScale) -> ShipSighting:
    pose = TablePose(
        tag.x_mm, tag.y_mm, tag.heading_deg, tag.position_sigma_mm, tag.heading_sigma_deg
    ).moved_ahead(marker_set.ahead_mm(tag.marker_id), printed)
    return ShipSighting(tag.marker_id, marker_set.names[tag.marker_id], pose, tag)


def _partly_hidden(
    gray: Gray,
    marker_set: MarkerSet,
    plane: TablePlane,
    table: TableSize,
    calibration: Calibration | None,
    ships: Sequence[ShipSighting],
) -> tuple[list[ShipSighting], tuple[UnknownMarker, ...]]:
    """The ships of which a part is hidden, and the markers that may be more than one's."""
    names = marker_set.names
    taken = {ship.id: np.array([ship.tag.x_mm, ship.tag.y_mm]) for ship in ships}
    seen = _partly_seen(gray, marker_set, plane, table, calibration, taken)
    known = [part for part in seen if part.known]
    heights = [
        UNKNOWN_HEIGHT if calibration is None else calibration.height_of(names[p.guess.marker_id])
        for p in known
    ]
    tags = measure(
        gray, marker_set.family, plane,
        [replace(p.guess, height=height) for p, height in zip(known, heights, strict=True)],
        visible=np.stack([p.visible for p in known]) if known else None,
    )  # fmt: skip
    unknown = tuple(
        UnknownMarker(p.guess.x_mm, p.guess.y_mm, p.corners_px) for p in seen if not p.known
    )
    believed = [tag for tag in tags if tag is not None and tag.score >= LEAST_PARTLY_SCORE]
    printed = print_scale_of(calibration)
    return [_sighting(marker_set, tag, printed) for tag in believed], unknown


def _partly_seen(
    gray: Gray,
    marker_set: MarkerSet,
    plane: TablePlane,
    table: TableSize,
    calibration: Calibration | None,
    taken_mm: Mapping[int, Array],
) -> list[PartlySeen]:
    """The markers of which a part is hidden, apart from those that are seen elsewhere."""
    names = marker_set.names
    missing = sorted(set(names) - set(taken_mm))
    if not missing:
        return []
    scale = print_scale_of(calibration).factor
    return search_partly_hidden(
        gray, marker_set.family, plane, table,
        {number: marker_set.size_mm(number) * scale for number in missing},
        {} if calibration is None else {n: calibration.height_of(names[n]).mm for n in missing},
        np.array([*table.corner_places_mm, *taken_mm.values()]),
    )  # fmt: skip


def missing_markers(
    gray: Gray,
    marker_set: MarkerSet,
    plane: TablePlane,
    table: TableSize,
    calibration: Calibration | None,
    seen_px: Mapping[int, Array],
) -> tuple[tuple[Sighting, ...], list[PartlySeen]]:
    """The ships' markers that only the plane helps to find: whole ones, and partly hidden ones.

    `seen_px` are the centres of the markers that are in sight.
    """
    names = marker_set.names
    scale = print_scale_of(calibration).factor
    heights = {} if calibration is None else {n: calibration.height_of(names[n]).mm for n in names}
    whole = settle(
        search_by_plane(
            gray, marker_set.family, plane, table,
            {number: marker_set.size_mm(number) * scale for number in names}, heights, seen_px,
        )
    ).sightings  # fmt: skip
    both = {**seen_px, **{sighting.marker_id: sighting.centre_px for sighting in whole}}
    taken = {n: plane.to_mm(px, heights.get(n, 0.0)) for n, px in both.items()}
    return whole, _partly_seen(gray, marker_set, plane, table, calibration, taken)


def _unnamed(
    plane: TablePlane, detection: Detection, others: Sequence[ShipSighting | UnknownMarker]
) -> tuple[UnknownMarker, ...]:
    """The markers that were read as two, apart from places that are taken by now."""
    taken = [
        (o.tag.x_mm, o.tag.y_mm) if isinstance(o, ShipSighting) else (o.x_mm, o.y_mm)
        for o in others
    ]
    found: list[UnknownMarker] = []
    for corners_px in detection.unnamed_px:
        corners = plane.to_mm(corners_px)
        x, y = (float(value) for value in corners.mean(axis=0))
        side = float(np.linalg.norm(corners[0] - corners[1]))
        if all(np.hypot(x - a, y - b) > side / 2 for a, b in taken):
            found.append(UnknownMarker(x, y, corners_px))
            taken.append((x, y))
    return tuple(found)


def _is_corner(sighting: Sighting) -> bool:
    return sighting.marker_id in CORNER_IDS.values()


def _corner_count(detection: Detection) -> int:
    return sum(_is_corner(sighting) for sighting in detection.sightings)


def fixed_count(detection: Detection, calibration: Calibration | None) -> int:
    """How many markers of known place were found: corners, and anchors that were measured."""
    anchors = {} if calibration is None else calibration.anchors
    return sum(_is_corner(s) or s.marker_id in anchors for s in detection.sightings)


def lens_for(gray: Gray, calibration: Calibration | None, mirrored: bool) -> Lens:
    """The lens behind a picture of this size: the measured one, or an ordinary one."""
    height, width = gray.shape
    lens = None if calibration is None else calibration.lens.resized(width, height)
    if lens is None:
        return assumed_lens(width, height)
    return lens.mirrored() if mirrored else lens


def _held(
    calibration: Calibration, gray: Gray, detection: Detection, mirrored: bool
) -> TablePlane | None:
    """The plane as it was measured, if nothing in sight speaks against it."""
    centres = {s.marker_id: s.centre_px for s in detection.sightings}
    if mirrored or calibration.stale(gray.shape[1], gray.shape[0], centres):
        return None
    plane = calibration.plane
    if plane is None or not detection.sightings:
        return None
    # A file keeps no doubts; what was steady to two pixels may be off by a part of one.
    doubts = []
    for axis in range(2):
        shift = np.eye(3)
        shift[axis, 2] = _HELD_SIGMA_MM
        doubts.append(replace(plane, to_table=shift @ plane.to_table))
    return replace(plane, variants=tuple(doubts))


def _notes_on_markers(detection: Detection, marker_set: MarkerSet, mirrored: bool) -> list[Message]:
    notes = []
    if mirrored:
        notes.append(Message("vision.locate.mirrored"))
    known = {marker.id: marker.name for marker in marker_set.markers}
    notes += [
        Message(TWICE, marker=called(number, known[number]))
        for number in detection.twice
        if number in known
    ]
    strangers = [s.marker_id for s in detection.sightings if s.marker_id not in known]
    strangers = [number for number in strangers if number not in marker_set.family.unfit]
    if strangers:
        notes.append(Message(STRANGERS, markers=tuple(strangers)))
    return notes


def called(number: int, name: str) -> Message:
    """A marker by its number, with the name where that says more."""
    if name == number_name(number):
        return Message("vision.marker.number", number=number)
    return Message("vision.marker.named", number=number, ship=ShipRef(name))


def _notes_on_plane(
    fit: PlaneFit, detection: Detection, calibration: Calibration | None, corners: int
) -> list[Message]:
    notes = []
    if corners < len(Corner):
        found = {s.marker_id for s in detection.sightings}
        missing = [c.message for c, number in CORNER_IDS.items() if number not in found]
        together = reduce(lambda one, other: Message("common.and", one=one, other=other), missing)
        notes.append(Message("vision.locate.hidden", n=len(missing), corners=together))
    if abs(fit.size_factor - 1) > _SIZE_ALARM and corners == len(Corner):
        code = "larger" if fit.size_factor > 1 else "smaller"
        share = abs(fit.size_factor - 1)
        # Who has a calibration said the table's size there, and not as an option.
        known = "_known" if calibration else ""
        notes.append(Message(f"vision.locate.{code}{known}", share=share))
    if calibration is None and fit.lens_adopted:
        notes.append(BENT_LENS)
    return notes


def _why_no_table(gray: Gray, detection: Detection, corners: int) -> Message:
    low, high = np.percentile(gray[::8, ::8], [1, 99.5])
    if high < _BLACK:
        return Message("vision.locate.black")
    if low > 250:
        return Message("vision.locate.white")
    if not detection.sightings:
        if high - low < _BLACK:
            return Message("vision.locate.grey")
        return Message("vision.locate.no_marker")
    twice = [number for number in detection.twice if number < len(Corner)]
    if twice:
        return Message("vision.locate.corner_twice", marker=twice[0])
    return Message("vision.locate.few_corners", corners=corners, needed=FEWEST_CORNERS)
