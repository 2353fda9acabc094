"""`dreyer tables`: the rulebooks' tables with their provenance, and the owner's values."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from combat.owner_values import Overlay, read_overlay, short_checksum, write_overlay
from combat.provenance import Provenance
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.rules_in_force import rules_in_force, usual_options
from combat.tables import Table, TableSet
from web.cli.commands import Commands, add_parser, help_text
from web.files import read_input, write_output
from web.owner.cards.files import library_in
from web.owner.tables.files import (
    default_data_folder,
    load_overlay,
    overlay_path,
    save_overlay,
)
from web.strings import cited, data_words, json_words, text
from web.views.rules_text import rules_text

_MOST_WARNINGS = 10
_FEW_CELLS = 3


def add_command(commands: Commands) -> None:
    """Add `tables` to the command line."""
    parser = add_parser(commands, "tables")
    parser.add_argument(
        "ruleset",
        nargs="?",
        default=DEFAULT,
        metavar="RULESET",
        help=help_text("command.help.tables.ruleset", names=", ".join(NAMES), default=DEFAULT),
    )
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument("--show", metavar="NAME", help=help_text("command.help.tables.show"))
    parser.add_argument(
        "--in-force",
        action="store_true",
        help=help_text("command.help.tables.in_force"),
    )
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help=help_text("command.help.tables.export")
    )
    parser.add_argument(
        "--import",
        dest="import_",
        type=Path,
        metavar="FILE",
        help=help_text("command.help.tables.import"),
    )
    parser.add_argument(
        "--set",
        nargs=4,
        action="append",
        default=[],
        metavar=("TABLE", "ROW", "COLUMN", "VALUE"),
        help=help_text("command.help.tables.set"),
    )
    parser.add_argument(
        "--unset",
        nargs=3,
        action="append",
        default=[],
        metavar=("TABLE", "ROW", "COLUMN"),
        help=help_text("command.help.tables.unset"),
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=help_text("command.help.tables.data"),
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Change the owner's values if requested, then print the tables."""
    folder = options.data or default_data_folder()
    # Everything is checked before anything is written.
    changes = bool(options.import_ or options.set or options.unset)
    overlay = _overlay(options, folder)
    tables = get_ruleset(options.ruleset).tables.with_overlay(
        overlay, str(overlay_path(options.ruleset, folder))
    )
    shown = [tables[options.show]] if options.show else list(tables)
    if options.export:
        write_output(options.export, write_overlay(overlay))
    if changes:
        save_overlay(overlay, folder)
    _warn(list(tables) if changes else shown)
    if options.in_force:
        print(_in_force(options.ruleset, tables, folder, as_json=options.json), end="")
    elif options.json:
        document = _as_json(tables, shown, cells=bool(options.show))
        print(json.dumps(document, ensure_ascii=False, indent=2))
    elif options.show:
        print(grid(shown[0]))
    else:
        print(listing(tables))
    return 0


def _in_force(name: str, tables: TableSet, folder: Path, *, as_json: bool) -> str:
    """The card of the rules in force, as the calculator has them with this data folder."""
    ruleset = library_in(folder, [get_ruleset(name).name]).get(name)
    rules = rules_in_force(
        ruleset, tables, latest_edition=ruleset.edition, options=usual_options(ruleset)
    )
    if not as_json:
        return rules_text(rules)
    document = {**asdict(rules), "changes": rules.changes, "checksum": rules.checksum}
    return json.dumps(document, ensure_ascii=False, indent=2, default=json_words) + "\n"


def _overlay(options: argparse.Namespace, folder: Path) -> Overlay:
    """The owner's values after the requested changes, all checked."""
    tables, source = get_ruleset(options.ruleset).tables, str(overlay_path(options.ruleset, folder))
    if options.import_:
        source = str(options.import_)
        overlay = read_overlay(read_input(options.import_), source)
        tables.with_overlay(overlay, source)
    else:
        overlay = load_overlay(options.ruleset, folder)
    for table, row, column in options.unset:
        overlay = overlay.without(table, row, column)
    given = Overlay(options.ruleset)
    for table, row, column, value in options.set:
        given = given.with_value(table, row, column, value)
    tables.with_overlay(given, "--set")
    for (table, row, column), value in given.values.items():
        overlay = overlay.with_value(table, row, column, value)
    return tables.checked(overlay, source)


