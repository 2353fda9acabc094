"""What the server starts with: its data folder, held by one server alone, and the table in it."""

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from combat.scene_file import Scene
from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from web.archive.battles import Battles
from web.archive.files import BattleFiles, new_id
from web.archive.seat_file import open_seat_file
from web.auth.seats import Caller
from web.journal.store import Store, StoreFault
from web.library import CurrentLibrary
from web.owner.cards.files import readable_library_in
from web.scenes import demo_scene, opening, scene_file
from web.session import Session

THE_SERVER: Final = Caller("server", host=True)
"""Who lays the first table."""
_LOCK: Final = "serve.lock"


class CannotUseFolder(DreyerError):
    """The data folder cannot be used; the text names the remedy."""


class DataFolder:
    """A folder for battles and settings, held by this server until it is let go."""

    def __init__(self, path: Path) -> None:
        """Make the folder if it is missing, and take hold of it."""
        self.path = path
        _make(path)
        self._lock = _hold(path)

    def close(self) -> None:
        """Let another server use it."""
        self._lock.release()


def table_in_memory(source: Callable[[], Scene]) -> Session:
    """A table that is gone with the program."""
    return _laid(Session(Store(None)), source())


def battles_in(
    folder: DataFolder,
    *,
    demo: bool,
    scene: Callable[[], Scene] | None,
    say: Callable[[Message], None] = lambda _: None,
) -> Battles:
    """The battles of this folder, and the one that was left on the table.

    The demo, the table of one's own and every scene file are starts of their own: looking at one
    never disturbs another, and each goes on with the battle that was last on its table. A journal
    that cannot be opened is told and stays where it is; the table begins anew beside it.
    """
    # Before any table is laid: a ship on it may be one whose card the players have written.
    library = CurrentLibrary(readable_library_in(folder.path, say))
    laid = scene() if scene is not None else demo_scene()
    start = f"scene-{_digest(laid)[:12]}" if scene is not None else "demo" if demo else "table"
    files = BattleFiles(folder.path / "battles")
    seat_store = open_seat_file(folder.path, files, say)
    left = f"left-{start}"
    last = seat_store.settings().get(left, start)
    wanted = last if last in files.ids() else start
    for id_ in dict.fromkeys((wanted, start, f"{start}-again", new_id(laid.title))):
        try:
            session = _session(files, id_, seat_store, library)
        except StoreFault as error:
            say(Message("host.terminal.battle_unreadable", fault=error.message))
            continue
        return Battles(_laid(session, laid), files, lambda id_: seat_store.save_setting(left, id_))
    seat_store.close()
    raise CannotUseFolder("host.data.no_battle", path=str(folder.path))


def _session(files: BattleFiles, id_: str, seat_store: Store, library: CurrentLibrary) -> Session:
    store = files.open(id_) if id_ in files.ids() else files.create(id_)
    try:
        return Session(store, seat_store=seat_store, library=library)
    except StoreFault:
        store.close()
        raise


class EditedScene:
    """A scene file that is laid anew whenever it has been edited."""

    def __init__(self, session: Session, path: Path) -> None:
        self._session, self._path = session, path
        self._read = scene_file(path)
        self._journal = session.journal
        self._stamp = self._stamp_now()
        self._laid = opening(self._read())

    def reload(self) -> Message | None:
        """What to say when it has been edited: that it was laid, or what is wrong with it."""
        stamp = self._stamp_now()
        if stamp in (None, self._stamp) or self._session.journal != self._journal:
            return None
        self._stamp = stamp
        try:
            action = opening(self._read())
        except DreyerError as error:
            return error.message
        if action == self._laid:
            return None
        self._laid = action
        self._session.act(THE_SERVER, action)
        return Message("host.terminal.scene_laid", file=str(self._path))

    def _stamp_now(self) -> int | None:
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            # An editor may take the file away for a moment while it saves.
            return None


def _laid(session: Session, scene: Scene) -> Session:
    if not session.moment.state.is_open:
        session.act(THE_SERVER, opening(scene))
    return session


def _digest(scene: Scene) -> str:
    return hashlib.sha256(repr(opening(scene)).encode()).hexdigest()


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if isinstance(error, FileExistsError):
            raise CannotUseFolder("host.data.is_a_file", path=str(path)) from None
        reason = error.strerror or str(error)
        raise CannotUseFolder("host.data.not_a_folder", path=str(path), reason=reason) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise CannotUseFolder("host.data.not_writable", path=str(path))


def _hold(path: Path) -> FileLock:
    """Take hold of the folder; the system lets go of it however this program ends."""
    # Whichever thread ends the server lets go of it.
    lock = FileLock(path / _LOCK, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise CannotUseFolder(
            "host.data.in_use",
            path=str(path),
        ) from None
    except OSError as error:
        raise CannotUseFolder(
            "host.data.not_writable_why",
            path=str(path),
            why=_why(error),
        ) from None
    return lock


def _why(error: OSError) -> Message:
    if error.errno == errno.ENOSPC:
        return Message("host.data.disk_full")
    if error.errno == errno.EROFS:
        return Message("host.data.read_only")
    return verbatim(error.strerror or str(error))
