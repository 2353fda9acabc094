"""Several pictures of one table become one table, even if none of them shows all of it.

The pictures are linked by the fixed markers that they share: corner markers, and anchor markers
whose places are measured here. Each ship is read in every picture that shows her, and the readings
are fused by their uncertainty. Where pictures disagree about a ship, the later one counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.bundle import (
    Bundle,
    BundleView,
    FixedSighting,
    solve_bundle,
)
from calibration.calibration_file import Calibration, print_scale_of
from calibration.homography import USUAL_TABLE, FixedPlace, TablePlane, TableSize
from calibration.marker_file import MarkerSet
from calibration.markers import CORNER_IDS
from tabletop.angles import wrap_180, wrap_360
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from vision.images import Array, Gray, Image, to_gray
from vision.locate import (
    Located,
    ShipSighting,
    lens_for,
    locate,
    search_more,
    ships_on,
)
from vision.snapshot import TablePose

_SAME_PLACE_SIGMAS: Final = 5.0
_SAME_PLACE_MM: Final = 4.0
"""Readings farther apart than this and so many σ show a ship that was moved in between."""
_SAME_TURN_DEG: Final = 6.0
_SHARED: Final = 0.5
"""The correlation of two readings' errors: they share the table's size and the bases' height."""
_PLAIN_PX: Final = 16.0
"""A marker that would be so large in a picture is seen there, unless it is covered."""
_EDGE_PX: Final = 12.0
_ONE_LENS_PX: Final = 0.35
"""Pictures of one camera agree so well, or better."""
_TWO_LENSES: Final = 0.7
"""A lens for each picture must improve the fit by this factor to be believed."""
_GRID: Final = 24
_MOST_WITHOUT_ANCHORS: Final = 16
"""More pictures without any anchor are hardly those of one large table."""
_CORNERS: Final = frozenset(CORNER_IDS.values())


@dataclass(frozen=True, slots=True)
class FusedShip:
    """A ship by all pictures that show her."""

    id: int
    name: str
    pose: TablePose
    pictures: tuple[int, ...]
    """The pictures whose readings make her pose."""
    out_of_date: bool
    """Whether a later picture shows her place without her."""


@dataclass(frozen=True, slots=True)
class LocatedTogether:
    """One table from several pictures."""

    pictures: tuple[Located, ...]
    """Each picture; one that is linked to others has its ships on the common table."""
    ships: tuple[FusedShip, ...]
    anchors: Mapping[int, FixedPlace]
    """Where the anchor markers lie."""
    notes: tuple[Message, ...]
    problem: Message | None
    """Why there is no common table."""


@np.errstate(all="ignore")
def locate_together(
    images: Sequence[Image],
    marker_set: MarkerSet,
    table: TableSize | None = None,
    calibration: Calibration | None = None,
    *,
    cameras: Sequence[str] = (),
    alone: Sequence[Located] | None = None,
) -> LocatedTogether:
    """The table that these pictures show, taken in this order.

    `cameras` says which pictures come from the same camera; `alone` are the results of `locate`
    where they are known already.
    """
    size = table or (calibration.table if calibration is not None else USUAL_TABLE)
    if alone is None:
        alone = [locate(image, marker_set, table, calibration) for image in images]
    pictures = list(alone)
    anchors: Mapping[int, FixedPlace] = {}
    notes: list[Message] = []
    problem: Message | None = None
    linked = bool(marker_set.anchor_ids) or (
        len(pictures) <= _MOST_WITHOUT_ANCHORS and any(each.plane is None for each in pictures)
    )
    if linked and sum(bool(_fixed(each, marker_set)) for each in pictures) > 1:
        try:
            bundle = _solve(images, pictures, marker_set, size, calibration, cameras)
        except (DreyerError, np.linalg.LinAlgError) as error:
            problem = (
                error.message
                if isinstance(error, DreyerError)
                else Message("calibration.bundle.disagree")
            )
        else:
            anchors = {n: p for n, p in bundle.places.items() if n in marker_set.anchor_ids}
            notes += _notes(bundle, pictures, marker_set)
            for number, plane in enumerate(bundle.planes):
                if plane is not None:
                    gray = _gray(images[number], pictures[number])
                    pictures[number] = _on_plane(
                        gray, pictures[number], plane, marker_set, size, calibration
                    )
    elif linked and all(each.plane is None for each in pictures):
        problem = Message("calibration.bundle.no_corner")
    ships, moved = _fused(pictures, marker_set, calibration)
    notes += [Message("vision.together.moved", ship=ShipRef(name)) for name in moved]
    notes += [
        Message("vision.together.out_of_date", ship=ShipRef(ship.name))
        for ship in ships
        if ship.out_of_date
    ]
    return LocatedTogether(tuple(pictures), ships, anchors, tuple(notes), problem)


