"""What may be done in free play of the Advanced Game: fire a gun type at a ship."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, Literal

from combat.actions import ActionInfo, ShipAtShip
from combat.questions import Asked, Count, between
from combat.rulebooks.bismarck_advanced.fire.shot import Crew
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tabletop.schema import Flag, Unit

FARTHEST_YARDS: Final = 1_000_000
FASTEST: Final = 20
PREVIOUS_FIRE: Final = "previous_fire"
"""The key of the one question by which a page asks for two flags of a shot file."""
_MOVES: Final = tuple((move.value, move.replace("_", " ").capitalize()) for move in Evolution)


class PreviousFire(StrEnum):
    """What these guns did to this target in the previous combat phase (62.53, modification 9)."""

    NONE = "none"
    FIRED = "fired"
    HIT = "hit"


_Speed = Annotated[int, between(0, FASTEST)]
_Guns = Annotated[int, between(1, 99)]
_AS_USUAL: Final = "one less than her movement factor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire(ShipAtShip):
    """One ship fires one gun type at one target (61.1).

    What is None is as the battle has it: what these guns and their target did in the round
    before, and speeds just below full speed.
    """

    kind: Literal["main", "secondary"]
    turrets: Annotated[
        tuple[str, ...],
        Asked("turrets designated", "61.1", table="fire", by_page=False, without="all that bear"),
    ] = ()
    guns: Annotated[
        _Guns | None,
        Asked("how many guns fire", table="fire", by_page=False, without="all that bear"),
    ] = None
    held_back: Annotated[
        Flag,
        Asked("guns that bear and do not fire aid aim", "67.42", table="fire", by_page=False),
    ] = False
    range_yards: Annotated[
        float,
        between(0, FARTHEST_YARDS),
        Unit("yards"),
        Asked("centre to centre of the markers", "61.5", table="fire", by_page=False),
    ]
    quadrant: Annotated[
        Quadrant, Asked("where the target lies for the firer", "61.4", table="fire", by_page=False)
    ]
    aspect: Annotated[
        Quadrant, Asked("where the firer lies for the target", "63.2", table="fire", by_page=False)
    ]
    blocked: Annotated[
        Flag, Asked("a ship blocks the line of sight", "67.5", table="fire", by_page=False)
    ] = False
    smoke: Annotated[
        Flag,
        Asked("a smoke front lies across the line", "67.652", table="fire", by_page=False),
    ] = False
    firer_speed: Annotated[
        _Speed | None,
        Asked(
            "movement factors of this round", "58.2",
            table="firer", key="speed", required_in_file=True, without=_AS_USUAL,
        ),
    ] = None  # fmt: skip
    target_speed: Annotated[
        _Speed | None,
        Asked(
            "movement factors of this round", "58.2",
            table="target", key="speed", required_in_file=True, without=_AS_USUAL,
        ),
    ] = None  # fmt: skip
    previous_fire: Annotated[
        PreviousFire | None,
        Asked(
            "These guns at this target, last phase",
            "62.53, modification 9",
            by_file=False,
            words=(("none", "Did not fire"), ("fired", "Fired"), ("hit", "Fired and hit")),
        ),
    ] = None
    first_fire_at_target: Annotated[
        Flag | None,
        Asked(
            "these guns did not fire at this target in the previous phase: targeting",
            "62.53",
            by_page=False,
            without="true, or as the battle has it",
        ),
    ] = None
    hit_target_last_segment: Annotated[
        Flag | None,
        Asked(
            "they fired and hit",
            "modification 9",
            by_page=False,
            without="false, or as the battle has it",
        ),
    ] = None
    visibility: Annotated[int, between(1, 8), Asked("Visibility level", "modification 2")] = 2
    night: Annotated[Flag, Asked("Night", "modification 2")] = False
    under_fire: Annotated[Flag, Asked("Firer is under fire", "modification 13")] = False
    hit_last_segment: Annotated[
        Flag | None,
        Asked(
            "Firer was hit in the previous segment",
            "modification 5",
            without="false, or as the battle has it",
        ),
    ] = None
    several_firers: Annotated[Flag, Asked("Others fire at this target too", "modification 12")] = (
        False
    )
    several_targets: Annotated[
        Flag, Asked("These guns have several targets", "modification 11")
    ] = False
    firer_smoke_cover: Annotated[Flag, Asked("Firer lays smoke cover", "67.64")] = False
    target_smoke_cover: Annotated[Flag, Asked("Target lays smoke cover", "67.64")] = False
    firer_evolution: Annotated[
        Evolution, Asked("Firer's course", "modification 7", words=_MOVES)
    ] = Evolution.STEADY
    target_evolution: Annotated[
        Evolution, Asked("Target's course", "modification 14", words=_MOVES)
    ] = Evolution.STEADY
    crew: Annotated[
        Crew,
        Asked(
            "Firer's crew",
            "modification 10",
            words=tuple((crew.value, crew.capitalize()) for crew in Crew),
        ),
    ] = Crew.FRESH
    jammed: Annotated[
        Mapping[str, Count],
        Asked("guns jammed in this phase, by turret", "71", by_page=False, without="none"),
    ] = field(default_factory=dict)
    radar_lost_with_superstructure: Annotated[
        Flag, Asked("optional rule of 64.5", table="options", by_page=False)
    ] = False
    factors_past_the_table_add_up: Annotated[
        Flag,
        Asked(
            "a factor above 28 rolls whole columns of 28 and the rest",
            table="options",
            by_page=False,
        ),
    ] = False
    every_held_back_gun_counts: Annotated[
        Flag,
        Asked(
            "every gun held back counts, as printed; otherwise those that lower the column",
            "67.42",
            table="options",
            by_page=False,
        ),
    ] = False

    @property
    def battery(self) -> Battery:
        """The gun type that fires (61.3)."""
        return Battery(self.kind)


INFOS: Final = (
    ActionInfo("main", Message("advanced.action.main"), "61.1", Fire),
    ActionInfo("secondary", Message("advanced.action.secondary"), "61.1", Fire),
)
