"""The strength of an attack: its factor and modifiers."""

from dataclasses import dataclass

from combat.modifiers import Ledger
from combat.provenance import Provenance
from tabletop.messages import NO_WORDS, Message


@dataclass(frozen=True, slots=True)
class Strength:
    """The factor and modifiers of an attack."""

    factor: int
    """The number of dice to roll, or the strength with which a table is entered."""
    reference: Message
    """The rule and the source of the factor."""
    ledger: Ledger
    provenance: Provenance
    factor_label: Message = NO_WORDS
    """The label of the factor; empty for the default."""
    total_label: Message = NO_WORDS
    """The label of the ledger's sum, if it is not added to the dice."""


def rule_reference(rule: str) -> Message:
    """The reference of a factor that has only a rule."""
    return Message("combat.reference.rule", rule=rule)
