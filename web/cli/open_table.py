"""`dreyer` without a command: the table is started if it does not run yet, and its page opened."""

from collections.abc import Callable, Sequence
from typing import Final

from tabletop.errors import DreyerError
from web.cli.serve import DEFAULT_HOST, DEFAULT_PORT, open_browser
from web.server.ports import Listener, listener_at
from web.strings import text

PORTS: Final = range(DEFAULT_PORT, DEFAULT_PORT + 10)
"""The ports that are tried in turn."""


def open_table(
    start: Callable[[Sequence[str]], int],
    *,
    ports: Sequence[int] = PORTS,
    browse: Callable[[str], object] = open_browser,
) -> int:
    """Open the page of the table that runs on this machine; start one if none does.

    `start` runs `dreyer serve` with its options. Ports that other programs use are passed over.
    """
    for port in ports:
        listener = listener_at(port)
        if listener is Listener.THIS_PROGRAM:
            address = f"http://{DEFAULT_HOST}:{port}/"
            print(text("command.start.is_running", address=address), flush=True)
            browse(address)
            return 0
        if listener is Listener.NOBODY:
            return start(["serve", "--port", str(port)])
    raise DreyerError("command.start.no_port", first=min(ports), last=max(ports))
