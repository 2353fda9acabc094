"""Optional rules, and readings that the book leaves to the players."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict

from combat.guided_actions import BattleOptions
from combat.optional_rules import OptionalRule
from combat.questions import QuestionInfo
from combat.rulebooks.bismarck_advanced.editions import Edition
from tabletop.schema import CONFIG, Flag


def _option(rule: str) -> QuestionInfo:
    return QuestionInfo("advanced", rule, table="options")


RadarLost = Annotated[Flag, _option("64.5")]
FactorsAddUp = Annotated[Flag, _option("62.44")]
AmmunitionByTurret = Annotated[Flag, _option("65.6")]
EveryGunCounts = Annotated[Flag, _option("67.42")]
FogOfWar = Annotated[Flag, _option("55.22, 67.1")]
FightAtVisibilityX = Annotated[Flag, _option("55.22")]


@dataclass(frozen=True, slots=True)
class Options(BattleOptions):
    """What the players of a battle have agreed on; the defaults are the usual game."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    radar_lost_with_superstructure: RadarLost = False
    """64.5: the first superstructure hit costs the radar."""
    factors_past_the_table_add_up: FactorsAddUp = False
    """A factor above 28: column 28 (no), or whole columns of 28 and the rest, added up (yes)."""
    ammunition_by_turret: AmmunitionByTurret = False
    """65.6: each turret has its equal share of the ammunition and no more."""
    every_held_back_gun_counts: EveryGunCounts = False
    """67.42 as it is printed: −1 for every gun held back, whatever it does to the column."""
    fight_at_visibility_x: FightAtVisibilityX = False
    """55.22 forbids the attack at visibility X; the players fight by agreement all the same."""
    fog_of_war: FogOfWar = False
    """An umpire's game: each side is shown only what its ships see."""


def options_of_edition(
    options: tuple[OptionalRule, ...], edition: Edition
) -> tuple[OptionalRule, ...]:
    """Those of the optional rules that make a difference in an edition."""
    if edition.held_back_gun_must_lower_column:
        return options
    return tuple(each for each in options if each.key != "every_held_back_gun_counts")
