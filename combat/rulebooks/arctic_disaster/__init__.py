"""Arctic Disaster: surface, air and submarine attacks around PQ-17, with one die per roll."""

from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from combat.free_rulebook_loader import earlier_edition, load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.arctic_disaster.table_files import EDITIONS, NAME, load_ships, load_tables

if TYPE_CHECKING:
    from combat.rulebooks.arctic_disaster.rulebook import ArcticRulebook

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    *before, current = EDITIONS
    now = load_free_ruleset(
        NAME, files(__package__), partial(_rulebook, current), load_tables, load_ships()
    )
    earlier = {
        edition: earlier_edition(
            now, edition, partial(_rulebook, edition), partial(load_tables, edition), load_ships()
        )
        for edition in before
    }
    return replace(now, edition=current, earlier=earlier)


def _rulebook(edition: int) -> "type[ArcticRulebook]":
    # Imported when it is first played: a list of rulebooks needs the data alone.
    from combat.rulebooks.arctic_disaster import rulebook

    earlier = {1: rulebook.FirstArcticRulebook, 2: rulebook.SecondArcticRulebook}
    return earlier.get(edition, rulebook.ArcticRulebook)
