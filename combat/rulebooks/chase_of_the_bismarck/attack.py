"""Functions that all rolls of The Chase of the Bismarck share."""

from combat.actions import Action
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.strength import Strength, rule_reference
from combat.tables import Cell, TableSet
from combat.ten_sided_dice import DICE, strength_of, table_modifier
from tabletop.messages import Message, ShipRef


def take_part(attack: Attempt[Action, Vessel]) -> None:
    """Raise Forbidden if the acting ship has sunk, or if either ship has left or is a tanker."""
    if attack.actor.sunk:
        raise Forbidden(Message("chase.refused.sunk", ship=ShipRef(attack.actor.id)), "2.4")
    for vessel in (attack.by, attack.at):
        if vessel and vessel.is_tanker:
            reason = Message("chase.refused.tanker_fights", ship=ShipRef(vessel.id))
            raise Forbidden(reason, "10, step 6")
        # A ship that has left may not return as a reinforcement either.
        if vessel and vessel.marks.aborted:
            raise Forbidden(Message("chase.refused.left", ship=ShipRef(vessel.id)), "10, step 6")


def modifier(tables: TableSet, table: str, row: str) -> Modifier:
    """A modifier of one of the printed lists, with its label there."""
    return table_modifier(tables[table], row, Message(f"chase.row.{row.replace(' ', '_')}"))


def dice_strength(
    count: int, rule: str, lines: list[Modifier], cells: list[Cell] | None = None
) -> Strength:
    """A number of dice with these modifiers."""
    return strength_of(count, rule_reference(rule), lines, cells or [], DICE)
