"""Modifiers of a roll, and the ledger that sums and lists them."""

from collections.abc import Iterator
from dataclasses import dataclass

from combat.provenance import Provenance
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class Modifier:
    """One line of a ledger: its number or key in the rulebook, its value and its reason."""

    number: int | str
    value: int
    label: Message
    reference: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Ledger:
    """All modifiers of one roll, in the rulebook's order."""

    modifiers: tuple[Modifier, ...]

    def __iter__(self) -> Iterator[Modifier]:
        return iter(self.modifiers)

    @property
    def total(self) -> int:
        """The sum that is added to the roll."""
        return sum(modifier.value for modifier in self.modifiers)
