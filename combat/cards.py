"""Ship cards that are the players' own: what a card may say, and how it is read and written.

A rulebook whose printed cards are not in its source leaves them to the players. It declares every
field once; a page makes its form from that, and a file is read by the same words.
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
    """What kind of value a field of a card takes."""

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
    """A list of whole numbers, each with or without a plus or minus behind it."""
    RATING = "rating"
    END = "end"
    """A whole number, or "-" where the guns do not bear."""
    TUBES = "tubes"

    @property
    def is_list(self) -> bool:
        """Whether a player types several values side by side."""
        return self in (FieldKind.NUMBERS, FieldKind.DECIMALS, FieldKind.RATINGS, FieldKind.TUBES)


@dataclass(frozen=True, slots=True)
class CardKey:
    """One field of a card, for a reader, a writer and a form."""

    name: str
    kind: FieldKind
    least: int = 0
    most: int = 0
    """The bounds of a number, or of each number of a list."""
    fewest: int = 0
    longest: int = 0
    """How many values a list has."""
    choices: tuple[tuple[str, Message], ...] = ()
    """What may be chosen, and what players call it."""
    required: bool = False
    usual: object = None
    order: str = ""
    """Whether a list "rises" or "falls"; its numbers may repeat."""
    label: Message = NO_WORDS

    @property
    def values(self) -> tuple[str, ...]:
        """What may be chosen, as a file writes it."""
        return tuple(value for value, _ in self.choices)


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Fields that stand together: those of the ship herself, or of a part that she may have."""

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
        """Cards as the text of a file that `read` takes."""

    @abstractmethod
    def values(self, card: ShipType) -> Mapping[str, object]:
        """A card as plain values, each part under its group's name."""

    @abstractmethod
    def make(self, values: Mapping[str, object], source: str) -> ShipType:
        """A card from such values; what is as in the printed card keeps its source."""

    @abstractmethod
    def missing(self, card: ShipType) -> tuple[Message, ...]:
        """What a card does not say though fire may ask for it."""

    @abstractmethod
    def is_sample(self, card: ShipType) -> bool:
        """Whether a card is of a ship that never was."""

    def title_of(self, name: str, value: str) -> Message:
        """What players call a value of a field of the ship that is chosen from a list."""
        return next(
            title
            for key in self.groups[0].keys
            if key.name == name
            for known, title in key.choices
            if known == value
        )

    @property
    def parts(self) -> tuple[CardGroup, ...]:
        """The groups of what a ship may have or not."""
        return tuple(group for group in self.groups if group.name)


_BETWEEN: Final = re.compile(r"[\s,;/]+")


def typed_value(key: CardKey, texts: Sequence[str]) -> object:
    """What was typed into a field of a form, as a file would have it; None where nothing was.

    What is no number stays a text: the reader of the cards says what it expected there.
    """
    if key.kind is FieldKind.TEXTS:
        return [text for text in texts if text] or None
    text = texts[0].strip() if texts else ""
    if key.kind is FieldKind.FLAG:
        return {"": None, "true": True}.get(text, text)
    if not text:
        return None
    if key.kind is FieldKind.DECIMALS and ", " not in text and "," in text and " " in text:
        # "4 9 18,5" is how many countries write it; "4, 9, 18.5" is a list.
        text = text.replace(",", ".")
    if key.kind.is_list:
        return [_plain(key, each) for each in _BETWEEN.split(text) if each]
    return _plain(key, text)


def typed_text(value: object) -> str:
    """A value of a file as a player types it into a form."""
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
