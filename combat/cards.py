"""Ship cards that players enter: their fields, and how they are read and written.

A rulebook whose printed cards are not available lets players enter them. It declares every field
once; forms and file readers use the same declaration.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from combat.ships import ShipList, ShipType
from tabletop.messages import NO_WORDS, Message
from tabletop.typed_numbers import plain_minus, typed_decimal, typed_whole


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
    least: float = 0
    most: float = 0
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


class CardRules(ABC):
    """What a rulebook does with its players' cards, each of which is of its own type of ship."""

    groups: tuple[CardGroup, ...]
    """Every field, the ship's own group first."""

    @property
    @abstractmethod
    def printed(self) -> ShipList[ShipType]:
        """The cards that come with it."""

    @abstractmethod
    def read(self, data: bytes, source: str) -> tuple[ShipType, ...]:
        """All the cards of a file, which is called `source` in messages."""

    @abstractmethod
    def write(self, cards: Iterable[ShipType]) -> str:
        """Cards as the text of a file: the inverse of `read`."""

    @abstractmethod
    def values(self, card: ShipType) -> Mapping[str, object]:
        """A card as plain values, each part under its group's name."""

    @abstractmethod
    def make(self, values: Mapping[str, object], source: str) -> ShipType:
        """A card from plain values; values equal to the printed card's keep their source."""

    @abstractmethod
    def missing(self, card: ShipType) -> tuple[Message, ...]:
        """Values that a card lacks and that fire may need."""

    @abstractmethod
    def is_sample(self, card: ShipType) -> bool:
        """Whether a card is of an invented ship."""

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
    decimal = key.kind in (FieldKind.DECIMAL, FieldKind.DECIMALS)
    number = typed_decimal(text) if decimal else typed_whole(text)
    return plain_minus(text) if number is None else number
