"""The events that only the battle board has."""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event
from combat.rulebooks.bismarck_battle_board.damage import Damage
from combat.rulebooks.bismarck_data.events import PlanesStopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Aimed(Event):
    """How two ships lie to each other as one fires at the other (9.61, 9.63, 9.67)."""

    kind: Literal["aimed"] = "aimed"
    hexes: int
    range: str
    sector: str
    """Of the firer, in which the target lies."""
    aspect: str
    """Of the target, in which the firer lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionReduced(Event):
    """A gun section fires at half strength in this round (9.83)."""

    kind: Literal["section-reduced"] = "section-reduced"
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackResolved(Event):
    """One shot, strike, plane or salvo is resolved, with the rolls that followed from it."""

    kind: Literal["attack-resolved"] = "attack-resolved"
    number: int
    damage: Damage


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLost(Event):
    """Boxes of the Hit Record Pad were marked (9.711)."""

    kind: Literal["part-lost"] = "part-lost"
    part: str
    lost: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionLost(Event):
    """A ship lost evasion, for a time or for good (9.72)."""

    kind: Literal["evasion-lost"] = "evasion-lost"
    lost: int
    for_good: int
    """The part of it that no repair brings back."""
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLeft(Event):
    """What an attack has left of a ship (9.71)."""

    kind: Literal["sheet-left"] = "sheet-left"
    midships: int
    bow: int
    """Salvos that the section can fire from the next round on."""
    stern: int
    port: int
    starboard: int
    evasion: int
    sunk: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlotillaLeft(Event):
    """What is left of a destroyer flotilla (22.282, 23.63)."""

    kind: Literal["flotilla-left"] = "flotilla-left"
    destroyers: int
    salvos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AmmunitionSpent(Event):
    """Ammunition factors were spent (20)."""

    kind: Literal["ammunition-spent"] = "ammunition-spent"
    spent: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesFired(Event):
    """A ship has fired her torpedoes (19.3)."""

    kind: Literal["torpedoes-fired"] = "torpedoes-fired"


@dataclass(frozen=True, slots=True, kw_only=True)
class FightersLost(Event):
    """Fighters were shot down (29.3)."""

    kind: Literal["fighters-lost"] = "fighters-lost"
    patrol: int
    escorts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarinesLost(Event):
    """Submarines were lost in their attack (22.17)."""

    kind: Literal["submarines-lost"] = "submarines-lost"
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MerchantsSunk(Event):
    """Merchant ships of a convoy were sunk, or its escort was hit (22.283, 24.5)."""

    kind: Literal["merchants-sunk"] = "merchants-sunk"
    sunk: int
    escort_hits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands(Event):
    """What a ship did on the board, and where she stands now (9.28, 9.5)."""

    kind: Literal["stands"] = "stands"
    hexes: int = 0
    turns: int = 0
    edge: int | None = None
    """The edge that she came from, where it was rolled for."""
    column: int | None = None
    row: int | None = None
    heading: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalBegan(Event):
    """A ship withdraws from now on (9.94)."""

    kind: Literal["withdrawal-began"] = "withdrawal-began"


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalEnded(Event):
    """A ship can no longer withdraw (9.94)."""

    kind: Literal["withdrawal-ended"] = "withdrawal-ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(Event):
    """A reinforcement may enter in the next round (9.41)."""

    kind: Literal["entered"] = "entered"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionRepaired(Event):
    """A ship regained evasion (9.728)."""

    kind: Literal["evasion-repaired"] = "evasion-repaired"
    regained: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRepaired(Event):
    """A ship tried to repair boxes of a section (40)."""

    kind: Literal["section-repaired"] = "section-repaired"
    section: str
    repaired: int
    marked: int
    """Boxes that stay marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuelled(Event):
    """A ship took on ammunition and torpedoes (19.3, 20.6)."""

    kind: Literal["refuelled"] = "refuelled"
    ammunition: int
    torpedoes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprised(Event):
    """A ship tried to surprise a faster one (41)."""

    kind: Literal["surprised"] = "surprised"
    succeeds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    """The next turn of the search board has begun (9.33)."""

    kind: Literal["turn-began"] = "turn-began"


@dataclass(frozen=True, slots=True, kw_only=True)
class FuelLost(Event):
    """A ship lost fuel factors (21)."""

    kind: Literal["fuel-lost"] = "fuel-lost"
    lost: int


OWN_EVENTS = (
    Aimed, SectionReduced, AttackResolved, PartLost, EvasionLost, SheetLeft, FlotillaLeft,
    AmmunitionSpent, TorpedoesFired, PlanesStopped, FightersLost, SubmarinesLost, MerchantsSunk,
    Stands, WithdrawalBegan, WithdrawalEnded, Entered, EvasionRepaired, FuelLost,
    SectionRepaired, Refuelled, Surprised, TurnBegan,
)  # fmt: skip
