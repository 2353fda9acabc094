"""Who takes part in a battle: its sides, its ships, and whoever looks or acts."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import Message


class SideShape(StrEnum):
    """The shape of a side's badge, so that its colour is never its only sign."""

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
    """One side of a battle. Nations belong to the ships' cards, not to a side."""

    key: str
    name: str = ""
    """What players call it; the key where it is empty."""
    letter: str = "–"
    shape: SideShape = SideShape.SQUARE
    colour: SideColour = SideColour.GREY
    allies: tuple[str, ...] = ()
    """Keys of the sides that it fights together with."""
    order_of_fire: int = 0
    """Where a rulebook resolves one side's fire before another's: the lowest comes first."""

    @property
    def title(self) -> str:
        """The name to show."""
        return self.name or self.key

    def is_friend(self, other: str) -> bool:
        """Whether another side is this one or an ally."""
        return other == self.key or other in self.allies


@dataclass(frozen=True, slots=True)
class Ship:
    """One ship of a battle. Two ships of one type are two ships."""

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
        """What the JSON of free play has: there a ship that withdrew is "gone"."""
        return "gone" if self is ShipStatus.WITHDRAWN else self.value

    @property
    def message(self) -> Message:
        """The same for players."""
        return Message(f"combat.status.{self.name.lower()}")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who looks at a battle or acts in it."""

    side: str | None = None
    """None is nobody's: a spectator, or the umpire."""
    umpire: bool = False
    """An umpire sees everything and acts for anybody."""

    def may_act_for(self, side: str) -> bool:
        """Whether this seat may act for a side."""
        return self.umpire or self.side == side


UMPIRE = Seat(umpire=True)
SPECTATOR = Seat()
"""Sees what everybody may see."""


def acting(side: str | None) -> Seat:
    """The seat that acts for a side; for None the umpire's, who acts for anybody."""
    return UMPIRE if side is None else Seat(side)
