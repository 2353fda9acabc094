"""The journal of a table in one SQLite file: events, seats, and who holds which seat.

Events are only ever appended; a row is on the disk before anybody is told that it happened
(write-ahead log, synchronous=FULL). Seats, sessions and the table's code are kept beside the
journal, not in it: they are keys to the table, not part of the battle, and no export has them.
"""

import errno
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PureWindowsPath
from typing import Final

from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from web.journal.event_documents import EventReader, write_event
from web.journal.events import FORMAT, NEWER, Entry, JournalKind
from web.journal.fields import DoesNotPlay

DAMAGED: Final = Message("journal.damaged")
_EMPTY: Final = Message("journal.empty")
_CHECKPOINT_PAGES: Final = 40
"""So many pages go to the log beside the file before they are written into the file itself."""
_VERSION: Final = 2
_SCHEMA: Final = """
CREATE TABLE journal (
    n INTEGER PRIMARY KEY, seconds REAL NOT NULL, seat TEXT, who TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, caller TEXT, action TEXT
);
CREATE UNIQUE INDEX journal_action ON journal (caller, action) WHERE action IS NOT NULL;
CREATE TABLE seats (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, side TEXT,
    pin TEXT NOT NULL, free INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE sessions (token TEXT PRIMARY KEY, seat TEXT, host INTEGER NOT NULL DEFAULT 0);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class Task(StrEnum):
    """What was to be done with a file."""

    OPEN = "open"
    READ = "read"
    WRITE = "write"
    MAKE = "make"
    REMOVE = "remove"
    SET_ASIDE = "set_aside"


class StoreFault(DreyerError):
    """The journal cannot be read or written; nothing that was safe is lost."""

    def __init__(self, reason: Message, *, file: str = "", task: Task | None = None) -> None:
        self.reason = reason
        """Why, without the name of the file."""
        self.file = file
        self.task = task
        if not file:
            super().__init__(reason.code, **dict(reason.params))
        elif task is None:
            super().__init__("journal.fault", file=file, reason=reason)
        else:
            doing = Message(f"journal.task.{task}")
            super().__init__("journal.not_done", file=file, task=doing, reason=reason)

    @property
    def without_folder(self) -> "StoreFault":
        """The same fault, without the folder in which the host keeps the file."""
        return StoreFault(self.reason, file=PureWindowsPath(self.file).name, task=self.task)


class DamagedStore(StoreFault):
    """The journal's file is no journal, or not a whole one."""

    def __init__(self, file: str, task: Task = Task.READ, reason: Message = DAMAGED) -> None:
        super().__init__(reason, file=file, task=task)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat as it is kept: its PIN only as a hash."""

    id: str
    name: str
    role: str
    side: str | None
    pin: str
    free: bool = False
    """Released: nobody holds it and its PIN opens nothing."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A browser that came before, known by the hash of its cookie."""

    token: str
    seat: str | None
    host: bool


