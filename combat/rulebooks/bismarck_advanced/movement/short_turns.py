"""How much a short turn turns: a part of the full turn, or degrees (57.3).

The book has no notation for it. Ours stands after the small letter of the turn: a part (⅓, or 1/3
where a keyboard has no such sign) or whole degrees (12°, or 12d).
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Part(StrEnum):
    """A fraction of a full turn, as plots write it."""

    QUARTER = "¼"
    THIRD = "⅓"
    HALF = "½"
    TWO_THIRDS = "⅔"
    THREE_QUARTERS = "¾"

    @property
    def ascii(self) -> str:
        """The fraction in ASCII, such as 1/3."""
        return unicodedata.normalize("NFKC", self).replace("\N{FRACTION SLASH}", "/")


@dataclass(frozen=True, slots=True)
class Degrees:
    """Whole degrees."""

    degrees: int

    def __str__(self) -> str:
        return f"{self.degrees}{DEGREE_SIGN}"


Amount = Part | Degrees


def share(amount: Amount, full_deg: float) -> float:
    """An amount as a fraction of a full turn of this many degrees."""
    if isinstance(amount, Degrees):
        return amount.degrees / full_deg
    return unicodedata.numeric(amount)


DEGREE_SIGN: Final = "°"
OTHER_DEGREE_SIGNS: Final = "ºd"
"""Other characters that are accepted for it."""
PARTS: Final = {spelling: part for part in Part for spelling in (part.value, part.ascii)}
"""Every fraction by its spellings."""
