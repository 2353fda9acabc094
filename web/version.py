"""The version of this program."""

from importlib.metadata import version
from typing import Final

DISTRIBUTION: Final = "dreyer-table"


def own_version() -> str:
    """The version of this program, as it is installed."""
    return version(DISTRIBUTION)
