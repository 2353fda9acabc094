"""One request on its way from Tornado's event loop to the WSGI application and back.

The header is judged before the body is read: a sender without a known cookie may send little, and a
known one a single large body at a time. The application runs in a worker thread; a response without
a length, such as a stream of events, then continues in a thread of its own.
"""

import asyncio
import io
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Final, cast
from urllib.parse import unquote_to_bytes, urlsplit

from tornado.http1connection import HTTP1Connection
from tornado.httputil import (
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import StreamClosedError

from web.files import LARGEST_BATTLE_BYTES
from web.server.connections import Connection, Connections
from web.server.workers import Workers

if TYPE_CHECKING:
    from _typeshed import OptExcInfo
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

DISCONNECTED: Final = "dreyer.client_disconnected"
"""The key of the environment with a function that says whether the client is gone."""
BODY_REFUSED: Final = "dreyer.body_refused"
"""The key of the environment that says why the body was not read; missing if it was."""
STRANGER, BUSY, TOO_LARGE = "stranger", "busy", "body"
"""The sender of a large body has no known cookie, or another large body on its way; or the body is
larger than any that is read."""
HEADER_TOO_LARGE, MALFORMED = "header", "malformed"
"""What is wrong with the header, so that the body is not read either."""

LARGEST_HEADER_BYTES: Final = 32_768
LARGEST_BODY_BYTES: Final = LARGEST_BATTLE_BYTES + 1_000_000
"""A little more than the largest battle, which the routes refuse with a better message."""
SMALL_BODY_BYTES: Final = 65_536
"""The largest body of a sender without a known cookie."""
_STRANGER_BODY_SECONDS: Final = 10.0
_LINGER_SECONDS: Final = 2.0
"""How long the body of a refused request is still read, so that the response arrives."""
_WRITE_SECONDS: Final = 60.0
"""How long a client may take to read a response, or the next part of a stream."""
_IN_MEMORY_BYTES: Final = 1_000_000
_MOST_DIGITS: Final = 18
_BODY_BYTES_EACH_SECOND: Final = 20_000_000
"""How fast a large body is read: faster than a room's network, too slow to occupy the loop. All
refused bodies together are dropped as fast."""

Identify = Callable[[str], str | None]
"""The known caller of a Cookie header; None for a stranger."""


class Gateway:
    """The requests of all connections. Used by the thread of the event loop only."""

    def __init__(
        self,
        app: "WSGIApplication",
        workers: Workers,
        connections: Connections,
        identify: Identify,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.app, self.workers, self.connections = app, workers, connections
        self.identify, self.loop = identify, loop
        self.bodies_dropped = 0
        """How many refused bodies are on their way."""
        self._large_bodies: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin_large_body(self, caller: str) -> bool:
        """Whether a caller may send a large body now; one at a time."""
        if caller in self._large_bodies:
            return False
        self._large_bodies.add(caller)
        return True

    def end_large_body(self, caller: str) -> None:
        """The response to a large body was sent."""
        self._large_bodies.discard(caller)

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Run a coroutine on the loop; from any thread."""

        def begin() -> None:
            task = self.loop.create_task(work)
            # The loop itself holds its tasks only weakly.
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        try:
            self.loop.call_soon_threadsafe(begin)
        except RuntimeError:
            # The server has ended.
            work.close()


class Request(HTTPMessageDelegate):
    """One request and its response."""

    def __init__(
        self,
        gateway: Gateway,
        connection: Connection,
        http: HTTP1Connection,
        peer: str,
        here: tuple[str, int],
    ) -> None:
        self._gateway, self._connection, self._http = gateway, connection, http
        self._peer, self._here = peer, here
        self._gone = threading.Event()
        self._body: IO[bytes] | None = None
        self._refused: str | None = None
        self._large_of: str | None = None
        self._body_read = asyncio.Event()
        self._body_dropped = False
        self._environ: WSGIEnvironment = {}

    # The event loop's side

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> None:
        """Judge the header; the body is read if this does not refuse it."""
        gateway, connection = self._gateway, self._connection
        gateway.connections.begin_request(connection)
        caller = gateway.identify("; ".join(headers.get_list("Cookie")))
        if caller is not None and not gateway.connections.identify(connection, caller):
            self._drop()
            return
        self._environ = self._environment(cast("RequestStartLine", start_line), headers)
        length = _body_bytes(headers)
        large = length is None or length > SMALL_BODY_BYTES
        if caller is None:
            self._http.set_body_timeout(_STRANGER_BODY_SECONDS)
        self._refused = self._refusal(cast("RequestStartLine", start_line), headers, caller, large)
        if self._refused:
            self._environ[BODY_REFUSED] = self._refused
            gateway.bodies_dropped += 1
            self._body_dropped = True
            self._environ["CONTENT_LENGTH"] = "0"
            self._environ.pop("HTTP_TRANSFER_ENCODING", None)
            # It is dropped part by part until the response has been sent.
            self._http.set_max_body_size(sys.maxsize)
            self._begin()
        elif length != 0:
            self._body = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115

    def _refusal(
        self, start_line: RequestStartLine, headers: HTTPHeaders, caller: str | None, large: bool
    ) -> str | None:
        """Why the body is not read; None if it is."""
        if not start_line.path.isascii():
            return MALFORMED
        lines = sum(len(name) + len(value) + len(": \r\n") for name, value in headers.get_all())
        if len(start_line.path) + lines > LARGEST_HEADER_BYTES:
            return HEADER_TOO_LARGE
        length = _body_bytes(headers)
        if length is not None and length > LARGEST_BODY_BYTES:
            return TOO_LARGE
        if not large:
            return None
        if caller is None:
            return STRANGER
        if not self._gateway.begin_large_body(caller):
            return BUSY
        self._large_of = caller
        return None

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Keep a part of the body, or drop it if it was refused; wait before the next part."""
        if self._body is not None:
            self._body.write(chunk)
        if self._refused:
            return asyncio.sleep(
                len(chunk) * self._gateway.bodies_dropped / _BODY_BYTES_EACH_SECOND
            )
        if self._large_of is not None:
            return asyncio.sleep(len(chunk) / _BODY_BYTES_EACH_SECOND)
        return None

    def finish(self) -> None:
        """The body was read."""
        self._body_read.set()
        if not self._refused and not self._gone.is_set():
            self._begin()

    def on_connection_close(self) -> None:
        """The client went away while it sent its request."""
        self._gone.set()
        self._body_read.set()
        if not self._refused:
            self._clean_up()

    def _begin(self) -> None:
        if self._body is not None:
            if "CONTENT_LENGTH" not in self._environ:
                self._environ["CONTENT_LENGTH"] = str(self._body.tell())
            self._body.seek(0)
            self._environ["wsgi.input"] = self._body
        self._http.set_close_callback(self._gone.set)
        connection = self._connection
        self._gateway.workers.submit(connection.caller or connection.network, self._answer)

    def _environment(self, start_line: RequestStartLine, headers: HTTPHeaders) -> "WSGIEnvironment":
        target = start_line.path
        if not target.startswith("/"):
            # The absolute form; anything else, such as an asterisk, is the root.
            parts = urlsplit(target) if "://" in target else None
            query = f"?{parts.query}" if parts and parts.query else ""
            target = f"{(parts and parts.path) or '/'}{query}"
        path, _, query = target.partition("?")
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": start_line.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
            "QUERY_STRING": query,
            "REMOTE_ADDR": self._peer,
            "SERVER_NAME": self._here[0],
            "SERVER_PORT": str(self._here[1]),
            "SERVER_PROTOCOL": start_line.version,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            DISCONNECTED: self._gone.is_set,
        }
        for name in {each.lower() for each in headers}:
            if "_" in name:
                # It would have the same key as one with a hyphen.
                continue
            joint = "; " if name == "cookie" else ","
            value = joint.join(headers.get_list(name))
            key = name.upper().replace("-", "_")
            environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
        return environ

    async def _send(self, start_line: ResponseStartLine, headers: HTTPHeaders, body: bytes) -> None:
        """Send a whole response."""
        try:
            async with asyncio.timeout(_WRITE_SECONDS):
                await self._http.write_headers(start_line, headers, body)
            if self._refused:
                # Or the client, which is still sending, might miss the response.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LINGER_SECONDS):
                        await self._body_read.wait()
        except (TimeoutError, StreamClosedError):
            self._drop()
        self._end()

    async def _send_head(self, start_line: ResponseStartLine, headers: HTTPHeaders) -> None:
        await self._http.write_headers(start_line, headers)

    async def _send_part(self, part: bytes) -> None:
        async with asyncio.timeout(_WRITE_SECONDS):
            await self._http.write(part)

    async def _finish(self) -> None:
        self._end()

    async def _abort(self) -> None:
        self._drop()
        self._end()

    def _drop(self) -> None:
        """Close the connection without a response."""
        self._gone.set()
        self._http.close()

    def _end(self) -> None:
        """The response was sent, or the client is gone."""
        if not self._gone.is_set():
            self._http.finish()
        self._gateway.connections.end_request(self._connection)
        self._clean_up()

    def _clean_up(self) -> None:
        if self._body_dropped:
            self._gateway.bodies_dropped -= 1
            self._body_dropped = False
        if self._large_of is not None:
            self._gateway.end_large_body(self._large_of)
            self._large_of = None
        if self._body is not None:
            self._body.close()
            self._body = None

    # A worker's side

    def _answer(self) -> None:
        """Run the application; in a worker thread."""
        if self._gone.is_set() and self._environ["REQUEST_METHOD"] == "GET":
            self._gateway.spawn(self._abort())
            return
        head: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str,
            headers: list[tuple[str, str]],
            _: "OptExcInfo | None" = None,
            /,
        ) -> Callable[[bytes], object]:
            head[:] = [(status, headers)]
            return _no_write

        try:
            parts = self._gateway.app(self._environ, start_response)
            start_line, headers = _head(*head[0])
            if _has_end(start_line.code, headers, self._environ["REQUEST_METHOD"]):
                body = _joined(parts)
                self._gateway.spawn(self._send(start_line, headers, body))
                return
        except BaseException:
            self._gateway.spawn(self._abort())
            raise
        threading.Thread(
            target=self._stream, args=(start_line, headers, parts), name="stream", daemon=True
        ).start()

    def _stream(
        self, start_line: ResponseStartLine, headers: HTTPHeaders, parts: Iterable[bytes]
    ) -> None:
        """Send a response without a length part by part; in a thread of its own."""
        loop = self._gateway.loop
        try:
            asyncio.run_coroutine_threadsafe(self._send_head(start_line, headers), loop).result()
            for part in parts:
                if self._gone.is_set():
                    break
                asyncio.run_coroutine_threadsafe(self._send_part(part), loop).result()
        except (StreamClosedError, TimeoutError):
            self._gateway.spawn(self._abort())
        else:
            self._gateway.spawn(self._finish())
        finally:
            _close_parts(parts)


