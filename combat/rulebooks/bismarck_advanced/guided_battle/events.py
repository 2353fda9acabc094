"""What an action of the guided battle has led to, as typed events.

Fire gives the same events as in free play (`fire.events`). Ships are named by their true
names; whoever shows events to a side shows them as that side may know them (`story`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final, Literal

from combat.battle_history import ShipPosition
from combat.events import PLAYED_ONLY, Departed, Event, SourcedEvent, Sunk, UmpireRolled
from combat.guided_actions import EarlierBattles
from combat.guided_play import StepKind
from combat.participants import ShipStatus
from combat.rulebooks.bismarck_advanced.fire.events import OWN_EVENTS as FIRE_EVENTS
from combat.rulebooks.bismarck_advanced.fire.events import Fired, TorpedoesRan
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import Conditions
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.movement.smoke import SmokeSide
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.rulebooks.bismarck_data.air_waves import Bomber
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.messages import NO_WORDS, Message
from tabletop.movement import Path
from tabletop.rulings import Figures
from tabletop.schema import Schema, UnionSchema


@dataclass(frozen=True, slots=True)
class Sight:
    """How an enemy lies for a ship after a move."""

    target: str
    range_yards: float
    quadrant: Quadrant | None
    blocked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleBegan(Event):
    """The battle began (55)."""

    kind: Literal["battle-began"] = "battle-began"
    rule: str = "55"
    title: str
    visibility: Visibility
    night: bool = False
    options: tuple[str, ...] = ()
    """The keys of the optional rules that are played with."""
    follows: EarlierBattles | None = None
    """The battles before it, where its ships come out of them (68)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipEntered(Event):
    """A ship took part from the beginning: whose she is, and where she stood."""

    kind: Literal["ship-entered"] = "ship-entered"
    rule: str = "55"
    side: str
    x_yards: float
    y_yards: float
    heading_deg: float
    status: ShipStatus = ShipStatus.IN_ACTION


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipsArranged(Event):
    """Two hidden ships of a side changed number and place before the first move (55.11)."""

    kind: Literal["ships-arranged"] = "ships-arranged"
    rule: str = "55.11"


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeLaid(Event):
    """A smoke front lies on the table (67.65); nobody laid it where it lay there at first."""

    kind: Literal["smoke-laid"] = "smoke-laid"
    rule: str = "67.65"
    x1_yards: float
    y1_yards: float
    x2_yards: float
    y2_yards: float
    last: CombatPhase
    """The combat phase after which it is removed (67.653)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotWritten(Event):
    """A side wrote a ship's plot (56.1), in secret."""

    kind: Literal["plot-written"] = "plot-written"
    rule: str = "56.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FireDesignated(Event):
    """A side chose a ship's targets (61.1); it stays secret until all are opened."""

    kind: Literal["fire-designated"] = "fire-designated"
    rule: str = "61.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateChosen(Event):
    """A side chose a ship's rates of fire (67.41); it stays secret until all have committed."""

    kind: Literal["rate-chosen"] = "rate-chosen"
    rule: str = "67.41"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateReduced(Event):
    """A fire at a reduced rate lies open (67.41), before its first die."""

    kind: Literal["rate-reduced"] = "rate-reduced"
    rule: str = "67.41"
    battery: Battery
    guns: Mapping[str, int]
    """How many guns fire of each turret that fires with fewer than it could."""
    firing: int
    """How many guns of all its turrets fire."""
    held_back: int
    """How many more could (67.42)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotOpened(Event):
    """A ship's plot lies open to all (57.6): her speed, and what was written."""

    kind: Literal["plot-opened"] = "plot-opened"
    rule: str = "57.5"
    speed: int
    notation: str
    follows: str | None = None
    """The ship ahead, where she follows one."""
    evolution: Evolution = Evolution.STEADY
    smoke_cover: bool = False
    smoke_front: SmokeSide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesLaunched(Event):
    """A ship launched torpedoes (69.5); at whom, her own side alone may know (69.4)."""

    kind: Literal["torpedoes-launched"] = "torpedoes-launched"
    rule: str = "69.5"
    torpedoes: int
    range_yards: float
    due: CombatPhase


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed(Event):
    """A side gave its last word in a step."""

    kind: Literal["committed"] = "committed"
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentTakenBack(Event):
    """A side took its last word back."""

    kind: Literal["commitment-taken-back"] = "commitment-taken-back"
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegan(Event):
    """The next step of the sequence of play began (56)."""

    kind: Literal["step-began"] = "step-began"
    rule: str = "56"
    step: StepKind
    round_number: int
    segment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """A ship moved (56.2): where she stands, how she came there, and how her enemies lie.

    The enemies come by range, the nearest first.
    """

    kind: Literal["moved"] = "moved"
    rule: str = "56.2"
    x_yards: float
    y_yards: float
    heading_deg: float
    position_sigma_yards: float = 0.0
    heading_sigma_deg: float = 0.0
    speed: int
    path: Path = field(metadata=PLAYED_ONLY)
    """The way that her plot led."""
    sights: tuple[Sight, ...] = field(default=(), metadata=PLAYED_ONLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedByAgreement(Event):
    """A model stands elsewhere than its plot leads, and the players agree to that (56.2)."""

    kind: Literal["placed-by-agreement"] = "placed-by-agreement"
    rule: str = "56.2"
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Collided(Event):
    """Two ships ran into each other (59.1)."""

    kind: Literal["collided"] = "collided"
    rule: str = "59.1"


@dataclass(frozen=True, slots=True)
class StrikeStep:
    """One roll of an air strike in words."""

    words: Message
    rule: str


class RevealedBy(StrEnum):
    """What turned a hidden ship up."""

    FIRED = "fired"
    CLOSED = "closed"
    OWN_SIDE = "own-side"
    SUNK = "sunk"
    AIR = "air"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Event):
    """A hidden ship was turned up (67.1)."""

    kind: Literal["revealed"] = "revealed"
    rule: str = "67.1"
    label: str
    """The number that hid her."""
    by: RevealedBy
    why: Message = NO_WORDS
    """In more words, where rule 67.12 has turned her up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NobodyFired(Event):
    """A combat phase passed without any fire (56.3)."""

    kind: Literal["nobody-fired"] = "nobody-fired"
    rule: str = "56.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slowed(Event):
    """Damage (58.8) or a collision (59.1) slowed a ship in this round."""

    kind: Literal["slowed"] = "slowed"
    was: int
    speed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FireResolved(Event):
    """The last die of a combat phase has fallen: all its damage counts from now on (62.2)."""

    kind: Literal["fire-resolved"] = "fire-resolved"
    rule: str = "62.2"
    sunk: tuple[str, ...] = ()
    """Every ship that it has sunk."""
    order: tuple[str, ...] = ()
    """The ships that fired, in the order in which their fire is told (62.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeOrdered(Event):
    """A wave of bombers was sent against a ship (9.14, 27.5)."""

    kind: Literal["strike-ordered"] = "strike-ordered"
    rule: str = "27.5"
    side: str
    bomber: Bomber
    planes: int
    antiaircraft: int
    """The whole strength that it meets, a port's with it."""
    in_port: bool = False
    zones_to_base: int | None = None
    """For a land-based unit, whose planes are rolled for (27.36)."""
    stopped_by_fighters: int = 0
    """The bombers that fighters on patrol stop, as many as there are (28.82)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeFlown(SourcedEvent):
    """A wave of bombers has attacked a ship, and its damage counts (27.56)."""

    kind: Literal["strike-flown"] = "strike-flown"
    rule: str = "27.5"
    side: str
    bomber: Bomber
    planes: int
    stopped: int
    lost: int
    hits: int
    hull_boxes: int
    movement_factors: int
    steps: tuple[StrikeStep, ...] = ()
    """Every roll in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSettled(Event):
    """The players settled a line of fire; figures that say nothing count as measured again."""

    kind: Literal["line-settled"] = "line-settled"
    figures: Figures
    reason: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Event):
    """The umpire corrected values of a ship, or of the battle."""

    kind: Literal["corrected"] = "corrected"
    values: tuple[str, ...]
    """Their names."""
    conditions: Conditions | None = None
    """What holds for the whole battle from now on; None where a ship was corrected."""
    reason: str
    standing: ShipPosition | None = None
    """The ship after it; None where values of the battle were corrected."""
    changes: tuple[Message, ...] = ()
    """What each of the values was, and what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairTried(Event):
    """A repair was tried after the battle (68)."""

    kind: Literal["repair-tried"] = "repair-tried"
    section: Message
    die: int
    repaired: int
    result: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairedInPort(Event):
    """A ship was repaired in port after the battle, without a die (40.5)."""

    kind: Literal["repaired-in-port"] = "repaired-in-port"
    section: Message
    turns: int
    repaired: int
    result: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuelled(Event):
    """A ship refuelled after the battle (19.3, 20.6)."""

    kind: Literal["refuelled"] = "refuelled"
    turns: int
    torpedoes: bool
    ammunition: int
    result: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class EndWished(Event):
    """A side wants to end the battle, or no longer wants to."""

    kind: Literal["end-wished"] = "end-wished"
    side: str
    agree: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleEnded(Event):
    """The battle is over (56)."""

    kind: Literal["battle-ended"] = "battle-ended"
    rule: str = "56"
    reason: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftThePlay(Event):
    """A damaged destroyer is out of play when the battle is over (70.6)."""

    kind: Literal["left-the-play"] = "left-the-play"
    rule: str = "70.6"
    why: Message


OWN_EVENTS: tuple[type[Event], ...] = (
    BattleBegan, ShipEntered, ShipsArranged, SmokeLaid, PlotWritten, FireDesignated, RateChosen,
    RateReduced, PlotOpened,
    TorpedoesLaunched, Committed, CommitmentTakenBack, StepBegan, Moved, PlacedByAgreement,
    Collided, Revealed, NobodyFired, Slowed, FireResolved,
    StrikeOrdered, StrikeFlown, LineSettled, Corrected, RepairTried, RepairedInPort, Refuelled,
    EndWished, BattleEnded,
    LeftThePlay, Sunk, Departed, UmpireRolled,
)  # fmt: skip


_PLAYED_ONLY: Final = {
    type_: frozenset(each.name for each in fields(type_) if each.metadata == PLAYED_ONLY)
    for type_ in (*OWN_EVENTS, *FIRE_EVENTS)
}
EVENTS: Final[Schema[Event]] = UnionSchema((*OWN_EVENTS, *FIRE_EVENTS), "events")
"""Reads and writes the events of a guided battle."""


def write_event(event: Event, *, brief: bool = False) -> dict[str, object]:
    """An event as JSON, without what is as usual.

    In brief it has no fields that only playing gives, and a ledger has its numbers alone: twenty
    ships fire some forty times a round.
    """
    written = EVENTS.write(event)
    if not brief:
        return written
    kept = {key: value for key, value in written.items() if key not in _PLAYED_ONLY[type(event)]}
    if isinstance(event, Fired | TorpedoesRan):
        ledger = {str(each.number): each.value for each in event.modifiers if each.value}
        kept["modifiers"] = ledger
    return kept
