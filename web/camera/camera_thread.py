"""The thread that reads the camera, and its current results.

The thread only replaces immutable values. A camera that fails is reported and reopened by its
source. The camera's settings are stored in the data folder, so that a restarted server uses them
again.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from calibration.markers import Corner
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, verbatim
from tabletop.places import shorten
from tabletop.scale import inches_from_mm
from vision.snapshot import CameraState, ShipState, TablePose, TrackedShip
from vision.sources.frame_source import Clock, FrameSource, Trouble
from web.camera.storage import DEMO, CameraSettingsStore
from web.strings import words
from web.table.moment import CameraHealth, CameraStatus, CarriedCounter, UnknownMarker

if TYPE_CHECKING:
    from vision.images import Image
    from vision.setup.preview import Preview
    from vision.tracking.watcher import Seen, Watcher
    from web.camera.captions import CaptionWriter
    from web.camera.photos import Photos

WIDEST_PX: Final = 1280
_QUALITY: Final = 80
_PREVIEW_SECONDS: Final = 0.35
_STUMBLE_SECONDS: Final = 1.0
_CLOSE_SECONDS: Final = 8.0
_PACE_CHANGE: Final = 0.2
"""A frame rate that changes by less is not reported to the page."""
_NEAR_MM: Final = 12.0
_KEEP_MM: Final = 3.0
"""The position of a named counter that moved less is not stored again."""
_NEAR_DEG: Final = 20.0
_log = logging.getLogger(__name__)

Place = tuple[float, float, float]
"""The position of a counter: x and y in mm, and its heading."""
See = Callable[[CameraStatus, Iterable[TrackedShip] | None], None]
"""Receives what the camera shows; None keeps the ships where they were last seen."""
OpenSource = Callable[[str, Clock], FrameSource]


@dataclass(slots=True)
class _Run:
    """One open source; the thread ends when it is asked to stop."""

    source: str
    before: "_Run | None" = None
    stop: threading.Event = field(default_factory=threading.Event)
    retune: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    watcher: "Watcher | None" = None
    recall: dict[str, Place] = field(default_factory=dict)
    """Counters that had names before, until they are found again."""
    seen: "Seen | None" = None
    trouble: Trouble | None = None
    """Why the source could not be opened."""


def open_camera(what: str, clock: Clock) -> FrameSource:
    """Open a source from its text; "demo" is the rendered table."""
    if what.strip().casefold() == DEMO:
        from web.camera.demo import demo_camera

        return demo_camera(clock)
    from vision.sources.all_sources import open_source

    try:
        return open_source(what, clock)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DreyerError("camera.cannot_open", source=shorten(what), reason=reason) from None


_HEALTH: Final = {CameraState.OK: CameraHealth.LIVE, CameraState.BUMPED: CameraHealth.BUMPED}


class CameraThread:
    """One camera over one table. Every public method may be called from any thread."""

    def __init__(
        self,
        memory: CameraSettingsStore,
        see: See,
        *,
        clock: Clock | None = None,
        opener: OpenSource = open_camera,
    ) -> None:
        self._see = see
        self._clock = clock or Clock(time.monotonic, time.sleep)
        self._opener = opener
        self._lock = threading.RLock()
        self._run: _Run | None = None
        self.memory = memory
        memory.listeners.append(self.retune)
        self.board: list[Image] = []
        """Pictures of the lens board, until the lens is measured."""
        self._held: dict[str, TrackedShip] = {}
        self._picture_at = 0.0
        self._tuned: object = None
        self._pace: float | None = None
        self._px_per_mm: float | None = None
        self._jpegs: dict[bool, tuple[int, bytes]] = {}
        self._preview: tuple[int, float, Preview] | None = None
        self.after_look: Callable[[Seen], None] = lambda _: None
        """Called in the camera's thread with every result."""

    @cached_property
    def photos(self) -> "Photos":
        """The photos of the table instead of a webcam."""
        from web.camera.photos import Photos

        return Photos(self.memory)

    @cached_property
    def _captions(self) -> "CaptionWriter":
        from web.camera.captions import CaptionWriter

        return CaptionWriter()

    # Starting and stopping

    def resume(self) -> None:
        """Start the camera that was last chosen."""
        if self.memory.setup.source:
            self._start(self.memory.setup.source)

    def start(self, source: str, *, keep: bool = True) -> None:
        """Start this source; without `keep` the data folder is not changed."""
        source = source.strip()
        with self._lock:
            self.memory.begin(source, keep=keep)
            self.board.clear()
            self._start(source)

    def stop(self, *, forget: bool = False) -> None:
        """Stop; ships stay where they were last seen."""
        with self._lock:
            if self._run is not None:
                self._run.stop.set()
                self._run = None
            self._jpegs.clear()
            self._preview = None
            if forget:
                self.memory.begin("", keep=True)
        self._held = {
            name: replace(ship, state=ShipState.STALE) for name, ship in self._held.items()
        }
        self._see(CameraStatus(), list(self._held.values()))

    def close(self) -> None:
        """Stop, and wait until the camera is released."""
        run = self._run
        self.stop()
        if run is not None and run.thread is not None:
            run.thread.join(_CLOSE_SECONDS)

    def retune(self) -> None:
        """Apply other settings without reopening the camera."""
        if self._run is not None:
            self._run.retune.set()

    def _start(self, source: str) -> None:
        with self._lock:
            before = self._run
            if before is not None:
                before.stop.set()
            run = _Run(source, before)
            self._run = run
            self._jpegs.clear()
            self._preview = self._pace = self._px_per_mm = None
            run.thread = threading.Thread(
                target=self._look, args=(run,), name="dreyer-eyes", daemon=True
            )
            run.thread.start()
        self._see(self.status(), None)

    # The thread

    def _look(self, run: _Run) -> None:
        if run.before is not None and run.before.thread is not None:
            # A camera cannot be opened twice.
            run.before.thread.join(_CLOSE_SECONDS)
            run.before = None
        try:
            source = self._opener(run.source, self._clock)
        except DreyerError as error:
            run.trouble = Trouble(error.message, over=True)
            self._see(self.status(), None)
            return
        with source:
            while not run.stop.is_set():
                try:
                    watcher = run.watcher
                    if watcher is None or run.retune.is_set() or self._tuned != self._tuning():
                        run.retune.clear()
                        watcher = run.watcher = self._watcher(source, run)
                    seen = watcher.step()
                    self._take(run, seen)
                    self.after_look(seen)
                except Exception:
                    # A picture that cannot be processed must not end the thread.
                    _log.exception("looking through %s", run.source)
                    run.stop.wait(_STUMBLE_SECONDS)

    def _tuning(self) -> object:
        """The settings of the table that require a new tracker when they change."""
        return self.memory.size, tuple((s.name, s.kind) for s in self.memory.table.ships())

    def _watcher(self, source: FrameSource, run: _Run) -> "Watcher":
        # Imported in the camera's own thread, so that no page waits for it.
        from vision.tracking.tracker import Tracker
        from vision.tracking.watcher import Watcher

        self._tuned = self._tuning()
        seen = run.seen
        run.recall = {**self.memory.setup.counters, **self._named_counters()}
        calibration = None
        if seen is not None and seen.frame is not None:
            height_px, width_px = seen.frame.image.shape[:2]
            calibration = self.memory.calibration_for(width_px, height_px)
        tracker = Tracker(
            self.memory.marker_set, self.memory.size, calibration,
            plain=self.memory.counter_kind, background=True,
        )  # fmt: skip
        return Watcher(source, tracker, self._clock)

    def _take(self, run: _Run, seen: "Seen") -> None:
        first = seen.frame is not None and (run.seen is None or run.seen.frame is None)
        with self._lock:
            if run is not self._run or run.stop.is_set():
                return
            if run.seen is not None and run.seen.looks == seen.looks and not first:
                return
            if seen.frame is not None and (run.seen is None or run.seen.frames != seen.frames):
                self._picture_at = self._clock.now()
            run.seen = seen
        if first and seen.frame is not None:
            # A lens belongs to a picture size, which is known only now.
            height_px, width_px = seen.frame.image.shape[:2]
            if self.memory.calibration_for(width_px, height_px) is not None:
                run.retune.set()
                return
        self._recall(run, seen)
        self._see(self.status(), self._ships(seen))
        self._keep_counters(run)

    def _recall(self, run: _Run, seen: "Seen") -> None:
        """Give counters their names again if they are where they were."""
        for counter in seen.snapshot.counters if run.recall else ():
            here = _place(counter.pose)
            near = next((n for n, place in run.recall.items() if _is_near(place, here)), None)
            if counter.name is None and near is not None and run.watcher is not None:
                with suppress(DreyerError):
                    run.watcher.assign(counter.key, near, run.recall.pop(near)[2])

    def _named_counters(self) -> dict[str, Place]:
        # The number of a plain counter is arbitrary and negative; only its name identifies it.
        held = self._held.items()
        return {name: _place(ship.pose) for name, ship in held if ship.id < 0}

    def _keep_counters(self, run: _Run) -> None:
        """Store the positions of named counters, so that a restarted server recognises them."""
        if not self.memory.setup.plain or any(
            ship.id < 0 and ship.state is ShipState.MOVING for ship in self._held.values()
        ):
            return
        listed = {ship.name for ship in self.memory.table.ships()}
        known = {**run.recall, **self._named_counters()}
        kept, now = self.memory.setup.counters, {n: p for n, p in known.items() if n in listed}
        if kept.keys() != now.keys() or not all(
            _is_near(kept[name], place, _KEEP_MM) for name, place in now.items()
        ):
            self.memory.change(counters=now)

    def name_counter(self, key: int, name: str, bow_heading_deg: float) -> None:
        """Assign a plain counter to a ship, with the rough direction of her bow."""
        run = self._run
        if run is None or run.watcher is None:
            raise DreyerError("camera.not_looking")
        run.watcher.assign(key, name, bow_heading_deg)
        run.recall.pop(name, None)

    def name_unknown(self, key: int, name: str) -> None:
        """Say who a marker is that was seen and not known."""
        run = self._run
        if run is None or run.watcher is None:
            raise DreyerError("camera.not_looking")
        run.watcher.identify(key, name)

    def _ships(self, seen: "Seen") -> list[TrackedShip]:
        """The ships of the snapshot; ships seen before stay where they were, as not seen."""
        names = {
            *self.memory.marker_set.names.values(),
            *(s.name for s in self.memory.table.ships()),
        }
        now = {ship.name: ship for ship in seen.snapshot.ships}
        self._held = {
            name: now.get(name) or replace(ship, state=ShipState.STALE)
            for name, ship in {**self._held, **now}.items()
            if name in names
        }
        return list(self._held.values())

    # Status

    @property
    def picture_age_seconds(self) -> float | None:
        """The age of the newest picture; None without one."""
        seen = self.latest
        if seen is None or seen.frame is None:
            return None
        return max(0.0, self._clock.now() - self._picture_at)

    @property
    def latest(self) -> "Seen | None":
        """The camera's newest result; None without one."""
        run = self._run
        return None if run is None else run.seen

    @property
    def trouble(self) -> Trouble | None:
        """Why no picture is available."""
        run = self._run
        if run is None:
            return None
        return run.trouble or (run.seen.trouble if run.seen is not None else None)

    def status(self) -> CameraStatus:
        """The camera's status for the page."""
        run = self._run
        if run is None:
            return CameraStatus()
        seen, trouble = run.seen, self.trouble
        name = seen.source if seen is not None else verbatim(run.source)
        if seen is None or (seen.frame is None and trouble is None):
            state = CameraHealth.TROUBLE if trouble else CameraHealth.STARTING
            return CameraStatus(state, name, trouble.message if trouble else NO_WORDS)
        if trouble is not None:
            state = CameraHealth.LOST if seen.frames else CameraHealth.TROUBLE
            return CameraStatus(state, name, trouble.message, self._corners(seen))
        report = seen.snapshot.camera
        state = _HEALTH.get(report.state, CameraHealth.TROUBLE)
        note = report.message or next(iter(seen.snapshot.notes), NO_WORDS)
        return CameraStatus(
            state, name, note, self._corners(seen), self._pixels(seen),
            self._steady_pace(seen), self._carried(seen), self._unknown(seen),
        )  # fmt: skip

    def _unknown(self, seen: "Seen") -> tuple[UnknownMarker, ...]:
        """The markers that may be more than one of the table's ships."""
        listed = {ship.name for ship in self.memory.table.ships()}
        return tuple(
            UnknownMarker(
                tag.key,
                round(inches_from_mm(tag.x_mm)),
                round(inches_from_mm(tag.y_mm)),
                tuple(name for name in tag.may_be if name in listed),
            )
            for tag in seen.snapshot.unknown
            if listed.intersection(tag.may_be)
        )

    def _carried(self, seen: "Seen") -> tuple[CarriedCounter, ...]:
        """The unnamed counters that may be ships out of sight."""
        listed = {ship.name for ship in self.memory.table.ships()}
        return tuple(
            CarriedCounter(counter.key, tuple(name for name in counter.may_be if name in listed))
            for counter in seen.snapshot.counters
            if listed.intersection(counter.may_be)
        )

    def preview(self) -> "Preview | None":
        """The newest picture analysed for the set-up page, at most a few times a second."""
        seen = self.latest
        if seen is None or seen.frame is None:
            return None
        with self._lock:
            now, kept = self._clock.now(), self._preview
            if kept is not None and (kept[0] == seen.looks or now - kept[1] < _PREVIEW_SECONDS):
                return kept[2]
            from vision.setup.preview import look_over

            looked = look_over(
                seen.frame.image, seen.snapshot, self.memory.marker_set, self.memory.size
            )
            self._preview = (seen.looks, now, looked)
            return looked

    def jpeg(self, *, marked: bool = True) -> tuple[int, bytes] | None:
        """The newest picture's number and its JPEG, made on demand."""
        seen = self.latest
        if seen is None or seen.frame is None:
            return None
        with self._lock:
            kept = self._jpegs.get(marked)
            if kept is not None and kept[0] == seen.looks:
                return kept
            if marked:
                data = self._marked(seen, seen.frame.image.shape[1])
            else:
                from vision.setup.preview import plain_jpeg

                data = plain_jpeg(
                    seen.frame.image, mirrored=seen.snapshot.mirrored, width_px=WIDEST_PX
                )
            if data is None:
                return None
            self._jpegs[marked] = (seen.looks, data)
            return self._jpegs[marked]

    def _marked(self, seen: "Seen", width_px: int) -> bytes | None:
        """The picture with all that was seen and its words."""
        picture = seen.picture(self.memory.size, marked=True, width_px=WIDEST_PX)
        if picture is None:
            return None
        from vision.overlay import captions_of
        from vision.picture_files import encode_image

        captions = captions_of(seen.snapshot, words)
        written = self._captions.write(picture, captions, picture.shape[1] / width_px)
        return encode_image(written, "frame.jpg", _QUALITY)

    def _corners(self, seen: "Seen") -> tuple[str, ...]:
        visible = {corner.corner: corner.visible for corner in seen.snapshot.corners}
        return tuple("seen" if visible.get(corner) else "hidden" for corner in Corner)

    def _pixels(self, seen: "Seen") -> float | None:
        plane = seen.snapshot.plane
        if plane is not None and (self._px_per_mm is None or seen.frames % 25 == 0):
            places = self.memory.size.corner_places_mm
            self._px_per_mm = round(float(plane.px_per_mm(places.mean(axis=0)[None])[0]), 1)
        return self._px_per_mm

    def _steady_pace(self, seen: "Seen") -> float | None:
        pace = seen.frames_per_second
        if pace is None or seen.frames < 5:
            return None
        if self._pace is None or abs(pace / self._pace - 1) > _PACE_CHANGE:
            self._pace = round(pace, 1)
        return self._pace


def _place(pose: TablePose) -> Place:
    return round(pose.x_mm, 1), round(pose.y_mm, 1), round(pose.heading_deg, 1)


def _is_near(one: Place, other: Place, near_mm: float = _NEAR_MM) -> bool:
    turn = abs((one[2] - other[2] + 90) % 180 - 90)
    return math.hypot(one[0] - other[0], one[1] - other[1]) < near_mm and turn < _NEAR_DEG
