"""The pool of workers: turns, places and allowances."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from web.server.workers import LOOP_SECONDS, MOST_ALLOWANCE_SECONDS, MOST_EACH, Workers


@contextmanager
def pool(count: int) -> Iterator[Workers]:
    workers = Workers(count)
    yield workers
    workers.stop()


def burn(seconds: float) -> None:
    """Use the processor."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_callers_take_turns() -> None:
    gate, all_done = threading.Event(), threading.Event()
    done: list[str] = []

    def hold() -> None:
        gate.wait(5)

    def note(who: str) -> None:
        done.append(who)
        if len(done) == 6:
            all_done.set()

    with pool(1) as workers:
        workers.submit("z", hold)
        for _ in range(4):
            workers.submit("greedy", lambda: note("greedy"))
        for who in ("ann", "bob"):
            workers.submit(who, lambda who=who: note(who))  # type: ignore[misc]
        gate.set()
        assert all_done.wait(5)
    assert done[:3] == ["greedy", "ann", "bob"]
    assert done[3:] == ["greedy"] * 3


def test_one_caller_leaves_threads_for_the_others() -> None:
    gate, asked = threading.Event(), threading.Event()

    def hold() -> None:
        gate.wait(5)

    with pool(MOST_EACH + 1) as workers:
        for _ in range(5 * MOST_EACH):
            workers.submit("greedy", hold)
        workers.submit("ann", asked.set)
        assert asked.wait(2)
        gate.set()


def test_whoever_has_used_up_the_allowance_waits_while_others_ask() -> None:
    now = 100.0

    def spend() -> None:
        burn(MOST_ALLOWANCE_SECONDS / 2)
        spent.set()

    workers = Workers(2, lambda: now)
    spent = threading.Event()
    for _ in range(3):
        spent.clear()
        workers.submit("greedy", spend)
        assert spent.wait(30)
    # Alone it goes on at once.
    alone, asked, again = threading.Event(), threading.Event(), threading.Event()
    workers.submit("greedy", alone.set)
    assert alone.wait(5)
    workers.submit("ann", asked.set)
    assert asked.wait(5)
    workers.submit("greedy", again.set)
    assert not again.wait(0.3)
    # Nothing waits for ever, even if the others go on.
    now += 20.0
    workers.submit("ann", asked.set)
    assert again.wait(5)
    workers.stop()


def test_a_failing_request_costs_no_worker(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "web.server.workers")

    def fail() -> None:
        raise ValueError("broken")

    with pool(1) as workers:
        for _ in range(3):
            workers.submit("ann", fail)
        done = threading.Event()
        workers.submit("ann", done.set)
        assert done.wait(5)


def test_a_busy_caller_has_one_request_at_a_time_while_others_ask() -> None:
    now = 100.0
    workers = Workers(MOST_EACH + 1, lambda: now)
    spent, asked, gate = threading.Event(), threading.Event(), threading.Event()
    running: list[int] = []

    def spend() -> None:
        burn(MOST_ALLOWANCE_SECONDS / 2)
        spent.set()

    def hold() -> None:
        running.append(1)
        gate.wait(5)

    workers.submit("greedy", spend)
    assert spent.wait(30)
    workers.submit("ann", asked.set)
    assert asked.wait(5)
    for _ in range(MOST_EACH):
        workers.submit("greedy", hold)
    again = threading.Event()
    workers.submit("ann", again.set)
    assert again.wait(5)
    time.sleep(0.1)
    assert len(running) == 1
    gate.set()
    workers.stop()


def test_many_requests_that_need_no_worker_time_are_charged_for_the_event_loop() -> None:
    now = 100.0
    workers = Workers(1, lambda: now)
    last, asked, again = threading.Event(), threading.Event(), threading.Event()
    for _ in range(int(MOST_ALLOWANCE_SECONDS / LOOP_SECONDS)):
        workers.submit("greedy", lambda: None)
    workers.submit("greedy", last.set)
    assert last.wait(30)
    workers.submit("ann", asked.set)
    assert asked.wait(5)
    workers.submit("greedy", again.set)
    assert not again.wait(0.3)
    workers.stop()
