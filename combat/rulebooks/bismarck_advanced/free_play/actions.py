"""What may be done in free play of the Advanced Game: guns, torpedoes, jams, aircraft."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, Literal

from combat.actions import Action, ActionInfo, AtShip, ByShip, ShipAtShip
from combat.questions import Count, QuestionInfo, between
from combat.rulebooks.bismarck_advanced.fire.options import (
    AmmunitionByTurret,
    EveryGunCounts,
    FactorsAddUp,
    RadarLost,
)
from combat.rulebooks.bismarck_advanced.fire.shot import Crew
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_data.air_waves import MOST_PLANES, Bomber
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tabletop.schema import Flag, Unit

FARTHEST_YARDS: Final = 1_000_000
FASTEST: Final = 20
PREVIOUS_FIRE: Final = "previous_fire"
"""The key of a question on a page that stands for two flags of a shot file."""
asked = partial(QuestionInfo, "advanced")


class PreviousFire(StrEnum):
    """What these guns did at this target in the previous combat phase (62.53, modification 9)."""

    NONE = "none"
    FIRED = "fired"
    HIT = "hit"


_Speed = Annotated[int, between(0, FASTEST)]
_Guns = Annotated[int, between(1, 99)]
_AS_USUAL: Final = Message("advanced.without.below_full_speed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire(ShipAtShip):
    """One ship fires one gun type at one target (61.1).

    Fields that are None are taken from the battle: the fire and hits of the previous round, and
    speeds just below full speed.
    """

    kind: Literal["main", "secondary"]
    turrets: Annotated[
        tuple[str, ...],
        asked(
            "61.1", table="fire", by_page=False, without=Message("advanced.without.all_that_bear")
        ),
    ] = ()
    guns: Annotated[
        _Guns | None,
        asked(table="fire", by_page=False, without=Message("advanced.without.all_that_bear")),
    ] = None
    held_back: Annotated[
        Flag,
        asked("67.42", table="fire", by_page=False),
    ] = False
    range_yards: Annotated[
        float,
        between(0, FARTHEST_YARDS),
        Unit("yards"),
        asked("61.5", table="fire", by_page=False),
    ]
    quadrant: Annotated[Quadrant, asked("61.4", table="fire", by_page=False)]
    aspect: Annotated[Quadrant, asked("63.2", table="fire", by_page=False)]
    blocked: Annotated[Flag, asked("67.5", table="fire", by_page=False)] = False
    smoke: Annotated[
        Flag,
        asked("67.652", table="fire", by_page=False),
    ] = False
    firer_speed: Annotated[
        _Speed | None,
        asked("58.2", table="firer", key="speed", required_in_file=True, without=_AS_USUAL),
    ] = None  # fmt: skip
    target_speed: Annotated[
        _Speed | None,
        asked("58.2", table="target", key="speed", required_in_file=True, without=_AS_USUAL),
    ] = None  # fmt: skip
    previous_fire: Annotated[
        PreviousFire | None,
        asked("62.53, modification 9", by_file=False),
    ] = None
    first_fire_at_target: Annotated[
        Flag | None,
        asked("62.53", by_page=False, without=Message("advanced.without.true_or_battle")),
    ] = None
    hit_target_last_segment: Annotated[
        Flag | None,
        asked("modification 9", by_page=False, without=Message("advanced.without.false_or_battle")),
    ] = None
    visibility: Annotated[int, between(1, 8), asked("modification 2")] = 2
    night: Annotated[Flag, asked("modification 2")] = False
    under_fire: Annotated[Flag, asked("modification 13")] = False
    hit_last_segment: Annotated[
        Flag | None,
        asked("modification 5", without=Message("advanced.without.false_or_battle")),
    ] = None
    several_firers: Annotated[Flag, asked("modification 12")] = False
    several_targets: Annotated[Flag, asked("modification 11")] = False
    firer_smoke_cover: Annotated[Flag, asked("67.64")] = False
    target_smoke_cover: Annotated[Flag, asked("67.64")] = False
    firer_evolution: Annotated[Evolution, asked("modification 7")] = Evolution.STEADY
    target_evolution: Annotated[Evolution, asked("modification 14")] = Evolution.STEADY
    crew: Annotated[
        Crew,
        asked("modification 10"),
    ] = Crew.FRESH
    jammed: Annotated[
        Mapping[str, Count],
        asked("71", by_page=False, without=Message("advanced.without.none_or_rolled")),
    ] = field(default_factory=dict)
    radar_lost_with_superstructure: RadarLost = False
    factors_past_the_table_add_up: FactorsAddUp = False
    ammunition_by_turret: AmmunitionByTurret = False
    every_held_back_gun_counts: EveryGunCounts = False

    @property
    def battery(self) -> Battery:
        """The gun type that fires (61.3)."""
        return Battery(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Torpedoes(ShipAtShip):
    """A ship's torpedoes reach another (69): played in the round in which they are due (69.4).

    Range and sight are those of the launch, aspect and course those of the arrival. The salvo is
    as strong as her sheet says (19.4), and it meets `at`: where another ship is on the line, she
    is the one to name (69.6).
    """

    kind: Literal["torpedoes"] = "torpedoes"
    range_yards: Annotated[
        float,
        between(0, FARTHEST_YARDS),
        Unit("yards"),
        asked("69.3", table="fire", by_page=False),
    ]
    aspect: Annotated[Quadrant, asked("69.7", table="fire", by_page=False)]
    blocked: Annotated[Flag, asked("69.1", table="fire", by_page=False)] = False
    target_evolution: Annotated[Evolution, asked("69.7")] = Evolution.STEADY


@dataclass(frozen=True, slots=True, kw_only=True)
class Jams(ByShip):
    """A ship that fires her main guns in this round rolls for jams before she does (71.2)."""

    kind: Literal["jams"] = "jams"
    turrets: Annotated[
        tuple[str, ...],
        asked(
            "71.2", table="fire", by_page=False, without=Message("advanced.without.all_that_bear")
        ),
    ] = ()
    quadrant: Annotated[
        Quadrant | None,
        asked("61.4", table="fire", by_page=False, without=Message("advanced.without.any")),
    ] = None
    """Where she fires; None where that may be anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AirAttack(AtShip):
    """One wave of bombers at a ship (27.5)."""

    kind: Literal["air attack"] = "air attack"
    bomber: Annotated[Bomber, asked("27.33")] = Bomber.TORPEDO
    planes: Annotated[int, between(1, MOST_PLANES), asked("27.52")] = 6
    antiaircraft: Annotated[
        Annotated[int, between(0, 60)] | None,
        asked("27.4", without=Message("advanced.without.her_own")),
    ] = None
    visibility: Annotated[int, between(1, 8), asked("27.25; 29.2")] = 2
    night: Annotated[Flag, asked("27.25")] = False
    in_port: Annotated[Flag, asked("37")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LandBombers(Action):
    """How many planes a land-based bomber unit brings (27.36)."""

    kind: Literal["land bombers"] = "land bombers"
    zones_to_base: Annotated[int, between(0, 20), asked("27.36")] = 2
    visibility: Annotated[int, between(1, 8), asked("27.36")] = 2


INFOS: Final = (
    ActionInfo("main", Message("advanced.action.main"), "61.1", Fire),
    ActionInfo("secondary", Message("advanced.action.secondary"), "61.1", Fire),
    ActionInfo("torpedoes", Message("advanced.action.torpedoes"), "69.1", Torpedoes),
    ActionInfo("jams", Message("advanced.action.jams"), "71.2", Jams),
    ActionInfo("air attack", Message("advanced.action.air_attack"), "27.5", AirAttack),
    ActionInfo("land bombers", Message("advanced.action.land_bombers"), "27.36", LandBombers),
)
