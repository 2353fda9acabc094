"""A rulebook's tables, whose cells have a provenance and a reference.

A table is a CSV file of `row,column,value,provenance,reference` with one cell per line. Loading
fails if a cell is missing, duplicated, out of range or without a reference. Players' own values
(`Overlay`) may replace cells.
"""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.resources.abc import Traversable
from types import MappingProxyType

from combat.owner_values import CellKey, Overlay, checksum_of
from combat.provenance import Provenance
from combat.table_spec import TableSpec
from tabletop.documents import decode_text
from tabletop.errors import BadField, UnknownName, UnreadableFile
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace, shorten

HEADER = ("row", "column", "value", "provenance", "reference")
OWNER_REFERENCE = "the owner's copy"
_SHIPPED = tuple(p for p in Provenance if p is not Provenance.OWNER)
_LONGEST_REFERENCE = 400


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a table and its source."""

    value: str
    provenance: Provenance
    reference: str


@dataclass(frozen=True, slots=True)
class Table:
    """One complete table: a cell for every row and column."""

    spec: TableSpec
    cells: Mapping[tuple[str, str], Cell]

    @property
    def name(self) -> str:
        """The name used by rules and files."""
        return self.spec.name

    @property
    def title(self) -> str:
        """The name that players read."""
        return self.spec.title

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows, from top to bottom."""
        return self.spec.rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return self.spec.columns

    def cell(self, row: str, column: str) -> Cell:
        """The cell at a row and a column. Raises UnknownName."""
        try:
            return self.cells[row, column]
        except KeyError:
            if row not in self.rows:
                raise UnknownName(self.name, "row", row, self.rows) from None
            raise UnknownName(self.name, "column", column, self.columns) from None

    def text(self, row: str, column: str) -> str:
        """The value at a row and a column, as it is written."""
        return self.cell(row, column).value

    def integer(self, row: str, column: str) -> int:
        """The value at a row and a column as a whole number."""
        value = self.text(row, column)
        try:
            return int(value)
        except ValueError:
            raise self._wrong(row, column, Message("schema.whole"), value) from None

    def fraction(self, row: str, column: str) -> Fraction:
        """The value at a row and a column as an exact fraction."""
        value = self.text(row, column)
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise self._wrong(row, column, Message("schema.fraction"), value) from None

    @property
    def counts(self) -> dict[Provenance, int]:
        """How many cells there are of each provenance."""
        return count_provenance(self.cells.values())

    def warnings(self) -> Iterator[Message]:
        """The owner's values that break a regularity of the table, such as rising rows."""
        for step in self.spec.steps():
            first, second = self.cells[step.first], self.cells[step.second]
            if Provenance.OWNER not in (first.provenance, second.provenance):
                continue
            if step.broken_by(first.value, second.value):
                yield Message(
                    "schema.cells.misread",
                    table=self.name,
                    first=first.value,
                    first_cell=_where(step.first),
                    second=second.value,
                    second_cell=_where(step.second),
                    rule=step.rule,
                )

    def _wrong(self, row: str, column: str, expected: Message, value: str) -> BadField:
        return BadField(self.name, f"row {row!r}, column {column!r}", expected, shorten(value))


class TableSet:
    """All tables of a ruleset, by name."""

    def __init__(self, ruleset: str, tables: Iterable[Table]) -> None:
        self.ruleset = ruleset
        self._tables = {table.name: table for table in tables}

    def __getitem__(self, name: str) -> Table:
        try:
            return self._tables[name]
        except KeyError:
            raise UnknownName(self.ruleset, "table", name, self._tables) from None

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over all values, without their provenance.

        Entering the value that a cell already has does not change it.
        """
        return checksum_of(
            self.ruleset,
            {
                (table.name, *place): cell.value
                for table in self
                for place, cell in table.cells.items()
            },
        )

    @property
    def counts(self) -> dict[Provenance, int]:
        """How many cells there are of each provenance in all tables."""
        return count_provenance(cell for table in self for cell in table.cells.values())

    def with_overlay(self, overlay: Overlay, source: str = "owner's values") -> "TableSet":
        """These tables with the owner's values. Raises DreyerError if any value is invalid."""
        if overlay.ruleset != self.ruleset:
            raise BadField(
                source, "ruleset", verbatim(repr(self.ruleset)), shorten(overlay.ruleset)
            )
        cells = {table.name: dict(table.cells) for table in self}
        for (name, row, column), value in self.checked(overlay, source).values.items():
            cells[name][row, column] = Cell(value, Provenance.OWNER, OWNER_REFERENCE)
        return TableSet(self.ruleset, [replace(table, cells=cells[table.name]) for table in self])

    def checked(self, overlay: Overlay, source: str = "owner's values") -> Overlay:
        """The owner's values in their stored form (`+2` is `2`). Raises for an invalid value."""
        values: dict[CellKey, str] = {}
        for (name, row, column), value in overlay.values.items():
            if name not in self:
                raise UnknownName(source, "table", name, self._tables)
            stored = self[name].spec.read_value(row, column, value, source)
            values[name, row, column] = stored
        return Overlay(overlay.ruleset, values)

    def warnings(self) -> tuple[Message, ...]:
        """The warnings of all tables about the owner's values, which may still be used."""
        return tuple(warning for table in self for warning in table.warnings())


