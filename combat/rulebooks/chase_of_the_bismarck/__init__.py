"""The Chase of the Bismarck: ships on a board of sea zones, with one die per gun factor."""

from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from combat.free_rulebook_loader import earlier_edition, load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.chase_of_the_bismarck.table_files import (
    EDITIONS,
    NAME,
    load_ships,
    load_tables,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from combat.case_file import Kind
    from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
    from combat.shot_cases import Named

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    *before, current = EDITIONS
    rules = partial(_rulebook, current)
    now = load_free_ruleset(NAME, files(__package__), rules, load_tables, load_ships(), _kinds)
    earlier = {
        edition: earlier_edition(
            now,
            edition,
            partial(_rulebook, edition),
            partial(load_tables, edition),
            load_ships(edition),
        )
        for edition in before
    }
    return replace(now, edition=current, earlier=earlier)


def _rulebook(edition: int) -> "type[ChaseRulebook]":
    # Imported when it is first played: a list of rulebooks needs the data alone.
    from combat.rulebooks.chase_of_the_bismarck import rulebook

    earlier = {1: rulebook.FirstChaseRulebook, 2: rulebook.SecondChaseRulebook}
    return earlier.get(edition, rulebook.ChaseRulebook)


def _kinds(rulebook: "ChaseRulebook", named: "Named[Any]") -> "Mapping[str, Kind]":
    from combat.rulebooks.chase_of_the_bismarck.examples import board_kinds

    return board_kinds(rulebook, named)
