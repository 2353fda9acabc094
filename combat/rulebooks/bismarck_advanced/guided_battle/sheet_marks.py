"""The values of a ship, and the conditions of a battle, as an umpire sets them right.

What is None stays as it is. Boxes are given in boxes, a quarter being 0.25, as players say them;
how many of them a ship has is for `corrections` to check.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from combat.guided_actions import StoredPose
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.weather import StatedVisibility
from tabletop.schema import CONFIG, FARTHEST_YARDS, Flag, Number, Whole

Boxes = Annotated[Number, Field(ge=0, le=999)]
Count = Annotated[Whole, Field(ge=0, le=9_999)]
TurretName = Annotated[str, Field(max_length=40)]
StartingRange = Annotated[Number, Field(gt=0, le=FARTHEST_YARDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ammunition:
    """What is left for each class of guns."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    main: Count | None = None
    secondary: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipValues:
    """Marks of a ship's sheet, and where and how she sails."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    hull_lost: Boxes | None = None
    superstructure_lost: Boxes | None = None
    turrets_lost: Mapping[TurretName, Boxes] | None = None
    turrets_out: tuple[TurretName, ...] | None = None
    """All that are out of action for a phase; others are in action again."""
    jammed_guns: Mapping[TurretName, Count] | None = None
    secondaries_lost: tuple[TurretName, ...] | None = None
    director_destroyed: Flag | None = None
    plot_destroyed: Flag | None = None
    radar_lost: Flag | None = None
    movement_factors_lost: Count | None = None
    command_modifier: Annotated[Whole, Field(ge=0, le=99)] | None = None
    helm: tuple[RudderFault, ...] | None = None
    ammunition: Ammunition | None = None
    torpedoes_fired: Flag | None = None
    rounds_of_fire: Annotated[Whole, Field(ge=0, le=99)] | None = None
    sunk: Flag | None = None
    pose: StoredPose | None = None
    speed: Annotated[Whole, Field(ge=0, le=99)] | None = None
    evolution: Evolution | None = None
    withdrawn: Flag | None = None
    rounds_outside: Count | None = None
    hit_last_segment: Flag | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions of a battle: weather, starting range, and each of its `Options`."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    visibility: StatedVisibility | None = None
    night: Flag | None = None
    starting_range_yards: StartingRange | None = None
    radar_lost_with_superstructure: Flag | None = None
    factors_past_the_table_add_up: Flag | None = None
    ammunition_by_turret: Flag | None = None
    every_held_back_gun_counts: Flag | None = None
    fight_at_visibility_x: Flag | None = None
    fog_of_war: Flag | None = None
