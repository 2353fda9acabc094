"""Types and functions that all rolls of Arctic Disaster share."""

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
    """The modifier of the Tactical Advantage marker for this die (5.10)."""
    value = int(marker)
    if value:
        yield Modifier(
            "tactical", value, Message("arctic.modifier.tactical"), "5.10", Provenance.PRINTED
        )


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """The result of a roll; outcomes at one target add up."""

    hits: int = 0
    """Attacks with damage, or successful rolls."""
    damage: int = 0
    move_lost: int = 0
    guns_lost: int = 0
    notes: frozenset[Message] = frozenset()
    """Further results, for odds and stories."""

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
    """Modifiers that earlier dice of the same attack added to the last roll."""


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
    """One die that succeeds within a range of values, with the texts of success and failure."""
    table = tables["checks"]
    die = roll(dice, purpose)
    passed = table.integer(row, "least") <= die + modifier <= table.integer(row, "most")
    cell = table.cell(row, "least")
    words = answers[0] if passed else answers[1]
    return passed, Throw(purpose, cell.reference, die, modifier, "", cell.provenance, words)
