"""A table server for browsers, which can go away and come back at the same address."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from web.auth.attempts import network_of
from web.http import guard
from web.http.context import ServerContext
from web.server.listeners import HttpServer, listen

PATIENCE_MS = 60_000
"""A busy machine may take this long; a test that asks for a speed names it itself."""


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
        door = listen("127.0.0.1", self.port)
        self.port = door.getsockname()[1]
        self._server = HttpServer(self.app, self._identify, network_of)
        self._listener = self._server.listen(door)

    def stop(self) -> None:
        self._listener.close()
        self._server.close()

    def _identify(self, cookies: str) -> str | None:
        return self.server_context.session.known_caller(guard.cookie_in(cookies))


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of an application while it listens."""
    server = Server(app)
    try:
        yield server.address
    finally:
        server.stop()
