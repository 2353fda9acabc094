"""Dice that players are asked for: what each roll is known by, and how far given dice go."""

from dataclasses import dataclass
from hashlib import sha256

from combat.dice import DiceKind
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """The next dice that a player has to roll."""

    kind: DiceKind
    purpose: Message
    """What they are for: "Hood at Bismarck: the location of hit 2"."""
    side: str | None = None
    """The side that rolls."""
    number: int = 1
    """Counted from 1 through the phase, so that two players do not enter the same roll."""
    at_least: int = 1
    """The least number of rolls still needed for it, including this one."""
    roll: str = ""
    """What this very roll is known by, so that no dice are entered for another."""


@dataclass(frozen=True, slots=True)
class DiceReach:
    """How far dice are used that are given at once."""

    roll: str | None = None
    """The roll that they begin with, as in `DiceWanted`; the first that is open where None."""
    only: bool = False
    """Whether they go no further than to the end of what that roll is for, such as a fire."""
    sides: frozenset[str] | None = None
    """Whose dice they may be; anybody's where None."""

    def includes(self, side: str | None) -> bool:
        """Whether dice of a side may be among them; those of nobody may be everybody's."""
        return self.sides is None or side is None or side in self.sides


def short_id(*parts: object) -> str:
    """A short text that is the same for the same parts, and another for others."""
    return sha256(repr(parts).encode()).hexdigest()[:16]
