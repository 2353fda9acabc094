"""Conversion between inches and millimetres on the table and yards at sea."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.errors import DreyerError

MM_PER_INCH = 25.4


class Unit(StrEnum):
    """A unit in which a player may enter a length."""

    YARDS = "yards"
    INCHES = "inches"
    MM = "mm"


def mm_from_inches(inches: float) -> float:
    """A length on the table, in inches, as millimetres."""
    return inches * MM_PER_INCH


def inches_from_mm(millimetres: float) -> float:
    """A length on the table, in millimetres, as inches."""
    return millimetres / MM_PER_INCH


@dataclass(frozen=True, slots=True)
class Scale:
    """The number of yards at sea for one inch on the table."""

    yards_per_inch: float

    def __post_init__(self) -> None:
        if not 0 < self.yards_per_inch < float("inf"):
            raise DreyerError("tabletop.scale", yards_per_inch=self.yards_per_inch)

    def yards_from_inches(self, inches: float) -> float:
        """A length on the table, in inches, as yards at sea."""
        return inches * self.yards_per_inch

    def yards_from_mm(self, millimetres: float) -> float:
        """A length on the table, in millimetres, as yards at sea."""
        return self.yards_from_inches(inches_from_mm(millimetres))

    def inches_from_yards(self, yards: float) -> float:
        """A distance at sea as inches on the table."""
        return yards / self.yards_per_inch

    def mm_from_yards(self, yards: float) -> float:
        """A distance at sea as millimetres on the table."""
        return mm_from_inches(self.inches_from_yards(yards))

    def yards_from(self, length: float, unit: Unit) -> float:
        """A length in one of the units as yards at sea."""
        match unit:
            case Unit.YARDS:
                return length
            case Unit.INCHES:
                return self.yards_from_inches(length)
            case Unit.MM:
                return self.yards_from_mm(length)

    def yards_to(self, unit: Unit, yards: float) -> float:
        """A distance at sea in one of the units."""
        match unit:
            case Unit.YARDS:
                return yards
            case Unit.INCHES:
                return self.inches_from_yards(yards)
            case Unit.MM:
                return self.mm_from_yards(yards)
