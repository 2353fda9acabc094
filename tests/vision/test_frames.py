"""Frame sources: the same two answers from all of them, and every trouble told in words."""

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from vision.cameras import Capture, open_video, open_webcam
from vision.frames import (
    CameraName,
    Clock,
    Folder,
    Frame,
    FrameSource,
    MjpegStream,
    Photo,
    RenderedTable,
    Trouble,
    VideoFile,
    Webcam,
    open_source,
    plugged_in,
)
from vision.mjpeg import BrokenStream, parts
from vision.pictures import Image, encode_image
from vision.render import CameraView, RenderedMarker, RenderScene
from vision.render_moving import Keyframe, MarkerTrack, MovingScene


class FakeTime:
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.sleep)


@pytest.fixture
def fake() -> FakeTime:
    return FakeTime()


def picture(shade: int) -> Image:
    image = np.full((120, 160, 3), shade, np.uint8)
    image[20:60, 30:90] = 255 - shade
    return image


JPEGS = [encode_image(picture(shade), "a.jpg") for shade in (40, 90, 140)]


def frame_of(answer: Frame | Trouble) -> Frame:
    assert isinstance(answer, Frame), answer
    return answer


def trouble_of(answer: Frame | Trouble) -> Trouble:
    assert isinstance(answer, Trouble)
    assert "\n" not in str(answer)
    assert answer.words
    assert answer.remedy
    return answer


class FakeCapture:
    """A camera that sends what it is told to, then fails."""

    def __init__(self, pictures: list[Image | None], opened: bool = True) -> None:
        self.pictures = pictures
        self.opened = opened
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def read(self) -> tuple[bool, Image | None]:
        image = self.pictures.pop(0) if self.pictures else None
        return image is not None, image

    def set(self, key: int, value: float) -> bool:
        return True

    def get(self, key: int) -> float:
        return 0.0

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
    assert "camera 0 has stopped sending pictures" in gone.words
    assert "cable" in gone.remedy
    assert used[0].released
    answers = []
    while not isinstance(answer := webcam.read(), Frame):
        answers.append(answer)
        assert len(answers) < 50
    assert answer.number == 1
    assert any("cannot be opened" in a.words and "Logitech" in a.remedy for a in answers)
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
    assert "the camera 'Logitec C902' is not plugged in" in told.words
    assert "'Logitech C920'" in told.remedy
    nothing = Webcam("any", fake.clock, names=tuple)
    assert "give a camera's number" in trouble_of(nothing.read()).remedy


def test_a_black_frame_is_told_and_reading_goes_on(fake: FakeTime) -> None:
    rng = np.random.default_rng(0)
    black = rng.integers(0, 5, (120, 160, 3), np.uint8)
    webcam, _ = camera(fake, [FakeCapture([black, picture(40)])])
    told = trouble_of(webcam.read())
    assert "black pictures" in told.words
    assert "lens cap" in told.remedy
    assert isinstance(webcam.read(), Frame)


def test_a_grey_webcam_gives_three_channels(fake: FakeTime) -> None:
    webcam, _ = camera(fake, [FakeCapture([picture(40)[..., 0]])])
    assert frame_of(webcam.read()).image.shape == (120, 160, 3)


def test_no_camera_here_is_told_without_muttering(
    fake: FakeTime, capfd: pytest.CaptureFixture[str]
) -> None:
    with Webcam(97, fake.clock, opener=open_webcam) as webcam:
        assert "cannot be opened" in trouble_of(webcam.read()).words
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
        assert "at its end" in end.words
        assert end.over
        assert video.read() is end
    with VideoFile(path, repeat=True) as again:
        assert [frame_of(again.read()).number for _ in range(7)] == list(range(7))


def test_a_video_that_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.mp4"
    told = trouble_of(VideoFile(path).read())
    assert "there is no such file" in told.words
    path.write_text("not a film")
    told = trouble_of(VideoFile(path, opener=open_video).read())
    assert "not a video that can be read" in told.words
    assert told.over
    capfd.readouterr()


def test_a_folder_is_shown_in_order_and_watched(tmp_path: Path, fake: FakeTime) -> None:
    folder = Folder(tmp_path, fake.clock)
    assert "has no picture in it yet" in trouble_of(folder.read()).words
    (tmp_path / "b.jpg").write_bytes(JPEGS[1])
    (tmp_path / "a.JPG").write_bytes(JPEGS[0])
    (tmp_path / "notes.txt").write_text("not looked at")
    first, second = frame_of(folder.read()), frame_of(folder.read())
    assert first.image.mean() < second.image.mean()
    same = frame_of(folder.read())
    assert same.number == second.number == 1
    (tmp_path / "c.jpg").write_text("a text called .jpg")
    told = trouble_of(folder.read())
    assert "c.jpg: not a picture but text" in told.words
    assert frame_of(folder.read()).number == 1
    (tmp_path / "d.jpg").write_bytes(JPEGS[2][:-200])
    assert "cut off" in trouble_of(folder.read()).words
    (tmp_path / "e.jpg").write_bytes(JPEGS[2])
    assert frame_of(folder.read()).number == 2


