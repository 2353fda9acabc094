"""The public steps of a battle, to which a caller may ask to go back."""

from dataclasses import dataclass

from combat.guided_actions import Secret
from web.games.guided_game import GuidedGame
from web.journal.battle_record import RecordedAction


@dataclass(frozen=True, slots=True)
class PastStep:
    """A public event with its segment."""

    recorded: RecordedAction
    round_number: int
    segment: int

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


def steps_of(battle: GuidedGame) -> tuple[PastStep, ...]:
    """All steps that are not undone, the earliest first.

    Secret orders are not steps; commitments are.
    """
    return tuple(
        PastStep(recorded, played.place.round_number, played.place.segment)
        for recorded, played in zip(battle.record.events, battle.game.played, strict=True)
        if not isinstance(recorded.action, Secret)
    )
