"""Arctic Disaster: surface, air and submarine attacks around PQ-17, with one die per roll."""

from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.arctic_disaster.rulebook import ArcticRulebook, FirstArcticRulebook
from combat.rulebooks.arctic_disaster.table_files import EDITIONS, NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    folder, (first, current) = files(__package__), EDITIONS
    now = load_free_ruleset(ArcticRulebook, folder, load_tables(), load_ships())
    before = load_free_ruleset(FirstArcticRulebook, folder, load_tables(first), load_ships())
    earlier = replace(before, edition=first, cases=now.cases)
    return replace(now, edition=current, earlier={first: earlier})
