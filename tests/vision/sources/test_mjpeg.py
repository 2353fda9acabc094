"""Pictures from a phone over the network, and words that choose where pictures come from."""

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tabletop.messages import Message
from tests.vision.fake_sources import JPEGS, FakeTime, code_of, frame_of, picture, trouble_of
from vision.picture_files import encode_image
from vision.sources.all_sources import (
    Folder,
    Frame,
    FrameSource,
    MjpegStream,
    Photo,
    Trouble,
    VideoFile,
    Webcam,
    open_source,
)
from vision.sources.mjpeg import BrokenStream, parts
from web.strings import words

DAMAGED = Message("vision.picture.damaged", kind="JPEG")


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
    with pytest.raises(BrokenStream, match=r"vision\.stream\.no_parts"):
        list(parts(Bytes(b"x" * 100_000, 1000), "frame"))
    giant = b"--frame\r\nContent-Length: 99999999999\r\n\r\n"
    with pytest.raises(BrokenStream, match=r"vision\.stream\.large"):
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
    assert answer.message.code == "vision.source.stream_stopped"
    refused = [trouble_of(source.read()) for _ in range(4)]
    assert any(
        told.message.code == "vision.stream.silent"
        and told.message["reason"] == "connection refused"
        for told in refused
    )
    phone.start()
    answers = [source.read() for _ in range(40)]
    assert any(isinstance(answer, Frame) for answer in answers)


def test_a_phone_that_falls_asleep(phone: Phone, fake: FakeTime) -> None:
    with MjpegStream(phone.url("/stall"), fake.clock, timeout_seconds=0.3) as source:
        assert isinstance(source.read(), Frame)
        assert code_of(source.read()) == "vision.source.stream_stopped"


def test_one_picture_for_each_request(stream: Opener) -> None:
    source = stream("/shot.jpg")
    assert [frame_of(source.read()).number for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("path", "code", "param", "value"),
    [
        ("/page", "vision.stream.no_pictures", "content_type", "text/html"),
        ("/nothing", "vision.stream.nothing_there", "", None),
        ("/locked", "vision.stream.password", "", None),
        ("/error", "vision.stream.error", "status", 503),
        ("/broken", "errors.file.problem", "problem", DAMAGED),
        ("/empty.jpg", "errors.file.problem", "problem", Message("vision.picture.empty")),
    ],
)
def test_what_is_wrong_with_a_phone(
    stream: Opener, path: str, code: str, param: str, value: object
) -> None:
    told = trouble_of(stream(path).read()).message
    assert told.code == code
    assert not param or told[param] == value


def test_a_password_is_sent_and_not_shown(phone: Phone, fake: FakeTime) -> None:
    url = phone.url("/nothing").replace("http://", "http://me:se%20cret@")
    with MjpegStream(url, fake.clock) as source:
        told = trouble_of(source.read()).message
        for said in (repr(told), words(told), repr(source.name), words(source.name)):
            assert "se%20cret" not in said
            assert "secret" not in said
    assert PhoneHandler.asked == ["Basic bWU6c2UgY3JldA=="]


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/y", "http://", "http://a b/", "http://x:notaport/", ""]
)
def test_what_is_no_address(url: str, fake: FakeTime) -> None:
    with MjpegStream(url, fake.clock) as source:
        told = trouble_of(source.read())
    assert told.message == Message("vision.stream.no_address", address=url)


def test_words_choose_the_source(tmp_path: Path, fake: FakeTime) -> None:
    (tmp_path / "a.png").write_bytes(encode_image(picture(40), "a.png"))
    (tmp_path / "game.mp4").write_text("x")
    wanted: dict[str, type[FrameSource]] = {
        "0": Webcam,
        "Logitech": Webcam,
        "http://10.0.0.5:8080/video": MjpegStream,
        str(tmp_path): Folder,
        str(tmp_path / "evenign"): Folder,
        str(tmp_path / "a.png"): Photo,
        str(tmp_path / "game.mp4"): VideoFile,
    }
    for what, kind in wanted.items():
        source = open_source(what, fake.clock)
        assert type(source) is kind
        assert source.name
        source.close()


def test_a_folder_that_is_not_there_is_no_camera_to_plug_in(tmp_path: Path, fake: FakeTime) -> None:
    with open_source(str(tmp_path / "evenign"), fake.clock) as source:
        assert code_of(source.read()) == "vision.source.closed_folder"
        (tmp_path / "evenign").mkdir()
        (tmp_path / "evenign" / "a.png").write_bytes(encode_image(picture(40), "a.png"))
        assert isinstance(source.read(), Frame), "it is found once its name is right"
