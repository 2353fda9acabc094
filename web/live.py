"""Streams of server-sent events that carry nothing but a number.

The number changes whenever the table does; the page then fetches its own view. A stream holds a
worker of the server, so there are only so many, none lives long, and one whose phone is gone is
given up. A browser opens the next one by itself.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

MOST: Final = 48
"""Streams in all; the server's other workers answer requests."""
MOST_EACH: Final = 6
"""Streams of one browser: what browsers allow themselves."""
LIFE_SECONDS: Final = 90.0
BEAT_SECONDS: Final = 10.0
PAUSE_SECONDS: Final = 0.1
"""The least time between two numbers: a moving fleet need not be fetched more often."""
_LOOK_SECONDS: Final = 1.0
"""How often a silent stream looks whether its phone is still there."""
_RETRY_MS: Final = 1000


@dataclass(slots=True, eq=False)
class Stream:
    """One open stream of one browser."""

    owner: str
    _ended: threading.Event = field(default_factory=threading.Event)
    reason: str = ""

    def end(self, reason: str) -> None:
        """Ask it to end."""
        self.reason = reason
        self._ended.set()

    def pause(self, seconds: float) -> bool:
        """Wait, or less if it is to end; whether it is."""
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

    def open(self, owner: str) -> Stream | None:
        """A new stream; None when all are taken.

        A browser that has many gives up its oldest: a phone that slept leaves streams behind that
        nobody reads, and must not wait for their end before it is live again.
        """
        with self._lock:
            if self._ending:
                return None
            own = [stream for stream in self._open if stream.owner == owner]
            if len(own) >= self._most_each:
                self._give_up(own[0])
            elif len(self._open) >= self._most:
                greediest = self._greediest()
                if self._count(greediest) <= max(1, len(own)):
                    return None
                self._give_up(next(each for each in self._open if each.owner == greediest))
            stream = Stream(owner)
            self._open.append(stream)
            self._none.clear()
            return stream

    def close(self, stream: Stream) -> None:
        """A stream has ended; its place is free."""
        with self._lock:
            if stream in self._open:
                self._open.remove(stream)
            if not self._open:
                self._none.set()

    def end_all(self) -> None:
        """The server stops: every stream ends and none begins."""
        with self._lock:
            self._ending = True
            for stream in self._open:
                stream.end("ending")

    def wait_for_end(self, seconds: float) -> None:
        """Give them a moment to say goodbye."""
        self._none.wait(seconds)

    def _give_up(self, stream: Stream) -> None:
        # Its worker may need a moment to notice; its place in the count is free at once.
        stream.end("full")
        self._open.remove(stream)

    def _count(self, owner: str) -> int:
        return sum(stream.owner == owner for stream in self._open)

    def _greediest(self) -> str:
        return max((stream.owner for stream in self._open), key=self._count)


def events(
    wait: Callable[[int, float], int],
    stream: Stream,
    streams: Streams,
    gone: Callable[[], bool],
) -> Iterator[bytes]:
    """What one stream sends: the number at once, at each change, and a beat when nothing happens.

    `wait(after, timeout)` returns the number once it is greater than `after`, or after the time.
    """
    began = spoken = streams.clock()
    sent, hold = -1, 0.0
    yield f"retry: {_RETRY_MS}\n\n".encode()
    while not gone():
        if stream.pause(hold):
            yield _event("bye", stream.reason)
            return
        number = wait(sent, min(_LOOK_SECONDS, streams.beat_seconds, streams.life_seconds))
        now = streams.clock()
        if now - began >= streams.life_seconds:
            yield _event("bye", "life")
            return
        if number != sent:
            yield _event("seq", number)
            sent, spoken, hold = number, now, PAUSE_SECONDS
            continue
        hold = 0.0
        if now - spoken >= streams.beat_seconds:
            yield _event("beat", number)
            spoken = now


def _event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()
