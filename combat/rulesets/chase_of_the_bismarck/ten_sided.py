"""Ten-sided dice that a player rolled and typed in: "9 5 2", a nought being a nought (2.8)."""

import re

from combat.dice import BadDice, Choice, TypedDice
from tabletop.errors import shorten


class TenSidedDice(TypedDice):
    """Typed dice of which each is one digit; too few or too many says what they were for."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self._tokens = text.replace(",", " ").split()
        for number, token in enumerate(self._tokens, start=1):
            if not re.fullmatch(r"[0-9]", token):
                raise BadDice(
                    f"dice: number {number} is {shorten(token)}; write each ten-sided die as one "
                    "digit from 0 to 9, such as 9 5 2"
                )

    def choice(self, count: int, purpose: str) -> Choice:  # noqa: ARG002 - ten ways, always
        """The next die, which is its own answer."""
        roll = int(self._next(purpose, 1, "one ten-sided die"))
        return Choice(roll, (roll,))
