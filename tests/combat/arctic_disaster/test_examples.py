"""Every figure of the book that is replayed agrees."""

import pytest

from combat.owner_values import Overlay
from combat.rulebooks.arctic_disaster import NAME, load
from combat.verification import Case, CaseSource, verify
from web.strings import words

RULES = load()
assert RULES.cases is not None
CASES = verify([(RULES.cases, RULES.tables)], words).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_engine_agrees_with_the_book(case: Case) -> None:
    assert case.got == case.expected


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 60
    assert sum(case.source is CaseSource.EXAMPLE for case in CASES) >= 40


def test_cases_follow_the_owners_tables() -> None:
    assert RULES.cases is not None
    owned = RULES.tables.with_overlay(Overlay(NAME).with_value("modifiers", "smoke", "value", "-3"))
    [smoke] = [case for case in RULES.cases(owned) if "smoke takes" in case.what]
    assert (smoke.expected, smoke.got, smoke.ok) == ([-1], [-3], False)
