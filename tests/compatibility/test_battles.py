"""Guided battles that version 0.1.0 has kept or exported open, show the same, and go on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.comparing import assert_same
from tests.compatibility.playing import go_on
from tests.compatibility.reading import (
    DATA,
    battle_seen,
    export_opened,
    journal_opened,
    log_seen,
    report_seen,
)


def recorded(folder: str, ending: str, kind: str = "battle") -> list[tuple[Path, dict[str, Any]]]:
    """The files of a folder that hold this kind of battle, each with what was recorded of it."""
    found = []
    for expected in sorted((DATA / folder).glob("*.expected.json")):
        document = json.loads(expected.read_text(encoding="utf-8"))
        if document["kind"] == kind:
            name = expected.name.removesuffix(".expected.json")
            found.append((expected.with_name(name + ending), document))
    return found


JOURNALS = recorded("journals", ".db")
EXPORTS = recorded("exports", ".dreyer.json")


def name_of(value: object) -> str | None:
    return value.name.split(".")[0] if isinstance(value, Path) else ""


@pytest.mark.parametrize(("journal", "expected"), JOURNALS, ids=name_of)
def test_a_journal_opens_as_it_was_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(expected["log"], log_seen(app))
        assert_same(expected["seen"], battle_seen(app))
        if "report" in expected:
            assert_same(expected["report"], report_seen(app))
        if "goes_on" in expected:
            assert_same(expected["goes_on"], go_on(app))


@pytest.mark.parametrize(("export", "expected"), EXPORTS, ids=name_of)
def test_an_export_is_taken_in_as_it_was_and_goes_on(
    export: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with export_opened(export, tmp_path / "data") as app:
        assert_same(expected["seen"], battle_seen(app))
        if "goes_on" in expected:
            assert_same(expected["goes_on"], go_on(app))


def test_every_journal_and_export_is_tried() -> None:
    """A file without its expectation would be forgotten."""
    for folder, ending in (("journals", ".db"), ("exports", ".dreyer.json")):
        files = {path.name.removesuffix(ending) for path in (DATA / folder).glob(f"*{ending}")}
        told = {
            path.name.removesuffix(".expected.json")
            for path in (DATA / folder).glob("*.expected.json")
        }
        assert files == told
