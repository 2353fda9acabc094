"""BISMARCK's battle board: the combat of its Basic and Intermediate Games, on entered positions."""

from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.bismarck_battle_board.examples import board_kinds
from combat.rulebooks.bismarck_battle_board.rulebook import BattleBoardRulebook
from combat.rulebooks.bismarck_battle_board.table_files import NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(
        BattleBoardRulebook, files(__package__), load_tables(), load_ships(), board_kinds
    )
