"""Loading a rulebook for free play from its class, its folder and its tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.abc import Traversable
from typing import Any, Final, TypeVar

from combat.case_file import Kind
from combat.free_play import FreeRulebook
from combat.rulebook_info import Ruleset, load_ruleset
from combat.ships import ShipList, ShipType
from combat.shot_cases import Named, replay_shots
from combat.tables import TableSet
from combat.verification import Case

MOST_RULEBOOKS: Final = 8
"""The size of the cache of rulebooks by set of tables."""
R = TypeVar("R", bound=FreeRulebook[Any])
"""A rulebook by its own class: only that knows the type of its marks."""


def load_free_ruleset(
    rulebook: type[R],
    folder: Traversable,
    tables: TableSet,
    ships: ShipList[ShipType] | None = None,
    more: Callable[[R, Named[Any]], Mapping[str, Kind]] = lambda _rulebook, _named: {},
) -> Ruleset:
    """The ruleset of a rulebook whose folder has `table.toml`, `ships/*.toml`, `examples.toml`.

    `more` gives the kinds of cases that only its examples have.
    """
    ruleset = load_ruleset(rulebook.name, folder, ships)
    examples = (folder / "examples.toml").read_bytes()

    @lru_cache(maxsize=MOST_RULEBOOKS)
    def make(tables: TableSet) -> R:
        return rulebook(tables, ruleset.ships)

    def cases(tables: TableSet) -> Iterator[Case]:
        made = make(tables)
        return replay_shots(examples, made, lambda named: more(made, named))

    return replace(ruleset, tables=tables, rulebook=make, cases=cases)
