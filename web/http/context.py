"""Everything that one running server has: the table, its link to the phones, its camera."""

import random
import time
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Flask, current_app

from web.archive.battles import Battles
from web.auth.attempts import Attempts
from web.camera.camera_thread import CameraThread
from web.camera.table_access import SessionTable
from web.http.answer_cache import ResponseCache
from web.live import Streams
from web.owner.cards.store import OwnerCards
from web.owner.tables.store import OwnerTables
from web.server.sharing import Sharing
from web.views.table import JoinLink, Picture

if TYPE_CHECKING:
    from web.session import Session

_PLACE = "dreyer"


def _closed(address: str, port: int) -> "_Nothing":  # noqa: ARG001
    return _Nothing()


class _Nothing:
    """Listens to nobody: an application without a server around it."""

    def close(self) -> None:
        """Nothing to close."""


@dataclass(slots=True)
class ServerContext:
    """What requests share. Each part is safe to use from any thread."""

    session: "Session"
    clock: Callable[[], float] = time.monotonic
    sharing: Sharing = field(default_factory=lambda: Sharing(_closed, 0))
    streams: Streams = field(default_factory=Streams)
    answers: ResponseCache = field(default_factory=ResponseCache)
    attempts: Attempts = field(init=False)
    data_folder: Path | None = None
    """Where the owner's values and the battles are; None keeps nothing."""
    owner: OwnerTables = field(init=False)
    """The values that take the place of the book's."""
    cards: OwnerCards = field(init=False)
    """The ship cards that the players have entered."""
    camera: InitVar[CameraThread | None] = None
    camera_thread: CameraThread = field(init=False)
    """The camera that was given, or one that stores nothing."""
    chance: random.Random = field(default_factory=random.SystemRandom)
    """The app's dice; the values go into the journal, so that replaying never rolls."""
    kept: Battles | None = None
    """The battles of the data folder; without one, those that are begun from now on."""
    battles: Battles = field(init=False)

    def __post_init__(self, camera: CameraThread | None) -> None:
        self.camera_thread = camera or CameraThread(
            None, SessionTable(self.session), self.session.update_camera
        )
        self.battles = self.kept or Battles(self.session)
        self.attempts = Attempts(self.clock)
        self.owner = OwnerTables(self.data_folder)
        self.cards = OwnerCards(self.data_folder, self.session.library)

    def owner_values(self, ruleset: str) -> str:
        """The owner's table values of a rulebook as they are now, as their file; empty without."""
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
    """Give an application what it runs."""
    app.extensions[_PLACE] = server_context


def server_context() -> ServerContext:
    """What the application of this request runs."""
    found = current_app.extensions[_PLACE]
    assert isinstance(found, ServerContext)  # noqa: S101  # Put there by create_app, always.
    return found
