"""Typed events: what playing an action has led to.

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
"""The metadata of a field that the journal leaves out: it is large, and playing gives it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. Subclasses narrow `kind` to a literal."""

    kind: str
    ship: str | None = None
    """Who acted."""
    target: str | None = None
    """Who was acted on."""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedEvent(Event):
    """An event that depends on values of tables or cards."""

    provenance: Provenance
    """That of the least certain of them."""


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
    """An earlier die of the same action changed the sum that is added to the next."""

    kind: Literal["modified"] = "modified"
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(SourcedEvent):
    """Dice fell and were read."""

    kind: Literal["rolled"] = "rolled"
    purpose: Message
    dice: str
    """As they would be typed in: "9", "34"."""
    modifier: int = 0
    total: int
    result: str
    """As the table has it; empty if none is read."""
    words: Message = NO_WORDS
    """The result as players say it, where the table is terse or there is none."""
    provenance: Provenance = Provenance.PRINTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded(Event):
    """What an action came to, besides its marks."""

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
    """The next round began: all damage counts from here on."""

    kind: Literal["round-began"] = "round-began"
    number: int


COMMON_EVENTS: tuple[type[Event], ...] = (
    Acted, Modified, Rolled, Concluded, Sunk, Departed, ShipAdded, MarksSet, RoundBegan,
)  # fmt: skip
"""The events that every rulebook in free play has."""
