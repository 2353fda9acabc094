"""Ranges, gun types and batteries of the Advanced Game."""

from enum import StrEnum


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
    def group(self) -> str:
        """The Damage Table's range group: short, medium, long or extreme."""
        return "short" if self is RangeBand.POINT_BLANK else self.value.partition("_")[0]


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