def test_a_folder_that_is_gone(tmp_path: Path, fake: FakeTime) -> None:
    folder = Folder(tmp_path / "gone", fake.clock)
    assert "cannot be read" in trouble_of(folder.read()).words


def test_one_photo(fake: FakeTime) -> None:
    photo = Photo(JPEGS[0], "table.jpg", fake.clock)
    assert frame_of(photo.read()) is frame_of(photo.read())
    bad = trouble_of(Photo(JPEGS[0][:500], "table.jpg", fake.clock).read())
    assert "table.jpg: the JPEG picture is cut off" in bad.words
    assert bad.remedy == "copy or send it again"
    assert bad.over
    black = encode_image(np.zeros((60, 80, 3), np.uint8), "b.png")
    assert "black" in trouble_of(Photo(black, "b.png", fake.clock).read()).words


def test_the_rendered_table_keeps_its_pace(fake: FakeTime) -> None:
    marker = RenderedMarker(4, 400, 300, 0)
    track = MarkerTrack(4, (Keyframe(0, 400, 300), Keyframe(2, 900, 600)))
    moving = MovingScene(RenderScene((marker,)), CameraView(320, 180), [track])
    with RenderedTable(moving, fake.clock, frames_per_second=4) as table:
        frames = [frame_of(table.read()) for _ in range(4)]
    assert [frame.seconds for frame in frames] == [100.0, 100.25, 100.5, 100.75]
    assert not np.array_equal(frames[0].image, frames[3].image)
    dark = MovingScene(RenderScene(), CameraView(320, 180, light=0.0))
    assert "black" in trouble_of(RenderedTable(dark, fake.clock).read()).words


