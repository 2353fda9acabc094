"""Files that belong to the players, one for each rulebook: their own cards, their own tables.

A file is read again when somebody else has changed it, it is replaced whole or not at all, and
what was done to it here can be undone one by one.
"""

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, TypeVar

from tabletop.errors import DreyerError, UnreadableFile
from web.files import read_input, write_output

MOST_EDITS: Final = 100
"""How many changes can be undone; the oldest is forgotten first."""
_ASIDE: Final = ".unreadable"
_Stamp = tuple[int, int, int] | None
Value = TypeVar("Value")
Edit = TypeVar("Edit")


@dataclass(slots=True)
class OwnerFile(Generic[Value, Edit]):
    """What is known of one rulebook's file, and the changes made to it here."""

    value: Value
    stamp: _Stamp
    edits: list[Edit] = field(default_factory=list)


class OwnerFiles(ABC, Generic[Value, Edit]):
    """The players' files of one sort, of every rulebook. Safe to use from any thread."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder nothing outlives the program."""
        self._folder = folder
        self._lock = threading.RLock()
        self._kept: dict[str, OwnerFile[Value, Edit]] = {}
        self._revision = 0

    @property
    def is_saved(self) -> bool:
        """Whether the values outlive the program."""
        return self._folder is not None

    @property
    def revision(self) -> int:
        """Grows with every change, so that pages know when to look again."""
        return self._revision

    def last_edit(self, ruleset: str) -> Edit | None:
        """What undoing would take back."""
        edits = self._look(ruleset).edits
        return edits[-1] if edits else None

    @abstractmethod
    def _path(self, ruleset: str, folder: Path) -> Path:
        """Where the file of a rulebook lies."""

    @abstractmethod
    def _read(self, ruleset: str) -> Value:
        """What the file says; one that cannot be used is a value too, which tells why."""

    def _look(self, ruleset: str) -> OwnerFile[Value, Edit]:
        with self._lock:
            stamp, kept = self._stamp(ruleset), self._kept.get(ruleset)
            if kept is None or kept.stamp != stamp:
                # What was done before somebody else changed the file cannot be undone any more.
                kept = OwnerFile(self._read(ruleset), stamp)
                self._kept[ruleset] = kept
                self._revision += 1
            return kept

    def _holds_now(self, ruleset: str, kept: OwnerFile[Value, Edit], value: Value) -> None:
        """The file has been written, or there is none to write: from now on this counts."""
        kept.value, kept.stamp = value, self._stamp(ruleset)
        self._revision += 1

    def _stamp(self, ruleset: str) -> _Stamp:
        if self._folder is None:
            return None
        try:
            found = self._path(ruleset, self._folder).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _set_aside(self, ruleset: str) -> None:
        """An unreadable file gives way to a good one; it is kept, and so are those before it."""
        if self._folder is None:
            return
        path = self._path(ruleset, self._folder)
        number, aside = 1, path.with_name(path.name + _ASIDE)
        try:
            while aside.exists():
                number += 1
                aside = path.with_name(f"{path.name}{_ASIDE}-{number}")
            if path.exists():
                path.replace(aside)
        except OSError as error:
            raise UnreadableFile(
                "errors.owner_file.not_moved", path=str(path), value=error.strerror or str(error)
            ) from None


def push_edit(edits: list[Edit], edit: Edit) -> None:
    """One more change that can be undone."""
    edits.append(edit)
    del edits[:-MOST_EDITS]


def last_edit_of(edits: list[Edit], what: str) -> Edit:
    """The change that is undone next; without any, that is said."""
    if not edits:
        raise DreyerError(
            "errors.owner_file.nothing_to_undo",
            what=what,
        )
    return edits[-1]


def read_if_there(path: Path) -> bytes | None:
    """A file's content; None where there is no file."""
    try:
        if not path.exists():
            return None
    except OSError as error:
        raise UnreadableFile(
            "errors.owner_file.not_read", path=str(path), value=error.strerror or str(error)
        ) from None
    return read_input(path)


def replace_or_remove(path: Path, data: bytes | None) -> None:
    """Replace a file, whole or not at all; with nothing to keep there is no file."""
    try:
        if data is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableFile(
            "errors.owner_file.not_written", path=str(path), value=error.strerror or str(error)
        ) from None
    write_output(path, data)
