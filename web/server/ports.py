"""Who listens at a port of this machine."""

import errno
import socket
import sys
from contextlib import closing
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from typing import Final

from web.server.network import LOOPBACK

SERVER_NAME: Final = "DreyerTable"
"""The header `Server` of every response, by which a table is known."""
_SECONDS: Final = 5.0


class Listener(StrEnum):
    """Who listens at a port."""

    NOBODY = "nobody"
    THIS_PROGRAM = "this_program"
    ANOTHER_PROGRAM = "another_program"


def listener_at(port: int) -> Listener:
    """Who listens at this port; a port that nobody may use counts as another program's."""
    try:
        with closing(HTTPConnection(LOOPBACK, port, timeout=_SECONDS)) as connection:
            connection.request("GET", "/healthz")
            name = connection.getresponse().getheader("Server")
    except (TimeoutError, HTTPException):
        return Listener.ANOTHER_PROGRAM
    except OSError:
        # Refused; or the machine has no network at all, not even to itself.
        return Listener.NOBODY if _is_free(port) else Listener.ANOTHER_PROGRAM
    return Listener.THIS_PROGRAM if name == SERVER_NAME else Listener.ANOTHER_PROGRAM


def _is_free(port: int) -> bool:
    """Whether a server could listen there; on some systems a range of ports is reserved."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        if sys.platform != "win32":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((LOOPBACK, port))
        except OSError as error:
            return error.errno not in (errno.EADDRINUSE, errno.EACCES)
    return True
