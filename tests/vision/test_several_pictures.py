"""Tables larger than a picture: photos walked round them make one table."""

import math
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.calibration_file import Calibration, read_calibration, write_calibration
from calibration.camera import assumed_lens
from calibration.homography import TableSize
from calibration.markers import SMALL, MarkerKind
from tests.vision.flat_table import FlatTable, LaidMarker
from vision.locate import locate
from vision.several_pictures import LocatedTogether, fuse, locate_together
from vision.snapshot import CameraState, ShipState, TablePose
from vision.synthetic.camera import CameraView
from vision.tracking.tracker import Tracker

TWELVE_BY_SIX = TableSize.of_inches(144, 72)
FLOOR = TableSize.of_inches(240, 120)
IDS = SMALL.ship_ids
FIRST_ANCHOR = 20
Pictures = tuple[NDArray[np.uint8], ...]


def table_of(
    size: TableSize, anchors: tuple[int, int], ships: int, px_per_mm: float, tag_mm: float
) -> FlatTable:
    """Anchors in rough rows, any way round, and ships anywhere between them."""
    random = Random(8)
    table = FlatTable(size.width_mm, size.height_mm, px_per_mm)
    columns, rows = anchors
    numbers = iter(IDS[FIRST_ANCHOR:])
    for column in range(columns):
        for row in range(rows):
            x = size.width_mm * column / (columns - 1)
            y = size.height_mm * row / (rows - 1)
            if column in (0, columns - 1) and row in (0, rows - 1):
                continue
            x = min(max(x + random.uniform(-60, 60), 90), size.width_mm - 90)
            y = min(max(y + random.uniform(-60, 60), 90), size.height_mm - 90)
            turn = random.uniform(0, 360)
            table.lay(LaidMarker(next(numbers), MarkerKind.ANCHOR, x, y, turn))
    for number in IDS[:ships]:
        while True:
            x = random.uniform(120, size.width_mm - 120)
            y = random.uniform(120, size.height_mm - 120)
            if all(math.hypot(x - m.x_mm, y - m.y_mm) > 150 for m in table.markers.values()):
                break
        table.lay(LaidMarker(number, MarkerKind.SHIP, x, y, random.uniform(0, 360), tag_mm))
    return table


def walk(table: FlatTable, along: int, height_mm: float, **changes: object) -> list[CameraView]:
    """Photos from both long sides, each of a part of the table, by one phone."""
    usual = CameraView(
        width_px=1920, height_px=1080, height_mm=height_mm, tilt_deg=35, field_of_view_deg=66,
        k1=-0.06, blur_px=0.6, noise=1.5,
    )  # fmt: skip
    usual = replace(usual, **changes)  # type: ignore[arg-type]
    return [
        replace(
            usual, pan_deg=pan, aim_x_mm=table.width_mm * (n + 0.5) / along,
            aim_y_mm=table.height_mm * share, seed=int(pan) + n,
        )
        for pan, share in ((0.0, 0.3), (180.0, 0.7))
        for n in range(along)
    ]  # fmt: skip


@cache
def twelve_feet() -> tuple[FlatTable, Pictures]:
    table = table_of(TWELVE_BY_SIX, (5, 3), 14, 2.0, 30.0)
    texture = table.texture()
    return table, tuple(table.photograph(view, texture) for view in walk(table, 3, 1550))


@cache
def twelve_feet_together() -> LocatedTogether:
    table, pictures = twelve_feet()
    flat = Calibration(assumed_lens(1920, 1080), TWELVE_BY_SIX, height_mm=0.0)
    return locate_together(pictures, table.marker_set(), calibration=flat)


def check(found: LocatedTogether, table: FlatTable, most_mm: float) -> None:
    """Everything is found where it truly is, within what is said of the uncertainty."""
    assert found.problem is None
    ships = {n: m for n, m in table.markers.items() if m.kind is MarkerKind.SHIP}
    anchors = {n: m for n, m in table.markers.items() if m.kind is MarkerKind.ANCHOR}
    assert {ship.id for ship in found.ships} == set(ships)
    assert set(found.anchors) == set(anchors)
    off = []
    for number, place in found.anchors.items():
        far = math.hypot(place.x_mm - anchors[number].x_mm, place.y_mm - anchors[number].y_mm)
        off.append((far, place.position_sigma_mm))
    for ship in found.ships:
        true, pose = ships[ship.id], ship.pose
        off.append((math.hypot(pose.x_mm - true.x_mm, pose.y_mm - true.y_mm),
                    pose.position_sigma_mm))  # fmt: skip
        turn = abs((pose.heading_deg - true.heading_deg + 180) % 360 - 180)
        assert turn < max(0.4, 3 * pose.heading_sigma_deg)
        assert not ship.out_of_date
    errors, sigmas = np.array(off).T
    assert np.percentile(errors, 95) < most_mm
    assert np.mean(errors < 2 * sigmas) >= 0.95


