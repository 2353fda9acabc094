"""The running server: listeners, workers, sharing, and shutdown."""

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from web.auth.attempts import network_of
from web.http import guard
from web.server.listeners import HttpServer, listen
from web.server.network import Network, own_networks
from web.server.sharing import SHARED, Closable, Sharing

if TYPE_CHECKING:
    from flask import Flask

    from web.http.context import ServerContext

_GOODBYE_SECONDS: Final = 1.5
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread keeps the interpreter while others wait: a short request passes through several
threads, and would wait Python's usual 5 ms for each turn beside a long one."""


@contextmanager
def serve(
    app: "Flask",
    server_context: "ServerContext",
    door: socket.socket,
    *,
    everywhere: bool = False,
    networks: Callable[[], tuple[Network, ...]] = own_networks,
) -> Iterator[None]:
    """Serve at an address, and at another while the table is shared, until the block ends.

    `everywhere` means that the first address already accepts all networks.
    """

    sys.setswitchinterval(_SWITCH_SECONDS)

    def identify(cookies: str) -> str | None:
        return server_context.session.known_caller(guard.cookie_in(cookies))

    server = HttpServer(app, identify, network_of)

    def open_(address: str, port: int) -> Closable:
        return server.listen(listen(address, port))

    def announce() -> None:
        now, session = server_context.sharing.now, server_context.session
        if session.setting(SHARED) not in ("", now.address) and now.reachable:
            # The table is still shared, at another address.
            session.save_setting(SHARED, now.address or "")
        session.announce()

    server_context.sharing = Sharing(
        open_, door.getsockname()[1], fixed=everywhere, networks=networks, changed=announce
    )
    main = server.listen(door)
    server_context.sharing.resume(server_context.session.setting(SHARED))
    threading.Thread(target=server_context.sharing.follow, name="following", daemon=True).start()
    try:
        yield
    finally:
        server_context.streams.end_all()
        announce()
        server_context.streams.wait_for_end(_GOODBYE_SECONDS)
        server_context.sharing.close()
        main.close()
        server.close()
