"""Journal entries: events with their time and author."""

from dataclasses import dataclass
from typing import Final

from tabletop.messages import Message
from web.journal.events import Event

FORMAT: Final = 2
"""The current format of the data of entries; version 0.1.0 wrote format 1."""
NEWER: Final = Message("journal.newer")


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the journal, with its time and author."""

    n: int
    seconds: float
    """Unix time."""
    seat: str | None
    who: str
    event: Event
    format: int = FORMAT
