"""What happens in a guided battle besides what free play has."""

from dataclasses import dataclass
from typing import Final, Literal

from combat.events import COMMON_EVENTS, Event, UmpireRolled
from combat.participants import ShipStatus
from combat.rulebooks.grand_fleets.events import OWN_EVENTS
from tabletop.messages import Message
from tabletop.schema import Schema, UnionSchema

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidedEvent(Event):
    """An event of the sequence of play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipEntered(GuidedEvent):
    """A ship takes part; her model waits at the edge."""

    kind: Literal["ship-entered"] = "ship-entered"
    type: str
    side: str
    division: str
    flagship: bool
    x_yards: float
    y_yards: float
    heading_deg: float
    status: ShipStatus = ShipStatus.IN_ACTION


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseBegan(GuidedEvent):
    """A phase of a turn began."""

    kind: Literal["phase-began"] = "phase-began"
    turn: int
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSet(GuidedEvent):
    """Who acts in a phase, in order."""

    kind: Literal["order-set"] = "order-set"
    names: tuple[str, ...]
    rolls: tuple[int, ...] = ()
    """The dice that decided who begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMoved(GuidedEvent):
    """A model came to stand elsewhere: placed, or after a move."""

    kind: Literal["model-moved"] = "model-moved"
    x_yards: float
    y_yards: float
    heading_deg: float
    way: tuple[Point, ...] = ()
    placed: bool = False
    nudged_yards: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAgreed(GuidedEvent):
    """The players agreed on how a move counts that was too close to call."""

    kind: Literal["move-agreed"] = "move-agreed"
    yards: int
    turned: bool
    measured_yards: int
    sigma_yards: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLost(GuidedEvent):
    """A ship got an OUT OF COMMAND marker."""

    kind: Literal["command-lost"] = "command-lost"
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRestored(GuidedEvent):
    """A player took an OUT OF COMMAND marker away."""

    kind: Literal["command-restored"] = "command-restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDoubtful(GuidedEvent):
    """A ship stays in command, though it is too close to call: players may see it otherwise."""

    kind: Literal["command-doubtful"] = "command-doubtful"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagLost(GuidedEvent):
    """Nobody of a division can take over the flag."""

    kind: Literal["flag-lost"] = "flag-lost"
    division: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FireHeld(GuidedEvent):
    """A ship does not fire in this turn."""

    kind: Literal["fire-held"] = "fire-held"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotLost(GuidedEvent):
    """A declared fire is not made: its target was sunk before."""

    kind: Literal["shot-lost"] = "shot-lost"
    title: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSettled(GuidedEvent):
    """The players settled a line of fire."""

    kind: Literal["line-settled"] = "line-settled"
    reason: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesCorrected(GuidedEvent):
    """The umpire set values of a ship right, or of the battle where no ship is named."""

    kind: Literal["values-corrected"] = "values-corrected"
    changes: tuple[Message, ...]
    """Each value with what it was and what it is."""
    reason: str
    status: ShipStatus = ShipStatus.IN_ACTION
    x_yards: float = 0.0
    y_yards: float = 0.0
    heading_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCounted(GuidedEvent):
    """The victory points in an End Phase, by side."""

    kind: Literal["score-counted"] = "score-counted"
    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleEnded(GuidedEvent):
    """The battle is over."""

    kind: Literal["battle-ended"] = "battle-ended"
    why: Message
    winner: str = ""
    """The side; empty where nobody has won."""


GUIDED_EVENTS: Final = (
    ShipEntered, PhaseBegan, OrderSet, ModelMoved, MoveAgreed, CommandLost, CommandDoubtful,
    CommandRestored, FlagLost, FireHeld, ShotLost, LineSettled, ValuesCorrected,
    ScoreCounted, BattleEnded,
)  # fmt: skip
EVENTS: Final[Schema[Event]] = UnionSchema(
    (*COMMON_EVENTS, *OWN_EVENTS, *GUIDED_EVENTS, UmpireRolled), "event"
)


def write_event(event: Event) -> dict[str, object]:
    """An event as JSON, without what is as usual."""
    return EVENTS.write(event)
