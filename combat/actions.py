"""Actions: what players do in a battle, each a frozen dataclass with typed fields.

Every rulebook declares its own. An action names ships by their ids: `by` is who acts and `at` who
is acted on; an action that has no such field is nobody's, or at nobody.
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
    """One thing that is done. Subclasses narrow `kind` to a literal."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByShip(Action):
    """An action of a ship."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AtShip(Action):
    """An action at a ship, from nobody's ship: from the air, from below."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAtShip(ByShip):
    """An action of one ship at another."""

    at: str


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """What a kind of action is, whoever takes it."""

    kind: str
    title: Message
    rule: str
    type: type[Action]
    when_marked: bool = False
    """Whether it comes after a round's simultaneous fire: a ship takes it with all her damage."""

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
    """An action that somebody may take."""

    info: ActionInfo
    title: Message
    """With the ship's own name for it: "38 cm guns"."""
    strength: int = 0
    """Guns, dice or torpedoes that she has for it; 0 where nothing is counted."""
    unit: Message = NO_WORDS
    """What the strength counts."""
    bands: tuple[RangeBand, ...] = ()
    """Range bands of its own, nearest first; none where they are the table's."""

    @property
    def kind(self) -> str:
        """The kind of action."""
        return self.info.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class AddShip(Action, Generic[M]):
    """A ship joins a battle in free play, with the marks that she has already."""

    kind: Literal["add-ship"] = "add-ship"
    ship: Ship
    marks: M | None = None
    """None is an undamaged ship."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMarks(Action, Generic[M]):
    """Enter a ship's marks by hand."""

    kind: Literal["set-marks"] = "set-marks"
    ship: str
    marks: M


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound(Action):
    """Begin the next round: all damage counts from here on."""

    kind: Literal["next-round"] = "next-round"


def by_kind(infos: tuple[ActionInfo, ...]) -> Mapping[str, ActionInfo]:
    """The actions of a rulebook by their kind."""
    return {info.kind: info for info in infos}
