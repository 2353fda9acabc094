"""The actions of Grand Fleets with their fields and rules.

Attacks with guns or torpedoes, rolls for a ship, and rolls for both players.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from combat.actions import Action, ActionInfo, ByShip, ShipAtShip
from combat.questions import between
from combat.rulebooks.grand_fleets.card import GUNS, TORPEDOES, GunBattery
from combat.rulebooks.grand_fleets.terms import asked
from tabletop.arcs import Quadrant
from tabletop.messages import Message, verbatim
from tabletop.schema import Flag

DAMAGE_CHECK: Final = "damage check"
COMMAND_CHECK: Final = "command check"
INITIATIVE: Final = "initiative"
QUALITY: Final = "command quality"
NEW_FLAG: Final = "flag transfer"
MOVE: Final = "move"
LEAVE: Final = "leave the table"
ORDER: Final = "order"
VICTORY: Final = "victory"
COST: Final = "division cost"

MOST_YARDS: Final = 100_000
MarkerChoice = Literal["as marked", "stop", "slow", "none", "fast"]
QualityChoice = Literal["as marked", "-2", "-1", "0", "1", "2"]

RangeYards = Annotated[
    int,
    between(0, MOST_YARDS),
    asked("Range", "fire", by_page=False),
]
FiringArc = Annotated[Quadrant, asked("Firing Arc", "fire", by_page=False)]
Aspect = Annotated[
    Quadrant,
    asked("Armor vs. Penetration", "fire", by_page=False),
]
Blocked = Annotated[Flag, asked("Line of Fire", "fire", by_page=False)]
TargetMarker = Annotated[MarkerChoice, asked("Target Speed")]
ChecksAtOnce = Annotated[Flag, asked("Damage Checks")]
GameTurn = Annotated[
    Annotated[int, between(0, 999)] | None,
    asked("Sequence of Play", by_page=False, without=verbatim("0")),
]
"""None for the battle's round, which a shot file does not have."""
Commander = Annotated[
    QualityChoice,
    asked("Divisions"),
]  # fmt: skip
Points = Annotated[int, between(0, 9999)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gunfire(ShipAtShip):
    """Fire of a gun battery at another ship (Making an Attack)."""

    kind: GunBattery
    range_yards: RangeYards
    quadrant: FiringArc
    aspect: Aspect
    blocked: Blocked = False
    marker: TargetMarker = "as marked"
    extreme: Annotated[Flag, asked("Range, optional rule")] = False
    split: Annotated[
        Flag,
        asked("The Combat Phase, optional rule"),
    ] = False
    checks: ChecksAtOnce = True
    turn: GameTurn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoAttack(ShipAtShip):
    """Torpedoes at another ship (Torpedoes)."""

    kind: Literal["torpedoes"] = "torpedoes"
    range_yards: RangeYards
    quadrant: FiringArc
    aspect: Aspect
    blocked: Blocked = False
    torpedoes: Annotated[
        int,
        between(0, 80),
        asked("Torpedoes", "fire"),
    ] = 0
    marker: TargetMarker = "as marked"
    checks: ChecksAtOnce = True
    turn: GameTurn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageCheck(ByShip):
    """A series of damage checks that is due (Damage Checks)."""

    kind: Literal["damage check"] = "damage check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(ByShip):
    """A move, which needs no dice and sets the speed marker (The Movement Phase)."""

    kind: Literal["move"] = "move"
    move_yards: Annotated[int, between(0, 20_000), asked("The Movement Phase")] = 0
    turned: Annotated[Flag, asked("Turning")] = False
    last_marker: Annotated[MarkerChoice, asked("Speed Markers")] = "as marked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Initiative(ByShip):
    """The initiative of a flagship's division (Sequence of Play)."""

    kind: Literal["initiative"] = "initiative"
    quality: Commander = "as marked"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandCheck(ByShip):
    """An attempt of a ship to return to command (Returning to Command)."""

    kind: Literal["command check"] = "command check"
    quality: Commander = "as marked"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandQuality(ByShip):
    """The roll for the quality of a division's commander, or of his successor (Divisions)."""

    kind: Literal["command quality", "flag transfer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving(ByShip):
    """A ship leaves the table and the game (The Movement Phase)."""

    kind: Literal["leave the table"] = "leave the table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Action):
    """The roll for who begins among tied divisions or ships out of command."""

    kind: Literal["order"] = "order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory(Action):
    """The check of who has won (Victory!)."""

    kind: Literal["victory"] = "victory"
    battle_size: Annotated[
        # The usual one first, as in the form.
        Literal["medium", "very small", "small", "large", "very large"],
        asked("Assembling the Fleet"),
    ] = "medium"
    points_first: Annotated[Points, asked("Victory")] = 0
    points_second: Annotated[Points, asked("Victory")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionCost(Action):
    """The cost of a division with a chosen commander (Divisions)."""

    kind: Literal["division cost"] = "division cost"
    chosen: Annotated[
        Literal["average", "terrible", "poor", "good", "superb"],
        asked("Divisions"),
    ] = "average"
    division_points: Annotated[Points, asked("Divisions")] = 0


def _title(action: str) -> Message:
    return Message(f"grand_fleets.action.{action}")


OWN_ROLLS: Final = (
    ActionInfo(DAMAGE_CHECK, _title("damage_check"), "Damage Checks", DamageCheck),
    ActionInfo(MOVE, _title("move"), "The Movement Phase", Move),
    ActionInfo(INITIATIVE, _title("initiative"), "Sequence of Play", Initiative),
    ActionInfo(COMMAND_CHECK, _title("command_check"), "Returning to Command", CommandCheck),
    ActionInfo(QUALITY, _title("command_quality"), "Divisions", CommandQuality),
    ActionInfo(NEW_FLAG, _title("flag_transfer"), "Divisions", CommandQuality),
    ActionInfo(LEAVE, _title("leave"), "The Movement Phase", Leaving),
)
"""Rolls of a ship without a target."""
COMMON_ROLLS: Final = (
    ActionInfo(ORDER, _title("order"), "The Movement Phase", Order),
    ActionInfo(VICTORY, _title("victory"), "Victory!", Victory),
    ActionInfo(COST, _title("cost"), "Divisions", DivisionCost),
)
"""Rolls of both players without a ship."""
INFOS: Final = (
    *(
        ActionInfo(
            kind,
            Message("grand_fleets.action.battery", number=place),
            "Making an Attack",
            Gunfire,
        )
        for place, kind in enumerate(GUNS, start=1)
    ),
    ActionInfo(TORPEDOES, _title("torpedoes"), "Torpedoes", TorpedoAttack),
    *OWN_ROLLS,
    *COMMON_ROLLS,
)
"""Every action, in the order of the menu."""
