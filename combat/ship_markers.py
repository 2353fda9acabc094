"""The markers beside a model on the table, and what a rulebook says of them."""

from collections.abc import Callable
from dataclasses import dataclass

from combat.ships import ShipType
from combat.tables import TableSet
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class ShipMarkers:
    """The markers of one ship, as a scene file has them."""

    speed: str = ""
    """A speed marker by its key; empty without one."""
    out_of_command: bool = False


@dataclass(frozen=True, slots=True)
class MarkerRules:
    """A rulebook's markers."""

    speeds: tuple[str, ...]
    """The keys of its speed markers."""
    title: Callable[[str], Message]
    """A speed marker in words."""
    effects: Callable[[ShipType | None, ShipMarkers, TableSet], tuple[Message, ...]]
    """What the markers of a ship mean for fire at her and for her next move."""
