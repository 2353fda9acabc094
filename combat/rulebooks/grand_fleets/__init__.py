"""Grand Fleets, third edition: miniatures, measured from bridge to bridge."""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from combat.free_rulebook_loader import MOST_RULEBOOKS, load_free_ruleset
from combat.rulebook_info import Ruleset
from combat.rulebooks.grand_fleets.fleet import formation_statuses
from combat.rulebooks.grand_fleets.markers import MARKER_RULES
from combat.rulebooks.grand_fleets.owner_cards import GrandFleetsCards, cards_with
from combat.rulebooks.grand_fleets.table_files import NAME, load_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from combat.case_file import Kind
    from combat.guided_play import GuidedRulebook
    from combat.rulebooks.grand_fleets.guided_battle import FleetBattle
    from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
    from combat.ships import ShipType
    from combat.shot_cases import Named
    from combat.tables import TableSet

__all__ = ["NAME", "load"]


def load(owned: "Iterable[ShipType]" = ()) -> Ruleset:
    """The ruleset, from the data files beside this module, with an owner's cards."""
    cards = cards_with(owned)

    def all_kinds(made: "GrandFleetsRulebook", named: "Named[Any]") -> "Mapping[str, Kind]":
        from combat.rulebooks.grand_fleets.examples import kinds
        from combat.rulebooks.grand_fleets.guided_battle.examples import kinds as played_kinds

        return {**kinds(made, named), **played_kinds(lambda: battle(made.tables))}

    ruleset = load_free_ruleset(NAME, files(__package__), _rulebook, load_tables, cards, all_kinds)
    rules, scale = ruleset.table_rules, ruleset.default_scale

    @lru_cache(maxsize=MOST_RULEBOOKS)
    def battle(tables: "TableSet") -> "FleetBattle":
        from combat.rulebooks.grand_fleets.guided_battle import FleetBattle

        return FleetBattle(tables, cards, rules, lambda card: ruleset.base_of(card, scale))

    return replace(
        ruleset,
        cards=GrandFleetsCards(),
        with_cards=load,
        formations=formation_statuses,
        markers=MARKER_RULES,
        # The type of its states is its own: others hand back what they were given.
        battle=cast("Callable[[TableSet], GuidedRulebook[object]]", battle),
    )


def _rulebook() -> "type[GrandFleetsRulebook]":
    # Imported when it is first played: a list of rulebooks needs the data alone.
    from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook

    return GrandFleetsRulebook
