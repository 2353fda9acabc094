"""The camera of a running server: opened, found, and its newest picture."""

from pathlib import Path
from threading import Lock
from typing import Final

from web.camera.camera_thread import Eyes
from web.camera.table_access import SessionTable
from web.http.context import Running
from web.session import Session
from web.views.table import Picture

_MAKING: Final = Lock()


def open_eyes(session: Session, folder: Path | None) -> Eyes:
    """Eyes for this table that keep their settings in this folder; they do not look yet."""
    return Eyes(folder, SessionTable(session), session.see)


def eyes_of(running: Running) -> Eyes:
    """The server's camera; where none was given, one that stores nothing."""
    with _MAKING:
        if running.eyes is None:
            running.eyes = open_eyes(running.session, None)
    found: Eyes = running.eyes
    return found


def newest_picture(running: Running) -> Picture:
    """The camera's newest picture."""
    eyes: Eyes | None = running.eyes
    seen = None if eyes is None else eyes.latest
    if eyes is None or seen is None or seen.frame is None:
        return Picture()
    return Picture(seen.looks, eyes.picture_age_seconds)
