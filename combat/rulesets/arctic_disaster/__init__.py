"""Arctic Disaster: surface actions, air attacks and submarines about PQ-17, one die a roll."""

from dataclasses import replace
from importlib.resources import files

from combat.ruleset import Ruleset, load_ruleset
from combat.rulesets.arctic_disaster.examples import replayed
from combat.rulesets.arctic_disaster.fire import ArcticFire
from combat.rulesets.arctic_disaster.sheet import record_sheet
from combat.rulesets.arctic_disaster.tabledata import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    ruleset = load_ruleset(NAME, files(__package__), load_ships())
    return replace(
        ruleset, tables=load_tables(), fire=ArcticFire(), sheet=record_sheet, cases=replayed
    )
