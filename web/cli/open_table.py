"""`dreyer` without a command: the table is started if it does not run yet, and its page opened."""

import errno
import json
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from enum import Enum, auto
from http.client import HTTPConnection, HTTPException
from typing import Final

from tabletop.errors import DreyerError
from web.cli.serve import DEFAULT_HOST, DEFAULT_PORT, open_browser
from web.strings import text

PORTS: Final = range(DEFAULT_PORT, DEFAULT_PORT + 10)
"""The ports that are tried in turn."""
_SECONDS: Final = 2.0


class Listener(Enum):
    """Who listens at a port of this machine."""

    NOBODY = auto()
    THIS_PROGRAM = auto()
    ANOTHER_PROGRAM = auto()


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


def listener_at(port: int) -> Listener:
    """Who listens at this port: a table is known by the title of its API."""
    try:
        with closing(HTTPConnection(DEFAULT_HOST, port, timeout=_SECONDS)) as connection:
            connection.request("GET", "/openapi.json")
            document = json.loads(connection.getresponse().read())
    except ConnectionRefusedError:
        return Listener.NOBODY if _is_free(port) else Listener.ANOTHER_PROGRAM
    except (OSError, HTTPException, ValueError):
        return Listener.ANOTHER_PROGRAM
    info = document.get("info") if isinstance(document, dict) else None
    title = info.get("title") if isinstance(info, dict) else None
    return Listener.THIS_PROGRAM if title == "Dreyer Table" else Listener.ANOTHER_PROGRAM


def _is_free(port: int) -> bool:
    """Whether a server could listen there; on some systems a range of ports is reserved."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        if sys.platform != "win32":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((DEFAULT_HOST, port))
        except OSError as error:
            return error.errno not in (errno.EADDRINUSE, errno.EACCES)
    return True
