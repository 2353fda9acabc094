"""The glossary of a rulebook: which terms its pages explain, and which rules they stand for.

A rulebook's `glossary.toml` lists them in the order in which they are shown:

    round = "advanced"

    [[chapter]]
    key = "movement"
    term = [{ key = "weaving", rules = ["67.3", "67.31"] }]

The words of a term are in the string tables (`terms.<key>`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.abc import Traversable
from typing import ClassVar, Final

from pydantic import ConfigDict

from tabletop.schema import FILE_CONFIG, Schema, Text, file_document

FILE_NAME: Final = "glossary.toml"


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the rules."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    key: Text
    rules: tuple[Text, ...] = ()
    """The numbers of the rules that it explains, with all that begin so: 57 includes 57.3."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Terms that belong together."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    key: Text
    term: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms of a rulebook, and the sequence of play that the page of a round shows."""

    chapters: tuple[Chapter, ...] = ()
    round: str = ""
    """The name of the pictures of a round; empty if the rulebook has none."""

    @property
    def terms(self) -> Iterator[Term]:
        """All terms, in the order of the chapters."""
        for chapter in self.chapters:
            yield from chapter.term

    def term_of_rule(self, number: str) -> str | None:
        """The key of the term that explains a rule: that of the longest number it begins with."""
        rules = {rule: term.key for term in self.terms for rule in term.rules}
        while number:
            if number in rules:
                return rules[number]
            number = number[:-1].rstrip(".")
        return None


@file_document
class _GlossaryFile:
    """The file `glossary.toml` of a rulebook."""

    round: str = ""
    chapter: tuple[Chapter, ...] = ()


_GLOSSARY_FILE: Final[Schema[_GlossaryFile]] = Schema(_GlossaryFile)


def load_glossary(name: str, folder: Traversable) -> Glossary:
    """The glossary in a rulebook's folder; an empty one if the folder has no such file."""
    path = folder / FILE_NAME
    if not path.is_file():
        return Glossary()
    file = _GLOSSARY_FILE.read_toml(path.read_bytes(), f"{name}/{FILE_NAME}")
    return Glossary(file.chapter, file.round)
