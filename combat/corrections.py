"""What an umpire may set right in a guided battle: values with their present state, for a form."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import Message


class ValueForm(StrEnum):
    """The format of a value as it is typed."""

    NUMBER = "number"
    WHOLE = "whole"
    FLAG = "flag"
    LIST = "list"
    """Names with commas between."""
    PAIRS = "pairs"
    """Names with numbers: "A: 1.5, B: 0"."""
    CHOICE = "choice"
    POSE = "pose"
    LEVEL = "level"
    """Of visibility: a number, or X."""


@dataclass(frozen=True, slots=True)
class CorrectableValue:
    """One value of a ship or of the battle."""

    key: str
    form: ValueForm
    title: Message
    now: str
    """As it would be typed: a flag is "yes" or "no", names without a value are left out."""
    choices: tuple[tuple[str, Message], ...] = ()
    """What a choice may be, or the names of a list or of pairs, with their titles."""


def typed(value: object) -> str:
    """A value as it would be typed into the form."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case dict():
            return ", ".join(f"{key}: {typed(each)}" for key, each in value.items())
        case tuple() | frozenset():
            return ", ".join(map(typed, value))
    return str(value)
