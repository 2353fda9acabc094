"""The entries of the journal: what can happen to a table, when it happened and who did it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from tabletop.messages import Message

FORMAT: Final = 2
"""The format of the data of entries that are written now; 1 was that of version 0.1.0."""
NEWER: Final = Message("journal.newer")


class Kind(StrEnum):
    """What can happen to a table."""

    TABLE_OPENED = "table_opened"
    TABLE_SIZED = "table_sized"
    SIDES_SET = "sides_set"
    SHIP_ADDED = "ship_added"
    SHIP_REMOVED = "ship_removed"
    SHIP_SIDED = "ship_sided"
    SHIPS_PLACED = "ships_placed"
    SHIP_FOLLOWS = "ship_follows"
    SHIP_LIFTED = "ship_lifted"
    SMOKE_LAID = "smoke_laid"
    SMOKE_CLEARED = "smoke_cleared"
    DECIDED = "decided"
    REOPENED = "reopened"
    RULED = "ruled"
    UNRULED = "unruled"
    DECLARED = "declared"
    PREMEASURE = "premeasure"
    SET_UP = "set_up"
    BATTLE_BEGUN = "battle_begun"
    BATTLE = "battle"
    UNDO_ASKED = "undo_asked"
    UNDO_AGREED = "undo_agreed"
    UNDO_REFUSED = "undo_refused"
    UNDONE = "undone"
    FREE_BEGUN = "free_begun"
    FREE_PLAYED = "free_played"
    FREE_UNDONE = "free_undone"
    FREE_ENDED = "free_ended"
    ATTACK_MADE = "attack_made"
    ATTACK_UNDONE = "attack_undone"
    ATTACK_ROUND = "attack_round"
    FIGHT_ENDED = "fight_ended"
    JOINED = "joined"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that is about to happen: its kind and its facts, as the journal writes them."""

    kind: Kind
    data: Mapping[str, Any]
    """Plain JSON."""
    value: object = field(default=None, compare=False, repr=False)
    """The same as objects, where it has just happened; None where it was read from a file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the journal: when it happened and who did it."""

    n: int
    seconds: float
    """Since 1970."""
    seat: str | None
    who: str
    event: Event
    format: int = FORMAT
