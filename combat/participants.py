"""The participants of a battle: sides, ships and seats."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import Message


class SideShape(StrEnum):
    """The shape of a side's badge, which identifies it without colour."""

    ROUND = "round"
    ANGULAR = "angular"
    SQUARE = "square"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"

    @property
    def hull(self) -> str:
        """How the ships of this shape are drawn from above: "round" or "angular"."""
        return "angular" if self in (SideShape.ANGULAR, SideShape.HEXAGON) else "round"


class SideColour(StrEnum):
    """An entry of the palette of side colours."""

    BLUE = "blue"
    ORANGE = "orange"
    VIOLET = "violet"
    TEAL = "teal"
    GREY = "grey"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a battle. Nations are a property of ships' cards, not of sides."""

    key: str
    name: str = ""
    """The name to show; if empty, the key is shown."""
    letter: str = "–"
    shape: SideShape = SideShape.SQUARE
    colour: SideColour = SideColour.GREY
    allies: tuple[str, ...] = ()
    """Keys of the allied sides."""
    order_of_fire: int = 0
    """Fire is resolved from the lowest to the highest, in rulebooks that have an order."""

    @property
    def title(self) -> str:
        """The name to show."""
        return self.name or self.key

    def is_friend(self, other: str) -> bool:
        """Whether another side is this one or an ally."""
        return other == self.key or other in self.allies


@dataclass(frozen=True, slots=True)
class Ship:
    """One ship of a battle. Several ships may have the same type."""

    id: str
    name: str
    side: str
    """The key of her side."""
    type: str
    """The name of her card."""


class ShipStatus(StrEnum):
    """Whether a ship still takes part in a battle."""

    IN_ACTION = "in action"
    SUNK = "sunk"
    WITHDRAWN = "withdrawn"

    @property
    def free_play_key(self) -> str:
        """The key in the JSON of free play, where a withdrawn ship is "gone"."""
        return "gone" if self is ShipStatus.WITHDRAWN else self.value

    @property
    def message(self) -> Message:
        """The status for players."""
        return Message(f"combat.status.{self.name.lower()}")


@dataclass(frozen=True, slots=True)
class Seat:
    """The role in which somebody sees a battle or acts in it."""

    side: str | None = None
    """None for a spectator or the umpire."""
    umpire: bool = False
    """An umpire sees everything and acts for any side."""

    def may_act_for(self, side: str) -> bool:
        """Whether this seat may act for a side."""
        return self.umpire or self.side == side


UMPIRE = Seat(umpire=True)
SPECTATOR = Seat()
"""Sees only what is public."""


def acting(side: str | None) -> Seat:
    """The seat that acts for a side; for None the umpire's."""
    return UMPIRE if side is None else Seat(side)
