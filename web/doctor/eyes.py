"""The camera and the printed markers, as the last set-up left them."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tabletop.errors import DreyerError
from tabletop.messages import Message
from vision.sources.cameras import CameraName, Capture, open_webcam, plugged_in
from web.camera.settings import CameraSetup, read_setup
from web.camera.storage import SETUP_FILE
from web.doctor.findings import Figure, Finding, Grade, Topic

SMALL_ERROR: Final = 0.005
"""A print that is off by less is no matter: 5 mm in a metre."""
LARGE_ERROR: Final = 0.03
"""A print that is off by more was scaled to fit the page."""


def stored_setup(folder: Path) -> CameraSetup | DreyerError | None:
    """The settings of the last set-up, what is wrong with them, or None without any."""
    path = folder / SETUP_FILE
    try:
        return read_setup(path.read_bytes(), str(path))
    except FileNotFoundError:
        return None
    except DreyerError as error:
        return error
    except OSError as error:
        return DreyerError("doctor.camera.unreadable", file=str(path), reason=str(error.strerror))


def examine_camera(
    setup: CameraSetup | None,
    *,
    trouble: Message | None = None,
    watched: str = "",
    cameras: Callable[[], Sequence[CameraName]] = plugged_in,
    nodes: Callable[[], Sequence[str]] = lambda: sorted(map(str, Path("/dev").glob("video*"))),
    opener: Callable[[int], Capture] = open_webcam,
    may_use: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK),
) -> Finding:
    """Whether a camera can be used.

    While a table looks through one (`watched`), or says what is wrong with it (`trouble`), no
    camera is opened, because two programs cannot have the same one.
    """
    source = setup.source if setup else ""
    names = tuple(f"{camera.index} {camera.name}" for camera in cameras())
    details: dict[str, Figure] = {
        "source": source or None,
        "cameras": names,
        "watching": bool(watched),
    }
    if trouble is not None:
        return Finding(
            Topic.CAMERA,
            Grade.WARNING,
            Message("doctor.camera.trouble", trouble=trouble),
            Message("doctor.camera.set_up"),
            details,
        )
    if watched:
        return Finding(
            Topic.CAMERA,
            Grade.GOOD,
            Message("doctor.camera.watching", source=watched),
            None,
            details,
        )
    refused = [node for node in nodes() if not may_use(node)]
    if refused:
        return Finding(
            Topic.CAMERA,
            Grade.FAULT,
            Message("doctor.camera.refused", node=refused[0]),
            Message("doctor.camera.join_group"),
            details,
        )
    if source and not source.isdigit():
        return Finding(
            Topic.CAMERA, Grade.GOOD, Message("doctor.camera.source", source=source), None, details
        )
    if not source and not names and sys.platform.startswith("linux"):
        return Finding(Topic.CAMERA, Grade.NOTE, Message("doctor.camera.none"), None, details)
    index = int(source) if source else int(names[0].split()[0]) if names else 0
    if _gives_a_picture(index, opener):
        return Finding(
            Topic.CAMERA, Grade.GOOD, Message("doctor.camera.good", number=index), None, details
        )
    if not source and not names:
        # Systems other than Linux do not list their cameras: there may be none.
        return Finding(
            Topic.CAMERA,
            Grade.NOTE,
            Message("doctor.camera.none"),
            Message("doctor.camera.privacy"),
            details,
        )
    return Finding(
        Topic.CAMERA,
        Grade.WARNING,
        Message("doctor.camera.dark", number=index),
        Message("doctor.camera.privacy"),
        details,
    )


def _gives_a_picture(index: int, opener: Callable[[int], Capture]) -> bool:
    try:
        capture = opener(index)
    except Exception:  # A driver may raise anything.
        return False
    try:
        return capture.isOpened() and capture.read()[0]
    finally:
        capture.release()


def examine_print(setup: CameraSetup | DreyerError | None) -> Finding:
    """How the printer scaled the markers, from the bar that was measured."""
    if isinstance(setup, DreyerError):
        return Finding(
            Topic.PRINT,
            Grade.WARNING,
            Message("doctor.print.unreadable", fault=setup.message),
            Message("doctor.camera.set_up"),
        )
    if setup is None or setup.bar_mm is None:
        return Finding(Topic.PRINT, Grade.NOTE, Message("doctor.print.none"))
    scale = setup.print_scale.factor
    error = abs(scale - 1)
    details: dict[str, Figure] = {"bar_mm": setup.bar_mm, "scale": scale}
    values = {"bar_mm": setup.bar_mm, "percent": 100 * scale}
    if error > LARGE_ERROR:
        return Finding(
            Topic.PRINT,
            Grade.WARNING,
            Message("doctor.print.scaled", **values),
            Message("doctor.print.again"),
            details,
        )
    code = "doctor.print.good" if error <= SMALL_ERROR else "doctor.print.corrected"
    grade = Grade.GOOD if error <= SMALL_ERROR else Grade.NOTE
    return Finding(Topic.PRINT, grade, Message(code, **values), None, details)
