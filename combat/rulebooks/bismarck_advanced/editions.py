"""The editions of these rules, and what differs between them.

A battle keeps the edition that it was begun with (`Ruleset.of_edition`). Everything that an
edition decides otherwise than the present one is a field of `Edition`, and the rules ask the
field, never the number: `card.edition.hull_hit_besides_needs_penetration`.

To change a rule within the present edition: add a flag here whose default is the new behaviour,
name the old behaviour in every earlier edition that had it, and ask the flag where the rule is
applied. To change a table: keep the old file as `tables/NAME_edition_N.csv` and name it in
`table_files` of edition N. For another edition: the present one becomes an earlier one, described
by what it does otherwise, as `SECOND` is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edition:
    """One edition of the rules; the defaults are those of the current edition."""

    number: int
    table_files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Files of tables that are not in the file of their name."""
    hull_hit_besides_needs_penetration: bool = True
    """64.31, 64.43, card note 2: what `**` adds to the hull counts only if the armour was
    penetrated, and not on a turret that was destroyed before this segment; otherwise always."""
    held_back_gun_must_lower_column: bool = True
    """67.42, our reading: guns are taken away one by one, and one counts −1 only if the column
    used becomes a lower one; otherwise every gun counts."""
    closing_move_is_her_own: bool = True
    """67.12: a move turns a hidden ship up where she herself has come nearer: her end against the
    enemies' places at the start of the move; otherwise their places after it count."""
    correction_tells_its_values: bool = True
    """What an umpire sets for the whole battle is told in the story; otherwise its name alone."""
    rate_reduced_in_resolution: bool = True
    """67.41: whole turrets are designated, and each side says in the combat resolution phase, after
    jams and before the first die of a fire, with how many guns of each they fire; otherwise the
    number of guns is designated."""
    owner_arranges_hidden_ships: bool = True
    """55.11: before the first move a side may settle in secret which of its hidden ships stands
    under which number; otherwise they stay as the battle began."""
    plots_open_at_segment_end: bool = True
    """57.6: what a side has written in its movement plots is sealed to others until the segment
    ends, and their models' movement is all that is seen of it; otherwise until all commit."""
    short_turn_has_amount: bool = True
    """57.3: a plot says how much a short turn turns, half where it says nothing; otherwise it
    reads as the full turn, and the model may stop anywhere on the arc."""

    air_attacks: bool = True
    """27, 9.14: bombers attack ships of this game, by the tables of the Intermediate Game."""
    marks_must_agree: bool = True
    """Marks that people enter are refused where the ship cannot have them together, such as spent
    torpedoes of a ship without any; otherwise only where her sheet has no room for them."""
    ammunition_spent_before_is_shared: bool = True
    """65.6: ammunition that is counted by turret is what the ship has when it is divided; otherwise
    each turret has its share of a full magazine, whatever she begins with."""

    hopeless_fire_takes_no_dice: bool = True
    """62.44: in a guided battle a fire that no roll can hit with is resolved without dice, as one
    with a factor of 0 is (62.43); otherwise it is rolled all the same."""
    futile_roll_takes_no_dice: bool = True
    """64.8, 63.5, 64.43, 71.2: in a guided battle no die is rolled that cannot change anything, as
    for a hit on a ship already sunk, or which secondary turret's armour has held; otherwise all
    are."""


CURRENT: Final = Edition(number=3)
SECOND: Final = replace(CURRENT, number=2, futile_roll_takes_no_dice=False)
FIRST: Final = replace(
    SECOND,
    number=1,
    table_files=MappingProxyType({"hit_table": "hit_table_edition_1"}),
    hull_hit_besides_needs_penetration=False,
    held_back_gun_must_lower_column=False,
    closing_move_is_her_own=False,
    correction_tells_its_values=False,
    rate_reduced_in_resolution=False,
    owner_arranges_hidden_ships=False,
    plots_open_at_segment_end=False,
    short_turn_has_amount=False,
    air_attacks=False,
    marks_must_agree=False,
    ammunition_spent_before_is_shared=False,
    hopeless_fire_takes_no_dice=False,
)
EARLIER: Final = (FIRST, SECOND)
"""The editions before the present one, for the battles that were begun with them."""
