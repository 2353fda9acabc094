"""The glossary: every term has words, every cited rule has a term, and the pages show them."""

import re

import pytest
from flask import Flask

from combat.rulebooks import NAMES, get_ruleset
from tests.web.phones import fresh_app, host_of, seated
from web.strings import strings
from web.views.glossary import TermView, chapters_of, table_chapter, terms_of

RULESETS = [get_ruleset(name) for name in NAMES]
ADVANCED = get_ruleset("bismarck-advanced").glossary
ROUNDS = [each.name for each in RULESETS if each.glossary.round]
TERMS = [
    *table_chapter().terms,
    *(term for one in RULESETS for chapter in chapters_of(one) for term in chapter.terms),
]
_CITED = re.compile(r"\((\d{2}(?:\.\d+)?(?:, \d{2}(?:\.\d+)?)*)\)")


@pytest.fixture
def app() -> Flask:
    return fresh_app()


def test_a_key_is_one_term() -> None:
    keys = [term.key for term in TERMS]
    assert len(keys) == len(set(keys)) > 50


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_a_term_has_a_name_and_a_meaning_of_a_sentence_or_two(term: TermView) -> None:
    assert term.name
    assert 20 < len(term.meaning) < 260
    assert term.meaning.endswith(".")


def test_no_words_stand_for_two_terms_of_one_rulebook() -> None:
    for ruleset in RULESETS:
        forms = [form.lower() for term in terms_of(ruleset) for form in term.forms]
        assert len(forms) == len(set(forms))


def test_every_rule_that_the_advanced_game_cites_is_explained() -> None:
    cited = {
        number
        for key, words in strings().items()
        if key.startswith("advanced.")
        for numbers in _CITED.findall(words)
        for number in numbers.split(", ")
    }
    assert len(cited) > 40
    assert {each for each in cited if ADVANCED.term_of_rule(each) is None} == set()


@pytest.mark.parametrize(
    ("number", "term"),
    [
        ("67.31", "weaving"),
        ("67.34", "salvo_chasing"),
        ("57.521", "notation"),
        ("57", "plot"),
        ("64.8", "hull"),
        ("69.4", "torpedo_due"),
        ("99", None),
    ],
)
def test_a_rule_is_explained_by_the_longest_number_it_begins_with(
    number: str, term: str | None
) -> None:
    assert ADVANCED.term_of_rule(number) == term


def test_rules_are_those_of_one_rulebook() -> None:
    assert len(ROUNDS) == 2
    assert get_ruleset("grand-fleets").glossary.term_of_rule("57") is None


def test_the_script_gets_the_terms_of_the_tables_rulebook(app: Flask) -> None:
    ann = seated(app)
    found = ann.get("/glossary/terms.json").get_json()
    assert found["rules"]["67.3"] == "weaving"
    assert found["terms"]["row"]["forms"] == ["row #"]
    assert "initiative" not in found["terms"]
    other = ann.get("/glossary/terms.json?ruleset=grand-fleets").get_json()
    assert "initiative" in other["terms"]
    assert other["rules"] == {}


def test_the_glossary_has_a_place_for_every_term(app: Flask) -> None:
    page = host_of(app).get("/glossary").text
    assert [term.key for term in TERMS if f'id="{term.key}"' not in page] == []


@pytest.mark.parametrize("rulebook", ROUNDS)
def test_a_round_is_told_with_a_picture_for_each_step(rulebook: str, app: Flask) -> None:
    page = host_of(app).get(f"/round?ruleset={rulebook}").text
    assert page.count('viewBox="0 0 160 100"') == 5


def test_a_stranger_is_shown_nothing(app: Flask) -> None:
    stranger = app.test_client()
    headers = {"Host": "192.168.1.5:8080"}
    base = {"REMOTE_ADDR": "192.168.1.77"}
    answer = stranger.get("/glossary", headers=headers, environ_base=base)
    assert answer.status_code in (302, 303, 401, 403)
