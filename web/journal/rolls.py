"""Rolls as journals and exports have them."""

from collections.abc import Callable, Mapping
from typing import Any

from combat.dice import Roll, faces_of
from tabletop.messages import Message


def write_roll(roll: Roll, named: Callable[[Message], str] | None = None) -> dict[str, Any]:
    """A roll as JSON; `again` is left out where it is false.

    `named` puts its purpose into words, for the API; the journal keeps its code.
    """
    written = {
        "value": roll.value,
        "purpose": named(roll.purpose) if named else roll.purpose.store(),
        "side": roll.side,
        "by_server": roll.by_server,
    }
    return {**written, "again": True} if roll.again else written


def read_roll(document: Mapping[str, Any]) -> Roll:
    """The roll that JSON describes."""
    rest = {key: value for key, value in document.items() if key not in ("value", "purpose")}
    return Roll(faces_of(document["value"]), Message.read(document["purpose"]), **rest)
