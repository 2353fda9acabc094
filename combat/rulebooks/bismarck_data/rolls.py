"""Rolls of one die, of the sum of two, and of two read as tens and units (13.2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from combat.dice import Dice, Pair
from combat.events import Acted, Rolled
from combat.provenance import Provenance
from combat.tables import Cell
from tabletop.messages import NO_WORDS, Message


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that fell, and how they were read."""

    purpose: Message
    rule: str
    dice: str
    """As they would be typed in."""
    total: int
    """What the table was entered with."""
    words: Message
    provenance: Provenance = Provenance.PRINTED
    modifier: int = 0
    result: str = ""


def read(
    purpose: Message,
    rule: str,
    fallen: Pair | int,
    words: Message,
    *cells: Cell,
    modifier: int = 0,
    tens: bool = False,
) -> Throw:
    """A throw that was looked up in some cells; a pair is summed unless it is read by tens."""
    if isinstance(fallen, int):
        number = fallen
    else:
        number = int(str(fallen)) if tens else fallen.coloured + fallen.white
    provenance = Provenance.worst(cell.provenance for cell in cells)
    return Throw(purpose, rule, str(fallen), number + modifier, words, provenance, modifier)


def sum_of(dice: Dice, purpose: Message) -> Pair:
    """Roll two dice whose sum counts."""
    return dice.pair(purpose)


def sum_row(pair: Pair) -> str:
    """The row of a table of sums."""
    return str(pair.coloured + pair.white)


def rolled_events(acted: Acted, throws: Iterable[Throw]) -> Iterator[Rolled]:
    """Some of an action's rolls."""
    for each in throws:
        yield Rolled(
            ship=acted.ship,
            target=acted.target,
            rule=each.rule,
            purpose=each.purpose,
            dice=each.dice,
            modifier=each.modifier,
            total=each.total,
            result=each.result,
            words=each.words or NO_WORDS,
            provenance=each.provenance,
        )
