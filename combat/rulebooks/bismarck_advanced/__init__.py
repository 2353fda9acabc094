"""BISMARCK's Advanced Game: one model per ship, fire resolved hit by hit.

What plays it is imported when it is first played: a list of rulebooks needs the data alone.
"""

from dataclasses import replace
from functools import lru_cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from combat.free_rulebook_loader import MOST_RULEBOOKS
from combat.rulebook_info import Ruleset, load_ruleset
from combat.rulebooks.bismarck_advanced.editions import CURRENT, EARLIER, Edition
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.table_files import NAME, load_tables
from tabletop.table import Base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from combat.battle_setup import SetUpRules
    from combat.conversions import ConversionRules
    from combat.free_play import FreeRulebook
    from combat.guided_actions import StartingMarks
    from combat.guided_play import GuidedRulebook
    from combat.rulebooks.bismarck_advanced.basic_game.rules import AdvancedConversions
    from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook
    from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle
    from combat.tables import TableSet
    from combat.verification import Case

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    warships = load_warships()
    ruleset = load_ruleset(NAME, files(__package__), warships)
    rules = ruleset.table_rules
    scale = ruleset.default_scale
    base = Base(
        scale.yards_from_inches(ruleset.base_length_inches),
        scale.yards_from_inches(ruleset.base_width_inches),
    )

    def setting_up() -> "SetUpRules":
        from combat.rulebooks.bismarck_advanced.setup.setup_rules import AdvancedSetUp

        return AdvancedSetUp(base, rules.arcs)

    def in_edition(edition: Edition) -> Ruleset:
        @lru_cache(maxsize=MOST_RULEBOOKS)
        def rulebook(tables: "TableSet") -> "AdvancedRulebook":
            from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook

            return AdvancedRulebook(tables, warships, rules, edition)

        @lru_cache(maxsize=MOST_RULEBOOKS)
        def battle(tables: "TableSet") -> "AdvancedBattle":
            from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle

            return AdvancedBattle(tables, warships, rules, base, edition)

        @lru_cache(maxsize=MOST_RULEBOOKS)
        def conversions(tables: "TableSet") -> "AdvancedConversions":
            from combat.rulebooks.bismarck_advanced.basic_game.rules import AdvancedConversions

            return AdvancedConversions(tables, warships)

        def cases(tables: "TableSet") -> "Iterable[Case]":
            from combat.rulebooks.bismarck_advanced.worked_examples.examples import Examples

            return Examples.shipped(rules, edition).replayed(tables)

        return replace(
            ruleset,
            edition=edition.number,
            load_tables=partial(load_tables, edition),
            # The types of its states are its own: others hand back what they were given.
            rulebook=cast("Callable[[TableSet], FreeRulebook[object]]", rulebook),
            battle=cast("Callable[[TableSet], GuidedRulebook[object]]", battle),
            conversions=cast(
                "Callable[[TableSet], ConversionRules[object, StartingMarks]]", conversions
            ),
            setting_up=setting_up,
            cases=cases,
        )

    return replace(in_edition(CURRENT), earlier={each.number: in_edition(each) for each in EARLIER})
