"""The pages of the tables: the list with provenance, and each table as a grid."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from flask import render_template, request

from combat.owner_values import spoken_checksum
from combat.provenance import Provenance
from combat.rulebooks import NAMES, get_ruleset
from combat.tables import Cell, Table
from tabletop.messages import Message
from web.api.tables_summary import tables_seen
from web.http import guard
from web.http.addresses import Pages
from web.owner.tables.paste import LARGEST_BLOCK, PastePreview, preview_block
from web.owner.tables.store import OwnedTables, TableEdit
from web.strings import text

routes: Final = Pages(__name__)
_SHORTEST_CHECKSUM: Final = 8
_MOST_SHOWN: Final = 60
_LONGEST_NAME: Final = 40
_WORDY: Final = 12
"""A column with values of at least this many letters is wide and left-aligned."""


@dataclass(frozen=True, slots=True)
class ProvenanceShare:
    """The share of a table's cells that come from one source."""

    provenance: str
    count: int
    start: float
    """The start of its part of the bar, in per cent."""
    width: float


@dataclass(frozen=True, slots=True)
class TableListItem:
    """One table in the list."""

    table: Table
    parts: tuple[ProvenanceShare, ...]
    rests: int
    """Cells whose printed value is not available and for which the owner entered none."""
    owner: int


@dataclass(frozen=True, slots=True)
class CellDetails:
    """One cell: its value, and the book's."""

    row: str
    column: str
    cell: Cell
    book: Cell

    @property
    def own(self) -> bool:
        """Whether the owner's value replaces the book's."""
        return self.cell.provenance is Provenance.OWNER


@dataclass(frozen=True, slots=True)
class CitedCells:
    """The reference of some cells of a table."""

    provenance: str
    reference: str
    cells: int


@routes.get("/tables")
def tables() -> str:
    """Every table of the current rulebook."""
    return render_template("owner/tables/tables.html", **_all())


@routes.get("/tables/list")
def tables_list() -> str:
    """The list, and the checksum."""
    return render_template("owner/tables/tables_part.html", **_all())


@routes.get("/tables/compare")
def compare() -> str:
    """Whether another checksum equals this one."""
    guard.must_look()
    other = "".join(request.args.get("other", "")[:200].split()).lower()
    owned = _owned()
    agree = None
    if owned is not None and len(other) >= _SHORTEST_CHECKSUM:
        agree = owned.tables.checksum.startswith(other)
    return render_template("owner/tables/comparison_part.html", other=other, agree=agree)


@routes.get("/tables/<name>")
def table(name: str) -> str:
    """One table as a grid."""
    return render_template("owner/tables/table.html", **{**_one(name), **_head(name)})


@routes.get("/tables/<name>/head")
def table_head(name: str) -> str:
    """The part above the grid that changes: counts, checksum, undo."""
    return render_template("owner/tables/head_part.html", **_head(name))


@routes.get("/tables/<name>/grid")
def table_grid(name: str) -> str:
    """The grid for callers who may not edit."""
    return render_template("owner/tables/grid_part.html", **_one(name))


@routes.get("/tables/<name>/cell")
def table_cell(name: str) -> str:
    """The source of one cell's value."""
    caller = guard.must_look()
    owned = _known()[1]
    shown, row, column = owned.tables[name], request.args.get("row"), request.args.get("column")
    chosen = None
    if row is not None and column is not None:
        chosen = CellDetails(
            row, column, shown.cell(row, column), owned.book[name].cell(row, column)
        )
    host = caller.host and not owned.fault
    return render_template(
        "owner/tables/cell_part.html", table=shown, chosen=chosen, host=host, **_which(owned)
    )


@routes.get("/tables/<name>/paste")
def table_paste(name: str) -> str:
    """The effect of a pasted block; nothing is changed yet."""
    guard.must_host()
    owned = _known()[1]
    shown = owned.tables[name]
    block = request.args.get("block", "")
    row, column = request.args.get("row", ""), request.args.get("column", "")
    if len(block) > LARGEST_BLOCK:
        preview = PastePreview(faults=(Message("tables.paste_too_large"),))
    else:
        preview = preview_block(shown, row, column, block)
    return render_template(
        "owner/tables/paste_part.html",
        table=shown,
        preview=preview,
        most=_MOST_SHOWN,
        empty=not block.strip(),
        **_which(owned),
    )


