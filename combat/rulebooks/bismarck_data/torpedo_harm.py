"""What a cell of the Torpedo Damage Table does, in boxes of the Hit Record Pad (22.281)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from combat.ships import ShipClass, plain_name

SUNK: Final = "sunk"
COLUMN_BY_CLASS: Final = {
    ShipClass.HEAVY_CRUISER: "cruiser",
    ShipClass.LIGHT_CRUISER: "cruiser",
    ShipClass.BATTLESHIP: "battleship",
    ShipClass.BATTLE_CRUISER: "battleship",
    ShipClass.POCKET_BATTLESHIP: "battleship",
    ShipClass.CARRIER: "carrier",
}
"""The table's target types; a destroyer is sunk by any hit and needs no table."""

# The note to the asterisk: some hulls stand a torpedo better than others.
_SOFTENED: Final = frozenset(
    map(plain_name, ("King George V", "Prince of Wales", "North Carolina"))
)
_UNHURT: Final = frozenset(map(plain_name, ("Bismarck", "Tirpitz")))
_CELL: Final = re.compile(r"midships:(\d+)(?:\+evasion:(\d+))?(\*?)")


@dataclass(frozen=True, slots=True)
class TorpedoHarm:
    """Midships boxes and evasion lost to one torpedo."""

    midships: int
    evasion: Fraction
    softened: bool


def torpedo_harm(cell: str, ship: str) -> TorpedoHarm | None:
    """What a cell does to this ship; None where the asterisk makes it a miss."""
    found = _CELL.fullmatch(cell)
    assert found is not None, "the table is checked when it is loaded"  # noqa: S101
    midships, evasion = int(found[1]), Fraction(found[2] or 0)
    name, marked = plain_name(ship), bool(found[3])
    if marked and name in _UNHURT:
        return None
    if marked and name in _SOFTENED:
        return TorpedoHarm(1, evasion / 2, softened=True)
    return TorpedoHarm(midships, evasion, softened=False)
