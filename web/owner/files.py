"""The players' files, one for each rulebook: cards or table values.

A file that another program changed is read again; files are replaced atomically; changes made here
can be undone one by one.
"""

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, TypeVar

from tabletop.errors import DreyerError, UnreadableFile
from web.files import read_input, write_output

MOST_EDITS: Final = 100
"""The most changes that can be undone; the oldest is dropped first."""
_ASIDE: Final = ".unreadable"
_Stamp = tuple[int, int, int] | None
Value = TypeVar("Value")
Edit = TypeVar("Edit")


@dataclass(slots=True)
class OwnerFile(Generic[Value, Edit]):
    """The content of one rulebook's file, and the changes made here."""

    value: Value
    stamp: _Stamp
    edits: list[Edit] = field(default_factory=list)


class OwnerFiles(ABC, Generic[Value, Edit]):
    """The players' files of one kind, for every rulebook. Safe to use from any thread."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder nothing is stored."""
        self._folder = folder
        self._lock = threading.RLock()
        self._kept: dict[str, OwnerFile[Value, Edit]] = {}
        self._revision = 0

    @property
    def is_saved(self) -> bool:
        """Whether the values are stored on disk."""
        return self._folder is not None

    @property
    def revision(self) -> int:
        """A number that grows with every change, so that pages know when to reload."""
        return self._revision

    def last_edit(self, ruleset: str) -> Edit | None:
        """The change that undo would revert."""
        edits = self._current(ruleset).edits
        return edits[-1] if edits else None

    @abstractmethod
    def _path(self, ruleset: str, folder: Path) -> Path:
        """The path of a rulebook's file."""

    @abstractmethod
    def _read(self, ruleset: str) -> Value:
        """The content of the file; an unusable file gives a value with its error."""

    def _current(self, ruleset: str) -> OwnerFile[Value, Edit]:
        with self._lock:
            stamp, kept = self._stamp(ruleset), self._kept.get(ruleset)
            if kept is None or kept.stamp != stamp:
                # Changes made before another program changed the file cannot be undone.
                kept = OwnerFile(self._read(ruleset), stamp)
                self._kept[ruleset] = kept
                self._revision += 1
            return kept

    def _set_current(self, ruleset: str, kept: OwnerFile[Value, Edit], value: Value) -> None:
        """Make this the current content, after the file was written."""
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
        """Rename an unreadable file, so that it is kept when a new one is written."""
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
    """Add a change that can be undone."""
    edits.append(edit)
    del edits[:-MOST_EDITS]


def last_edit_of(edits: list[Edit], what: str) -> Edit:
    """The change that is undone next. Raises DreyerError if there is none."""
    if not edits:
        raise DreyerError(
            "errors.owner_file.nothing_to_undo",
            what=what,
        )
    return edits[-1]


def read_if_there(path: Path) -> bytes | None:
    """A file's content; None if there is no file."""
    try:
        if not path.exists():
            return None
    except OSError as error:
        raise UnreadableFile(
            "errors.owner_file.not_read", path=str(path), value=error.strerror or str(error)
        ) from None
    return read_input(path)


def replace_or_remove(path: Path, data: bytes | None) -> None:
    """Replace a file atomically; with None it is deleted."""
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
