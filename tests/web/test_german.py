"""German is complete enough to play a guided battle of the Advanced Game in."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import web
from combat.rulebooks import get_ruleset
from web.language_files import ENGLISH, language_named
from web.strings import figure, in_language, text, words

_VALUES = re.compile(r"\{(\w+)")
PLAYED = (
    *("battle", "battles", "calculator", "camera", "chart", "check", "common", "consent", "dice"),
    *("events", "fields", "fire", "fog", "help", "host", "join", "log", "photo", "replay"),
    *("report", "round", "rules", "salvo", "setup", "sheet", "ships", "sides", "survey", "table"),
    *("tables", "television", "terms", "tutorial", "cards", "convert", "grand_fleets"),
)
"""Families of words that everybody meets who plays; nothing of them is left English."""
AT_LEAST = {"advanced": 0.9, "combat": 0.99, "errors": 0.93, "schema": 0.5, "vision": 0.85}
"""The share of other families that is German; what lacks are files, examples, conversions."""
WHOLE = 0.72
"""The share of all words; those of the commands and of the four other rulebooks are English."""
_GERMAN_FILE = Path(web.__file__).parent / "strings" / "de.toml"


ENGLISH_WORDS, GERMAN_WORDS = language_named(ENGLISH).words, language_named("de").words


def keys_in(document: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield from keys_in(value, f"{before}{key}.")
        else:
            yield before + key


TRANSLATED = frozenset(keys_in(tomllib.loads(_GERMAN_FILE.read_text("utf-8"))))
"""What the German file says itself, be it the same word, such as "Radar"."""


def to_translate(family: str = "") -> list[str]:
    """The keys of a family that have any words, not signs and figures alone."""
    return [
        key
        for key, words in ENGLISH_WORDS.items()
        if key.startswith(f"{family}." if family else "")
        and re.search(r"[A-Za-z]{2}", re.sub(r"\{[^{}]*\}", "", words))
    ]


def share(keys: Sequence[str]) -> float:
    return sum(key in TRANSLATED for key in keys) / len(keys)


@pytest.mark.parametrize("family", PLAYED)
def test_what_everybody_meets_is_german(family: str) -> None:
    assert [key for key in to_translate(family) if key not in TRANSLATED] == []


@pytest.mark.parametrize("family", AT_LEAST)
def test_most_of_what_is_met_now_and_then_is_german(family: str) -> None:
    assert share(to_translate(family)) >= AT_LEAST[family]


def test_so_much_is_german_in_all() -> None:
    assert WHOLE <= share(to_translate()) < WHOLE + 0.05, "say in WHOLE how much it is now"


def test_no_key_value_or_text_is_unknown() -> None:
    """As a file of somebody's it is checked word by word."""
    assert language_named(str(_GERMAN_FILE)).words == GERMAN_WORDS


def test_a_translation_has_the_values_of_the_english() -> None:
    differ = {
        key: set(_VALUES.findall(ENGLISH_WORDS[key])) ^ set(_VALUES.findall(GERMAN_WORDS[key]))
        for key in TRANSLATED & ENGLISH_WORDS.keys()
    }
    # "One torpedo": the number is in the words.
    assert {key: each for key, each in differ.items() if each - {"n"}} == {}


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
