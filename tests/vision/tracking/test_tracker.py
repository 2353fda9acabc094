"""The tracker on rendered sequences with their truth: motion, hands, light, bumps, doubles."""

import copy
import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.calibration_file import Calibration
from calibration.camera import Lens, LensSource, assumed_lens
from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import Corner, Family
from tabletop.messages import Message, verbatim
from tabletop.scale import Scale
from vision.handover import to_pose
from vision.snapshot import CameraState, ShipState, Snapshot
from vision.synthetic.renderer import (
    CameraView,
    Glare,
    RenderedHand,
    RenderedMarker,
    Renderer,
    RenderScene,
    Shadow,
    Silhouette,
    Truth,
)
from vision.tags.detect import Detection, detect
from vision.tracking.track import USUAL, distance_mm
from vision.tracking.tracker import Tracker, TrackerSettings

VIEW = CameraView(width_px=1280, height_px=720, blur_px=0.5, noise=2.0, jpeg_quality=90, seed=3)
PLACES = ((250, 220, 10), (600, 260, 75), (950, 240, 200), (1500, 300, 310), (420, 620, 45),
          (900, 640, 130), (1350, 700, 260), (700, 1000, 0))  # fmt: skip
IDS = (4, 5, 6, 7, 10, 11, 12, 13)
SHIPS = tuple(
    RenderedMarker(number, x, y, heading, silhouette=Silhouette.NONE)
    for number, (x, y, heading) in zip(IDS, PLACES, strict=True)
)
SCENE = RenderScene(markers=SHIPS)
STEP = 0.1
WITHIN_SECONDS = 1.0
"""Whatever happens on the table is told so soon."""


@cache
def renderer(view: CameraView = VIEW, scene: RenderScene = SCENE) -> Renderer:
    return Renderer(scene, view)


