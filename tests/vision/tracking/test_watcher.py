"""A camera that is held all evening: pictures, troubles, repeats, recorded time."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

from calibration.homography import TableSize
from tabletop.messages import Message, verbatim
from vision.picture_files import encode_image
from vision.snapshot import CameraState, ShipState
from vision.sources.all_sources import Clock, Frame, Photo, RenderedTable, Trouble
from vision.sources.frame_source import Still
from vision.synthetic.moving_scene import Keyframe, MarkerTrack, MovingScene
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, render
from vision.synthetic.scene import marker_set_of
from vision.tracking.tracker import Tracker
from vision.tracking.watcher import Watcher

SCENE = RenderScene(markers=(RenderedMarker(4, 500, 400, 30, name="Hood"),))
VIEW = CameraView(width_px=1280, height_px=720, blur_px=0.5, noise=1.0)
TABLE = TableSize(SCENE.table_width_mm, SCENE.table_height_mm)
PICTURE = render(SCENE, VIEW).image


class FakeTime:
    """A clock that runs only by sleeping, or by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []
        self.clock = Clock(lambda: self.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Script(Still):
    """A source that answers what it was told to, its last answer for ever."""

    def __init__(self, *answers: Frame | Trouble) -> None:
        self.name = Message("vision.source.webcam", number=0)
        self.answers = list(answers)

    def read(self) -> Frame | Trouble:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def tracker() -> Tracker:
    return Tracker(marker_set_of(SCENE), TABLE)


def test_before_the_first_picture_it_says_so(time: FakeTime) -> None:
    seen = Watcher(Script(Trouble(verbatim("a; b"))), tracker(), time.clock).latest
    assert (seen.frame, seen.looks, seen.frames, seen.frames_per_second) == (None, 0, 0, None)
    assert seen.snapshot.camera.state is CameraState.LOST
    name = Message("vision.source.webcam", number=0)
    assert seen.snapshot.camera.message == Message("vision.source.no_picture", source=name)
    assert seen.picture() is None


def test_pictures_become_ships_at_their_pace(time: FakeTime) -> None:
    frames = [Frame(PICTURE, 100 + n / 5, n) for n in range(8)]
    watcher = Watcher(Script(*frames), tracker(), time.clock)
    for frame in frames:
        time.now = frame.seconds
        seen = watcher.step()
    assert watcher.latest is seen
    assert seen.trouble is None
    assert (seen.frames, seen.looks) == (8, 8)
    assert seen.frames_per_second == pytest.approx(5)
    assert [(ship.name, ship.state) for ship in seen.snapshot.ships] == [
        ("Hood", ShipState.SETTLED)
    ]
    assert time.slept == []
    with pytest.raises(FrozenInstanceError):
        seen.frames = 9  # type: ignore[misc]


def test_a_first_picture_that_came_late_does_not_hold_back_the_others(time: FakeTime) -> None:
    frames = [Frame(PICTURE, 101 + n / 5, n) for n in range(4)]
    watcher = Watcher(Script(*frames), tracker(), time.clock)
    time.now = 104.0
    for frame in frames:
        time.now = max(time.now, frame.seconds + 0.05)
        watcher.step()
    assert time.slept == []


def test_a_camera_that_vanishes_is_told_and_comes_back(time: FakeTime) -> None:
    gone = Trouble(Message("vision.source.stopped", source="camera 0"))
    first = [Frame(PICTURE, 100 + n / 5, n) for n in range(6)]
    back = [Frame(PICTURE, 107 + n / 5, 6 + n) for n in range(8)]
    watcher = Watcher(Script(*first, gone, gone, *back), tracker(), time.clock)
    for frame in first:
        time.now = frame.seconds
        before = watcher.step()
    time.now = 104.0
    watcher.step()
    time.now = 106.0
    lost = watcher.step()
    assert lost.trouble == gone
    assert lost.snapshot.camera.message == gone.message
    assert lost.frame is before.frame
    (ship,) = lost.snapshot.ships
    assert ship.state is ShipState.STALE
    assert ship.age_seconds == pytest.approx(5.0)
    assert lost.frames_per_second is None
    for frame in back:
        time.now = frame.seconds
        seen = watcher.step()
    assert seen.trouble is None
    assert {ship.state for ship in seen.snapshot.ships} == {ShipState.SETTLED}
    assert seen.frames == 14


def test_a_photo_settles_and_then_costs_nothing(time: FakeTime) -> None:
    watcher = Watcher(Photo(encode_image(PICTURE, "t.png"), "t.png", time.clock), tracker(),
                      time.clock)  # fmt: skip
    for _ in range(16):
        seen = watcher.step()
    assert {ship.state for ship in seen.snapshot.ships} == {ShipState.SETTLED}
    assert seen.frames == 1
    assert watcher.step() is seen
    assert time.slept[-1] >= 0.2


def test_a_video_is_no_faster_than_it_was_taken(time: FakeTime) -> None:
    end = Trouble(Message("vision.source.video_end", source="the video"), over=True)
    frames = [Frame(PICTURE, n / 4, n) for n in range(4)]
    watcher = Watcher(Script(*frames, end), tracker(), time.clock)
    for _ in frames:
        watcher.step()
    assert time.now == pytest.approx(100.75)
    for _ in range(3):
        seen = watcher.step()
    assert seen.trouble == end
    assert time.now == pytest.approx(101.25)
    hurried = Watcher(Script(*frames, end), tracker(), time.clock, paced=False)
    start = time.now
    for _ in frames:
        hurried.step()
    assert time.now == start


def test_a_picture_that_upsets_the_mathematics_is_told(
    time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = Watcher(Script(Frame(PICTURE, 100.0, 0)), tracker(), time.clock)

    def fail(*_: object) -> None:
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr(Tracker, "update", fail)
    seen = watcher.step()
    assert seen.trouble is not None
    assert seen.trouble is not None
    assert seen.trouble.message == Message("vision.source.upset", reason="Singular matrix")
    monkeypatch.undo()
    assert watcher.step().trouble is None


def test_the_picture_for_the_page(time: FakeTime, tmp_path: Path) -> None:
    watcher = Watcher(Script(Frame(PICTURE, 100.0, 0)), tracker(), time.clock)
    seen = watcher.step()
    plain, marked = seen.picture(), seen.picture(TABLE, marked=True)
    assert plain is not None
    assert marked is not None
    assert np.array_equal(plain, PICTURE)
    assert not np.array_equal(marked, PICTURE)
    small = seen.picture(TABLE, width_px=640)
    assert small is not None
    assert small.shape == (360, 640, 3)


def test_the_rendered_table_through_a_watcher(time: FakeTime) -> None:
    keys = (Keyframe(3.0, 500, 400, 30), Keyframe(9.0, 530, 400, 30))
    story = MovingScene(SCENE, VIEW, [MarkerTrack(4, keys)], thrifty=True)
    watcher = Watcher(RenderedTable(story, time.clock, 5.0), tracker(), time.clock)
    states = []
    for _ in range(30):
        watcher.step()
        states.append({ship.state for ship in watcher.latest.snapshot.ships})
    assert states[12] == {ShipState.SETTLED}
    assert states[25] == {ShipState.MOVING}
