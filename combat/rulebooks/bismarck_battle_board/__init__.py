"""BISMARCK's battle board: the combat of its Basic and Intermediate Games, on entered positions."""

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.bismarck_battle_board.table_files import NAME, load_ships, load_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from combat.case_file import Kind
    from combat.rulebooks.bismarck_battle_board.rulebook import BattleBoardRulebook
    from combat.shot_cases import Named

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(NAME, files(__package__), _rulebook, load_tables, load_ships(), _kinds)


def _rulebook() -> "type[BattleBoardRulebook]":
    # Imported when it is first played: a list of rulebooks needs the data alone.
    from combat.rulebooks.bismarck_battle_board.rulebook import BattleBoardRulebook

    return BattleBoardRulebook


def _kinds(rulebook: "BattleBoardRulebook", named: "Named[Any]") -> "Mapping[str, Kind]":
    from combat.rulebooks.bismarck_battle_board.examples import board_kinds

    return board_kinds(rulebook, named)
