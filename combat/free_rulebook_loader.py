"""Loading a rulebook for free play from its folder; its rules and tables when they are needed."""

from dataclasses import replace
from functools import lru_cache
from importlib.abc import Traversable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from combat.rulebook_info import Ruleset, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from combat.case_file import Kind
    from combat.free_play import FreeRulebook
    from combat.ships import ShipList, ShipType
    from combat.shot_cases import Named
    from combat.tables import TableSet
    from combat.verification import Case

MOST_RULEBOOKS: Final = 8
"""The size of the cache of rulebooks by set of tables."""
R = TypeVar("R", bound="FreeRulebook[Any]")
"""A rulebook by its own class: only that knows the type of its marks."""


def load_free_ruleset(
    name: str,
    folder: Traversable,
    rulebook: "Callable[[], type[R]]",
    load_tables: "Callable[[], TableSet]",
    ships: "ShipList[ShipType] | None" = None,
    more: "Callable[[R, Named[Any]], Mapping[str, Kind]]" = lambda _rulebook, _named: {},
) -> Ruleset:
    """The ruleset of a rulebook whose folder has `table.toml`, `ships/*.toml`, `examples.toml`.

    `rulebook` imports its class, and `more` gives the kinds of cases that only its examples have.
    """
    ruleset = load_ruleset(name, folder, ships)
    make = _maker(rulebook, ruleset.ships)

    def cases(tables: "TableSet") -> "Iterator[Case]":
        from combat.shot_cases import replay_shots

        made, examples = make(tables), (folder / "examples.toml").read_bytes()
        return replay_shots(examples, made, lambda named: more(made, named))

    return replace(ruleset, load_tables=load_tables, rulebook=make, cases=cases)


def earlier_edition(
    ruleset: Ruleset,
    edition: int,
    rulebook: "Callable[[], type[R]]",
    load_tables: "Callable[[], TableSet]",
    ships: "ShipList[ShipType]",
) -> Ruleset:
    """A rulebook in another edition, which has other rules, tables or ships."""
    return replace(
        ruleset,
        edition=edition,
        ships=ships,
        load_tables=load_tables,
        rulebook=_maker(rulebook, ships),
    )


def _maker(
    rulebook: "Callable[[], type[R]]", ships: "ShipList[ShipType]"
) -> "Callable[[TableSet], R]":
    @lru_cache(maxsize=MOST_RULEBOOKS)
    def make(tables: "TableSet") -> R:
        return rulebook()(tables, ships)

    return make
