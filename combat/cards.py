"""Ship cards that players enter: their fields, and how they are read and written.

A rulebook whose printed cards are not available lets players enter them. It declares every field
once; forms and file readers use the same declaration.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic

from combat.ships import ShipList, ShipT
from tabletop.messages import NO_WORDS, Message

if TYPE_CHECKING:
    from combat.rulebook_info import Ruleset


class FieldKind(StrEnum):
    """The type of a card field."""

    TEXT = "text"
    TEXTS = "texts"
    FLAG = "flag"
    CHOICE = "choice"
    NUMBER = "number"
    """A whole number."""
    DECIMAL = "decimal"
    NUMBERS = "numbers"
    """A list of whole numbers."""
    DECIMALS = "decimals"
    RATINGS = "ratings"
    """A list of whole numbers, each optionally followed by a plus or minus."""
    RATING = "rating"
    END = "end"
    """A whole number, or "-" if the guns do not bear."""
    TUBES = "tubes"

    @property
    def is_list(self) -> bool:
        """Whether a player types several values into one field."""
        return self in (FieldKind.NUMBERS, FieldKind.DECIMALS, FieldKind.RATINGS, FieldKind.TUBES)


@dataclass(frozen=True, slots=True)
class CardKey:
    """The declaration of one card field."""

    name: str
    kind: FieldKind
    least: int = 0
    most: int = 0
    """The bounds of a number, or of each number of a list."""
    fewest: int = 0
    longest: int = 0
    """The least and most values of a list."""
    choices: tuple[tuple[str, Message], ...] = ()
    """The values of a choice with their titles."""
    required: bool = False
    usual: object = None
    order: str = ""
    """"rises" or "falls" if a list is sorted; equal numbers are allowed."""
    label: Message = NO_WORDS

    @property
    def values(self) -> tuple[str, ...]:
        """The values of a choice."""
        return tuple(value for value, _ in self.choices)


@dataclass(frozen=True, slots=True)
class CardGroup:
    """The fields of the ship herself, or of an optional part of her."""

    name: str
    """Its table in the file; empty for the ship herself."""
    title: Message
    keys: tuple[CardKey, ...]
    most: int = 1
    """How many of these parts a card may have."""


@dataclass(frozen=True, slots=True)
class CardRules(Generic[ShipT]):
    """How a rulebook reads, writes and checks its players' cards."""

    groups: tuple[CardGroup, ...]
    """Every field, the ship's own group first."""
    printed: ShipList[ShipT]
    """The cards that come with it."""
    read: Callable[[bytes, str], tuple[ShipT, ...]]
    """The cards of a file, from its content and its name for messages."""
    write: Callable[[Iterable[ShipT]], str]
    """Cards as the text of a file: the inverse of `read`."""
    values: Callable[[ShipT], Mapping[str, object]]
    """A card as plain values, each part under its group's name."""
    made: Callable[[Mapping[str, object], str], ShipT]
    """A card from plain values; values equal to the printed card's keep their source."""
    missing: Callable[[ShipT], tuple[Message, ...]]
    """Values that a card lacks and that fire may need."""
    is_sample: Callable[[ShipT], bool]
    """Whether a card is of an invented ship."""
    with_cards: Callable[[Iterable[ShipT]], "Ruleset"]
    """The rulebook with these cards, which replace its own of the same name."""

    def title_of(self, name: str, value: str) -> Message:
        """The title of a value of one of the ship's own choice fields."""
        return next(
            title
            for key in self.groups[0].keys
            if key.name == name
            for known, title in key.choices
            if known == value
        )

    @property
    def parts(self) -> tuple[CardGroup, ...]:
        """The groups of the optional parts."""
        return tuple(group for group in self.groups if group.name)


_BETWEEN: Final = re.compile(r"[\s,;/]+")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")


def typed_value(key: CardKey, texts: Sequence[str]) -> object:
    """The file value of a form field; None if it is empty.

    Text that is not a number is returned unchanged; the card reader then reports it.
    """
    if key.kind is FieldKind.TEXTS:
        return [text for text in texts if text] or None
    text = texts[0].strip() if texts else ""
    if key.kind is FieldKind.FLAG:
        return {"": None, "true": True}.get(text, text)
    if not text:
        return None
    if key.kind is FieldKind.DECIMALS and ", " not in text and "," in text and " " in text:
        # "4 9 18,5" uses a decimal comma; in "4, 9, 18.5" commas separate the values.
        text = text.replace(",", ".")
    if key.kind.is_list:
        return [_plain(key, each) for each in _BETWEEN.split(text) if each]
    return _plain(key, text)


def typed_text(value: object) -> str:
    """A file value as the text of a form field."""
    if isinstance(value, bool):
        return "true" if value else ""
    if isinstance(value, list | tuple):
        return " ".join(typed_text(each) for each in value)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _plain(key: CardKey, text: str) -> object:
    if key.kind in (FieldKind.TEXT, FieldKind.CHOICE):
        return text
    if key.kind is FieldKind.TUBES:
        return text.upper()
    if key.kind in (FieldKind.DECIMAL, FieldKind.DECIMALS) and _NUMBER.fullmatch(text):
        return float(text.replace(",", "."))
    # Phones may write a minus as a dash.
    text = text.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")
    return int(text) if _WHOLE.fullmatch(text) else text
