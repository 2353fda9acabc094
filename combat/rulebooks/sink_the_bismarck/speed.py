"""Evasion rating and speed on the map (7.14)."""

from combat.rulebooks.sink_the_bismarck.actions import HEXES, Marks
from combat.rulebooks.sink_the_bismarck.table_files import EVEN_TURNS, SPEED_ROWS
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import strength_of
from tabletop.messages import Message


def evasion_of(ship_type: str, marks: Marks, tables: TableSet) -> int:
    """A ship's evasion rating after damage."""
    return max(0, tables["ships"].integer(ship_type, "evasion") - marks.evasion_lost)


def speed_row(evasion: int) -> str:
    """The row of 7.14 for an evasion rating."""
    return next(row for row, least in SPEED_ROWS.items() if evasion >= least)


def speed_strength(ship_type: str, marks: Marks, turn: int, tables: TableSet) -> Strength:
    """The hexes that a ship may move in a turn."""
    evasion = evasion_of(ship_type, marks, tables)
    row, table = speed_row(evasion), tables["speed"]
    hexes = table.text(row, "hexes")
    moves = int(turn % 2 == 0) if hexes == EVEN_TURNS else int(hexes)
    cells = [tables["ships"].cell(ship_type, "evasion"), table.cell(row, "hexes")]
    reference = Message("sink.reference.evasion", rule="7.14", evasion=evasion)
    return strength_of(moves, reference, [], cells, HEXES)
