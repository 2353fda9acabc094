"""Every worked example of the book comes out, and the cases notice a wrong table."""

from combat.owner_values import Overlay
from combat.rulebooks.chase_of_the_bismarck import NAME, load
from combat.verification import CaseSource, verify
from web.strings import words

CHASE = load()


def test_every_case_agrees() -> None:
    result = verify([(CHASE.cases, CHASE.tables)], words)
    assert [case for case in result.cases if not case.ok] == []
    assert len(result.cases) >= 77
    examples = [case for case in result.cases if case.source is CaseSource.EXAMPLE]
    assert sum(case.what.startswith("round ") for case in examples) >= 25
    assert all(case.ruleset == NAME for case in result.cases)


def test_where_the_book_contradicts_itself_the_case_says_so() -> None:
    conflicts = [
        case for case in verify([(CHASE.cases, CHASE.tables)], words).cases if case.book_conflict
    ]
    assert {case.rule for case in conflicts} == {"9", "10, step 3", "11.1", "2.3.1"}
    rodney = next(case for case in conflicts if case.what == "air attack on Rodney, 0: hits")
    assert (rodney.got, "One hit by the example" in (rodney.book_conflict or "")) == (2, True)


def test_an_owners_misreading_is_found() -> None:
    owned = Overlay(NAME).with_value("naval_combat", "6", "medium", "miss")
    tables = CHASE.tables.with_overlay(owned)
    failed = [case for case in verify([(CHASE.cases, tables)], words).cases if not case.ok]
    assert {case.what.split(":")[0] for case in failed} == {"round 1"}
