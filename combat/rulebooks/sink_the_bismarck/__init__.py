"""Sink the Bismarck!: detection, evasion and speed, convoys; combat is not in our source."""

from importlib.resources import files
from typing import TYPE_CHECKING

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.sink_the_bismarck.table_files import NAME, load_ships, load_tables

if TYPE_CHECKING:
    from combat.rulebooks.sink_the_bismarck.rulebook import SinkRulebook

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(NAME, files(__package__), _rulebook, load_tables, load_ships())


def _rulebook() -> "type[SinkRulebook]":
    # Imported when it is first played: a list of rulebooks needs the data alone.
    from combat.rulebooks.sink_the_bismarck.rulebook import SinkRulebook

    return SinkRulebook
