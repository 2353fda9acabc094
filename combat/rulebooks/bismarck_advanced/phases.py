"""The segments of a round, and the numbering of combat phases in a battle (56)."""

from dataclasses import dataclass
from enum import StrEnum

from tabletop.messages import Message


class Segment(StrEnum):
    """The two moves of a round (56.1, 56.5)."""

    INITIAL = "initial"
    SECOND = "second"


_SEGMENTS = (Segment.INITIAL, Segment.SECOND)


@dataclass(frozen=True, slots=True, order=True)
class CombatPhase:
    """One combat resolution phase by its number in the battle: 1 and 2 are the first round's."""

    number: int

    @classmethod
    def of(cls, round_number: int, segment: Segment) -> "CombatPhase":
        """The combat phase of a round's segment, including the plots before it."""
        return cls(len(_SEGMENTS) * (round_number - 1) + _SEGMENTS.index(segment) + 1)

    @property
    def round_number(self) -> int:
        """The round that it belongs to."""
        return (self.number - 1) // len(_SEGMENTS) + 1

    @property
    def segment(self) -> Segment:
        """The segment of the round that it ends."""
        return _SEGMENTS[(self.number - 1) % len(_SEGMENTS)]

    @property
    def message(self) -> Message:
        """The phase by its round and segment."""
        return Message(f"advanced.phase.{self.segment}", round_number=self.round_number)

    def later(self, phases: int) -> "CombatPhase":
        """The phase a number of phases later."""
        return CombatPhase(self.number + phases)
