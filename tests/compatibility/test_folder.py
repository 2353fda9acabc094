"""A data folder, a table and the owner's files of version 0.1.0 are read as they were."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

from tests.compatibility.comparing import assert_same
from tests.compatibility.playing import comes_back, owner_files_taken
from tests.compatibility.reading import (
    DATA,
    export_opened,
    folder_seen,
    journal_opened,
    opened,
    table_seen,
)


def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return found


def test_a_data_folder_opens_with_its_table_seats_and_owners_files(tmp_path: Path) -> None:
    shutil.copytree(DATA / "folder", tmp_path / "data")
    recorded = expected("folder.expected.json")
    recorded["folder"]["own_cards"] = [
        tomllib.loads(card) for card in recorded["folder"]["own_cards"]
    ]
    with opened(tmp_path / "data") as app:
        assert_same(recorded["folder"], folder_seen(app))
        assert_same(recorded["table"], table_seen(app))
        assert comes_back(app, "Ann", "1234")
        assert not comes_back(app, "Bob", "4321")


def test_a_table_of_grand_fleets_opens_as_it_was(tmp_path: Path) -> None:
    recorded = expected("journals/table-grand-fleets.expected.json")
    journal = DATA / "journals" / "table-grand-fleets.db"
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(recorded["table"], table_seen(app))


def test_an_exported_table_is_taken_in_as_it_was(tmp_path: Path) -> None:
    recorded = expected("exports/table.expected.json")
    with export_opened(DATA / "exports" / "table.dreyer.json", tmp_path / "data") as app:
        assert_same(recorded["table"], table_seen(app))


def test_the_owners_files_are_taken_in_and_given_out_the_same(tmp_path: Path) -> None:
    values = (DATA / "owner" / "tables" / "bismarck-advanced.toml").read_bytes()
    cards = (DATA / "owner" / "cards" / "grand-fleets.toml").read_bytes()
    with opened(tmp_path / "data") as app:
        given = owner_files_taken(app, values, cards)
    # What they say, however they are laid out.
    assert [tomllib.loads(each) for each in given] == [
        tomllib.loads(each.decode()) for each in (values, cards)
    ]
