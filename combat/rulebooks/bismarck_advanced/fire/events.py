"""The events of fire: who fired with what, where each shell or torpedo struck, and what it did.

Rule numbers are those under which a line of the story stands. An event that a hit makes follows
its `HitScored`; `resolve_hit` makes it without ships, and whoever plays the fire names them.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from combat.events import PLAYED_ONLY, Event, SourcedEvent
from combat.modifiers import Modifier
from combat.rulebooks.bismarck_advanced.combat_tables import Location
from combat.rulebooks.bismarck_advanced.conversion import Hexes
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_data.events import PlanesStopped
from tabletop.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired(SourcedEvent):
    """A gun type fired at a target: its strength, its ledger, its roll (61, 62)."""

    kind: Literal["fired"] = "fired"
    rule: str = "61.1"
    battery: Battery
    guns: int
    turrets: tuple[str, ...]
    range_yards: float
    band: RangeBand | None
    multiplier: float | None = None
    """The rate of fire at this range (62.43)."""
    factor: int
    modifiers: tuple[Modifier, ...]
    dice: str | None
    """None if no dice are needed: a factor of 0, no roll can hit, or the target is sunk already."""
    row: str | None
    """The row of the Hit Table."""
    hits: int
    sunk_before: bool = False
    """Whether other fire of the segment had sunk the target, so that nothing was rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitScored(SourcedEvent):
    """A shell hit: its location, the armour, and whether it penetrated (63)."""

    kind: Literal["hit-scored"] = "hit-scored"
    number: int
    dice: tuple[str, ...]
    location: Location | None
    """None if the Damage Table is not consulted (70.2)."""
    place: Message
    """The location in words, with the turret's name."""
    armour: ArmourCode | None
    armour_inches: int | None
    penetration_inches: int | None
    penetrated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurretHit(Event):
    """A main turret was not penetrated and lost boxes (64.31)."""

    kind: Literal["turret-hit"] = "turret-hit"
    rule: str = "64.31"
    turret: str
    quarters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurretDestroyed(Event):
    """A main turret is destroyed (64.32), or by a special table."""

    kind: Literal["turret-destroyed"] = "turret-destroyed"
    turret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurretOut(Event):
    """A main turret cannot fire for some combat phases, or for the rest of the battle."""

    kind: Literal["turret-out"] = "turret-out"
    turret: str
    phases: int | None
    """None for the rest of the battle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondaryOut(Event):
    """A secondary turret is destroyed (64.35)."""

    kind: Literal["secondary-out"] = "secondary-out"
    rule: str = "64.35"
    turret: str


class HullMark(StrEnum):
    """The cause of hull marks."""

    HIT = "hit"
    OVERFLOW = "overflow"
    """No superstructure box was left (64.5)."""
    BESIDES = "besides"
    """Two asterisks in the Damage Table: the hull is hit as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HullHit(Event):
    """Hull boxes are marked (64.3)."""

    kind: Literal["hull-hit"] = "hull-hit"
    quarters: int
    why: HullMark = HullMark.HIT


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperstructureHit(Event):
    """Superstructure boxes are marked (64.5)."""

    kind: Literal["superstructure-hit"] = "superstructure-hit"
    quarters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RadarOut(Event):
    """The radar is lost (64.5, optional)."""

    kind: Literal["radar-out"] = "radar-out"
    rule: str = "64.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorOut(Event):
    """The main fire control director is destroyed (64.71)."""

    kind: Literal["director-out"] = "director-out"
    rule: str = "64.71"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotOut(Event):
    """The plotting room is destroyed (64.71)."""

    kind: Literal["plot-out"] = "plot-out"
    rule: str = "64.71"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedLost(Event):
    """Movement factors are lost (58.2)."""

    kind: Literal["speed-lost"] = "speed-lost"
    factors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RudderHit(Event):
    """The rudder is damaged until it is repaired (64.72, 68.1)."""

    kind: Literal["rudder-hit"] = "rudder-hit"
    fault: RudderFault


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandHit(Event):
    """The conning tower is hit: her fire has a modifier from now on (64.72)."""

    kind: Literal["command-hit"] = "command-hit"
    modifier: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseHeld(Event):
    """She may not turn in the next movement phase (64.72)."""

    kind: Literal["course-held"] = "course-held"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedHeld(Event):
    """She may not change her speed in the next round (64.72)."""

    kind: Literal["speed-held"] = "speed-held"


