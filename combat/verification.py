"""Verification of a rulebook by worked examples and rule text.

A ruleset provides its cases (`Ruleset.cases`). A case passes if the engine's figure equals the
book's.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from combat.tables import TableSet
from tabletop.messages import Message

Figure = int | float | str | Message | list["Figure"]
"""A figure of the book or the engine: a number, a text, or a list of them."""
Words = Callable[[Message], str]


class CaseSource(StrEnum):
    """The source of the expected figure."""

    EXAMPLE = "example"
    """A worked example of the book."""
    RULE = "rule"
    """The text of a rule."""


@dataclass(frozen=True, slots=True)
class Case:
    """One figure of a rulebook, and the engine's figure for the same input."""

    ruleset: str
    rule: str
    source: CaseSource
    what: str
    expected: Figure
    got: Figure
    book_conflict: str | None = None
    """A contradiction in the book, and what was decided."""

    @property
    def ok(self) -> bool:
        """Whether the engine agrees with the book."""
        return self.got == self.expected


CaseProvider = Callable[[TableSet], Iterable[Case]]
"""Replays the cases of a ruleset with a set of its tables."""


@dataclass(frozen=True, slots=True)
class Verification:
    """All cases that were replayed."""

    cases: tuple[Case, ...]

    @property
    def passed(self) -> int:
        """The number of cases that pass."""
        return sum(case.ok for case in self.cases)

    @property
    def failed(self) -> int:
        """The number of cases that fail."""
        return len(self.cases) - self.passed


def verify(providers: Iterable[tuple[CaseProvider | None, TableSet]], words: Words) -> Verification:
    """Replay the cases of several rulesets; None instead of a provider means no cases.

    `words` renders figures that are messages, because a book's figures are text.
    """
    return Verification(
        tuple(
            replace(case, got=in_words(case.got, words))
            for cases, tables in providers
            if cases is not None
            for case in cases(tables)
        )
    )


def in_words(figure: Figure, words: Words) -> Figure:
    """A figure with its messages rendered."""
    if isinstance(figure, list):
        return [in_words(each, words) for each in figure]
    return words(figure) if isinstance(figure, Message) else figure
