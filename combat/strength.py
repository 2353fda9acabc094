"""What an attack is rolled with, before any die falls."""

from dataclasses import dataclass

from combat.modifiers import Ledger
from combat.provenance import Provenance
from tabletop.messages import NO_WORDS, Message


@dataclass(frozen=True, slots=True)
class Strength:
    """What an attack is rolled with."""

    factor: int
    """The dice to roll, or the strength that a table is entered with."""
    reference: Message
    """The rule of the factor, and where it comes from."""
    ledger: Ledger
    provenance: Provenance
    factor_label: Message = NO_WORDS
    """What players call the factor, where it is none."""
    total_label: Message = NO_WORDS
    """What players call the sum of the ledger, where it is not added to the dice."""


def rule_reference(rule: str) -> Message:
    """The reference of a factor that needs no more than its rule."""
    return Message("combat.reference.rule", rule=rule)
