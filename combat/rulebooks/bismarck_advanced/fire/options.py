"""Optional rules of fire, and readings that the book leaves to the players."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What the players of a battle have agreed on; the defaults are the usual game."""

    radar_lost_with_superstructure: bool = False
    """64.5: the first superstructure hit may cost the radar."""
    factors_past_the_table_add_up: bool = False
    """A factor above 28: column 28 (no), or whole columns of 28 and the rest, added up (yes)."""
    every_held_back_gun_counts: bool = False
    """67.42 as it is printed: −1 for every gun held back, whatever it does to the column."""
