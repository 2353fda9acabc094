"""What is inside each event of a battle, for the description of the API.

The rulebook reads and checks what is sent, and says better than any schema what is wrong with it;
these models tell a script's author what to send. A test holds them to the rulebook's own keys.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from combat.battle import MOST_DICE_AT_ONCE, EventKind
from web.api.reading import Line, Model

Ship = Annotated[Line, Field(min_length=1, max_length=40)]
"""A ship by the name that the caller knows her by: a hidden enemy by her number, as "Ship 3"."""
Side = Annotated[Line, Field(max_length=40)]
Quadrant = Literal["bow", "stern", "port", "starboard"]
Battery = Literal["main", "secondary"]
Dice = Annotated[str, Field(pattern="^[1-6]{1,2}$")]


class PlotData(Model):
    """One ship's secret plot (56.1, 56.5, 57.5); it may be written anew until the commit."""

    ship: Ship
    speed: Annotated[int, Field(ge=0, le=99)] | None = None
    """For the round (58.2); in its second segment it stands and is left out."""
    notation: Annotated[Line, Field(max_length=80)] = ""
    """As on the record sheet, such as "3L1", "2Rl C", "5 SF" or "follow" (57.52, 67)."""
    follows: Ship | None = None
    """The ship ahead, where the notation says follow (57.7)."""
    torpedo: Ship | None = None
    """At whom torpedoes are fired (69.4)."""
    smoke_side: Literal["port", "starboard"] = "starboard"
    """Where a smoke front is laid (67.65)."""


class FireOrderData(Model):
    """One battery at one target (61.1)."""

    target: Ship
    battery: Battery = "main"
    turrets: Annotated[list[Annotated[Line, Field(max_length=8)]], Field(max_length=20)] = Field(
        default_factory=list
    )
    """By name, as the fire options list them; none named means all that bear."""
    guns: Annotated[int, Field(ge=1, le=99)] | None = None
    """Fewer than bear, to save ammunition (67.41)."""
    held_back: bool = False
    """Whether each gun that does not fire takes 1 from the dice (67.42)."""


class DesignateData(Model):
    """One ship's secret fire (61); without orders she holds it."""

    ship: Ship
    orders: Annotated[list[FireOrderData], Field(max_length=40)] = Field(default_factory=list)


class SideData(Model):
    """Nothing more is said; an umpire may name the side that is acted for."""

    side: Side | None = None


class PoseData(Model):
    """Where a model stands, in yards and degrees, and how sure that is (1 sigma)."""

    x: Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
    y: Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
    heading: Annotated[float, Field(ge=-3600, le=3600)]
    position_sigma: Annotated[float, Field(ge=0, le=5000)] = 0.0
    heading_sigma: Annotated[float, Field(ge=0, le=180)] = 0.0


class MoveData(Model):
    """The models are where they belong (56.2); whatever is not named counts as plotted."""

    poses: Annotated[dict[str, PoseData], Field(max_length=60)] = Field(default_factory=dict)
    accept: bool | Annotated[list[Ship], Field(max_length=60)] = Field(default_factory=list)
    """Ships whose model stands elsewhere and is to count as it stands; true for all of them."""


class DiceData(Model):
    """Dice that have fallen, in the order in which they are wanted; as many as there are."""

    values: Annotated[list[Dice], Field(min_length=1, max_length=MOST_DICE_AT_ONCE)]
    """Two figures are a pair (coloured, white), one figure is one die; `wanted` says which."""
    from_: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(default=None, alias="from")
    """The number of the first roll, as in `wanted`: refused where somebody was faster."""


class ShipData(Model):
    """The ship that is meant."""

    ship: Ship


class NextFire(Model):
    """A fire that waits for its dice."""

    firer: Ship
    target: Ship
    battery: Battery = "main"


class RuleData(Model):
    """A line of fire settled by the players, while fire is designated; or the fire to roll next."""

    firer: Ship | None = None
    target: Ship | None = None
    range_yards: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    quadrant: Quadrant | None = None
    aspect: Quadrant | None = None
    blocked: bool | None = None
    smoke: bool | None = None
    reason: Annotated[Line, Field(max_length=120)] = ""
    next: NextFire | None = None
    """While fire is resolved: which of one's own fires is rolled next (62.3)."""


class CorrectData(Model):
    """The umpire sets values right; without a ship they are the battle's conditions."""

    values: dict[str, Any]
    """By the keys of the record sheet, as POST /api/battle/correct takes them one by one."""
    reason: Annotated[Line, Field(min_length=1, max_length=200)]
    ship: Ship | None = None


class EndData(Model):
    """One side wants to end the battle; it ends when both do, or when the umpire says so."""

    reason: Annotated[Line, Field(max_length=120)] = "by agreement"
    agree: bool = True
    """False takes the wish back."""


class RepairData(Model):
    """After the battle: the section that a repair is tried on (68), or the next turn of repairs."""

    ship: Ship | None = None
    part: Annotated[Line, Field(max_length=40)] | None = None
    """As the view's `repairs` lists them."""
    turret: Annotated[Line, Field(max_length=8)] | None = None
    moved_two_zones: bool = False
    next_turn: bool = False


DATA: Final[dict[EventKind, type[Model]]] = {
    EventKind.PLOT: PlotData,
    EventKind.DESIGNATE: DesignateData,
    EventKind.RULE: RuleData,
    EventKind.COMMIT: SideData,
    EventKind.UNCOMMIT: SideData,
    EventKind.MOVE: MoveData,
    EventKind.DICE: DiceData,
    EventKind.MARK: SideData,
    EventKind.WITHDRAW: ShipData,
    EventKind.REVEAL: ShipData,
    EventKind.CORRECT: CorrectData,
    EventKind.END: EndData,
    EventKind.REPAIR: RepairData,
}
"""What goes with each kind of event."""
