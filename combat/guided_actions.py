"""The actions of a guided battle that all rulebooks share, and the opening of a battle.

An action is a frozen dataclass. Pydantic checks its annotations when a request, a journal row or
an export is read (`tabletop.schema`), and the API's description is made from them. Each rulebook
adds its own actions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from combat.actions import Action
from combat.dice_wanted import DiceReach
from combat.ships import ShipType
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
DivisionName = Annotated[Line, Field(min_length=1, max_length=40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseDocument:
    """A model's pose in yards and degrees, with its uncertainty (1 sigma)."""

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
    """The base class; side None is the umpire, who may act for any side."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    side: Annotated[SideName | None, SERVER_SETS] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret(BattleAction):
    """An action of one side that the other sides may not know of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Secret):
    """A ship's secret order, which may be changed until its side commits."""

    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(BattleAction):
    """A side's orders of a step are complete; when all sides have committed, they are played."""

    kind: Literal["commit"] = "commit"
    for_side: SideName | None = None
    """The side that an umpire commits; None for every side that has not committed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncommit(BattleAction):
    """Undo a commitment, while another side has not committed."""

    kind: Literal["uncommit"] = "uncommit"
    for_side: SideName | None = None
    """The side whose commitment an umpire undoes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(BattleAction):
    """The models have been moved; ships without a pose are where they were plotted."""

    kind: Literal["move"] = "move"
    poses: Annotated[Mapping[ShipName, StoredPose], Field(max_length=MOST_SHIPS)] = field(
        default_factory=dict
    )
    accept: Annotated[tuple[ShipName, ...], Field(max_length=MOST_SHIPS)] = ()
    """Ships whose model's actual position is accepted although it is not the plotted one."""
    accept_all: Flag = False
    """Whether every model's actual position is accepted."""
    as_plotted: Annotated[tuple[ShipName, ...], Field(max_length=MOST_SHIPS)] = ()
    """Ships that count where they were plotted, wherever their model was seen or put."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(BattleAction):
    """Figures that the players agreed on for a line of fire; without any, it is as measured."""

    kind: Literal["rule"] = "rule"
    firer: ShipName
    target: ShipName
    range_yards: Annotated[Number, Field(ge=0, le=FARTHEST_YARDS)] | None = None
    quadrant: Quadrant | None = None
    """The firer's quadrant that the target lies in."""
    aspect: Quadrant | None = None
    """The target's quadrant that the firer lies in."""
    blocked: Flag | None = None
    smoke: Flag | None = None
    reason: Annotated[Reason, Field(max_length=120)] = ""
    who: Annotated[Reason, Field(max_length=60), SERVER_SETS] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDice(BattleAction):
    """Roll dice: as many as are given or needed, beginning with a roll that is wanted.

    The dice themselves are an argument of `play`.
    """

    kind: Literal["dice"] = "dice"
    first: Annotated[Annotated[Whole, Field(ge=1, le=1_000_000)] | None, Field(alias="from")] = None
    """The number of the first roll, as in `wanted`; refused if it has been rolled meanwhile."""
    roll: Annotated[Line, Field(max_length=40)] | None = None
    """The roll that they begin with, as in `wanted`: refused if it is no longer that roll."""
    only: Flag = False
    """Whether they end with what that roll is for, such as a fire; otherwise they go on."""
    sides: tuple[SideName, ...] | None = None
    """Whose dice they may be; anybody's if null."""

    @property
    def reach(self) -> DiceReach:
        """How far the dice are used."""
        sides = None if self.sides is None else frozenset(self.sides)
        return DiceReach(self.roll, self.only, sides)


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
    """A player reveals his own ship before a rule does."""

    kind: Literal["reveal"] = "reveal"
    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class EndBattle(BattleAction):
    """A side wants to end the battle. It ends when all sides agree, or by the umpire."""

    kind: Literal["end"] = "end"
    reason: Annotated[Line, Field(min_length=1, max_length=120)] = "by agreement"
    agree: Flag = True
    """False withdraws the wish."""


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
    """The name of her type; None for the type with her own name."""
    side: str
    pose: Pose
    base: Base | None = None
    """None for the rulebook's base."""
    number: int | None = None
    """The number that is shown while she is hidden."""
    marks: StartingMarks | None = None
    """None if she is undamaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredDivision:
    """Ships that sail under one commander, as a battle is to begin."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    name: DivisionName
    side: SideName
    flagship: ShipName
    ships: Annotated[tuple[ShipName, ...], Field(min_length=1, max_length=MOST_SHIPS)]
    quality: Annotated[Line, Field(min_length=1, max_length=40)] | None = None
    """The commander's, where it is chosen; rolled for where None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetLimits:
    """What the fleets of a battle keep to, where a rulebook counts points."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    battle_size: Annotated[Line, Field(min_length=1, max_length=40)] = "medium"
    year: Annotated[Whole, Field(ge=1850, le=1999)] | None = None
    """No ship of a later year takes part; None where it is any year."""
    checked: Flag = True
    """Whether fleets and divisions are held to the limits; a scenario may go its own way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingConditions:
    """The weather and the range that a battle begins with."""

    visibility: Visibility = 2
    night: bool = False
    starting_range_yards: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierBattles:
    """The earlier battles of a series, whose surviving ships continue in this one."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    campaign: Annotated[Line, Field(min_length=1, max_length=80)]
    """The title of the first battle."""
    previous: Annotated[Line, Field(min_length=1, max_length=80)]
    """The title of the battle before this one."""
    number: Annotated[Whole, Field(ge=2, le=999)]
    """The number of this battle in the series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The beginning of a battle, not yet checked by a rulebook."""

    title: str
    sides: tuple[str, ...]
    allies: tuple[tuple[str, str], ...] = ()
    """Pairs of allied sides."""
    order_of_fire: tuple[str, ...] = ()
    """The order in which the sides' fire is resolved; empty for the rulebook's order."""
    side_names: Mapping[str, str] = field(default_factory=dict)
    """What the players call the sides, by their keys."""
    ships: tuple[Entrant, ...]
    smoke: tuple[SmokeFront, ...] = ()
    """Fronts that are on the table already."""
    conditions: StartingConditions
    options: BattleOptions | None = None
    """None is the rulebook's usual game."""
    hidden: bool = False
    """Whether the ships begin hidden, shown as numbers."""
    follows: EarlierBattles | None = None
    """None if no ship comes from an earlier battle."""
    divisions: tuple[EnteredDivision, ...] = ()
    """Empty for those that the rulebook proposes, in a rulebook that has divisions."""
    limits: FleetLimits | None = None
    """None for the rulebook's limits."""
    table_yards: tuple[float, float] | None = None
    """The width and depth of the table; None if unknown."""
    cards: tuple[ShipType, ...] = ()
    """Cards that players have written, of types that take part; they count to the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSetup:
    """How a battle begins, as every rulebook has it; each adds ships, weather and its options."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    title: Annotated[Line, Field(min_length=1, max_length=80)] = "Battle"
    sides: tuple[SideName, ...] = ()
    """Empty for the sides of the ships."""
    allies: tuple[tuple[SideName, SideName], ...] = ()
    """Pairs of allied sides."""
    order_of_fire: tuple[SideName, ...] = ()
    """Whose fire is resolved before whose, where the rulebook has an order."""
    options: BattleOptions = field(default_factory=BattleOptions)
    hidden: Flag = False
    """Whether the ships begin hidden, shown as numbers."""
    follows: EarlierBattles | None = None
    """None if no ship comes from an earlier battle."""
