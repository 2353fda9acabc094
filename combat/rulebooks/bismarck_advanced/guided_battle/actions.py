"""What players do in a battle of the Advanced Game: its own actions, and the union of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import ConfigDict, Field

from combat.guided_actions import (
    MOST_SHIPS,
    BattleAction,
    Commit,
    Draft,
    EndBattle,
    Mark,
    Move,
    Reveal,
    RollDice,
    Secret,
    Settle,
    Uncommit,
    Withdraw,
)
from combat.rulebooks.bismarck_advanced.after_battle.repair import Part
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import (
    Conditions,
    ShipValues,
    TurretName,
)
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.smoke import SmokeSide
from combat.rulebooks.bismarck_data.air_waves import MOST_PLANES, Bomber
from tabletop.schema import CONFIG, Flag, Reason, ShipName, Whole

MOST_AIMS: Final = 40
MOST_TURRETS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot(Draft):
    """One ship's secret plot (56.1, 56.5, 57.5); it may be written anew until the commit."""

    kind: Literal["plot"] = "plot"
    speed: Annotated[Whole, Field(ge=0, le=99)] | None = None
    """For the round (58.2); in its second segment it stands and is left out."""
    notation: Annotated[str, Field(max_length=80)] = ""
    """As on the record sheet, such as "3L1", "2Rl C", "5 SF" or "follow" (57.52, 67).

    A short turn is half of a full one; an amount behind its letter says otherwise: "l⅓" or "l1/3"
    (¼, ⅓, ½, ⅔, ¾), "l12°" or "l12d" (57.3).
    """
    follows: ShipName | None = None
    """The ship ahead, where the notation says follow (57.7)."""
    torpedo: ShipName | None = None
    """At whom torpedoes are fired (69.4)."""
    smoke_side: SmokeSide = SmokeSide.STARBOARD
    """Where a smoke front is laid (67.65)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """One battery at one target (61.1)."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    target: ShipName
    battery: Battery = Battery.MAIN
    turrets: Annotated[tuple[TurretName, ...], Field(max_length=MOST_TURRETS)] = ()
    """By name, as the fire options list them; none named means all that bear."""
    guns: Annotated[Whole, Field(ge=1, le=99)] | None = None
    """Fewer than bear, to save ammunition; in battles of edition 1 alone (67.41: see `Reduce`)."""
    held_back: Flag = False
    """Whether each gun that does not fire takes 1 from the dice; in edition 1 alone (67.42)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Designate(Draft):
    """One ship's secret fire (61); without orders she holds it."""

    kind: Literal["designate"] = "designate"
    orders: Annotated[tuple[Aim, ...], Field(max_length=MOST_AIMS)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders(Secret):
    """Plots or fire of several ships of one side at once: all are written, or none.

    They are taken in their order, so a leader comes before her column.
    """

    kind: Literal["orders"] = "orders"
    plots: Annotated[tuple[Plot, ...], Field(max_length=MOST_SHIPS)] = ()
    fires: Annotated[tuple[Designate, ...], Field(max_length=MOST_SHIPS)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOfFire:
    """One fire as designated, and how many guns of its turrets fire (67.41)."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    target: ShipName
    battery: Battery = Battery.MAIN
    guns: Annotated[
        Mapping[TurretName, Annotated[Whole, Field(ge=0, le=99)]], Field(max_length=MOST_TURRETS)
    ] = field(default_factory=dict)
    """By turret; those that are not named fire with every gun that has not jammed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduce(Draft):
    """One ship's secret rates of fire (67.41); without any she fires as designated."""

    kind: Literal["reduce"] = "reduce"
    rates: Annotated[tuple[RateOfFire, ...], Field(max_length=MOST_AIMS)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrange(Secret):
    """In hidden play, before the first move: two ships change number and place (55.11).

    Both are of one side and face down; on the table nothing moves. What their side has plotted is
    to be written anew.
    """

    kind: Literal["arrange"] = "arrange"
    ship: ShipName
    other: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class RollNext(BattleAction):
    """A side says which of its fires is rolled next (62.3)."""

    kind: Literal["roll_next"] = "roll_next"
    firer: ShipName
    target: ShipName
    battery: Battery = Battery.MAIN
    reason: Annotated[str, Field(max_length=1000)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(BattleAction):
    """The umpire sets a ship's values right; without a ship, the battle's conditions."""

    kind: Literal["correct"] = "correct"
    reason: Annotated[Reason, Field(max_length=200)] = ""
    """Nobody changes a value without saying why."""
    ship: ShipName | None = None
    values: ShipValues | None = None
    conditions: Conditions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(BattleAction):
    """After the battle: a repair at sea (68) or in port, refuelling, or the next turn of them."""

    kind: Literal["repair"] = "repair"
    ship: ShipName | None = None
    part: Part | None = None
    """As the view's `repairs` lists them."""
    turret: TurretName | None = None
    moved_two_zones: Flag = False
    in_port: Flag = False
    """40.5: repaired without a die; the rudder alone takes its die there, too."""
    refuel: Flag = False
    """She takes on torpedoes and ammunition (19.3, 20.6)."""
    turns: Annotated[Whole, Field(ge=1, le=99)] = 1
    """How many turns she spends so in port or refuelling, or how many pass."""
    next_turn: Flag = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AirStrike(BattleAction):
    """A wave of bombers at a ship, at the beginning of a round (9.14, 27.5); its dice come next."""

    kind: Literal["air_strike"] = "air_strike"
    target: ShipName
    bomber: Bomber = Bomber.TORPEDO
    planes: Annotated[Whole, Field(ge=1, le=MOST_PLANES)] = 6
    antiaircraft: Annotated[Whole, Field(ge=0, le=60)] | None = None
    """The strength that is committed against it (27.4); None for the target's own."""
    in_port: Flag = False
    """Whether the target lies in port, which fires with her; she cannot evade (37)."""
    zones_to_base: Annotated[Whole, Field(ge=0, le=20)] | None = None
    """For a land-based unit, which rolls for its level bombers: the zones to its base (27.36)."""
    patrol: Annotated[Whole, Field(ge=0, le=30)] = 0
    """Fighters on patrol over the target (28.3, 36)."""
    escorts: Annotated[Whole, Field(ge=0, le=30)] = 0
    """Fighters that escort the bombers: each holds one on patrol (28.81)."""


AdvancedAction = (
    Plot
    | Designate
    | Orders
    | Reduce
    | Arrange
    | Settle
    | RollNext
    | Commit
    | Uncommit
    | Move
    | RollDice
    | Mark
    | Withdraw
    | Reveal
    | Correct
    | EndBattle
    | Repair
    | AirStrike
)
ACTION_TYPES: Final[tuple[type[BattleAction], ...]] = get_args(AdvancedAction)
