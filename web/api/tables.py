"""The API of the tables: enter the owner's values, undo, take a file, give a file."""

from typing import Annotated, Any

from flask import Response
from pydantic import Field

from combat.owner_values import write_overlay
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from web.api.models import Nothing
from web.api.reading import Line, Model
from web.api.route import Answer, Call, Needs, Query, route
from web.api.tables_summary import step_as_json
from web.owner.tables.store import Change, Edited
from web.strings import text

LARGEST_CHANGE_BYTES = 400_000
"""Every cell of every table at once fits."""
LARGEST_FILE_BYTES = 1_000_000
KINDS = ("application/octet-stream", "application/toml", "text/plain")

_Name = Annotated[Line, Field(min_length=1, max_length=60)]
_Value = Annotated[Line, Field(max_length=120)]


class WhichRulebook(Query):
    """The rulebook that is meant; that of the table where none is named."""

    ruleset: Annotated[Line, Field(max_length=40)] = ""


class CellChange(Model):
    """One cell; null goes back to the book's value."""

    row: _Name
    column: _Name
    value: _Value | None


class Changes(Model):
    """Values of one table; all are taken or none."""

    changes: Annotated[list[CellChange], Field(min_length=1, max_length=5_000)]


@route("POST", "/api/owner/undo", "Take the last change of a table back", needs=Needs.HOST,
       body=Nothing, query=WhichRulebook, faults=(404,), tag="tables")  # fmt: skip
def undo(call: Call, body: Nothing, query: WhichRulebook) -> Answer:  # noqa: ARG001
    """Values entered, taken away or imported."""
    return _answer(call, call.running.owner.undo(ruleset_of(call, query)), "undone")


@route("POST", "/api/owner/import", "Replace all owner's values by a file's", needs=Needs.HOST,
       takes=KINDS, largest_bytes=LARGEST_FILE_BYTES, query=WhichRulebook, faults=(404, 413, 415),
       tag="tables")  # fmt: skip
def take(call: Call, body: bytes, query: WhichRulebook) -> Answer:
    """The file that `dreyer tables --export` and the page write."""
    source = str(text("tables.the_file"))
    return _answer(call, call.running.owner.take(ruleset_of(call, query), body, source), "imported")


@route("POST", "/api/tables/<name>", "Enter values into a table", needs=Needs.HOST, body=Changes,
       largest_bytes=LARGEST_CHANGE_BYTES, query=WhichRulebook, faults=(404, 413),
       tag="tables")  # fmt: skip
def change(call: Call, body: Changes, query: WhichRulebook, name: str) -> Answer:
    """Each is checked by its table; one that is wrong is named, and then none is taken."""
    changes = [Change(each.row, each.column, each.value) for each in body.changes]
    return _answer(
        call, call.running.owner.change(ruleset_of(call, query), name, changes), "entered"
    )


@route("POST", "/api/tables/<name>/reset", "A table back to the book's values", needs=Needs.HOST,
       body=Nothing, query=WhichRulebook, faults=(404,), tag="tables")  # fmt: skip
def reset(call: Call, body: Nothing, query: WhichRulebook, name: str) -> Answer:  # noqa: ARG001
    """Undoing brings the owner's values again."""
    return _answer(call, call.running.owner.reset(ruleset_of(call, query), name), "reset")


@route("GET", "/tables/export", "The owner's values as one file", needs=Needs.LOOK,
       gives="application/toml", query=WhichRulebook, faults=(404,), tag="tables")  # fmt: skip
def export(call: Call, query: WhichRulebook) -> Answer:
    """The file that `dreyer tables --import` and the page read."""
    ruleset = ruleset_of(call, query)
    data = write_overlay(call.running.owner.overlay(ruleset))
    answer = Response(data, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{ruleset}-tables.toml"'
    return answer


def ruleset_of(call: Call, query: WhichRulebook) -> str:
    """The rulebook that is named, or that of the table that is laid."""
    if query.ruleset:
        return get_ruleset(query.ruleset).name
    state = call.session.moment.state
    if not state.is_open:
        raise DreyerError("no table is laid yet: the host lays one and chooses its rules")
    return state.ruleset


def _answer(call: Call, edited: Edited, what: str) -> dict[str, Any]:
    owner, tables = call.running.owner, edited.owned.tables
    return {
        "seq": call.session.announce(),
        "cells": edited.cells(),
        "checksum": tables.checksum,
        "undo": step_as_json(owner.last_step(tables.ruleset)),
        "words": str(text(f"tables.done_{what}", n=len(edited.keys))),
    }