class Bytes:
    """A stream that gives its bytes in small pieces."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = data
        self._size = size

    def read1(self, size: int = -1, /) -> bytes:
        piece, self._data = self._data[: self._size], self._data[self._size :]
        return piece


def multipart(bodies: list[bytes], mark: bytes, *, lengths: bool) -> bytes:
    data = b""
    for body in bodies:
        head = b"Content-Type: image/jpeg\r\n"
        if lengths:
            head += b"Content-Length: %d\r\n" % len(body)
        data += mark + b"\r\n" + head + b"\r\n" + body + b"\r\n"
    return data + mark + b"--\r\n"


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize("size", [1, 7, 1000, 1_000_000])
@pytest.mark.parametrize("announced", ["frame", "--frame", '"frame"'])
def test_a_multipart_stream_is_taken_apart(lengths: bool, size: int, announced: str) -> None:
    bodies = [b"one\r\n--fram", b"two" * 50, b"\r\n\r\nthree"]
    source = Bytes(multipart(bodies, b"--frame", lengths=lengths), size)
    assert list(parts(source, announced)) == bodies


def test_a_stream_that_is_something_else() -> None:
    with pytest.raises(BrokenStream, match="not made of pictures"):
        list(parts(Bytes(b"x" * 100_000, 1000), "frame"))
    giant = b"--frame\r\nContent-Length: 99999999999\r\n\r\n"
    with pytest.raises(BrokenStream, match="choose a smaller resolution"):
        list(parts(Bytes(giant, 1000), "frame"))


class PhoneHandler(BaseHTTPRequestHandler):
    """A phone as a camera: what it sends is chosen by the path."""

    pictures: ClassVar[list[bytes]] = JPEGS
    asked: ClassVar[list[str]] = []
    wait_seconds: ClassVar[float] = 0.005

    def do_GET(self) -> None:
        self.asked.append(self.headers.get("Authorization", ""))
        if self.path == "/page":
            self._answer(200, "text/html", b"<h1>IP camera</h1>")
        elif self.path == "/shot.jpg":
            self._answer(200, "image/jpeg", self.pictures[0])
        elif self.path == "/locked":
            self._answer(401, "text/plain", b"who are you")
        elif self.path == "/error":
            self._answer(503, "text/plain", b"busy")
        elif self.path == "/empty.jpg":
            self._answer(200, "image/jpeg", b"")
        elif self.path in ("/video", "/three", "/broken", "/stall"):
            self._stream()
        else:
            self._answer(404, "text/plain", b"nothing here")

    def _answer(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        count = 3 if self.path == "/three" else 400
        for number in range(count):
            body = self.pictures[number % len(self.pictures)]
            if self.path == "/broken":
                body = body[:300]
            head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(body)
            try:
                self.wfile.write(head + body + b"\r\n")
            except OSError:
                return
            time.sleep(1.0 if self.path == "/stall" else self.wait_seconds)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Phone:
    """A phone's server that can be switched off and on at the same address."""

    def __init__(self) -> None:
        self._server: ThreadingHTTPServer | None = None
        self.port = 0
        self.start()

    def start(self) -> None:
        ThreadingHTTPServer.allow_reuse_address = True
        server = ThreadingHTTPServer(("127.0.0.1", self.port), PhoneHandler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self._server = server

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
def phone() -> Iterator[Phone]:
    PhoneHandler.asked.clear()
    phone = Phone()
    yield phone
    phone.stop()


@pytest.fixture
def stream(phone: Phone, fake: FakeTime) -> Iterator[Callable[[str], MjpegStream]]:
    streams: list[MjpegStream] = []

    def open_stream(path: str) -> MjpegStream:
        streams.append(MjpegStream(phone.url(path), fake.clock, timeout_seconds=2.0))
        return streams[-1]

    yield open_stream
    for one in streams:
        one.close()


Opener = Callable[[str], MjpegStream]


def test_a_phone_as_a_camera(stream: Opener) -> None:
    source = stream("/video")
    frames = [frame_of(source.read()) for _ in range(5)]
    assert [frame.number for frame in frames] == list(range(5))
    assert frames[0].image.shape == (120, 160, 3)


def test_the_newest_picture_is_taken(stream: Opener) -> None:
    source = stream("/video")
    source.read()
    # Meanwhile dozens of pictures come in; only the last is worth looking at.
    time.sleep(0.2)
    started = time.monotonic()
    source.read()
    assert time.monotonic() - started < 0.15


def test_a_phone_that_dies_and_comes_back(stream: Opener, phone: Phone) -> None:
    source = stream("/three")
    assert isinstance(source.read(), Frame)
    phone.stop()
    while not isinstance(answer := source.read(), Trouble):
        pass
    assert "stopped sending pictures" in answer.words
    assert "phone awake" in answer.remedy
    refused = [trouble_of(source.read()) for _ in range(4)]
    assert any("does not answer (connection refused)" in told.words for told in refused)
    assert "same Wi-Fi" in refused[-1].remedy
    phone.start()
    answers = [source.read() for _ in range(40)]
    assert any(isinstance(answer, Frame) for answer in answers)


def test_a_phone_that_falls_asleep(phone: Phone, fake: FakeTime) -> None:
    with MjpegStream(phone.url("/stall"), fake.clock, timeout_seconds=0.3) as source:
        assert isinstance(source.read(), Frame)
        assert "stopped sending pictures" in trouble_of(source.read()).words


def test_one_picture_for_each_request(stream: Opener) -> None:
    source = stream("/shot.jpg")
    assert [frame_of(source.read()).number for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("path", "words", "remedy"),
    [
        ("/page", "sends text/html, not pictures", "often ends in /video"),
        ("/nothing", "has nothing at", "often ends in /video"),
        ("/locked", "wants a name and password", "http://name:password@"),
        ("/error", "answers with error 503", "restart its app"),
        ("/broken", "cut off", "send it again"),
        ("/empty.jpg", "is empty", "again"),
    ],
)
def test_what_is_wrong_with_a_phone(stream: Opener, path: str, words: str, remedy: str) -> None:
    told = trouble_of(stream(path).read())
    assert words in told.words
    assert remedy in told.remedy


def test_a_password_is_sent_and_not_shown(phone: Phone, fake: FakeTime) -> None:
    url = phone.url("/nothing").replace("http://", "http://me:se%20cret@")
    with MjpegStream(url, fake.clock) as source:
        told = str(trouble_of(source.read()))
        assert "se%20cret" not in told + source.name
        assert "secret" not in told + source.name
    assert PhoneHandler.asked == ["Basic bWU6c2UgY3JldA=="]


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/y", "http://", "http://a b/", "http://x:notaport/", ""]
)
def test_what_is_no_address(url: str, fake: FakeTime) -> None:
    with MjpegStream(url, fake.clock) as source:
        told = trouble_of(source.read())
    assert "is not a camera's address" in told.words
    assert "http://192.168.1.20:8080/video" in told.remedy


def test_words_choose_the_source(tmp_path: Path, fake: FakeTime) -> None:
    (tmp_path / "a.png").write_bytes(encode_image(picture(40), "a.png"))
    (tmp_path / "game.mp4").write_text("x")
    wanted: dict[str, type[FrameSource]] = {
        "0": Webcam,
        "Logitech": Webcam,
        "http://10.0.0.5:8080/video": MjpegStream,
        str(tmp_path): Folder,
        str(tmp_path / "a.png"): Photo,
        str(tmp_path / "game.mp4"): VideoFile,
    }
    for words, kind in wanted.items():
        source = open_source(words, fake.clock)
        assert type(source) is kind
        assert source.name
        source.close()
