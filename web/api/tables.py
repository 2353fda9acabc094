"""The API of the tables: enter the owner's values, undo, import, export."""

from typing import Annotated, Final

from flask import Response
from pydantic import Field

from combat.owner_values import write_overlay
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.schema import Line, document
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.owner.tables.store import CellValue, EditResult, OwnedCell
from web.strings import text

routes: Final = Routes()

LARGEST_CHANGE_BYTES = 400_000
"""Enough for every cell of every table at once."""
LARGEST_FILE_BYTES = 1_000_000
KINDS = ("application/octet-stream", "application/toml", "text/plain")

_Name = Annotated[Line, Field(min_length=1, max_length=60)]
_Value = Annotated[Line, Field(max_length=120)]


@document
class RulebookQuery:
    """The rulebook; by default that of the table."""

    ruleset: Annotated[Line, Field(max_length=40)] = ""


@document
class CellChange:
    """One cell; null resets it to the book's value."""

    row: _Name
    column: _Name
    value: _Value | None


@document
class Changes:
    """Values of one table, stored all or none."""

    changes: Annotated[tuple[CellChange, ...], Field(min_length=1, max_length=5_000)]


@document
class UndoableEdit:
    """The change that undo would revert."""

    what: str
    """enter, reset or import."""
    table: str
    """The table; empty for all."""
    cells: int


@document
class TablesAnswer(Done):
    """The result of a change."""

    cells: tuple[OwnedCell, ...]
    """The changed cells."""
    checksum: str
    """The checksum of all tables with the owner's values."""
    undo: UndoableEdit | None
    words: str


@routes.route(
    "POST",
    "/api/owner/undo",
    "Take the last change of a table back",
    needs=Needs.HOST,
    faults=(404,),
    tag="tables",
)
def undo(call: Call, body: Nothing, query: RulebookQuery) -> TablesAnswer:  # noqa: ARG001
    """Reverts the last entry, reset or import."""
    return _answer(call, call.server_context.owner.undo(ruleset_of(call, query)), "undone")


@routes.route(
    "POST",
    "/api/owner/import",
    "Replace all owner's values by a file's",
    needs=Needs.HOST,
    takes=KINDS,
    largest_bytes=LARGEST_FILE_BYTES,
    faults=(404, 413, 415),
    tag="tables",
)
def take(call: Call, body: bytes, query: RulebookQuery) -> TablesAnswer:
    """A file that `dreyer tables --export` or the page wrote."""
    source = str(text("tables.the_file"))
    return _answer(
        call, call.server_context.owner.take(ruleset_of(call, query), body, source), "imported"
    )


@routes.route(
    "POST",
    "/api/tables/<name>",
    "Enter values into a table",
    needs=Needs.HOST,
    largest_bytes=LARGEST_CHANGE_BYTES,
    faults=(404, 413),
    tag="tables",
)
def change(call: Call, body: Changes, query: RulebookQuery, name: str) -> TablesAnswer:
    """All values are checked first; if one is wrong, none is stored."""
    changes = [CellValue(each.row, each.column, each.value) for each in body.changes]
    return _answer(
        call, call.server_context.owner.change(ruleset_of(call, query), name, changes), "entered"
    )


@routes.route(
    "POST",
    "/api/tables/<name>/reset",
    "A table back to the book's values",
    needs=Needs.HOST,
    faults=(404,),
    tag="tables",
)
def reset(call: Call, body: Nothing, query: RulebookQuery, name: str) -> TablesAnswer:  # noqa: ARG001
    """Undo restores the owner's values."""
    return _answer(call, call.server_context.owner.reset(ruleset_of(call, query), name), "reset")


@routes.route(
    "GET",
    "/tables/export",
    "The owner's values as one file",
    needs=Needs.LOOK,
    gives="application/toml",
    faults=(404,),
    tag="tables",
)
def export(call: Call, query: RulebookQuery) -> Response:
    """A file for `dreyer tables --import` and the page."""
    ruleset = ruleset_of(call, query)
    data = write_overlay(call.server_context.owner.overlay(ruleset))
    answer = Response(data, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{ruleset}-tables.toml"'
    return answer


def ruleset_of(call: Call, query: RulebookQuery) -> str:
    """The named rulebook, or that of the table."""
    if query.ruleset:
        return get_ruleset(query.ruleset).name
    state = call.session.moment.state
    if not state.is_open:
        raise DreyerError("tables.fault.not_laid")
    return state.ruleset


def _answer(call: Call, edited: EditResult, what: str) -> TablesAnswer:
    owner, tables = call.server_context.owner, edited.owned.tables
    edit = owner.last_edit(tables.ruleset)
    return TablesAnswer(
        seq=call.session.announce(),
        cells=edited.cells(),
        checksum=tables.checksum,
        undo=UndoableEdit(what=edit.what, table=edit.table, cells=edit.cells) if edit else None,
        words=str(text(f"tables.done_{what}", n=len(edited.keys))),
    )
