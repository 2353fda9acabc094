"""The views of a guided battle for pages and the API: ships, checks, options and results.

The `alias` in a field's metadata is its name in JSON, if that differs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from combat.dice_wanted import DiceWanted
from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.participants import ShipStatus
from combat.previews import Line
from combat.ship_conditions import ShipCondition
from combat.ships import ShipClass
from combat.story_entries import Entry
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCall
from tabletop.messages import NO_WORDS, Message
from tabletop.table import Base, Pose, SmokeFront


@dataclass(frozen=True, slots=True)
class DraftFault:
    """A fault of a draft, with its field and rule."""

    field: str
    message: Message
    reference: str = ""
    position: int | None = None
    """The index of the wrong character of the notation."""
    cited: bool = False
    """Whether the message already cites the rule."""


@dataclass(frozen=True, slots=True)
class SpeedChoice:
    """The range of speeds that a ship may choose, with the reasons for its limits."""

    lowest: int
    highest: int
    lowest_reason: Message
    highest_reason: Message
    fixed: bool = False
    """Whether the speed was chosen before and cannot be changed now."""


@dataclass(frozen=True, slots=True)
class PlotCheck:
    """The check of a plot: its path, its cost and its faults."""

    ship: str
    faults: tuple[DraftFault, ...]
    points: tuple[tuple[float, float], ...]
    """The path in yards; empty if there is none yet."""
    end: Pose | None
    shortest_end: Pose | None
    """The end if every short turn with an open end is made as short as allowed."""
    factors_used: int | None
    factors_allowed: int | None
    speed: int | None
    speeds: SpeedChoice
    notes: tuple[Line, ...] = ()
    """Remarks about the plot: short turns, weaving, smoke, torpedoes."""
    factor_ends: tuple[tuple[float, float], ...] = ()
    """The end of each factor, in yards; empty for a follower."""

    @property
    def legal(self) -> bool:
        """Whether the plot may be committed."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class ColumnPlace:
    """A ship of a column behind its leader: her plot in the wake of the ship ahead (57.7)."""

    ship: str
    ahead: str
    plot: "PlotView"
    check: PlotCheck
    yards: float
    """How far she is from the ship ahead."""
    yards_after: float | None
    """How far after the move; None while it is not known."""
    too_close: bool
    """Whether their markers would overlap then."""


@dataclass(frozen=True, slots=True)
class ReachedPlace:
    """A place where a ship may be after this segment, and the plot that leads there."""

    notation: str
    speed: int | None
    """To be written for it; None where the speed of the round stands."""
    end: Pose
    points: tuple[tuple[float, float], ...]
    """Where she is after each order of the plot, in yards, from where she stands."""


@dataclass(frozen=True, slots=True)
class PlotKey:
    """One key of the plot keyboard."""

    text: str
    """The text that it inserts."""
    words: Message
    """The meaning of the text; empty for a number."""
    group: str
    """turn, mark, number, note or amount; keys of a group are shown together."""
    fits: bool
    """Whether it is valid at the current position."""
    asks: str = ""
    """The field of the draft that it needs: follows or smoke_side."""
    replaces: int = 0
    """The number of characters before the position that it replaces."""
    puts: str = ""
    """What it inserts where that is not its own text: digits add up."""
    why_not: Message = NO_WORDS
    """Why it is not valid there, with the rule; no words where it is."""
    chosen: bool = False
    """Whether the plot already has it there, written or by default."""


@dataclass(frozen=True, slots=True)
class PlacementView:
    """The difference between a model's pose and its plotted pose.

    Of a ship whose plot is sealed a viewer learns only whether her model is where it was plotted.
    """

    ship: str
    in_place: bool
    far: bool = False
    """Whether it is further off than anybody moves a model by mistake."""
    doubtful: bool = False
    """Whether it is in place only because of the measuring error."""
    why: Message = NO_WORDS
    plotted: Pose | None = None
    off_yards: float | None = None
    off_heading_deg: float | None = None


@dataclass(frozen=True, slots=True)
class MoveCheck:
    """The check of all models against their plotted poses."""

    standings: tuple[PlacementView, ...]


