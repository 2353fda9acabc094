"""Arctic Disaster: surface actions, air attacks and submarines about PQ-17, one die a roll."""

from dataclasses import replace
from importlib.resources import files

from combat.fire_bridge import BridgedFire, bridged_sheet
from combat.ruleset import Ruleset, load_ruleset
from combat.rulesets.arctic_disaster.examples import replayed
from combat.rulesets.arctic_disaster.rulebook import ArcticRulebook
from combat.rulesets.arctic_disaster.tabledata import NAME, load_ships, load_tables
from combat.tables import TableSet

__all__ = ["NAME", "load"]


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    ships = load_ships()

    def rulebook(tables: TableSet) -> ArcticRulebook:
        return ArcticRulebook(tables, ships)

    ruleset = load_ruleset(NAME, files(__package__), ships)
    return replace(
        ruleset,
        tables=load_tables(),
        rulebook=rulebook,
        fire=BridgedFire(rulebook, load_tables()),
        sheet=bridged_sheet(rulebook),
        cases=replayed,
    )
