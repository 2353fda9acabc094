"""The events that only Arctic Disaster has."""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged(Event):
    """A ship took hits on her Damage Roster (12.0)."""

    kind: Literal["damaged"] = "damaged"
    points: int
    damage: int
    """All the hits that she has now."""
    capacity: int
    """The hits that sink her."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedLost(Event):
    """A critical hit took movement from a ship (12.2)."""

    kind: Literal["speed-lost"] = "speed-lost"
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GunneryLost(Event):
    """A critical hit took gunnery from a ship (12.2)."""

    kind: Literal["gunnery-lost"] = "gunnery-lost"
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightDeckLost(Event):
    """A carrier can fly no more (12.1)."""

    kind: Literal["flight-deck-lost"] = "flight-deck-lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesSpent(Event):
    """A ship has fired all her torpedoes (11.4.7)."""

    kind: Literal["torpedoes-spent"] = "torpedoes-spent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementCost(Event):
    """What a surface combat costs the active force so far (7.6.4)."""

    kind: Literal["movement-cost"] = "movement-cost"
    points: str
    """A number of movement points, or "all"."""


OWN_EVENTS = (Damaged, SpeedLost, GunneryLost, FlightDeckLost, TorpedoesSpent, MovementCost)
