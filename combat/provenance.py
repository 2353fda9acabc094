"""Where a number comes from; a number without a source does not load."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tabletop.schema import LongText, file_document


class Provenance(StrEnum):
    """How far a number can be trusted."""

    PRINTED = "printed"
    """It stands in the rulebook."""
    DERIVED = "derived"
    """It follows from printed facts."""
    RECONSTRUCTED = "reconstructed"
    """The book's own figure is lost; ours is a documented proposal within every constraint."""
    OWNER = "owner"
    """A player typed it in from their own copy."""

    @classmethod
    def worst(cls, several: Iterable["Provenance"]) -> "Provenance":
        """The least certain of several: what a result that rests on all of them can claim."""
        order = (cls.PRINTED, cls.OWNER, cls.DERIVED, cls.RECONSTRUCTED)
        return max(several, key=order.index, default=cls.PRINTED)


@dataclass(frozen=True, slots=True)
class Source:
    """A number's provenance and the rule, or the reasoning, that it rests on."""

    provenance: Provenance
    reference: str


@file_document
class Sourced:
    """A table of a data file that says where its values come from."""

    provenance: Provenance
    reference: LongText

    @property
    def source(self) -> Source:
        """Where they come from."""
        return Source(self.provenance, self.reference)
