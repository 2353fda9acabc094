"""The file of a table: its journal, seats and sessions in SQLite.

Events are only appended, and are on the disk before anybody is notified (write-ahead log,
synchronous=FULL). Seats, sessions and the table's code are separate from the journal, because they
are credentials and never exported.
"""

import errno
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PureWindowsPath
from typing import Any, Final

from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from web.journal.event_documents import EventReader, write_event
from web.journal.events import FORMAT, NEWER, Entry, JournalKind
from web.journal.fields import DoesNotPlay

DAMAGED: Final = Message("journal.damaged")
_EMPTY: Final = Message("journal.empty")
_CHECKPOINT_PAGES: Final = 40
"""The log file is written into the main file after this many pages."""
_PAGE_BYTES: Final = 4096
_PAGE_COUNT: Final = slice(28, 32)
"""Where the first page of an SQLite file has the number of its pages."""
_VERSION: Final = 3
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
_INSERT: Final = (
    "INSERT INTO journal (n, seconds, seat, who, kind, data, caller, action, format, checksum)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SELECT_ALL: Final = (
    "SELECT n, seconds, seat, who, kind, data, caller, action, format, checksum"
    " FROM journal ORDER BY n"
)
_SELECT_ONE: Final = (
    "SELECT n, seconds, seat, who, kind, data, caller, action, format, checksum"
    " FROM journal WHERE n = ?"
)


class Task(StrEnum):
    """The task during which an error occurred."""

    OPEN = "open"
    READ = "read"
    WRITE = "write"
    MAKE = "make"
    REMOVE = "remove"
    SET_ASIDE = "set_aside"


class StoreFault(DreyerError):
    """The journal cannot be read or written; committed data is not lost."""

    def __init__(self, reason: Message, *, file: str = "", task: Task | None = None) -> None:
        self.reason = reason
        """The reason, without the file's name."""
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
        """The error without the path of the host's folder."""
        return StoreFault(self.reason, file=PureWindowsPath(self.file).name, task=self.task)


class DamagedStore(StoreFault):
    """The file is not a journal, or incomplete."""

    def __init__(self, file: str, task: Task = Task.READ, reason: Message = DAMAGED) -> None:
        super().__init__(reason, file=file, task=task)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A stored seat, with the hash of its PIN."""

    id: str
    name: str
    role: str
    side: str | None
    pin: str
    free: bool = False
    """Whether it was removed: nobody holds it and its PIN is not valid."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A known browser, identified by the hash of its cookie."""

    token: str
    seat: str | None
    host: bool
    day: int = 0
    """The number of the day of its last request; 0 in files without it."""


