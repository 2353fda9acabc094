"""Recent responses by idempotency key, so that a repeated request acts only once.

A phone whose network failed between request and response repeats the request with the same key.
Actions in the journal are recognised permanently; this cache covers everything else for a while.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from flask import Response

MOST: Final = 512
"""The most responses stored; the oldest is dropped first."""


@dataclass(slots=True, eq=False)
class _CachedResponse:
    lock: threading.Lock = field(default_factory=threading.Lock)
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class ResponseCache:
    """Responses by caller and key. Safe to use from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], _CachedResponse] = OrderedDict()

    def once(self, who: str, key: str, answer: Callable[[], Response]) -> Response:
        """The response for this key: made the first time, repeated afterwards.

        A repeat that arrives while the first request is running waits for it. Errors are not
        stored, since they changed nothing and a retry may succeed.
        """
        with self._lock:
            kept = self._kept.setdefault((who, key), _CachedResponse())
            self._kept.move_to_end((who, key))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        with kept.lock:
            if kept.status:
                return Response(kept.body, kept.status, list(kept.headers))
            response = answer()
            if response.status_code < 400 and not response.is_streamed:
                kept.body = response.get_data()
                kept.headers = tuple(response.headers.items())
                kept.status = response.status_code
            return response