def test_a_table_of_twelve_by_six_feet() -> None:
    table, _ = twelve_feet()
    found = twelve_feet_together()
    assert all(each.plane is not None for each in found.pictures)
    # No picture shows more than two of the corners.
    assert max(each.corners_found for each in found.pictures) <= 2
    check(found, table, 0.4)
    assert any(len(ship.pictures) > 2 for ship in found.ships)


def test_a_floor_of_twenty_feet() -> None:
    table = table_of(FLOOR, (6, 3), 6, 1.3, 50.0)
    texture = table.texture()
    views = walk(table, 3, 1900, field_of_view_deg=74)
    pictures = [table.photograph(view, texture) for view in views]
    flat = Calibration(assumed_lens(1920, 1080), FLOOR, height_mm=0.0)
    check(locate_together(pictures, table.marker_set(), calibration=flat), table, 1.0)


def test_two_cameras_of_one_picture_size_make_one_table() -> None:
    """Each looks at its half through a lens of its own."""
    table = FlatTable(1829.0, 1219.0, 2.0)
    numbers = iter(IDS[FIRST_ANCHOR:])
    for x, y in ((880.0, 150.0), (950.0, 1080.0), (910.0, 620.0)):
        table.lay(LaidMarker(next(numbers), MarkerKind.ANCHOR, x, y, 70.0))
    for number, x, y in ((4, 300.0, 400.0), (5, 930.0, 850.0), (6, 1500.0, 500.0)):
        table.lay(LaidMarker(number, MarkerKind.SHIP, x, y, 40.0 * number, 30.0))
    texture = table.texture()
    usual = CameraView(height_mm=2100, tilt_deg=15, aim_y_mm=610, blur_px=0.6, noise=1.5)
    views = (
        replace(usual, aim_x_mm=430, field_of_view_deg=62, k1=-0.1, roll_deg=4),
        replace(usual, aim_x_mm=1400, field_of_view_deg=80, k1=0.02, pan_deg=10),
    )
    pictures = [table.photograph(view, texture) for view in views]
    flat = Calibration(assumed_lens(1920, 1080), TableSize(1829.0, 1219.0), height_mm=0.0)
    found = locate_together(pictures, table.marker_set(), calibration=flat)
    check(found, table, 1.0)
    assert {ship.id: len(ship.pictures) for ship in found.ships}[5] == 2


def test_measured_anchors_make_a_table_of_one_picture() -> None:
    """Kept in the calibration file, for a camera that sees no corner at all."""
    table, pictures = twelve_feet()
    together = twelve_feet_together()
    kept = replace(
        Calibration(assumed_lens(1920, 1080), TWELVE_BY_SIX, height_mm=0.0),
        anchors=together.anchors,
    )
    read = read_calibration(write_calibration(kept).encode(), "camera.toml")
    assert read.anchors == kept.anchors
    middle = pictures[1]
    alone = locate(middle, table.marker_set(), TWELVE_BY_SIX)
    assert alone.corners_found == 0
    assert alone.plane is None
    found = locate(middle, table.marker_set(), calibration=read)
    assert len(found.ships) >= 4
    for ship in found.ships:
        true = table.markers[ship.id]
        off = math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm)
        assert off < max(0.5, 3 * ship.pose.position_sigma_mm)


def test_a_running_camera_that_sees_only_anchors_measures() -> None:
    table, pictures = twelve_feet()
    kept = Calibration(
        assumed_lens(1920, 1080), TWELVE_BY_SIX, height_mm=0.0,
        anchors=twelve_feet_together().anchors,
    )  # fmt: skip
    tracker = Tracker(table.marker_set(), calibration=kept)
    for frame in range(12):
        snapshot = tracker.update(pictures[1], frame * 0.2)
    assert snapshot.camera.state is CameraState.OK
    assert snapshot.corners == ()
    assert snapshot.notes == ()
    assert len(snapshot.ships) >= 4
    for ship in snapshot.ships:
        true = table.markers[ship.id]
        assert ship.state is ShipState.SETTLED
        off = math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm)
        assert off < max(0.5, 3 * ship.pose.position_sigma_mm)