def _body_bytes(headers: HTTPHeaders) -> int | None:
    """The length of a body as its header says; None where it does not say it."""
    length = headers.get("Content-Length", "0")
    if "Transfer-Encoding" in headers or not length.isdecimal():
        return None
    # Python does not read numbers of thousands of digits.
    return int(length) if len(length) <= _MOST_DIGITS else sys.maxsize


def _no_write(_: bytes) -> None:
    raise RuntimeError("the write function of WSGI is not offered")


def _head(status: str, headers: list[tuple[str, str]]) -> tuple[ResponseStartLine, HTTPHeaders]:
    code, _, reason = status.partition(" ")
    found = HTTPHeaders()
    for name, value in headers:
        found.add(name, value)
    found["Date"] = formatdate(usegmt=True)
    return ResponseStartLine("HTTP/1.1", int(code), reason or HTTPStatus(int(code)).phrase), found


def _has_end(code: int, headers: HTTPHeaders, method: str) -> bool:
    """Whether a response is complete as soon as the application has returned it."""
    return "Content-Length" in headers or code in (204, 304) or method == "HEAD"


def _joined(parts: Iterable[bytes]) -> bytes:
    try:
        return b"".join(parts)
    finally:
        _close_parts(parts)


def _close_parts(parts: Iterable[bytes]) -> None:
    close = getattr(parts, "close", None)
    if close is not None:
        close()
