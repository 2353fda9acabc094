"""Worked examples and rule text replayed: the book's figure beside ours, case by case.

A ruleset provides its cases (`Ruleset.cases`); this module only knows what a case is and how to
count them. A case is right when its two figures are equal, and there is no other way to be right.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from combat.tables import TableSet
from tabletop.messages import Message

Figure = int | float | str | Message | list["Figure"]
"""What a book states and an engine finds: a number, a word, or a row of them."""
Words = Callable[[Message], str]


class CaseSource(StrEnum):
    """Where the expected figure comes from."""

    EXAMPLE = "example"
    """The book works it out itself."""
    RULE = "rule"
    """It follows from the text of a rule."""


@dataclass(frozen=True, slots=True)
class Case:
    """One figure of a rulebook, and what the engine makes of the same facts."""

    ruleset: str
    rule: str
    source: CaseSource
    what: str
    expected: Figure
    got: Figure
    book_conflict: str | None = None
    """Where the book contradicts itself: what it says elsewhere, and what was decided."""

    @property
    def ok(self) -> bool:
        """Whether the engine agrees with the book."""
        return self.got == self.expected


CaseProvider = Callable[[TableSet], Iterable[Case]]
"""What a ruleset gives: its cases, replayed with a set of its tables."""


@dataclass(frozen=True, slots=True)
class Verification:
    """All cases that were replayed."""

    cases: tuple[Case, ...]

    @property
    def passed(self) -> int:
        """How many agree."""
        return sum(case.ok for case in self.cases)

    @property
    def failed(self) -> int:
        """How many do not."""
        return len(self.cases) - self.passed


def verify(providers: Iterable[tuple[CaseProvider | None, TableSet]], words: Words) -> Verification:
    """Replay the cases of several rulesets; one without a provider contributes none.

    A book prints words: `words` says what a message is in those of its language.
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
    """A figure as a book prints it."""
    if isinstance(figure, list):
        return [in_words(each, words) for each in figure]
    return words(figure) if isinstance(figure, Message) else figure
