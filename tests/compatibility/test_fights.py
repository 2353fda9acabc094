"""Fights on the calculator that version 0.1.0 has kept open, show the same, and go on.

In some of them that version was stuck: it had added up flags as if they were numbers, and refused
its own marks from then on. What is required of those is that their attacks read as recorded; their
file also tells the right marks, and what the next attack brings once they are right.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.comparing import assert_same
from tests.compatibility.playing import attack_made
from tests.compatibility.reading import (
    DATA,
    attacks_seen,
    fight_pages,
    fights_seen,
    journal_opened,
    log_seen,
)

FOLDER = DATA / "journals"


def recorded(kind: str) -> list[tuple[Path, dict[str, Any]]]:
    """The journals of this kind, each with what was recorded of it."""
    found = []
    for expected in sorted(FOLDER.glob("*.expected.json")):
        document = json.loads(expected.read_text(encoding="utf-8"))
        if document["kind"] == kind:
            name = expected.name.removesuffix(".expected.json")
            found.append((expected.with_name(f"{name}.db"), document))
    return found


def name_of(value: object) -> str | None:
    return value.stem if isinstance(value, Path) else ""


@pytest.mark.parametrize(("journal", "expected"), recorded("fight"), ids=name_of)
def test_a_fight_opens_as_it_was_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(expected["log"], log_seen(app))
        assert_same(expected["fights"], fights_seen(app))
        assert_same(expected["pages"], fight_pages(app))
        for attack in expected["next"]:
            made = attack_made(app, attack["ruleset"], attack["said"], attack["dice"])
            assert_same(attack["outcome"], made)


@pytest.mark.parametrize(("journal", "expected"), recorded("stuck fight"), ids=name_of)
def test_a_fight_that_was_stuck_reads_as_it_was(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(expected["log"], log_seen(app))
        for ruleset, fight in expected["fights"].items():
            assert_same(fight["attacks"], attacks_seen(app, ruleset))


@pytest.mark.parametrize(("journal", "expected"), recorded("stuck fight"), ids=name_of)
def test_the_right_marks_of_a_stuck_fight_differ_by_flags_alone(
    journal: Path, expected: dict[str, Any]
) -> None:
    for right in expected["right"]:
        assert right["next"]["outcome"]["status"] == 200
        stuck = expected["fights"][right["ruleset"]]["marks"]
        assert stuck.keys() == right["marks"].keys(), journal
        changed = [
            (mark, value, stuck[ship][mark])
            for ship, marks in right["marks"].items()
            for mark, value in marks.items()
            if type(value) is not type(stuck[ship][mark]) or value != stuck[ship][mark]
        ]
        assert changed
        assert all(value is True and was == 1 for _, value, was in changed)
