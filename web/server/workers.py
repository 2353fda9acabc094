"""The pool of threads that answers requests, divided fairly among callers.

Callers take turns, and none occupies more than a few threads. Each has an allowance of processor
time that grows with time: whoever has used it up waits while others ask, so that one phone cannot
slow down all the others; whoever has used up half of it has one request at a time worked on. Nobody
waits for an allowance while nobody else asks.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

WORKERS: Final = 16
MOST_EACH: Final = 4
"""The most threads that one caller occupies."""
ALLOWANCE: Final = 0.1
"""The processor time that a caller gains each second, in seconds."""
MOST_ALLOWANCE_SECONDS: Final = 1.0
LOOP_SECONDS: Final = 0.0005
"""What the event loop needs for a request, which the time of a worker's thread does not have."""
_MOST_CHARGED_SECONDS: Final = 0.5
"""The most that one request is charged, such as for a photo."""
_CONTENTION_SECONDS: Final = 1.0
"""For how long after a request of another caller the allowance counts."""
_LOOK_SECONDS: Final = 0.05
"""How often a thread checks whether a caller who waits has an allowance again."""
_MOST_REMEMBERED: Final = 500

_LOG: Final = logging.getLogger(__name__)

Task = Callable[[], None]


@dataclass(slots=True)
class _CallerQueue:
    """The requests of one caller that wait, and the caller's allowance."""

    waiting: deque[Task] = field(default_factory=deque)
    running: int = 0
    allowance_seconds: float = MOST_ALLOWANCE_SECONDS
    updated: float = 0.0
    last_run: float = float("-inf")


class Workers:
    """The pool. Safe to use from any thread."""

    def __init__(self, count: int = WORKERS, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        # In the order in which their turn comes.
        self._queues: OrderedDict[str, _CallerQueue] = OrderedDict()
        self._waiting = 0
        self._someone_looks = False
        self._ending = False
        self._threads = [
            threading.Thread(target=self._work, name=f"worker {number}", daemon=True)
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, caller: str, task: Task) -> None:
        """Run a task of a caller when its turn comes."""
        with self._changed:
            self._queue_of(caller).waiting.append(task)
            self._waiting += 1
            self._changed.notify()

    def stop(self, timeout_seconds: float = 3.0) -> None:
        """Let the running tasks finish; waiting ones are dropped."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        end = time.monotonic() + timeout_seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        while True:
            with self._changed:
                found = self._next()
                while found is None and not self._ending:
                    self._wait()
                    found = self._next()
                if found is None or self._ending:
                    return
            caller, task = found
            began = time.thread_time()
            try:
                task()
            except Exception:
                # A fault of one request must not cost a worker.
                _LOG.exception("a request failed")
            with self._changed:
                self._finish(caller, time.thread_time() - began)
                self._changed.notify()

    def _wait(self) -> None:
        """Wait for a change; one of the threads looks up now and then for renewed allowances."""
        looks = self._waiting > 0 and not self._someone_looks
        if looks:
            self._someone_looks = True
        self._changed.wait(_LOOK_SECONDS if looks else None)
        if looks:
            self._someone_looks = False

    def _next(self) -> tuple[str, Task] | None:
        """The next task of the first caller whose turn it is."""
        if not self._waiting:
            return None
        now = self._clock()
        for caller, queue in self._queues.items():
            if not queue.waiting or queue.running >= self._most(caller, queue, now):
                continue
            queue.running += 1
            queue.last_run = now
            self._waiting -= 1
            self._queues.move_to_end(caller)
            return caller, queue.waiting.popleft()
        return None

    def _most(self, caller: str, queue: _CallerQueue, now: float) -> int:
        """How many requests of a caller may run at a time now."""
        allowance = self._allowance(queue, now)
        if allowance > MOST_ALLOWANCE_SECONDS / 2 or not self._is_contended(caller, now):
            return MOST_EACH
        return 1 if allowance > 0 else 0

    def _finish(self, caller: str, used_seconds: float) -> None:
        queue = self._queues[caller]
        now = self._clock()
        queue.running -= 1
        queue.last_run = now
        queue.allowance_seconds = self._allowance(queue, now) - min(
            used_seconds + LOOP_SECONDS, _MOST_CHARGED_SECONDS
        )

    def _allowance(self, queue: _CallerQueue, now: float) -> float:
        gained = ALLOWANCE * (now - queue.updated)
        queue.allowance_seconds = min(MOST_ALLOWANCE_SECONDS, queue.allowance_seconds + gained)
        queue.updated = now
        return queue.allowance_seconds

    def _is_contended(self, caller: str, now: float) -> bool:
        """Whether another caller has asked a short time ago."""
        return any(
            other != caller and queue.last_run > now - _CONTENTION_SECONDS
            for other, queue in self._queues.items()
        )

    def _queue_of(self, caller: str) -> _CallerQueue:
        queue = self._queues.get(caller)
        if queue is None:
            if len(self._queues) >= _MOST_REMEMBERED:
                self._forget()
            queue = self._queues[caller] = _CallerQueue(updated=self._clock())
        return queue

    def _forget(self) -> None:
        """Forget callers whose allowance is full again."""
        now = self._clock()
        for caller, queue in list(self._queues.items()):
            idle = not queue.waiting and not queue.running
            if idle and self._allowance(queue, now) >= MOST_ALLOWANCE_SECONDS:
                del self._queues[caller]
