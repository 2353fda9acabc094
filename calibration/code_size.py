"""How large a code must be printed for a camera, from the pixels that a millimetre gets."""

from dataclasses import dataclass
from typing import Final

LEAST_PX: Final = 11.0
"""Below this side, few codes are found in pictures of real tables."""
GOOD_PX: Final = 16.0
"""From this side on, 95 % and more are found, over-exposed or not."""
_FAR_SHARE: Final = 0.62
"""The pixels for a millimetre at the far edge, by those of a table that fills the picture's width.

A camera that is tilted by 30° and sees a margin around the table."""


@dataclass(frozen=True, slots=True)
class CodeAdvice:
    """What a camera asks of the codes that are printed for it."""

    px_per_mm: float
    """At the far edge of the table."""

    @property
    def least_mm(self) -> float:
        """The smallest code that is worth printing."""
        return LEAST_PX / self.px_per_mm

    @property
    def good_mm(self) -> float:
        """The code that is found wherever it lies."""
        return GOOD_PX / self.px_per_mm


def advice_before_printing(width_px: float, table_width_mm: float) -> CodeAdvice:
    """The advice for a camera that was not set up yet: the whole table, seen at a slant."""
    return CodeAdvice(_FAR_SHARE * width_px / table_width_mm)
