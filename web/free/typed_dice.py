"""The dice of the action on the calculator, as they are typed: which come next, what they bring."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from combat.actions import Action
from combat.dice import TEN_SIDES, DiceKind
from combat.free_play import FreeRulebook, FreeState
from combat.game import play_typed
from combat.previews import Line
from combat.rulebook import DiceWanted
from tabletop.errors import DreyerError
from web.strings import words

_FIGURES: Final = {DiceKind.PAIR: 2}
_TEN: Final = tuple(str(face) for face in range(TEN_SIDES))
_SIX: Final = tuple(str(face) for face in range(1, 7))
_MOST_FIGURES: Final = 2_000
"""More than any action of any rulebook takes."""


@dataclass(frozen=True, slots=True)
class DiceEntry:
    """An action whose dice are being typed."""

    values: tuple[str, ...]
    """The dice that are there."""
    half: str
    """The first figure of a pair whose second is awaited."""
    wanted: DiceWanted | None
    story: tuple[Line, ...]
    """What came of it, once all dice are there."""
    fault: str = ""

    @property
    def figures(self) -> str:
        """All that was typed, for the next key."""
        return "".join(self.values) + self.half

    @property
    def keys(self) -> tuple[str, ...]:
        """The faces of the die that comes next."""
        if self.wanted is None:
            return ()
        return _TEN if self.wanted.kind is DiceKind.TEN_SIDED else _SIX


def dice_entry(
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    action: Action,
    said: Mapping[str, str],
) -> DiceEntry:
    """The action with the figures of the address, and one more key or one less."""
    typed = "".join(letter for letter in said.get("figures", "") if letter.isdecimal())
    typed = typed[:-1] if "back" in said else typed + said.get("key", "")[:1]
    try:
        return _played(rulebook, state, action, typed[:_MOST_FIGURES])
    except DreyerError as error:
        # Only an address made by hand has figures that no die shows: one starts anew.
        fresh = _played(rulebook, state, action, "")
        return DiceEntry((), "", fresh.wanted, (), words(error))


def _played(
    rulebook: FreeRulebook[object], state: FreeState[object], action: Action, figures: str
) -> DiceEntry:
    values: list[str] = []
    while True:
        found = play_typed(rulebook, state, action, values)
        if not isinstance(found, DiceWanted):
            story = rulebook.story(found.events)
            return DiceEntry(tuple(values), "", None, story)
        count = _FIGURES.get(found.kind, 1)
        if len(figures) < count:
            return DiceEntry(tuple(values), figures, found, ())
        values.append(figures[:count])
        figures = figures[count:]
