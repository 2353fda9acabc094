"""Players' own cards: the form's layout, and the sources of their values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from combat.cards import CardGroup, CardRules
from combat.provenance import Provenance, Source
from combat.rulebooks.grand_fleets.card import MOST_BATTERIES, Card, Part
from combat.rulebooks.grand_fleets.card_file import (
    CARD_KEYS,
    card_from,
    card_values,
    gap_message,
    load_cards,
    read_cards,
    write_cards,
)
from combat.ships import ShipList, ShipType
from tabletop.messages import Message

_SHIP: Final = "ship"
GROUPS: Final = tuple(
    CardGroup(
        "" if name == _SHIP else name,
        Message(f"grand_fleets.card.group.{name}"),
        keys,
        MOST_BATTERIES if name == "guns" else 1,
    )
    for name, keys in CARD_KEYS.items()
)
_ASKED_FOR: Final = ("victory_points", "armour", "speed", "hull", "guns")
"""The values that every ship of the book has; a card without them is incomplete."""
AnyPart = TypeVar("AnyPart", bound=Part)


class GrandFleetsCards(CardRules):
    """The card rules of this rulebook."""

    groups = GROUPS

    @property
    def printed(self) -> ShipList[Card]:
        """The cards that come with the ruleset."""
        return load_cards()

    def read(self, data: bytes, source: str) -> tuple[Card, ...]:
        """All the cards of a file."""
        return read_cards(data, source)

    def write(self, cards: Iterable[ShipType]) -> str:
        """Cards as the text of a file."""
        return write_cards(map(card_of, cards))

    def values(self, card: ShipType) -> Mapping[str, object]:
        """A card as plain values."""
        return card_values(card_of(card))

    def make(self, values: Mapping[str, object], source: str) -> Card:
        """A player's card; unchanged reconstructed values stay reconstructed."""
        return made(values, source)

    def missing(self, card: ShipType) -> tuple[Message, ...]:
        """The empty values of a card that were lost, or that every ship has."""
        card = card_of(card)
        names = dict.fromkeys((*_ASKED_FOR, *card.gaps))
        return tuple(gap_message(name) for name in names if not getattr(card, name))

    def is_sample(self, card: ShipType) -> bool:
        """Whether she never was."""
        return card_of(card).sample


def card_of(ship: ShipType) -> Card:
    """A ship of this rulebook, which has no others."""
    if not isinstance(ship, Card):
        raise TypeError(f"{ship.name} has no card of this rulebook")
    return ship


def cards_with(owned: Iterable[ShipType]) -> ShipList[Card]:
    """The ruleset's cards with an owner's cards, which replace those of the same name."""
    mine = ShipList(map(card_of, owned))
    return ShipList([*mine, *(card for card in load_cards() if mine.find(card.name) is None)])


def made(values: Mapping[str, object], source: str) -> Card:
    """A player's card; unchanged reconstructed values stay reconstructed."""
    # A gap that was filled is removed, whatever the card was copied from.
    gaps = values.get("gaps")
    if isinstance(gaps, list):
        values = {**values, "gaps": [gap for gap in gaps if not values.get(str(gap))]}
    card = card_from(values, source)
    ours = load_cards().find(card.name)
    if ours is None:
        return card
    if card.sample and ours.sample:
        return replace(card, source=ours.source)
    return replace(
        card,
        sources=_kept(card, ours, "ship", lambda key: ours.source_of(key)),
        guns=tuple(
            _part(mine, theirs, "guns", ours)
            for mine, theirs in zip(card.guns, (*ours.guns, *[None] * MOST_BATTERIES), strict=False)
        ),
        torpedoes=card.torpedoes and _part(card.torpedoes, ours.torpedoes, "torpedoes", ours),
        anti_air=card.anti_air and _part(card.anti_air, ours.anti_air, "anti_air", ours),
    )


def _part(mine: AnyPart, theirs: AnyPart | None, group: str, ours: Card) -> AnyPart:
    if theirs is None:
        return mine
    sources = _kept(mine, theirs, group, lambda key: ours.source_of(key, theirs))
    return replace(mine, sources=sources)


def _kept(
    mine: object, theirs: object, group: str, source_of: Callable[[str], Source]
) -> dict[str, Source]:
    """The sources of reconstructed values that are unchanged."""
    keys = (key.name for key in CARD_KEYS[group] if hasattr(mine, key.name))
    return {
        key: source
        for key in keys
        if getattr(mine, key) == getattr(theirs, key)
        and getattr(mine, key)
        and (source := source_of(key)).provenance is Provenance.RECONSTRUCTED
    }
