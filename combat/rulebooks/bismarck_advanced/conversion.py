"""Conversion of units between the Advanced Game and the other two, rounded down (72)."""

from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import Final

from combat.conversions import HexRange
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS
from combat.tables import TableSet
from tabletop.closecall import TOLERANCE_YARDS

Count = int | Fraction


class Rate(StrEnum):
    """The value of one unit of the other games here, by its row of the table (72.2)."""

    MIDSHIPS_BOX = "midships_box"
    EVASION_FACTOR = "evasion_factor"
    AMMUNITION_FACTOR = "ammunition_factor"
    SECONDARY_HIT = "secondary_hit"
    TURRET_HIT = "turret_hit"


class Hexes(StrEnum):
    """A distance on the battle board that the Advanced Game measures in yards (69.3, 72.2)."""

    ONE = "one"
    TWO = "two"


def to_advanced(rate: Rate, count: Count, tables: TableSet) -> int:
    """Units of the other games in those of this one, rounded down (72.2, 72.3)."""
    return floor(count * worth(rate, tables))


def from_advanced(rate: Rate, count: Count, tables: TableSet) -> int:
    """Units of this game in those of the others, rounded down (72.2, 72.3)."""
    return floor(count / worth(rate, tables))


def hull_boxes(midships_boxes: Count, tables: TableSet) -> int:
    """Midships boxes as hull boxes: 1 is 1, 2 are 3."""
    return to_advanced(Rate.MIDSHIPS_BOX, midships_boxes, tables)


def midships_boxes(hull_quarters: int, tables: TableSet) -> int:
    """Marked quarters of the hull as midships boxes, for the sheets of the other games."""
    return from_advanced(Rate.MIDSHIPS_BOX, Fraction(hull_quarters, QUARTERS), tables)


def movement_factors(evasion: Count, tables: TableSet) -> int:
    """Evasion factors as movement factors."""
    return to_advanced(Rate.EVASION_FACTOR, evasion, tables)


def evasion_rating(movement_factor: int, tables: TableSet) -> int:
    """A movement factor as an evasion rating."""
    return from_advanced(Rate.EVASION_FACTOR, movement_factor, tables)


def turret_quarters(hits: int, turret_boxes: int, tables: TableSet) -> int:
    """Bow or stern hits as quarters of a turret's boxes: one is half the turret."""
    return floor(hits * worth(Rate.TURRET_HIT, tables) * turret_boxes * QUARTERS)


def hexes_apart(range_yards: float, tables: TableSet) -> Hexes | None:
    """The distance in hexes on the battle board; None beyond two."""
    table = tables["conversions"]
    for hexes, row in zip(Hexes, _HEX_ROWS, strict=True):
        if range_yards <= table.fraction(row, "value") + TOLERANCE_YARDS:
            return hexes
    return None


def worth(rate: Rate, tables: TableSet) -> Fraction:
    """The value of one unit of the other games in units of this one (72.2)."""
    return tables["conversions"].fraction(rate, "value")


def range_in_hexes(range_yards: float, tables: TableSet) -> HexRange:
    """The distance in hexes on the battle board; at least one."""
    one, step = _hex_yards(tables)
    beyond = max(0.0, range_yards - TOLERANCE_YARDS - one)
    return hexes_in_yards(1 + ceil(beyond / step), tables)


def hexes_in_yards(hexes: int, tables: TableSet) -> HexRange:
    """The yards of a distance of at least one hex."""
    one, step = _hex_yards(tables)
    most = one + (hexes - 1) * step
    least = 0 if hexes == 1 else most - step + 1
    printed = [tables["conversions"].cell(row, "value").provenance for row in _HEX_ROWS]
    if hexes <= len(_HEX_ROWS):
        return HexRange(hexes, least, most, printed[hexes - 1])
    return HexRange(hexes, least, most, Provenance.worst([*printed, Provenance.DERIVED]))


_HEX_ROWS: Final = ("one_hex_yards", "two_hexes_yards")


def _hex_yards(tables: TableSet) -> tuple[int, int]:
    """The yards of one hex, and of every further one."""
    one, two = (tables["conversions"].integer(row, "value") for row in _HEX_ROWS)
    # An owner's values may not be in order.
    return one, max(1, two - one)
