"""Reading and writing files that a user names, with one-line errors."""

import os
import tempfile
from pathlib import Path

from tabletop.errors import FileProblem
from tabletop.messages import Message

LARGEST_INPUT_BYTES = 4_000_000
LARGEST_PICTURE_BYTES = 200_000_000
LARGEST_BATCH_BYTES = 200_000_000
LARGEST_BATTLE_BYTES = 32_000_000
"""The limit for an exported battle."""


def read_input(path: Path, largest_bytes: int = LARGEST_INPUT_BYTES) -> bytes:
    """Read a file. Raises UnreadableFile if it is missing, a folder or too large."""
    try:
        with path.open("rb") as file:
            data = file.read(largest_bytes + 1)
    except FileNotFoundError:
        raise FileProblem(str(path), Message("errors.file.missing")) from None
    except OSError as error:
        raise FileProblem(str(path), _unreadable(error)) from None
    except ValueError:
        raise FileProblem(repr(str(path)), Message("errors.file.no_name")) from None
    if len(data) > largest_bytes:
        raise _too_large(path, largest_bytes)
    return data


def refuse_large_toml(path: Path, data: bytes) -> None:
    """Raise UnreadableFile if there are too many bytes for a TOML file."""
    if len(data) > LARGEST_INPUT_BYTES:
        raise _too_large(path, LARGEST_INPUT_BYTES)


def _too_large(path: Path, largest_bytes: int) -> FileProblem:
    if largest_bytes == LARGEST_INPUT_BYTES:
        problem = Message("errors.file.large_toml", most=largest_bytes)
    else:
        problem = Message("errors.file.large", most=largest_bytes)
    return FileProblem(str(path), problem)


def _unreadable(error: OSError) -> Message:
    return Message("errors.file.unreadable", reason=error.strerror or str(error))


def write_output(path: Path, data: bytes) -> None:
    """Write a file atomically, so that no half-written file appears under its name."""
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            # The content is flushed before the rename, or a power cut could leave an empty file.
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise FileProblem(str(path), Message("errors.file.unwritable", reason=reason)) from None
