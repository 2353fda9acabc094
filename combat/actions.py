"""Actions: what players do in a battle, each a frozen dataclass with typed fields.

Every rulebook declares its own. An action names ships by their ids: `by` is the acting ship and
`at` the target; an action without such a field has no acting ship or no target.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from combat.participants import Ship
from combat.previews import RangeBand
from tabletop.messages import NO_WORDS, Message

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """The base class of actions. Subclasses narrow `kind` to a literal."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByShip(Action):
    """An action of a ship."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AtShip(Action):
    """An action at a ship that no ship takes, such as an air or submarine attack."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAtShip(ByShip):
    """An action of one ship at another."""

    at: str


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """The description of a kind of action."""

    kind: str
    title: Message
    rule: str
    type: type[Action]
    when_marked: bool = False
    """Whether it uses all marks of the acting ship, not those at the start of the round."""

    def make(self, values: Mapping[str, object]) -> Action:
        """An action with these fields; it has this kind."""
        make: Callable[..., Action] = self.type
        return make(**{**values, "kind": self.kind})

    @property
    def by_ship(self) -> bool:
        """Whether a ship takes it."""
        return issubclass(self.type, ByShip)

    @property
    def at_ship(self) -> bool:
        """Whether it is done to a ship."""
        return issubclass(self.type, AtShip | ShipAtShip)


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """An action that a ship or seat may take."""

    info: ActionInfo
    title: Message
    """The title for this ship: "38 cm guns"."""
    strength: int = 0
    """The ship's guns, dice or torpedoes for it; 0 if nothing is counted."""
    unit: Message = NO_WORDS
    """The unit of `strength`."""
    bands: tuple[RangeBand, ...] = ()
    """Its own range bands, nearest first; empty if the table's segments apply."""

    @property
    def kind(self) -> str:
        """The kind of action."""
        return self.info.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class AddShip(Action, Generic[M]):
    """Add a ship to a battle in free play."""

    kind: Literal["add-ship"] = "add-ship"
    ship: Ship
    marks: M | None = None
    """None for an undamaged ship."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMarks(Action, Generic[M]):
    """Enter a ship's marks by hand."""

    kind: Literal["set-marks"] = "set-marks"
    ship: str
    marks: M


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound(Action):
    """Begin the next round, in which all damage so far counts."""

    kind: Literal["next-round"] = "next-round"


def by_kind(infos: tuple[ActionInfo, ...]) -> Mapping[str, ActionInfo]:
    """The actions of a rulebook by their kind."""
    return {info.kind: info for info in infos}
