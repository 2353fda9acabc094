"""The data folder of a server, its lock, and the table that the server starts with."""

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
from web.journal.events import BattleBegun
from web.journal.store import Store, StoreFault
from web.library import CurrentLibrary
from web.owner.cards.files import readable_library_in
from web.scenes import demo_scene, opening, scene_file
from web.session import Session

THE_SERVER: Final = Caller("server", host=True)
"""The author of the first table."""
_LOCK: Final = "serve.lock"


class CannotUseFolder(DreyerError):
    """The data folder cannot be used."""


class DataFolder:
    """A folder for battles and settings, locked by this server."""

    def __init__(self, path: Path) -> None:
        """Create the folder if it is missing, and lock it."""
        self.path = path
        _make(path)
        self._lock = _hold(path)

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.release()


def table_in_memory(source: Callable[[], Scene]) -> Session:
    """A table that is not stored."""
    return _laid(Session(Store(None)), source())


def battles_in(
    folder: DataFolder,
    *,
    demo: bool,
    scene: Callable[[], Scene] | None,
    say: Callable[[Message], None] = lambda _: None,
) -> Battles:
    """The battles of this folder, and the last open one.

    The demo, the free table and every scene file are separate starts: each continues with its own
    last battle, and the free table with one of the demo that was played later. A journal that
    cannot be opened is reported and kept, and a new table is begun.
    """
    # Before any table is opened, because its ships may be on players' cards.
    library = CurrentLibrary(readable_library_in(folder.path, say))
    laid = scene() if scene is not None else demo_scene()
    start = f"scene-{_digest(laid)[:12]}" if scene is not None else "demo" if demo else "table"
    files = BattleFiles(folder.path / "battles")
    files.clear_leftovers()
    seat_store = open_seat_file(folder.path, files, say)
    left = f"left-{start}"
    last = seat_store.settings().get(left, start)
    wanted = last if last in files.ids() else start
    of_demo = seat_store.settings().get("left-demo", "demo")
    if start == "table" and _was_played_last(files, of_demo, wanted):
        wanted = of_demo
    for id_ in dict.fromkeys((wanted, start, f"{start}-again", new_id(laid.title))):
        try:
            session = _session(files, id_, seat_store, library)
        except StoreFault as error:
            say(Message("host.terminal.battle_unreadable", fault=error.message))
            continue
        return Battles(_laid(session, laid), files, lambda id_: seat_store.save_setting(left, id_))
    seat_store.close()
    raise CannotUseFolder("host.data.no_battle", path=str(folder.path))


def _was_played_last(files: BattleFiles, id_: str, other: str) -> bool:
    """Whether a battle was begun in a journal, and it was written later than another."""
    if files.last_used(id_) <= files.last_used(other):
        return False
    return any(isinstance(entry.event, BattleBegun) for entry in files.readable_entries(id_))


def _session(files: BattleFiles, id_: str, seat_store: Store, library: CurrentLibrary) -> Session:
    store = files.open(id_) if id_ in files.ids() else files.create(id_)
    try:
        return Session(store, seat_store=seat_store, library=library)
    except StoreFault:
        store.close()
        raise


class EditedScene:
    """A scene file that is reloaded when it was edited."""

    def __init__(self, session: Session, path: Path) -> None:
        self._session, self._path = session, path
        self._read = scene_file(path)
        self._journal = session.journal
        self._stamp = self._stamp_now()
        self._laid = opening(self._read())

    def reload(self) -> Message | None:
        """The message after an edit: that it was reloaded, or what is wrong with it."""
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
            # An editor may remove the file for a moment while saving.
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
    """Lock the folder; the system unlocks it whenever this program ends."""
    # Any thread may unlock it.
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
