"""What is played in a guided battle, as events for the journal."""

from typing import Any

from combat.game import Played
from web.games.guided_game import BattleNow
from web.journal.battle_entries import as_written, write_entry
from web.table.state import Event, Kind


def battle_event(battle: BattleNow, played: Played[Any]) -> Event:
    """An action that has just been played."""
    written = as_written(played)
    return Event(Kind.BATTLE, write_entry(battle.rulebook, written), written)
