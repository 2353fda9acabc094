"""The owner's table values of a running server: changed, undone, imported.

Every value is checked before anything is stored; if one is wrong, none is stored. With a folder the
values are on the disk before a change takes effect; without one they are in memory only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from combat.owner_values import CellKey, Overlay, read_overlay, write_overlay
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset
from combat.tables import Cell, Table, TableSet
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import shorten
from web.owner.files import OwnerFile, OwnerFiles, last_edit_of, push_edit
from web.owner.tables.files import load_overlay, overlay_path, save_overlay
from web.strings import data_words, row_words


@dataclass(frozen=True, slots=True)
class CellValue:
    """A value for one cell; None resets it to the book's."""

    row: str
    column: str
    value: str | None


class EditKind(StrEnum):
    """The kind of a change."""

    ENTER = "enter"
    RESET = "reset"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class TableEdit:
    """One change that can be undone: the values before it, and its kind."""

    before: Overlay
    what: EditKind
    table: str
    """The table; empty for all."""
    cells: int


@dataclass(frozen=True, slots=True)
class OwnedTables:
    """The owner's values of a ruleset, and the tables with them."""

    overlay: Overlay
    book: TableSet
    tables: TableSet
    fault: Message | None = None
    """Why the owner's file cannot be used; then the tables are the book's."""


@dataclass(frozen=True, slots=True)
class OwnedCell:
    """A cell of a table, and the book's value."""

    table: str
    row: str
    column: str
    value: str
    provenance: Provenance
    reference: str
    book: str


@dataclass(frozen=True, slots=True)
class EditResult:
    """The result of a change: the changed cells."""

    owned: OwnedTables
    keys: tuple[CellKey, ...]

    def cells(self) -> tuple[OwnedCell, ...]:
        """Every changed cell."""
        return tuple(owned_cell(self.owned, *key) for key in self.keys)


class OwnerTables(OwnerFiles[OwnedTables, TableEdit]):
    """The owner's values of every ruleset. Safe to use from any thread."""

    def now(self, ruleset: str) -> OwnedTables:
        """The current values; a file that was changed by another program is read again."""
        return self._current(ruleset).value

    def tables(self, ruleset: str) -> TableSet:
        """The tables in effect. Raises DreyerError if the owner's file is unreadable."""
        return self._sound(ruleset).value.tables

    def written(self, ruleset: str) -> str:
        """The owner's values as a file, to be stored with a battle; empty without any."""
        overlay = self.overlay(ruleset)
        return write_overlay(overlay).decode() if overlay.values else ""

    def overlay(self, ruleset: str) -> Overlay:
        """The owner's values. Raises DreyerError if the file is unreadable."""
        return self._sound(ruleset).value.overlay

    def change(self, ruleset: str, name: str, changes: Sequence[CellValue]) -> EditResult:
        """Set or reset values of a table, all or none."""
        with self._lock:
            kept = self._sound(ruleset)
            table = kept.value.book[name]
            values = dict(kept.value.overlay.values)
            for each, stored in _checked(table, changes):
                if stored is None:
                    values.pop((name, each.row, each.column), None)
                else:
                    values[name, each.row, each.column] = stored
            cleared = all(each.value is None for each in changes)
            what = EditKind.RESET if cleared else EditKind.ENTER
            return self._put(kept, Overlay(ruleset, values), what, name)

    def reset(self, ruleset: str, name: str) -> EditResult:
        """Reset a whole table to the book's values."""
        with self._lock:
            kept = self._sound(ruleset)
            name = kept.value.book[name].name
            values = {k: v for k, v in kept.value.overlay.values.items() if k[0] != name}
            return self._put(kept, Overlay(ruleset, values), EditKind.RESET, name)

    def take(self, ruleset: str, data: bytes, source: str) -> EditResult:
        """Replace all owner's values by those of an exported file."""
        with self._lock:
            kept = self._current(ruleset)
            given = read_overlay(data, source)
            # The overlay is checked first, because its message about another game's file is best.
            kept.value.book.with_overlay(given, source)
            overlay = kept.value.book.checked(given, source)
            if kept.value.fault:
                self._set_aside(ruleset)
            return self._put(kept, overlay, EditKind.IMPORT, "")

    def undo(self, ruleset: str) -> EditResult:
        """Undo the last change."""
        with self._lock:
            kept = self._sound(ruleset)
            edit = last_edit_of(kept.edits, "value")
            edited = self._store(kept, edit.before)
            kept.edits.pop()
            return edited

    def _put(
        self, kept: OwnerFile[OwnedTables, TableEdit], overlay: Overlay, what: EditKind, name: str
    ) -> EditResult:
        before = kept.value.overlay
        if overlay.values == before.values and not kept.value.fault:
            return EditResult(kept.value, ())
        edited = self._store(kept, overlay)
        push_edit(kept.edits, TableEdit(before, what, name, len(edited.keys)))
        return edited

    def _store(self, kept: OwnerFile[OwnedTables, TableEdit], overlay: Overlay) -> EditResult:
        """Write to the disk first, so that a failed write changes nothing."""
        before, book = kept.value.overlay.values, kept.value.book
        owned = OwnedTables(overlay, book, book.with_overlay(overlay))
        if self._folder is not None:
            save_overlay(overlay, self._folder)
        self._set_current(overlay.ruleset, kept, owned)
        keys = {**before, **overlay.values}
        return EditResult(owned, tuple(k for k in keys if before.get(k) != overlay.values.get(k)))

    def _sound(self, ruleset: str) -> OwnerFile[OwnedTables, TableEdit]:
        kept = self._current(ruleset)
        if kept.value.fault:
            raise DreyerError(kept.value.fault.code, **dict(kept.value.fault.params))
        return kept

    def _path(self, ruleset: str, folder: Path) -> Path:
        return overlay_path(ruleset, folder)

    def _read(self, ruleset: str) -> OwnedTables:
        book = get_ruleset(ruleset).tables
        nothing = Overlay(ruleset)
        if self._folder is None:
            return OwnedTables(nothing, book, book)
        try:
            overlay = load_overlay(ruleset, self._folder)
            source = str(overlay_path(ruleset, self._folder))
            return OwnedTables(overlay, book, book.with_overlay(overlay, source))
        except DreyerError as error:
            return OwnedTables(nothing, book, book, error.message)


