"""Faults as they are told: in words for whoever asked, and with nothing that is not theirs."""

import pytest
from pydantic import Field, ValidationError

from web.api.reading import Model, say_fault
from web.faults import told
from web.journal.store import StoreFault


@pytest.mark.parametrize(
    "path", ["/home/ann/my games/battles/x.db", "C:\\Users\\Ann\\x.db", "x.db"]
)
def test_where_the_host_keeps_a_file_is_not_told(path: str) -> None:
    found = told(StoreFault(f"{path}: could not be written: the disk is full"))
    assert found.status == 503
    assert found.message == "X.db: could not be written: the disk is full"


class _Body(Model):
    x: float = 0.0
    range_yards: float = Field(0.0, ge=0)
    targets: list[str] = Field(default=["Hood"], min_length=1)


@pytest.mark.parametrize(
    ("body", "words", "field"),
    [
        ({"x": "far"}, "X: expected a number", "x"),
        ({"range_yards": -1.0}, "Range (yards): expected 0 or more", "range_yards"),
        ({"targets": []}, "Targets: expected at least 1 of them", "targets"),
        # What the page has no field for is told as it was sent.
        ({"targets": ["Hood", 7]}, "targets.1: expected text", "targets.1"),
        ({"range_yd": 1.0}, "range_yd: is not known here; leave it out", "range_yd"),
        ([], "Expected one JSON object: expected an object", None),
    ],
)
def test_a_field_is_named_as_players_read_it(body: object, words: str, field: str | None) -> None:
    with pytest.raises(ValidationError) as wrong:
        _Body.model_validate(body)
    assert say_fault(wrong.value) == (words, field)
