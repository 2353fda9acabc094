"""The objects of one running server: the session, sharing, the camera and the data folder."""

import random
import time
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Flask, current_app

from web.archive.battles import Battles
from web.auth.attempts import Attempts
from web.camera.camera_thread import CameraThread
from web.camera.film import Film, FilmCamera
from web.camera.table_access import SessionTable
from web.camera.table_cameras import TableCameras
from web.captains import TableCaptains
from web.fairness import Fairness
from web.http.answer_cache import ResponseCache
from web.live import Streams
from web.owner.cards.store import OwnerCards
from web.owner.tables.store import OwnerTables
from web.server.sharing import Sharing
from web.views.table import JoinLink, Picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from web.session import Session

_EXTENSION = "dreyer"


def _null_listener(address: str, port: int) -> "_NullListener":  # noqa: ARG001
    return _NullListener()


class _NullListener:
    """A listener that does nothing, for an application without a server."""

    def close(self) -> None:
        """Nothing to close."""


@dataclass(slots=True)
class ServerContext:
    """The objects that requests share. Each is safe to use from any thread."""

    session: "Session"
    clock: "Callable[[], float]" = time.monotonic
    sharing: Sharing = field(default_factory=lambda: Sharing(_null_listener, 0))
    streams: Streams = field(default_factory=Streams)
    answers: ResponseCache = field(default_factory=ResponseCache)
    attempts: Attempts = field(init=False)
    fairness: Fairness = field(init=False)
    """The battles between captains that say whether a scenario is fair."""
    captains: TableCaptains = field(init=False)
    """The sides that the program plays."""
    data_folder: "Path | None" = None
    """The folder of owner's values and battles; None stores nothing."""
    owner: OwnerTables = field(init=False)
    """The owner's values, which replace values of the tables."""
    cards: OwnerCards = field(init=False)
    """The ship cards that players entered."""
    watched: InitVar[TableCameras | None] = None
    cameras: TableCameras = field(init=False)
    """The given cameras, or ones that store nothing."""
    chance: random.Random = field(default_factory=random.SystemRandom)
    """The random source of dice; rolls are stored in the journal, so that replaying never rolls."""
    kept: Battles | None = None
    """The battles of the data folder; without one, those begun since the start."""
    battles: Battles = field(init=False)
    film: Film = field(init=False)
    """The photos of battles."""

    def __post_init__(self, watched: TableCameras | None) -> None:
        self.cameras = watched or TableCameras(
            None, SessionTable(self.session), self.session.update_camera
        )
        self.battles = self.kept or Battles(self.session)
        self.film = Film(self.data_folder / "film" if self.data_folder else None)
        self.battles.after_removal = self.film.remove
        self.camera_thread.after_look = FilmCamera(
            self.session, self.camera_thread.memory, self.film, lambda: self.battles.open_id
        ).look
        self.attempts = Attempts(self.clock)
        self.captains = TableCaptains(self.session, lambda: self.chance)
        self.battles.sides_of_program = self.captains.sides
        self.captains.resume()
        self.fairness = Fairness()
        self.owner = OwnerTables(self.data_folder)
        self.cards = OwnerCards(self.data_folder, self.session.library)

    @property
    def camera_thread(self) -> CameraThread:
        """The first camera."""
        return self.cameras.first

    @property
    def second_camera(self) -> CameraThread:
        """The second camera, which most tables have not."""
        return self.cameras.second

    def owner_values(self, ruleset: str) -> str:
        """The content of the current file of owner's values for a rulebook; empty without one."""
        return self.owner.written(ruleset)

    @property
    def join_link(self) -> JoinLink:
        """How phones come to this table, as the host's page shows it.

        The link follows the machine's address.
        """
        shared, code = self.sharing.now, self.session.seats.code
        return JoinLink(
            shared=shared.reachable,
            address=shared.url,
            link=f"{shared.url}/join?code={quote(code)}",
            networks=shared.networks,
        )

    @property
    def picture(self) -> Picture:
        """The camera's newest picture."""
        seen = self.camera_thread.latest
        if seen is None or seen.frame is None:
            return Picture()
        return Picture(seen.looks, self.camera_thread.picture_age_seconds)


def attach(app: Flask, server_context: ServerContext) -> None:
    """Attach the context to an application."""
    app.extensions[_EXTENSION] = server_context


def server_context() -> ServerContext:
    """The context of the current request's application."""
    found = current_app.extensions[_EXTENSION]
    assert isinstance(found, ServerContext)  # noqa: S101  # Put there by create_app, always.
    return found
