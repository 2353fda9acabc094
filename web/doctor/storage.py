"""Where the table is kept: the data folder, its permissions and the disk below it."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tabletop.messages import Message
from web.doctor.findings import Figure, Finding, Grade, Topic

LEAST_BYTES: Final = 100_000_000
"""Less does not last for an evening with photos of every segment."""
ENOUGH_BYTES: Final = 1_000_000_000
_MOST_FILES: Final = 2_000


def examine_data(folder: Path) -> Finding:
    """The data folder: which it is, and how much is in it."""
    details: dict[str, Figure] = {"folder": str(folder), "exists": folder.is_dir()}
    if folder.exists() and not folder.is_dir():
        return Finding(
            Topic.DATA,
            Grade.FAULT,
            Message("doctor.data.a_file", folder=str(folder)),
            Message("doctor.data.choose"),
            details,
        )
    if not folder.exists():
        return Finding(
            Topic.DATA, Grade.GOOD, Message("doctor.data.new", folder=str(folder)), None, details
        )
    battles, size = 0, 0
    for path in _files_in(folder):
        try:
            size += path.stat().st_size
        except OSError:
            continue
        battles += path.parent.name == "battles" and path.suffix == ".db"
    return Finding(
        Topic.DATA,
        Grade.GOOD,
        Message("doctor.data.good", folder=str(folder), megabytes=size / 1e6),
        details={**details, "bytes": size, "battles": battles},
    )


def examine_permissions(folder: Path) -> Finding:
    """Whether this program may write there, and everything that is there already."""
    there = _nearest(folder)
    details: dict[str, Figure] = {"folder": str(there), "writable": True}
    try:
        with tempfile.TemporaryFile(dir=there) as trial:
            trial.write(b"trial")
    except OSError as error:
        return Finding(
            Topic.PERMISSIONS,
            Grade.FAULT,
            Message(
                "doctor.permissions.none", folder=str(there), reason=error.strerror or str(error)
            ),
            Message("doctor.permissions.elsewhere"),
            {**details, "writable": False},
        )
    foreign = [path for path in _files_in(folder) if not os.access(path, os.R_OK | os.W_OK)]
    if foreign:
        return Finding(
            Topic.PERMISSIONS,
            Grade.FAULT,
            Message("doctor.permissions.foreign", n=len(foreign), file=str(foreign[0])),
            Message("doctor.permissions.own"),
            {**details, "foreign_files": len(foreign)},
        )
    return Finding(
        Topic.PERMISSIONS, Grade.GOOD, Message("doctor.permissions.good"), details=details
    )


def examine_disk(
    folder: Path, free_of: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> Finding:
    """How much room the disk has."""
    try:
        free = free_of(_nearest(folder))
    except OSError as error:
        reason = error.strerror or str(error)
        return Finding(Topic.DISK, Grade.NOTE, Message("doctor.disk.unknown", reason=reason))
    grade = (
        Grade.FAULT if free < LEAST_BYTES else Grade.WARNING if free < ENOUGH_BYTES else Grade.GOOD
    )
    code = "doctor.disk.good" if grade is Grade.GOOD else "doctor.disk.low"
    remedy = None if grade is Grade.GOOD else Message("doctor.disk.free")
    return Finding(
        Topic.DISK, grade, Message(code, gigabytes=free / 1e9), remedy, {"free_bytes": free}
    )


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest path above it that is there: it may be a file."""
    for path in (folder, *folder.absolute().parents):
        if path.exists():
            return path
    return Path(folder.anchor or ".")


def _files_in(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in folder.rglob("*"):
        if path.is_file():
            found.append(path)
        if len(found) >= _MOST_FILES:
            break
    return found
