"""What players do in a guided battle of Grand Fleets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import ConfigDict, Field

from combat.guided_actions import (
    BattleAction,
    DivisionName,
    EndBattle,
    RollDice,
    Settle,
    StoredPose,
)
from combat.rulebooks.grand_fleets.card import DiceRow, GunBattery, Tube
from combat.rulebooks.grand_fleets.table_files import Marker
from tabletop.schema import CONFIG, Flag, Reason, ShipName, SideName, Whole, kind_of

MOST_IN_DIVISION: Final = 48
MOST_SHOTS: Final = 12
MOST_SIDES: Final = 8
Boxes = Annotated[Whole, Field(ge=0, le=999)]
Yards = Annotated[Whole, Field(ge=0, le=100_000)]
Points = Annotated[Whole, Field(ge=0, le=99_999)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceDivision(BattleAction):
    """A division enters the game at its edge (First Movement Phase)."""

    kind: Literal["place-division"] = "place-division"
    division: DivisionName
    poses: Annotated[Mapping[ShipName, StoredPose], Field(max_length=MOST_IN_DIVISION)] = field(
        default_factory=dict
    )
    """Where its models stand; as on the table where none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveShip(BattleAction):
    """A ship moves (The Movement Phase)."""

    kind: Literal["move-ship"] = "move-ship"
    ship: ShipName
    pose: StoredPose | None = None
    """Where her model stands now; as on the table where None."""
    stop: Flag = False
    """She stays where she is, whatever the table shows (Stopping)."""
    yards: Yards | None = None
    """How far she went, as the players agree, where too close to call; as measured if None."""
    turned: Flag | None = None
    """Whether she turned, likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveDivision(BattleAction):
    """All ships of a division that have yet to move do so, in its order (The Movement Phase)."""

    kind: Literal["move-division"] = "move-division"
    division: DivisionName
    poses: Annotated[Mapping[ShipName, StoredPose], Field(max_length=MOST_IN_DIVISION)] = field(
        default_factory=dict
    )
    """Where their models stand now; as on the table where one is not named."""
    yards: Annotated[Mapping[ShipName, Yards], Field(max_length=MOST_IN_DIVISION)] = field(
        default_factory=dict
    )
    """How far some of them went, where two poses do not show it; as measured if not named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTable(BattleAction):
    """A ship leaves the table and the game (The Movement Phase)."""

    kind: Literal["leave-table"] = "leave-table"
    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCommand(BattleAction):
    """An OUT OF COMMAND marker is placed or taken away by hand (The Command Phase)."""

    kind: Literal["set-command"] = "set-command"
    ship: ShipName
    out: Flag = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDone(BattleAction):
    """A side has done with the Command Phase; when all have, the Combat Phase begins."""

    kind: Literal["command-done"] = "command-done"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeFlag(BattleAction):
    """A ship becomes the flagship of her division (Transferring the Flag)."""

    kind: Literal["take-flag"] = "take-flag"
    ship: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One battery or the torpedoes at one target."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    battery: GunBattery | Literal["torpedoes"]
    target: ShipName
    torpedoes: Annotated[Whole, Field(ge=0, le=80)] = 0
    """How many are launched; all that bear where 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareFire(BattleAction):
    """All targets of a ship, in the order in which her fire is resolved unless her player changes
    it with `FireNext` (The Combat Phase)."""

    kind: Literal["declare-fire"] = "declare-fire"
    ship: ShipName
    shots: Annotated[tuple[Shot, ...], Field(min_length=1, max_length=MOST_SHOTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FireNext(BattleAction):
    """Of a ship's declared fire, what is resolved next: the order is her player's (The Combat
    Phase)."""

    kind: Literal["fire-next"] = "fire-next"
    ship: ShipName
    battery: GunBattery | Literal["torpedoes"]
    target: ShipName


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldFire(BattleAction):
    """A ship, or all of a division that have yet to fire, do not fire in this turn."""

    kind: Literal["hold-fire"] = "hold-fire"
    ship: ShipName | None = None
    division: DivisionName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipValues:
    """Marks of a ship, and where her model stands; what is None stays as it is.

    How many boxes a ship has is for `corrections` to check.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    pose: StoredPose | None = None
    hull_lost: Boxes | None = None
    speed_lost: Boxes | None = None
    dice_lost: Mapping[DiceRow, Boxes] | None = None
    """By battery; those that are not named stay as they are, as with torpedoes."""
    torpedoes_fired: Mapping[Tube, Boxes] | None = None
    torpedoes_lost: Mapping[Tube, Boxes] | None = None
    marker: Marker | None = None
    out_of_command: Flag | None = None
    left_table: Flag | None = None
    command_quality: Annotated[Whole, Field(ge=-2, le=2)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What holds for the whole battle; what is None stays as it is."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    score: Annotated[Mapping[SideName, Points], Field(max_length=MOST_SIDES)] | None = None
    """Victory points by side."""
    extreme_range: Flag | None = None
    split_fire: Flag | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(BattleAction):
    """The umpire sets a ship's values right; without a ship, those of the battle."""

    kind: Literal["correct"] = "correct"
    reason: Annotated[Reason, Field(max_length=200)] = ""
    """Nobody changes a value without saying why."""
    ship: ShipName | None = None
    values: ShipValues | None = None
    conditions: Conditions | None = None


FleetAction = (
    PlaceDivision
    | MoveShip
    | MoveDivision
    | LeaveTable
    | SetCommand
    | TakeFlag
    | DeclareFire
    | FireNext
    | HoldFire
    | CommandDone
    | Settle
    | RollDice
    | Correct
    | EndBattle
)
ACTION_TYPES: Final[tuple[type[BattleAction], ...]] = get_args(FleetAction)
KINDS: Final = tuple(map(kind_of, ACTION_TYPES))
