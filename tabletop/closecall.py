"""Close calls: readings within 2 σ of a limit, which the measurement cannot decide."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import NO_WORDS, Message

CLOSE_CALL_SIGMAS = 2.0
"""A limit within this many standard deviations of the reading makes a close call."""

TOLERANCE_YARDS = 1e-6
"""Readings within this distance of a limit count as on it, because of rounding."""

TOLERANCE_DEG = 1e-9
"""Angles within this distance of a line count as on it, because of rounding."""


class CloseCallKind(StrEnum):
    """The question that a close call leaves undecided."""

    RANGE = "range"
    QUADRANT = "quadrant"
    ASPECT = "aspect"
    CONTACT = "contact"
    SIGHT = "sight"
    SMOKE = "smoke"
    POSITION = "position"


class SightReading(StrEnum):
    """Whether a ship stands in the line of sight."""

    BLOCKED = "blocked"
    CLEAR = "clear"


class SmokeReading(StrEnum):
    """Whether the line of sight passes through smoke."""

    THROUGH = "through smoke"
    CLEAR = "clear of smoke"


@dataclass(frozen=True, slots=True)
class RangeLimit:
    """A range that a rule turns on for one pair, such as the end of a battery's band."""

    yards: float
    title: Message = NO_WORDS
    """What ends there, as players read it."""
    action: str = ""
    """The kind of action that it matters to; empty where it matters to all."""


@dataclass(frozen=True, slots=True)
class CloseCall:
    """A question, the limit that decides it, the possible readings and the margin.

    The limit is in yards (range, sight) or degrees (quadrant, aspect), or a message that names an
    edge. The reading as measured comes first; a reading is a range in yards or a key, such as a
    range segment, a quadrant or a `SightReading`. The margin is the distance from the limit, in
    the limit's unit.
    """

    what: CloseCallKind
    limit: float | Message
    readings: tuple[str | float, ...]
    margin: float
    ends: tuple[RangeLimit, ...] = ()
    """What ends at the limit of a range, where that is not a segment of the table."""

    def matters_to(self, action: str) -> bool:
        """Whether the question is open for a kind of action."""
        return not self.ends or any(end.action in ("", action) for end in self.ends)
