"""The events of The Chase of the Bismarck."""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event
from combat.rulebooks.chase_of_the_bismarck.damage import Damage


@dataclass(frozen=True, slots=True, kw_only=True)
class Engaged(Event):
    """The range and positions of two ships when one fires at the other (10)."""

    kind: Literal["engaged"] = "engaged"
    range: str
    position: str
    """The position of the firing ship."""
    target_position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DieResolved(Event):
    """One die of an attack is resolved, with the rolls that follow from it."""

    kind: Literal["die-resolved"] = "die-resolved"
    number: int
    """The number of the attack's die, from 1."""
    damage: Damage


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLost(Event):
    """Boxes of the hull or of the armament were marked off (2.4)."""

    kind: Literal["part-lost"] = "part-lost"
    part: Literal["hull", "bow", "stern", "secondary"]
    lost: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionLost(Event):
    """Evasion Effect markers were drawn (10, step 2)."""

    kind: Literal["evasion-lost"] = "evasion-lost"
    lost: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FireControlOut(Event):
    """A ship's fire control was damaged."""

    kind: Literal["fire-control-out"] = "fire-control-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class RadarOut(Event):
    """A ship's radar was damaged."""

    kind: Literal["radar-out"] = "radar-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class RudderOut(Event):
    """A ship's rudder was damaged."""

    kind: Literal["rudder-out"] = "rudder-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class FuelLost(Event):
    """A ship lost fuel (10, step 2)."""

    kind: Literal["fuel-lost"] = "fuel-lost"
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLeft(Event):
    """The state of the target's Ship Card after an attack (2.4)."""

    kind: Literal["card-left"] = "card-left"
    hull: int
    bow: int
    stern: int
    secondary: int
    evasion: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementReduced(Event):
    """A ship lost evasion or her rudder: her remaining movement (10, Movement Table)."""

    kind: Literal["movement-reduced"] = "movement-reduced"
    zones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesUsed(Event):
    """A ship launched torpedo markers (10, step 1)."""

    kind: Literal["torpedoes-used"] = "torpedoes-used"
    used: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAcquired(Event):
    """A ship acquired her target, from the next round on (10, step 2)."""

    kind: Literal["target-acquired"] = "target-acquired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(Event):
    """A reinforcement entered the combat, closing, in a zone from her own edge (10, step 6)."""

    kind: Literal["entered"] = "entered"
    zone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRevealed(Event):
    """The class of ship that a submarine has found (11.1)."""

    kind: Literal["class-revealed"] = "class-revealed"
    ship_class: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands(Event):
    """A ship's place after a move, or both sides' at the start; zones from their own edges."""

    kind: Literal["stands"] = "stands"
    zone: int
    position: str | None
    """None at the start, when the attackers close and the defenders break off."""
    enemy_zone: int | None
    """None if the enemy was pushed off the board."""
    zones_between: int | None
    range: str | None
    shifted: int
    """Movement zones by which all ships were shifted to keep her on the board."""
    held_up: int
    """Movement zones that the shift costs an enemy who has yet to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Event):
    """A ship took her place as a combat began, in a zone from her own edge (10)."""

    kind: Literal["placed"] = "placed"
    zone: int
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldUp(Event):
    """A shift of the board put a ship at its edge, closing, with so much less to move (10)."""

    kind: Literal["held-up"] = "held-up"
    zones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyFound(Event):
    """A convoy was located; it is not located again (11.3)."""

    kind: Literal["convoy-found"] = "convoy-found"
    convoy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTaken(Event):
    """A convoy, or a single merchant ship, was sunk (11.3)."""

    kind: Literal["prize-taken"] = "prize-taken"
    prize: str
    points: str
    """Its victory points for the German player: "5", "1/2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired(Event):
    """A repair at sea was tried (7.3)."""

    kind: Literal["repaired"] = "repaired"
    regained: int
    """Evasion that she has regained."""
    rudder: bool
    evasion: int
    """Her evasion now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuelled(Event):
    """A ship took on fuel and torpedoes (7.4, 7.5)."""

    kind: Literal["refuelled"] = "refuelled"
    fuel: int
    """Of the fuel points that damage has cost her, how many she has back."""
    torpedoes: int


OWN_EVENTS = (
    Engaged, DieResolved, PartLost, EvasionLost, FireControlOut, RadarOut, RudderOut, FuelLost,
    CardLeft, MovementReduced, TorpedoesUsed, TargetAcquired, Entered, ClassRevealed, Stands,
    Placed, HeldUp, ConvoyFound, PrizeTaken, Repaired, Refuelled,
)  # fmt: skip
