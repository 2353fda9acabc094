"""Who listens at a port of this machine."""

import errno
import json
import socket
import sys
from contextlib import closing
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from typing import Final

from web.server.network import LOOPBACK

TITLE: Final = "Dreyer Table"
"""The title of the API, by which a table is known."""
_SECONDS: Final = 2.0


class Listener(StrEnum):
    """Who listens at a port."""

    NOBODY = "nobody"
    THIS_PROGRAM = "this_program"
    ANOTHER_PROGRAM = "another_program"


def listener_at(port: int) -> Listener:
    """Who listens at this port; a port that nobody may use counts as another program's."""
    try:
        with closing(HTTPConnection(LOOPBACK, port, timeout=_SECONDS)) as connection:
            connection.request("GET", "/openapi.json")
            document = json.loads(connection.getresponse().read())
    except ConnectionRefusedError:
        return Listener.NOBODY if _is_free(port) else Listener.ANOTHER_PROGRAM
    except (OSError, HTTPException, ValueError):
        return Listener.ANOTHER_PROGRAM
    info = document.get("info") if isinstance(document, dict) else None
    title = info.get("title") if isinstance(info, dict) else None
    return Listener.THIS_PROGRAM if title == TITLE else Listener.ANOTHER_PROGRAM


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
