"""Timing that two things can share in one run."""

import gc
import time
from collections.abc import Callable


def best_seconds(work: Callable[[], object], *, rounds: int) -> float:
    """The quickest of several rounds: what the work costs when nothing disturbs it."""
    work()
    gc.disable()
    try:
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return min(times)