def wrong_value(table: Table, change: CellValue) -> Message:
    """The error for a value that a cell does not take."""
    return Message(
        "tables.fault.cell",
        table=data_words(table.title),
        place=_place(change),
        expected=table.spec.kind(change.row, change.column).expected,
        found=shorten(change.value),
    )


def _place(change: CellValue) -> Message:
    return Message("tables.fault.place", row=row_words(change.row), column=row_words(change.column))


def owned_cell(owned: OwnedTables, name: str, row: str, column: str) -> OwnedCell:
    """One cell with its source and the book's value."""
    cell: Cell = owned.tables[name].cell(row, column)
    return OwnedCell(
        table=name,
        row=row,
        column=column,
        value=cell.value,
        provenance=cell.provenance,
        reference=cell.reference,
        book=owned.book[name].text(row, column),
    )


def _checked(table: Table, changes: Iterable[CellValue]) -> list[tuple[CellValue, str | None]]:
    """The changes with their values in stored form. Raises for the first wrong one."""
    found: dict[tuple[str, str], tuple[CellValue, str | None]] = {}
    faults = []
    for each in changes:
        if each.row not in table.rows:
            raise UnknownName(data_words(table.title), "row", each.row, table.rows)
        if each.column not in table.columns:
            raise UnknownName(data_words(table.title), "column", each.column, table.columns)
        if (each.row, each.column) in found:
            raise DreyerError(
                "tables.fault.cell_twice", table=data_words(table.title), place=_place(each)
            )
        kind = table.spec.kind(each.row, each.column)
        # An emptied cell is reset to the book's value, unless empty is a valid value.
        stored = None if each.value is None else kind.read(each.value)
        if stored is None and each.value is not None and each.value.strip():
            faults.append(wrong_value(table, each))
        found[each.row, each.column] = each, stored
    if faults:
        more = len(faults) - 1
        if more:
            raise DreyerError("tables.fault.and_more", fault=faults[0], n=more)
        raise DreyerError(faults[0].code, **dict(faults[0].params))
    return list(found.values())
