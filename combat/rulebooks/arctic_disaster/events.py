"""The events of Arctic Disaster."""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged(Event):
    """A ship took hits on her Damage Roster (12.0)."""

    kind: Literal["damaged"] = "damaged"
    points: int
    damage: int
    """All her hits."""
    capacity: int
    """The number of hits that sinks her."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedLost(Event):
    """A critical hit reduced a ship's movement (12.2)."""

    kind: Literal["speed-lost"] = "speed-lost"
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GunneryLost(Event):
    """A critical hit reduced a ship's gunnery (12.2)."""

    kind: Literal["gunnery-lost"] = "gunnery-lost"
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightDeckLost(Event):
    """A carrier's flight deck is out of action (12.1)."""

    kind: Literal["flight-deck-lost"] = "flight-deck-lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesSpent(Event):
    """A ship has fired all her torpedoes (11.4.7)."""

    kind: Literal["torpedoes-spent"] = "torpedoes-spent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementCost(Event):
    """The movement points that a surface combat has cost the active force (7.6.4)."""

    kind: Literal["movement-cost"] = "movement-cost"
    points: str
    """A number of movement points, or "all"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed(Event):
    """A ship came onto the Surface Combat Display (11.4.2)."""

    kind: Literal["deployed"] = "deployed"
    area: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeLaid(Event):
    """A ship laid smoke in her area (11.4.6)."""

    kind: Literal["smoke-laid"] = "smoke-laid"
    area: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayMoved(Event):
    """All ships were moved along the display (11.4.12)."""

    kind: Literal["display-moved"] = "display-moved"
    areas: int
    """Negative towards area 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftDisplay(Event):
    """A ship left the display: the combat has ended, or the convoy scatters (11.4.10, 11.4.13)."""

    kind: Literal["left-display"] = "left-display"


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported(Event):
    """A ship's antiaircraft fire took something from the next attack on another (11.1)."""

    kind: Literal["supported"] = "supported"
    taken: int
    """What is taken from the attack's die."""
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Designated(Event):
    """A battery's target was designated (11.4.4)."""

    kind: Literal["designated"] = "designated"
    battery: Literal["main", "secondary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submerged(Event):
    """A submarine of the convoy has submerged (13.10)."""

    kind: Literal["submerged"] = "submerged"


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatEnded(Event):
    """A surface combat has ended: who leaves its hex, and who may stay behind (11.4.10)."""

    kind: Literal["combat-ended"] = "combat-ended"
    leaves: tuple[str, ...]
    """"german", "allied" or both: the players whose ships leave the hex."""
    returns: bool = False
    """Whether they go back to the hex that they came from; else they are placed in order."""
    tied: bool = False
    """Whether a die or a coin decides who leaves."""
    damaged: tuple[str, ...] = ()
    """The ids of ships that leave and are damaged: they may be detached and remain (11.4.11)."""


OWN_EVENTS = (
    Damaged, SpeedLost, GunneryLost, FlightDeckLost, TorpedoesSpent, MovementCost, Deployed,
    SmokeLaid, DisplayMoved, LeftDisplay, Supported, Designated, Submerged, CombatEnded,
)  # fmt: skip
