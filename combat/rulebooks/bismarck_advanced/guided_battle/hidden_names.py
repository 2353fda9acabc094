"""Who may know whose name: hidden ships are numbers to everybody but their own side (67.1, 61.6).

Names come in from players and go out to them in many places, errors among them. All of them pass
through a `Veil`, so that there is one place in which a hidden name is turned into its number.
"""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from combat.guided_actions import BattleAction
from combat.participants import Seat, acting
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Aim
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import glimpse
from combat.story_entries import Document, MoveDocument, TorpedoDocument
from tabletop.closecall import CloseCall
from tabletop.errors import DreyerError, UnknownName

Typed = TypeVar("Typed")

# What a player types is no name that the program gives away. Were a hidden name in it turned into
# her number, every guess would be answered: so its last letter is set in another type while the
# rules handle it, and set back on the way out. Nothing else about the text changes.
_SET_APART: Final = {
    ord(letter): chr(0x1D5A0 + place)
    for place, letter in enumerate(string.ascii_uppercase + string.ascii_lowercase)
}
_SET_BACK: Final = {ord(apart): chr(letter) for letter, apart in _SET_APART.items()}
_NOT_TYPED: Final = ("kind", "side")
"""What an action has from the program, not from a player's hand."""
_LAST_LETTER: Final = re.compile("[A-Za-z](?=[^A-Za-z]*$)")


def as_typed(text: str) -> str:
    """A text with what players have typed in it as they typed it."""
    return text.translate(_SET_BACK)


class UnknownShip(UnknownName):
    """No ship that somebody knows is called so; a guess at hidden names is not even repeated."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__("battle", "ship", "", known)
        self.args = (f"battle: no ship is known to you by this name: {', '.join(self.known)}",)


@dataclass(frozen=True)
class Veil:
    """What one viewer may call each ship, by her true name."""

    labels: Mapping[str, str]
    """The hidden ones only."""
    words: Mapping[str, str]
    """Every word that would give one of them away, and what stands in its place."""

    @classmethod
    def over(cls, state: AdvancedState, seat: Seat) -> "Veil":
        """What a seat may call the ships; a spectator knows no more than all sides do."""
        if seat.umpire or not any(identity.is_hidden for identity in state.identities.values()):
            return cls({}, {})
        ships = state.engagement.combatants
        hidden = [
            ship
            for ship in ships
            if ship.side != seat.side
            and ship.name in state.identities
            and state.identities[ship.name].is_hidden
        ]
        labels = {ship.name: glimpse(state.identities[ship.name]).label for ship in hidden}
        known = {ship.name for ship in ships} - labels.keys()
        types = {
            ship.vessel.warship.name: labels[ship.name]
            for ship in hidden
            if ship.vessel.warship.name not in known
        }
        return cls(labels, {**types, **labels})

    def __call__(self, name: str) -> str:
        """What to call a ship."""
        return self.labels.get(name, name)

    def hides(self, name: str) -> bool:
        """Whether a ship's name is not for this viewer."""
        return name in self.labels

    def text(self, text: str) -> str:
        """A text with numbers for hidden names."""
        if self.words:
            text = self._pattern.sub(lambda found: self.words[found.group()], text)
        return as_typed(text)

    def typed(self, action: Typed) -> Typed:
        """What a viewer has typed, kept apart from the names that the viewer must not know."""
        found: Typed = self._set_apart(action) if self.words else action
        return found

    def _set_apart(self, value: Any) -> Any:
        if type(value) is str:
            return self._pattern.sub(_apart, value)
        if isinstance(value, BattleAction | Aim):
            told = (each.name for each in fields(value) if each.name not in _NOT_TYPED)
            return replace(value, **{name: self._set_apart(getattr(value, name)) for name in told})
        if isinstance(value, Mapping):
            return {self._set_apart(key): self._set_apart(item) for key, item in value.items()}
        if isinstance(value, tuple):
            return tuple(self._set_apart(item) for item in value)
        return value

    def line(self, line: Line) -> Line:
        """A line with numbers for hidden names."""
        return replace(line, text=self.text(line.text))

    def close_call(self, call: CloseCall) -> CloseCall:
        """A close call with numbers for hidden names: its limit may be the edge of a ship."""
        if not self.words:
            return call
        limit = self.text(call.limit) if isinstance(call.limit, str) else call.limit
        readings = (self.text(each) if isinstance(each, str) else each for each in call.readings)
        return replace(call, limit=limit, readings=tuple(readings))

    def report(self, document: Document | None) -> Document | None:
        """What came of a fire or a move, ships by what their viewer may call them."""
        if document is None or not self.words:
            return document
        if isinstance(document, MoveDocument):
            return replace(document, ship=self(document.ship))
        if isinstance(document, TorpedoDocument):
            return replace(document, launcher=self(document.launcher), target=self(document.target))
        return replace(
            document,
            firer=self(document.firer),
            target=self(document.target),
            modifiers=tuple(
                replace(modifier, label=self.text(modifier.label))
                for modifier in document.modifiers
            ),
            hit_results=tuple(
                replace(hit, place=self.text(hit.place), effect=self.text(hit.effect))
                for hit in document.hit_results
            ),
        )

    def document(self, value: Any) -> Any:
        """What an error carries, with numbers for hidden names wherever they stand in it."""
        if not self.words:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(key): self.document(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.document(item) for item in value]
        return value

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # The longest first, so that one name within another does not spoil it.
        words = sorted(self.words, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")


def _apart(found: re.Match[str]) -> str:
    return _LAST_LETTER.sub(lambda letter: letter.group().translate(_SET_APART), found.group())


def find(state: AdvancedState, side: str | None, reference: str) -> Combatant:
    """The ship that somebody means; a hidden enemy answers to her number only."""
    reference = as_typed(reference)
    veil = Veil.over(state, acting(side))
    by_word = state.engagement.by_name
    if veil.labels:
        by_word = {veil(name): ship for name, ship in by_word.items()}
    if reference in by_word:
        return by_word[reference]
    if side is None:
        for ship in state.engagement.combatants:
            identity = state.identities.get(ship.name)
            if identity is not None and identity.label == reference:
                return ship
    if veil.words:
        raise UnknownShip(by_word)
    raise UnknownName("battle", "ship", reference, by_word)


def command(state: AdvancedState, side: str | None, reference: str) -> Combatant:
    """A ship that a side may give orders to: one of its own, in action."""
    ship = find(state, side, reference)
    if side is not None and ship.side != side:
        name = Veil.over(state, Seat(side))(ship.name)
        raise DreyerError(f"{name} is not a {side} ship: give orders to your own")
    if ship.vessel.is_sunk:
        raise DreyerError(f"{ship.name} is sunk (64.8)")
    if ship.withdrawn:
        raise DreyerError(f"{ship.name} has withdrawn and does not return (66)")
    return ship
