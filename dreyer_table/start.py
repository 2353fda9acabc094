"""The entry point of the command `dreyer`."""

import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dreyer_table.packages import ForeignPackage, foreign_package

_WORDS: Final = Path(__file__).parent / "words.toml"
_ENGLISH: Final = "en"
CANNOT_START: Final = 1
"""The exit code where the program cannot start at all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    foreign = foreign_package()
    if foreign is not None:
        print(refusal(foreign), file=sys.stderr)
        return CANNOT_START
    from web.cli import main as run

    return run(arguments)


def refusal(foreign: ForeignPackage, language: str | None = None) -> str:
    """Why the program cannot start, and what to do."""
    key = "missing" if foreign.found is None else "shadowed"
    return words_of(language)[key].format(name=foreign.name, found=foreign.found)


def words_of(language: str | None = None) -> dict[str, str]:
    """The words of this package, in the language of the commands where there is none given.

    The program's string tables are in the packages that may not be usable.
    """
    words: dict[str, dict[str, str]] = tomllib.loads(_WORDS.read_text("utf-8"))
    chosen = os.environ.get("DREYER_LANGUAGE", "") if language is None else language
    return words.get(chosen, words[_ENGLISH])
