"""What the rules answer and a page shows: a battle as a side sees it, checks, options.

All of it is data to be drawn. Where the HTTP API calls a field by another name than Python does,
the field's metadata has that name as its `alias`, which pydantic reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.participants import ShipStatus
from combat.previews import Line
from combat.ships import ShipClass
from combat.story_entries import Entry
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCall
from tabletop.messages import NO_WORDS, Message
from tabletop.table import Base, Pose, SmokeFront


@dataclass(frozen=True, slots=True)
class DraftFault:
    """What is wrong with a draft, where, and by which rule."""

    field: str
    message: Message
    reference: str = ""
    position: int | None = None
    """The character of the notation at fault, counted from 0."""
    cited: bool = False
    """Whether the message cites the rule itself."""


@dataclass(frozen=True, slots=True)
class SpeedChoice:
    """The speeds that are open to a ship, and why no others."""

    lowest: int
    highest: int
    lowest_reason: Message
    highest_reason: Message
    fixed: bool = False
    """Whether the speed was chosen before and cannot be changed now."""


@dataclass(frozen=True, slots=True)
class PlotCheck:
    """A plot as typed: what it does, what to draw, and every fault."""

    ship: str
    faults: tuple[DraftFault, ...]
    points: tuple[tuple[float, float], ...]
    """To draw the path through, in yards; empty where there is none yet."""
    end: Pose | None
    shortest_end: Pose | None
    """Where she ends if every short turn is cut as short as may be, where its end is open."""
    factors_used: int | None
    factors_allowed: int | None
    speed: int | None
    speeds: SpeedChoice
    notes: tuple[Line, ...] = ()
    """What the plot means: short turns, weaving, smoke, torpedoes."""
    factor_ends: tuple[tuple[float, float], ...] = ()
    """Where each factor of it ends, in yards; none for a follower."""

    @property
    def legal(self) -> bool:
        """Whether the plot may be committed as it stands."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class PlotKey:
    """One key of the pad that plots are written with."""

    text: str
    """What it writes."""
    words: Message
    """What that means; no words for a number."""
    group: str
    """turn, mark, number, note or amount: keys of a group stand together."""
    fits: bool
    """Whether it may be pressed where the next sign goes."""
    asks: str = ""
    """The field of the draft that goes with it: follows or smoke_side."""
    replaces: int = 0
    """How many signs before that place it takes the place of."""
    chosen: bool = False
    """Whether the plot has it there already, written or by default."""


@dataclass(frozen=True, slots=True)
class PlacementView:
    """How a model stands to the place that its move gives it."""

    ship: str
    in_place: bool
    doubtful: bool
    """In place only by what the measuring error may account for."""
    why: Message
    plotted: Pose
    off_yards: float
    off_heading_deg: float


@dataclass(frozen=True, slots=True)
class MoveCheck:
    """How the models stand to their plotted places."""

    standings: tuple[PlacementView, ...]


@dataclass(frozen=True, slots=True)
class ActionCheck:
    """Whether any other action is allowed now."""

    fault: Message = NO_WORDS
    """Why not; no words where it is."""


@dataclass(frozen=True, slots=True)
class ActionView:
    """Something that a player may do now."""

    kind: str
    """As a request names it."""
    title: Message
    rule: str


@dataclass(frozen=True, slots=True)
class MountOption:
    """One mount of a battery: whether it can fire at a target, and if not, why."""

    name: str
    guns: int
    bears: bool
    why_not: Message = NO_WORDS
    reference: str = ""


@dataclass(frozen=True, slots=True)
class BatteryOption:
    """What a ship's battery could do to a target, all that bears firing."""

    battery: str
    title: Message
    mounts: tuple[MountOption, ...]
    guns_bearing: int
    factor: int | None
    ammunition: int
    """What is left in the magazines."""
    cost: int | None
    """What this fire would take out of them."""
    allowed: bool
    why_not: Message = NO_WORDS
    reference: str = ""
    fewer_guns: bool = False
    """Whether fewer guns than bear may be designated."""
    ledger: tuple[Modifier, ...] = ()
    """Every modifier that is known now; what the other side has written is not."""
    modifier_total: int | None = None
    factor_reference: str = ""
    forecast: Forecast | None = None
    """The exact odds; None where the fire is forbidden or the target's identity is hidden."""


