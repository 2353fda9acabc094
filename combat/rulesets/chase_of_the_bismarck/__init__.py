"""The Chase of the Bismarck: ships on a battle board of sea zones, one die for every gun factor."""

from dataclasses import replace
from importlib.resources import files

from combat.ruleset import Ruleset, load_ruleset
from combat.rulesets.chase_of_the_bismarck.examples import replayed
from combat.rulesets.chase_of_the_bismarck.fire import ChaseFire
from combat.rulesets.chase_of_the_bismarck.sheet import record_sheet
from combat.rulesets.chase_of_the_bismarck.tabledata import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    ruleset = load_ruleset(NAME, files(__package__), load_ships())
    return replace(
        ruleset, tables=load_tables(), fire=ChaseFire(), sheet=record_sheet, cases=replayed
    )
