"""The Chase of the Bismarck: ships on a board of sea zones, with one die per gun factor."""

from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.chase_of_the_bismarck.examples import board_kinds
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
from combat.rulebooks.chase_of_the_bismarck.table_files import (
    EDITIONS,
    NAME,
    load_ships,
    load_tables,
)

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    ruleset = load_free_ruleset(
        ChaseRulebook, files(__package__), load_tables(), load_ships(), board_kinds
    )
    earlier = {
        number: replace(ruleset, edition=number, tables=load_tables(number))
        for number in EDITIONS[:-1]
    }
    return replace(ruleset, edition=EDITIONS[-1], earlier=earlier)
