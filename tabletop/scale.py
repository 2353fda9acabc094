"""Inches and millimetres on the table, yards at sea: the only place that converts."""

from dataclasses import dataclass

from tabletop.errors import DreyerError

MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Scale:
    """How many yards at sea one inch of table stands for."""

    yards_per_inch: float

    def __post_init__(self) -> None:
        if not 0 < self.yards_per_inch < float("inf"):
            raise DreyerError(
                f"a table scale is a positive number of yards per inch, got {self.yards_per_inch!r}"
            )

    def yards_from_inches(self, inches: float) -> float:
        """A length on the table, in inches, as yards at sea."""
        return inches * self.yards_per_inch

    def yards_from_mm(self, millimetres: float) -> float:
        """A length on the table, in millimetres, as yards at sea."""
        return millimetres / MM_PER_INCH * self.yards_per_inch

    def inches_from_yards(self, yards: float) -> float:
        """A distance at sea as inches on the table."""
        return yards / self.yards_per_inch

    def mm_from_yards(self, yards: float) -> float:
        """A distance at sea as millimetres on the table."""
        return yards / self.yards_per_inch * MM_PER_INCH
