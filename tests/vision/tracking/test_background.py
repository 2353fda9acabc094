"""A task beside the frames: its result is taken once, and what it cannot do is no result."""

import threading

import pytest

from vision.tracking.background import BackgroundTask


@pytest.mark.parametrize("threaded", [True, False])
def test_the_result_is_taken_once(threaded: bool) -> None:
    task = BackgroundTask[int]("test", threaded=threaded)
    task.begin(lambda: 3)
    results = []
    while task.is_running:
        results.append(task.take())
    assert [each for each in results if each is not None] == [3]
    assert task.take() is None


def test_nothing_is_taken_before_the_end() -> None:
    end = threading.Event()
    task = BackgroundTask[bool]("test")
    task.begin(end.wait)
    assert task.take() is None
    end.set()
    task.discard()
    assert not task.is_running
    assert task.take() is None


def test_a_picture_that_makes_no_sense_has_no_result() -> None:
    task = BackgroundTask[float]("test", threaded=False)
    task.begin(lambda: 1 / 0)
    assert task.take() is None
    assert not task.is_running