def _gray(image: Image, located: Located) -> Gray:
    gray = to_gray(image)
    return np.ascontiguousarray(gray[:, ::-1]) if located.mirrored else gray


def _fixed(located: Located, marker_set: MarkerSet) -> set[int]:
    fixed = _CORNERS | set(marker_set.anchor_ids)
    return {s.marker_id for s in located.detection.sightings} & fixed


def _solve(
    images: Sequence[Image],
    pictures: Sequence[Located],
    marker_set: MarkerSet,
    size: TableSize,
    calibration: Calibration | None,
    cameras: Sequence[str],
) -> Bundle:
    printed = print_scale_of(calibration)
    places = size.corner_places_mm
    known = {number: (float(places[number][0]), float(places[number][1])) for number in _CORNERS}

    def solve(cameras: Sequence[str]) -> Bundle:
        views = []
        for image, located, camera in zip(images, pictures, cameras, strict=True):
            fixed = _fixed(located, marker_set)
            sightings = tuple(
                FixedSighting(
                    s.marker_id,
                    s.corners_px,
                    s.sigma_px,
                    marker_set.size_mm(s.marker_id) * printed.factor,
                )
                for s in located.detection.sightings
                if s.marker_id in fixed
            )
            lens = lens_for(to_gray(image), calibration, located.mirrored)
            views.append(BundleView(lens, sightings, camera))
        return solve_bundle(views, known, size_sigma=printed.sigma / printed.factor)

    if cameras:
        return solve(cameras)
    together = solve([""] * len(images))
    if together.residual_px < _ONE_LENS_PX and not together.moved:
        return together
    # Pictures of one size may still come from two cameras, each with a lens of its own.
    try:
        apart = solve([str(number) for number in range(len(images))])
    except (DreyerError, np.linalg.LinAlgError):
        return together
    better = len(apart.moved) < len(together.moved) or (
        len(apart.moved) == len(together.moved)
        and apart.residual_px < _TWO_LENSES * together.residual_px
    )
    return apart if better else together


def _on_plane(
    gray: Gray,
    located: Located,
    plane: TablePlane,
    marker_set: MarkerSet,
    size: TableSize,
    calibration: Calibration | None,
) -> Located:
    """The picture with its ships on the common table."""
    detection = located.detection
    part = _part_in_sight(gray, plane, size)
    if part is not None and not located.ships:
        shifted, shown = part
        detection = search_more(gray, marker_set, shifted, shown, detection, calibration)
    try:
        ships = ships_on(gray, marker_set, plane, detection, calibration)
    except np.linalg.LinAlgError:
        return located
    # A picture of a part of the table need not show any corner.
    notes = tuple(note for note in located.notes if note.code != "vision.locate.hidden")
    return replace(
        located, ships=ships, plane=plane, problem=None, detection=detection, notes=notes
    )


def _part_in_sight(
    gray: Gray, plane: TablePlane, size: TableSize
) -> tuple[TablePlane, TableSize] | None:
    """The plane counted from the near left corner of what the picture shows of the table."""
    height, width = gray.shape
    x, y = np.meshgrid(np.linspace(0, width - 1, _GRID), np.linspace(0, height - 1, _GRID))
    pixels = np.column_stack([x.ravel(), y.ravel()])
    places = plane.to_mm(pixels)
    # Beyond the horizon a pixel's place is behind the camera and does not lead back to it.
    ahead = _is_ahead(plane, pixels)
    inside = (
        ahead & (places >= 0).all(axis=1) & (places <= [size.width_mm, size.height_mm]).all(axis=1)
    )
    if inside.sum() < 4:
        return None
    low, high = places[inside].min(axis=0), places[inside].max(axis=0)
    if (high - low).min() < 50:
        return None
    shift = np.eye(3)
    shift[:2, 2] = -low
    camera = None if plane.camera_mm is None else plane.camera_mm - [*low, 0.0]
    moved = TablePlane(plane.lens, np.asarray(shift @ plane.to_table), camera)
    return moved, TableSize(float(high[0] - low[0]), float(high[1] - low[1]))


def _is_ahead(plane: TablePlane, pixels: Array) -> NDArray[np.bool_]:
    """Which pixels show the table, and not what is beyond its horizon."""
    rays = plane.lens.rays(pixels)
    return np.asarray(rays @ plane.to_table[2, :2] + plane.to_table[2, 2] > 0)


