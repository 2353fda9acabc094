"""Formations of ships, and the check of a rulebook's rules for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from combat.ships import ShipType
from combat.tables import TableSet

if TYPE_CHECKING:
    from combat.views import DraftFault

Distance = Callable[[str, str], float]
"""The range in yards between two ships by their names."""


@dataclass(frozen=True, slots=True)
class Formation:
    """A division, squadron or column."""

    name: str
    flagship: str
    ships: tuple[str, ...]
    side: str = ""
    """The key of its side, if known."""
    out: tuple[str, ...] = ()
    """Its ships that are marked as out of command."""


@dataclass(frozen=True, slots=True)
class FormationStatus:
    """The current state of a formation: its ships in command, its points and its faults."""

    name: str
    flagship: str
    in_command: tuple[str, ...]
    out_of_command: tuple[str, ...]
    points: int | None
    """None if one of its ships has none."""
    faults: tuple["DraftFault", ...]


FormationRules = Callable[
    [Sequence[Formation], Mapping[str, ShipType], Distance, TableSet], tuple[FormationStatus, ...]
]
"""The check of all formations of a table, given the types of the known ships."""
