"""The plain counters within a tracker: measured where they changed, sought now and then.

A counter whose part of the picture looks as it did keeps its reading. The search of the whole
table costs as much as several frames, so it is made only after something on the table changed, and
where a camera is running it has a thread of its own. A counter that a hand carries elsewhere is
taken for herself where nothing else is possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from tabletop.messages import Message, ShipRef
from vision.counters.detect import CounterKind, SeenCounter, find_counters, fit_counter
from vision.counters.identity import CounterIdentities, IdentifiedCounter
from vision.images import Array, Gray
from vision.snapshot import CounterState, PlainCounter, ShipState, TrackedShip
from vision.tracking.background import BackgroundTask
from vision.tracking.motion import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SEARCH_SECONDS: Final = 0.5
"""The least time between two searches, so that one that was put down is found within a second."""
_TAKEN_SECONDS: Final = 8.0
"""How long it is told that a carried counter was taken for a ship."""
_WAY_MM: Final = 80.0
"""How far a hand goes between two frames without leaving a trace of change."""
_BEFORE_SECONDS: Final = 1.0
"""A hand is in the picture so long before the counter that it lifts is out of sight."""
_RETRY_SECONDS: Final = 0.2
_MOST_FITS: Final = 4
"""Counters that are fitted anew in a frame, so that a lamp switched on does not stall the loop."""
_SHRINK: Final = 8
_CHANGED_LEVELS: Final = 10
_FEWEST_SPOTS: Final = 2
_LEAST_MOVE_MM: Final = 0.25
_LEAST_TURN_DEG: Final = 0.6
_STATES: Final = {
    CounterState.MOVING: ShipState.MOVING,
    CounterState.SETTLED: ShipState.SETTLED,
}


@dataclass(slots=True)
class _Aid:
    """A counter's latest reading and the piece of the picture that it came from."""

    reading: SeenCounter
    watch: Watch


@dataclass(slots=True)
class _Lost:
    """A counter that went out of sight, and when it was last looked for."""

    reading: SeenCounter
    since_seconds: float
    tried_seconds: float


@dataclass(frozen=True, slots=True)
class FoundCounters:
    """What a search found, and in which picture."""

    gray: Gray
    counters: tuple[SeenCounter, ...]


_NOTHING: Final = FoundCounters(np.zeros((1, 1), np.uint8), ())


class ChangeTimes:
    """When each part of the picture last changed, in a picture of an eighth of the size."""

    def __init__(self) -> None:
        self._before: NDArray[np.int16] | None = None
        self._seconds: NDArray[np.float64] | None = None

    def look(self, small: "NDArray[np.int16]", seconds: float) -> None:
        """Compare a picture with the one before."""
        before = self._before
        self._before = small
        if before is None or self._seconds is None or before.shape != small.shape:
            self._seconds = np.full(small.shape, -np.inf)
            return
        self._seconds[np.abs(small - before) > _CHANGED_LEVELS] = seconds

    def connects(self, one_px: Array, other_px: Array, since_seconds: float, reach: float) -> bool:
        """Whether one trace of change since then leads from one pixel to the other."""
        if self._seconds is None:
            return False
        changed = (self._seconds >= since_seconds).astype(np.uint8)
        size = 2 * max(round(reach / _SHRINK / 2), 1) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        _, labels = cv2.connectedComponents(cv2.dilate(changed, kernel))
        height, width = changed.shape
        ends = []
        for pixel in (one_px, other_px):
            if not np.isfinite(pixel).all():
                return False
            x, y = (int(value) for value in np.floor(pixel / _SHRINK))
            if not (0 <= x < width and 0 <= y < height):
                return False
            ends.append(int(labels[y, x]))
        return ends[0] == ends[1] != 0


