"""What players do in a guided battle, whatever its rulebook: the actions that all of them share.

An action is a frozen dataclass. Its annotations are what pydantic checks when a request, a journal
row or an export is read (`tabletop.schema`), and what the API describes. A rulebook adds its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from combat.actions import Action
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.schema import (
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
from tabletop.table import Base, Pose, SmokeFront

MOST_SHIPS: Final = 60
HiddenNumber = Annotated[Whole, Field(ge=1, le=999)]
"""Of the marker of a ship that is hidden."""


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
class Secret(BattleAction):
    """What a side does on its own, and nobody else may know that it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Secret):
    """A ship's secret order, which may be written anew until its side commits."""

    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(BattleAction):
    """A side's last word in a step whose orders are secret; the last one has them played."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDice(BattleAction):
    """Dice are rolled in the order in which they are wanted: as many as there are, or as it needs.

    The dice themselves are passed to `play` beside it.
    """

    kind: Literal["dice"] = "dice"
    first: Annotated[Annotated[Whole, Field(ge=1, le=1_000_000)] | None, Field(alias="from")] = None
    """The number of the first roll, as in `wanted`: refused where somebody was faster."""


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
class StartingMarks:
    """The marks that a ship begins a battle with; each rulebook has its own."""


@dataclass(frozen=True, slots=True)
class BattleOptions:
    """The optional rules that a battle is played with; each rulebook has its own.

    The fields are flags that are declared with `combat.questions.QuestionInfo`.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A ship that is to take part in a battle."""

    name: str
    type: str | None = None
    """The known ship that she is; the one of her name, where None."""
    side: str
    pose: Pose
    base: Base | None = None
    """As the rulebook has it, where None."""
    number: int | None = None
    """By which she is known while she is hidden."""
    marks: StartingMarks | None = None
    """None where she is fresh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingConditions:
    """The weather and the range that a battle begins with."""

    visibility: Visibility = 2
    night: bool = False
    starting_range_yards: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierBattles:
    """The battles that a battle follows, with the ships that came out of them."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    campaign: Annotated[Line, Field(min_length=1, max_length=80)]
    """The title of the first of them."""
    previous: Annotated[Line, Field(min_length=1, max_length=80)]
    """The title of the last."""
    number: Annotated[Whole, Field(ge=2, le=999)]
    """The how many-th battle this one is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How a battle is to begin, before a rulebook has checked it."""

    title: str
    sides: tuple[str, ...]
    allies: tuple[tuple[str, str], ...] = ()
    """Pairs of sides that fight together."""
    order_of_fire: tuple[str, ...] = ()
    """Whose fire is resolved before whose; the rulebook's own order where none is named."""
    ships: tuple[Entrant, ...]
    smoke: tuple[SmokeFront, ...] = ()
    """Fronts that lie on the table already."""
    conditions: StartingConditions
    options: BattleOptions | None = None
    """None is the rulebook's usual game."""
    hidden: bool = False
    """Whether the ships begin face down, as numbers."""
    follows: EarlierBattles | None = None
    """None where no ship comes out of another battle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSetup:
    """How a battle begins, as every rulebook has it; each adds ships, weather and its options."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    title: Annotated[Line, Field(min_length=1, max_length=80)] = "Battle"
    sides: tuple[SideName, ...] = ()
    """As the ships have them, where none is named."""
    allies: tuple[tuple[SideName, SideName], ...] = ()
    """Pairs of sides that fight together."""
    order_of_fire: tuple[SideName, ...] = ()
    """Whose fire is resolved before whose, where the rulebook has an order."""
    options: BattleOptions = field(default_factory=BattleOptions)
    hidden: Flag = False
    """Whether the ships begin face down, as numbers."""
    follows: EarlierBattles | None = None
    """None where no ship comes out of another battle."""