class NoEffectReason(StrEnum):
    """Why a hit, or a part of it, had no effect."""

    NO_SUCH_TURRET = "no-such-turret"
    NO_SECONDARY = "no-secondary"
    TURRET_GONE = "turret-gone"
    TURRETS_GONE = "turrets-gone"
    """All that the die could have chosen."""
    SECONDARY_GONE = "secondary-gone"
    SECONDARIES_GONE = "secondaries-gone"
    """All that the die could have chosen."""
    CONTROL_GONE = "control-gone"
    CONTROL_SPARED = "control-spared"
    NOTHING_MORE = "nothing-more"
    ARMOUR_HELD = "armour-held"
    STOPPED_ALREADY = "stopped-already"
    NOTHING_NEW = "nothing-new"
    """Whatever the special table could bring she has already."""
    SUNK_ALREADY = "sunk-already"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoEffect(Event):
    """A hit, or a part of it, had no effect."""

    kind: Literal["no-effect"] = "no-effect"
    why: NoEffectReason
    turret: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmmunitionSpent(Event):
    """The ammunition that a fire used (65)."""

    kind: Literal["ammunition-spent"] = "ammunition-spent"
    rule: str = "65"
    battery: Battery
    spent: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GunsJammed(Event):
    """A ship rolled for jams (71)."""

    kind: Literal["guns-jammed"] = "guns-jammed"
    dice: str
    turret: str | None
    guns: int
    permanent: bool
    result: Message = field(metadata=PLAYED_ONLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesRan(SourcedEvent):
    """A salvo of torpedoes reached its receiver (69): its ledger and its roll."""

    kind: Literal["torpedoes-ran"] = "torpedoes-ran"
    rule: str = "69.2"
    torpedoes: int
    reception: Message
    """Why it is this ship that they meet."""
    reception_rule: str
    modifiers: tuple[Modifier, ...]
    dice: str | None
    """None if no dice are needed: every roll gives the same hits, or the receiver is sunk."""
    row: str | None
    column: str
    """Of the torpedo table."""
    hits: int
    hull_boxes: int
    movement_factors: int
    sunk_before: bool = False
    """Whether fire of the segment had sunk the receiver, so that nothing was rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoStruck(SourcedEvent):
    """One torpedo struck, and what it did (69.2, 72.2)."""

    kind: Literal["torpedo-struck"] = "torpedo-struck"
    number: int
    die: int | None
    """None where no die is needed: for a destroyer (70.2), or a ship that sinks anyhow."""
    hull_boxes: int
    movement_factors: int
    sunk: bool
    effect: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class AirHit(SourcedEvent):
    """A plane hit, with a bomb or a torpedo, and what it did (27.55, 72.2)."""

    kind: Literal["air-hit"] = "air-hit"
    number: int
    """Of the plane, among those that got through."""
    die: int | None
    """None where no die is needed: for a destroyer under torpedoes (70.2), or a ship that sinks
    anyhow."""
    hull_boxes: int
    movement_factors: int
    sunk: bool
    effect: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesSpent(Event):
    """A ship fired her torpedoes, which she does once (19.3)."""

    kind: Literal["torpedoes-spent"] = "torpedoes-spent"
    rule: str = "19.3"
    torpedoes: int
    range_yards: float
    hexes: Hexes
    """The half of the torpedo table that the range gives (69.3)."""


OWN_EVENTS: tuple[type[Event], ...] = (
    Fired, HitScored, TurretHit, TurretDestroyed, TurretOut, SecondaryOut, HullHit,
    SuperstructureHit, RadarOut, DirectorOut, PlotOut, SpeedLost, RudderHit, CommandHit, CourseHeld,
    SpeedHeld, NoEffect, AmmunitionSpent, GunsJammed, TorpedoesRan, TorpedoStruck,
    TorpedoesSpent, AirHit, PlanesStopped,
)  # fmt: skip
