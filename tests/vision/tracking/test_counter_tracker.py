"""Plain counters through the tracker: named once, followed, and asked for again when in doubt."""

import math
import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from tabletop.errors import DreyerError
from tabletop.messages import Message
from vision.counters.detect import CounterKind
from vision.snapshot import CameraState, CounterState, PlainCounter, ShipState, Snapshot
from vision.sources.all_sources import Clock, Frame
from vision.sources.frame_source import Still
from vision.synthetic.renderer import (
    CameraView,
    RenderedCounter,
    RenderedHand,
    RenderedMarker,
    Renderer,
    RenderScene,
)
from vision.tracking.tracker import Tracker
from vision.tracking.watcher import Watcher

HOOD = RenderedCounter(500, 400, 30)
BISMARCK = RenderedCounter(1200, 700, 250)
THIRD = RenderedCounter(800, 950, 100)
TAGGED = RenderedMarker(4, 300, 900, 0)
SCENE = RenderScene(markers=(TAGGED,), counters=(HOOD, BISMARCK, THIRD))
VIEW = CameraView(width_px=1280, height_px=720, blur_px=0.5, noise=1.5)
STEP = 0.2


@cache
def renderer(view: CameraView = VIEW) -> Renderer:
    return Renderer(SCENE, view, stream=True)


class Film:
    """Feeds a tracker that looks for plain counters."""

    def __init__(self) -> None:
        table = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
        self.tracker = Tracker(default_marker_set(), table, plain=CounterKind())
        self.frame = 0

    def show(
        self,
        frames: int,
        counters: tuple[RenderedCounter, ...] = SCENE.counters,
        hands: tuple[RenderedHand, ...] = (),
        view: CameraView = VIEW,
    ) -> Snapshot:
        for _ in range(frames):
            picture = renderer(view).frame(SCENE.markers, counters, hands, self.frame)
            snapshot = self.tracker.update(picture.image, self.frame * STEP)
            self.frame += 1
        return snapshot

    def name(self, snapshot: Snapshot, counter: RenderedCounter, name: str, bow: float) -> Snapshot:
        return self.tracker.assign(at(snapshot, counter).key, name, bow)


def at(snapshot: Snapshot, counter: RenderedCounter) -> PlainCounter:
    found = [
        seen
        for seen in snapshot.counters
        if math.hypot(seen.pose.x_mm - counter.x_mm, seen.pose.y_mm - counter.y_mm) < 2
        and seen.state is not CounterState.STALE
    ]
    assert len(found) == 1
    return found[0]


@pytest.fixture
def film() -> Film:
    """Hood and Bismarck named, a third counter not."""
    film = Film()
    snapshot = film.show(5)
    assert [counter.state for counter in snapshot.counters] == [CounterState.UNNAMED] * 3
    assert [ship.name for ship in snapshot.ships] == ["marker 4"]
    film.name(snapshot, HOOD, "Hood", 60)
    film.name(snapshot, BISMARCK, "Bismarck", 200)
    return film


def test_a_named_counter_is_a_ship_like_any_other(film: Film) -> None:
    snapshot = film.show(4)
    assert [ship.name for ship in snapshot.ships] == ["marker 4", "Hood", "Bismarck"]
    hood, bismarck = snapshot.ship("Hood"), snapshot.ship("Bismarck")
    assert hood is not None
    assert bismarck is not None
    assert hood.state is ShipState.SETTLED
    assert hood.id == -at(snapshot, HOOD).key
    assert math.hypot(hood.pose.x_mm - 500, hood.pose.y_mm - 400) < 0.4
    assert hood.pose.heading_deg == pytest.approx(30, abs=1)
    assert bismarck.pose.heading_deg == pytest.approx(250, abs=1)
    assert at(snapshot, THIRD).state is CounterState.UNNAMED


