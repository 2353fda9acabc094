"""The Chase of the Bismarck: ships on a board of sea zones, with one die per gun factor."""

from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.chase_of_the_bismarck.examples import board_kinds
from combat.rulebooks.chase_of_the_bismarck.rulebook import (
    ChaseRulebook,
    FirstChaseRulebook,
    SecondChaseRulebook,
)
from combat.rulebooks.chase_of_the_bismarck.table_files import (
    EDITIONS,
    NAME,
    load_ships,
    load_tables,
)

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    folder = files(__package__)
    now = load_free_ruleset(ChaseRulebook, folder, load_tables(), load_ships(), board_kinds)
    rulebooks = (FirstChaseRulebook, SecondChaseRulebook)
    earlier = {
        edition: replace(
            load_free_ruleset(
                rulebook, folder, load_tables(edition), load_ships(edition), board_kinds
            ),
            edition=edition,
            cases=now.cases,
        )
        for edition, rulebook in zip(EDITIONS, rulebooks, strict=False)
    }
    return replace(now, edition=EDITIONS[-1], earlier=earlier)
