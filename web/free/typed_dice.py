"""Typing the dice of the calculator's action: which come next, and the result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from combat.actions import Action
from combat.dice import TEN_SIDES, DiceKind
from combat.dice_wanted import DiceWanted
from combat.free_play import FreeRulebook, FreeState
from combat.game import play_typed
from combat.previews import Line
from tabletop.errors import DreyerError
from web.strings import words

_FIGURES: Final = {DiceKind.PAIR: 2}
_TEN: Final = tuple(str(face) for face in range(TEN_SIDES))
_SIX: Final = tuple(str(face) for face in range(1, 7))
_MOST_FIGURES: Final = 2_000
"""More than any action of any rulebook needs."""


@dataclass(frozen=True, slots=True)
class DiceEntry:
    """An action whose dice are being typed."""

    values: tuple[str, ...]
    """The complete dice."""
    half: str
    """The first digit of a pair whose second is still missing."""
    wanted: DiceWanted | None
    story: tuple[Line, ...]
    """The story of the action, once all dice are typed."""
    fault: str = ""

    @property
    def figures(self) -> str:
        """All typed digits."""
        return "".join(self.values) + self.half

    @property
    def keys(self) -> tuple[str, ...]:
        """The faces of the next die."""
        if self.wanted is None:
            return ()
        return _TEN if self.wanted.kind is DiceKind.TEN_SIDED else _SIX


def dice_entry(
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    action: Action,
    values: Mapping[str, str],
) -> DiceEntry:
    """The action with the digits of the address, and another key pressed or removed."""
    typed = "".join(letter for letter in values.get("figures", "") if letter.isdecimal())
    typed = typed[:-1] if "back" in values else typed + values.get("key", "")[:1]
    try:
        return _played(rulebook, state, action, typed[:_MOST_FIGURES])
    except DreyerError as error:
        # Only a manually edited address has invalid digits; they are discarded.
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
