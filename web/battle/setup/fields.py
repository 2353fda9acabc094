"""Values of a set-up in the address of its page; what makes no sense is an error."""

from typing import TYPE_CHECKING, Final

from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.schema import bounds
from tabletop.typed_numbers import typed_decimal

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

OPTION: Final = "option."
"""Before the key of an optional rule: it is ticked."""
CONDITIONS: Final = "conditions"
"""In the address of a form that was sent: what is not ticked there is off."""


def whole_number(
    args: "MultiDict[str, str]", key: str, least: int, most: int, usual: int | None = None
) -> int | None:
    """A whole number between limits; the usual one where nothing is typed."""
    text = args.get(key, "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and least <= int(text[:6]) <= most):
        raise BadField("set-up", key, bounds("whole", least=least, most=most), repr(text[:20]))
    return int(text)


def decimal_number(
    args: "MultiDict[str, str]", key: str, least: float, most: float, usual: float
) -> float:
    """A number between limits; the usual one where nothing is typed."""
    text = args.get(key, "").strip()
    if not text:
        return usual
    value = typed_decimal(text)
    if value is None or not least <= value <= most:
        raise BadField("set-up", key, bounds("number", least=least, most=most), repr(text[:20]))
    return value


def ticked(args: "MultiDict[str, str]", key: str) -> bool:
    """Whether a box is ticked."""
    return args.get(key, "") in ("on", "yes", "true", "1")


def choice(args: "MultiDict[str, str]", key: str, choices: tuple[str, ...], usual: str) -> str:
    """One of some choices; the usual one where none is named."""
    text = args.get(key) or usual
    if text not in choices:
        raise BadField("set-up", key, Message("schema.choice", choices=choices), repr(text[:20]))
    return text