def test_the_middle_of_a_base_is_the_ships_place() -> None:
    """Its code is at one end, in a photo and for a running camera."""
    table, pictures = twelve_feet()
    printed = table.marker_set()
    behind = replace(
        printed,
        markers=tuple(
            replace(m, ahead_mm=25.0) if m.kind is MarkerKind.SHIP else m for m in printed.markers
        ),
    )
    kept = Calibration(
        assumed_lens(1920, 1080), TWELVE_BY_SIX, height_mm=0.0,
        anchors=twelve_feet_together().anchors,
    )  # fmt: skip
    tracker = Tracker(behind, calibration=kept)
    for frame in range(12):
        snapshot = tracker.update(pictures[1], frame * 0.2)
    photo = {ship.id: ship.pose for ship in locate(pictures[1], behind, calibration=kept).ships}
    assert len(snapshot.ships) >= 4
    for ship in snapshot.ships:
        true = table.markers[ship.id]
        angle = math.radians(true.heading_deg)
        x, y = true.x_mm + 25 * math.sin(angle), true.y_mm + 25 * math.cos(angle)
        for pose in (ship.pose, photo[ship.id]):
            off = math.hypot(pose.x_mm - x, pose.y_mm - y)
            assert off < max(0.5, 3 * pose.position_sigma_mm)
            # So the 25 mm were not lost.
            assert off < 5


def test_what_moved_between_pictures_is_told() -> None:
    """One ship was moved and one taken away after the first pictures."""
    table, pictures = twelve_feet()
    together = twelve_feet_together()
    later = FlatTable(table.width_mm, table.height_mm, table.px_per_mm, dict(table.markers))
    seen_late = {3, 4, 5}
    both = [
        ship.id for ship in together.ships
        if set(ship.pictures) & {0, 1, 2} and set(ship.pictures) & seen_late
    ]  # fmt: skip
    moved, gone = both[:2]
    later.lay(replace(later.markers[moved], x_mm=later.markers[moved].x_mm + 60))
    later.markers.pop(gone)
    texture = later.texture()
    pictures = (*pictures[:3], *(later.photograph(v, texture) for v in walk(table, 3, 1550)[3:]))
    flat = Calibration(assumed_lens(1920, 1080), TWELVE_BY_SIX, height_mm=0.0)
    found = locate_together(pictures, table.marker_set(), calibration=flat)
    ships = {ship.id: ship for ship in found.ships}
    assert ships[moved].pose.x_mm == pytest.approx(later.markers[moved].x_mm, abs=1.0)
    assert ships[gone].out_of_date
    assert [ship.id for ship in found.ships if ship.out_of_date] == [gone]
    codes = [note.code for note in found.notes]
    assert codes == ["vision.together.moved", "vision.together.out_of_date"]


def test_pictures_without_a_common_marker_say_so() -> None:
    table, pictures = twelve_feet()
    bare = replace(
        table.marker_set(),
        markers=tuple(m for m in table.marker_set().markers if m.kind is not MarkerKind.ANCHOR),
    )
    found = locate_together(pictures[1:2] * 2, bare, TWELVE_BY_SIX)
    assert found.problem is not None
    assert found.problem.code == "calibration.bundle.no_corner"
    assert found.ships == ()


def test_poses_are_fused_by_their_uncertainty() -> None:
    fused = fuse([TablePose(100, 0, 359.0, 1.0, 1.0), TablePose(102, 0, 1.0, 1.2, 1.0)])
    assert 100.0 < fused.x_mm < 101.0
    assert fused.heading_deg % 360 == pytest.approx(0.0, abs=1e-9)
    # Better than the best alone, but never as if the pictures shared nothing.
    assert 1 / math.sqrt(1 + 1 / 1.44) < fused.position_sigma_mm < 1.0
    poor = fuse([TablePose(100, 0, 0.0, 1.0, 1.0), TablePose(102, 0, 0.0, 5.0, 1.0)])
    assert (poor.x_mm, poor.position_sigma_mm) == pytest.approx((100.0, 1.0))
