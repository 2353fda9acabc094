"""The tables in a ruleset's own folder, one CSV file for each of their shapes."""

from collections.abc import Iterable
from importlib.abc import Traversable

from combat.tables import TableSet, read_table
from combat.tablespec import TableSpec


def packed_tables(name: str, folder: Traversable, specs: Iterable[TableSpec]) -> TableSet:
    """The tables of `tables/*.csv` in the folder of a ruleset."""
    return TableSet(
        name,
        [
            read_table(
                (folder / "tables" / f"{spec.name}.csv").read_bytes(),
                f"{name}/{spec.name}.csv",
                spec,
            )
            for spec in specs
        ],
    )