class Film:
    """Feeds a tracker frame by frame and holds what it said against the truth."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        table = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
        # Half of the usual frames for an average keep the films short.
        settings = TrackerSettings(replace(USUAL, average_frames=5))
        self.tracker = Tracker(default_marker_set(), table, calibration, settings)
        self.frame = 0
        self.snapshots: list[Snapshot] = []

    def show(
        self,
        frames: int,
        ships: tuple[RenderedMarker, ...] = SHIPS,
        *,
        view: CameraView = VIEW,
        scene: RenderScene = SCENE,
        hands: tuple[RenderedHand, ...] = (),
    ) -> list[Snapshot]:
        said = []
        for _ in range(frames):
            picture = renderer(view, scene).frame(ships, (), hands, self.frame)
            said.append(self._feed(picture.image))
            self.check(said[-1], picture.truth)
        return said

    def show_image(self, image: np.ndarray, frames: int) -> list[Snapshot]:
        return [self._feed(image) for _ in range(frames)]

    def _feed(self, image: np.ndarray) -> Snapshot:
        snapshot = self.tracker.update(image, self.frame * STEP)
        if self.snapshots:
            no_silent_jump(self.snapshots[-1], snapshot)
        self.snapshots.append(snapshot)
        self.frame += 1
        return snapshot

    @staticmethod
    def check(snapshot: Snapshot, truth: Truth) -> None:
        """Whatever is called seen is where it truly is: never a wrong name."""
        for ship in snapshot.ships:
            if ship.state is not ShipState.STALE:
                true = next(marker for marker in truth.markers if marker.id == ship.id)
                off = math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm)
                # The height that nobody stated is a doubt, but not an error here: paper lies flat.
                assert off < max(0.35, 4 * min(ship.pose.position_sigma_mm, 0.3)), (ship, true)
                turn = abs((ship.pose.heading_deg - true.heading_deg + 180) % 360 - 180)
                assert turn < max(0.8, 4 * ship.pose.heading_sigma_deg), (ship, true)


def no_silent_jump(before: Snapshot, after: Snapshot) -> None:
    old = {ship.id: ship for ship in before.ships}
    for ship in after.ships:
        if ship.id in old and ship.state is not ShipState.MOVING:
            assert distance_mm(old[ship.id].pose, ship.pose) < 0.4, ship
        if ship.id in old and ship.state is ShipState.STALE:
            assert ship.pose == old[ship.id].pose


def states(snapshot: Snapshot, ids: Iterable[int] = IDS) -> set[ShipState]:
    wanted = set(ids)
    return {ship.state for ship in snapshot.ships if ship.id in wanted}


@pytest.fixture
def film() -> Film:
    return Film()


@cache
def at_rest() -> Film:
    film = Film()
    film.show(13)
    assert states(film.snapshots[-1]) == {ShipState.SETTLED}
    return film


@pytest.fixture
def running() -> Film:
    """A table that has been watched until everything rests."""
    return copy.deepcopy(at_rest())


def moved(number: int, x: float, y: float, turn: float = 0.0) -> tuple[RenderedMarker, ...]:
    return tuple(
        replace(ship, x_mm=ship.x_mm + x, y_mm=ship.y_mm + y, heading_deg=ship.heading_deg + turn)
        if ship.id == number
        else ship
        for ship in SHIPS
    )


def test_ships_are_believed_after_three_frames_and_settle() -> None:
    table = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
    lens = assumed_lens(VIEW.width_px, VIEW.height_px)
    said = Film(Calibration(lens, table, height_mm=0.0)).show(14)
    assert [len(snapshot.ships) for snapshot in said[:3]] == [0, 0, 8]
    assert states(said[2]) == {ShipState.MOVING}
    assert states(said[6]) == {ShipState.SETTLED}
    last = said[-1]
    assert last.camera.state is CameraState.OK
    assert last.notes == ()
    assert [corner.visible for corner in last.corners] == [True] * 4
    assert {ship.name for ship in last.ships} == {f"marker {number}" for number in IDS}
    assert all(ship.age_seconds == 0 and ship.seen_frames > 10 for ship in last.ships)
    off = [
        math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm)
        for ship, true in zip(last.ships, SHIPS, strict=True)
    ]
    sigmas = [ship.pose.position_sigma_mm for ship in last.ships]
    assert max(off) < 0.2
    assert np.mean(np.array(off) < 2 * np.array(sigmas)) >= 0.85
    assert max(sigmas) < 0.3


def test_what_a_glance_misses_is_found_a_few_frames_later(
    film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    def glance(image: np.ndarray, family: Family, *, thorough: bool = True) -> Detection:
        found = detect(image, family, thorough=thorough)
        return Detection(tuple(s for s in found.sightings if thorough or s.marker_id not in IDS))

    monkeypatch.setattr("vision.locate.detect", glance)
    said = film.show(8)
    assert not said[2].ships
    assert {ship.id for ship in said[-1].ships} == set(IDS)


def test_a_ship_moves_then_settles(running: Film) -> None:
    for step in range(1, 6):
        (said,) = running.show(1, moved(6, 9.0 * step, -4.0 * step, 3.0 * step))
        assert states(said, [6]) == {ShipState.MOVING}
        assert states(said, set(IDS) - {6}) == {ShipState.SETTLED}
    said_after = running.show(6, moved(6, 45, -20, 15))
    assert states(said_after[3], [6]) == {ShipState.SETTLED}
    ship = said_after[-1].ship("marker 6")
    assert ship is not None
    assert math.hypot(ship.pose.x_mm - 995, ship.pose.y_mm - 220) < 0.2


def test_a_nudge_of_half_a_millimetre_is_seen(running: Film) -> None:
    said = running.show(6, moved(5, 0.6, 0.0))
    assert states(said[0], [5]) == {ShipState.MOVING}
    assert states(said[-1], [5]) == {ShipState.SETTLED}
    assert states(said[0], set(IDS) - {5}) == {ShipState.SETTLED}


def test_a_hand_hides_ships_and_goes(running: Film) -> None:
    reaching = (RenderedHand(930, 640, 180.0, size=1.3), RenderedHand(440, 640, 200.0, size=1.3))
    hidden = [
        true.id
        for true in renderer().frame(SHIPS, (), reaching).truth.markers
        if true.visible < 0.5
    ]
    assert len(hidden) >= 3
    before = {ship.id: ship.pose for ship in running.snapshots[-1].ships}
    said = running.show(7, hands=reaching)
    ages = [ship.age_seconds for s in said for ship in s.ships if ship.id == hidden[0]]
    assert ages == sorted(ages)
    assert ages[-1] == pytest.approx(7 * STEP, abs=STEP + 1e-6)
    assert states(said[-1], hidden) == {ShipState.STALE}
    assert {ship.id: ship.pose for ship in said[-1].ships if ship.id in hidden} == {
        number: before[number] for number in hidden
    }
    after = running.show(6)
    assert states(after[-1]) == {ShipState.SETTLED}


def test_a_ship_carried_away_is_found_again(running: Film) -> None:
    without = tuple(ship for ship in SHIPS if ship.id != 12)
    said = running.show(4, without)
    assert states(said[-1], [12]) == {ShipState.STALE}
    elsewhere = moved(12, -200, 300, 120)
    said = running.show(15, elsewhere)
    first = next(i for i, s in enumerate(said) if states(s, [12]) != {ShipState.STALE})
    assert states(said[first], [12]) == {ShipState.MOVING}
    assert first * STEP < WITHIN_SECONDS
    assert states(said[-1], [12]) == {ShipState.SETTLED}


def test_two_markers_of_one_number_are_both_refused(running: Film) -> None:
    twin = RenderedMarker(7, 1150, 1050, 80, silhouette=Silhouette.NONE)
    said = running.show(13, (*SHIPS, twin))
    assert states(said[-1], [7]) == {ShipState.STALE}
    assert (
        Message("vision.locate.twice", marker=Message("vision.marker.number", number=7))
        in said[-1].notes
    )
    assert states(said[-1], set(IDS) - {7}) == {ShipState.SETTLED}
    after = running.show(14)
    assert states(after[-1], [7]) == {ShipState.SETTLED}
    assert after[-1].notes == ()


def test_twins_from_the_start_are_never_believed(film: Film) -> None:
    twin = RenderedMarker(7, 1150, 1050, 80, silhouette=Silhouette.NONE)
    said = film.show(13, (*SHIPS, twin))
    assert all(ship.id != 7 for snapshot in said for ship in snapshot.ships)
    assert "vision.locate.twice" in [note.code for note in said[-1].notes]


def test_a_marker_seen_in_one_frame_only_is_not_believed(running: Film) -> None:
    ghost = RenderedMarker(20, 1150, 1050, 80, silhouette=Silhouette.NONE)
    for _ in range(2):
        running.show(1, (*SHIPS, ghost))
        running.show(4)
    assert all(ship.id != 20 for snapshot in running.snapshots for ship in snapshot.ships)
    said = running.show(14, (*SHIPS, ghost))
    assert states(said[-1], [20]) == {ShipState.SETTLED}


def test_two_ships_that_change_places_keep_their_names(running: Film) -> None:
    first, second = SHIPS[4], SHIPS[5]
    others = tuple(ship for ship in SHIPS if ship not in (first, second))
    running.show(3, others)
    swapped = (
        replace(first, x_mm=second.x_mm, y_mm=second.y_mm),
        replace(second, x_mm=first.x_mm, y_mm=first.y_mm),
    )
    said = running.show(15, (*others, *swapped))
    assert states(said[-1]) == {ShipState.SETTLED}
    told = next(
        i for i, s in enumerate(said)
        if states(s, [first.id, second.id]).isdisjoint({ShipState.STALE})
    )  # fmt: skip
    assert told * STEP < WITHIN_SECONDS


def test_a_hidden_corner_moves_nobody(running: Film) -> None:
    far_right = (SCENE.table_width_mm, SCENE.table_height_mm)
    said = running.show(8, hands=(RenderedHand(*far_right, 20.0, size=1.6),))
    seen = {each.corner: each.visible for each in said[-1].corners}
    assert [corner for corner, visible in seen.items() if not visible] == [Corner.FAR_RIGHT]
    assert states(said[-1]) == {ShipState.SETTLED}
    after = running.show(4)
    assert all(each.visible for each in after[-1].corners)


def test_a_mirrored_picture_is_told_and_read(film: Film) -> None:
    view = replace(VIEW, mirrored=True)
    said = film.show(5, view=view)
    assert said[-1].mirrored
    assert Message("vision.locate.mirrored") in said[-1].notes
    assert len(said[-1].ships) == 8


def test_a_black_frame_leaves_everything_stale(running: Film) -> None:
    before = running.snapshots[-1]
    black = np.zeros((720, 1280, 3), np.uint8)
    said = running.show_image(black, 8)
    assert states(said[0]) == {ShipState.STALE}
    assert said[-1].camera.state is CameraState.LOST
    assert said[-1].camera.message == Message("vision.locate.black")
    assert [s.pose for s in said[-1].ships] == [s.pose for s in before.ships]
    assert all(ship.age_seconds > 0.6 for ship in said[-1].ships)
    after = running.show(9)
    assert after[-1].camera.state is CameraState.OK
    assert states(after[-1]) == {ShipState.SETTLED}


def test_nothing_but_black_from_the_start(film: Film) -> None:
    (said,) = film.show_image(np.zeros((720, 1280, 3), np.uint8), 1)
    assert said.camera.state is CameraState.LOST
    assert said.ships == ()


def test_a_bumped_camera_is_noticed_and_the_table_solved_anew(running: Film) -> None:
    fixed = renderer().view
    bumped = replace(fixed, pan_deg=1.5, roll_deg=1.0)
    said = running.show(1, view=bumped)
    assert said[-1].camera.state is CameraState.BUMPED
    assert said[-1].camera.message
    assert states(said[-1]) == {ShipState.STALE}
    after = running.show(13, view=bumped)
    assert after[-1].camera.state is CameraState.OK
    assert Message("vision.track.measured_anew") in after[-1].notes
    assert states(after[-1]) == {ShipState.SETTLED}


def test_a_corner_marker_pushed_by_itself_does_not_move_the_table(running: Film) -> None:
    pushed = replace(SCENE, lie_mm=((0, 0, 0), (-7, 4, 2), (0, 0, 0), (0, 0, 0)))
    said = running.show(3, scene=pushed)
    assert said[-1].camera.state is CameraState.OK
    assert Message("vision.track.corner_moved", corner=Corner.NEAR_RIGHT.message) in said[-1].notes
    assert states(said[-1]) == {ShipState.SETTLED}


def test_glare_hides_but_never_lies(running: Film) -> None:
    spot = replace(VIEW, glare=(Glare(950, 240, 110, 1.0),))
    said = running.show(4, view=spot)
    assert states(said[-1], [6]) == {ShipState.STALE}
    assert states(said[-1], [11, 12, 13]) == {ShipState.SETTLED}
    assert states(running.show(5)[-1]) == {ShipState.SETTLED}


def test_a_shadow_sweeping_across_moves_nobody(running: Film) -> None:
    for x in range(100, 1800, 420):
        view = replace(VIEW, shadow=(Shadow(x, 600, 20, 250, 0.55),))
        (said,) = running.show(1, view=view)
        assert said.camera.state is CameraState.OK
        assert len(said.ships) == 8
        assert ShipState.MOVING not in states(said)
    assert states(running.show(4)[-1]) == {ShipState.SETTLED}


def test_a_camera_that_vanishes(running: Film) -> None:
    unplugged = verbatim("the camera was unplugged; plug it in")
    said = running.tracker.without_picture(10.0, unplugged)
    assert said.camera.message == unplugged
    assert states(said) == {ShipState.STALE}
    assert all(ship.age_seconds > 5 for ship in said.ships)


def test_a_measured_lens_lets_the_corners_be_averaged() -> None:
    true = renderer().camera
    focal, centre = float(true.matrix[0, 0]), true.matrix[:2, 2].tolist()
    lens = Lens(
        1280, 720, focal, focal, centre[0], centre[1], source=LensSource.CHARUCO, focal_known=True
    )
    table = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
    film = Film(Calibration(lens, table))
    said = film.show(12)
    planes = [snapshot.plane for snapshot in said]
    assert len({id(plane) for plane in planes}) == 2
    assert states(said[-1]) == {ShipState.SETTLED}
    errors = [
        math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm)
        for ship, true in zip(said[-1].ships, SHIPS, strict=True)
    ]
    assert max(errors) < 0.15


def test_what_a_snapshot_shows_is_handed_over_in_yards(running: Film) -> None:
    ship = running.snapshots[-1].ship("marker 5")
    assert ship is not None
    pose = to_pose(ship.pose, Scale(500))
    assert pose.x_yards == pytest.approx(600 / 25.4 * 500, abs=8)
    assert pose.heading_deg == pytest.approx(ship.pose.heading_deg)
    assert pose.position_sigma_yards == pytest.approx(ship.pose.position_sigma_mm / 25.4 * 500)


def test_a_slow_camera_is_believed_as_well() -> None:
    """One picture in two seconds: claims wait for the next frame, however late it is."""
    tracker = Tracker(default_marker_set(), TableSize(SCENE.table_width_mm, SCENE.table_height_mm))
    for number in range(4):
        picture = renderer().frame(SHIPS, (), (), number)
        snapshot = tracker.update(picture.image, number * 2.0)
    assert len(snapshot.ships) == 8


def test_a_missing_ship_hurries_the_search_of_the_whole_picture(running: Film) -> None:
    fleet = running.tracker._fleet
    assert not fleet.lately_lost(running.frame * STEP)
    running.show(2, tuple(ship for ship in SHIPS if ship.id != 12))
    assert fleet.lately_lost(running.frame * STEP)
    assert not fleet.lately_lost(running.frame * STEP + 60)
