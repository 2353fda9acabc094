"""German is complete enough to play a guided battle of the Advanced Game in."""

import re
from pathlib import Path

import pytest

import web
from combat.rulebooks import get_ruleset
from web.language_files import ENGLISH, language_named
from web.strings import figure, in_language, text, words

_VALUES = re.compile(r"\{(\w+)")
PLAYED = (
    *("battle", "chart", "check", "common", "consent", "dice", "fire", "help", "join", "salvo"),
    *("round", "sheet", "ships", "survey", "table", "television", "terms"),
)
"""Families of words that everybody meets who plays; what other families lack is English."""
LEFT_ENGLISH = ("battle.ordered.", "battle.order.", "dice.too_many_choices", "sheet.fault.")
"""Of battles in which divisions act one after the other, and of files."""


ENGLISH_WORDS, GERMAN_WORDS = language_named(ENGLISH).words, language_named("de").words


def is_german(key: str) -> bool:
    english, german = ENGLISH_WORDS[key], GERMAN_WORDS.get(key)
    plain = re.sub(r"\{[^{}]*\}", "", english)
    # What is written alike: signs, figures, words such as "Live".
    return english != german or len(re.findall(r"[A-Za-z]{3,}", plain)) < 2


@pytest.mark.parametrize("family", PLAYED)
def test_what_everybody_meets_is_german(family: str) -> None:
    keys = [
        key
        for key in ENGLISH_WORDS
        if key.startswith(f"{family}.") and not key.startswith(LEFT_ENGLISH)
    ]
    left = [key for key in keys if not is_german(key)]
    assert len(left) <= len(keys) // 10, left


def test_no_key_value_or_text_is_unknown() -> None:
    """As a file of somebody's it is checked word by word."""
    path = Path(web.__file__).parent / "strings" / "de.toml"
    assert language_named(str(path)).words == GERMAN_WORDS


def test_most_of_the_advanced_game_is_german() -> None:
    """What is left are files, worked examples and conversions."""
    advanced = [key for key in ENGLISH_WORDS if key.startswith("advanced.")]
    assert sum(map(is_german, advanced)) / len(advanced) > 0.75


def test_a_translation_says_all_that_the_english_says() -> None:
    lost = {
        key: set(_VALUES.findall(words)) - set(_VALUES.findall(GERMAN_WORDS[key]))
        for key, words in ENGLISH_WORDS.items()
        if key in GERMAN_WORDS and is_german(key)
    }
    # "One torpedo": the number is in the words.
    assert {key: each for key, each in lost.items() if each - {"n"}} == {}


def test_words_that_count_have_both_forms() -> None:
    with in_language("de"):
        assert text("fire.hits", n=1) == "1 Treffer"
        assert text("chart.more_ships", n=1) == "und 1 weiteres Schiff"
        assert text("chart.more_ships", n=2) == "und 2 weitere Schiffe"


def test_figures_have_german_marks() -> None:
    assert figure(18_390.4, ",.0f") == "18,390"
    with in_language("de"):
        assert figure(18_390.4, ",.0f") == "18.390"
        assert figure(0.28, ".2f") == "0,28"
        assert figure(-112.5, "+g") == "-112,5"


def test_a_rings_title_is_german() -> None:

    with in_language("de"):
        titles = [words(each.title) for each in get_ruleset("bismarck-advanced").segments]
    assert titles[0] == "Kernschussweite"
    assert "Weit nah" in titles
