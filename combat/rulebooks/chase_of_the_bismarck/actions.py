"""The actions of The Chase of the Bismarck with their fields and rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from combat.actions import Action, ActionInfo, AtShip, ByShip, ShipAtShip
from combat.questions import Count, QuestionInfo, between
from combat.rulebooks.chase_of_the_bismarck.board import FARTHEST, LAST_ZONE, Position
from tabletop.messages import Message
from tabletop.schema import Flag, Takes

MOST_TORPEDOES: Final = 3
"""The most torpedo markers that a ship may assign in a combat round (10, step 1)."""
FIRST_REINFORCED_ROUND: Final = 3
MOST_MARKS: Final = 99
asked = partial(QuestionInfo, "chase")


class Refuelling(StrEnum):
    """Where the target of an air attack refuels (9)."""

    NONE = "none"
    AT_SEA = "at_sea"
    IN_PORT = "in_port"


class Mended(StrEnum):
    """What a repair at sea with the best result mends (7.3)."""

    EVASION = "evasion"
    RUDDER = "rudder"


class Prize(StrEnum):
    """A single merchant ship, or a convoy of the Convoy ID Table (11.3)."""

    MERCHANT = "merchant ship"
    BRITANNIC = "Britannic"
    WS_8B = "WS.8B"
    HX_126 = "HX.126"
    HX_127 = "HX.127"
    HX_128 = "HX.128"
    OB_323 = "OB.323"
    OB_324 = "OB.324"
    OB_325 = "OB.325"
    OB_326 = "OB.326"
    SC_31 = "SC.31"
    SL_74 = "SL.74"
    SL_75 = "SL.75"


class Attackers(StrEnum):
    """Who began a combat; nobody where only the zones are asked for."""

    NONE = "none"
    GERMAN = "german"
    ALLIED = "allied"


FirerPosition = Annotated[Position, asked("10", table="firer", key="position")]
TargetPosition = Annotated[Position, asked("10", table="target", key="position")]
ZonesBetween = Annotated[int, between(0, FARTHEST), asked("10", table="fire", mutual=True)]
Visibility = Annotated[int, between(1, 9), asked("5", mutual=True)]
EnemyEvasion = Annotated[int, between(0, 40), asked("10, step 5")]
Zone = Annotated[int, between(1, LAST_ZONE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gunfire(ShipAtShip):
    """Gunfire of a ship at another (10, step 2)."""

    kind: Literal["guns"] = "guns"
    firer_position: FirerPosition = Position.OPENING
    target_position: TargetPosition = Position.OPENING
    zones_between: ZonesBetween = 3
    visibility: Visibility = 4
    target_acquired: Annotated[Flag, asked("10, step 2")] = False
    first_round: Annotated[Flag, asked("2.3.1", mutual=True)] = True
    crew_exhausted: Annotated[Flag, asked("13.2")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Torpedoes(ShipAtShip):
    """Torpedoes of a ship at another (10, steps 1 and 3)."""

    kind: Literal["torpedoes"] = "torpedoes"
    firer_position: FirerPosition = Position.OPENING
    target_position: TargetPosition = Position.OPENING
    zones_between: ZonesBetween = 3
    torpedoes: Annotated[
        int,
        between(1, MOST_TORPEDOES),
        asked("10, step 1", table="fire"),
    ] = 1
    torpedoes_elsewhere: Annotated[
        int,
        between(0, MOST_TORPEDOES),
        asked("10, step 1", table="fire"),
    ] = 0
    visibility: Visibility = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(ByShip):
    """A ship's move on the Battle Board, without a die (10, step 4)."""

    kind: Literal["move"] = "move"
    firer_position: FirerPosition = Position.OPENING
    zone: Annotated[Zone, asked("10")] = 9
    new_position: Annotated[Position, asked("10, step 4")] = Position.CLOSING
    zones: Annotated[int, between(0, 4), asked("10, step 4")] = 0
    held_up: Annotated[
        int,
        between(0, LAST_ZONE),
        asked("10, step 4"),
    ] = 0
    enemy_zone: Annotated[Zone, asked("10")] = 9
    enemy_moved: Annotated[Flag, asked("10, step 4")] = False
    enemy_evasion: EnemyEvasion = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort(ByShip):
    """An attempt of a ship to leave the combat (10, step 5)."""

    kind: Literal["abort"] = "abort"
    firer_position: FirerPosition = Position.OPENING
    zones_between: ZonesBetween = 3
    enemy_evasion: EnemyEvasion = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement(ByShip):
    """An attempt of a ship to enter the combat (10, step 6)."""

    kind: Literal["reinforcement"] = "reinforcement"
    visibility: Visibility = 4
    round: Annotated[int, between(1, 99), asked("10, step 6")] = FIRST_REINFORCED_ROUND


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Action):
    """The positions of the sides at the start of a combat, without a die (10)."""

    kind: Literal["start"] = "start"
    visibility: Visibility = 4
    attackers: Annotated[Attackers, asked("10")] = Attackers.NONE
    """Whose ships attack: every ship of the fight then takes her place on the board."""
    convoy: Annotated[Flag, asked("11.3")] = False
    """Whether the Allied ships are the escorts of a convoy, which may not abort."""
    fog: Annotated[Flag, asked("10")] = False
    """Whether the hex is in fog, where there is no combat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AirAttack(AtShip):
    """An air attack on a ship (9)."""

    kind: Literal["air"] = "air"
    visibility: Visibility = 4
    night: Annotated[Flag, asked("9")] = False
    channel: Annotated[Flag, asked("9")] = False
    refuelling: Annotated[
        Refuelling,
        asked("9"),
    ] = Refuelling.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineAttack(AtShip):
    """A submarine's attack on a ship (11.1)."""

    kind: Literal["submarine"] = "submarine"
    visibility: Visibility = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineContact(Action):
    """The roll for contact with a submarine, and for who attacks (11.1)."""

    kind: Literal["submarine contact"] = "submarine contact"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineTarget(Action):
    """The roll for the class of ship that a submarine finds (11.1)."""

    kind: Literal["submarine target"] = "submarine target"
    capital_ships: Annotated[Flag, asked("11.1")] = False
    cruisers: Annotated[Flag, asked("11.1")] = False
    destroyers: Annotated[Flag, asked("11.1")] = False


