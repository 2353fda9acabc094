"""A rulebook in free play as a ruleset: its class, the files of its folder, and its tables."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.abc import Traversable
from typing import Any

from combat.fire_bridge import BridgedFire, bridged_sheet
from combat.free_play import FreeRulebook
from combat.ruleset import Ruleset, load_ruleset
from combat.ships import ShipList, ShipType
from combat.shot_cases import replay_shots
from combat.tables import TableSet
from combat.verify import Case


def load_free_ruleset(
    rulebook: type[FreeRulebook[Any]],
    folder: Traversable,
    tables: TableSet,
    ships: ShipList[ShipType] | None = None,
) -> Ruleset:
    """The ruleset of a rulebook whose folder has `table.toml`, `ships/*.toml`, `examples.toml`."""
    ruleset = load_ruleset(rulebook.name, folder, ships)
    examples = (folder / "examples.toml").read_bytes()

    def make(tables: TableSet) -> FreeRulebook[Any]:
        return rulebook(tables, ruleset.ships)

    def cases(tables: TableSet) -> Iterator[Case]:
        return replay_shots(examples, make(tables))

    return replace(
        ruleset,
        tables=tables,
        rulebook=make,
        fire=BridgedFire(make, tables),
        sheet=bridged_sheet(make),
        cases=cases,
    )