class CounterTracker:
    """Follows the plain counters of one kind."""

    def __init__(self, kind: CounterKind, table: TableSize, *, background: bool = False) -> None:
        """In the background the search of the table does not hold up the frames."""
        self._kind = kind
        self._table = table
        self._search = BackgroundTask[FoundCounters]("counters", threaded=background)
        self._changes = ChangeTimes()
        self._taken: dict[str, float] = {}
        self._seconds = 0.0
        self._follower = CounterIdentities()
        self._aids: list[_Aid] = []
        self._lost: list[_Lost] = []
        self._searched_seconds = float("-inf")
        self._searched: NDArray[np.int16] | None = None
        self._met = _NOTHING
        """What the latest search found and was not looked at again yet."""

    def assign(self, key: int, name: str, bow_heading_deg: float) -> None:
        """Say who a counter is, and roughly where her bow points."""
        self._follower.assign(key, name, bow_heading_deg)

    def forget(self, name: str) -> None:
        """No counter is this ship any more."""
        self._follower.forget(name)

    def hold(self) -> None:
        """Nothing can be measured: every counter is out of sight."""
        self._aids.clear()
        self._lost.clear()
        self._searched = None
        self._searched_seconds = float("-inf")
        self._search.discard()
        self._met = _NOTHING
        self._changes = ChangeTimes()
        self._follower.update((), self._seconds)

    def follow(self, gray: Gray, plane: TablePlane, seconds: float) -> None:
        """Bring every counter up to this frame."""
        kept: list[_Aid] = []
        put_off: list[_Aid] = []
        fresh: list[SeenCounter] = []
        fits = 0
        for aid in self._aids:
            if not aid.watch.changed(gray):
                kept.append(aid)
                continue
            if fits == _MOST_FITS:
                put_off.append(aid)
                continue
            fits += 1
            reading = self._again(gray, plane, aid.reading)
            if reading is None:
                self._lost.append(_Lost(aid.reading, seconds, seconds))
            elif _unmoved(aid.reading, reading):
                aid.watch.is_as_before(gray)
                kept.append(aid)
            else:
                fresh.append(reading)
        fresh += self._come_back(gray, plane, seconds)
        # Those put off come first in the next frame.
        kept = [*put_off, *kept]
        readings = [*(aid.reading for aid in kept), *fresh]
        small = _shrunk(gray)
        self._changes.look(small, seconds)
        self._seconds = seconds
        if not self._search.is_running and self._search_is_due(small, seconds):
            self._search.begin(partial(self._find, gray, plane, tuple(readings)))
        found = self._search.take()
        if found is not None:
            self._met = found
        while self._met.counters:
            # The picture may be a newer one than that which was searched.
            is_older = self._met.gray is not gray
            if is_older and fits >= _MOST_FITS:
                break
            seen, *others = self._met.counters
            self._met = FoundCounters(self._met.gray, tuple(others))
            if not self._near_any(seen, readings):
                fits += is_older
                again = self._again(gray, plane, seen) if is_older else seen
                if again is not None and not self._near_any(again, readings):
                    fresh.append(again)
                    readings.append(again)
        # What was lost may have been found elsewhere by the search.
        self._lost = [lost for lost in self._lost if not self._near_any(lost.reading, readings)]
        self._aids = kept + [self._aid(gray, plane, seen) for seen in fresh]
        self._follower.update(readings, seconds)
        name = self._follower.take_carried(lambda lost, put: self._is_way(plane, lost, put))
        if name is not None:
            self._taken[name] = seconds + _TAKEN_SECONDS

    def _is_way(self, plane: TablePlane, lost: IdentifiedCounter, put: IdentifiedCounter) -> bool:
        """Whether something moved all the way from where one was lost to where one was put."""
        places = np.array([[each.pose.x_mm, each.pose.y_mm] for each in (lost, put)])
        pixels = plane.to_px(places, np.full(2, self._kind.height_mm))
        reach = _WAY_MM * float(plane.px_per_mm(places).mean())
        return self._changes.connects(
            pixels[0], pixels[1], lost.seen_seconds - _BEFORE_SECONDS, reach
        )

    @property
    def counters(self) -> tuple[PlainCounter, ...]:
        """Every counter that is followed."""
        follower = self._follower
        return tuple(
            PlainCounter(c.key, c.pose, c.state, c.name, follower.may_be(c))
            for c in follower.counters
        )

    def ships(self, seconds: float) -> tuple[TrackedShip, ...]:
        """The counters that have a name, as ships; one in doubt stands where she last was sure."""
        return tuple(
            _as_ship(counter, seconds)
            for counter in self._follower.counters
            if counter.name is not None
        )

    def notes(self) -> list[Message]:
        """What the players should know."""
        taken = [
            Message("vision.counters.taken", ship=ShipRef(name))
            for name, until in self._taken.items()
            if self._seconds < until
        ]
        doubtful = sorted(
            counter.name
            for counter in self._follower.counters
            if counter.state is CounterState.AMBIGUOUS and counter.name is not None
        )
        if not doubtful:
            return taken
        ships = [Message("common.ship", ship=ShipRef(name)) for name in doubtful]
        one_of = reduce(lambda one, other: Message("common.or", one=one, other=other), ships)
        return [*taken, Message("vision.counters.doubtful", ships=one_of)]

    def _find(self, gray: Gray, plane: TablePlane, known: Sequence[SeenCounter]) -> FoundCounters:
        """Search the whole table for counters other than the known ones."""
        found = find_counters(gray, plane, self._table, self._kind, known)
        fresh = tuple(each for each in found if not any(each is one for one in known))
        return FoundCounters(gray, fresh)

    def _again(self, gray: Gray, plane: TablePlane, old: SeenCounter) -> SeenCounter | None:
        return fit_counter(gray, plane, self._kind, (old.x_mm, old.y_mm, old.axis_deg))

    def _come_back(self, gray: Gray, plane: TablePlane, seconds: float) -> list[SeenCounter]:
        """Those that were lost, if they are to be seen again where they were."""
        back: list[SeenCounter] = []
        still_lost = []
        for lost in self._lost:
            # One that has been away for long need not be looked for so often.
            wait = min(max(_RETRY_SECONDS, (lost.tried_seconds - lost.since_seconds) / 5), 2.0)
            reading = None
            if seconds - lost.tried_seconds >= wait:
                reading = self._again(gray, plane, lost.reading)
                lost.tried_seconds = seconds
            if reading is None:
                still_lost.append(lost)
            else:
                back.append(reading)
        self._lost = still_lost
        return back

    def _near_any(self, old: SeenCounter, readings: list[SeenCounter]) -> bool:
        return any(
            float(np.hypot(old.x_mm - one.x_mm, old.y_mm - one.y_mm)) < self._kind.width_mm / 2
            for one in readings
        )

    def _search_is_due(self, small: "NDArray[np.int16]", seconds: float) -> bool:
        if seconds - self._searched_seconds < _SEARCH_SECONDS:
            return False
        before = self._searched
        if before is not None and before.shape == small.shape:
            changed = np.abs(small - before) > _CHANGED_LEVELS
            if np.count_nonzero(changed) < _FEWEST_SPOTS:
                return False
        self._searched, self._searched_seconds = small, seconds
        return True

    def _aid(self, gray: Gray, plane: TablePlane, seen: SeenCounter) -> _Aid:
        angle = np.radians(seen.axis_deg)
        ahead = np.array([np.sin(angle), np.cos(angle)]) * (self._kind.length_mm / 2 + 2)
        right = np.array([np.cos(angle), -np.sin(angle)]) * (self._kind.width_mm / 2 + 2)
        corners = np.array([ahead - right, ahead + right, right - ahead, -ahead - right])
        outline = plane.to_px(
            corners + np.array([seen.x_mm, seen.y_mm]), np.full(4, self._kind.height_mm)
        )
        watch = Watch(outline)
        watch.is_as_before(gray)
        return _Aid(seen, watch)


def _shrunk(gray: Gray) -> "NDArray[np.int16]":
    size = (max(gray.shape[1] // _SHRINK, 1), max(gray.shape[0] // _SHRINK, 1))
    return cv2.resize(gray, size, interpolation=cv2.INTER_AREA).astype(np.int16)


def _unmoved(before: SeenCounter, now: SeenCounter) -> bool:
    off = float(np.hypot(now.x_mm - before.x_mm, now.y_mm - before.y_mm))
    turn = abs((now.axis_deg - before.axis_deg + 90) % 180 - 90)
    return off < max(_LEAST_MOVE_MM, 2 * before.position_sigma_mm) and turn < max(
        _LEAST_TURN_DEG, 2 * before.axis_sigma_deg
    )


def _as_ship(counter: IdentifiedCounter, seconds: float) -> TrackedShip:
    state = _STATES.get(counter.state, ShipState.STALE)
    stale = state is ShipState.STALE
    return TrackedShip(
        -counter.key,
        counter.name or "",
        counter.sure_pose if stale and counter.sure_pose is not None else counter.pose,
        state,
        max(seconds - counter.sure_seconds, 0.0) if stale else 0.0,
        counter.still_frames,
    )