class Store:
    """The file of one table. Not thread-safe; guarded by the session's lock."""

    def __init__(self, path: Path | None) -> None:
        """Open or create the file; None keeps everything in memory, for tests."""
        self.name = str(path) if path else "memory"
        self._path = path
        with self._store_faults(Task.OPEN):
            if path is not None and not path.exists():
                _create(path)
            self._connection = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None, timeout=2
            )
            try:
                self._prepare(stored=path is not None)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, *, stored: bool) -> None:
        if stored and not self._version():
            # A file that was emptied, or lost its log, must not become a new battle.
            raise DamagedStore(self.name, Task.OPEN, _EMPTY)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        # Checkpoints keep the main file nearly complete, in case the log file is lost.
        self._connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
        self._migrate()
        # Beside the format: older programs leave it alone, and a file without it is complete.
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS session_days (token TEXT PRIMARY KEY, day INTEGER NOT NULL)"
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def entries(self) -> tuple[Entry, ...]:
        """The whole journal, oldest first."""
        with self._store_faults(Task.READ):
            rows = self._connection.execute(_SELECT_ALL).fetchall()
        reader = _RowReader()
        try:
            return tuple(reader.read(row) for row in rows)
        except StoreFault:
            raise
        except DoesNotPlay as error:
            raise StoreFault(error.message, file=self.name, task=Task.OPEN) from error
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise DamagedStore(self.name) from None

    def readable_entries(self) -> tuple[Entry, ...]:
        """The entries of a damaged journal up to the first that cannot be read."""
        reader, found = _RowReader(), list[Entry]()
        with suppress(Exception):
            # Each by its number, since a reading of the whole table ends at the first damaged page.
            while row := self._connection.execute(_SELECT_ONE, (len(found) + 1,)).fetchone():
                found.append(reader.read(row))
        return tuple(found)

    def last_number(self) -> int:
        """The number of the newest entry; 0 in an empty journal."""
        with self._store_faults(Task.READ):
            (last,) = self._connection.execute("SELECT coalesce(max(n), 0) FROM journal").fetchone()
        return int(last)

    def check(self) -> None:
        """Raise DamagedStore if SQLite finds the file inconsistent."""
        with self._store_faults(Task.READ):
            (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise DamagedStore(self.name)

    def append(
        self, entries: Sequence[Entry], *, caller: str = "", action: str | None = None
    ) -> None:
        """Append entries in one transaction; they are on the disk when this returns."""
        with self._store_faults(Task.WRITE), self._transaction():
            for place, entry in enumerate(entries):
                data = json.dumps(write_event(entry.event), allow_nan=False, separators=(",", ":"))
                # An action may have several entries; its key is stored with the first of them.
                key = action if place == 0 else None
                row = (
                    *(entry.n, float(entry.seconds), entry.seat, entry.who),
                    *(str(entry.event.kind), data, caller, key, entry.format),
                )
                self._connection.execute(_INSERT, (*row, _checksum(row)))

    def has_action(self, caller: str, action: str) -> bool:
        """Whether the journal already has this caller's action."""
        with self._store_faults(Task.READ):
            found = self._connection.execute(
                "SELECT 1 FROM journal WHERE caller = ? AND action = ?", (caller, action)
            ).fetchone()
        return found is not None

    def seats(self) -> tuple[SeatRow, ...]:
        """Every seat that was not removed."""
        with self._store_faults(Task.READ):
            rows = self._connection.execute(
                "SELECT id, name, role, side, pin, free FROM seats ORDER BY rowid"
            ).fetchall()
        return tuple(
            SeatRow(id_, name, role, side, pin, bool(free))
            for id_, name, role, side, pin, free in rows
        )

    def save_seat(self, seat: SeatRow) -> None:
        """Insert or update a seat."""
        with self._store_faults(Task.WRITE), self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
                (seat.id, seat.name, seat.role, seat.side, seat.pin, int(seat.free)),
            )

    def sessions(self) -> tuple[SessionRow, ...]:
        """Every known browser."""
        with self._store_faults(Task.READ):
            rows = self._connection.execute(
                "SELECT token, seat, host, coalesce(day, 0) FROM sessions"
                " LEFT JOIN session_days USING (token)"
            ).fetchall()
        for token, seat, _, day in rows:
            if not (isinstance(token, str) and isinstance(seat or "", str) and type(day) is int):
                raise DamagedStore(self.name)
        return tuple(SessionRow(token, seat, bool(host), day) for token, seat, host, day in rows)

    def save_session(self, session: SessionRow) -> None:
        """Insert or update a browser's session."""
        with self._store_faults(Task.WRITE), self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)",
                (session.token, session.seat, int(session.host)),
            )
            self._connection.execute(
                "INSERT OR REPLACE INTO session_days VALUES (?, ?)", (session.token, session.day)
            )

    def remove_session(self, token: str) -> None:
        """Remove a browser's session."""
        with self._store_faults(Task.WRITE), self._transaction():
            self._connection.execute("DELETE FROM sessions WHERE token = ?", (token,))
            self._connection.execute("DELETE FROM session_days WHERE token = ?", (token,))

    def end_sessions(self, before: int) -> None:
        """Remove the sessions whose last request was before a day."""
        with self._store_faults(Task.READ):
            (old,) = self._connection.execute(
                "SELECT count(*) FROM session_days WHERE day < ?", (before,)
            ).fetchone()
        if not old:
            return
        with self._store_faults(Task.WRITE), self._transaction():
            self._connection.execute(
                "DELETE FROM sessions WHERE token IN"
                " (SELECT token FROM session_days WHERE day < ?)",
                (before,),
            )
            self._connection.execute("DELETE FROM session_days WHERE day < ?", (before,))

    def settings(self) -> Mapping[str, str]:
        """All settings by name."""
        with self._store_faults(Task.READ):
            found = dict(self._connection.execute("SELECT name, value FROM settings").fetchall())
        if not all(isinstance(each, str) for pair in found.items() for each in pair):
            raise DamagedStore(self.name)
        return found

    def save_setting(self, name: str, value: str) -> None:
        """Store one setting."""
        with self._store_faults(Task.WRITE), self._transaction():
            self._connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def _version(self) -> int:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        return int(version)

    def _migrate(self) -> None:
        version = self._version()
        if version > _VERSION:
            raise StoreFault(NEWER, file=self.name)
        if 0 < version < _VERSION:
            self._back_up(version)
        for number in range(version, _VERSION):
            with self._transaction():
                _MIGRATIONS[number](self._connection)
                self._connection.execute(f"PRAGMA user_version = {number + 1}")

    def _back_up(self, version: int) -> None:
        """Copy the file before its format changes."""
        if self._path is None:
            return
        backup = self._path.with_name(f"{self._path.name}.format-{version}")
        if not backup.exists():
            # A plain copy would miss what is in the log file. The copy is renamed at the end, so
            # that a power cut leaves no incomplete one.
            unfinished = backup.with_name(f"{backup.name}.new")
            unfinished.unlink(missing_ok=True)
            self._connection.execute("VACUUM INTO ?", (str(unfinished),))
            unfinished.replace(backup)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # With a full disk SQLite rolls back by itself.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _store_faults(self, task: Task) -> Iterator[None]:
        """Convert every SQLite and system error into a StoreFault."""
        try:
            yield
        except StoreFault:
            raise
        except (sqlite3.Error, OSError) as error:
            if _code(error) in _DAMAGED or _is_decoding(error):
                raise DamagedStore(self.name, task) from error
            raise StoreFault(_reason(error), file=self.name, task=task) from error
        except (ArithmeticError, TypeError, ValueError) as error:
            # What Python makes of damaged pages: text that is not UTF-8, numbers that are none.
            raise DamagedStore(self.name, task) from error


