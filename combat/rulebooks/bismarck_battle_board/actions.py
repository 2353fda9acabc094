"""What may be done on the battle board: every action with its fields and their rules."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, Literal

from combat.actions import Action, ActionInfo, AtShip, ByShip, ShipAtShip
from combat.questions import QuestionInfo, between
from combat.rulebooks.bismarck_data.air_waves import MOST_PLANES, Bomber
from tabletop.messages import Message
from tabletop.schema import Flag

MOST_HEXES: Final = 20
MOST_MARKS: Final = 99
WHOLE_FLOTILLA: Final = 6
VISIBILITY_X: Final = 9
"""What visibility X counts as in a surprise attack (41.3)."""
FIRST_REINFORCED_ROUND: Final = 3
"""The round at whose end reinforcements are first rolled for (9.41)."""
asked = partial(QuestionInfo, "board")


class Sector(StrEnum):
    """Where another ship lies, seen from a ship (9.63)."""

    BOW = "bow"
    PORT = "port"
    STARBOARD = "starboard"
    STERN = "stern"

    @property
    def field(self) -> str:
        """The field of fire of somebody who lies there (9.67)."""
        return "broadside" if self in (Sector.PORT, Sector.STARBOARD) else self.value


class Level(StrEnum):
    """Which of the two games is played: the Intermediate one has ammunition and weather."""

    BASIC = "basic"
    INTERMEDIATE = "intermediate"


class Reduction(StrEnum):
    """Which gun section a ship with faulty turrets fires at half strength (9.83)."""

    NOT_ROLLED = "not rolled"
    NONE = "none"
    BOW = "bow"
    STERN = "stern"


class Role(StrEnum):
    """How a ship comes onto the battle board (9.28, 9.42)."""

    DEFENDER = "defender"
    ATTACKER = "attacker"
    REINFORCEMENT = "reinforcement"


class Strikers(StrEnum):
    """The bombers of the Basic Game (9.17)."""

    GERMAN = "german"
    BRITISH = "british"
    BRITISH_TORPEDO = "british torpedo"


class RepairSection(StrEnum):
    """The sections of the Hit Record Pad that can be repaired (40.2)."""

    MIDSHIPS = "midships"
    BOW = "bow"
    STERN = "stern"
    PORT = "port"
    STARBOARD = "starboard"


class Convoy(StrEnum):
    """The convoys that a torpedo may meet (24.32, 24.71)."""

    SLOW = "slow"
    FAST = "fast"
    BRITANNIC = "Britannic"


_AS_PLACED: Final = Message("board.without.as_placed")
_ALL: Final = Message("board.without.all")
_AS_FOUGHT: Final = Message("board.without.as_fought")

_Hexes = Annotated[int, between(1, MOST_HEXES)]
_Salvos = Annotated[int, between(0, 20)]
_Evasion = Annotated[int, between(0, 60)]
Hexes = Annotated[
    _Hexes | None, asked("9.61", table="fire", mutual=True, without=Message("board.without.hexes"))
]
FireSector = Annotated[
    Sector | None, asked("9.63", table="fire", without=Message("board.without.sector"))
]
ShownSide = Annotated[
    Sector | None, asked("9.67", table="fire", without=Message("board.without.shown_side"))
]
SectionSalvos = Annotated[_Salvos | None, asked("9.62", table="fire", without=_ALL)]
GameLevel = Annotated[Level, asked("18; 20", mutual=True)]
Visibility = Annotated[int, between(0, 8), asked("18.1", mutual=True)]
Night = Annotated[Flag, asked("18.1; 22.23; 23.63", mutual=True)]
Slowest = Annotated[_Evasion | None, asked("Torpedo Hit Table, note 1", without=_AS_FOUGHT)]
Still = Annotated[Flag, asked("Torpedo Hit Table, note 3")]
Few = Annotated[int, between(0, 36)]
Turn = Annotated[int, between(-3, 3)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gunfire(ShipAtShip):
    """A ship's guns at another ship (9.6).

    What is None is as the ships stand on the board, and without places three hexes, broadside to
    broadside.
    """

    kind: Literal["guns"] = "guns"
    hexes: Hexes = None
    sector: FireSector = None
    shown_side: ShownSide = None
    bow: SectionSalvos = None
    stern: SectionSalvos = None
    secondary: SectionSalvos = None
    level: GameLevel = Level.BASIC
    visibility: Visibility = 1
    night: Night = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Torpedoes(ShipAtShip):
    """A ship's torpedoes at another ship (19)."""

    kind: Literal["torpedoes"] = "torpedoes"
    hexes: Annotated[
        _Hexes | None,
        asked("19.1", table="fire", mutual=True, without=Message("board.without.torpedo_hexes")),
    ] = None
    avoids: Annotated[Flag, asked("19.5")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(ByShip):
    """A ship takes her place on the battle board (9.28, 9.42, 18)."""

    kind: Literal["place"] = "place"
    role: Annotated[Role, asked("9.28")] = Role.ATTACKER
    edge: Annotated[
        Annotated[int, between(1, 6)] | None, asked("9.28", without=Message("board.without.rolled"))
    ] = None
    hex: Annotated[int, between(0, MOST_HEXES), asked("9.28; 9.281")] = 0
    beyond: Annotated[int, between(0, 9), asked("9.56")] = 0
    """How many hexes off the board a reinforcement starts."""
    heading: Annotated[int, between(1, 6), asked("9.282")] = 1
    level: GameLevel = Level.BASIC
    visibility: Visibility = 1
    night: Night = False
    defender_radar: Annotated[Flag, asked("18.2")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(ByShip):
    """A ship moves on the battle board (9.5)."""

    kind: Literal["move"] = "move"
    turn: Annotated[Turn, asked("9.52")] = 0
    hexes: Annotated[int, between(0, 2), asked("9.53")] = 1
    turn_between: Annotated[Turn, asked("9.52")] = 0
    turn_after: Annotated[Turn, asked("9.52")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(ByShip):
    """A ship states that she withdraws (9.93, 9.94)."""

    kind: Literal["withdraw"] = "withdraw"
    enemy_evasion: Annotated[_Evasion | None, asked("9.93", without=_AS_FOUGHT)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalMove(ByShip):
    """The bonus move of a withdrawing ship at the end of a round (9.95 to 9.97)."""

    kind: Literal["withdrawal move"] = "withdrawal move"
    withdrawing: Annotated[Flag | None, asked("9.94", without=_AS_FOUGHT)] = None
    turn_entered: Annotated[int, between(-1, 1), asked("9.95")] = 0
    nearest_enemy: Annotated[
        Annotated[int, between(1, MOST_HEXES)] | None, asked("9.97", without=_AS_PLACED)
    ] = None
    enemy_evasion: Annotated[_Evasion | None, asked("9.94", without=_AS_FOUGHT)] = None
    level: GameLevel = Level.BASIC
    visibility: Visibility = 1
    night: Night = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement(ByShip):
    """A ship tries to enter the combat (9.41)."""

    kind: Literal["reinforcement"] = "reinforcement"
    round: Annotated[Annotated[int, between(1, 99)] | None, asked("9.41", without=_AS_FOUGHT)] = (
        None
    )
    accepted: Annotated[Flag, asked("9.222")] = False
    """Whether the enemy accepts combat with a slower ship."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionRepair(ByShip):
    """A ship repairs lost evasion at sea (9.728)."""

    kind: Literal["evasion repair"] = "evasion repair"
    zones_moved: Annotated[int, between(0, 5), asked("9.728")] = 0
    evasion_to_regain: Annotated[_Evasion | None, asked("9.723", without=_AS_FOUGHT)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(ByShip):
    """A ship repairs boxes of one section, at sea or in port (40)."""

    kind: Literal["repair"] = "repair"
    section: Annotated[RepairSection, asked("40.2")] = RepairSection.MIDSHIPS
    zones_moved: Annotated[int, between(0, 5), asked("40.6")] = 0
    in_port: Annotated[Flag, asked("40.5")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuelling(ByShip):
    """A ship that refuels takes on torpedoes and ammunition (19.3, 20.6)."""

    kind: Literal["refuel"] = "refuel"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurpriseAttack(ShipAtShip):
    """A slower ship tries to surprise a faster one (41)."""

    kind: Literal["surprise attack"] = "surprise attack"
    visibility: Annotated[
        int, between(0, VISIBILITY_X), asked("41.2", key="surprise_visibility")
    ] = 5
    night: Night = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakOff(Action):
    """Both players agree to withdraw all their ships (9.92)."""

    kind: Literal["break off"] = "break off"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn(Action):
    """The next turn of the search board begins: no combat is under way (9.33, 9.97)."""

    kind: Literal["new turn"] = "new turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class FuelDamage(ByShip):
    """Fuel lost to midships hits by shells or torpedoes (21)."""

    kind: Literal["fuel damage"] = "fuel damage"
    midships_hits: Annotated[int, between(1, 20), asked("21")] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AirStrike(AtShip):
    """Strikes of a bomber unit at a ship in the Basic Game (9.1)."""

    kind: Literal["air strike"] = "air strike"
    bombers: Annotated[Strikers, asked("9.17")] = Strikers.BRITISH_TORPEDO
    strikes: Annotated[int, between(1, 2), asked("9.16")] = 1
    night: Annotated[Flag, asked("9.16")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AirAttack(AtShip):
    """One wave of bombers at a ship in the Intermediate Game (27.5)."""

    kind: Literal["air attack"] = "air attack"
    bomber: Annotated[Bomber, asked("27.33")] = Bomber.TORPEDO
    planes: Annotated[int, between(1, MOST_PLANES), asked("27.52")] = 6
    antiaircraft: Annotated[
        Annotated[int, between(0, 60)] | None,
        asked("27.4", without=Message("board.without.her_own")),
    ] = None
    visibility: Annotated[int, between(0, 8), asked("27.25; 29.2")] = 1
    night: Annotated[Flag, asked("27.25")] = False
    in_port: Annotated[Flag, asked("37")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EscortHits(AtShip):
    """Torpedo hits that an escort of a convoy takes (22.283; Torpedo Damage Table, note 2)."""

    kind: Literal["escort hits"] = "escort hits"
    hits: Annotated[int, between(1, 12), asked("22.283")] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LandBombers(Action):
    """How many planes a land-based bomber unit brings (27.36)."""

    kind: Literal["land bombers"] = "land bombers"
    zones_to_base: Annotated[int, between(0, 20), asked("27.36")] = 2
    visibility: Annotated[int, between(0, 8), asked("27.36")] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterCombat(Action):
    """Fighters on patrol against escorts and bombers (28.8, 29)."""

    kind: Literal["fighters"] = "fighters"
    patrol: Annotated[int, between(1, 30), asked("28.81")] = 3
    escorts: Annotated[int, between(0, 30), asked("28.81")] = 0
    bomber_planes: Annotated[int, between(1, 60), asked("28.82")] = 10
    level_bombers: Annotated[int, between(0, 60), asked("28.82")] = 0
    """How many of them are level bombers, where two types come together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AirConvoyAttack(Action):
    """An air attack on a convoy (24.53)."""

    kind: Literal["air convoy"] = "air convoy"
    planes: Annotated[int, between(1, MOST_PLANES), asked("27.52")] = 6
    destroyers: Annotated[Few, asked("Air/Convoy Attack Table")] = 0
    escort_antiaircraft: Annotated[Few, asked("Air/Convoy Attack Table")] = 0
    dispersed: Annotated[Flag, asked("24.63")] = False
    visibility: Annotated[int, between(0, 8), asked("24.43")] = 1
    night: Annotated[Flag, asked("24.43")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineAttack(AtShip):
    """A submarine counter's attack on a ship or a flotilla (22.2)."""

    kind: Literal["submarine"] = "submarine"
    destroyers: Annotated[Few, asked("22.23")] = 0
    carriers: Annotated[Few, asked("22.23")] = 0
    recon_units: Annotated[Few, asked("22.23")] = 0
    ships_near_norway: Annotated[Few, asked("Submarine Attack Table")] = 0
    submarines_lost: Annotated[int, between(0, 2), asked("Submarine Attack Table, note 2")] = 0
    night: Night = False
    slowest_evasion: Slowest = None
    did_not_move: Still = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineConvoyAttack(Action):
    """A submarine counter's attack on a convoy (22.2, 24.54)."""

    kind: Literal["submarine convoy"] = "submarine convoy"
    convoy: Annotated[Convoy, asked("24.32")] = Convoy.SLOW
    inside_escort_zone: Annotated[Flag, asked("Submarine Attack Table")] = False
    dispersed: Annotated[Flag, asked("24.63")] = False
    destroyers: Annotated[Few, asked("22.23")] = 0
    carriers: Annotated[Few, asked("22.23")] = 0
    recon_units: Annotated[Few, asked("22.23")] = 0
    submarines_lost: Annotated[int, between(0, 2), asked("Submarine Attack Table, note 2")] = 0
    night: Night = False
    escorted: Annotated[Flag, asked("Torpedo Damage Table, note 1")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FlotillaAttack(ShipAtShip):
    """A destroyer flotilla's torpedoes at a ship, after her defensive fire (23.3 to 23.6)."""

    kind: Literal["flotilla"] = "flotilla"
    salvos: Annotated[
        Annotated[int, between(1, WHOLE_FLOTILLA)] | None, asked("23.43", without=_ALL)
    ] = None
    defensive_fires: Annotated[
        Few | None, asked("23.61; 23.62", without=Message("board.without.each_salvo"))
    ] = None
    night: Night = False
    slowest_evasion: Slowest = None
    did_not_move: Still = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SalvoLoss(ByShip):
    """Whether a torpedo salvo went down with a destroyer (23.45)."""

    kind: Literal["salvo loss"] = "salvo loss"
    unfired: Annotated[
        Annotated[int, between(1, WHOLE_FLOTILLA)] | None, asked("23.45", without=_AS_FOUGHT)
    ] = None
    destroyers_before: Annotated[
        Annotated[int, between(1, WHOLE_FLOTILLA)] | None, asked("23.45", without=_AS_FOUGHT)
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipConvoyAttack(ByShip):
    """A ship's attack on the merchant ships of a convoy (24.52)."""

    kind: Literal["ship convoy"] = "ship convoy"
    convoy: Annotated[Convoy, asked("24.42")] = Convoy.SLOW
    escort_gone: Annotated[Flag, asked("24.52")] = True
    hits_received: Annotated[int, between(0, 60), asked("24.44")] = 0
    dispersed: Annotated[Flag, asked("24.62")] = False


_Count = Annotated[int, between(0, MOST_MARKS)]
_Place = Annotated[int, between(-MOST_HEXES, MOST_HEXES)]
# Marks stand on a ship's sheet: no page asks for them.
_mark = partial(asked, table="state", by_page=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What is marked on the Hit Record Pad, and where a ship stands on the battle board.

    The first eight are those of a conversion file (72).
    """

    midships_hits: Annotated[_Count, _mark("9.711")] = 0
    bow_hits: Annotated[_Count, _mark("9.711")] = 0
    stern_hits: Annotated[_Count, _mark("9.711")] = 0
    port_secondary_hits: Annotated[_Count, _mark("9.711")] = 0
    starboard_secondary_hits: Annotated[_Count, _mark("9.711")] = 0
    evasion_lost: Annotated[_Count, _mark("9.721")] = 0
    ammunition_spent: Annotated[_Count, _mark("20.1")] = 0
    torpedoes_fired: Annotated[Flag, _mark("19.3")] = False
    evasion_lost_for_good: Annotated[_Count, _mark("9.722")] = 0
    """The part of the evasion lost that no repair brings back."""
    fuel_lost: Annotated[_Count, _mark("21")] = 0
    destroyers_lost: Annotated[_Count, _mark("23.14")] = 0
    salvos_spent: Annotated[_Count, _mark("23.42")] = 0
    """Torpedo salvos of a flotilla that were fired, or went down with a destroyer."""
    withdrawing: Annotated[Flag, _mark("9.94")] = False
    withdrawn: Annotated[Flag, _mark("9.97")] = False
    entry_attempts: Annotated[_Count, _mark("9.41")] = 0
    column: Annotated[_Place | None, _mark("9.28", without=Message("board.without.no_place"))] = (
        None
    )
    row: Annotated[_Place | None, _mark("9.28", without=Message("board.without.no_place"))] = None
    heading: Annotated[
        Annotated[int, between(1, 6)] | None,
        _mark("9.282", without=Message("board.without.no_place")),
    ] = None
    moved: Annotated[Flag, _mark("9.51")] = False
    bow_salvos: Annotated[_Count, _mark("9.62")] = 0
    """Salvos that she has fired in this round, by gun section."""
    stern_salvos: Annotated[_Count, _mark("9.62")] = 0
    bow_in_a_range: Annotated[Flag, _mark("9.82")] = False
    """Whether her bow turrets have fired at a target in A range in this round."""
    port_salvos: Annotated[_Count, _mark("9.62")] = 0
    starboard_salvos: Annotated[_Count, _mark("9.62")] = 0
    round_ammunition: Annotated[Annotated[int, between(0, 2)], _mark("20.1")] = 0
    """Ammunition factors that the fire of this round has taken."""
    round_shots: Annotated[_Count, _mark("20.1")] = 0
    """Shots that she has fired in this round."""
    reduced: Annotated[Reduction, _mark("9.83")] = Reduction.NOT_ROLLED
    attacker: Annotated[Flag, _mark("9.28")] = False
    """Whether she belongs to those who attack: they move first of equals, and fire first."""
    edge: Annotated[Annotated[int, between(1, 6)] | None, _mark("9.28", without=_AS_PLACED)] = None
    """The edge that she came from."""
    avoids_torpedoes: Annotated[Flag, _mark("19.5")] = False
    """Whether she has announced it: she moves first and turns in her next move."""
    midships_solid: Annotated[_Count, _mark("40.3")] = 0
    """Boxes that can no longer be repaired at sea, by section."""
    bow_solid: Annotated[_Count, _mark("40.3")] = 0
    stern_solid: Annotated[_Count, _mark("40.3")] = 0
    port_solid: Annotated[_Count, _mark("40.3")] = 0
    starboard_solid: Annotated[_Count, _mark("40.3")] = 0
    repaired: Annotated[Flag, _mark("40.1")] = False
    """Whether she has had her repair of this turn."""
    evasion_repaired: Annotated[Flag, _mark("9.728")] = False
    refuelled: Annotated[Flag, _mark("20.6")] = False


def _info(kind: str, rule: str, type_: type[Action], *, when_marked: bool = False) -> ActionInfo:
    title = Message(f"board.action.{kind.replace(' ', '_')}")
    return ActionInfo(kind, title, rule, type_, when_marked)


INFOS: Final = (
    _info("guns", "9.6", Gunfire),
    _info("torpedoes", "19", Torpedoes),
    _info("place", "9.28", Placement),
    _info("move", "9.5", Movement),
    _info("withdraw", "9.93", Withdrawal),
    # These come after the fire of a round, when its damage is marked.
    _info("withdrawal move", "9.95", WithdrawalMove, when_marked=True),
    _info("reinforcement", "9.41", Reinforcement, when_marked=True),
    _info("evasion repair", "9.728", EvasionRepair, when_marked=True),
    _info("break off", "9.92", BreakOff),
    _info("new turn", "9.33", NewTurn),
    _info("repair", "40", Repair, when_marked=True),
    _info("refuel", "20.6", Refuelling, when_marked=True),
    _info("surprise attack", "41", SurpriseAttack),
    _info("fuel damage", "21", FuelDamage, when_marked=True),
    _info("ship convoy", "24.52", ShipConvoyAttack, when_marked=True),
    _info("flotilla", "23.3", FlotillaAttack, when_marked=True),
    _info("salvo loss", "23.45", SalvoLoss, when_marked=True),
    _info("air strike", "9.1", AirStrike),
    _info("air attack", "27.5", AirAttack),
    _info("land bombers", "27.36", LandBombers),
    _info("fighters", "28.8", FighterCombat),
    _info("air convoy", "24.53", AirConvoyAttack),
    _info("submarine", "22.2", SubmarineAttack),
    _info("submarine convoy", "22.2", SubmarineConvoyAttack),
    _info("escort hits", "22.283", EscortHits),
)
"""Every action, in the order in which players are offered them."""
