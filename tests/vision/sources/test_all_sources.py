"""Pictures from webcams, videos, folders and the demo."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop.messages import Message
from tests.vision.fake_sources import (
    JPEGS,
    FakeTime,
    code_of,
    frame_of,
    picture,
    problem_of,
    trouble_of,
)
from vision.images import Image
from vision.picture_files import encode_image
from vision.sources.all_sources import (
    CameraName,
    Folder,
    Frame,
    Photo,
    RenderedTable,
    VideoFile,
    Webcam,
    plugged_in,
)
from vision.sources.cameras import Capture, open_video, open_webcam
from vision.synthetic.moving_scene import Keyframe, MarkerTrack, MovingScene
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene
from web.strings import words


class FakeCapture:
    """A camera that sends what it is told to, then fails."""

    def __init__(self, pictures: list[Image | None], opened: bool = True) -> None:
        self.pictures = pictures
        self.opened = opened
        self.released = False
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def read(self) -> tuple[bool, Image | None]:
        image = self.pictures.pop(0) if self.pictures else None
        return image is not None, image

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return self.settings.get(key, 0.0)

    def release(self) -> None:
        self.released = True


def camera(
    fake: FakeTime, captures: list[FakeCapture], which: int | str = 0
) -> tuple[Webcam, list[FakeCapture]]:
    used: list[FakeCapture] = []

    def opener(index: int) -> Capture:
        capture = captures.pop(0) if captures else FakeCapture([], opened=False)
        used.append(capture)
        return capture

    names = (CameraName(0, "Laptop Camera"), CameraName(2, "Logitech C920"))
    return Webcam(which, fake.clock, opener=opener, names=lambda: names), used


def test_a_webcam_gives_numbered_frames(fake: FakeTime) -> None:
    webcam, used = camera(fake, [FakeCapture([picture(40), picture(90)])])
    with webcam:
        first, second = frame_of(webcam.read()), frame_of(webcam.read())
        assert (first.number, second.number, first.seconds) == (0, 1, 100.0)
        assert first.image.shape == (120, 160, 3)
    assert used[0].released


@pytest.mark.parametrize(("before", "after"), [(156.0, 78.0), (-5.0, -6.0)])
def test_the_exposure_is_lowered_by_hand(fake: FakeTime, before: float, after: float) -> None:
    webcam, used = camera(fake, [FakeCapture([picture(40)])])
    assert not webcam.lower_exposure()
    webcam.read()
    used[0].settings[cv2.CAP_PROP_EXPOSURE] = before
    assert webcam.lower_exposure()
    assert used[0].settings[cv2.CAP_PROP_EXPOSURE] == after
    assert used[0].settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0


def test_a_camera_that_keeps_its_exposure_is_told_apart(fake: FakeTime) -> None:
    webcam, used = camera(fake, [FakeCapture([picture(40)])])
    webcam.read()
    used[0].set = lambda key, value: False  # type: ignore[method-assign]
    assert not webcam.lower_exposure()


def test_a_camera_that_vanishes_comes_back(fake: FakeTime) -> None:
    webcam, used = camera(
        fake,
        [
            FakeCapture([picture(40)]),
            FakeCapture([], opened=False),
            FakeCapture([], opened=False),
            FakeCapture([picture(90)]),
        ],
    )
    assert isinstance(webcam.read(), Frame)
    gone = trouble_of(webcam.read())
    name = Message("vision.source.webcam", number=0)
    assert gone.message == Message("vision.source.stopped", source=name)
    assert used[0].released
    answers = []
    while not isinstance(answer := webcam.read(), Frame):
        answers.append(answer)
        assert len(answers) < 50
    assert answer.number == 1
    closed = [a.message for a in answers if a.message.code == "vision.source.closed_others"]
    assert any("Logitech" in words(message) for message in closed)
    # Half a second, then one, then two: and never asleep for longer than a quarter at a time.
    assert fake.seconds == pytest.approx(103.5)
    assert max(fake.slept) <= 0.25
    webcam.close()


def test_the_wait_grows_to_eight_seconds_and_no_further(fake: FakeTime) -> None:
    webcam, used = camera(fake, [])
    times: list[float] = []
    while len(used) < 9:
        before = len(used)
        webcam.read()
        if len(used) > before:
            times.append(fake.seconds)
    waits = np.diff(times)
    assert waits.round(2).tolist() == [0.5, 1, 2, 4, 8, 8, 8, 8]


def test_a_webcam_by_name(fake: FakeTime) -> None:
    webcam, _ = camera(fake, [FakeCapture([picture(40)])], "c920")
    assert isinstance(webcam.read(), Frame)
    webcam.close()
    missing, _ = camera(fake, [], "Logitec C902")
    told = trouble_of(missing.read())
    assert told.message == Message(
        "vision.source.not_plugged",
        source=Message("vision.source.webcam_named", name="Logitec C902"),
        nearest="Logitech C920",
    )
    nothing = Webcam("any", fake.clock, names=tuple)
    assert code_of(nothing.read()) == "vision.source.none_plugged"


def test_a_black_frame_is_told_and_reading_goes_on(fake: FakeTime) -> None:
    rng = np.random.default_rng(0)
    black = rng.integers(0, 5, (120, 160, 3), np.uint8)
    webcam, _ = camera(fake, [FakeCapture([black, picture(40)])])
    told = trouble_of(webcam.read())
    assert told.message.code == "vision.source.black"
    assert isinstance(webcam.read(), Frame)


def test_a_grey_webcam_gives_three_channels(fake: FakeTime) -> None:
    webcam, _ = camera(fake, [FakeCapture([picture(40)[..., 0]])])
    assert frame_of(webcam.read()).image.shape == (120, 160, 3)


def test_no_camera_here_is_told_without_muttering(
    fake: FakeTime, capfd: pytest.CaptureFixture[str]
) -> None:
    with Webcam(97, fake.clock, opener=open_webcam) as webcam:
        assert code_of(webcam.read()).startswith("vision.source.closed")
    assert capfd.readouterr().err == ""


def test_the_names_that_linux_gives(tmp_path: Path) -> None:
    for node, name, index in (("video0", "Laptop", "0"), ("video1", "Laptop", "1"),
                              ("video10", "C920\n", "0")):  # fmt: skip
        folder = tmp_path / node
        folder.mkdir()
        (folder / "name").write_text(name)
        (folder / "index").write_text(index)
    (tmp_path / "videoX").mkdir()
    assert plugged_in(tmp_path) == (CameraName(0, "Laptop"), CameraName(10, "C920"))
    assert plugged_in(tmp_path / "nowhere") == ()


def make_video(path: Path, count: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 120))
    for shade in range(count):
        writer.write(picture(40 + 20 * shade))
    writer.release()


def test_a_video_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    make_video(path, 3)
    with VideoFile(path) as video:
        frames = [frame_of(video.read()) for _ in range(3)]
        assert [frame.number for frame in frames] == [0, 1, 2]
        assert frames[2].seconds == pytest.approx(0.2)
        end = trouble_of(video.read())
        assert end.message.code == "vision.source.video_end"
        assert end.over
        assert video.read() is end
    with VideoFile(path, repeat=True) as again:
        assert [frame_of(again.read()).number for _ in range(7)] == list(range(7))


def test_a_video_that_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.mp4"
    told = trouble_of(VideoFile(path).read())
    assert told.message.code == "vision.source.no_video"
    path.write_text("not a film")
    told = trouble_of(VideoFile(path, opener=open_video).read())
    assert told.message.code == "vision.source.bad_video"
    assert told.over
    capfd.readouterr()


def test_a_folder_is_shown_in_order_and_watched(tmp_path: Path, fake: FakeTime) -> None:
    folder = Folder(tmp_path, fake.clock)
    assert code_of(folder.read()) == "vision.source.empty_folder"
    (tmp_path / "b.jpg").write_bytes(JPEGS[1])
    (tmp_path / "a.JPG").write_bytes(JPEGS[0])
    (tmp_path / "notes.txt").write_text("not looked at")
    first, second = frame_of(folder.read()), frame_of(folder.read())
    assert first.image.mean() < second.image.mean()
    same = frame_of(folder.read())
    assert same.number == second.number == 1
    (tmp_path / "c.jpg").write_text("a text called .jpg")
    told = trouble_of(folder.read())
    assert told.message["source"] == "c.jpg"
    assert problem_of(told).code == "vision.picture.text"
    assert frame_of(folder.read()).number == 1
    (tmp_path / "d.jpg").write_bytes(JPEGS[2][:-200])
    assert problem_of(trouble_of(folder.read())).code == "vision.picture.damaged"
    (tmp_path / "e.jpg").write_bytes(JPEGS[2])
    assert frame_of(folder.read()).number == 2


def test_a_folder_that_is_gone(tmp_path: Path, fake: FakeTime) -> None:
    folder = Folder(tmp_path / "gone", fake.clock)
    assert code_of(folder.read()) == "vision.source.closed_folder"


def test_one_photo(fake: FakeTime) -> None:
    photo = Photo(JPEGS[0], "table.jpg", fake.clock)
    assert frame_of(photo.read()) is frame_of(photo.read())
    bad = trouble_of(Photo(JPEGS[0][:500], "table.jpg", fake.clock).read())
    assert bad.message["source"] == "table.jpg"
    assert bad.message["problem"] == Message("vision.picture.damaged", kind="JPEG")
    assert bad.over
    black = encode_image(np.zeros((60, 80, 3), np.uint8), "b.png")
    assert code_of(Photo(black, "b.png", fake.clock).read()) == "vision.source.black_photo"


def test_the_rendered_table_keeps_its_pace(fake: FakeTime) -> None:
    marker = RenderedMarker(4, 400, 300, 0)
    track = MarkerTrack(4, (Keyframe(0, 400, 300), Keyframe(2, 900, 600)))
    moving = MovingScene(RenderScene((marker,)), CameraView(320, 180), [track])
    with RenderedTable(moving, fake.clock, frames_per_second=4) as table:
        frames = [frame_of(table.read()) for _ in range(4)]
    assert [frame.seconds for frame in frames] == [100.0, 100.25, 100.5, 100.75]
    assert not np.array_equal(frames[0].image, frames[3].image)
    dark = MovingScene(RenderScene(), CameraView(320, 180, light=0.0))
    assert code_of(RenderedTable(dark, fake.clock).read()) == "vision.source.black"
