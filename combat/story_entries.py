"""The story of a battle: what has happened, in words and in figures."""

from collections.abc import Mapping
from dataclasses import dataclass

from combat.modifiers import Modifier
from combat.previews import Line
from combat.provenance import Provenance
from tabletop.messages import Message
from tabletop.table import Pose


@dataclass(frozen=True, slots=True)
class HitDocument:
    """One hit: where, against which armour, and what came of it."""

    dice: tuple[str, ...]
    location: str | None
    """None where the rules ask for none."""
    part: str
    """The part of the record sheet that was struck: its key, or its kind."""
    place: Message
    """The location, the turret named."""
    armour: str | None
    """Which armour was struck."""
    armour_inches: int | None
    penetration_inches: int | None
    penetrated: bool
    effect: Message
    outcome: Message
    """What its last die decided, in as few words as a key of the dice page has room for."""
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a fire took out of the magazines, and what is left in them."""

    spent: int
    remaining: int


@dataclass(frozen=True, slots=True)
class FireDocument:
    """One fire with its figures, as `dreyer resolve --json` prints them."""

    firer: str
    target: str
    battery: str
    title: Message
    """What players call its guns."""
    guns: int
    turrets: tuple[str, ...]
    range_yards: float
    segment: str | None
    multiplier: float | None
    """The rate of fire at this range."""
    multiplier_rule: str
    gunnery_factor: int
    modifiers: tuple[Modifier, ...]
    modifier_total: int
    dice: str | None
    """None before they have fallen, and where a factor of 0 takes none."""
    row: str | None
    hits: int
    hit_results: tuple[HitDocument, ...]
    ammunition: Rounds
    provenance: Provenance
    """The least certain of everything that the result rests on."""
    hit_odds: Mapping[int, float] | None = None
    """The chance that each number of hits had; None before all dice have fallen."""
    expected_hits: float | None = None


@dataclass(frozen=True, slots=True)
class TorpedoDocument:
    """A salvo of torpedoes that has arrived."""

    launcher: str
    target: str
    torpedoes: int
    hits: int
    hit_odds: Mapping[int, float]
    expected_hits: float


@dataclass(frozen=True, slots=True)
class MoveDocument:
    """Where a ship stands after a move."""

    ship: str
    side: str
    pose: Pose


Document = FireDocument | TorpedoDocument | MoveDocument


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened: a line, and folded beneath it how it came about."""

    kind: str
    line: Line
    children: tuple[Line, ...] = ()
    round_number: int = 0
    segment: int = 0
    ships: tuple[str, ...] = ()
    document: Document | None = None
    """The same in figures, where there are any."""
    complete: bool = True
    """False while dice are still wanted for it."""
