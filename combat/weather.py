"""Visibility as set-ups, files and requests state it: a level from 1 to 8, or X."""

from typing import Annotated, Final, Literal

from pydantic import Field

from tabletop.messages import Message
from tabletop.schema import Expected, Whole

NO_VISIBILITY: Final = "X"
"""Nothing can be seen; whether ships may fight all the same is the rulebook's word."""
WORST_LEVEL: Final = 8
Visibility = int | Literal["X"]
StatedVisibility = Annotated[
    Annotated[Whole, Field(ge=1, le=WORST_LEVEL)] | Literal["X"],
    Expected(Message("schema.visibility", most=WORST_LEVEL)),
]
"""The same, checked where a file or a request is read."""
LEVELS: Final[tuple[Visibility, ...]] = (*range(1, WORST_LEVEL + 1), NO_VISIBILITY)
"""All of them, best first."""


def read_visibility(text: str) -> Visibility | None:
    """The level that a form or an address writes; None where it is none."""
    return next((level for level in LEVELS if str(level) == text.strip().upper()), None)
