"""The terms that pages explain: those of every table, and those of a rulebook.

The words are in `web/strings/<language>/terms.toml`: `name`, what it is called; `forms`, the words
that stand for it in a text, with a comma between; `text`, what it means in a sentence or two.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from combat.rulebook_info import Ruleset
from web.strings import text

TABLE_CHAPTER: Final = "table"
TABLE_TERMS: Final = (
    "range",
    "line_of_sight",
    "close_call",
    "measuring",
    "sealed",
    "umpire",
    "base_six",
    "expected_hits",
    "provenance",
)
"""The terms of every table, whatever the rulebook."""


@dataclass(frozen=True, slots=True)
class TermView:
    """A term with its words."""

    key: str
    name: str
    forms: tuple[str, ...]
    """The words that stand for it in a text; # is a number."""
    meaning: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterView:
    """Terms that belong together."""

    key: str
    title: str
    terms: tuple[TermView, ...]
    rulebook: str = ""
    """The title of the only rulebook that has them; empty for what every table has."""


def table_chapter() -> ChapterView:
    """What every table has."""
    terms = tuple(_term(key) for key in TABLE_TERMS)
    return ChapterView(TABLE_CHAPTER, _title(TABLE_CHAPTER), terms)


def chapters_of(ruleset: Ruleset) -> Iterator[ChapterView]:
    """The chapters that only one rulebook has."""
    for chapter in ruleset.glossary.chapters:
        terms = tuple(_term(term.key, term.rules) for term in chapter.term)
        yield ChapterView(chapter.key, _title(chapter.key), terms, ruleset.title)


def terms_of(ruleset: Ruleset | None) -> Iterator[TermView]:
    """The terms that the pages of a table explain."""
    yield from table_chapter().terms
    for chapter in chapters_of(ruleset) if ruleset is not None else ():
        yield from chapter.terms


def _title(chapter: str) -> str:
    return str(text(f"terms.chapter.{chapter}"))


def _term(key: str, rules: tuple[str, ...] = ()) -> TermView:
    forms = (each.strip() for each in str(text(f"terms.{key}.forms")).split(","))
    return TermView(
        key=key,
        name=str(text(f"terms.{key}.name")),
        forms=tuple(each for each in forms if each),
        meaning=str(text(f"terms.{key}.text")),
        rules=rules,
    )
