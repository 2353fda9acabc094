"""Optional rules of fire, and readings that the book leaves open."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a battle; the defaults are the standard game."""

    radar_lost_with_superstructure: bool = False
    """64.5: the first superstructure hit may destroy the radar."""
    factors_past_the_table_add_up: bool = False
    """A factor above 28 uses column 28 (no), or columns of 28 and the rest, added up (yes)."""
    every_held_back_gun_counts: bool = False
    """67.42 as printed: −1 for every gun held back, whatever its effect on the column."""
