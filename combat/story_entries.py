"""The entries of a battle's story, as text and as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from combat.modifiers import Modifier
from combat.previews import Line
from combat.provenance import Provenance
from tabletop.messages import Message
from tabletop.table import Pose


@dataclass(frozen=True, slots=True)
class HitDocument:
    """One hit: its location, the armour, and its effect."""

    dice: tuple[str, ...]
    location: str | None
    """None if the rules need none."""
    part: str
    """The key or kind of the part of the record sheet that was hit."""
    place: Message
    """The location in words, with the turret's name."""
    armour: str | None
    """The armour that was hit."""
    armour_inches: int | None
    penetration_inches: int | None
    penetrated: bool
    effect: Message
    outcome: Message
    """The result of its last die, short enough for a button of the dice page."""
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Rounds:
    """The ammunition that a fire used, and what remains."""

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
    """None before they are rolled, and if a factor of 0 needs none."""
    row: str | None
    hits: int
    hit_results: tuple[HitDocument, ...]
    ammunition: Rounds
    provenance: Provenance
    """The worst provenance of all values that the result depends on."""
    hit_odds: Mapping[int, float] | None = None
    """The probability of each number of hits; None before all dice are rolled."""
    expected_hits: float | None = None


@dataclass(frozen=True, slots=True)
class VolleyDocument:
    """Several shots or torpedoes at once, each of which hits or misses."""

    firer: str
    target: str
    shots: int
    hits: int
    hit_odds: Mapping[int, float]
    expected_hits: float


@dataclass(frozen=True, slots=True)
class MoveDocument:
    """A ship's pose after a move."""

    ship: str
    side: str
    pose: Pose


Document = FireDocument | VolleyDocument | MoveDocument


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a line, and below it the lines with details."""

    kind: str
    line: Line
    children: tuple[Line, ...] = ()
    round_number: int = 0
    segment: int = 0
    ships: tuple[str, ...] = ()
    document: Document | None = None
    """The entry as data, if it has any."""
    complete: bool = True
    """False while dice are still wanted for it."""
