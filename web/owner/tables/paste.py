"""Pasting a block from a spreadsheet: the cells of its values, and what would change."""

import csv
import io
from dataclasses import dataclass
from typing import Final

from combat.tables import Table
from tabletop.errors import UnknownName
from tabletop.messages import Message
from web.owner.tables.store import CellValue, wrong_value
from web.strings import row_words

LARGEST_BLOCK: Final = 60_000
"""The most characters; the largest table with the longest values has far fewer."""


@dataclass(frozen=True, slots=True)
class PastedCell:
    """One cell before and after."""

    row: str
    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PastePreview:
    """The effect of pasting; with any error nothing is changed."""

    changes: tuple[CellValue, ...] = ()
    """Every value of the block, including unchanged ones."""
    pending: tuple[PastedCell, ...] = ()
    """The values that would change."""
    same: int = 0
    """The number of values that are unchanged."""
    empty: int = 0
    """The number of empty fields, whose cells stay unchanged."""
    faults: tuple[Message, ...] = ()

    def as_json(self) -> list[dict[str, str | None]]:
        """The changes as the API takes them."""
        return [{"row": c.row, "column": c.column, "value": c.value} for c in self.changes]


def read_block(text: str) -> list[list[str]]:
    """The fields of a block: tabs separate columns, lines are rows."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if not lines:
        return []
    return [row or [""] for row in csv.reader(io.StringIO(lines, newline=""), delimiter="\t")]


def preview_block(table: Table, row: str, column: str, text: str) -> PastePreview:
    """The effect of a block whose first value is in the given cell."""
    if row not in table.rows:
        raise UnknownName(table.title, "row", row, table.rows)
    if column not in table.columns:
        raise UnknownName(table.title, "column", column, table.columns)
    try:
        block = read_block(text)
    except csv.Error:
        return PastePreview(faults=(Message("tables.fault.unreadable_block"),))
    rows, columns = (
        table.rows[table.rows.index(row) :],
        table.columns[table.columns.index(column) :],
    )
    block = _without_names(block, rows, columns)
    if faults := _too_large(block, rows, columns):
        return PastePreview(faults=faults)
    return _compare(table, block, rows, columns)


def _compare(
    table: Table, block: list[list[str]], rows: tuple[str, ...], columns: tuple[str, ...]
) -> PastePreview:
    changes, pending, faults = [], [], []
    same = empty = 0
    for row, fields in zip(rows, block, strict=False):
        for column, value in zip(columns, fields, strict=False):
            stored = table.spec.kind(row, column).read(value)
            if stored is None and not value.strip():
                empty += 1
                continue
            change = CellValue(row, column, value if stored is None else stored)
            if stored is None:
                faults.append(wrong_value(table, change))
                continue
            changes.append(change)
            before = table.text(row, column)
            if before == stored:
                same += 1
            else:
                pending.append(PastedCell(row, column, before, stored))
    return PastePreview(tuple(changes), tuple(pending), same, empty, tuple(faults))


def _without_names(
    block: list[list[str]], rows: tuple[str, ...], columns: tuple[str, ...]
) -> list[list[str]]:
    """The values alone, if a whole table was copied with its row and column names.

    Both must be present: the first row alone may look like the column names.
    """
    if len(block) < 2 or any(len(fields) < 2 for fields in block):
        return block
    top, side = block[0][1:], [fields[0] for fields in block[1:]]
    named = _match(top, columns) and _match(side, rows)
    return [fields[1:] for fields in block[1:]] if named else block


def _match(found: list[str], names: tuple[str, ...]) -> bool:
    wanted = [_plain(name) for name in names[: len(found)]]
    return [_plain(name) for name in found] == wanted


def _plain(name: str) -> str:
    return " ".join(row_words(name).split()).casefold()


def _too_large(
    block: list[list[str]], rows: tuple[str, ...], columns: tuple[str, ...]
) -> tuple[Message, ...]:
    wide, high = max(map(len, block), default=0), len(block)
    faults = []
    if high > len(rows):
        first = row_words(rows[0])
        faults.append(Message("tables.fault.rows", rows=high, first=first, n=len(rows)))
    if wide > len(columns):
        first = row_words(columns[0])
        faults.append(Message("tables.fault.columns", columns=wide, first=first, n=len(columns)))
    return tuple(faults)
