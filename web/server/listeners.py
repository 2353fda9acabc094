"""Sockets that accept requests, opened and closed while the server runs.

Tornado reads and writes the connections of all listeners in one event loop, in a thread of its own;
`web.server.wsgi` hands the requests to the workers.
"""

import asyncio
import errno
import ipaddress
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tornado.http1connection import (
    HTTP1Connection,
    HTTP1ConnectionParameters,
    HTTP1ServerConnection,
)
from tornado.httputil import HTTPConnection, HTTPServerConnectionDelegate
from tornado.iostream import IOStream
from tornado.tcpserver import TCPServer

from tabletop.errors import DreyerError
from web.server.connections import CALLERS, STRANGERS, Connection, Connections
from web.server.network import LOOPBACK
from web.server.workers import Workers
from web.server.wsgi import (
    LARGEST_BODY_BYTES,
    LARGEST_HEADER_BYTES,
    Gateway,
    Identify,
    Request,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_READ_HEADER_BYTES: Final = 4 * LARGEST_HEADER_BYTES
"""A header that is larger than allowed gets a response; one over this size does not."""
STRANGER_SECONDS: Final = 15.0
"""How long a new connection may wait or take for its first header. Browsers open connections in
advance and give up unused ones after 10 seconds; closed by the server at that very moment, one
would lose a request."""
_IDLE_SECONDS: Final = 120.0
"""How long a connection that has had a response may wait or take for the next header."""
_BODY_SECONDS: Final = 60.0
_FILES: Final = STRANGERS + CALLERS + 200
"""The open files that the most connections need, and the program beside them."""
_DRAIN_SECONDS: Final = 0.5
"""How long pending responses are still sent on closing."""
_END_SECONDS: Final = 3.0


class HttpServer:
    """The event loop, the workers and the limits that all listeners share."""

    def __init__(
        self, app: "WSGIApplication", identify: Identify, network_of: Callable[[str], str]
    ) -> None:
        _allow_files(_FILES)
        self.workers = Workers()
        self.connections = Connections()
        self.network_of = network_of
        self.loop = asyncio.new_event_loop()
        self.gateway = Gateway(app, self.workers, self.connections, identify, self.loop)
        self._thread = threading.Thread(target=self._run, name="event loop", daemon=True)
        self._thread.start()

    def listen(self, listening: socket.socket) -> "Listener":
        """Accept connections from a listening socket until the listener is closed."""
        return Listener(self, listening)

    def close(self) -> None:
        """End the workers and the loop; the listeners are closed before."""
        self.workers.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout=_END_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


class Listener:
    """One address that is served until it is closed. Safe to use from any thread."""

    def __init__(self, server: HttpServer, listening: socket.socket) -> None:
        self.address, self.port = listening.getsockname()[:2]
        self._loop = server.loop
        listening.setblocking(False)
        self._acceptor = asyncio.run_coroutine_threadsafe(
            self._open(server, listening), self._loop
        ).result()

    def close(self) -> None:
        """Stop serving: close the socket and all its connections."""
        ended = asyncio.run_coroutine_threadsafe(self._acceptor.close(), self._loop)
        ended.result(timeout=_DRAIN_SECONDS + _END_SECONDS)

    async def _open(self, server: HttpServer, listening: socket.socket) -> "_Acceptor":
        return _Acceptor(server, listening)


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where the requests of a connection come from."""

    connection: Connection
    address: str


class _Acceptor(TCPServer, HTTPServerConnectionDelegate):
    """The connections of one listening socket."""

    def __init__(self, server: HttpServer, listening: socket.socket) -> None:
        super().__init__(max_buffer_size=LARGEST_BODY_BYTES)
        self._server = server
        self._here: tuple[str, int] = listening.getsockname()[:2]
        self._parameters = HTTP1ConnectionParameters(
            max_header_size=_READ_HEADER_BYTES,
            header_timeout=_IDLE_SECONDS,
            max_body_size=LARGEST_BODY_BYTES,
            body_timeout=_BODY_SECONDS,
        )
        self._open: dict[object, Connection] = {}
        self.add_socket(listening)

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Serve a new connection, if there is room for it."""
        connections = self._server.connections
        connection = Connection(
            self._server.network_of(address[0]),
            stream.close,
            this_machine=ipaddress.ip_address(address[0].partition("%")[0]).is_loopback,
        )
        if not connections.admit(connection):
            stream.close()
            return
        serving = HTTP1ServerConnection(stream, self._parameters, _Origin(connection, address[0]))
        self._open[serving] = connection
        self._server.loop.call_later(STRANGER_SECONDS, self._check, connection)
        serving.start_serving(self)

    def start_request(
        self,
        server_conn: object,  # noqa: ARG002  # As Tornado calls it.
        request_conn: HTTPConnection,
    ) -> Request:
        """The next request of a connection."""
        assert isinstance(request_conn, HTTP1Connection)  # noqa: S101  # What Tornado's own has.
        assert isinstance(request_conn.context, _Origin)  # noqa: S101  # Given in handle_stream.
        origin = request_conn.context
        return Request(
            self._server.gateway, origin.connection, request_conn, origin.address, self._here
        )

    def on_close(self, server_conn: object) -> None:
        """A connection was closed."""
        connection = self._open.pop(server_conn, None)
        if connection is not None:
            self._server.connections.remove(connection)

    async def close(self) -> None:
        """Accept no more, send pending responses for a moment, and close all connections."""
        self.stop()
        end = self._server.loop.time() + _DRAIN_SECONDS
        while self._server.loop.time() < end:
            if all(connection.waiting for connection in self._open.values()):
                break
            await asyncio.sleep(0.01)
        for connection in list(self._open.values()):
            connection.close()
        while self._open and self._server.loop.time() < end + 1:
            await asyncio.sleep(0.01)

    def _check(self, connection: Connection) -> None:
        """Close a connection that has waited too long for its first request, or look again later.

        One that has had a response waits as long as a caller's, so that a browser does not lose a
        request that it sends just then; the limits of `Connections` still close it to make room.
        """
        if connection.closed or connection.caller is not None or connection.answered:
            return
        left = STRANGER_SECONDS - self._server.connections.waited_seconds(connection)
        if left <= 0:
            connection.close()
        else:
            self._server.loop.call_later(left, self._check, connection)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises DreyerError with the reason and the remedy."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # A name with several addresses is served on its first IPv4 address, as browsers expect.
        family, _, _, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        return socket.create_server(place[:2], family=family, backlog=256)
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise DreyerError("host.listen.port_taken", port=port) from None
        if number == errno.EACCES:
            raise DreyerError("host.listen.port_rights", port=port) from None
        raise DreyerError("host.listen.no_such_address", host=host, example=LOOPBACK) from None


def _allow_files(most: int) -> None:
    """Raise this process's limit of open files where it is lower, as on a Mac."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < most:
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
