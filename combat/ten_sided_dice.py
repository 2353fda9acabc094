"""Rolls of one ten-sided die, with modifiers and a table for the total.

`roll` and `throw` count a 0 as 10. A total outside a table reads its first or its last row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from combat.dice import TEN_SIDES, Dice
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.strength import Strength
from combat.tables import Cell, Table
from tabletop.messages import NO_WORDS, Message

DICE: Final = Message("combat.factor.dice")
"""The label of a factor that is a number of dice."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One rolled die, its modifier and its result."""

    purpose: Message
    rule: str
    die: int
    """1 to 10."""
    modifier: int
    result: str
    """The value of the table; empty if none was looked up."""
    provenance: Provenance
    words: Message = NO_WORDS
    """The result in words, if the table's value is only a code."""

    @property
    def total(self) -> int:
        """The modified die."""
        return self.die + self.modifier


def roll(dice: Dice, purpose: Message) -> int:
    """Roll a die from 1 to 10."""
    return dice.ten_sided(purpose) or TEN_SIDES


def read_row(table: Table, column: str, total: int) -> Cell:
    """The cell of a total in a table whose rows are numbers, limited to its first and last row."""
    return table.cell(str(min(max(total, int(table.rows[0])), int(table.rows[-1]))), column)


def throw(
    dice: Dice, purpose: Message, rule: str, table: Table, column: str, modifier: int = 0
) -> Throw:
    """Roll one die and look it up in a table."""
    die = roll(dice, purpose)
    cell = read_row(table, column, die + modifier)
    return Throw(purpose, rule, die, modifier, cell.value, cell.provenance)


def nearest_column(table: Table, strength: int) -> str:
    """The column whose number is closest to a strength; the lower of two as close."""
    return min(table.columns, key=lambda column: (abs(int(column) - strength), int(column)))


def half_up(number: Fraction) -> int:
    """A fraction rounded to a whole number, halves up."""
    return floor(number + Fraction(1, 2))


def table_modifier(
    table: Table, row: str, label: Message, times: int = 1, column: str = "value"
) -> Modifier:
    """The modifier in a cell of a table, multiplied by `times`."""
    cell = table.cell(row, column)
    value = table.integer(row, column) * times
    return Modifier(row, value, label, cell.reference, cell.provenance)


def strength_of(
    factor: int,
    reference: Message,
    lines: Sequence[Modifier],
    cells: Sequence[Cell] = (),
    label: Message = NO_WORDS,
) -> Strength:
    """A strength whose provenance is the worst of its modifiers and cells."""
    provenances = [line.provenance for line in lines] + [cell.provenance for cell in cells]
    return Strength(factor, reference, Ledger(tuple(lines)), Provenance.worst(provenances), label)
