"""BISMARCK's Advanced Game: one model per ship, fire resolved hit by hit."""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from combat.free_rulebook_loader import MOST_RULEBOOKS
from combat.rulebook_info import Ruleset, load_ruleset
from combat.rulebooks.bismarck_advanced.basic_game.rules import AdvancedConversions
from combat.rulebooks.bismarck_advanced.editions import CURRENT, EARLIER, Edition
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle
from combat.rulebooks.bismarck_advanced.setup.setup_rules import AdvancedSetUp
from combat.rulebooks.bismarck_advanced.table_files import NAME, load_tables
from combat.rulebooks.bismarck_advanced.worked_examples.examples import Examples
from combat.tables import TableSet
from tabletop.table import Base

if TYPE_CHECKING:
    from collections.abc import Callable

    from combat.conversions import ConversionRules
    from combat.free_play import FreeRulebook
    from combat.guided_actions import StartingMarks
    from combat.guided_play import GuidedRulebook

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

    def in_edition(edition: Edition) -> Ruleset:
        @lru_cache(maxsize=MOST_RULEBOOKS)
        def rulebook(tables: TableSet) -> AdvancedRulebook:
            return AdvancedRulebook(tables, warships, rules, edition)

        @lru_cache(maxsize=MOST_RULEBOOKS)
        def battle(tables: TableSet) -> AdvancedBattle:
            return AdvancedBattle(tables, warships, rules, base, edition)

        @lru_cache(maxsize=MOST_RULEBOOKS)
        def conversions(tables: TableSet) -> AdvancedConversions:
            return AdvancedConversions(tables, warships)

        return replace(
            ruleset,
            edition=edition.number,
            tables=load_tables(edition),
            # The types of its states are its own: others hand back what they were given.
            rulebook=cast("Callable[[TableSet], FreeRulebook[object]]", rulebook),
            battle=cast("Callable[[TableSet], GuidedRulebook[object]]", battle),
            conversions=cast(
                "Callable[[TableSet], ConversionRules[object, StartingMarks]]", conversions
            ),
            setting_up=AdvancedSetUp(base, rules.arcs),
            # Loaded on demand, because a battle does not need them.
            cases=lambda tables: Examples.shipped(rules, edition).replayed(tables),
        )

    return replace(in_edition(CURRENT), earlier={each.number: in_edition(each) for each in EARLIER})
