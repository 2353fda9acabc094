"""Compression of static files.

Responses that depend on the seat are never compressed, because their compressed length could reveal
a secret in them.
"""

import gzip
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request

_FILES: Final = frozenset({"static", "frame.font"})
_LEAST_BYTES: Final = 600


def attach(app: Flask) -> None:
    """Compress the static files of an application."""
    app.after_request(_pack)


def _pack(response: Response) -> Response:
    if request.endpoint not in _FILES:
        return response
    response.vary.add("Accept-Encoding")
    # Partial and not-modified responses are left as they are.
    plain = request.method != "GET" or response.status_code != 200
    if plain or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) >= _LEAST_BYTES:
        response.set_data(_packed(data))
        response.headers["Content-Encoding"] = "gzip"
        tag, _ = response.get_etag()
        if tag is not None:
            response.set_etag(tag, weak=True)
    return response


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
