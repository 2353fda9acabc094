"""Sink the Bismarck!: detection, evasion and speed, convoys; combat is not in our source."""

from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.sink_the_bismarck.rulebook import SinkRulebook
from combat.rulebooks.sink_the_bismarck.table_files import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(SinkRulebook, files(__package__), load_tables(), load_ships())
