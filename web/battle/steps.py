"""The steps of a battle by their numbers in the journal: where one may ask to go back to.

The record is walked once and the walk is kept; a battle that goes on is only walked on.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from combat.battle import EventKind
from web.battle.now import BattleNow
from web.battle.record import BattleRecord, Recorded

_SECRET: Final = (EventKind.PLOT, EventKind.DESIGNATE)
"""What is written in secret is no step that others can name; its commitment is."""
_KEPT: Final = 4


@dataclass(frozen=True, slots=True)
class PastStep:
    """An event that everybody knows of, and the segment that it belongs to."""

    recorded: Recorded
    round_number: int
    segment: int

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


def steps_of(battle: BattleNow) -> tuple[PastStep, ...]:
    """All steps that still stand, the earliest first."""
    with _LOCK:
        walk = _nearest(battle.record) or _Walk(
            battle.record, (), battle.rules.begin(battle.record.setup), ()
        )
        walk = _on(walk, battle, battle.record.events[len(walk.events) :])
        if walk not in _WALKS:
            _WALKS.insert(0, walk)
            del _WALKS[_KEPT:]
    return walk.steps


@dataclass(frozen=True, eq=False)
class _Walk:
    record: BattleRecord
    events: tuple[Recorded, ...]
    state: Any
    steps: tuple[PastStep, ...]


_LOCK: Final = threading.Lock()
_WALKS: Final[list[_Walk]] = []


def _on(walk: _Walk, battle: BattleNow, more: Sequence[Recorded]) -> _Walk:
    if not more:
        return walk
    state, steps = walk.state, list(walk.steps)
    for recorded in more:
        step = battle.rules.step(state)
        if recorded.event.kind not in _SECRET:
            steps.append(PastStep(recorded, step.round_number, step.segment))
        state = battle.rules.apply(state, recorded.event, battle.tables)
    return replace(walk, events=(*walk.events, *more), state=state, steps=tuple(steps))


def _nearest(record: BattleRecord) -> _Walk | None:
    found = [
        walk
        for walk in _WALKS
        if walk.record.begun == record.begun
        and walk.record.setup == record.setup
        and walk.record.owner_values == record.owner_values
        and walk.events == record.events[: len(walk.events)]
    ]
    return max(found, key=lambda walk: len(walk.events), default=None)
