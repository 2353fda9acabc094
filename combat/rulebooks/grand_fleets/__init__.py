"""Grand Fleets, third edition: miniatures, measured from bridge to bridge."""

from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files

from combat.free_rulebook_loader import load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.grand_fleets.examples import kinds
from combat.rulebooks.grand_fleets.fleet import formation_statuses
from combat.rulebooks.grand_fleets.owner_cards import GrandFleetsCards, cards_with
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import NAME, load_tables
from combat.ships import ShipType

__all__ = ["NAME", "load"]


def load(owned: Iterable[ShipType] = ()) -> Ruleset:
    """The ruleset, from the data files beside this module, with an owner's cards."""
    cards, tables = cards_with(owned), load_tables()
    ruleset = load_free_ruleset(GrandFleetsRulebook, files(__package__), tables, cards, kinds)
    return replace(
        ruleset, cards=GrandFleetsCards(), with_cards=load, formations=formation_statuses
    )
