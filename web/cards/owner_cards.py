"""The players' cards while a table runs: saved, taken away, taken from a file, undone.

Every card is checked before anything is kept. With a folder a change is on the disk before it
counts; without one the cards live in memory.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from combat.ruleset import Ruleset
from combat.ships import Ship, plain_name
from tabletop.errors import DreyerError, UnknownName, UnreadableFile
from web.cards.card_files import (
    card_path,
    card_rules,
    check_cards,
    load_cards,
    play_with,
    read_cards,
    save_cards,
    with_cards,
)

MOST_STEPS: Final = 100
"""How many changes can be undone; the oldest is forgotten first."""
_ASIDE: Final = ".unreadable"
_Stamp = tuple[int, int, int] | None
Fits = Callable[[Ruleset], None]
"""Asked of the rulebook with the new cards before they count; raises what speaks against them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change as it can be undone: the cards before it, and what it was."""

    before: tuple[Ship, ...]
    what: str
    """save, delete or import."""
    name: str
    """The ship concerned; empty for all of them."""


@dataclass(slots=True)
class _Kept:
    cards: tuple[Ship, ...]
    stamp: _Stamp
    fault: str = ""
    """Why the file cannot be used."""
    steps: list[Step] = field(default_factory=list)


class OwnerCards:
    """The players' cards of every rulebook. Safe to use from any thread."""

    def __init__(self, folder: Path | None) -> None:
        """Read what is there and let this program play with it."""
        self._folder = folder
        self._lock = threading.RLock()
        self._kept: dict[str, _Kept] = {}
        self._revision = 0
        for ruleset in with_cards():
            self._look(ruleset)

    @property
    def is_kept(self) -> bool:
        """Whether the cards outlive the program."""
        return self._folder is not None

    @property
    def revision(self) -> int:
        """Grows with every change, so that pages know when to look again."""
        return self._revision

    def now(self, ruleset: str) -> tuple[Ship, ...]:
        """The players' cards; a file that somebody else has changed is read again."""
        return self._look(ruleset).cards

    def find(self, ruleset: str, name: str) -> Ship | None:
        """The players' card of a ship, or None."""
        return _find(self.now(ruleset), name)

    def fault(self, ruleset: str) -> str:
        """Why the file of the cards cannot be used; empty where it can."""
        return self._look(ruleset).fault

    def last_step(self, ruleset: str) -> Step | None:
        """What undoing would take back."""
        steps = self._look(ruleset).steps
        return steps[-1] if steps else None

    def save(self, ruleset: str, card: Ship, fits: Fits, instead_of: str = "") -> None:
        """Keep a card; the one that it takes the place of, by its name or another, goes."""
        with self._lock:
            kept = self._look(ruleset)
            old = _find(kept.cards, instead_of)
            twin = _find(kept.cards, card.name)
            if twin is not None and instead_of and twin is not old:
                raise DreyerError(
                    f"name: there is a card of {twin.name} already: choose another name, "
                    "or open that card"
                )
            cards = [card if each in (old, twin) else each for each in kept.cards]
            if old is None and twin is None:
                cards.append(card)
            self._put(ruleset, kept, tuple(cards), Step(kept.cards, "save", card.name), fits)

    def delete(self, ruleset: str, name: str, fits: Fits) -> None:
        """Take a card away; where one of ours lies beneath it, that one counts again."""
        with self._lock:
            kept = self._look(ruleset)
            gone = _find(kept.cards, name)
            if gone is None:
                known = [card.name for card in kept.cards]
                raise UnknownName("your cards", "card", name, known)
            cards = tuple(card for card in kept.cards if card is not gone)
            self._put(ruleset, kept, cards, Step(kept.cards, "delete", gone.name), fits)

    def take(self, ruleset: str, data: bytes, source: str, fits: Fits) -> int:
        """Replace all cards by those of a file; how many those are."""
        with self._lock:
            kept = self._look(ruleset)
            cards = read_cards(ruleset, data, source)
            if not cards:
                raise DreyerError(f"{source}: expected cards, each written [[ship]], got none")
            self._put(ruleset, kept, cards, Step(kept.cards, "import", ""), fits)
            return len(cards)

    def undo(self, ruleset: str, fits: Fits) -> Step:
        """Take the last change back."""
        with self._lock:
            kept = self._look(ruleset)
            if not kept.steps:
                raise DreyerError(
                    "there is nothing to undo: no card was changed since the program was started"
                )
            step = kept.steps[-1]
            self._store(ruleset, kept, step.before, fits)
            kept.steps.pop()
            return step

    def _put(
        self, ruleset: str, kept: _Kept, cards: tuple[Ship, ...], step: Step, fits: Fits
    ) -> None:
        if cards == kept.cards and not kept.fault:
            return
        self._store(ruleset, kept, cards, fits)
        kept.steps.append(step)
        del kept.steps[:-MOST_STEPS]

    def _store(self, ruleset: str, kept: _Kept, cards: tuple[Ship, ...], fits: Fits) -> None:
        """On the disk before it counts: what could not be written has not happened."""
        rules = card_rules(ruleset)
        check_cards(cards, "cards")
        fits(rules.with_cards(cards))
        play_with(ruleset, cards)
        try:
            if self._folder is not None:
                if kept.fault:
                    _set_aside(card_path(ruleset, self._folder))
                save_cards(ruleset, cards, self._folder)
        except DreyerError:
            play_with(ruleset, kept.cards)
            raise
        kept.cards, kept.stamp, kept.fault = cards, self._stamp(ruleset), ""
        self._revision += 1

    def _look(self, ruleset: str) -> _Kept:
        card_rules(ruleset)
        with self._lock:
            stamp, kept = self._stamp(ruleset), self._kept.get(ruleset)
            if kept is None or kept.stamp != stamp:
                # What was done before somebody else changed the file cannot be undone any more.
                kept = self._read(ruleset, stamp)
                self._kept[ruleset] = kept
                self._revision += 1
            return kept

    def _read(self, ruleset: str, stamp: _Stamp) -> _Kept:
        cards: tuple[Ship, ...] = ()
        fault = ""
        try:
            cards = load_cards(ruleset, self._folder) if self._folder is not None else ()
            play_with(ruleset, cards)
        except DreyerError as error:
            cards, fault = (), str(error)
            play_with(ruleset, cards)
        return _Kept(cards, stamp, fault)

    def _stamp(self, ruleset: str) -> _Stamp:
        if self._folder is None:
            return None
        try:
            found = card_path(ruleset, self._folder).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def _find(cards: Sequence[Ship], name: str) -> Ship | None:
    plain = plain_name(name)
    return next((card for card in cards if plain and plain_name(card.name) == plain), None)


def _set_aside(path: Path) -> None:
    """An unreadable file gives way to a good one; it is kept, and so are those kept before it."""
    number, aside = 1, path.with_name(path.name + _ASIDE)
    try:
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.name}{_ASIDE}-{number}")
        if path.exists():
            path.replace(aside)
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be moved: {error.strerror or error}") from None
