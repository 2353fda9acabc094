"""Sink the Bismarck!: detection, evasion and speed, convoys; its combat is not in our source."""

from importlib.resources import files

from combat.free_ruleset import load_free_ruleset
from combat.ruleset import Ruleset
from combat.rulesets.sink_the_bismarck.rulebook import SinkRulebook
from combat.rulesets.sink_the_bismarck.tabledata import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(SinkRulebook, files(__package__), load_tables(), load_ships())
