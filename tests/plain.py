"""Any value of the program as JSON, with the words of its messages."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from tabletop.messages import Message
from web.strings import words


def plain(value: object) -> Any:
    """A value as JSON."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Message):
        return words(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not for JSON")
