"""The source of a number. Data files with numbers without a source do not load."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BeforeValidator

from tabletop.messages import Message, verbatim
from tabletop.schema import Expected, LongText, file_document


class Provenance(StrEnum):
    """How a number was obtained."""

    PRINTED = "printed"
    """Printed in the rulebook."""
    DERIVED = "derived"
    """Derived from printed facts."""
    THIRD_PARTY = "third_party"
    """Somebody else's reading of the printed game, which nobody here has checked."""
    RECONSTRUCTED = "reconstructed"
    """A documented proposal, because the printed number is not available."""
    OWNER = "owner"
    """Entered by a player from their own copy."""

    @property
    def doubt(self) -> "Provenance | None":
        """Itself where a result that rests on it must say so: not the book's, nor an owner's."""
        return self if self in (Provenance.THIRD_PARTY, Provenance.RECONSTRUCTED) else None

    @property
    def mark(self) -> str:
        """The sign that players know it by, wherever a number of this kind is shown."""
        return _MARKS[self]

    @classmethod
    def worst(cls, several: Iterable["Provenance"]) -> "Provenance":
        """The least certain of several: what a result that rests on all of them can claim."""
        return max(several, key=_DOUBT.__getitem__, default=cls.PRINTED)


_DOUBT: Final = {
    Provenance.PRINTED: 0,
    Provenance.OWNER: 1,
    Provenance.DERIVED: 2,
    Provenance.THIRD_PARTY: 3,
    Provenance.RECONSTRUCTED: 4,
}
"""The less certain, the higher."""
_MARKS: Final = {
    Provenance.PRINTED: "●",
    Provenance.DERIVED: "◐",
    Provenance.THIRD_PARTY: "◇",
    Provenance.RECONSTRUCTED: "◌",
    Provenance.OWNER: "◆",
}
CHANGED_MARK: Final = Provenance.OWNER.mark
"""Beside whatever the players have changed: a number, an option, a setting."""


@dataclass(frozen=True, slots=True)
class Source:
    """A number's provenance, and the rule or reasoning behind it."""

    provenance: Provenance
    reference: str

    def __str__(self) -> str:
        return f"{self.provenance}: {self.reference}"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a value rests on: the book, a chapter of the notes in its rulebook's README, or both.

    Files and documents have it as one text: "62.44", "README: hit table",
    "README, counters: the full values", "64.33: whole quarters (README: shell size)".
    """

    book: str = ""
    """Rules, tables and reasoning by the book's own text."""
    chapter: str = ""
    """Of the notes; empty where they are not cited."""
    remark: str = ""
    """What the notes say there, in short."""

    @classmethod
    def read(cls, text: str) -> "Reference":
        """The reference that a file or a document has as text."""
        for form in _FORMS:
            if found := form.fullmatch(text):
                return cls(**found.groupdict())
        return cls(text)

    @property
    def message(self) -> Message:
        """The same for players."""
        if not self.chapter:
            return verbatim(self.book)
        if self.book:
            return Message("combat.reference.book_and_notes", book=self.book, chapter=self.chapter)
        if self.remark:
            return Message(
                "combat.reference.notes_remark", chapter=self.chapter, remark=self.remark
            )
        return Message("combat.reference.notes", chapter=self.chapter)


_FORMS: Final = (
    re.compile(r"README: (?P<chapter>.+)"),
    re.compile(r"README, (?P<chapter>[^:]+): (?P<remark>.+)"),
    re.compile(r"(?P<book>.+) \(README: (?P<chapter>.+)\)"),
)


def _source_from(value: object) -> Source:
    text = value.strip() if isinstance(value, str) else ""
    provenance, _, reference = text.partition(":")
    known = provenance in list(Provenance) and reference.strip()
    if not known or len(text) > _LONGEST or not text.isprintable():
        raise ValueError
    return Source(Provenance(provenance), reference.strip())


_LONGEST = 400
SourceLine = Annotated[
    Source,
    BeforeValidator(_source_from),
    Expected(Message("schema.source", kinds=tuple(Provenance))),
]
"""A source on one line of a file, such as "printed: Specification Chart"."""


@file_document
class SourcedTable:
    """A table of a data file with the source of its values."""

    provenance: Provenance
    reference: LongText

    @property
    def source(self) -> Source:
        """The source of the values."""
        return Source(self.provenance, self.reference)
