"""Typed events: the results of playing an action.

A battle's journal stores every action with its events. Logs, sheets, reports and pages are made
from them. A ship is named by her id. Each rulebook adds events of its own to the common ones here
and lists all of them in a union for the journal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from combat.modifiers import Modifier
from combat.provenance import Provenance
from tabletop.messages import NO_WORDS, Message

PLAYED_ONLY: Final[Mapping[str, bool]] = MappingProxyType({"played_only": True})
"""The metadata of a field that the journal omits, because replaying the action gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base class of events. Subclasses narrow `kind` to a literal."""

    kind: str
    ship: str | None = None
    """The id of the acting ship."""
    target: str | None = None
    """The id of the target."""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedEvent(Event):
    """An event that depends on values of tables or cards."""

    provenance: Provenance
    """The worst provenance of these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(SourcedEvent):
    """An action began: its strength and every modifier."""

    kind: Literal["acted"] = "acted"
    action: str
    title: Message
    factor: int
    """The dice to roll, or the strength that a table is entered with."""
    factor_reference: Message = NO_WORDS
    factor_label: Message = NO_WORDS
    modifiers: tuple[Modifier, ...] = ()
    provenance: Provenance = Provenance.PRINTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Modified(Event):
    """An earlier roll of the same action added modifiers to the next."""

    kind: Literal["modified"] = "modified"
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(SourcedEvent):
    """Dice were rolled."""

    kind: Literal["rolled"] = "rolled"
    purpose: Message
    dice: str
    """As a player types them: "9", "34"."""
    modifier: int = 0
    total: int
    result: str
    """The value of the table; empty if none was looked up."""
    words: Message = NO_WORDS
    """The result in words, if the table's value is only a code or there is none."""
    provenance: Provenance = Provenance.PRINTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded(Event):
    """The results of an action, apart from the marks."""

    kind: Literal["concluded"] = "concluded"
    hits: int = 0
    """Hits, or rolls that succeeded."""
    results: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sunk(Event):
    """A ship sank."""

    kind: Literal["sunk"] = "sunk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed(Event):
    """A ship left the battle."""

    kind: Literal["departed"] = "departed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAdded(Event):
    """A ship joined the battle."""

    kind: Literal["ship-added"] = "ship-added"
    name: str
    type: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksSet(Event):
    """A ship's marks were entered by hand."""

    kind: Literal["marks-set"] = "marks-set"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan(Event):
    """The next round began, in which all damage so far counts."""

    kind: Literal["round-began"] = "round-began"
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UmpireRolled(Event):
    """An umpire entered dice of the roll, fire or salvo that was told before."""

    kind: Literal["umpire-rolled"] = "umpire-rolled"
    dice: tuple[str, ...]
    """As an umpire types them: "9", "34"."""


COMMON_EVENTS: tuple[type[Event], ...] = (
    Acted, Modified, Rolled, Concluded, Sunk, Departed, ShipAdded, MarksSet, RoundBegan,
)  # fmt: skip
"""The events of every rulebook in free play."""
