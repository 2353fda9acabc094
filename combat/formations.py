"""Ships that sail together, and what a rulebook has to say of them as they stand on the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from combat.ships import ShipType
from combat.tables import TableSet
from combat.views import DraftFault

Distance = Callable[[str, str], float]
"""The range in yards between two ships by their names."""


@dataclass(frozen=True, slots=True)
class Formation:
    """A division, squadron or column: the ship that leads it, and all of its ships."""

    name: str
    flagship: str
    ships: tuple[str, ...]
    side: str = ""
    """Whose it is, where somebody says so."""


@dataclass(frozen=True, slots=True)
class FormationStatus:
    """A formation as it stands: who is in command, what she is worth, what is wrong with it."""

    name: str
    flagship: str
    in_command: tuple[str, ...]
    out_of_command: tuple[str, ...]
    points: int | None
    """None where a ship of it has none."""
    faults: tuple[DraftFault, ...]


FormationRules = Callable[
    [Sequence[Formation], Mapping[str, ShipType], Distance, TableSet], tuple[FormationStatus, ...]
]
"""What a rulebook says of all formations of a table, with the ships that are known."""