def _create(path: Path) -> None:
    """Create a file atomically, so that a power cut leaves no file without a journal."""
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


def restore_first_page(path: Path) -> None:
    """Replace the first page of a damaged journal by that of a new one, to read what follows it.

    All journals of a format have the same tables at the same places.
    """
    new = path.with_name(f"{path.name}.blank")
    _create(new)
    with path.open("r+b") as file, new.open("rb") as blank:
        file.seek(0, 2)
        pages = file.tell() // _PAGE_BYTES
        first = bytearray(blank.read(_PAGE_BYTES))
        first[_PAGE_COUNT] = pages.to_bytes(4, "big")
        file.seek(0)
        file.write(first)


def _first_schema(base: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            base.execute(statement)


def _entry_formats(base: sqlite3.Connection) -> None:
    """Add the format of each entry's data; older entries have format 1."""
    base.execute("ALTER TABLE journal ADD COLUMN format INTEGER NOT NULL DEFAULT 1")


def _checksums(base: sqlite3.Connection) -> None:
    """Add the checksum of each entry; older entries have none."""
    base.execute("ALTER TABLE journal ADD COLUMN checksum INTEGER")


_MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    _first_schema,
    _entry_formats,
    _checksums,
)


def _checksum(row: tuple[object, ...]) -> int:
    """The CRC-32 of a row's columns, in their order.

    It finds damage by the disk, not a change that somebody has made on purpose.
    """
    return zlib.crc32(json.dumps(row, separators=(",", ":")).encode())


class _RowReader:
    """Reads the rows of a journal in order, and compares each with its checksum."""

    def __init__(self) -> None:
        self._events = EventReader()
        self._must_have_checksum = False

    def read(self, row: tuple[Any, ...]) -> Entry:
        """The entry of a row.

        Raises ValueError or TypeError for a damaged row, DreyerError for one that does not play.
        """
        *stored, checksum = row
        if checksum is not None or self._must_have_checksum:
            if checksum != _checksum(tuple(stored)):
                raise ValueError(row[0])
            # Older entries come first: without a checksum, what follows one with it is damaged.
            self._must_have_checksum = True
        n, seconds, seat, who, kind, data, _, _, format_ = stored
        event = self._events.read(_kind(kind), json.loads(data))
        return Entry(n, seconds, seat, who, event, _checked_format(format_))


def _kind(kind: str) -> JournalKind:
    try:
        return JournalKind(kind)
    except ValueError:
        raise StoreFault(NEWER) from None


def _checked_format(format_: int) -> int:
    """Check the format of an entry."""
    if format_ > FORMAT:
        raise StoreFault(NEWER)
    return format_


_DAMAGED: Final = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT),
    # A statement of ours that does not fit the file's tables.
    *(sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_SCHEMA),
)
_REASONS: Final[Mapping[int | None, str]] = {
    sqlite3.SQLITE_FULL: "journal.disk_full",
    sqlite3.SQLITE_READONLY: "journal.read_only",
    sqlite3.SQLITE_BUSY: "journal.in_use",
    sqlite3.SQLITE_LOCKED: "journal.in_use",
    sqlite3.SQLITE_IOERR: "journal.disk_fault",
    sqlite3.SQLITE_CANTOPEN: "journal.cannot_open",
}
"""Codes of messages, by SQLite's error codes."""
_SQLITE_CODES: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR,
}
"""SQLite's names of system errors."""


def _code(error: sqlite3.Error | OSError) -> int | None:
    """SQLite's primary error code; None if there is none."""
    if isinstance(error, OSError):
        return _SQLITE_CODES.get(error.errno or 0)
    extended = getattr(error, "sqlite_errorcode", None)
    return None if extended is None else int(extended) & 0xFF


def _is_decoding(error: sqlite3.Error | OSError) -> bool:
    """Whether Python could not decode a text of the file; that error has no code."""
    return isinstance(error, sqlite3.OperationalError) and _code(error) is None


def _reason(error: sqlite3.Error | OSError) -> Message:
    """The reason of an error; unknown ones with the system's own text."""
    code = _code(error)
    return Message(_REASONS[code]) if code in _REASONS else verbatim(str(error))
