"""The entries of the journal: events with when they happened and who did it."""

from dataclasses import dataclass
from typing import Final

from tabletop.messages import Message
from web.journal.events import Event

FORMAT: Final = 2
"""The format of the data of entries that are written now; 1 was that of version 0.1.0."""
NEWER: Final = Message("journal.newer")


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the journal: when it happened and who did it."""

    n: int
    seconds: float
    """Since 1970."""
    seat: str | None
    who: str
    event: Event
    format: int = FORMAT
