"""What every roll of Arctic Disaster has in common: who takes part, what came of it, its ledger."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from combat.dice import Dice
from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.rulebooks.arctic_disaster.actions import Tactical
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, roll, table_modifier
from tabletop.messages import Message


def tactical(marker: Tactical) -> Iterator[Modifier]:
    """The Tactical Advantage marker, used on this one die (5.10)."""
    value = int(marker)
    if value:
        yield Modifier(
            "tactical", value, Message("arctic.modifier.tactical"), "5.10", Provenance.PRINTED
        )


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """What came of a roll; outcomes of one target add up."""

    hits: int = 0
    """Attacks that did damage, or rolls that succeeded."""
    damage: int = 0
    move_lost: int = 0
    guns_lost: int = 0
    notes: frozenset[Message] = frozenset()
    """What else happened, for odds and stories."""

    def __add__(self, other: "AttackOutcome") -> "AttackOutcome":
        both = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name != "notes"
        }
        return AttackOutcome(**both, notes=self.notes | other.notes)


@dataclass(frozen=True, slots=True)
class ResolvedAttack:
    """An outcome with the dice that led to it."""

    outcome: AttackOutcome
    throws: tuple[Throw, ...] = ()
    lines: tuple[Modifier, ...] = ()
    """What earlier dice of the same attack have added to the last one's ledger."""


def modifier_line(tables: TableSet, row: str, label: Message, times: int = 1) -> Modifier:
    """A line of the list of modifiers."""
    return table_modifier(tables["modifiers"], row, label, times)


def check(
    dice: Dice,
    tables: TableSet,
    row: str,
    purpose: Message,
    answers: tuple[Message, Message],
    modifier: int = 0,
) -> tuple[bool, Throw]:
    """One die against the span that succeeds, with what to say of success and of failure."""
    table = tables["checks"]
    die = roll(dice, purpose)
    passed = table.integer(row, "least") <= die + modifier <= table.integer(row, "most")
    cell = table.cell(row, "least")
    words = answers[0] if passed else answers[1]
    return passed, Throw(purpose, cell.reference, die, modifier, "", cell.provenance, words)
