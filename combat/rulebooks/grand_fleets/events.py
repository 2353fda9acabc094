"""The events of Grand Fleets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from combat.events import Event, SourcedEvent
from combat.modifiers import Modifier
from combat.rulebooks.grand_fleets.card import DiceRow, Tube
from combat.rulebooks.grand_fleets.table_files import Marker
from combat.rulebooks.grand_fleets.vessel import Health
from tabletop.arcs import Quadrant
from tabletop.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired(Event):
    """A battery or torpedoes were fired: range, arc, and what hits."""

    kind: Literal["fired"] = "fired"
    weapon: str
    """The card's name for it."""
    range_yards: int
    quadrant: Quadrant
    hits_when: Message
    """The dice that hit: "5 or more"; for torpedoes the totals, "10, 11, 12"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesFired(Event):
    """Torpedoes left their boxes."""

    kind: Literal["torpedoes-fired"] = "torpedoes-fired"
    launched: Mapping[Tube, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HullHit(Event):
    """One hit on a hull."""

    kind: Literal["hull-hit"] = "hull-hit"
    dice: str
    """The die that hit; for a torpedo its damage dice."""
    boxes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HullMarked(SourcedEvent):
    """The hull after all hits of an attack."""

    kind: Literal["hull-marked"] = "hull-marked"
    boxes: int
    """The hull boxes of the hits, even if fewer were left."""
    left: int
    total: int
    health: Health


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthChanged(Event):
    """A set of hull boxes is full."""

    kind: Literal["health-changed"] = "health-changed"
    before: Health
    after: Health


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksDue(Event):
    """Series of damage checks that are still to be rolled."""

    kind: Literal["checks-due"] = "checks-due"
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageChecked(Event):
    """One die of a series of damage checks of the target, or of the acting ship."""

    kind: Literal["damage-checked"] = "damage-checked"
    series: int
    """Its number in this action, from 1."""
    part: str
    """The engines, a battery by its name, or a torpedo by its box: "torpedoes P"."""
    name: Message
    """The title of the part; empty for a torpedo."""
    die: int
    boxes: int
    """The table's result; fewer may be left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsMarked(Event):
    """The losses by damage checks so far of the target, or of the acting ship."""

    kind: Literal["parts-marked"] = "parts-marked"
    speed_lost: int
    dice_lost: Mapping[DiceRow, int]
    torpedoes_lost: Mapping[Tube, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Event):
    """The enemy scores for the target, which is sunk, or for the acting ship, which left."""

    kind: Literal["scored"] = "scored"
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """A ship moved, with the steps of the calculation of her limit."""

    kind: Literal["moved"] = "moved"
    yards: int
    turned: bool
    limits: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedMarkerSet(Event):
    """A ship got the speed marker of her move, or none."""

    kind: Literal["speed-marker-set"] = "speed-marker-set"
    marker: Marker


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRolled(Event):
    """A division has its initiative of this turn."""

    kind: Literal["initiative-rolled"] = "initiative-rolled"
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReturned(Event):
    """A ship is in command again."""

    kind: Literal["command-returned"] = "command-returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfCommand(Event):
    """A ship stays out of command."""

    kind: Literal["out-of-command"] = "out-of-command"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagTaken(Event):
    """A ship takes over the flag of her division."""

    kind: Literal["flag-taken"] = "flag-taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommanderRated(Event):
    """The quality of the commander on board was rolled."""

    kind: Literal["commander-rated"] = "commander-rated"
    quality: str
    modifier: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderDecided(Event):
    """A die for each player decided who begins."""

    kind: Literal["order-decided"] = "order-decided"
    moves_first: str
    fires_first: str
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VictoryJudged(Event):
    """Who has won in an End Phase."""

    kind: Literal["victory-judged"] = "victory-judged"
    winner: str
    """"draw" if both have, empty if nobody has yet."""
    points: tuple[int, int]
    battle_size: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionPriced(Event):
    """What a division costs."""

    kind: Literal["division-priced"] = "division-priced"
    points: int
    """The points of its ships."""
    chosen: str
    cost: int


OWN_EVENTS = (
    Fired, TorpedoesFired, HullHit, HullMarked, HealthChanged, ChecksDue, DamageChecked,
    PartsMarked, Scored, Moved, SpeedMarkerSet, InitiativeRolled, CommandReturned, OutOfCommand,
    FlagTaken, CommanderRated, OrderDecided, VictoryJudged, DivisionPriced,
)  # fmt: skip