@dataclass(frozen=True, slots=True)
class ActionCheck:
    """Whether an action of another kind is allowed now."""

    fault: Message = NO_WORDS
    """Why it is not allowed; empty if it is."""


@dataclass(frozen=True, slots=True)
class ActionView:
    """An action that a player may take now."""

    kind: str
    """The kind in a request."""
    title: Message
    rule: str


@dataclass(frozen=True, slots=True)
class MountOption:
    """One mount of a battery, and whether it can fire at a target."""

    name: str
    guns: int
    bears: bool
    why_not: Message = NO_WORDS
    reference: str = ""


@dataclass(frozen=True, slots=True)
class BatteryOption:
    """The fire of a whole battery at a target."""

    battery: str
    title: Message
    mounts: tuple[MountOption, ...]
    guns_bearing: int
    factor: int | None
    ammunition: int
    """The remaining ammunition."""
    cost: int | None
    """The ammunition that this fire would use."""
    allowed: bool
    why_not: Message = NO_WORDS
    reference: str = ""
    fewer_guns: bool = False
    """Whether fewer guns than bear may be designated."""
    ledger: tuple[Modifier, ...] = ()
    """Every modifier that is known now, without those from the other side's secret orders."""
    modifier_total: int | None = None
    factor_reference: str = ""
    forecast: Forecast | None = None
    """The exact odds; None if the fire is forbidden or the target's identity is hidden."""
    factor_label: Message = NO_WORDS
    """What the rulebook calls its factor; no words for the gunnery factor."""
    total_label: Message = NO_WORDS
    """What it calls the sum of the modifiers; no words for what is added to the dice."""


@dataclass(frozen=True, slots=True)
class TargetOption:
    """A possible target of a ship, with the fire of each battery at her."""

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
    """The players' agreement about this line of fire; empty if it is as measured."""


@dataclass(frozen=True, slots=True)
class CheckedFire:
    """One fire of a ship's orders, before it is rolled."""

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
    """None if the target is hidden, as is `forecast`."""
    forecast: Forecast | None


@dataclass(frozen=True, slots=True)
class FireCheck:
    """The check of a ship's fire orders: the odds of each, or a fault."""

    ship: str
    fault: DraftFault | None
    fires: tuple[CheckedFire, ...] = ()


@dataclass(frozen=True, slots=True)
class ShipFire:
    """One fire of several ships' orders, before it is rolled."""

    firer: str
    fire: CheckedFire


@dataclass(frozen=True, slots=True)
class OrdersCheck:
    """The check of several ships' fire orders: each fire, and all fire at each target."""

    fault: DraftFault | None
    fires: tuple[ShipFire, ...] = ()
    targets: Mapping[str, Forecast] = field(default_factory=dict)
    """The exact odds of all fire at a target together; not of a hidden one."""


@dataclass(frozen=True, slots=True)
class WithdrawalView:
    """Whether a ship may leave the battle, and why."""

    may_withdraw: bool
    rounds_outside: int
    why: Message
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipView:
    """A ship as the viewer may see her; for a hidden ship most fields are None."""

    id: str
    """Her id in requests: her name, or her label while she is hidden."""
    side: str
    hidden: bool = False
    """Whether she is hidden from the viewer."""
    face_down: bool = False
    """Whether she is hidden from any side."""
    label: str | None = None
    pose: Pose
    base: Base
    status: ShipStatus
    yours: bool
    name: str | None = None
    type: str | None = None
    ship_class: ShipClass | None = field(default=None, metadata={"alias": "class"})
    trouble: float | None = None
    """The damage from 0 (none) to 1 (sunk)."""
    conditions: tuple[ShipCondition, ...] = ()
    """What can be seen of the damage; empty for a ship that takes no part any more."""
    glance: Message | None = None

    @property
    def in_action(self) -> bool:
        """Whether she still takes part."""
        return self.status is ShipStatus.IN_ACTION


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedShipView(ShipView):
    """A ship of a battle whose moves are plotted."""

    smoke_cover: bool
    evolution: str
    speed: int | None = None
    """None before she has moved."""
    movement_factor: int | None = None
    speeds: SpeedChoice | None = None
    """For the viewer's own ships while plots are written, as the next two; otherwise None."""
    withdrawal: WithdrawalView | None = None
    torpedoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedShipView(ShipView):
    """A ship of a battle in which ships act one after the other."""

    division: str
    flagship: bool
    in_command: bool
    on_table: bool
    """Whether she is in play: not before she was placed, nor after she sank or left."""
    marker: Message
    """Her speed marker; no words where she has none."""
    acted: bool
    """Whether she has moved or fired in this phase."""
    may_act: bool
    """Whether it is her turn."""
    points: int


