"""The owner's values: what a player typed in from their own copy, as one file with a checksum.

Nothing here knows which tables exist: `TableSet.with_overlay` checks every value against them.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import tomli_w

from tabletop.errors import BadField, DreyerError
from tabletop.fields import Fields, parse_toml

FORMAT = "dreyer-table owner's tables"
VERSION = 1
_SHORT = 12
_HEAD = """\
# The owner's values for Dreyer Table. Change them with `dreyer tables --set`:
# the checksum below refuses a file that was changed in any other way or cut short.
"""

CellKey = tuple[str, str, str]
"""A table, a row and a column, by their names."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """The owner's values for one ruleset, by table, row and column."""

    ruleset: str
    values: Mapping[CellKey, str] = field(default_factory=dict)

    @property
    def checksum(self) -> str:
        """SHA-256 of the ruleset's name and every value, whatever their order."""
        return checksum_of(self.ruleset, self.values)

    def with_value(self, table: str, row: str, column: str, value: str) -> "Overlay":
        """The same values with one more, or with another in its place."""
        return Overlay(self.ruleset, {**self.values, (table, row, column): value})

    def without(self, table: str, row: str, column: str) -> "Overlay":
        """The same values without one of them; one that is not there is an error."""
        key = (table, row, column)
        if key not in self.values:
            raise DreyerError(
                f"{table}, row {row!r}, column {column!r}: there is no owner's value to take away; "
                f"`dreyer tables --show {table}` marks the owner's values with ◆"
            )
        return Overlay(self.ruleset, {k: v for k, v in self.values.items() if k != key})


def checksum_of(ruleset: str, values: Mapping[CellKey, str]) -> str:
    """SHA-256 over the values in a fixed order: the same values, the same checksum."""
    digest = hashlib.sha256()
    for line in ([ruleset], *([*key, values[key]] for key in sorted(values))):
        digest.update(json.dumps(line, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def short_checksum(checksum: str) -> str:
    """The part of a checksum that two players compare by eye."""
    return checksum[:_SHORT]


def write_overlay(overlay: Overlay) -> bytes:
    """The content of the owner's file."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": overlay.ruleset,
        "checksum": overlay.checksum,
        "cells": [_cell(key, overlay.values[key]) for key in sorted(overlay.values)],
    }
    return (_HEAD + tomli_w.dumps(document)).encode("utf-8")


def read_overlay(data: bytes, source: str) -> Overlay:
    """The owner's values from the content of a file; a changed or cut file is an error."""
    keys = ("format", "version", "ruleset", "checksum", "cells")
    fields = Fields(parse_toml(data, source), source, keys)
    if fields.text("format") != FORMAT:
        raise BadField(source, "format", repr(FORMAT), repr(fields.text("format")))
    if fields.integer("version", least=1, most=1_000_000) > VERSION:
        raise DreyerError(f"{source}: written by a newer Dreyer Table; update this one to read it")
    overlay = Overlay(fields.text("ruleset"), _read_values(fields))
    stated = fields.text("checksum")
    if stated != overlay.checksum:
        raise DreyerError(
            f"{source}: expected the checksum {short_checksum(stated)}, got "
            f"{short_checksum(overlay.checksum)}: the file was changed or cut short; "
            "export it again from where it came"
        )
    return overlay


def _read_values(fields: Fields) -> dict[CellKey, str]:
    values: dict[CellKey, str] = {}
    for cell in fields.tables("cells", ("table", "row", "column", "value")):
        key = (cell.text("table"), cell.text("row"), cell.text("column"))
        if key in values:
            raise BadField(cell.place, "row", "each cell once", f"{', '.join(key)} again")
        values[key] = cell.text("value", most=120) if "value" in cell else ""
    return values


def _cell(key: CellKey, value: str) -> dict[str, str]:
    """One cell; a blank one, such as a damage result without a mark, has no value in the file."""
    place = dict(zip(("table", "row", "column"), key, strict=True))
    return {**place, "value": value} if value else place
