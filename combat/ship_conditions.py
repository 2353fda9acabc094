"""How a ship looks from afar: burning, listing, stopped.

No rule depends on these; they are what everybody at the table would see of the damage that the
record sheets have.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

_BURNS_AT: Final = 1 / 3
"""The part of her hull that is lost when she is drawn burning."""
_LISTS_AT: Final = 2 / 3
"""The part of her hull that is lost when she is drawn with a list."""


class ShipCondition(StrEnum):
    """What can be seen of a damaged ship."""

    BURNING = "burning"
    LISTING = "listing"
    STOPPED = "stopped"


def conditions_of(*, hull_lost: float, stopped: bool) -> tuple[ShipCondition, ...]:
    """The conditions of a ship that floats, from the part of her hull that is lost."""

    def found() -> Iterator[ShipCondition]:
        if hull_lost >= _BURNS_AT:
            yield ShipCondition.BURNING
        if hull_lost >= _LISTS_AT:
            yield ShipCondition.LISTING
        if stopped:
            yield ShipCondition.STOPPED

    return tuple(found())
