"""Streams of server-sent events that carry only a number.

The number changes whenever the table does; the page then fetches its own view. A stream occupies a
thread of its own, so the number of streams and their duration are limited. Browsers reconnect by
themselves.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

MOST: Final = 120
"""The most streams in total: two for each seat."""
MOST_EACH: Final = 6
"""The most streams of one browser."""
LIFE_SECONDS: Final = 90.0
BEAT_SECONDS: Final = 10.0
PAUSE_SECONDS: Final = 0.1
"""The least time between two numbers, which limits how often pages fetch their view."""
_STREAMS_AT_FULL_PACE: Final = 5
"""With more streams the pause grows, so that all pages together fetch no more views a second."""
_LOOK_SECONDS: Final = 1.0
"""How often an idle stream checks whether its phone is still connected."""
_RETRY_MS: Final = 1000


@dataclass(slots=True, eq=False)
class Stream:
    """One open stream of a browser."""

    owner: str
    _ended: threading.Event = field(default_factory=threading.Event)
    reason: str = ""

    def end(self, reason: str) -> None:
        """Ask the stream to end."""
        self.reason = reason
        self._ended.set()

    def pause(self, seconds: float) -> bool:
        """Wait for some seconds or until the stream is to end; returns whether it is."""
        return self._ended.wait(seconds)


class Streams:
    """All open streams. Safe to use from any thread."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        most: int = MOST,
        most_each: int = MOST_EACH,
        life_seconds: float = LIFE_SECONDS,
        beat_seconds: float = BEAT_SECONDS,
    ) -> None:
        self.clock, self.life_seconds, self.beat_seconds = clock, life_seconds, beat_seconds
        self._most, self._most_each = most, most_each
        self._lock = threading.Lock()
        self._open: list[Stream] = []
        self._none = threading.Event()
        self._none.set()
        self._ending = False

    def __len__(self) -> int:
        return len(self._open)

    @property
    def pause_seconds(self) -> float:
        """The least time between two numbers on a stream.

        With many streams it varies, so that they do not all fetch their views at the same moment.
        """
        crowd = len(self._open) / _STREAMS_AT_FULL_PACE
        if crowd <= 1.0:
            return PAUSE_SECONDS
        return PAUSE_SECONDS * crowd * random.uniform(0.5, 1.5)  # noqa: S311  # No secret.

    def open(self, owner: str) -> Stream | None:
        """Open a stream; None if there are too many.

        A browser with too many streams loses its oldest: a phone that slept leaves unread streams
        behind and must not have to wait for their end.
        """
        with self._lock:
            if self._ending:
                return None
            own = [stream for stream in self._open if stream.owner == owner]
            if len(own) >= self._most_each:
                self._evict(own[0])
            elif len(self._open) >= self._most:
                largest = self._largest_owner()
                if self._count(largest) <= max(1, len(own)):
                    return None
                self._evict(next(each for each in self._open if each.owner == largest))
            stream = Stream(owner)
            self._open.append(stream)
            self._none.clear()
            return stream

    def close(self, stream: Stream) -> None:
        """Remove a stream that has ended."""
        with self._lock:
            if stream in self._open:
                self._open.remove(stream)
            if not self._open:
                self._none.set()

    def end_all(self) -> None:
        """End every stream and allow no new one, when the server stops."""
        with self._lock:
            self._ending = True
            for stream in self._open:
                stream.end("ending")

    def wait_for_end(self, seconds: float) -> None:
        """Wait briefly until all streams have ended."""
        self._none.wait(seconds)

    def _evict(self, stream: Stream) -> None:
        # It no longer counts, although its worker may end a little later.
        stream.end("full")
        self._open.remove(stream)

    def _count(self, owner: str) -> int:
        return sum(stream.owner == owner for stream in self._open)

    def _largest_owner(self) -> str:
        return max((stream.owner for stream in self._open), key=self._count)


def events(
    wait: Callable[[int, float], int],
    stream: Stream,
    streams: Streams,
    disconnected: Callable[[], bool],
) -> Iterator[bytes]:
    """The content of a stream: the number at once, at each change, and a keep-alive when idle.

    `wait(after, timeout)` returns the number once it differs from `after`, or after the timeout.
    """
    began = last_sent = streams.clock()
    sent, pause = -1, 0.0
    yield f"retry: {_RETRY_MS}\n\n".encode()
    while not disconnected():
        if stream.pause(pause):
            yield _event("bye", stream.reason)
            return
        number = wait(sent, min(_LOOK_SECONDS, streams.beat_seconds, streams.life_seconds))
        now = streams.clock()
        if now - began >= streams.life_seconds:
            yield _event("bye", "life")
            return
        if number != sent:
            yield _event("seq", number)
            sent, last_sent, pause = number, now, streams.pause_seconds
            continue
        pause = 0.0
        if now - last_sent >= streams.beat_seconds:
            yield _event("beat", number)
            last_sent = now


def _event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()
