"""The dice of the attack on the calculator, as they are typed: which come next, what they bring."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from combat.dice import TEN_SIDES
from combat.report import FireRules, Line, Report, ShotFile
from combat.tables import TableSet
from combat.unfolding import MOST_DICE, Wanted, unfold
from tabletop.errors import DreyerError

_FIGURES: Final = {"pair": 2}
_KEYS: Final = {"ten_sided": tuple(str(face) for face in range(TEN_SIDES))}
_SIX: Final = tuple(str(face) for face in range(1, 7))


@dataclass(frozen=True, slots=True)
class Rolling:
    """An attack whose dice are being typed."""

    values: tuple[str, ...]
    """The dice that are there."""
    half: str
    """The first figure of a pair whose second is awaited."""
    wanted: Wanted | None
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
        return _KEYS.get(self.wanted.kind, _SIX) if self.wanted else ()


def rolling(fire: FireRules, shot: ShotFile, tables: TableSet, said: Mapping[str, str]) -> Rolling:
    """The attack with the figures of the address, and one more key or one less."""
    typed = "".join(letter for letter in said.get("figures", "") if letter.isdecimal())
    typed = typed[:-1] if "back" in said else typed + said.get("key", "")[:1]
    try:
        return _unfolded(fire, shot, tables, typed[: 2 * MOST_DICE])
    except DreyerError as error:
        # Only an address made by hand has figures that no die shows: one starts anew.
        fresh = _unfolded(fire, shot, tables, "")
        return Rolling((), "", fresh.wanted, (), str(error))


def _unfolded(fire: FireRules, shot: ShotFile, tables: TableSet, figures: str) -> Rolling:
    values: list[str] = []
    while True:
        found = unfold(fire, shot, values, tables)
        if isinstance(found, Report):
            return Rolling(tuple(values), "", None, found.story)
        count = _FIGURES.get(found.kind, 1)
        if len(figures) < count:
            return Rolling(tuple(values), figures, found, ())
        values.append(figures[:count])
        figures = figures[count:]
