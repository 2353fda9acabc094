"""One ten-sided die, modified and read in a table: most of what the board games roll.

A nought counts as ten here, as it does in Arctic Disaster and in Sink the Bismarck!. A total
outside a table reads its first or its last row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from combat.dice import TEN_SIDES, Dice
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.strength import Strength
from combat.tables import Cell, Table


@dataclass(frozen=True, slots=True)
class Throw:
    """One die with what was added to it, and what was read for it."""

    purpose: str
    rule: str
    die: int
    """1 to 10."""
    modifier: int
    result: str
    """As the table has it."""
    provenance: Provenance
    words: str = ""
    """The result as players say it, where the table is terse."""

    @property
    def total(self) -> int:
        """The modified die."""
        return self.die + self.modifier

    def __str__(self) -> str:
        added = f" {self.modifier:+d} = {self.total}" if self.modifier else ""
        return f"{self.purpose}: {self.die}{added}, {self.words or self.result}"


def roll(dice: Dice, purpose: str) -> int:
    """A ten-sided die whose nought is a ten."""
    return dice.ten_sided(purpose) or TEN_SIDES


def read_row(table: Table, column: str, total: int) -> Cell:
    """What a table whose rows are numbers says for a total; its ends stand for all beyond."""
    return table.cell(str(min(max(total, int(table.rows[0])), int(table.rows[-1]))), column)


def throw(
    dice: Dice, purpose: str, rule: str, table: Table, column: str, modifier: int = 0
) -> Throw:
    """Roll one die and read it in a table."""
    die = roll(dice, purpose)
    cell = read_row(table, column, die + modifier)
    return Throw(purpose, rule, die, modifier, cell.value, cell.provenance)


def nearest_column(table: Table, strength: int) -> str:
    """The column whose number is closest to a strength; the lower of two as close."""
    return min(table.columns, key=lambda column: (abs(int(column) - strength), int(column)))


def half_up(number: Fraction) -> int:
    """A fraction as a whole number, a half going up."""
    return floor(number + Fraction(1, 2))


def line_of(table: Table, row: str, label: str, times: int = 1, column: str = "value") -> Modifier:
    """A cell as a line of a ledger, counted so many times."""
    cell = table.cell(row, column)
    value = table.integer(row, column) * times
    return Modifier(row, value, label, cell.reference, cell.provenance)


def strength_of(
    factor: int,
    reference: str,
    lines: Sequence[Modifier],
    cells: Sequence[Cell] = (),
    label: str = "",
) -> Strength:
    """What an attack is rolled with, as uncertain as the worst of its lines and cells."""
    provenances = [line.provenance for line in lines] + [cell.provenance for cell in cells]
    return Strength(factor, reference, Ledger(tuple(lines)), Provenance.worst(provenances), label)
