"""Fights on the calculator that version 0.1.0 has kept open, show the same, and go on.

In some of them that version was stuck: it had added up flags as if they were numbers, and refused
its own marks from then on. Those have the right marks now and go on.
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
    marks_seen,
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


def without_words(seen: Any) -> Any:
    """The same without how it is told, and without dice kept for what takes none."""
    if isinstance(seen, list):
        return [without_words(each) for each in seen]
    if not isinstance(seen, dict):
        return seen
    found = {key: without_words(value) for key, value in seen.items() if key not in _WORDS}
    if "kept" in found:
        found["kept"] = [each for each in found["kept"] if each[-1]]
    return found


_WORDS = ("words", "outcome", "story")


def name_of(value: object) -> str | None:
    return value.stem if isinstance(value, Path) else ""


@pytest.mark.parametrize(("journal", "expected"), recorded("fight"), ids=name_of)
def test_a_fight_opens_as_it_was_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(expected["log"], log_seen(app))
        seen = fights_seen(app, expected["fights"])
        assert_same(without_words(expected["fights"]), without_words(seen))
        assert_same(expected["pages"], fight_pages(app))
        for attack in expected["next"]:
            outcome = attack_made(app, attack)
            assert_same(without_words(attack["outcome"]), without_words(outcome))


@pytest.mark.parametrize(("journal", "expected"), recorded("stuck fight"), ids=name_of)
def test_a_fight_that_was_stuck_reads_as_it_was(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        assert_same(expected["log"], log_seen(app))
        for ruleset, fight in expected["fights"].items():
            attacks = attacks_seen(app, ruleset)
            assert_same(without_words(fight["attacks"]), without_words(attacks))


@pytest.mark.parametrize(("journal", "expected"), recorded("stuck fight"), ids=name_of)
def test_a_fight_that_was_stuck_has_the_right_marks_and_goes_on(
    journal: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    with journal_opened(journal, tmp_path / "data") as app:
        for right in expected["right"]:
            marks = marks_seen(app, right["ruleset"], right["marks"])
            assert_same(right["marks"], marks)
            outcome = attack_made(app, {"ruleset": right["ruleset"], **right["next"]})
            assert_same(without_words(right["next"]["outcome"]), without_words(outcome))
