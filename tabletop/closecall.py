"""A reading nearer to a limit than the measurement allows: too close to call."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import Message

CLOSE_CALL_SIGMAS = 2.0
"""A limit within this many standard deviations of the reading makes a close call."""

TOLERANCE_YARDS = 1e-6
"""Readings this near to a limit lie on it; floating point cannot tell them apart."""

TOLERANCE_DEG = 1e-9
"""Angles this near to a line lie on it; floating point cannot tell them apart."""


class CloseCallKind(StrEnum):
    """What a close call leaves open."""

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
class CloseCall:
    """The question, the limit it turns on, the reading as measured first, and the margin.

    The limit is a number of yards (range, sight) or degrees (quadrant, aspect), or a message where
    it is the edge of something. A reading is a range in yards or a key: a range segment, a
    quadrant, a `SightReading` … The margin is the distance from the limit, in the same unit.
    """

    what: CloseCallKind
    limit: float | Message
    readings: tuple[str | float, ...]
    margin: float