def _notes(bundle: Bundle, pictures: Sequence[Located], marker_set: MarkerSet) -> list[Message]:
    notes = [
        Message("vision.together.anchor_moved", n=marker, picture=number + 1)
        for number, marker in bundle.moved
    ]
    notes += [
        Message("vision.together.alone", picture=number + 1)
        for number, plane in enumerate(bundle.planes)
        if plane is None and _fixed(pictures[number], marker_set)
    ]
    return notes


def _fused(
    pictures: Sequence[Located], marker_set: MarkerSet, calibration: Calibration | None
) -> tuple[tuple[FusedShip, ...], list[str]]:
    """Every ship by all her readings, and the names of those that were moved between pictures."""
    readings: dict[int, list[tuple[int, ShipSighting]]] = {}
    for number, located in enumerate(pictures):
        for ship in located.ships:
            readings.setdefault(ship.id, []).append((number, ship))
    ships, moved = [], []
    for marker_id, found in sorted(readings.items()):
        latest = found[-1][1]
        agree = [each for each in found if is_same_pose(each[1].pose, latest.pose)]
        if len(agree) < len(found):
            moved.append(latest.name)
        numbers = tuple(number for number, _ in agree)
        pose = fuse([ship.pose for _, ship in agree])
        missed = any(
            _should_show(pictures[number], latest, marker_set, calibration)
            for number in range(numbers[-1] + 1, len(pictures))
        )
        ships.append(FusedShip(marker_id, latest.name, pose, numbers, missed))
    return tuple(ships), moved


def is_same_pose(one: TablePose, other: TablePose) -> bool:
    """Whether two readings are of a ship that lies still between them."""
    far = np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    sigma = np.hypot(one.position_sigma_mm, other.position_sigma_mm)
    turn = abs(wrap_180(one.heading_deg - other.heading_deg))
    doubt = np.hypot(one.heading_sigma_deg, other.heading_sigma_deg)
    return bool(
        far <= max(_SAME_PLACE_MM, _SAME_PLACE_SIGMAS * sigma)
        and turn <= max(_SAME_TURN_DEG, _SAME_PLACE_SIGMAS * doubt)
    )


def fuse(poses: Sequence[TablePose]) -> TablePose:
    """One pose of several, each weighted by its uncertainty."""
    if len(poses) == 1:
        return poses[0]
    weight, sigma = _weights([pose.position_sigma_mm for pose in poses])
    turn_weight, turn_sigma = _weights([pose.heading_sigma_deg for pose in poses])
    base = poses[0].heading_deg
    heading = base + sum(
        float(share) * wrap_180(pose.heading_deg - base)
        for share, pose in zip(turn_weight, poses, strict=True)
    )
    return TablePose(
        float(weight @ [pose.x_mm for pose in poses]),
        float(weight @ [pose.y_mm for pose in poses]),
        wrap_360(heading),
        sigma,
        turn_sigma,
    )


def _weights(sigmas: Sequence[float]) -> tuple[Array, float]:
    """The weights of readings whose errors are partly common, and the σ of their mean."""
    each = np.maximum(np.array(sigmas), 1e-9)
    covariance = np.outer(each, each) * (_SHARED + (1 - _SHARED) * np.eye(len(each)))
    # One that is much worse than another would be weighted below 0, and counts for nothing.
    weight = np.maximum(np.linalg.solve(covariance, np.ones(len(each))), 0.0)
    weight /= weight.sum()
    return weight, float(np.sqrt(weight @ covariance @ weight))


def _should_show(
    located: Located,
    ship: ShipSighting,
    marker_set: MarkerSet,
    calibration: Calibration | None,
) -> bool:
    """Whether a picture shows the place of a ship plainly enough to see her marker there."""
    plane = located.plane
    if plane is None:
        return False
    place = np.array([ship.tag.x_mm, ship.tag.y_mm])
    height = 0.0 if calibration is None else calibration.height_of(ship.name).mm
    pixel = plane.to_px(place, height)
    side = marker_set.size_mm(ship.id) * float(plane.px_per_mm(place))
    if not np.isfinite(pixel).all() or side < _PLAIN_PX or not _is_ahead(plane, pixel[None])[0]:
        return False
    margin = side + _EDGE_PX
    width, high = plane.lens.width_px, plane.lens.height_px
    return bool(margin < pixel[0] < width - margin and margin < pixel[1] < high - margin)
