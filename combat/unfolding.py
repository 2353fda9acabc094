"""A fire resolved as its dice come in: what is wanted next, or what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from combat.dice import Dice, RanOut, TypedDice
from combat.report import FireRules, Report, ShotFile
from combat.tables import TableSet

MOST_DICE = 400
"""More than any fire of any rulebook takes; it stops one that would never end."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The dice that come next."""

    kind: str
    """pair, die or ten_sided."""
    purpose: str
    number: int
    """Counted from 1."""


def unfold(
    fire: FireRules, file: ShotFile, values: Sequence[str], tables: TableSet
) -> Wanted | Report:
    """Play a fire with the dice there are; BadDice where they do not fit or are too many."""
    dice = TypedDice(" ".join(values))
    try:
        report = fire.resolve(file, dice, tables)
    except RanOut as out:
        return Wanted(out.wanted, out.purpose, len(values) + 1)
    dice.finish()
    return report


def roll_on(
    fire: FireRules, file: ShotFile, values: Sequence[str], tables: TableSet, dice: Dice
) -> tuple[tuple[str, ...], Report]:
    """The dice there are with the rest rolled, and what came of the fire."""
    rolled = list(values)
    while len(rolled) < MOST_DICE:
        found = unfold(fire, file, rolled, tables)
        if isinstance(found, Report):
            return tuple(rolled), found
        rolled.append(str(_THROWS[found.kind](dice, found.purpose)))
    raise AssertionError(f"{file.source} takes more than {MOST_DICE} dice")


_THROWS = {
    "pair": lambda dice, purpose: dice.pair(purpose),
    "die": lambda dice, purpose: dice.die(purpose),
    "ten_sided": lambda dice, purpose: dice.ten_sided(purpose),
}
