"""The actions of Arctic Disaster with their fields and rules."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, Literal

from combat.actions import Action, ActionInfo, AtShip, ByShip, ShipAtShip
from combat.questions import QuestionInfo, between
from combat.rulebooks.arctic_disaster.table_files import FARTHEST_AREAS, LAST_AREA
from tabletop.messages import Message
from tabletop.schema import Flag

LAST_ROUND: Final = 8
LAST_GROUP: Final = 4
"""The most groups that a side deploys in (11.4.2)."""
ROUNDS_TOGETHER: Final = 4
"""The rounds in which the convoy stays together (11.4.13)."""
asked = partial(QuestionInfo, "arctic")


class Setting(StrEnum):
    """The situation of an air attack's target."""

    TASK_FORCE = "task-force"
    CONVOY = "convoy"
    SURFACE = "surface"


class Aircraft(StrEnum):
    """The air units (11.1)."""

    JU_88 = "Ju-88"
    JU_87 = "Ju-87"
    HE_111 = "He-111"
    HE_115 = "He-115"
    ALBACORE = "Albacore"
    ALBACORE_817 = "Albacore of 817 Squadron"


class Fleet(StrEnum):
    """The nationality of submarines (13.7)."""

    GERMAN = "German"
    ALLIED = "Allied"
    SOVIET = "Soviet"


class Searcher(StrEnum):
    """The kinds of searching units (10.2)."""

    CARRIER = "carrier"
    CRUISER = "cruiser or battleship"
    OTHER_SHIP = "other ship"
    LAND_AIRCRAFT = "land-based aircraft"
    REPORT = "intelligence report"


class Victorious(StrEnum):
    """What is known about the carrier Victorious (5.8)."""

    HIDDEN = "hidden"
    NEAR = "near"
    FAR = "far"
    SUNK = "sunk"


class Player(StrEnum):
    """One of the two players, or neither of them."""

    NONE = "none"
    GERMAN = "german"
    ALLIED = "allied"


class Tactical(StrEnum):
    """The Tactical Advantage marker (5.10)."""

    NONE = "0"
    PLUS = "2"
    MINUS = "-2"


