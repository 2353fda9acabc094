"""The battle's answers, for the description of the API; tests hold real answers to them.

What the rulebook gives as dataclasses is described by these very dataclasses.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from combat.battle import DiceWanted, Step, StepMark
from combat.showing import (
    Entry,
    PlotCheck,
    RecordSheet,
    SpeedChoice,
    Standing,
    TargetOption,
)


class Told(BaseModel):
    """An answer: closed, so that a test notices what is not described."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class CheckedPlot(Told):
    """A plot as typed: the path to draw, the factors used, and every fault."""

    plot: PlotCheck


class Standings(Told):
    """How the models stand to their plots."""

    standing: list[Standing]


class FireOptions(Told):
    """Every target with what bears, what it costs, and the exact odds."""

    targets: list[TargetOption]


class CheckedFire(Told):
    """A fire before its dice."""

    target: str
    battery: str
    guns: int
    turrets: list[str]
    factor: int
    factor_reference: str
    cost: int
    ledger: list[dict[str, Any]]
    """As `modifiers` of `dreyer resolve`."""
    modifier_total: int | None
    """None where the target is hidden, and with it the odds."""
    forecast: dict[str, Any] | None
    """As `dreyer forecast` prints it."""


class CheckedFires(Told):
    """A ship's fire orders as chosen, or what is wrong with them."""

    ship: str
    fault: dict[str, str] | None
    fires: list[CheckedFire]


class Story(Told):
    """What has happened, oldest first; a fire's `document` is that of `dreyer resolve --json`."""

    story: list[Entry]


class Sheet(Told):
    """A ship's record sheet."""

    sheet: RecordSheet


class Pose(Told):
    """Where a ship is, in yards and degrees, with its 1 sigma."""

    x: float
    y: float
    heading: float
    position_sigma: float
    heading_sigma: float


class ShipSeen(Told):
    """A ship as the caller may know her; of a hidden one most is null."""

    id: str
    """What to call her in orders: her name, or her label while she is hidden from you."""
    side: str
    hidden: bool
    face_down: bool
    label: str | None
    pose: Pose
    base: dict[str, float]
    status: Literal["in action", "sunk", "withdrawn"]
    yours: bool
    smoke_cover: bool
    evolution: str
    name: str | None
    type: str | None
    class_: str | None = Field(alias="class")
    speed: int | None
    """None before she has moved."""
    movement_factor: int | None
    trouble: float | None
    glance: str | None
    speeds: SpeedChoice | None = None
    """Your own ships in a plot phase: what they may do."""
    withdrawal: dict[str, Any] | None = None
    torpedoes: int | None = None


class Plotted(Told):
    """A plot of your own side, as it was written."""

    speed: int | None
    notation: str
    follows: str | None
    torpedo: str | None
    smoke_side: str


class Move(Told):
    """A plot that lies open: the path, and what was written where the name is known."""

    points: list[tuple[float, float]]
    plotted: dict[str, float]
    notation: str | None = None
    follows: str | None = None
    speed: int | None = None


class FireOrder(Told):
    """A fire as it was designated; `firer` once all fire lies open."""

    firer: str | None = None
    target: str
    battery: str
    turrets: list[str]
    guns: int | None
    held_back: bool


class Resolution(Told):
    """The fire being resolved: what is done, what is rolled for, what is ahead."""

    done: list[Entry]
    current: Entry | None
    ahead: list[str]
    choices: list[dict[str, str]]
    dice: list[str]


class UndoRequest(Told):
    """Somebody asks to go back."""

    who: str
    side: str | None
    after: int
    words: str
    yours: bool


class Undo(Told):
    """What can be taken back."""

    own: bool
    """Whether POST /api/battle/undo would take a step of yours back."""
    request: UndoRequest | None


class BattleView(Told):
    """The battle as the caller's side may see it, and nothing else."""

    step: Step
    sequence: list[StepMark]
    wanted: DiceWanted | None
    """The next dice; send them as an event of kind dice."""
    title: str
    sides: list[str]
    you: str | None
    sees_all: bool
    round: int
    segment: int
    conditions: dict[str, Any]
    committed: list[str]
    wants_to_end: list[str]
    ending: str
    ships: list[ShipSeen]
    smoke: list[dict[str, Any]]
    torpedo_markers: list[dict[str, Any]]
    plots: dict[str, Plotted]
    """Your own side's, while plots are written."""
    move: dict[str, Move]
    """Everybody's, once they lie open."""
    fires: dict[str, list[FireOrder]]
    """Your own side's, while fire is designated."""
    agreed: list[dict[str, Any]]
    designations: list[FireOrder]
    """Everybody's, once they lie open."""
    resolution: Resolution | None
    repairs: dict[str, Any] | None
    story_length: int
    undo: Undo
    tables: str
    """The checksum of the tables that this battle is fought with."""
    dice_kept: int


class TableView(BaseModel):
    """The table as the caller may see it; `seq` is the number that /api/live announces."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    seq: int
    you: dict[str, Any]
    table: dict[str, Any]
    sides: list[dict[str, Any]]
    ships: list[dict[str, Any]]
    smoke: list[dict[str, Any]]
    battle: BattleView | None
    """None while no battle is under way."""
    seats: list[dict[str, Any]]
    join: dict[str, Any] | None
    """How phones get here; the host alone is told."""
    log: list[dict[str, Any]]


class Summary(Told):
    """A scenario that can be begun."""

    key: str
    title: str
    date: str
    what_if: bool
    by_dice: bool
    """Set up by dice (55): its places come from the page or from a script, as POST /api/battles."""
    visibility: int
    night: bool
    starting_range_yards: float | None
    ships: list[dict[str, str]]


class Scenarios(Told):
    """Every scenario, in the order of the page."""

    scenarios: list[Summary]
