"""The events of Sink the Bismarck!"""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionRead(Event):
    """A detection roll was looked up (10.2)."""

    kind: Literal["detection-read"] = "detection-read"
    total: int
    """The modified die."""
    result: str
    """The Detection Table's value: detected, not detected, or ? if the owner has not entered it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyDestroyed(Event):
    """A German force destroyed a convoy (9.10)."""

    kind: Literal["convoy-destroyed"] = "convoy-destroyed"
    ends_movement: bool
    """Whether the force was moving, and has to stop in this hex (9.12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DummyConvoyRemoved(Event):
    """The attacked convoy was a dummy, which is removed (9.9)."""

    kind: Literal["dummy-convoy-removed"] = "dummy-convoy-removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyMoved(Event):
    """A convoy moved as the rules allow (9.8)."""

    kind: Literal["convoy-moved"] = "convoy-moved"
    convoy: str
    hexes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyEntered(Event):
    """A convoy entered the map (9.7)."""

    kind: Literal["convoy-entered"] = "convoy-entered"
    convoy: str
    hex: str | None
    """None if our source gives no hex and the owner has entered none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedFound(Event):
    """The hexes that a ship may move in this turn (7.14)."""

    kind: Literal["speed-found"] = "speed-found"
    hexes: int


OWN_EVENTS = (
    DetectionRead, ConvoyDestroyed, DummyConvoyRemoved, ConvoyMoved, ConvoyEntered, SpeedFound,
)  # fmt: skip
