"""Faults as they are told: in words for whoever asked, and with nothing that is not theirs."""

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import Field
from werkzeug.exceptions import default_exceptions

from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.schema import Number, Schema, document
from tests.web.phones import fresh_app, host_of
from web.faults import fault_response
from web.journal.store import StoreFault, Task
from web.strings import strings


@pytest.mark.parametrize(
    "path", ["/home/ann/my games/battles/x.db", "C:\\Users\\Ann\\x.db", "x.db"]
)
def test_where_the_host_keeps_a_file_is_not_told(path: str) -> None:
    found = fault_response(StoreFault(Message("journal.in_use"), file=path, task=Task.WRITE))
    assert found.status == 503
    assert found.message == (
        "X.db: could not be written: another program has it open; close it and try again"
    )


@document
class _Body:
    x: Number = 0.0
    range_yards: Annotated[Number, Field(ge=0)] = 0.0
    targets: Annotated[tuple[str, ...], Field(min_length=1, max_length=9)] = ("Hood",)


@pytest.mark.parametrize(
    ("body", "words", "field"),
    [
        ({"x": "far"}, "X: expected a number, got the text 'far'", "x"),
        (
            {"range_yards": -1.0},
            "Range (yards): expected a number of at least 0, got -1.0",
            "range_yards",
        ),
        ({"targets": []}, "Targets: expected a list of texts, from 1 to 9", "targets"),
        ({"targets": ["Hood", 7]}, "Targets 2: expected a text, got 7", "targets 2"),
        ({"range_yd": 1.0}, "Unknown key 'range_yd'; the nearest known key is", "range_yd"),
        ([], "Expected an object, got a list of 0", None),
    ],
)
def test_a_field_is_named_as_players_read_it(body: object, words: str, field: str | None) -> None:
    with pytest.raises(BadField) as wrong:
        Schema(_Body).check(body)
    found = fault_response(wrong.value)
    assert found.message.startswith(words)
    assert found.field == field


@pytest.mark.parametrize("status", sorted(default_exceptions))
def test_what_http_says_is_said_in_our_words(status: int) -> None:
    error = default_exceptions[status]("The library's own words")
    found = fault_response(error)
    assert found.status == status
    assert "library" not in found.message
    known = strings()
    expected = known.get(f"api.status.{status}", known["api.status.other"].format(status=status))
    assert found.message == expected


def test_every_field_of_a_request_has_a_label() -> None:
    described = host_of(fresh_app()).get("/openapi.json").get_json()
    asked = {name for name in _fields(described) if name.islower()}
    labels = {key.removeprefix("fields.") for key in strings() if key.startswith("fields.")}
    assert asked == labels


def _fields(described: dict[str, Any]) -> Iterator[str]:
    """The fields of every body and address in the description of the API."""
    operations = [each for path in described["paths"].values() for each in path.values()]
    for operation in operations:
        yield from (each["name"] for each in operation.get("parameters", ()))
        schemas, followed = [operation.get("requestBody", {})], set()
        while schemas:
            schema = schemas.pop()
            if isinstance(schema, list):
                schemas += schema
            elif isinstance(schema, dict):
                yield from schema.get("properties", {})
                schemas += [value for key, value in schema.items() if key != "properties"]
                schemas += schema.get("properties", {}).values()
                reference = str(schema.get("$ref", "")).rpartition("/")[2]
                if reference and reference not in followed:
                    followed.add(reference)
                    schemas.append(described["components"]["schemas"][reference])
