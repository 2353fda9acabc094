"""The Chase of the Bismarck: ships on a board of sea zones, with one die per gun factor."""

from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.chase_of_the_bismarck.examples import board_kinds
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook, FirstChaseRulebook
from combat.rulebooks.chase_of_the_bismarck.table_files import (
    EDITIONS,
    NAME,
    load_ships,
    load_tables,
)

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    folder, (first, current) = files(__package__), EDITIONS
    now = load_free_ruleset(ChaseRulebook, folder, load_tables(), load_ships(), board_kinds)
    before = load_free_ruleset(
        FirstChaseRulebook, folder, load_tables(first), load_ships(first), board_kinds
    )
    earlier = replace(before, edition=first, cases=now.cases)
    return replace(now, edition=current, earlier={first: earlier})