def _warn(tables: list[Table]) -> None:
    warnings = [warning for table in tables for warning in table.warnings()]
    for warning in warnings[:_MOST_WARNINGS]:
        print(text("command.tables.warning", warning=warning), file=sys.stderr)
    if len(warnings) > _MOST_WARNINGS:
        more = len(warnings) - _MOST_WARNINGS
        print(text("command.tables.more_warnings", n=more), file=sys.stderr)


def _as_json(tables: TableSet, shown: list[Table], *, cells: bool) -> dict[str, object]:
    """The tables as JSON; a table that is shown includes its cells."""
    return {
        "tables": [_table_as_json(table, cells=cells) for table in shown],
        "checksum": tables.checksum,
    }


def _table_as_json(table: Table, *, cells: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "name": table.name,
        "rows": len(table.rows),
        "columns": len(table.columns),
        "cells": {each.value: count for each, count in _shown(table.counts).items()},
    }
    if cells:
        document["title"] = table.title
        document["values"] = [
            {
                "row": row,
                "column": column,
                "value": cell.value,
                "provenance": cell.provenance.value,
                "reference": cell.reference,
            }
            for (row, column), cell in table.cells.items()
        ]
    return document


def _shown(counts: Mapping[Provenance, int]) -> dict[Provenance, int]:
    """Counts of cells as they are shown: a third party's readings only where there are any."""
    return {
        each: count for each, count in counts.items() if count or each is not Provenance.THIRD_PARTY
    }


def listing(tables: TableSet) -> str:
    """Every table with its size and its cells by provenance, and the totals."""
    title = get_ruleset(tables.ruleset).title
    if not len(tables):
        return str(text("command.tables.none", title=title))
    totals = _shown(tables.counts)
    rows = [
        (
            table.name,
            f"{len(table.rows)} × {len(table.columns)}",
            *(_count(table.counts[each]) for each in totals),
        )
        for table in tables
    ]
    total = (str(text("command.tables.all")), "", *map(_count, totals.values()))
    names = (f"{each.mark} {text(f'command.provenance.{each}')}" for each in totals)
    header = (str(text("command.tables.table")), str(text("command.tables.size")), *names)
    checksum = short_checksum(tables.checksum)
    return "\n".join(
        [
            str(text("command.tables.title", title=title, tables=len(tables), checksum=checksum)),
            *_columns([header, *rows, total], left={0}),
        ]
    )


def grid(table: Table) -> str:
    """One table as a grid, each value with a mark for its provenance.

    Rows and columns have the names that `--set` takes.
    """
    header = ["", *table.columns]
    rows = [
        [
            row,
            *(f"{c.value}{c.provenance.mark}" for c in (table.cell(row, k) for k in table.columns)),
        ]
        for row in table.rows
    ]
    wordy = {
        number
        for number, column in enumerate(table.columns, start=1)
        if any(_is_word(table.text(row, column)) for row in table.rows)
    }
    return "\n".join(
        [
            f"{data_words(table.title)} ({table.name})",
            *_columns([header, *rows], left={0, *wordy}),
            "",
            *_references(table),
        ]
    )


def _references(table: Table) -> list[str]:
    """The references of each mark in a table; a few cells are named, many are counted."""
    places: dict[tuple[Provenance, str], list[tuple[str, str]]] = {}
    for place, cell in table.cells.items():
        places.setdefault((cell.provenance, cell.reference), []).append(place)
    order = list(Provenance)
    lines = []
    for (provenance, reference), cells in sorted(
        places.items(), key=lambda i: order.index(i[0][0])
    ):
        where = str(text("command.tables.cells", n=len(cells)))
        if len(cells) <= _FEW_CELLS:
            one = len(table.columns) == 1
            where = "; ".join(row if one else f"{row}, {column}" for row, column in cells)
        if len(cells) == len(table.cells):
            where = str(text("command.tables.all_cells"))
        name = text(f"command.provenance.{provenance}")
        lines.append(f"{provenance.mark} {name}: {cited(reference)} ({where})")
    return lines


def _columns(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Rows of text in aligned columns; those in `left` are left-aligned, others right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _is_word(value: str) -> bool:
    return any(letter.isalpha() for letter in value)


def _count(number: int) -> str:
    return f"{number:,}" if number else "-"