def test_she_is_followed_while_she_moves_and_turns(film: Film) -> None:
    for step in range(1, 8):
        moved = replace(HOOD, x_mm=500 + 3.0 * step, heading_deg=30 + 4.0 * step)
        snapshot = film.show(1, (moved, BISMARCK, THIRD))
        hood = snapshot.ship("Hood")
        assert hood is not None
        assert hood.state is ShipState.MOVING
        assert hood.pose.x_mm == pytest.approx(moved.x_mm, abs=0.5)
        assert hood.pose.heading_deg == pytest.approx(moved.heading_deg, abs=1.5)
    snapshot = film.show(4, (moved, BISMARCK, THIRD))
    assert {ship.state for ship in snapshot.ships} == {ShipState.SETTLED}


def test_a_hand_hides_her_and_she_is_there_again(film: Film) -> None:
    before = film.show(2).ship("Hood")
    hidden = film.show(3, hands=(RenderedHand(510, 410, 180, size=1.2),)).ship("Hood")
    assert before is not None
    assert hidden is not None
    assert hidden.state is ShipState.STALE
    assert hidden.pose == before.pose
    assert hidden.age_seconds == pytest.approx(3 * STEP, abs=STEP)
    after = film.show(8).ship("Hood")
    assert after is not None
    assert after.state is ShipState.SETTLED


def test_one_put_elsewhere_is_asked_for_and_never_guessed(film: Film) -> None:
    film.show(3, (BISMARCK, THIRD))
    elsewhere = replace(HOOD, x_mm=950, y_mm=250)
    snapshot = film.show(8, (elsewhere, BISMARCK, THIRD))
    hood = snapshot.ship("Hood")
    assert hood is not None
    assert hood.state is ShipState.STALE
    assert at(snapshot, elsewhere).state is CounterState.UNNAMED
    snapshot = film.name(snapshot, elsewhere, "Hood", 30)
    hood = snapshot.ship("Hood")
    assert hood is not None
    assert hood.state in (ShipState.MOVING, ShipState.SETTLED)
    assert sum(ship.name == "Hood" for ship in snapshot.ships) == 1


def test_one_turned_too_far_at_once_is_stale_and_asked_for(film: Film) -> None:
    film.show(2)
    snapshot = film.show(1, (BISMARCK, THIRD))
    snapshot = film.show(8, (replace(HOOD, heading_deg=115), BISMARCK, THIRD))
    hood = snapshot.ship("Hood")
    assert hood is not None
    assert hood.state is ShipState.STALE
    assert hood.pose.heading_deg == pytest.approx(30, abs=1)


def test_names_and_keys_are_checked(film: Film) -> None:
    snapshot = film.show(1)
    with pytest.raises(DreyerError, match=r"vision\.counters\.no_such\(counter=99\)"):
        film.tracker.assign(99, "Hood", 0)
    with pytest.raises(DreyerError, match=r"vision\.counters\.coded\(ship=marker 4\)"):
        film.name(snapshot, THIRD, "marker 4", 0)
    after = film.tracker.forget("Hood")
    assert after.ship("Hood") is None
    with pytest.raises(DreyerError, match=r"vision\.counters\.off"):
        Tracker(default_marker_set()).assign(1, "Hood", 0)


def test_a_bumped_camera_loses_no_name(film: Film) -> None:
    film.show(2)
    bumped = replace(VIEW, pan_deg=1.5, roll_deg=1.0)
    snapshot = film.show(1, view=bumped)
    assert snapshot.camera.state is CameraState.BUMPED
    hood = snapshot.ship("Hood")
    assert hood is not None
    assert hood.state is ShipState.STALE
    snapshot = film.show(14, view=bumped)
    assert snapshot.camera.state is CameraState.OK
    assert {s.name: s.state for s in snapshot.ships if s.id < 0} == {
        "Hood": ShipState.SETTLED,
        "Bismarck": ShipState.SETTLED,
    }


class _OnePicture(Still):
    name = Message("vision.source.webcam", number=0)

    def __init__(self, image: np.ndarray) -> None:
        self._image = image
        self._number = 0

    def read(self) -> Frame:
        self._number += 1
        return Frame(self._image, self._number * STEP, self._number)


