"""Live sources of frames: webcams by number or name, video files, cameras on the network."""

import contextlib
import http.client
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from tabletop.errors import DreyerError, nearest
from tabletop.messages import Message
from vision.images import Image
from vision.picture_files import decode_image
from vision.sources.frame_source import Clock, Frame, LiveSource, Lost, Still, Trouble
from vision.sources.mjpeg import Answer, BrokenStream, open_answer, shown

LINUX_CAMERAS: Final = Path("/sys/class/video4linux")
_BAD_PICTURES_IN_A_ROW: Final = 10
_EXPOSURE_BY_HAND: Final = (1.0, 0.25)
"""What switches the automatic exposure off: on Linux, and where that is refused, elsewhere."""


class Capture(Protocol):
    """What we use of cv2.VideoCapture."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name.
        """Whether there is anything to read."""

    def read(self) -> tuple[bool, Image | None]:
        """Whether a picture came, and the picture."""

    def set(self, key: int, value: float) -> bool:
        """Ask for a setting."""

    def get(self, key: int) -> float:
        """A setting as it is."""

    def release(self) -> None:
        """Let go."""


@dataclass(frozen=True, slots=True)
class CameraName:
    """A camera that is plugged in."""

    index: int
    name: str


def plugged_in(folder: Path = LINUX_CAMERAS) -> tuple[CameraName, ...]:
    """The webcams that Linux knows; on other systems none are listed."""
    found = []
    for entry in sorted(folder.glob("video*")):
        number = entry.name.removeprefix("video")
        with contextlib.suppress(OSError):
            # A camera has several nodes; only its first one sends pictures.
            first = not (entry / "index").exists() or (entry / "index").read_text().strip() == "0"
            if number.isdigit() and first:
                found.append(CameraName(int(number), (entry / "name").read_text().strip()))
    return tuple(sorted(found, key=lambda camera: camera.index))


def open_webcam(index: int) -> Capture:
    """The camera of this number, through OpenCV, which is kept from muttering on the terminal."""
    with _quiet():
        capture: Capture = cv2.VideoCapture(index)  # type: ignore[assignment]
        return capture


def open_video(path: str) -> Capture:
    """The video file of this name, through OpenCV."""
    # FFmpeg has a voice of its own, and is told so before it is first used: −8 is silence.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    with _quiet():
        capture: Capture = cv2.VideoCapture(path)  # type: ignore[assignment]
        return capture


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


class Webcam(LiveSource):
    """A camera on this computer, by its number or a part of its name."""

    def __init__(
        self,
        which: int | str,
        clock: Clock,
        *,
        size_px: tuple[int, int] = (1920, 1080),
        opener: Callable[[int], Capture] = open_webcam,
        names: Callable[[], tuple[CameraName, ...]] = plugged_in,
    ) -> None:
        if isinstance(which, int):
            name = Message("vision.source.webcam", number=which)
        else:
            name = Message("vision.source.webcam_named", name=which)
        super().__init__(name, clock)
        self._which = which
        self._size_px = size_px
        self._opener = opener
        self._names = names
        self._capture: Capture | None = None

    def _connect(self) -> None:
        capture = self._opener(self._index())
        self._capture = capture
        if not capture.isOpened():
            there = self._names()
            if not there:
                raise Lost(Message("vision.source.closed", source=self.name))
            listed = tuple(
                Message("vision.source.plugged", number=camera.index, name=camera.name)
                for camera in there
            )
            raise Lost(Message("vision.source.closed_others", source=self.name, cameras=listed))
        # Compressed pictures: uncompressed ones do not fit through USB at full size and speed.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
        # The newest picture, not the oldest that is still waiting.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def _index(self) -> int:
        if isinstance(self._which, int):
            return self._which
        there = self._names()
        for camera in there:
            if self._which.casefold() in camera.name.casefold():
                return camera.index
        if not there:
            raise Lost(Message("vision.source.none_plugged", source=self.name))
        near = nearest(self._which, [camera.name for camera in there])
        raise Lost(Message("vision.source.not_plugged", source=self.name, nearest=near))

    def _grab(self) -> Image:
        assert self._capture is not None  # noqa: S101 - only read when connected.
        try:
            came, image = self._capture.read()
        except cv2.error:
            came, image = False, None
        if not came or image is None or image.size == 0:
            raise Lost(Message("vision.source.stopped", source=self.name))
        return _three_channels(image)

    def lower_exposure(self) -> bool:
        """Halve the time of exposure by hand, if the camera lets us."""
        capture = self._capture
        if capture is None:
            return False
        before = capture.get(cv2.CAP_PROP_EXPOSURE)
        for by_hand in _EXPOSURE_BY_HAND:
            if capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, by_hand):
                break
        # Linux counts in tenths of a millisecond, other systems in powers of two of a second.
        lower = before / 2 if before > 0 else before - 1
        return capture.set(cv2.CAP_PROP_EXPOSURE, lower) and (
            capture.get(cv2.CAP_PROP_EXPOSURE) < before
        )

    def _disconnect(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class VideoFile(Still):
    """A video, frame by frame, its seconds those of the video; `repeat` starts it over."""

    def __init__(
        self,
        path: Path,
        *,
        repeat: bool = False,
        opener: Callable[[str], Capture] = open_video,
    ) -> None:
        self.name = Message("vision.source.video", file=path.name)
        self._path = path
        self._repeat = repeat
        self._opener = opener
        self._capture: Capture | None = None
        self._rate = 30.0
        self._number = 0
        self._ended: Trouble | None = None

    def read(self) -> Frame | Trouble:
        """The next picture, or that there is none left."""
        if self._ended is not None:
            return self._ended
        image = self._picture()
        if image is None and self._repeat and self._number:
            self.close()
            image = self._picture()
        if image is None:
            self.close()
            self._ended = self._why_none()
            return self._ended
        frame = Frame(_three_channels(image), self._number / self._rate, self._number)
        self._number += 1
        return frame

    def _picture(self) -> Image | None:
        if self._capture is None:
            if not self._path.is_file():
                return None
            self._capture = self._opener(str(self._path))
            rate = self._capture.get(cv2.CAP_PROP_FPS)
            self._rate = rate if 0.1 < rate < 1000 else 30.0
        if not self._capture.isOpened():
            return None
        came, image = self._capture.read()
        return image if came else None

    def _why_none(self) -> Trouble:
        if not self._path.is_file():
            return Trouble(Message("vision.source.no_video", source=self.name), over=True)
        if self._number == 0:
            return Trouble(Message("vision.source.bad_video", source=self.name), over=True)
        return Trouble(Message("vision.source.video_end", source=self.name), over=True)

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class MjpegStream(LiveSource):
    """A camera on the network, often a phone; always its newest picture, however slow we are."""

    def __init__(self, url: str, clock: Clock, *, timeout_seconds: float = 5.0) -> None:
        super().__init__(Message("vision.source.stream", address=shown(url)), clock)
        self._url = url
        self._timeout_seconds = timeout_seconds
        self._pump: _Pump | None = None
        self._bad = 0

    def _connect(self) -> None:
        try:
            answer = open_answer(self._url, self._timeout_seconds)
        except BrokenStream as error:
            raise Lost(error.message) from None
        self._pump = _Pump(answer)

    def _grab(self) -> Image:
        while True:
            image = self._next()
            if image is not None:
                return image

    def _next(self) -> Image | None:
        """The newest picture; None stands for a bad one, of which a few may come."""
        if self._pump is None:
            self._connect()
        assert self._pump is not None  # noqa: S101 - connected above.
        data = self._pump.newest(self._timeout_seconds)
        if data is None:
            why = self._pump.why
            single = self._pump.is_done_single
            self._disconnect()
            if single:
                # A camera that sends one picture for each request is asked again.
                return None
            silent = Message("vision.source.stream_stopped", source=self.name)
            raise Lost(silent if why is None else why.message)
        try:
            image = decode_image(data, self.name)
        except DreyerError as error:
            self._bad += 1
            if self._bad < _BAD_PICTURES_IN_A_ROW:
                return None
            self._bad = 0
            raise Lost(error.message) from None
        self._bad = 0
        return image

    def _disconnect(self) -> None:
        if self._pump is not None:
            self._pump.close()
            self._pump = None


class _Pump:
    """Reads a stream in a thread of its own and keeps only the newest picture."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._changed = threading.Condition()
        self._newest: bytes | None = None
        self._over = False
        self._stop = False
        self._given = 0
        self.why: BrokenStream | None = None
        self._thread = threading.Thread(target=self._run, name="dreyer-mjpeg", daemon=True)
        self._thread.start()

    def newest(self, timeout_seconds: float) -> bytes | None:
        """A picture that was not given out before; None when none comes any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._over, timeout_seconds)
            data, self._newest = self._newest, None
            self._given += data is not None
            return data

    @property
    def is_done_single(self) -> bool:
        """Whether this was a camera that sends one picture for each request, and it has."""
        return not self._answer.is_stream and self._given > 0

    def close(self) -> None:
        """Hang up; the thread ends with its next picture or at its time limit."""
        with self._changed:
            self._stop = True
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        why: BrokenStream | None = None
        try:
            for data in self._answer.pictures():
                with self._changed:
                    self._newest = data
                    self._changed.notify_all()
                    stop = self._stop
                if stop:
                    break
        except BrokenStream as error:
            why = error
        except (OSError, ValueError, http.client.HTTPException):
            # The line is dead: that pictures have stopped is all there is to say.
            why = None
        finally:
            self._answer.close()
            with self._changed:
                self.why, self._over = why, True
                self._changed.notify_all()


def _three_channels(image: Image) -> Image:
    """Blue, green, red, whatever the driver gave."""
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(image[..., :3])
