"""Rolls as journals and exports have them."""

from collections.abc import Mapping
from typing import Any

from combat.dice import Roll, faces_of


def write_roll(roll: Roll) -> dict[str, Any]:
    """A roll as JSON; `again` is left out where it is false."""
    written = {
        "value": roll.value,
        "purpose": roll.purpose,
        "side": roll.side,
        "by_server": roll.by_server,
    }
    return {**written, "again": True} if roll.again else written


def read_roll(document: Mapping[str, Any]) -> Roll:
    """The roll that JSON describes."""
    rest = {key: value for key, value in document.items() if key != "value"}
    return Roll(faces_of(document["value"]), **rest)