def test_the_page_names_counters_through_the_watcher(film: Film) -> None:
    image = renderer().frame(SCENE.markers, SCENE.counters).image
    clock = Clock(lambda: 0.0, lambda _: None)
    tracker = Tracker(default_marker_set(), plain=CounterKind())
    watcher = Watcher(_OnePicture(image), tracker, clock)
    for _ in range(4):
        seen = watcher.step()
    named = watcher.assign(at(seen.snapshot, HOOD).key, "Hood", 40)
    assert named.looks == seen.looks + 1
    assert watcher.latest is named
    assert named.snapshot.ship("Hood") is not None
    assert watcher.forget("Hood").snapshot.ship("Hood") is None


def carry(film: Film, to: RenderedCounter, others: tuple[RenderedCounter, ...]) -> Snapshot:
    """A hand takes Hood, goes to the new place, puts her down and leaves; with what it takes."""
    way = [(HOOD.x_mm + (to.x_mm - HOOD.x_mm) * t, HOOD.y_mm + (to.y_mm - HOOD.y_mm) * t)
           for t in (0.0, 0.25, 0.5, 0.75, 1.0)]  # fmt: skip
    film.show(1, (HOOD, *others), (RenderedHand(*way[0], 180),))
    for place in way:
        film.show(1, others, (RenderedHand(*place, 180),))
    return film.show(1, (to, *others), (RenderedHand(*way[-1], 180),))


def test_one_carried_by_a_hand_is_taken_for_herself_within_a_second(film: Film) -> None:
    film.show(2)
    elsewhere = replace(HOOD, x_mm=820, y_mm=480, heading_deg=55)
    carry(film, elsewhere, (BISMARCK, THIRD))
    snapshot = film.show(round(1 / STEP), (elsewhere, BISMARCK, THIRD))
    assert at(snapshot, elsewhere).name == "Hood"
    hood = snapshot.ship("Hood")
    assert hood is not None
    assert hood.state is not ShipState.STALE
    assert hood.pose.heading_deg == pytest.approx(55, abs=1)
    assert "vision.counters.taken" in {note.code for note in snapshot.notes}
    bismarck = snapshot.ship("Bismarck")
    assert bismarck is not None
    assert math.hypot(bismarck.pose.x_mm - BISMARCK.x_mm, bismarck.pose.y_mm - BISMARCK.y_mm) < 1


def test_with_two_missing_each_is_offered_and_none_is_taken(film: Film) -> None:
    film.show(2)
    elsewhere = replace(HOOD, x_mm=820, y_mm=480)
    carry(film, elsewhere, (THIRD,))
    snapshot = film.show(round(1 / STEP), (elsewhere, THIRD))
    new = at(snapshot, elsewhere)
    assert new.name is None
    assert new.may_be == ("Hood", "Bismarck")
    # She who was there before is nobody who went missing since.
    assert at(snapshot, THIRD).may_be == ()


def test_without_a_hand_in_between_she_is_offered_and_not_taken(film: Film) -> None:
    film.show(3, (BISMARCK, THIRD))
    elsewhere = replace(HOOD, x_mm=950, y_mm=250)
    snapshot = film.show(6, (elsewhere, BISMARCK, THIRD))
    new = at(snapshot, elsewhere)
    assert (new.name, new.may_be) == (None, ("Hood",))


def test_a_search_in_the_background_finds_the_same() -> None:
    image = renderer().frame(SCENE.markers, SCENE.counters).image
    table = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
    tracker = Tracker(default_marker_set(), table, plain=CounterKind(), background=True)
    for frame in range(400):
        snapshot = tracker.update(image, frame * STEP)
        if len(snapshot.counters) == 3:
            break
        time.sleep(0.05)
    found = {(round(c.pose.x_mm), round(c.pose.y_mm)) for c in snapshot.counters}
    assert found == {(500, 400), (1200, 700), (800, 950)}