@dataclass(frozen=True, slots=True)
class DivisionView:
    """Ships under one commander."""

    name: str
    side: str
    ships: tuple[str, ...]
    flagship: str | None
    """None where nobody can take over the flag."""
    heirs: tuple[str, ...]
    """Who may take over the flag, if its flagship were gone."""
    quality: int | None
    """What the commander adds to dice; None before it is rolled for."""
    initiative: int | None
    """Of this turn."""


@dataclass(frozen=True, slots=True)
class ActorView:
    """A division, or a ship out of command, that has yet to act in this phase."""

    name: str
    side: str
    ships: tuple[str, ...]
    """Those of them that have yet to act."""
    out_of_command: bool
    now: bool
    """Whether it may act now; of several that may, the player chooses."""


@dataclass(frozen=True, slots=True)
class VacantFlagView:
    """A division whose flagship is gone, and who may take over the flag."""

    division: str
    side: str
    heirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeclaredShotView:
    """A declared fire whose dice have not fallen."""

    firer: str
    target: str
    battery: str
    title: Message
    may_be_next: bool
    """Whether her player may have it resolved before the one that is due."""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The victory points of a side."""

    side: str
    points: int
    threshold: int
    """What it needs to win."""


@dataclass(frozen=True, slots=True)
class MoveReading:
    """One of the moves that two poses may show, when it is too close to call."""

    label: Message
    yards: int
    turned: bool


@dataclass(frozen=True, slots=True)
class MoveCloseCall:
    """A question about a move that the measurement cannot decide."""

    what: Literal["turn", "limit", "marker", "back"]
    """Whether she has turned, went too far, gets another marker, or how far she went and back."""
    limit: float
    """Degrees of a turn; yards otherwise."""
    margin: float
    readings: tuple[MoveReading, ...]
    """The one that counts first; players may agree on another that is allowed."""


@dataclass(frozen=True, slots=True)
class ShipMoveCheck:
    """A move as it is read from the table: what it amounts to, and what is wrong with it."""

    ship: str
    yards: int
    """As it counts: what cannot be told from a limit is at the limit."""
    measured_yards: int
    sigma_yards: float
    """How well the distance is known (1 σ)."""
    turned: bool
    limit_yards: int
    limits: tuple[Modifier, ...]
    """The steps that lead to the limit."""
    marker: Message
    """The speed marker that it brings; no words where it brings none."""
    nudged_yards: int
    """How far she stands beside where the move ends."""
    points: tuple[tuple[float, float], ...]
    """Her way, in yards."""
    end: Pose
    faults: tuple[DraftFault, ...] = ()
    close_calls: tuple[MoveCloseCall, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it may be made."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class DivisionPlacingCheck:
    """A division as it is placed at its edge of the table, and what is wrong with it."""

    division: str
    faults: tuple[DraftFault, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it may stand so."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class ConditionsView:
    """The conditions of the whole battle."""

    visibility: Visibility
    night: bool
    starting_range_yards: float | None
    hidden: bool
    """Whether any ship is still hidden."""


@dataclass(frozen=True, slots=True)
class ContactView:
    """A ship that is noticed but not seen, in fog of war."""

    observer: str
    """The ship of the viewer's side that notices her."""
    bearing_deg: float
    """From the observer, clockwise from north."""


@dataclass(frozen=True, slots=True)
class SmokeView(SmokeFront):
    """A smoke front and when it ends."""

    until: Message
    ship: str | None
    """The ship that laid it."""


