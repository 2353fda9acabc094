"""Where pictures come from: webcam, video, folder, network camera, one photo, the rendered table.

What they have in common is in `frame_source`, those that can stop and come back are in `cameras`.
"""

from pathlib import Path
from typing import Final

from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from vision.picture_files import PICTURE_SUFFIXES, decode_image
from vision.sources.cameras import CameraName, MjpegStream, VideoFile, Webcam, plugged_in
from vision.sources.frame_source import Clock, Frame, FrameSource, Still, Trouble, black_frame
from vision.synthetic.moving_scene import MovingScene

__all__ = [
    "CameraName",
    "Clock",
    "Folder",
    "Frame",
    "FrameSource",
    "MjpegStream",
    "Photo",
    "RenderedTable",
    "Trouble",
    "VideoFile",
    "Webcam",
    "black_frame",
    "decode_image",
    "open_source",
    "plugged_in",
]

VIDEO_SUFFIXES: Final = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mpg")


class Photo(Still):
    """One photo, given as the bytes of its file; the same frame every time."""

    def __init__(self, data: bytes, name: str, clock: Clock) -> None:
        self.name = verbatim(name)
        self._answer: Frame | Trouble
        try:
            image = decode_image(data, name)
        except DreyerError as error:
            self._answer = Trouble(error.message, over=True)
        else:
            self._answer = black_frame(image, name, taken=True) or Frame(image, clock.now(), 0)

    def read(self) -> Frame | Trouble:
        """The photo, or what is wrong with it."""
        return self._answer


class Folder(Still):
    """The pictures of a folder in the order of their names; new ones are taken as they appear.

    When all have been shown, the last one stays. A bad picture is told once and passed over.
    """

    def __init__(self, path: Path, clock: Clock, poll_seconds: float = 0.5) -> None:
        self.name = Message("vision.source.folder", folder=path.name or str(path))
        self._path = path
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._done: set[str] = set()
        self._last: Frame | None = None

    def read(self) -> Frame | Trouble:
        """The next picture, or the last one again, or why there is none."""
        answer = self._next()
        if answer is None:
            self._clock.sleep(self._poll_seconds)
            answer = self._next()
        if answer is not None:
            return answer
        if self._last is not None:
            return self._last
        endings = tuple(PICTURE_SUFFIXES)
        return Trouble(Message("vision.source.empty_folder", source=self.name, endings=endings))

    def _next(self) -> Frame | Trouble | None:
        try:
            waiting = sorted(
                entry.name
                for entry in self._path.iterdir()
                if entry.suffix.lower() in PICTURE_SUFFIXES
                and entry.name not in self._done
                and not entry.name.startswith(".")
            )
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            return Trouble(Message("vision.source.closed_folder", source=self.name, reason=reason))
        if not waiting:
            return None
        name = waiting[0]
        self._done.add(name)
        try:
            image = decode_image((self._path / name).read_bytes(), name)
        except DreyerError as error:
            return Trouble(error.message)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            return Trouble(Message("vision.source.closed_file", file=name, reason=reason))
        dark = black_frame(image, name, taken=True)
        if dark is not None:
            return dark
        number = 0 if self._last is None else self._last.number + 1
        self._last = Frame(image, self._clock.now(), number)
        return self._last


class RenderedTable(Still):
    """The rendered table as a camera: the demo, at a steady pace."""

    def __init__(self, scene: MovingScene, clock: Clock, frames_per_second: float = 5.0) -> None:
        self.name = Message("vision.source.rendered")
        self._scene = scene
        self._clock = clock
        self._pace = 1 / frames_per_second
        self._start: float | None = None
        self._due = 0.0
        self._number = 0

    def read(self) -> Frame | Trouble:
        """The picture of this moment."""
        now = self._clock.now()
        if self._start is None:
            self._start = self._due = now
        if self._due > now:
            self._clock.sleep(self._due - now)
            now = self._clock.now()
        self._due = max(self._due + self._pace, now)
        image = self._scene.frame(now - self._start).image
        frame = Frame(image, now, self._number)
        self._number += 1
        return black_frame(image, self.name) or frame


def open_source(what: str, clock: Clock) -> FrameSource:
    """The source that these words mean: a number, an address, a folder, a file, a camera's name."""
    what = what.strip()
    if what.isdigit():
        return Webcam(int(what), clock)
    if what.casefold().startswith(("http://", "https://")):
        return MjpegStream(what, clock)
    path = Path(what)
    if path.is_dir() or _names_a_folder(path):
        return Folder(path, clock)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        try:
            return Photo(path.read_bytes(), path.name, clock)
        except FileNotFoundError:
            raise DreyerError("vision.source.no_photo", file=what) from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise DreyerError("vision.source.closed_photo", file=what, reason=reason) from None
    # A video that is not there says so itself; a camera's name has no such ending.
    if path.is_file() or path.suffix.lower() in VIDEO_SUFFIXES:
        return VideoFile(path)
    return Webcam(what, clock)


def _names_a_folder(path: Path) -> bool:
    """Whether a path of several parts is a folder that is not there: it then says so itself."""
    file = path.suffix.lower() in PICTURE_SUFFIXES or path.suffix.lower() in VIDEO_SUFFIXES
    return len(path.parts) > 1 and not file and not path.exists()
