"""The program itself: Python and the packages that it needs."""

import platform
import re
import struct
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

from tabletop.messages import Message
from web.doctor.findings import Figure, Finding, Grade, Topic
from web.version import DISTRIBUTION

OLDEST_PYTHON: Final = (3, 11)
_BITS: Final = 8 * struct.calcsize("P")


def examine_python(found: tuple[int, ...] = sys.version_info[:3], bits: int = _BITS) -> Finding:
    """Which Python runs this program."""
    text = ".".join(map(str, found))
    bundled = bool(getattr(sys, "frozen", False))
    details: dict[str, Figure] = {
        "version": text,
        "bits": bits,
        "implementation": platform.python_implementation(),
        "system": platform.platform(),
        "executable": sys.executable,
        "bundled": bundled,
    }
    values = {"version": text, "system": platform.system(), "machine": platform.machine()}
    if found[:2] < OLDEST_PYTHON:
        grade, code = Grade.FAULT, "doctor.python.old"
    elif bits < 64:
        grade, code = Grade.WARNING, "doctor.python.narrow"
    else:
        grade, code = Grade.GOOD, "doctor.python.bundled" if bundled else "doctor.python.good"
    remedy = None if grade is Grade.GOOD else Message("doctor.python.renew")
    return Finding(Topic.PYTHON, grade, Message(code, **values), remedy, details)


def examine_packages(
    needed: Callable[[str], list[str] | None] = requires,
    version_of: Callable[[str], str] = version,
) -> Finding:
    """The packages that the program asks for, and which versions there are."""
    try:
        asked = needed(DISTRIBUTION) or []
    except PackageNotFoundError:
        return Finding(
            Topic.PACKAGES,
            Grade.WARNING,
            Message("doctor.packages.not_installed"),
            Message("doctor.packages.install"),
        )
    names = [found[0] for line in asked if "extra ==" not in line and (found := _NAME.match(line))]
    versions: dict[str, Figure] = {}
    for name in sorted(names, key=str.lower):
        try:
            versions[name] = version_of(name)
        except PackageNotFoundError:
            versions[name] = None
    lost = [name for name, there in versions.items() if there is None]
    if lost:
        return Finding(
            Topic.PACKAGES,
            Grade.FAULT,
            Message("doctor.packages.lost", names=", ".join(lost)),
            Message("doctor.packages.install"),
            versions,
        )
    listed = ", ".join(f"{name} {versions[name]}" for name in _TOLD if name in versions)
    return Finding(
        Topic.PACKAGES,
        Grade.GOOD,
        Message("doctor.packages.good", n=len(versions), listed=listed),
        details=versions,
    )


_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_TOLD: Final = ("flask", "numpy", "opencv-python-headless", "shapely", "tornado")
"""The packages that bug reports usually turn on."""
