"""The files of the players' ship cards: one for each rulebook with such cards."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from combat.cards import CardRules
from combat.library import BUILT_IN, Library
from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.ships import ShipType, plain_name
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import shorten
from web.owner.files import read_if_there, replace_or_remove

MOST_CARDS: Final = 400
LARGEST_FILE_BYTES: Final = 1_000_000
"""Enough for the most cards with every field filled."""


def with_cards() -> tuple[str, ...]:
    """The rulebooks with players' cards."""
    return tuple(name for name in NAMES if has_cards(name))


def has_cards(ruleset: str) -> bool:
    """Whether a rulebook has players' cards."""
    return get_ruleset(ruleset).cards is not None


def card_rules(ruleset: str) -> CardRules:
    """The card rules of a rulebook. Raises DreyerError if it has none."""
    found = get_ruleset(ruleset)
    if found.cards is None:
        raise DreyerError("cards.fault.own_ships", found=found.title)
    return found.cards


def card_path(ruleset: str, folder: Path) -> Path:
    """The file of the players' cards for a rulebook."""
    return folder / "cards" / f"{ruleset}.toml"


def read_cards(ruleset: str, data: bytes, source: str) -> tuple[ShipType, ...]:
    """Parse the cards of a file. Raises DreyerError."""
    cards = card_rules(ruleset).read(data, source)
    check_cards(cards, source)
    return cards


def check_cards(cards: Sequence[ShipType], source: str) -> None:
    """Raise DreyerError if there are too many cards or names clash."""
    if len(cards) > MOST_CARDS:
        raise DreyerError(
            "cards.fault.too_many", source=source, most_cards=MOST_CARDS, cards=len(cards)
        )
    names: dict[str, str] = {}
    for card in cards:
        plain = plain_name(card.name)
        if not plain or "/" in card.name or "\\" in card.name:
            expected = Message("cards.expected.name")
            raise BadField(source, "name", expected, shorten(card.name))
        if plain in names:
            expected = Message("cards.expected.once")
            found = Message("cards.found.both", first=names[plain], second=card.name)
            raise BadField(source, "name", expected, found)
        names[plain] = card.name


def write_cards(ruleset: str, cards: Iterable[ShipType]) -> bytes:
    """Cards as one file."""
    return card_rules(ruleset).write(cards).encode("utf-8")


def load_cards(ruleset: str, folder: Path) -> tuple[ShipType, ...]:
    """The players' cards for a rulebook; empty without a file."""
    path = card_path(ruleset, folder)
    data = read_if_there(path)
    return () if data is None else read_cards(ruleset, data, str(path))


def save_cards(ruleset: str, cards: Sequence[ShipType], folder: Path) -> None:
    """Replace the file of the players' cards atomically; without cards it is deleted."""
    data = write_cards(ruleset, cards) if cards else None
    replace_or_remove(card_path(ruleset, folder), data)


def library_with_cards(library: Library, ruleset: str, cards: Sequence[ShipType]) -> Library:
    """The library with these cards, which replace the rulebook's own."""
    if not cards:
        return library.without(ruleset)
    return library.with_ruleset(ruleset_with(ruleset, cards))


def ruleset_with(ruleset: str, cards: Iterable[ShipType]) -> Ruleset:
    """A rulebook with these cards over those that come with it."""
    found = get_ruleset(ruleset)
    if found.with_cards is None:
        raise DreyerError("cards.fault.own_ships", found=found.title)
    return found.with_cards(cards)


def library_in(folder: Path, names: Iterable[str] | None = None) -> Library:
    """The library with the cards of this folder. Raises DreyerError for a bad file."""
    library = BUILT_IN
    for ruleset in with_cards() if names is None else names:
        if has_cards(ruleset):
            library = library_with_cards(library, ruleset, load_cards(ruleset, folder))
    return library


def readable_library_in(folder: Path, say: Callable[[Message], None]) -> Library:
    """The library with all readable card files of this folder; `say` gets the other errors."""
    library = BUILT_IN
    for ruleset in NAMES:
        path = card_path(ruleset, folder)
        try:
            data = read_if_there(path)
            # A rulebook without a file is not even loaded.
            if data is not None and has_cards(ruleset):
                cards = read_cards(ruleset, data, str(path))
                library = library_with_cards(library, ruleset, cards)
        except DreyerError as error:
            say(Message("cards.fault.not_used", fault=error.message))
    return library
