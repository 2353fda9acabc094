"""What a page shows of a battle: checked plots, fire options, the story, record sheets.

All of it is data to be drawn; `combat.battle.plain` turns any of it into JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from combat.report import Line

Json = Mapping[str, Any]
"""A JSON object: text, numbers, flags, None, lists and objects of these."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a draft, where, and by which rule."""

    field: str
    message: str
    reference: str = ""
    position: int | None = None
    """The character of the notation at fault, counted from 0."""


@dataclass(frozen=True, slots=True)
class Place:
    """A pose as JSON has it."""

    x: float
    y: float
    heading: float


@dataclass(frozen=True, slots=True)
class SpeedChoice:
    """The speeds that are open to a ship, and why no others."""

    lowest: int
    highest: int
    lowest_reason: str
    highest_reason: str
    fixed: bool = False
    """Whether the speed was chosen before and cannot be changed now."""


@dataclass(frozen=True, slots=True)
class PlotCheck:
    """A plot as typed: what it does, what to draw, and every fault."""

    ship: str
    faults: tuple[Fault, ...]
    points: tuple[tuple[float, float], ...]
    """To draw the path through, in yards; empty where there is none yet."""
    end: Place | None
    shortest_end: Place | None
    """Where she ends if every short turn is cut as short as may be."""
    factors_used: int | None
    factors_allowed: int | None
    speed: int | None
    speeds: SpeedChoice
    notes: tuple[Line, ...] = ()
    """What the plot means: weaving, smoke, torpedoes."""

    @property
    def legal(self) -> bool:
        """Whether the plot may be committed as it stands."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class PlotKey:
    """One key of the pad that plots are written with."""

    text: str
    """What it writes."""
    words: str
    """What that means; empty for a number."""
    group: str
    """turn, mark, number or note: keys of a group stand together."""
    fits: bool
    """Whether it may be pressed where the next sign goes."""
    asks: str = ""
    """The field of the draft that goes with it: follows or smoke_side."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a model stands to the place that its move gives it."""

    ship: str
    in_place: bool
    doubtful: bool
    """In place only by what the measuring error may account for."""
    why: str
    plotted: Place
    off_yards: float
    off_heading_deg: float


@dataclass(frozen=True, slots=True)
class MountOption:
    """One mount of a battery: whether it can fire at a target, and if not, why."""

    name: str
    guns: int
    bears: bool
    why_not: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class BatteryOption:
    """What a ship's battery could do to a target, all that bears firing."""

    battery: str
    title: str
    mounts: tuple[MountOption, ...]
    guns_bearing: int
    factor: int | None
    ammunition: int
    """What is left in the magazines."""
    cost: int | None
    """What this fire would take out of them."""
    allowed: bool
    why_not: str = ""
    reference: str = ""
    ledger: tuple[Json, ...] = ()
    """Every modifier that is known now; what the other side has written is not."""
    modifier_total: int | None = None
    factor_reference: str = ""
    forecast: Json | None = None
    """The exact odds; None where the fire is forbidden or the target's identity is hidden."""


@dataclass(frozen=True, slots=True)
class TargetOption:
    """An enemy as a ship sees her, and what each battery could do to her."""

    target: str
    range_yards: float
    range_sigma_yards: float
    segment: str | None
    quadrant: str | None
    aspect: str | None
    blockers: tuple[str, ...]
    smoke: bool
    close_calls: tuple[Json, ...]
    batteries: tuple[BatteryOption, ...]
    hidden: bool = False
    blocked: bool = False
    agreed: str = ""
    """What the players have settled about this line of fire, and why; empty as measured."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened: a line, and folded beneath it how it came about."""

    kind: str
    line: Line
    children: tuple[Line, ...] = ()
    round_number: int = 0
    segment: int = 0
    ships: tuple[str, ...] = ()
    document: Json | None = None
    """A fire as `dreyer resolve --json` prints it; of a move, where the ship stands after it."""
    complete: bool = True
    """False while dice are still wanted for it."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One part of a record sheet: where to draw it, how much there is, how much is lost."""

    key: str
    kind: str
    """hull, superstructure, turret, secondary, director, plot, radar, rudder, conning_tower,
    speed, ammunition or torpedoes."""
    title: str
    total: int
    lost: int
    unit: str
    """quarters, factors, rounds or mounts."""
    words: str
    """The damage in words; empty where there is none."""
    destroyed: bool = False
    station: float | None = None
    """Along the ship, 0 the bow and 1 the stern; None where it has no place of its own."""
    side: str = "both"
    details: Json = field(default_factory=dict)
    """Guns, arcs, armour: what else a drawing may show."""


@dataclass(frozen=True, slots=True)
class RecordSheet:
    """A ship's sheet as data for a drawing."""

    ship: str
    type: str
    ship_class: str
    side: str
    status: str
    """in action, sunk or withdrawn."""
    trouble: float
    """0 unharmed to 1 sunk: who needs a glance first."""
    glance: str
    """One line: what she has lost and what she has left."""
    beam: float
    superstructure: tuple[float, float]
    funnels: tuple[float, ...]
    island: str
    parts: tuple[SheetPart, ...]