@dataclass(frozen=True, slots=True)
class TorpedoMarkerView:
    """The place where torpedoes were launched; `due` and `target` only for their own side."""

    launcher: str
    place: Pose
    due: Message | None
    target: str | None


@dataclass(frozen=True, slots=True)
class PlotView:
    """A plot of the viewer's own side, as written."""

    speed: int | None
    notation: str
    follows: str | None
    torpedo: str | None
    smoke_side: str
    """If empty, the rulebook's default."""


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
    """The plot's notation for it; empty for a follower."""
    length_yards: float
    """Along the straight or the arc."""
    angle_deg: float
    """What she turns on it; negative is to port."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A ship's move, as far as the viewer may know it: nothing of one that is sealed."""

    points: tuple[tuple[float, float], ...] = ()
    """The path of her model."""
    plotted: Pose | None = None
    """Where it ends."""
    notation: str | None = None
    follows: str | None = None
    speed: int | None = None
    legs: tuple[MoveLeg, ...] = ()


@dataclass(frozen=True, slots=True)
class FireOrderView:
    """A fire order of the viewer's own ship, as written."""

    target: str
    battery: str
    turrets: tuple[str, ...]
    """If empty, all that bear."""
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
    """A revealed fire order."""

    firer: str
    target: str
    battery: Message
    turrets: tuple[str, ...]
    """If empty, all that bear."""
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
    """The players' agreement about one line of fire; figures that are None are as measured."""

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
class OpenRollView:
    """A fire, or something else, that is rolled for now."""

    item: str
    """What it is known by while it is open."""
    label: Message
    side: str
    begun: bool
    """Whether dice of it have fallen."""
    needs_dice: bool
    """False where no roll can change anything."""
    entry: Entry | None
    """What has come of a fire so far."""
    wanted: DiceWanted | None
    """Its next dice; None while hits of another fire at its target are rolled for, or where it
    needs none."""


@dataclass(frozen=True, slots=True)
class ResolutionView:
    """The resolution of fire: the fires done, open and ahead."""

    done: tuple[Entry, ...]
    open: tuple[OpenRollView, ...]
    """What is rolled for now, in the order in which it is told."""
    ahead: tuple[Message, ...]
    choices: tuple[FireChoice, ...]
    dice: tuple[str, ...]

    @property
    def current(self) -> Entry | None:
        """What has come so far of the first that is open."""
        return self.open[0].entry if self.open else None


@dataclass(frozen=True, slots=True)
class StayView:
    """Whether a ship stays in the campaign after a battle."""

    stays: bool
    why: Message
    rule: str


@dataclass(frozen=True, slots=True)
class ProspectView:
    """A damaged section of a ship, and how much of it can be repaired."""

    part: str
    turret: str | None
    title: Message
    marked: int
    repairable: int
    why_not: Message | None
    reference: str


@dataclass(frozen=True, slots=True)
class RefuelView:
    """What a ship gains by refuelling, and where she may refuel."""

    torpedoes: bool
    ammunition: int
    at_sea: bool
    in_port: bool
    done: bool
    """Whether she has refuelled in this turn."""


@dataclass(frozen=True, slots=True)
class ShipRepairsView:
    """One ship after a battle: repairs attempted and possible."""

    stays: StayView
    tries: tuple[Message, ...]
    """The attempts so far, in words."""
    prospects: tuple[ProspectView, ...]
    """Repairs at sea, which need a die."""
    in_port: tuple[ProspectView, ...]
    refuel: RefuelView
    busy_until: int
    """The last turn that she spent on repairs; 0 if none."""


@dataclass(frozen=True, slots=True)
class PendingRepairView:
    """A repair attempt whose die is not yet rolled."""

    ship: str
    section: Message


@dataclass(frozen=True, slots=True)
class RepairView:
    """Repairs after a battle."""

    turn: int
    tried: tuple[str, ...]
    """The ships that have made their attempt in this turn."""
    pending: PendingRepairView | None
    ships: Mapping[str, ShipRepairsView]
