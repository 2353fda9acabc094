"""Victory points for what has happened in a battle, line by line."""

from dataclasses import dataclass
from fractions import Fraction

from combat.previews import Line
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class PointsLine:
    """Points for one ship or event; negative ones are lost."""

    label: Message
    points: Fraction
    rule: str


@dataclass(frozen=True, slots=True)
class VictoryPoints:
    """The victory points of one player."""

    player: Message
    lines: tuple[PointsLine, ...]
    notes: tuple[Line, ...] = ()
    """What decides the game besides."""

    @property
    def total(self) -> Fraction:
        """The sum of all lines."""
        return sum((line.points for line in self.lines), Fraction(0))
