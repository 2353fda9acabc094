"""Sockets that accept requests, opened and closed while the server runs.

Every listener has its own loop in its own thread; all use one pool of workers.
"""

import errno
import select
import socket
import threading
import time
from typing import TYPE_CHECKING, Final

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from tabletop.errors import DreyerError
from web.files import LARGEST_BATTLE_BYTES
from web.server.network import LOOPBACK

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

WORKERS: Final = 64
LARGEST_BODY_BYTES: Final = LARGEST_BATTLE_BYTES + 1_000_000
"""A little more than the largest battle, which the routes refuse with a better message."""
_LARGEST_HEADERS_BYTES: Final = 32_768
_CONNECTIONS: Final = 300
"""Enough for twenty phones with six connections each."""
_POLLS: Final = hasattr(select, "poll")
"""Select cannot handle many connections; Windows has nothing else."""
_LOOP_SECONDS: Final = 1.0
_DRAIN_SECONDS: Final = 2.0
_PENDING_ROUNDS: Final = 50
"""The rounds of 10 ms during which pending responses are still sent on closing."""


class _NoTrigger:
    """A trigger that does nothing, for a loop that has ended."""

    def pull_trigger(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Workers:
    """The pool of threads that answers the requests of all listeners."""

    def __init__(self, count: int = WORKERS) -> None:
        self.pool = ThreadedTaskDispatcher()
        self.pool.set_thread_count(count)

    def stop(self, timeout_seconds: float = 3.0) -> None:
        """Let the running requests finish; waiting ones are dropped."""
        self.pool.shutdown(timeout=timeout_seconds)


class Listener:
    """One address that is served until it is closed."""

    def __init__(self, app: "WSGIApplication", workers: Workers, listening: socket.socket) -> None:
        self.address, self.port = listening.getsockname()[:2]
        self._sockets: dict[int, object] = {}
        self._ending = threading.Event()
        self._waking = threading.Lock()
        self._server = create_server(
            app,
            map=self._sockets,
            _dispatcher=workers.pool,
            sockets=[listening],
            ident="dreyer",
            threads=WORKERS,
            # Reading ahead is how a stream's worker notices that its phone is gone.
            channel_request_lookahead=1,
            connection_limit=_CONNECTIONS,
            max_request_body_size=LARGEST_BODY_BYTES,
            max_request_header_size=_LARGEST_HEADERS_BYTES,
            log_socket_errors=False,
            clear_untrusted_proxy_headers=True,
        )
        self._thread = threading.Thread(
            target=self._loop, name=f"listening on {self.address}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop serving: close the socket and all its connections."""
        self._ending.set()
        with self._waking:
            self._server.pull_trigger()
        self._thread.join(timeout=_LOOP_SECONDS + _DRAIN_SECONDS + 1)

    def _loop(self) -> None:
        while not self._ending.is_set():
            wasyncore.loop(timeout=_LOOP_SECONDS, map=self._sockets, use_poll=_POLLS, count=1)
        self._send_pending()
        self._shut()

    def _send_pending(self) -> None:
        """Send pending responses, for a number of rounds.

        Rounds are counted instead of time, so that a pause of the process does not use them up. A
        stream ends only when its last chunk is sent.
        """
        self._server.accepting = False
        for _ in range(_PENDING_ROUNDS):
            channels = list(self._server.active_channels.values())
            if not any(channel.requests or channel.total_outbufs_len for channel in channels):
                return
            time.sleep(0.01)
            wasyncore.loop(timeout=0, map=self._sockets, use_poll=_POLLS, count=1)

    def _shut(self) -> None:
        """Close everything, the loop's trigger last, since workers may still write to it.

        If it were closed earlier, its file descriptor could belong to another file when a worker
        writes to it.
        """
        channels = list(self._server.active_channels.values())
        with self._waking:
            trigger, self._server.trigger = self._server.trigger, _NoTrigger()
        for number, each in list(self._sockets.items()):
            if each is trigger:
                del self._sockets[number]
        wasyncore.close_all(self._sockets, ignore_all=True)
        end = time.monotonic() + _DRAIN_SECONDS
        while any(channel.requests for channel in channels) and time.monotonic() < end:
            time.sleep(_DRAIN_SECONDS / 100)
        trigger.close()


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
