"""Answers that were given lately, so that a request sent twice acts once and is answered alike.

The journal remembers what it holds for good; this remembers everything else, for a while: a phone
whose network failed between request and answer asks again with the same key.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from flask import Response

MOST: Final = 512
"""Answers kept at a time; the oldest is forgotten first."""


@dataclass(slots=True, eq=False)
class _CachedResponse:
    lock: threading.Lock = field(default_factory=threading.Lock)
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class ResponseCache:
    """Answers by who asked and with which key. Safe to use from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], _CachedResponse] = OrderedDict()

    def once(self, who: str, key: str, answer: Callable[[], Response]) -> Response:
        """The answer to this key: made the first time, repeated afterwards.

        A repeat that comes while the first is still under way waits for it. A fault is not kept:
        it changed nothing, and asking again may well succeed.
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
