"""Every worked example agrees; a wrong one is told apart; every rulebook owns up to its gaps."""

from collections import Counter
from dataclasses import replace

import pytest

from combat.owner_values import Overlay
from combat.provenance import Provenance
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.bismarck_advanced.worked_examples.examples import KINDS, Examples
from combat.verification import Case, CaseSource, Verification, verify
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tests.refusals import refused
from web.strings import words

ADVANCED = get_ruleset("bismarck-advanced")
assert ADVANCED.cases is not None
CASES = verify([(ADVANCED.cases, ADVANCED.tables)], words).cases
HEAD = 'rule = "58.3", source = "example", what = "her two moves"'


def read(text: str) -> tuple[Case, ...]:
    examples = Examples.read(text.encode(), "mine.toml", ADVANCED.table_rules)
    return tuple(examples.replayed(ADVANCED.tables))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.what}")
def test_every_case_agrees_with_the_book(case: Case) -> None:
    assert case.got == case.expected
    assert case.ok


def test_there_are_enough_and_none_twice() -> None:
    by_source = Counter(case.source for case in CASES)
    assert by_source[CaseSource.EXAMPLE] >= 40
    assert by_source[CaseSource.RULE] >= 40
    assert {case.ruleset for case in CASES} == {"bismarck-advanced"}
    assert [
        what for what, count in Counter((c.rule, c.what) for c in CASES).items() if count > 1
    ] == []


def test_every_kind_is_used() -> None:
    used = {example.table.kind for example in Examples.shipped(ADVANCED.table_rules).examples}
    assert used == set(KINDS)


@pytest.mark.parametrize(
    ("rule", "words"),
    [("64.33", "card"), ("71.3", "25 in two rows"), ("65.2", "788"), ("54.2", "16")],
)
def test_where_the_book_contradicts_itself(rule: str, words: str) -> None:
    assert any(case.rule == rule and words in (case.book_conflict or "") for case in CASES)


def test_a_wrong_expectation_fails() -> None:
    right, wrong = read(
        f"""case = [
            {{ {HEAD}, kind = "halves", given = {{ speed = 9 }}, expected = [5, 4] }},
            {{ {HEAD}, kind = "halves", given = {{ speed = 9 }}, expected = [4, 5] }},
        ]"""
    )
    assert (right.ok, wrong.ok) == (True, False)
    assert (wrong.expected, wrong.got) == ([4, 5], [5, 4])
    result = Verification((right, wrong))
    assert (result.passed, result.failed) == (1, 1)


def test_a_fire_that_is_refused_fails_its_case() -> None:
    (case,) = read(
        """[[case]]
        rule = "61.5"
        source = "rule"
        what = "too far"
        kind = "fire"
        given = { shot = "far", figure = "factor" }
        expected = 1
        [shot.far]
        firer = { name = "Hood", speed = 9 }
        target = { name = "Bismarck", speed = 9 }
        fire = { range_yards = 30000, quadrant = "port", aspect = "port" }"""
    )
    assert not case.ok
    assert isinstance(case.got, Message)
    assert words(case.got).startswith("refused: Bismarck is 30,000 yards")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'case = [{{ {HEAD}, kind = "halfs", given = {{}}, expected = 1 }}]', "'halves'"),
        (f'case = [{{ {HEAD}, kind = "halves", given = {{}}, expected = true }}]', "figure"),
        (
            f'case = [{{ {HEAD}, kind = "halves", given = {{ sped = 1 }}, expected = 1 }}]',
            "'speed'",
        ),
        (f'case = [{{ {HEAD}, kind = "halves", given = {{}}, expected = 1 }}]', "case 1"),
        (
            f'case = [{{ {HEAD}, kind = "refusal", expected = 1,'
            ' given = { shot = "x", by = "1" } }]',
            "unknown shot 'x'",
        ),
        ("kase = []", "'case'"),
        ("shot = 1", "shot"),
    ],
)
def test_a_bad_file_says_where(text: str, message: str) -> None:
    with refused(DreyerError, match=message) as error:
        read(text)
    assert words(error.value).startswith("mine.toml")


def test_an_owners_misreading_is_found() -> None:
    """A hit where the example misses: the cases that rest on the cell fail, and only they."""
    owned = Overlay(ADVANCED.name).with_value("hit_table", "44", "1", "1")
    tables = ADVANCED.tables.with_overlay(owned, "mine.toml")
    failed = [case for case in verify([(ADVANCED.cases, tables)], words).cases if not case.ok]
    assert {case.rule for case in failed} == {"62.44"}
    assert {case.got for case in failed if isinstance(case.got, int)} == {1}


def test_a_ruleset_without_cases_contributes_none() -> None:
    silent = replace(ADVANCED, cases=None)
    assert verify([(silent.cases, silent.tables)], words).cases == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_rebuilt_table_is_owned_up_to(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.source
    assert ruleset.complete == (not ruleset.missing)
    gaps = " ".join(ruleset.missing)
    rebuilt = [table.name for table in ruleset.tables if table.counts[Provenance.RECONSTRUCTED]]
    assert [table for table in rebuilt if table not in gaps] == []
