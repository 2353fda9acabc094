"""Ranges, gun types and batteries of the Advanced Game."""

from enum import StrEnum
from typing import Final


class RangeGroup(StrEnum):
    """The ranges of the Damage Table and of the ammunition used, nearest first (63.2, 65)."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"
    EXTREME = "extreme"


class RangeBand(StrEnum):
    """The seven segments of the Range Finder, nearest first (61.5, 62.41)."""

    POINT_BLANK = "point_blank"
    SHORT = "short"
    MEDIUM_LOW = "medium_low"
    MEDIUM_HIGH = "medium_high"
    LONG_LOW = "long_low"
    LONG_HIGH = "long_high"
    EXTREME = "extreme"

    @property
    def group(self) -> RangeGroup:
        """Its group in the Damage Table."""
        return _GROUPS[self]


_GROUPS: Final = {
    RangeBand.POINT_BLANK: RangeGroup.SHORT,
    RangeBand.SHORT: RangeGroup.SHORT,
    RangeBand.MEDIUM_LOW: RangeGroup.MEDIUM,
    RangeBand.MEDIUM_HIGH: RangeGroup.MEDIUM,
    RangeBand.LONG_LOW: RangeGroup.LONG,
    RangeBand.LONG_HIGH: RangeGroup.LONG,
    RangeBand.EXTREME: RangeGroup.EXTREME,
}


class GunType(StrEnum):
    """A gun's letter in the Penetration Table, heaviest first."""

    G = "G"
    F = "F"
    E = "E"
    D = "D"
    C = "C"
    B = "B"
    A = "A"
    Z = "Z"


class Battery(StrEnum):
    """The two classes of guns (60.1)."""

    MAIN = "main"
    SECONDARY = "secondary"
