"""Arctic Disaster: surface, air and submarine attacks around PQ-17, with one die per roll."""

from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.arctic_disaster.rulebook import ArcticRulebook
from combat.rulebooks.arctic_disaster.table_files import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(ArcticRulebook, files(__package__), load_tables(), load_ships())