@dataclass(frozen=True, slots=True)
class TargetOption:
    """An enemy as a ship sees her, and what each battery could do to her."""

    target: str
    range_yards: float
    range_sigma_yards: float
    segment: str | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blockers: tuple[str, ...]
    smoke: bool
    close_calls: tuple[CloseCall, ...]
    batteries: tuple[BatteryOption, ...]
    hidden: bool = False
    blocked: bool = False
    agreed: Message = NO_WORDS
    """What the players have settled about this line of fire, and why; no words as measured."""


@dataclass(frozen=True, slots=True)
class CheckedFire:
    """One fire of a ship's orders before its dice."""

    target: str
    battery: str
    guns: int
    turrets: tuple[str, ...]
    factor: int
    factor_reference: str
    cost: int
    ledger: tuple[Modifier, ...]
    """Every modifier that is known now."""
    modifier_total: int | None
    """None where the target is hidden, and with it the odds."""
    forecast: Forecast | None


@dataclass(frozen=True, slots=True)
class FireCheck:
    """A ship's fire orders as chosen: each with its odds, or what is wrong with them."""

    ship: str
    fault: DraftFault | None
    fires: tuple[CheckedFire, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawalView:
    """Whether a ship may leave the battle, and why."""

    may_withdraw: bool
    rounds_outside: int
    why: Message
    rule: str


@dataclass(frozen=True, slots=True)
class ShipView:
    """A ship as a side may know her; of a hidden one most is None."""

    id: str
    """What to call her in orders: her name, or her label while she is hidden."""
    side: str
    hidden: bool
    """Whether the viewer may not know who she is."""
    face_down: bool
    """Whether she is hidden from anybody."""
    label: str | None
    pose: Pose
    base: Base
    status: ShipStatus
    yours: bool
    smoke_cover: bool
    evolution: str
    name: str | None = None
    type: str | None = None
    ship_class: ShipClass | None = field(default=None, metadata={"alias": "class"})
    speed: int | None = None
    """None before she has moved."""
    movement_factor: int | None = None
    trouble: float | None = None
    """0 unharmed to 1 sunk."""
    glance: Message | None = None
    speeds: SpeedChoice | None = None
    """What your own ships may do while plots are written; None otherwise, as the next two."""
    withdrawal: WithdrawalView | None = None
    torpedoes: int | None = None

    @property
    def in_action(self) -> bool:
        """Whether she still takes part."""
        return self.status is ShipStatus.IN_ACTION


@dataclass(frozen=True, slots=True)
class ConditionsView:
    """What holds for the whole battle."""

    visibility: Visibility
    night: bool
    starting_range_yards: float | None
    hidden: bool
    """Whether any ship is still face down."""


@dataclass(frozen=True, slots=True)
class SmokeView(SmokeFront):
    """A smoke front and how long it lies."""

    until: Message
    ship: str | None
    """Who has laid it."""


@dataclass(frozen=True, slots=True)
class TorpedoMarkerView:
    """Where torpedoes were launched; when they arrive, and where, is for their own side."""

    launcher: str
    place: Pose
    due: Message | None
    target: str | None


@dataclass(frozen=True, slots=True)
class PlotView:
    """A plot of one's own side, as it was written."""

    speed: int | None
    notation: str
    follows: str | None
    torpedo: str | None
    smoke_side: str
    """As the rulebook has it where nothing is said, if empty."""


@dataclass(frozen=True, slots=True)
class LoggedPlot:
    """A movement plot of the log, which the viewer may read."""

    ship: str
    side: str
    round: int
    segment: int
    speed: int
    notation: str
    follows: str | None = None
    """The ship ahead, where she follows one."""


@dataclass(frozen=True, slots=True)
class MoveLeg:
    """A part of a move, to be measured off on the table."""

    sign: str
    """How the plot writes it; nothing where she follows."""
    length_yards: float
    """Along the straight or the arc."""
    angle_deg: float
    """What she turns on it; negative is to port."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A ship's move: the path that her model shows, and what was written if that is known."""

    points: tuple[tuple[float, float], ...]
    plotted: Pose
    notation: str | None = None
    follows: str | None = None
    speed: int | None = None
    legs: tuple[MoveLeg, ...] = ()


@dataclass(frozen=True, slots=True)
class FireOrderView:
    """A fire order of one's own ship, as it was written."""

    target: str
    battery: str
    turrets: tuple[str, ...]
    """None named means all that bear."""
    guns: int | None
    held_back: bool


@dataclass(frozen=True, slots=True)
class TurretRate:
    """A turret that is designated to fire, and how many of its guns do."""

    name: str
    guns: int
    """Those that could."""
    firing: int


@dataclass(frozen=True, slots=True)
class FireRateView:
    """A fire of one's own ship as designated, and with how many guns of each turret."""

    target: str
    battery: str
    title: Message
    """The battery in words."""
    turrets: tuple[TurretRate, ...]
    ammunition: int
    """What is left in the magazines."""

    @property
    def reduced(self) -> tuple[TurretRate, ...]:
        """The turrets that fire with fewer guns than they could."""
        return tuple(turret for turret in self.turrets if turret.firing < turret.guns)

    @property
    def reducible(self) -> bool:
        """Whether any turret could fire with fewer guns than it has."""
        return any(turret.guns > 1 for turret in self.turrets)


@dataclass(frozen=True, slots=True)
class DesignationView:
    """A fire order that lies open to all."""

    firer: str
    target: str
    battery: Message
    turrets: tuple[str, ...]
    """None named means all that bear."""
    guns: int | None
    held_back: bool


@dataclass(frozen=True, slots=True)
class ReducedFireView:
    """A fire at a reduced rate that lies open to all."""

    firer: str
    target: str
    battery: Message
    guns: Mapping[str, int]
    """How many guns fire of each turret that fires with fewer than it could."""


@dataclass(frozen=True, slots=True)
class AgreedView:
    """What the players have settled about one line of fire; None where it counts as measured."""

    firer: str
    target: str
    range_yards: float | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blocked: bool | None
    smoke: bool | None
    reason: str
    who: str


@dataclass(frozen=True, slots=True)
class FireChoice:
    """A fire that the viewer's side may roll next."""

    label: Message
    firer: str
    target: str
    battery: str


@dataclass(frozen=True, slots=True)
class ResolutionView:
    """The fire being resolved: what is done, what is rolled for, what is ahead."""

    done: tuple[Entry, ...]
    current: Entry | None
    ahead: tuple[Message, ...]
    choices: tuple[FireChoice, ...]
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StayView:
    """Whether a ship stays in the campaign after a battle."""

    stays: bool
    why: Message
    rule: str


@dataclass(frozen=True, slots=True)
class ProspectView:
    """A damaged section of a ship, and what of it may yet be repaired."""

    part: str
    turret: str | None
    title: Message
    marked: int
    repairable: int
    why_not: Message | None
    reference: str


@dataclass(frozen=True, slots=True)
class RefuelView:
    """What refuelling would give a ship, and where she may refuel."""

    torpedoes: bool
    ammunition: int
    at_sea: bool
    in_port: bool
    done: bool
    """Whether she has refuelled in this turn."""


@dataclass(frozen=True, slots=True)
class ShipRepairsView:
    """One ship after a battle: what was tried, and what may be."""

    stays: StayView
    tries: tuple[Message, ...]
    """What was done for her so far."""
    prospects: tuple[ProspectView, ...]
    """At sea, by a die."""
    in_port: tuple[ProspectView, ...]
    refuel: RefuelView
    busy_until: int
    """The last turn that she has spent on repairs; 0 where she has spent none."""


@dataclass(frozen=True, slots=True)
class PendingRepairView:
    """A repair that waits for its die."""

    ship: str
    section: Message


@dataclass(frozen=True, slots=True)
class RepairView:
    """Repairs after a battle."""

    turn: int
    tried: tuple[str, ...]
    """The ships that have had their attempt in this turn."""
    pending: PendingRepairView | None
    ships: Mapping[str, ShipRepairsView]
