"""Sockets that take requests: opened and closed while the server runs.

Every listener has its own loop in its own thread; all of them hand their requests to one pool of
workers, so that a second address costs no second pool.
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
"""A little more than the largest battle, which the pages themselves refuse in better words."""
_LARGEST_HEADERS_BYTES: Final = 32_768
_CONNECTIONS: Final = 300
"""Twenty phones with six connections each, and room."""
_POLLS: Final = hasattr(select, "poll")
"""Plain select cannot hold many connections; Windows has nothing else."""
_LOOP_SECONDS: Final = 1.0
_DRAIN_SECONDS: Final = 2.0
_LAST_WORDS_ROUNDS: Final = 50
"""Rounds of ten milliseconds in which answers that are under way are sent to their end."""


class _NoTrigger:
    """Wakes nothing: the loop has ended."""

    def pull_trigger(self) -> None:
        """Nothing to wake."""

    def close(self) -> None:
        """Nothing to close."""


class Workers:
    """The pool of threads that answers requests, for all listeners together."""

    def __init__(self, count: int = WORKERS) -> None:
        self.pool = ThreadedTaskDispatcher()
        self.pool.set_thread_count(count)

    def stop(self, timeout_seconds: float = 3.0) -> None:
        """Let the threads finish and end; what still waits is dropped."""
        self.pool.shutdown(timeout=timeout_seconds)


class Listener:
    """One address that is answered until it is closed."""

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
            # Reading ahead is how a stream's worker learns that its phone is gone.
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
        """Answer no more: the socket and every connection that came by it are closed."""
        self._ending.set()
        with self._waking:
            self._server.pull_trigger()
        self._thread.join(timeout=_LOOP_SECONDS + _DRAIN_SECONDS + 1)

    def _loop(self) -> None:
        while not self._ending.is_set():
            wasyncore.loop(timeout=_LOOP_SECONDS, map=self._sockets, use_poll=_POLLS, count=1)
        self._send_last_words()
        self._shut()

    def _send_last_words(self) -> None:
        """Send what is answered already; counted in rounds, since a pause must not use them up.

        A stream that has said goodbye is over only when its last chunk is on its way.
        """
        self._server.accepting = False
        for _ in range(_LAST_WORDS_ROUNDS):
            channels = list(self._server.active_channels.values())
            if not any(channel.requests or channel.total_outbufs_len for channel in channels):
                return
            time.sleep(0.01)
            wasyncore.loop(timeout=0, map=self._sockets, use_poll=_POLLS, count=1)

    def _shut(self) -> None:
        """Close everything; what wakes the loop goes last, since workers may still write to it.

        Closed too early, its number could by then belong to another file, and the byte that was
        to wake the loop would be written there.
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
    """A socket that takes connections; every reason why it cannot be had names the remedy."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # A name with several addresses is served on the first of IPv4, as browsers expect it.
        family, _, _, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        return socket.create_server(place[:2], family=family, backlog=256)
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            reason = f"port {port} is taken by another program: choose another with --port"
        elif number == errno.EACCES:
            reason = f"port {port} needs more rights: choose one above 1023 with --port"
        else:
            reason = (
                f"cannot listen on {host!r}: expected an address of this machine after --host, "
                f"such as {LOOPBACK}"
            )
        raise DreyerError(reason) from None
