"""Initiative, command, succession of the flag, and the order of movement and fire."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from combat.dice import Dice
from combat.formations import Distance
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.table_files import QUALITIES, SIZES, figure
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.tables import TableSet
from tabletop.messages import Message, verbatim


@dataclass(frozen=True, slots=True)
class OrderedUnit:
    """A division, or a ship out of command, in the order of movement or fire."""

    name: str
    side: str
    score: int = 0
    """The division's initiative in this turn."""


def quality_of(total: int, tables: TableSet) -> str:
    """The command quality of a roll; a total below the table uses its first row (decided)."""
    table = tables["command_quality"]
    reached = [name for name in QUALITIES if table.integer(name, "lowest_roll") <= total]
    return reached[-1] if reached else QUALITIES[0]


def in_command(
    flagship: str,
    ships: Iterable[str],
    distance: Distance,
    tables: TableSet,
    *,
    out: Collection[str] = (),
) -> set[str]:
    """The ships of a division linked with the flagship by a chain of short distances.

    A ship that is already out of command is not a link. Without a flagship in command no ship is in
    command.
    """
    reach = figure(tables, "command distance, yards")
    left = set(ships) - set(out)
    linked = {flagship} & left
    left -= linked
    while near := {ship for ship in left if any(distance(ship, one) <= reach for one in linked)}:
        linked |= near
        left -= near
    return linked


def returns(total: int, tables: TableSet) -> bool:
    """Whether a ship returns to command, on two dice and the command modifier."""
    return total >= figure(tables, "return to command, lowest total")


def successors(division: Sequence[Vessel]) -> tuple[Vessel, ...]:
    """The candidates for the flag of a sunk flagship: the largest ships afloat and in command."""
    fit = [ship for ship in division if not ship.out_of_the_game and not ship.marks.out_of_command]
    heirs = heirs_of({ship.name: ship.card for ship in fit})
    return tuple(ship for ship in fit if ship.name in heirs)


def heirs_of(cards: Mapping[str, Card]) -> tuple[str, ...]:
    """The names of the largest ships: a flag goes to no smaller one while they are there."""
    largest = max(map(_rank, cards.values()), default=0)
    return tuple(name for name, card in cards.items() if _rank(card) == largest)


def movement_order(
    divisions: Sequence[OrderedUnit], out_of_command: Sequence[OrderedUnit], dice: Dice
) -> list[OrderedUnit]:
    """The order of movement: ships out of command, then divisions from the lowest score up."""
    return [
        *_alternating(out_of_command, dice, lowest_first=True),
        *_by_score(divisions, dice, lowest_first=True),
    ]


def combat_order(
    divisions: Sequence[OrderedUnit], out_of_command: Sequence[OrderedUnit], dice: Dice
) -> list[OrderedUnit]:
    """The order of fire: divisions from the highest score down, ships out of command last."""
    return [
        *_by_score(divisions, dice, lowest_first=False),
        *_alternating(out_of_command, dice, lowest_first=False),
    ]


def roll_off(
    sides: Sequence[str], dice: Dice, named: Callable[[str], Message] = verbatim
) -> dict[str, int]:
    """A die for each player, rolled again while equal (decided)."""
    rolls = dict.fromkeys(sides, 0)
    while len(set(rolls.values())) < len(rolls) or 0 in rolls.values():
        rolls = {
            side: dice.die(Message("grand_fleets.roll.who_begins_of", side=named(side)))
            for side in sides
        }
    return rolls


def _by_score(
    divisions: Sequence[OrderedUnit], dice: Dice, *, lowest_first: bool
) -> list[OrderedUnit]:
    ranked = sorted(divisions, key=lambda unit: unit.score, reverse=not lowest_first)
    return [
        unit
        for _, tied in groupby(ranked, key=lambda unit: unit.score)
        for unit in _alternating(list(tied), dice, lowest_first=lowest_first)
    ]


def _alternating(
    units: Sequence[OrderedUnit], dice: Dice, *, lowest_first: bool
) -> list[OrderedUnit]:
    """Tied units, alternating by side; a die decides who begins where it matters."""
    sides = list(dict.fromkeys(unit.side for unit in units))
    if len(sides) > 1:
        rolls = roll_off(sides, dice)
        sides.sort(key=lambda side: rolls[side], reverse=not lowest_first)
    queues = [[unit for unit in units if unit.side == side] for side in sides]
    return [unit for row in zip_longest(*queues) for unit in row if unit is not None]


def _rank(card: Card) -> int:
    return SIZES.index(card.size or "medium") + 1
