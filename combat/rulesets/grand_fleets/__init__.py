"""Grand Fleets, third edition: miniatures, measured bridge to bridge."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from importlib.resources import files

from combat.ruleset import Ruleset, load_ruleset
from combat.rulesets.grand_fleets.card import Card
from combat.rulesets.grand_fleets.examples import replayed
from combat.rulesets.grand_fleets.fire import GrandFleetsFire
from combat.rulesets.grand_fleets.fleet import formed
from combat.rulesets.grand_fleets.owned import card_rules
from combat.rulesets.grand_fleets.sheet import record_sheet
from combat.rulesets.grand_fleets.tabledata import NAME, load_tables

__all__ = ["NAME", "load"]


def load(owned: Iterable[Card] = ()) -> Ruleset:
    """The ruleset, from the data files beside this module, with an owner's cards over its own."""
    fire = GrandFleetsFire().with_cards(owned)
    ruleset = load_ruleset(NAME, files(__package__), fire.cards)
    sheet = partial(record_sheet, cards=fire.cards)
    return replace(
        ruleset,
        tables=load_tables(),
        fire=fire,
        sheet=sheet,
        cases=replayed,
        cards=card_rules(load),
        formations=formed,
    )
