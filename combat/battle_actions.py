"""What players do in a guided battle, whatever its rulebook: the actions that all of them share.

An action is a frozen dataclass. Its annotations are what pydantic checks when a request, a journal
row or an export is read (`combat.schema`), and what the API describes. A rulebook adds its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from combat.actions import Action
from combat.dice import FACES, BadDice
from combat.schema import (
    CONFIG,
    FARTHEST_YARDS,
    SERVER_SETS,
    Flag,
    Line,
    Number,
    Reason,
    ShipName,
    SideName,
    StoredAs,
    Whole,
    Yards,
)
from tabletop.arcs import Quadrant
from tabletop.errors import shorten
from tabletop.table import Pose

MOST_DICE_AT_ONCE: Final = 5_000
MOST_SHIPS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseDocument:
    """Where a model stands, in yards and degrees, and how sure that is (1 sigma)."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    x: Yards
    y: Yards
    heading: Annotated[Number, Field(ge=-3600, le=3600)]
    position_sigma: Annotated[Number, Field(ge=0, le=5000)] = 0.0
    heading_sigma: Annotated[Number, Field(ge=0, le=180)] = 0.0


def _read_pose(document: PoseDocument) -> Pose:
    return Pose(
        document.x,
        document.y,
        document.heading,
        document.position_sigma,
        document.heading_sigma,
    )


def _write_pose(pose: Pose) -> dict[str, float]:
    return {
        "x": pose.x_yards,
        "y": pose.y_yards,
        "heading": pose.heading_deg,
        "position_sigma": pose.position_sigma_yards,
        "heading_sigma": pose.heading_sigma_deg,
    }


StoredPose = Annotated[Pose, StoredAs(PoseDocument, _read_pose, _write_pose)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleAction(Action):
    """One thing that somebody does; side None is the umpire, who may act for anybody."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    side: Annotated[SideName | None, SERVER_SETS] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(BattleAction):
    """A ship's secret order, which may be written anew until its side commits."""

    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(BattleAction):
    """A side's last word in a step whose orders are secret; the last side's opens them all."""

    kind: Literal["commit"] = "commit"
    for_side: SideName | None = None
    """The side that an umpire commits; without one, every side that has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncommit(BattleAction):
    """A commitment taken back, while another side has not made its own."""

    kind: Literal["uncommit"] = "uncommit"
    for_side: SideName | None = None
    """The side whose commitment an umpire takes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(BattleAction):
    """The models are where they belong; whatever is not named counts as plotted."""

    kind: Literal["move"] = "move"
    poses: Annotated[Mapping[ShipName, StoredPose], Field(max_length=MOST_SHIPS)] = field(
        default_factory=dict
    )
    accept: Annotated[tuple[ShipName, ...], Field(max_length=MOST_SHIPS)] = ()
    """Ships whose model stands elsewhere and is to count as it stands."""
    accept_all: Flag = False
    """Whether every model is to count as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(BattleAction):
    """A line of fire settled by the players; without any figure it counts as measured again."""

    kind: Literal["rule"] = "rule"
    firer: ShipName
    target: ShipName
    range_yards: Annotated[Number, Field(ge=0, le=FARTHEST_YARDS)] | None = None
    quadrant: Quadrant | None = None
    """Where the target lies about the firer."""
    aspect: Quadrant | None = None
    """Where the firer lies about the target."""
    blocked: Flag | None = None
    smoke: Flag | None = None
    reason: Annotated[Reason, Field(max_length=120)] = ""
    who: Annotated[Reason, Field(max_length=60), SERVER_SETS] = ""


class DiceSource(StrEnum):
    """How dice came in."""

    TYPED = "typed"
    ROLLED = "rolled"
    KEPT = "kept"
    """They fell before an undo."""


class RolledBy(StrEnum):
    """Who rolled."""

    SERVER = "server"
    PLAYER = "player"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One roll of those that were entered: what fell, what for, and whose it is."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    value: str
    purpose: str
    """By true names, with the fire it belongs to: "Hood at Bismarck: the location of hit 2"."""
    side: SideName | None = None
    by: RolledBy | None = None
    """None where nobody knows any more: the dice fell before an undo."""


_ROLLED_BY: Final = {DiceSource.TYPED: RolledBy.PLAYER, DiceSource.ROLLED: RolledBy.SERVER}


def _check_dice(values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        raise BadDice("dice: none given; type at least the next roll")
    if len(values) > MOST_DICE_AT_ONCE:
        raise BadDice(f"dice: {len(values)} at once; give at most {MOST_DICE_AT_ONCE}")
    for place, value in enumerate(values, start=1):
        if value not in _ROLLS:
            raise BadDice(
                f"dice: number {place} is {shorten(value)}; write a pair as two digits from 1 to 6 "
                "and a single die as one, such as 34 or 5"
            )
    return values


_FACES: Final = [str(face) for face in range(1, FACES + 1)]
_ROLLS: Final = frozenset((*_FACES, *(first + second for first in _FACES for second in _FACES)))


_DICE_SCHEMA: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[1-6]{1,2}$"},
    "minItems": 1,
    "maxItems": MOST_DICE_AT_ONCE,
}
DiceValues = Annotated[tuple[str, ...], AfterValidator(_check_dice), WithJsonSchema(_DICE_SCHEMA)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterDice(BattleAction):
    """Dice that have fallen, in the order in which they are wanted; as many as there are."""

    kind: Literal["dice"] = "dice"
    values: DiceValues
    """Two figures are a pair (coloured, white), one figure is one die; `wanted` says which."""
    first: Annotated[Annotated[Whole, Field(ge=1, le=1_000_000)] | None, Field(alias="from")] = None
    """The number of the first roll, as in `wanted`: refused where somebody was faster."""
    how: Annotated[DiceSource, SERVER_SETS] = DiceSource.TYPED
    rolls: Annotated[tuple[Roll, ...], SERVER_SETS] = ()
    """The same dice one by one, as they were asked for; none in journals of version 0.1.0."""

    @property
    def by(self) -> RolledBy | None:
        """Who rolled them."""
        return _ROLLED_BY.get(self.how)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(BattleAction):
    """A side has marked its damage; when all have, the next segment begins."""

    kind: Literal["mark"] = "mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(BattleAction):
    """A ship leaves the battle."""

    kind: Literal["withdraw"] = "withdraw"
    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(BattleAction):
    """A player turns his own ship up before a rule does."""

    kind: Literal["reveal"] = "reveal"
    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class EndBattle(BattleAction):
    """One side wants to end the battle; it ends when both do, or when the umpire says so."""

    kind: Literal["end"] = "end"
    reason: Annotated[Line, Field(min_length=1, max_length=120)] = "by agreement"
    agree: Flag = True
    """False takes the wish back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSetup:
    """How a battle begins, as every rulebook has it; each adds ships, weather and options."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    title: Annotated[Line, Field(min_length=1, max_length=80)] = "Battle"
    sides: tuple[SideName, ...] = ()
    """As the ships have them, where none is named."""
    allies: tuple[tuple[SideName, SideName], ...] = ()
    """Pairs of sides that fight together."""
    order_of_fire: tuple[SideName, ...] = ()
    """Whose fire is resolved before whose, where the rulebook has an order."""
    hidden: Flag = False
    """Whether the ships begin face down, as numbers."""
