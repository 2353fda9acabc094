"""The steps of a battle by their numbers in the journal: where one may ask to go back to."""

from dataclasses import dataclass

from combat.guided_actions import Draft
from web.games.guided_game import GuidedGame
from web.journal.battle_record import RecordedAction


@dataclass(frozen=True, slots=True)
class PastStep:
    """An event that everybody knows of, and the segment that it belongs to."""

    recorded: RecordedAction
    round_number: int
    segment: int

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


def steps_of(battle: GuidedGame) -> tuple[PastStep, ...]:
    """All steps that still stand, the earliest first.

    What is written in secret is no step that others can name; its commitment is.
    """
    return tuple(
        PastStep(recorded, played.place.round_number, played.place.segment)
        for recorded, played in zip(battle.record.events, battle.game.played, strict=True)
        if not isinstance(recorded.action, Draft)
    )
