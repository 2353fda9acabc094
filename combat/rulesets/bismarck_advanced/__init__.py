"""BISMARCK's Advanced Game: one ship one model, fire resolved shell by shell."""

from dataclasses import replace
from importlib.resources import files

from combat.ruleset import Ruleset, load_ruleset
from combat.rulesets.bismarck_advanced.examples import Examples
from combat.rulesets.bismarck_advanced.fire import AdvancedFire
from combat.rulesets.bismarck_advanced.tabledata import NAME, load_tables
from combat.rulesets.bismarck_advanced.warship_files import load_warships

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    ruleset = load_ruleset(NAME, files(__package__), load_warships())
    rules = ruleset.table_rules
    return replace(
        ruleset,
        tables=load_tables(),
        fire=AdvancedFire(rules),
        # Read when they are asked for: a battle needs none of them.
        cases=lambda tables: Examples.shipped(rules).replayed(tables),
    )
