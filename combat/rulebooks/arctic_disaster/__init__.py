"""Arctic Disaster: surface, air and submarine attacks around PQ-17, with one die per roll."""

from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.arctic_disaster.rulebook import (
    ArcticRulebook,
    FirstArcticRulebook,
    SecondArcticRulebook,
)
from combat.rulebooks.arctic_disaster.table_files import EDITIONS, NAME, load_ships, load_tables

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    folder = files(__package__)
    now = load_free_ruleset(ArcticRulebook, folder, load_tables(), load_ships())
    rulebooks = (FirstArcticRulebook, SecondArcticRulebook)
    earlier = {
        edition: replace(
            load_free_ruleset(rulebook, folder, load_tables(edition), load_ships()),
            edition=edition,
            cases=now.cases,
        )
        for edition, rulebook in zip(EDITIONS, rulebooks, strict=False)
    }
    return replace(now, edition=EDITIONS[-1], earlier=earlier)
