"""What every rulebook must keep to, whoever wrote it: the same questions for all of them."""

from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from combat.free_play import FreeRulebook
from combat.participants import Ship
from combat.questions import read_answer
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.shot_file import ShotForm
from combat.verification import verify
from tests.refusals import said
from web.strings import words

ENOUGH_CASES = {
    "bismarck-advanced": 30,
    "grand-fleets": 30,
    "chase-of-the-bismarck": 30,
    "arctic-disaster": 25,
    "sink-the-bismarck": 10,
    "bismarck-battle-board": 25,
}
ROOT = Path(__file__).parents[2]


def rulebook_of(name: str) -> tuple[Ruleset, FreeRulebook[Any]]:
    ruleset = get_ruleset(name)
    assert ruleset.rulebook is not None
    return ruleset, ruleset.rulebook(ruleset.tables)


def test_all_six_are_there_and_the_first_is_the_usual_one() -> None:
    assert [*NAMES][:1] == [DEFAULT]
    assert set(ENOUGH_CASES) == set(NAMES)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_it_says_what_it_is(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.name == name
    assert ruleset.title
    assert ruleset.source
    folder = files(f"combat.rulebooks.{name.replace('-', '_')}")
    assert len((folder / "README.md").read_text(encoding="utf-8")) > 1000


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_its_cases_agree(name: str) -> None:
    ruleset = get_ruleset(name)
    result = verify([(ruleset.cases, ruleset.tables)], words)
    assert [case for case in result.cases if not case.ok] == []
    assert len(result.cases) >= ENOUGH_CASES[name]


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_every_key_is_described_once(name: str) -> None:
    _, rulebook = rulebook_of(name)
    keys = list(ShotForm(rulebook).describe())
    names = [key.name for key in keys]
    assert len(set(names)) == len(names)
    assert all(key.takes and key.default and key.meaning for key in keys)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_its_sequence_of_play_says_when_everything_is_rolled_for(name: str) -> None:
    ruleset, rulebook = rulebook_of(name)
    (key,) = (key for key in ShotForm(rulebook).describe() if key.name == "fire.battery")
    rolls = {roll for phase in ruleset.phases for roll in phase.rolls}
    assert all(phase.title and phase.reference for phase in ruleset.phases)
    assert rolls == set(said(key.takes).split(", ")), (
        "every roll has its phase, and there are no others"
    )


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_what_it_asks_can_be_answered(name: str) -> None:
    """Every question of a page has a label, stands there once and takes its own default."""
    ruleset, rulebook = rulebook_of(name)
    first, second = (
        Ship(ship.name, ship.name, ship.nation, ship.name) for ship in islice(ruleset.ships, 2)
    )
    assert [*rulebook.offers(first.type), *rulebook.offers("")]
    for info in rulebook.infos:
        asked = [each for each in rulebook.questions_for(info, first, second) if each.by_page]
        assert len({(each.table, each.key) for each in asked}) == len(asked)
        for each in asked:
            assert each.label
            if each.default_text:
                assert read_answer(each, each.default_text, "test") == each.default


@pytest.mark.parametrize("room", ["web", "tabletop", "vision", "calibration"])
def test_nothing_outside_names_a_rulebook(room: str) -> None:
    """No rulebook has privileges: pages, commands and geometry know none of them by name.

    A language file is left out: it is one file for all words, those of the rulebooks too.
    """
    titles = [get_ruleset(name).title for name in NAMES]
    words = [*NAMES, *(name.replace("-", "_") for name in NAMES), *titles]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in (".py", ".html", ".js", ".jinja", ".toml")
        and path.parent != ROOT / "web" / "strings"
        for word in words
        if word in path.read_text(encoding="utf-8")
    ]
    assert found == []
