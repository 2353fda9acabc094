"""Memory that was freed goes back to the system.

The C library keeps what large pictures took in case it is needed again; a server that runs for days
on a small machine gives it back.
"""

import ctypes
import sys
from collections.abc import Callable
from functools import cache


def return_free_memory() -> None:
    """Give freed memory back to the system, where the C library can."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's own function; None with other libraries, which give memory back by themselves."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
