"""Battles kept after version 0.1.0 open as they were, and are played to their end.

They are of rulebooks and editions that version 0.1.0 did not have: Grand Fleets ship by ship, and
fights on the boards of three other rulebooks.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.comparing import assert_same
from tests.compatibility.playing import board_goes_on, fleets_go_on
from tests.compatibility.reading import (
    board_seen,
    export_opened,
    journal_opened,
    log_seen,
    ordered_battle_seen,
)
from tests.compatibility.test_battles import name_of, recorded

FLEETS = recorded("journals", ".db", kind="fleets")
FLEETS_EXPORTS = recorded("exports", ".dreyer.json", kind="fleets")
BOARDS = recorded("journals", ".db", kind="board")


def test_each_kind_has_been_kept() -> None:
    assert len(FLEETS) == len(FLEETS_EXPORTS) == 1
    assert {expected["ruleset"] for _, expected in BOARDS} == {
        "arctic-disaster",
        "bismarck-battle-board",
        "chase-of-the-bismarck",
    }


@pytest.mark.parametrize(("journal", "expected"), FLEETS, ids=name_of)
def test_a_journal_of_fleets_opens_as_it_was_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert len(log_seen(app)) == expected["log_length"]
        assert_same(expected["seen"], ordered_battle_seen(app))
        assert_same(expected["goes_on"], fleets_go_on(app))


@pytest.mark.parametrize(("export", "expected"), FLEETS_EXPORTS, ids=name_of)
def test_an_export_of_fleets_is_taken_in_as_it_was_and_goes_on(
    export: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with export_opened(export, tmp_path / "data") as app:
        assert_same(expected["seen"], ordered_battle_seen(app))
        assert_same(expected["goes_on"], fleets_go_on(app))


@pytest.mark.parametrize(("journal", "expected"), BOARDS, ids=name_of)
def test_a_fight_on_a_board_opens_as_it_was_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    ruleset = expected["ruleset"]
    with journal_opened(journal, tmp_path / "data") as app:
        assert len(log_seen(app)) == expected["log_length"]
        assert_same(expected["seen"], board_seen(app, ruleset))
        assert_same(expected["goes_on"], board_goes_on(app, ruleset, expected["next"]))
