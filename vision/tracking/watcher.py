"""A live camera held by a program that runs all evening: pictures in, the newest knowledge out.

A `Watcher` has no thread of its own. One thread calls `step()` again and again; any other may read
`latest` at any time, and gets a value that never changes. Nothing is raised by a source that dies
or a picture that is bad: it is told, and the next step goes on.
"""

import statistics
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.homography import TableSize
from tabletop.messages import Message
from vision.images import Image
from vision.overlay import draw_snapshot
from vision.snapshot import Snapshot
from vision.sources.frame_source import Clock, Frame, FrameSource, Trouble
from vision.tracking.tracker import Tracker

_REPEATS: Final = 14
"""A photo comes again and again; after so many looks it has settled and is left alone."""
_REPEAT_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 0.25
"""How long a step waits where nothing new can come."""
_PACES: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """All that a camera has told up to one moment; it never changes."""

    source: Message
    """What to call the camera on the page."""
    snapshot: Snapshot
    frame: Frame | None = None
    """The newest picture; None until the first has come."""
    trouble: Trouble | None = None
    """Why no picture comes just now, with the remedy; None while they come."""
    looks: int = 0
    """Grows with every step that brought something new: a page knows whether to draw again."""
    frames: int = 0
    """How many pictures have come."""
    frames_per_second: float | None = None

    def picture(
        self,
        table: TableSize | None = None,
        *,
        marked: bool = False,
        width_px: int | None = None,
    ) -> Image | None:
        """The newest picture, if `marked` with what was seen; None until one has come."""
        if self.frame is None:
            return None
        image = self.frame.image
        # Marks are drawn at full size and shrunk with the picture, so that they fit it.
        image = draw_snapshot(image, self.snapshot, table) if marked else image
        if width_px is not None and width_px < image.shape[1]:
            height_px = round(image.shape[0] * width_px / image.shape[1])
            small = cv2.resize(image, (width_px, height_px), interpolation=cv2.INTER_AREA)
            return np.asarray(small, dtype=np.uint8)
        return image


class Watcher:
    """Looks through one source with one tracker, step by step."""

    def __init__(
        self, source: FrameSource, tracker: Tracker, clock: Clock, *, paced: bool = True
    ) -> None:
        """A paced watcher shows a recorded video no faster than it was taken."""
        self._source = source
        self._tracker = tracker
        self._clock = clock
        self._paced = paced
        self._lock = threading.Lock()
        self._begun = self._seconds = self._wall = clock.now()
        self._shift = 0.0
        self._repeats = 0
        self._arrivals: deque[float] = deque(maxlen=_PACES + 1)
        waiting = Message("vision.source.no_picture", source=source.name)
        self._latest = Seen(source.name, tracker.without_picture(self._seconds, waiting))

    @property
    def latest(self) -> Seen:
        """What is known now; safe to read from any thread."""
        return self._latest

    def step(self) -> Seen:
        """Read once, look, and keep what came of it; waits as long as the source does."""
        answer = self._source.read()
        if isinstance(answer, Trouble):
            return self._without_picture(answer)
        before = self._latest.frame
        if before is not None and answer.number == before.number:
            if self._repeats >= _REPEATS and self._latest.trouble is None:
                self._clock.sleep(_IDLE_SECONDS)
                return self._latest
            self._repeats += 1
            self._clock.sleep(_REPEAT_SECONDS)
            return self._look(answer, self._later(), fresh=False)
        self._repeats = 0
        return self._look(answer, self._time_of(answer), fresh=True)

    def assign(self, key: int, name: str, bow_heading_deg: float) -> Seen:
        """Say who a plain counter is; safe to call from any thread."""
        with self._lock:
            return self._publish(self._tracker.assign(key, name, bow_heading_deg))

    def identify(self, key: int, name: str) -> Seen:
        """Say who a marker is that was seen and not known; safe to call from any thread."""
        with self._lock:
            return self._publish(self._tracker.identify(key, name))

    def forget(self, name: str) -> Seen:
        """No plain counter is this ship any more; safe to call from any thread."""
        with self._lock:
            return self._publish(self._tracker.forget(name))

    def _publish(self, snapshot: Snapshot) -> Seen:
        before = self._latest
        self._latest = replace(before, snapshot=snapshot, looks=before.looks + 1)
        return self._latest

    def close(self) -> None:
        """Let go of the camera; a further step opens it again."""
        self._source.close()

    def _time_of(self, frame: Frame) -> float:
        """The tracker's time of a new picture: the frame's own, and never backwards."""
        if self._latest.frame is None:
            # A camera's seconds are the clock's own; a video's count from 0 and begin at the
            # clock's. A first picture that took long to come must not hold back all the others.
            of_clock = frame.seconds >= self._begun
            self._shift = 0.0 if of_clock else self._clock.now() - frame.seconds
        seconds = frame.seconds + self._shift
        ahead = seconds - self._clock.now()
        if self._paced and ahead > 0:
            self._clock.sleep(ahead)
        return max(seconds, self._seconds + 1e-3)

    def _later(self) -> float:
        """The tracker's time when there is no new picture: as much later as the clock says."""
        return self._seconds + max(self._clock.now() - self._wall, 1e-3)

    def _look(self, frame: Frame, seconds: float, *, fresh: bool) -> Seen:
        with self._lock:
            self._seconds, self._wall = seconds, self._clock.now()
            try:
                snapshot = self._tracker.update(frame.image, seconds)
            except (cv2.error, np.linalg.LinAlgError, ArithmeticError, ValueError) as error:
                # One picture that upsets the mathematics must not end the evening.
                reason = " ".join(str(error).split())[:120]
                trouble = Trouble(Message("vision.source.upset", reason=reason))
                return self._keep(self._tracker.without_picture(seconds, trouble.message), trouble)
            before = self._latest
            if fresh:
                self._arrivals.append(frame.seconds)
            self._latest = Seen(
                before.source,
                snapshot,
                frame,
                None,
                before.looks + 1,
                before.frames + fresh,
                self._pace(),
            )
            return self._latest

    def _without_picture(self, trouble: Trouble) -> Seen:
        if trouble.over and self._latest.trouble == trouble:
            self._clock.sleep(_IDLE_SECONDS)
        with self._lock:
            seconds = self._later()
            self._seconds, self._wall = seconds, self._clock.now()
            self._arrivals.clear()
            return self._keep(self._tracker.without_picture(seconds, trouble.message), trouble)

    def _keep(self, snapshot: Snapshot, trouble: Trouble) -> Seen:
        before = self._latest
        self._latest = replace(
            before,
            snapshot=snapshot,
            trouble=trouble,
            looks=before.looks + 1,
            frames_per_second=self._pace(),
        )
        return self._latest

    def _pace(self) -> float | None:
        gaps = [
            after - before
            for before, after in zip(self._arrivals, list(self._arrivals)[1:], strict=False)
            if after > before
        ]
        return 1 / statistics.median(gaps) if gaps else None
