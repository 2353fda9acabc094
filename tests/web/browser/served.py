"""A table server for browsers, which can go away and come back at the same address."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from web.http.context import ServerContext


class Server:
    """An application that listens on this machine until it is stopped."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def server_context(self) -> ServerContext:
        found = self.app.extensions["dreyer"]
        assert isinstance(found, ServerContext)
        return found

    @property
    def code(self) -> str:
        return self.server_context.session.seats.code

    def start(self) -> None:
        self._sockets: dict[int, object] = {}
        self._ending = threading.Event()
        self._server = create_server(
            self.app,
            map=self._sockets,
            host="127.0.0.1",
            port=self.port,
            threads=32,
            channel_request_lookahead=1,
        )
        self.port = self._server.effective_port
        self._thread = threading.Thread(target=self._loop)
        self._thread.start()

    def stop(self) -> None:
        self._ending.set()
        self._thread.join(timeout=10)
        self._server.task_dispatcher.shutdown(timeout=0.1)

    def _loop(self) -> None:
        # Looks up now and then by itself: to be woken by a pipe that it closes would be a race.
        while not self._ending.is_set():
            wasyncore.loop(timeout=0.1, map=self._sockets, use_poll=True, count=1)
        # A stream that ends later must not wake what has another owner by then.
        self._server.pull_trigger = lambda: None
        # Streams end with their server, as they do when the process goes away.
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of an application while it listens."""
    server = Server(app)
    try:
        yield server.address
    finally:
        server.stop()
