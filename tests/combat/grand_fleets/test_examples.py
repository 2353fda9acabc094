"""The book's examples, as `dreyer verify` replays them."""

from collections import Counter
from importlib.resources import files

import pytest

from combat.owner_values import Overlay
from combat.rulebooks import grand_fleets
from combat.rulebooks.grand_fleets.table_files import NAME
from combat.verification import Case, CaseSource, verify
from web.strings import words

RULES = grand_fleets.load()
assert RULES.cases is not None
replayed = RULES.cases
CASES = verify([(replayed, RULES.tables)], words).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}: {case.what}")
def test_the_book_and_the_engine_agree(case: Case) -> None:
    assert case.got == case.expected


def test_how_many_there_are() -> None:
    counts = Counter(case.source for case in CASES)
    assert counts[CaseSource.EXAMPLE] == 21
    assert counts[CaseSource.RULE] == 211
    assert len({case.what for case in CASES}) == len(CASES)


def test_the_readme_knows_how_many() -> None:
    text = (files(grand_fleets.__name__) / "README.md").read_text(encoding="utf-8")
    assert f"{len(CASES)} cases" in text


def test_an_owners_value_shows_in_the_cases() -> None:
    overlay = Overlay(NAME, {("torpedo_hits", "0", "9"): "hit"})
    cases = verify([(replayed, RULES.tables.with_overlay(overlay))], words).cases
    wrong = {case.what: case.got for case in cases if not case.ok}
    assert wrong["chances in 36 at modifier +0"] == 10
    hits = wrong["four torpedoes at Pensacola: hits with 4, 5, 9 and 10"]
    assert "too few" in str(hits), "a second hit wants another damage die"
