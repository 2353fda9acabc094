"""Victory points for ships sunk and damaged (15.1, 15.2).

Merchant ships that arrive or hide in the ice are not of a fight and are not counted.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from combat.rulebooks.arctic_disaster.display import is_german
from combat.rulebooks.arctic_disaster.table_files import GERMAN_AWARDS
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.tables import TableSet
from combat.victory_points import PointsLine, VictoryPoints
from tabletop.messages import Message, ShipRef

_BADLY: Final = 3
"""The points of damage beyond which the Tirpitz counts more."""


def victory_points(fleet: tuple[Vessel, ...], tables: TableSet) -> tuple[VictoryPoints, ...]:
    """What each player has been awarded so far."""
    german = tuple(line for ship in fleet for line in _german_award(ship, tables))
    allied = tuple(line for ship in fleet for line in _allied_award(ship, tables))
    return (
        VictoryPoints(Message("arctic.award.german"), german),
        VictoryPoints(Message("arctic.award.allied"), allied),
    )


def _german_award(ship: Vessel, tables: TableSet) -> Iterator[PointsLine]:
    row = GERMAN_AWARDS.get(ship.unit)
    if ship.sunk and row is not None and not is_german(ship):
        yield _line(ship, "sunk", row, "15.1", tables)


def _allied_award(ship: Vessel, tables: TableSet) -> Iterator[PointsLine]:
    if not is_german(ship):
        return
    damage = ship.marks.damage
    what = "sunk" if ship.sunk else "damaged"
    if ship.unit == "BB" and ship.sunk:
        yield _line(ship, what, "Tirpitz sunk", "15.2", tables)
    elif ship.unit == "BB" and damage > _BADLY:
        yield _line(ship, what, "Tirpitz with more than 3 points of damage", "15.2", tables)
    elif ship.unit == "BB" and damage:
        yield _line(ship, what, "Tirpitz damaged", "15.2", tables)
    elif ship.unit == "CA" and damage:
        yield _line(ship, what, f"German CA {what}", "15.2", tables)
    elif ship.unit == "DD" and ship.sunk:
        yield _line(ship, what, "German DD sunk", "15.2", tables)


def _line(ship: Vessel, what: str, row: str, rule: str, tables: TableSet) -> PointsLine:
    points = Fraction(tables["victory_points"].integer(row, "points"))
    label = Message(f"arctic.award.{what}", ship=ShipRef(ship.id), damage=ship.marks.damage)
    return PointsLine(label, points, rule)
