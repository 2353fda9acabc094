"""Whether the packages that `import web` and the like would find are those of this program."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PACKAGES: Final = ("tabletop", "calibration", "vision", "combat", "web")
"""The packages of the program, whose names other distributions may have, too."""
MARK: Final = b"# This package belongs to Dreyer Table.\n"
"""The first line of the `__init__.py` of each."""
_HOME: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class ForeignPackage:
    """A package with one of our names that is not ours, or is missing."""

    name: str
    found: str | None
    """Its file or folder; None where there is none at all."""


def foreign_package(home: Path = _HOME) -> ForeignPackage | None:
    """The first package that is not ours; None if all are.

    Ours lie beside this package and begin with the mark: another distribution in the same folder
    would have overwritten `__init__.py`.
    """
    if getattr(sys, "frozen", False):
        return None  # In a bundle there is nothing else.
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None:
            return ForeignPackage(name, None)
        if spec.origin is None:
            return ForeignPackage(name, next(iter(spec.submodule_search_locations or ()), None))
        file = Path(spec.origin).resolve()
        if file.parent != home / name or not _is_marked(file):
            return ForeignPackage(name, str(file))
    return None


def _is_marked(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.readline().replace(b"\r\n", b"\n") == MARK
    except OSError:
        return False
