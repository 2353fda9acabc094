"""The players' cards of a running server: saved, deleted, imported, undone.

Every card is checked before it is stored. With a folder a change is on the disk before it takes
effect; without one the cards are in memory only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES
from combat.ships import ShipType, plain_name
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from web.library import CurrentLibrary
from web.owner.cards.files import (
    card_path,
    card_rules,
    check_cards,
    has_cards,
    load_cards,
    read_cards,
    ruleset_with,
    save_cards,
)
from web.owner.files import OwnerFile, OwnerFiles, last_edit_of, push_edit
from web.strings import words

Fits = Callable[[Ruleset], None]
"""Checks the rulebook with the new cards; raises if they cannot be used."""


@dataclass(frozen=True, slots=True)
class CardEdit:
    """One change that can be undone: the cards before it, and its kind."""

    before: tuple[ShipType, ...]
    what: str
    """save, delete or import."""
    name: str
    """The ship; empty for all."""


@dataclass(frozen=True, slots=True)
class CardSet:
    """The players' cards of a rulebook."""

    cards: tuple[ShipType, ...]
    fault: str = ""
    """Why the file cannot be used; then there are no cards."""


class OwnerCards(OwnerFiles[CardSet, CardEdit]):
    """The players' cards of every rulebook. Safe to use from any thread."""

    def __init__(self, folder: Path | None, library: CurrentLibrary) -> None:
        """Read the stored cards and put them into the library."""
        super().__init__(folder)
        self._library = library
        for ruleset in NAMES:
            # A rulebook without a file is not even loaded.
            if self._stamp(ruleset) is not None and has_cards(ruleset):
                self._current(ruleset)

    def now(self, ruleset: str) -> tuple[ShipType, ...]:
        """The players' cards; a file that was changed by another program is read again."""
        return self._hand(ruleset).value.cards

    def find(self, ruleset: str, name: str) -> ShipType | None:
        """The players' card of a ship, or None."""
        return _find(self.now(ruleset), name)

    def fault(self, ruleset: str) -> str:
        """Why the file of cards cannot be used; empty if it can."""
        return self._hand(ruleset).value.fault

    def save(self, ruleset: str, card: ShipType, fits: Fits, instead_of: str = "") -> None:
        """Store a card; it replaces the card of the same name or of the given old name."""
        with self._lock:
            kept = self._hand(ruleset)
            old = _find(kept.value.cards, instead_of)
            twin = _find(kept.value.cards, card.name)
            if twin is not None and instead_of and twin is not old:
                raise DreyerError(
                    "cards.fault.name_taken",
                    twin=twin.name,
                )
            cards = [card if each in (old, twin) else each for each in kept.value.cards]
            if old is None and twin is None:
                cards.append(card)
            self._put(
                ruleset, kept, tuple(cards), CardEdit(kept.value.cards, "save", card.name), fits
            )

    def delete(self, ruleset: str, name: str, fits: Fits) -> None:
        """Delete a card; a built-in card of the same name is then used again."""
        with self._lock:
            kept = self._hand(ruleset)
            gone = _find(kept.value.cards, name)
            if gone is None:
                known = [card.name for card in kept.value.cards]
                raise UnknownName(Message("errors.where.cards"), "card", name, known)
            cards = tuple(card for card in kept.value.cards if card is not gone)
            self._put(ruleset, kept, cards, CardEdit(kept.value.cards, "delete", gone.name), fits)

    def take(self, ruleset: str, data: bytes, source: str, fits: Fits) -> int:
        """Replace all cards by those of a file; returns their number."""
        with self._lock:
            kept = self._hand(ruleset)
            cards = read_cards(ruleset, data, source)
            if not cards:
                raise DreyerError("cards.fault.no_cards", source=source)
            self._put(ruleset, kept, cards, CardEdit(kept.value.cards, "import", ""), fits)
            return len(cards)

    def undo(self, ruleset: str, fits: Fits) -> CardEdit:
        """Undo the last change."""
        with self._lock:
            kept = self._hand(ruleset)
            edit = last_edit_of(kept.edits, "card")
            self._store(ruleset, kept, edit.before, fits)
            kept.edits.pop()
            return edit

    def _put(
        self,
        ruleset: str,
        kept: OwnerFile[CardSet, CardEdit],
        cards: tuple[ShipType, ...],
        edit: CardEdit,
        fits: Fits,
    ) -> None:
        if cards == kept.value.cards and not kept.value.fault:
            return
        self._store(ruleset, kept, cards, fits)
        push_edit(kept.edits, edit)

    def _store(
        self,
        ruleset: str,
        kept: OwnerFile[CardSet, CardEdit],
        cards: tuple[ShipType, ...],
        fits: Fits,
    ) -> None:
        """Write to the disk first, so that a failed write changes nothing."""
        check_cards(cards, "cards")
        fits(ruleset_with(ruleset, cards))
        self._play_with(ruleset, cards)
        try:
            if self._folder is not None:
                if kept.value.fault:
                    self._set_aside(ruleset)
                save_cards(ruleset, cards, self._folder)
        except DreyerError:
            self._play_with(ruleset, kept.value.cards)
            raise
        self._set_current(ruleset, kept, CardSet(cards))

    def _play_with(self, ruleset: str, cards: Sequence[ShipType]) -> None:
        if cards:
            self._library.use(ruleset_with(ruleset, cards))
        else:
            self._library.restore(ruleset)

    def _hand(self, ruleset: str) -> OwnerFile[CardSet, CardEdit]:
        card_rules(ruleset)
        return self._current(ruleset)

    def _path(self, ruleset: str, folder: Path) -> Path:
        return card_path(ruleset, folder)

    def _read(self, ruleset: str) -> CardSet:
        try:
            hand = CardSet(load_cards(ruleset, self._folder) if self._folder is not None else ())
            self._play_with(ruleset, hand.cards)
        except DreyerError as error:
            hand = CardSet((), words(error))
            self._play_with(ruleset, hand.cards)
        return hand


def _find(cards: Sequence[ShipType], name: str) -> ShipType | None:
    plain = plain_name(name)
    return next((card for card in cards if plain and plain_name(card.name) == plain), None)
