"""Actions of a guided battle as entries of the journal."""

from collections.abc import Sequence
from typing import Any

from combat.battle import BattleRules
from combat.battle_actions import BattleAction
from combat.events import Event as BattleEvent
from web.table.state import Event, Kind


def battle_entry(
    rules: BattleRules[Any], action: BattleAction, events: Sequence[BattleEvent], phase: str = ""
) -> Event:
    """An action as the journal keeps it: with what it led to, and the phase of its dice."""
    written = {"events": rules.write_events(events), "phase": phase}
    return Event(Kind.BATTLE, {**rules.write_action(action), **written})