class Location(StrEnum):
    """Where a German ship or task force is, for random spotting (11.2)."""

    INSIDE = "inside"
    NEAR = "near a search factor"
    OUTSIDE = "outside"
    ROUTE = "on a convoy route"


class ConvoyLine(StrEnum):
    """The convoy line that a hunter is on (11.3)."""

    EAST_WEST = "east-west"
    NORTH_SOUTH = "north-south"


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomSpotting(Action):
    """Whether a German ship or task force is spotted by chance (11.2)."""

    kind: Literal["spotting"] = "spotting"
    visibility: Visibility = 4
    location: Annotated[Location, asked("11.2")] = Location.INSIDE


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyHunt(ByShip):
    """A German ship hunts for convoys (11.3)."""

    kind: Literal["convoy hunt"] = "convoy hunt"
    line: Annotated[ConvoyLine, asked("11.3")] = ConvoyLine.EAST_WEST
    task_force: Annotated[Flag, asked("11.3")] = False
    center_line: Annotated[Flag, asked("11.3")] = False
    night: Annotated[Flag, asked("9")] = False
    shadowed: Annotated[Flag, asked("11.3")] = False
    heads_for_port: Annotated[Flag, asked("11.3; 7.7.2")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyAttack(ByShip):
    """A German ship attacks what her hunt has found, once its escorts are sunk (11.3)."""

    kind: Literal["convoy attack"] = "convoy attack"
    prize: Annotated[Prize, asked("11.3")] = Prize.MERCHANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(ByShip):
    """A ship that keeps her place repairs evasion or her rudder at sea (7.3)."""

    kind: Literal["repair"] = "repair"
    weather: Annotated[int, between(1, 9), asked("7.3")] = 1
    """The box of the Weather Track."""
    mends: Annotated[Mended, asked("7.3")] = Mended.EVASION
    moves: Annotated[Flag, asked("7.3")] = False
    """Whether she moves or patrols in this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuel(ByShip):
    """A ship takes on fuel and torpedoes, in port or from a tanker (7.4, 7.5)."""

    kind: Literal["refuel"] = "refuel"
    in_port: Annotated[Flag, asked("7.4; 7.5")] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TankerCaught(ByShip):
    """A tanker in a hex with an Allied warship, without a die (10, step 6)."""

    kind: Literal["tanker"] = "tanker"
    spotted: Annotated[Flag, asked("10, step 6")] = True
    """Whether she is sighted or shadowed."""


_COUNTS: Final = TypeAdapter(Mapping[str, Count])


def _counted(value: object) -> object:
    """The ids in a table such as { Norfolk = 1 }, which is how files write a set of ships."""
    if not isinstance(value, Mapping):
        return value
    return frozenset(ship for ship, count in _COUNTS.validate_python(value).items() if count)


def _as_counts(ids: frozenset[str]) -> dict[str, int]:
    return dict.fromkeys(sorted(ids), 1)


Names = Annotated[
    frozenset[str], BeforeValidator(_counted), PlainSerializer(_as_counts, return_type=dict)
]
"""Names, such as ids of ships; in files a table with 1 for each."""
MarkCount = Annotated[int, between(0, MOST_MARKS)]


# Marks on a ship's sheet, which no page asks for.
_BOX: Final = asked("2.4", table="state", by_page=False)
_MARK: Final = asked("9; 10", table="state", by_page=False)
_PRIZE: Final = asked("4; 11.3", table="state", by_page=False)
_ESCORT: Final = asked("11.3", table="state", by_page=False)
_BOARD: Final = asked("10", table="state", by_page=False)
_ROUND: Final = asked("10, steps 1 to 6", table="state", by_page=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The marks on a Ship Card (2.4)."""

    hull_lost: Annotated[MarkCount, _BOX] = 0
    bow_lost: Annotated[MarkCount, _BOX] = 0
    stern_lost: Annotated[MarkCount, _BOX] = 0
    secondary_lost: Annotated[MarkCount, _BOX] = 0
    evasion_lost: Annotated[MarkCount, _BOX] = 0
    fuel_lost: Annotated[MarkCount, _BOX] = 0
    torpedoes_used: Annotated[MarkCount, _BOX] = 0
    fire_control_damaged: Annotated[Flag, _MARK] = False
    radar_damaged: Annotated[Flag, _MARK] = False
    rudder_damaged: Annotated[Flag, _MARK] = False
    aborted: Annotated[Flag, _MARK] = False
    acquired: Annotated[
        Names,
        asked("10, step 2", table="state", by_page=False, takes=Takes.COUNTS),
    ] = frozenset()
    """Ids of the ships that she has acquired as targets."""
    escort: Annotated[Flag | None, _ESCORT] = None
    """Whether she escorts a convoy under attack and may not abort."""
    zone: Annotated[Annotated[int, between(1, LAST_ZONE)] | None, _BOARD] = None
    """Her movement zone, from her own edge of the board; None where she is not on it."""
    position: Annotated[Position | None, _BOARD] = None
    attacker: Annotated[Flag | None, _BOARD] = None
    visibility: Annotated[Annotated[int, between(1, 9)] | None, _BOARD] = None
    """The level of the combat that she is in."""
    began: Annotated[Annotated[int, between(1, 999)] | None, _BOARD] = None
    """The round of the fight in which that combat began."""
    fired: Annotated[Flag | None, _ROUND] = None
    """Whether her guns have fired in this round."""
    torpedoes_assigned: Annotated[MarkCount | None, _ROUND] = None
    """The torpedo markers that she has launched in this round."""
    moved: Annotated[Flag | None, _ROUND] = None
    held_up: Annotated[Annotated[int, between(0, LAST_ZONE)] | None, _ROUND] = None
    """Movement zones that a shift of the board costs her in this round."""
    tried_to_enter: Annotated[Flag | None, _ROUND] = None
    """Whether she has rolled in this round to enter as a reinforcement."""
    tried_to_abort: Annotated[Flag | None, _ROUND] = None
    """Whether she has tried in this round to leave the combat."""
    convoys_found: Annotated[
        Names, asked("11.3", table="state", by_page=False, takes=Takes.COUNTS)
    ] = frozenset()
    """The convoys that she has located: nobody locates them again."""
    convoys_sunk: Annotated[
        Names, asked("11.3", table="state", by_page=False, takes=Takes.COUNTS)
    ] = frozenset()
    convoy_points: Annotated[MarkCount, _PRIZE] = 0
    """Victory points for them."""
    merchants_sunk: Annotated[MarkCount, _PRIZE] = 0

    def on_next_round(self) -> "Marks":
        """The same as the next combat round begins."""
        return replace(
            self,
            fired=None,
            torpedoes_assigned=None,
            moved=None,
            held_up=None,
            tried_to_enter=None,
            tried_to_abort=None,
        )


INFOS: Final = (
    ActionInfo("guns", Message("chase.action.guns"), "10, step 2", Gunfire),
    ActionInfo("torpedoes", Message("chase.action.torpedoes"), "10, step 3", Torpedoes),
    # Steps 4 to 6 come after the fire of a round, when its damage is marked.
    ActionInfo("move", Message("chase.action.move"), "10, step 4", Movement, when_marked=True),
    ActionInfo("abort", Message("chase.action.abort"), "10, step 5", Abort, when_marked=True),
    ActionInfo(
        "reinforcement",
        Message("chase.action.reinforcement"),
        "10, step 6",
        Reinforcement,
        when_marked=True,
    ),
    ActionInfo("start", Message("chase.action.start"), "10", Start),
    ActionInfo("tanker", Message("chase.action.tanker"), "10, step 6", TankerCaught),
    ActionInfo("air", Message("chase.action.air"), "9", AirAttack),
    ActionInfo("submarine", Message("chase.action.submarine"), "11.1", SubmarineAttack),
    ActionInfo("submarine contact", Message("chase.action.contact"), "11.1", SubmarineContact),
    ActionInfo("spotting", Message("chase.action.spotting"), "11.2", RandomSpotting),
    ActionInfo("convoy hunt", Message("chase.action.convoy_hunt"), "11.3", ConvoyHunt),
    ActionInfo(
        "convoy attack",
        Message("chase.action.convoy_attack"),
        "11.3",
        ConvoyAttack,
        when_marked=True,
    ),
    ActionInfo("repair", Message("chase.action.repair"), "7.3", Repair, when_marked=True),
    ActionInfo("refuel", Message("chase.action.refuel"), "7.4; 7.5", Refuel, when_marked=True),
    ActionInfo("submarine target", Message("chase.action.found"), "11.1", SubmarineTarget),
)
"""Every action, in the order of the menu."""
