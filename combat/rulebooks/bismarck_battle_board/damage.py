"""What a hit does: the terms of the tables as boxes of the Hit Record Pad (9.7)."""

from dataclasses import dataclass
from typing import Final

from tabletop.messages import Message

MISS: Final = "miss"


@dataclass(frozen=True, slots=True)
class Damage:
    """What an attack, or one roll of it, does to a ship; damage simply adds up."""

    hits: int = 0
    midships: int = 0
    bow: int = 0
    stern: int = 0
    port: int = 0
    starboard: int = 0
    secondary: int = 0
    """Secondary hits that may be recorded on either side (9.17)."""
    evasion: int = 0
    """Evasion lost for good (9.722)."""
    sunk: int = 0
    """Results that sink her outright."""
    destroyers: int = 0
    merchants: int = 0
    """Merchant ships of a convoy; the hits that are none of them go to its escort."""
    fuel: int = 0

    def __add__(self, other: "Damage") -> "Damage":
        return Damage(*(getattr(self, part) + getattr(other, part) for part in Damage.__slots__))

    @property
    def message(self) -> Message:
        """What is marked, part by part."""
        marks = tuple(
            counted(name, getattr(self, name))
            for name in Damage.__slots__
            if name != "hits" and getattr(self, name)
        )
        return Message("board.damage.marks", marks=marks) if marks else _NO_EFFECT


NO_DAMAGE: Final = Damage()
_NO_EFFECT: Final = Message("board.damage.no_effect")


def terms_of(cell: str) -> tuple[tuple[str, int], ...]:
    """The terms of a cell with their numbers, in the order in which they stand."""
    found = []
    for term in cell.rstrip("*").split("+"):
        name, _, count = term.partition(":")
        found.append((name, int(count or 1)))
    return tuple(found)


def cell_message(cell: str) -> Message:
    """A cell as people say it: "bow 1" for "bow:1"."""
    marks = tuple(counted(name, count) for name, count in terms_of(cell))
    return Message("board.damage.marks", marks=marks)


def counted(name: str, count: int) -> Message:
    """A term with its number, where it counts something."""
    part = Message(f"board.damage.{name}")
    if name in (MISS, "hit", "sunk", "special_a", "special_b"):
        return part
    return Message("board.damage.counted", part=part, count=count)