class NotedTables(TableSet):
    """Tables that record in `read` the provenance of every cell that is read."""

    def __init__(self, tables: TableSet) -> None:
        self.read: set[Provenance] = set()
        super().__init__(
            tables.ruleset, [_NotedTable(table.spec, table.cells, self.read) for table in tables]
        )


@dataclass(frozen=True, slots=True)
class _NotedTable(Table):
    read: set[Provenance]

    def cell(self, row: str, column: str) -> Cell:
        cell = Table.cell(self, row, column)
        self.read.add(cell.provenance)
        return cell


def count_provenance(cells: Iterable[Cell]) -> dict[Provenance, int]:
    """The number of cells of each provenance, the most reliable first."""
    counts = dict.fromkeys(Provenance, 0)
    for cell in cells:
        counts[cell.provenance] += 1
    return counts


def read_table(data: bytes, source: str, spec: TableSpec) -> Table:
    """Parse a table from its CSV file. Raises BadField if it does not match its spec."""
    cells: dict[tuple[str, str], Cell] = {}
    for number, record in _records(data, source):
        place = DocumentPlace(source).item("row", number)
        row, column, value, provenance, reference = record
        if (row, column) in cells:
            raise BadField(
                place,
                "row",
                Message("schema.cells.once"),
                Message("schema.cells.again", cell=_where((row, column))),
            )
        stored = spec.read_value(row, column, value, place)
        if stored != value:
            raise BadField(place, "value", verbatim(repr(stored)), shorten(value))
        cells[row, column] = Cell(value, _provenance(provenance, place), reference)
        if not reference.strip() or len(reference) > _LONGEST_REFERENCE:
            expected = Message("schema.cells.reference", most=_LONGEST_REFERENCE)
            raise BadField(place, "reference", expected, shorten(reference))
    missing = [
        _where((row, column))
        for row in spec.rows
        for column in spec.columns
        if (row, column) not in cells
    ]
    if missing:
        others = len(missing) - 1
        found = Message("schema.cells.none_for", cell=missing[0])
        if others:
            found = Message("schema.cells.none_for_many", cell=missing[0], others=others)
        raise BadField(source, "cells", Message("schema.cells.every"), found)
    ordered = {(row, column): cells[row, column] for row in spec.rows for column in spec.columns}
    return Table(spec, ordered)


def read_tables(
    name: str,
    folder: Traversable,
    specs: Collection[TableSpec],
    other_files: Mapping[str, str] = MappingProxyType({}),
) -> TableSet:
    """The tables of a rulebook's folder: `tables/NAME.csv` for each spec.

    `other_files` gives another file name for some tables, for earlier editions.
    """
    files = {spec.name: other_files.get(spec.name, spec.name) for spec in specs}
    return TableSet(
        name,
        [
            read_table(
                (folder / "tables" / f"{files[spec.name]}.csv").read_bytes(),
                f"{name}/{files[spec.name]}.csv",
                spec,
            )
            for spec in specs
        ],
    )


def _records(data: bytes, source: str) -> Iterator[tuple[int, list[str]]]:
    """The records after the header, each with the number of its last line."""
    text = decode_text(data, source)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if tuple(header) != HEADER:
            raise BadField(
                DocumentPlace(source).item("row", 1),
                "header",
                verbatim(",".join(HEADER)),
                shorten(",".join(header)),
            )
        for record in reader:
            if len(record) != len(HEADER):
                place = DocumentPlace(source).item("row", reader.line_num)
                raise BadField(
                    place,
                    "cells",
                    Message("schema.cells.values", count=len(HEADER)),
                    str(len(record)),
                )
            yield reader.line_num, record
    except csv.Error as error:
        raise UnreadableFile(
            "schema.file.not_csv", source=source, row=reader.line_num, reason=str(error)
        ) from None


def _provenance(text: str, place: DocumentPlace) -> Provenance:
    if text not in _SHIPPED:
        raise BadField(
            place, "provenance", Message("schema.choice", choices=_SHIPPED), shorten(text)
        )
    return Provenance(text)


def _where(place: tuple[str, str]) -> Message:
    row, column = place
    return Message("schema.cells.cell", row=row, column=column)
