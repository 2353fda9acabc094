"""Numbers as people type them: with a comma or a point, with a minus or a dash that looks like one.

What is no number is None; whoever asked for it says what was expected.
"""

import re
from typing import Final

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,20})?")
_DASHES: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})


def plain_minus(text: str) -> str:
    """The text with a plain minus where a phone has written a dash."""
    return text.translate(_DASHES)


def typed_whole(text: str) -> int | None:
    """A whole number, written without decimals."""
    text = plain_minus(text.strip())
    return int(text) if _WHOLE.fullmatch(text) else None


def typed_decimal(text: str) -> float | None:
    """A number, with or without decimals."""
    text = plain_minus(text.strip())
    return float(text.replace(",", ".")) if _DECIMAL.fullmatch(text) else None


def typed_number(text: str) -> int | float | None:
    """A number, whole where it has no decimals but zeros."""
    number = typed_decimal(text)
    return int(number) if number is not None and number.is_integer() else number
