"""The owner's values, which a player entered from their own copy: a file with a checksum.

`TableSet.with_overlay` checks them against the tables.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import tomli_w
from pydantic import Field

from combat.provenance import Provenance
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import Line, Schema, Text, Whole, document

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
        """SHA-256 of the ruleset's name and every value, independent of their order."""
        return checksum_of(self.ruleset, self.values)

    def with_value(self, table: str, row: str, column: str, value: str) -> "Overlay":
        """The values with one added or replaced."""
        return Overlay(self.ruleset, {**self.values, (table, row, column): value})

    def without(self, table: str, row: str, column: str) -> "Overlay":
        """The values without one of them. Raises DreyerError if there is none."""
        key = (table, row, column)
        if key not in self.values:
            raise DreyerError(
                "schema.owner.not_there",
                table=table,
                row=row,
                column=column,
                mark=Provenance.OWNER.mark,
            )
        return Overlay(self.ruleset, {k: v for k, v in self.values.items() if k != key})


def checksum_of(ruleset: str, values: Mapping[CellKey, str]) -> str:
    """SHA-256 over the values in sorted order."""
    digest = hashlib.sha256()
    for line in ([ruleset], *([*key, values[key]] for key in sorted(values))):
        digest.update(json.dumps(line, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def short_checksum(checksum: str) -> str:
    """The first characters of a checksum, for players to compare."""
    return checksum[:_SHORT]


def spoken_checksum(checksum: str) -> str:
    """The same part in fours, as one reads it aloud."""
    short = short_checksum(checksum)
    return " ".join(short[at : at + 4] for at in range(0, len(short), 4))


def write_overlay(overlay: Overlay) -> bytes:
    """The content of the owner's file."""
    written = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": overlay.ruleset,
        "checksum": overlay.checksum,
        "cells": [_cell(key, overlay.values[key]) for key in sorted(overlay.values)],
    }
    return (_HEAD + tomli_w.dumps(written)).encode("utf-8")


def read_overlay(data: bytes, source: str) -> Overlay:
    """Parse an owner's file. Raises DreyerError if the checksum does not match."""
    file = _FILES.read_toml(data, source)
    if file.version > VERSION:
        raise DreyerError("schema.owner.newer", source=source)
    overlay = Overlay(file.ruleset, _values(file, source))
    stated = file.checksum
    if stated != overlay.checksum:
        raise DreyerError(
            "schema.owner.checksum",
            source=source,
            expected=short_checksum(stated),
            found=short_checksum(overlay.checksum),
        )
    return overlay


@document
class _CellRow:
    """One value of the file."""

    table: Text
    row: Text
    column: Text
    value: Annotated[Line, Field(max_length=120)] = ""


@document
class _File:
    """The owner's file."""

    format: Literal["dreyer-table owner's tables"]
    version: Annotated[Whole, Field(ge=1, le=1_000_000)]
    ruleset: Text
    checksum: Text
    cells: tuple[_CellRow, ...] = ()


_FILES: Final[Schema[_File]] = Schema(_File)


def _values(file: _File, source: str) -> dict[CellKey, str]:
    values: dict[CellKey, str] = {}
    for number, cell in enumerate(file.cells, start=1):
        key = (cell.table, cell.row, cell.column)
        if key in values:
            again = Message("schema.cells.again", cell=", ".join(key))
            place = DocumentPlace(source).item("cells", number)
            raise BadField(place, "row", Message("schema.cells.once"), again)
        values[key] = cell.value
    return values


def _cell(key: CellKey, value: str) -> dict[str, str]:
    """One cell; an empty value is omitted from the file."""
    place = dict(zip(("table", "row", "column"), key, strict=True))
    return {**place, "value": value} if value else place
