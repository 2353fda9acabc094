"""The files of the stored battles: one journal each, in a separate folder."""

import re
import secrets
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from web.journal.events import Entry
from web.journal.store import Store, StoreFault, Task, restore_first_page

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_ENDING: Final = ".db"
_BESIDE: Final = ("", "-wal", "-shm")
"""Suffixes of files that SQLite may keep beside a journal."""
ASIDE: Final = "set-aside"


class BattleFiles:
    """The battles of a folder by id; without a folder they exist only in memory."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._memory: dict[str, Store] = {}

    def ids(self) -> tuple[str, ...]:
        """The ids of all battles, newest file first."""
        if self.folder is None:
            return tuple(reversed(self._memory))
        try:
            found = [
                (path.stat().st_mtime, path.stem)
                for path in self.folder.iterdir()
                if path.suffix == _ENDING and _ID.fullmatch(path.stem)
            ]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _cannot(self.folder, Task.READ, error) from None
        return tuple(id_ for _, id_ in sorted(found, reverse=True))

    def open(self, id_: str) -> Store:
        """Open the journal of an existing battle."""
        if id_ not in self.ids():
            raise UnknownName(Message("errors.where.battles"), "battle", id_, self.ids())
        if self.folder is None:
            return self._memory[id_]
        store = Store(self.path(id_))
        try:
            store.check()
        except StoreFault:
            store.close()
            raise
        return store

    def clear_leftovers(self) -> None:
        """Delete files that were being written when the server was stopped by force."""
        for folder in (self.folder, self.folder and self.folder.parent):
            if folder is not None and folder.is_dir():
                for path in (*folder.glob(f"*{_ENDING}.new"), *folder.glob(f"*{_ENDING}.*.new")):
                    with suppress(OSError):
                        path.unlink()

    def readable_entries(self, id_: str) -> tuple[Entry, ...]:
        """The readable part of a damaged battle; its file stays unchanged."""
        path = self._there(id_)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            try:
                for beside in _BESIDE[:2]:
                    there = path.with_name(path.name + beside)
                    if there.exists():
                        shutil.copyfile(there, copy.with_name(copy.name + beside))
            except OSError as error:
                raise _cannot(path, Task.READ, error) from None
            found = _entries_of(copy)
            if not found:
                # Its first page tells how to read all others; that of a new file says the same.
                restore_first_page(copy)
                found = _entries_of(copy)
            return found

    def create(self, id_: str) -> Store:
        """Create an empty journal, or open an existing one."""
        if self.folder is None:
            return self._memory.setdefault(id_, Store(None))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _cannot(self.folder, Task.MAKE, error) from None
        return Store(self.path(id_))

    def release(self, id_: str, store: Store) -> None:
        """Close the file of a battle that is no longer open."""
        if self.folder is None:
            self._memory[id_] = store
        else:
            store.close()

    def remove(self, id_: str) -> None:
        """Delete a battle for good."""
        if self.folder is None:
            self._memory.pop(id_).close()
            return
        path = self._there(id_)
        try:
            # The journal itself is deleted last, so that a half-deleted battle can still be opened.
            for beside in reversed(_BESIDE):
                path.with_name(path.name + beside).unlink(missing_ok=True)
        except OSError as error:
            raise _cannot(path, Task.REMOVE, error) from None

    def set_aside(self, id_: str) -> Path:
        """Move a battle's file away unchanged; returns its new path."""
        if self.folder is None:
            raise DreyerError("battles.fault.in_memory")
        path = self._there(id_)
        aside = self.folder / ASIDE
        stamp = time.strftime("%Y%m%d-%H%M%S")
        name = f"{id_}-{stamp}-{secrets.token_hex(2)}{_ENDING}"
        try:
            aside.mkdir(exist_ok=True)
            move_journal(path, aside / name)
        except OSError as error:
            raise _cannot(path, Task.SET_ASIDE, error) from None
        return aside / name

    def last_used(self, id_: str) -> float:
        """When a journal was last written, in seconds; 0 where there is none."""
        if id_ not in self.ids():
            return 0
        path = self.path(id_)
        parts = (path, path.with_name(f"{path.name}-wal"))
        return max(part.stat().st_mtime for part in parts if part.exists())

    def path(self, id_: str) -> Path:
        """The path of a battle's journal."""
        if self.folder is None or not _ID.fullmatch(id_):
            raise UnknownName(Message("errors.where.battles"), "battle", id_, self.ids())
        return self.folder / f"{id_}{_ENDING}"

    def _there(self, id_: str) -> Path:
        if id_ not in self.ids():
            raise UnknownName(Message("errors.where.battles"), "battle", id_, self.ids())
        return self.path(id_)


def _entries_of(path: Path) -> tuple[Entry, ...]:
    try:
        store = Store(path)
    except StoreFault:
        return ()
    try:
        return store.readable_entries()
    finally:
        store.close()


def new_id(title: str) -> str:
    """A new id that people can recognise."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.casefold().encode("ascii", "ignore").decode())
    return f"{time.strftime('%Y%m%d')}-{plain.strip('-')[:30] or 'battle'}-{secrets.token_hex(3)}"


def move_journal(path: Path, target: Path) -> None:
    """Move a journal together with SQLite's files beside it."""
    for beside in reversed(_BESIDE):
        there = path.with_name(path.name + beside)
        if there.exists():
            there.replace(target.with_name(target.name + beside))


def _cannot(path: Path, task: Task, error: OSError) -> StoreFault:
    reason = Message("journal.not_done_by_system", reason=error.strerror or str(error))
    return StoreFault(reason, file=str(path), task=task)