def _owned() -> OwnedTables | None:
    server_context = guard.server_context()
    state = server_context.session.moment.state
    asked = request.args.get("ruleset", "")[:_LONGEST_NAME]
    if not (asked or state.is_open):
        return None
    return server_context.owner.now(get_ruleset(asked or state.ruleset).name)


def _which(owned: OwnedTables | None) -> dict[str, object]:
    """The rulebook's parameter in addresses, if it is not the table's."""
    own = guard.server_context().session.moment.state.ruleset
    ruleset = owned.book.ruleset if owned else own
    return {
        "ruleset": "" if ruleset == own else ruleset,
        "which": "" if ruleset == own else f"?ruleset={quote(ruleset)}",
        "books": tuple(get_ruleset(name) for name in NAMES if name != ruleset),
    }


def _known() -> tuple[str, OwnedTables]:
    owned = _owned()
    if owned is None:
        raise guard.Fault(404, Message("tables.no_table"))
    return owned.book.ruleset, owned


def _all() -> dict[str, object]:
    caller = guard.must_look()
    owned = _owned()
    server_context = guard.server_context()
    shown: dict[str, object] = {
        "host": caller.host,
        "seen": tables_seen(server_context),
        "rows": (),
    }
    shown |= _which(owned)
    if owned is None:
        return {**shown, "title": "", "kept": True, "fault": "", "step": None, "legend": ()}
    rows = [_row(each) for each in owned.tables]
    return {
        **shown,
        "title": get_ruleset(owned.book.ruleset).title,
        "lost": [row for row in rows if row.rests],
        "sound": [row for row in rows if not row.rests],
        "rows": rows,
        "kept": server_context.owner.is_saved,
        "fault": owned.fault if caller.host else "",
        "step": _step_words(owned, server_context.owner.last_edit(owned.book.ruleset)),
        "checksum": spoken_checksum(owned.tables.checksum),
        "legend": _parts(owned.tables.counts),
    }


def _head(name: str) -> dict[str, object]:
    caller = guard.must_look()
    ruleset, owned = _known()
    server_context = guard.server_context()
    shown = owned.tables[name]
    return {
        **_which(owned),
        "table": shown,
        "host": caller.host and not owned.fault,
        "fault": owned.fault if caller.host else "",
        "kept": server_context.owner.is_saved,
        "seen": tables_seen(server_context),
        "checksum": spoken_checksum(owned.tables.checksum),
        "row": _row(shown),
        "step": _step_words(owned, server_context.owner.last_edit(ruleset)),
        "warnings": tuple(shown.warnings()),
    }


def _one(name: str) -> dict[str, object]:
    caller = guard.must_look()
    owned = _known()[1]
    shown, book = owned.tables[name], owned.book[name]
    counts: dict[tuple[Provenance, str], int] = {}
    for each in book.cells.values():
        source = each.provenance, each.reference
        counts[source] = counts.get(source, 0) + 1
    return {
        **_which(owned),
        "table": shown,
        "host": caller.host and not owned.fault,
        "lines": [
            (row, [shown.cell(row, column) for column in shown.columns]) for row in shown.rows
        ],
        "wordy": {
            column
            for column in shown.columns
            if any(len(shown.text(row, column)) >= _WORDY for row in shown.rows)
        },
        "references": [CitedCells(*source, cells) for source, cells in counts.items()],
        "provenances": tuple(Provenance),
        "chosen": None,
    }


def _row(table: Table) -> TableListItem:
    counts = table.counts
    lost = sum(count for provenance, count in counts.items() if provenance.doubt)
    return TableListItem(table, _parts(counts), lost, counts[Provenance.OWNER])


def _parts(counts: dict[Provenance, int]) -> tuple[ProvenanceShare, ...]:
    total, start, parts = sum(counts.values()) or 1, 0.0, []
    for provenance, count in counts.items():
        if count:
            width = 100 * count / total
            parts.append(ProvenanceShare(provenance, count, round(start, 2), round(width, 2)))
            start += width
    return tuple(parts)


def _step_words(owned: OwnedTables, step: TableEdit | None) -> str:
    """The change that undo would revert, in words."""
    if step is None:
        return ""
    title = owned.book[step.table].title if step.table else ""
    return str(text(f"tables.undo_{step.what}", n=step.cells, title=title))