class Store:
    """One table's file. Not thread-safe by itself: the session's lock guards it."""

    def __init__(self, path: Path | None) -> None:
        """Open or make the file; None keeps everything in memory, for tests."""
        self.name = str(path) if path else "memory"
        self._path = path
        with self._store_faults(Task.OPEN):
            if path is not None and not path.exists():
                _make(path)
            self._base = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None, timeout=2
            )
            try:
                self._begin(kept=path is not None)
            except BaseException:
                self._base.close()
                raise

    def _begin(self, *, kept: bool) -> None:
        if kept and not self._version():
            # A file that was emptied, or lost its log, must not become a new battle.
            raise DamagedStore(self.name, Task.OPEN, _EMPTY)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        # The file alone is soon nearly all of it, should the log beside it be lost.
        self._base.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
        self._migrate()

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    def entries(self) -> tuple[Entry, ...]:
        """The whole journal, oldest first."""
        with self._store_faults(Task.READ):
            rows = self._base.execute(
                "SELECT n, seconds, seat, who, kind, data, format FROM journal ORDER BY n"
            ).fetchall()
        reader, found = EventReader(), []
        try:
            for n, seconds, seat, who, kind, data, format_ in rows:
                event = reader.read(_kind(kind), json.loads(data))
                found.append(Entry(n, seconds, seat, who, event, _known(format_)))
        except StoreFault:
            raise
        except DoesNotPlay as error:
            raise StoreFault(error.message, file=self.name, task=Task.OPEN) from error
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise DamagedStore(self.name) from None
        return tuple(found)

    def last_number(self) -> int:
        """The number of the newest entry; 0 of an empty journal."""
        with self._store_faults(Task.READ):
            (last,) = self._base.execute("SELECT coalesce(max(n), 0) FROM journal").fetchone()
        return int(last)

    def check(self) -> None:
        """Refuse a file whose pages do not fit together."""
        with self._store_faults(Task.READ):
            (found,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise DamagedStore(self.name)

    def append(
        self, entries: Sequence[Entry], *, caller: str = "", action: str | None = None
    ) -> None:
        """Add entries, all or none; they are on the disk when this returns."""
        with self._store_faults(Task.WRITE), self._all_or_none():
            for place, entry in enumerate(entries):
                data = json.dumps(write_event(entry.event), allow_nan=False, separators=(",", ":"))
                # One action may be several entries; its key stands on the first of them.
                key = action if place == 0 else None
                self._base.execute(
                    "INSERT INTO journal"
                    " (n, seconds, seat, who, kind, data, caller, action, format)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        entry.n,
                        entry.seconds,
                        entry.seat,
                        entry.who,
                        entry.event.kind,
                        data,
                        caller,
                        key,
                        entry.format,
                    ),
                )

    def has_action(self, caller: str, action: str) -> bool:
        """Whether this caller's action is in the journal already."""
        with self._store_faults(Task.READ):
            found = self._base.execute(
                "SELECT 1 FROM journal WHERE caller = ? AND action = ?", (caller, action)
            ).fetchone()
        return found is not None

    def seats(self) -> tuple[SeatRow, ...]:
        """Every seat that was ever taken and not given up for good."""
        with self._store_faults(Task.READ):
            rows = self._base.execute(
                "SELECT id, name, role, side, pin, free FROM seats ORDER BY rowid"
            ).fetchall()
        return tuple(
            SeatRow(id_, name, role, side, pin, bool(free))
            for id_, name, role, side, pin, free in rows
        )

    def save_seat(self, seat: SeatRow) -> None:
        """Write a seat, new or changed."""
        with self._store_faults(Task.WRITE), self._all_or_none():
            self._base.execute(
                "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
                (seat.id, seat.name, seat.role, seat.side, seat.pin, int(seat.free)),
            )

    def sessions(self) -> tuple[SessionRow, ...]:
        """Every browser that is known."""
        with self._store_faults(Task.READ):
            rows = self._base.execute("SELECT token, seat, host FROM sessions").fetchall()
        return tuple(SessionRow(token, seat, bool(host)) for token, seat, host in rows)

    def save_session(self, session: SessionRow) -> None:
        """Write a browser's session, new or changed."""
        with self._store_faults(Task.WRITE), self._all_or_none():
            self._base.execute(
                "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)",
                (session.token, session.seat, int(session.host)),
            )

    def settings(self) -> Mapping[str, str]:
        """The small things kept by name."""
        with self._store_faults(Task.READ):
            return dict(self._base.execute("SELECT name, value FROM settings").fetchall())

    def save_setting(self, name: str, value: str) -> None:
        """Write one of them."""
        with self._store_faults(Task.WRITE), self._all_or_none():
            self._base.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def _version(self) -> int:
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        return int(version)

    def _migrate(self) -> None:
        version = self._version()
        if version > _VERSION:
            raise StoreFault(NEWER, file=self.name)
        if 0 < version < _VERSION:
            self._back_up(version)
        for number in range(version, _VERSION):
            with self._all_or_none():
                _MIGRATIONS[number](self._base)
                self._base.execute(f"PRAGMA user_version = {number + 1}")

    def _back_up(self, version: int) -> None:
        """A copy of the file as it is, beside it, before its format changes."""
        if self._path is None:
            return
        backup = self._path.with_name(f"{self._path.name}.format-{version}")
        if not backup.exists():
            # A plain copy would lose what is still in the log beside the file. Half a copy, which a
            # power cut may leave, must not pass for a whole one.
            half = backup.with_name(f"{backup.name}.new")
            half.unlink(missing_ok=True)
            self._base.execute("VACUUM INTO ?", (str(half),))
            half.replace(backup)

    @contextmanager
    def _all_or_none(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # A full disk has SQLite roll back by itself.
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    @contextmanager
    def _store_faults(self, task: Task) -> Iterator[None]:
        """Every fault of the file in words, with its remedy."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if _code(error) in _DAMAGED:
                raise DamagedStore(self.name, task) from error
            raise StoreFault(_reason(error), file=self.name, task=task) from error


def _make(path: Path) -> None:
    """A new file, there as a whole or not at all: a power cut leaves none without a journal."""
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new, isolation_level=None)) as base:
            base.execute("PRAGMA synchronous=FULL")
            base.execute("BEGIN")
            for migrate in _MIGRATIONS:
                migrate(base)
            base.execute(f"PRAGMA user_version = {_VERSION}")
            base.execute("COMMIT")
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def _first_schema(base: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            base.execute(statement)


def _entry_formats(base: sqlite3.Connection) -> None:
    """Every entry says in which format its data is written; those before were format 1."""
    base.execute("ALTER TABLE journal ADD COLUMN format INTEGER NOT NULL DEFAULT 1")


_MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    _first_schema,
    _entry_formats,
)


def _kind(kind: str) -> JournalKind:
    try:
        return JournalKind(kind)
    except ValueError:
        raise StoreFault(NEWER) from None


def _known(format_: int) -> int:
    """A format of an entry that this version can read."""
    if format_ > FORMAT:
        raise StoreFault(NEWER)
    return format_


_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REASONS: Final[Mapping[int | None, str]] = {
    sqlite3.SQLITE_FULL: "journal.disk_full",
    sqlite3.SQLITE_READONLY: "journal.read_only",
    sqlite3.SQLITE_BUSY: "journal.in_use",
    sqlite3.SQLITE_LOCKED: "journal.in_use",
    sqlite3.SQLITE_IOERR: "journal.disk_fault",
    sqlite3.SQLITE_CANTOPEN: "journal.cannot_open",
}
"""Codes of messages, by SQLite's codes."""
_OF_THE_SYSTEM: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR,
}
"""SQLite's codes for the system's own."""


def _code(error: sqlite3.Error | OSError) -> int | None:
    """SQLite's primary code for what went wrong; None where it has none."""
    if isinstance(error, OSError):
        return _OF_THE_SYSTEM.get(error.errno or 0)
    extended = getattr(error, "sqlite_errorcode", None)
    return None if extended is None else int(extended) & 0xFF


def _reason(error: sqlite3.Error | OSError) -> Message:
    """What went wrong, with its remedy; what has no words of ours is told as the system does."""
    code = _code(error)
    return Message(_REASONS[code]) if code in _REASONS else verbatim(str(error))
