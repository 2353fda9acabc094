"""One piece of work at a time, in a thread beside the frames."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

import cv2
import numpy as np

Result = TypeVar("Result")


class BackgroundTask(Generic[Result]):
    """Runs a function in a thread of its own, or at once, and keeps its result to be taken."""

    def __init__(self, name: str, *, threaded: bool = True) -> None:
        self._name = name
        self._threaded = threaded
        self._thread: threading.Thread | None = None
        self._result: Result | None = None

    @property
    def is_running(self) -> bool:
        """Whether a function was begun whose result nobody has taken."""
        return self._thread is not None

    def begin(self, function: Callable[[], Result]) -> None:
        """Run this function. There must be none running."""
        # No daemon: a program that ends waits for it, as OpenCV must not be cut off at work.
        self._thread = threading.Thread(target=self._run, args=(function,), name=self._name)
        if self._threaded:
            self._thread.start()
        else:
            self._thread.run()

    def take(self) -> Result | None:
        """The result, once; None while there is none."""
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        result, self._result = self._result, None
        return result

    def discard(self) -> None:
        """Wait until the function ends, and drop its result: it is out of date."""
        if self._thread is not None and self._threaded:
            self._thread.join()
        self._thread = self._result = None

    def _run(self, function: Callable[[], Result]) -> None:
        # A picture that makes no sense has nothing to be found.
        with suppress(cv2.error, np.linalg.LinAlgError, ArithmeticError, ValueError):
            self._result = function()