RangeAreas = Annotated[int, between(0, FARTHEST_AREAS), asked("11.4.4", mutual=True)]
Smoke = Annotated[Flag, asked("11.4.6", mutual=True)]
Fog = Annotated[Flag, asked("11.4.5", mutual=True)]
Ice = Annotated[Flag, asked("7.2")]
Scattered = Annotated[Flag, asked("5.8")]
TacticalMarker = Annotated[
    Tactical,
    asked("5.10"),
]
SupportFactor = Annotated[int, between(0, 30), asked("11.1", by_page=False)]
Area = Annotated[int, between(1, LAST_AREA)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gunfire(ShipAtShip):
    """Gunfire of a ship at another (11.4.4)."""

    kind: Literal["main", "secondary"]
    range_areas: RangeAreas = 5
    moved: Annotated[Flag, asked("11.4.9 example")] = False
    later_firer: Annotated[Flag, asked("11.4.4")] = False
    smoke: Smoke = False
    fog: Fog = False
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Designation(ShipAtShip):
    """The target of a battery, stated before the first die of the Gunnery Segment (11.4.4)."""

    kind: Literal["main-target", "secondary-target"]

    @property
    def battery(self) -> Literal["main", "secondary"]:
        """The battery that fires at it."""
        return "main" if self.kind == "main-target" else "secondary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Torpedoes(ShipAtShip):
    """Torpedoes of a ship at another (11.4.7)."""

    kind: Literal["torpedoes"] = "torpedoes"
    range_areas: RangeAreas = 5
    smoke: Smoke = False
    fog: Fog = False
    screen: Annotated[
        int,
        between(0, 20),
        asked("13.10"),
    ] = 0
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Antiaircraft(ByShip):
    """Antiaircraft fire of a ship at one air unit (11.1, step 5)."""

    kind: Literal["antiaircraft"] = "antiaircraft"
    supports_another: Annotated[Flag, asked("11.1")] = False
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(ShipAtShip):
    """Antiaircraft fire of a ship for another one, at the next air unit that attacks her (11.1)."""

    kind: Literal["support"] = "support"
    aircraft: Annotated[Aircraft, asked("11.1")] = Aircraft.JU_88
    setting: Annotated[Setting, asked("11.1")] = Setting.TASK_FORCE
    squares: Annotated[int, between(0, 9), asked("11.1, step 5; 11.2")] = 1
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment(ByShip):
    """A ship comes onto the Surface Combat Display with her group (11.4.2, 11.4.13)."""

    kind: Literal["deploy"] = "deploy"
    group: Annotated[int, between(1, LAST_GROUP), asked("11.4.2")] = 1
    fog: Fog = False
    convoy: Annotated[Flag, asked("11.4.13")] = False
    convoy_area: Annotated[
        Area | None, asked("11.4.13", without=Message("arctic.without.rolled"))
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment(Action):
    """All ships are moved along the Surface Combat Display, away from its edge (11.4.12)."""

    kind: Literal["adjust"] = "adjust"
    areas: Annotated[int, between(1 - LAST_AREA, LAST_AREA - 1), asked("11.4.12")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scattering(Action):
    """The convoy scatters and leaves the Surface Combat Display (11.4.13)."""

    kind: Literal["scatter"] = "scatter"
    round: Annotated[int, between(1, LAST_ROUND), asked("11.4.13")] = ROUNDS_TOGETHER + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(ByShip):
    """How far a ship may move in this round, and on the display where she goes (11.4.3)."""

    kind: Literal["move"] = "move"
    to_area: Annotated[Area | None, asked("11.4.3", without=Message("arctic.without.stays"))] = None
    marker: Annotated[int, between(0, 2), asked("11.4.3")] = 0
    smoke_laid: Annotated[Flag, asked("11.4.6")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Submerging(ByShip):
    """A submarine of the convoy submerges on the display (13.10)."""

    kind: Literal["submerge"] = "submerge"


@dataclass(frozen=True, slots=True, kw_only=True)
class AirAttack(AtShip):
    """An attack of an air unit on a ship (11.1)."""

    kind: Literal["air"] = "air"
    fog: Fog = False
    aircraft: Annotated[Aircraft, asked("11.1")] = Aircraft.JU_88
    steps_lost: Annotated[int, between(0, 1), asked("11.1")] = 0
    setting: Annotated[
        Setting,
        asked("11.1"),
    ] = Setting.TASK_FORCE
    end_on: Annotated[Flag, asked("11.2.1")] = False
    ice: Ice = False
    target_fires: Annotated[Flag, asked("11.1")] = True
    support_1: SupportFactor = 0
    support_2: SupportFactor = 0
    support_3: SupportFactor = 0
    support_4: SupportFactor = 0
    tactical: TacticalMarker = Tactical.NONE

    @property
    def supports(self) -> tuple[int, ...]:
        """The antiaircraft factors of the supporting ships, in order."""
        return (self.support_1, self.support_2, self.support_3, self.support_4)


@dataclass(frozen=True, slots=True, kw_only=True)
class AirPatrol(Action):
    """A combat air patrol against the attackers (11.3.1)."""

    kind: Literal["air-to-air"] = "air-to-air"
    fighters: Annotated[int, between(1, 40), asked("11.3.1")] = 8
    attackers: Annotated[int, between(1, 40), asked("11.3.1")] = 6
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmarineAttack(AtShip):
    """An attack of a submarine on a ship (13.5 to 13.9)."""

    kind: Literal["submarine"] = "submarine"
    fog: Fog = False
    submarine: Annotated[Fleet, asked("13.7")] = Fleet.GERMAN
    escorts: Annotated[int, between(0, 60), asked("13.5")] = 0
    hunters: Annotated[Flag, asked("13.9")] = True
    attacks_made: Annotated[int, between(0, 4), asked("13.8")] = 0
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalHit(AtShip):
    """A critical hit alone (12.2)."""

    kind: Literal["critical"] = "critical"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMove(Action):
    """The dice for which side moves first (11.4.3)."""

    kind: Literal["first-move"] = "first-move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disengagement(Action):
    """The end of a surface combat (11.4.9)."""

    kind: Literal["disengage"] = "disengage"
    fog: Fog = False
    round: Annotated[int, between(1, LAST_ROUND), asked("11.4.9")] = 1
    convoy_leaves: Annotated[Flag, asked("11.4.9")] = False
    agreed: Annotated[Flag, asked("11.4.9")] = False
    """Whether both sides want it to end; then no die is rolled."""
    leaver: Annotated[Player, asked("11.4.10")] = Player.NONE
    """The player who alone wants to disengage."""
    mover: Annotated[Player, asked("11.4.10")] = Player.NONE
    """The player whose ships moved into the hex to begin the combat."""
    maximum_speed: Annotated[Flag, asked("7.6.4")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(Action):
    """A search (10.2)."""

    kind: Literal["search"] = "search"
    fog: Fog = False
    ice: Ice = False
    searcher: Annotated[Searcher, asked("10.2")] = Searcher.CARRIER
    distance_hexes: Annotated[int, between(0, 60), asked("10.2")] = 0
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadowing(Action):
    """A submarine shadows the convoy (13.6)."""

    kind: Literal["shadow"] = "shadow"
    detached: Annotated[int, between(0, 20), asked("13.6")] = 0
    tactical: TacticalMarker = Tactical.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFog(Action):
    """Whether a detected force is lost in new fog (5.1)."""

    kind: Literal["new-fog"] = "new-fog"
    shadowed: Annotated[Flag, asked("5.1")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainCheck(Action):
    """One die without modifiers: a shadow in new fog (13.6), grounding (5.5)."""

    kind: Literal["shadow-in-fog", "grounding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFleet(Action):
    """Whether the Home Fleet may enter the Barents Sea (7.5.2)."""

    kind: Literal["home-fleet"] = "home-fleet"
    tirpitz_at_sea: Annotated[Flag, asked("7.5.2")] = False
    scattered: Scattered = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HitlerOrders(Action):
    """Whether Tirpitz must return (5.8)."""

    kind: Literal["hitler"] = "hitler"
    victorious: Annotated[
        Victorious,
        asked("5.8"),
    ] = Victorious.HIDDEN
    scattered: Scattered = False


# What the rounds of a fight mark on a ship; no page asks for it.
_DISPLAY: Final = asked("11.4.2", table="state", by_page=False)
_ROUND: Final = asked("11.4", table="state", by_page=False)
_AIR: Final = asked("11.1, step 5", table="state", by_page=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """A ship's marks on her Damage Roster (12), and what she has done in a fight.

    What belongs to a fight is None where nothing is known of it.
    """

    damage: Annotated[int, between(0, 11), asked("12.0", "state")] = 0
    move_lost: Annotated[int, between(0, 9), asked("12.2", "state")] = 0
    guns_lost: Annotated[int, between(0, 20), asked("12.2", "state")] = 0
    torpedoes_fired: Annotated[Flag, asked("11.4.7", "state")] = False
    area: Annotated[Area | None, _DISPLAY] = None
    """Her area of the Surface Combat Display; None where she is not on it."""
    group: Annotated[Annotated[int, between(1, LAST_GROUP)] | None, _DISPLAY] = None
    """The group of her side that she was deployed with."""
    convoy: Annotated[Flag | None, _DISPLAY] = None
    """Whether she belongs to the convoy, which stays together (11.4.13)."""
    fog: Annotated[Flag | None, _DISPLAY] = None
    """The weather of the combat that she is in."""
    began: Annotated[Annotated[int, between(1, 999)] | None, _DISPLAY] = None
    """The round of the fight in which that combat began."""
    moved: Annotated[Flag | None, _ROUND] = None
    smoke_area: Annotated[Area | None, _ROUND] = None
    """Where she has laid smoke in this round."""
    fired_main: Annotated[Flag | None, _ROUND] = None
    fired_secondary: Annotated[Flag | None, _ROUND] = None
    main_target: Annotated[str | None, _ROUND] = None
    """The id of the ship that her main battery has designated in this round."""
    secondary_target: Annotated[str | None, _ROUND] = None
    launched: Annotated[Flag | None, _ROUND] = None
    """Whether she has fired torpedoes in this round."""
    asked_to_end: Annotated[Flag | None, _ROUND] = None
    """Whether the Disengagement Segment of this round is over."""
    left: Annotated[Flag | None, _ROUND] = None
    """Whether a combat that she was in has ended in this round."""
    in_segments: Annotated[Flag | None, _DISPLAY] = None
    """Whether her combat keeps the order of its segments, with targets that are designated."""
    submerged: Annotated[Flag | None, asked("13.10", table="state", by_page=False)] = None
    first_firer: Annotated[str | None, _ROUND] = None
    """The id of the first ship that has fired her guns at this one in this round."""
    air_attacked: Annotated[Flag | None, _AIR] = None
    supported: Annotated[Flag | None, _AIR] = None
    """Whether she has fired for another ship in this air attack."""
    hindrance: Annotated[Annotated[int, between(0, 40)] | None, _AIR] = None
    """What supporting fire takes from the next air unit's attack on her."""
    steps_taken: Annotated[Annotated[int, between(0, 8)] | None, _AIR] = None
    """The steps that supporting fire has taken from that air unit."""
    supporters: Annotated[Annotated[int, between(0, 99)] | None, _AIR] = None
    """How many ships have fired at it."""

    def on_next_round(self) -> "Marks":
        """The same as the next round begins."""
        return replace(
            self,
            moved=None,
            smoke_area=None,
            fired_main=None,
            fired_secondary=None,
            main_target=None,
            secondary_target=None,
            launched=None,
            asked_to_end=None,
            left=None,
            first_firer=None,
            air_attacked=None,
            supported=None,
            hindrance=None,
            steps_taken=None,
            supporters=None,
        )

    def off_display(self) -> "Marks":
        """The same after the combat, or after she has left it."""
        return replace(
            self.on_next_round(), area=None, group=None, convoy=None, fog=None, began=None,
            in_segments=None, submerged=None,
        )  # fmt: skip


INFOS: Final = (
    # Only gunnery is simultaneous; its results count in all later segments (11.4.4).
    ActionInfo("main", Message("arctic.action.main"), "11.4.4", Gunfire),
    ActionInfo("secondary", Message("arctic.action.secondary"), "11.4.4", Gunfire),
    ActionInfo("main-target", Message("arctic.action.main_target"), "11.4.4", Designation),
    ActionInfo(
        "secondary-target", Message("arctic.action.secondary_target"), "11.4.4", Designation
    ),
    *(
        ActionInfo(kind, title, rule, action, when_marked=True)
        for kind, title, rule, action in (
            ("torpedoes", Message("arctic.action.torpedoes"), "11.4.7", Torpedoes),
            ("antiaircraft", Message("arctic.action.antiaircraft"), "11.1, step 5", Antiaircraft),
            ("support", Message("arctic.action.support"), "11.1, step 5", Support),
            ("deploy", Message("arctic.action.deploy"), "11.4.2", Deployment),
            ("move", Message("arctic.action.move"), "11.4.3", Movement),
            ("submerge", Message("arctic.action.submerge"), "13.10", Submerging),
            ("air", Message("arctic.action.air"), "11.1", AirAttack),
            ("air-to-air", Message("arctic.action.air_to_air"), "11.3.1", AirPatrol),
            ("submarine", Message("arctic.action.submarine"), "13.5", SubmarineAttack),
            ("critical", Message("arctic.action.critical"), "12.2", CriticalHit),
            ("first-move", Message("arctic.action.first_move"), "11.4.3", FirstMove),
            ("disengage", Message("arctic.action.disengage"), "11.4.9", Disengagement),
            ("adjust", Message("arctic.action.adjust"), "11.4.12", Adjustment),
            ("scatter", Message("arctic.action.scatter"), "11.4.13", Scattering),
            ("search", Message("arctic.action.search"), "10.2.1", Search),
            ("shadow", Message("arctic.action.shadow"), "13.6", Shadowing),
            ("new-fog", Message("arctic.action.new_fog"), "5.1", NewFog),
            ("shadow-in-fog", Message("arctic.action.shadow_in_fog"), "13.6", PlainCheck),
            ("grounding", Message("arctic.action.grounding"), "5.5", PlainCheck),
            ("home-fleet", Message("arctic.action.home_fleet"), "7.5.2", HomeFleet),
            ("hitler", Message("arctic.action.hitler"), "5.8", HitlerOrders),
        )
    ),
)
"""Every action, in the order of the menu."""
