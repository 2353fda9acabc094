"""What a battle was, segment by segment: where everybody stood, and how they came there.

A record is replayed once, event by event, and what is asked for later is noted on the way. The
walk is kept, so that a battle that goes on is only walked on.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from combat.actions import Action
from combat.battle import GuidedRulebook, StepKind, runs_of_dice
from combat.battle_actions import Move
from combat.dice import Dice, FallenDice
from combat.participants import UMPIRE, ShipStatus
from web.battle.now import BattleNow
from web.battle.record import BattleRecord, Recorded

_KEPT: Final = 8
"""Walks kept at a time: of the battle on the table, and of some that were undone or replaced."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a ship was after a move, and what had become of her by the segment's end."""

    x: float
    y: float
    heading: float
    status: ShipStatus


@dataclass(frozen=True, slots=True)
class SegmentPast:
    """A segment by the ships' true names."""

    round_number: int
    segment: int
    ships: Mapping[str, Standing]
    paths: Mapping[str, tuple[Place, ...]]
    """The way that each ship came in this segment."""
    smoke: tuple[tuple[Place, Place], ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


@dataclass(frozen=True, slots=True)
class History:
    """A battle's past, by true names: what a caller may know of it is for others to say."""

    start: Mapping[str, Standing]
    segments: tuple[SegmentPast, ...]


def history_of(battle: BattleNow) -> History:
    """The past of a battle; walked from where an earlier question has left off."""
    with _LOCK:
        walk = _nearest(battle.record)
        if walk is None:
            walk = _Walk.begin(battle.rulebook, battle.record)
        else:
            _WALKS.remove(walk)
        walk = walk.on(battle.record.events[len(walk.events) :])
        _WALKS.insert(0, walk)
        del _WALKS[_KEPT:]
    return walk.history()


@dataclass(frozen=True, eq=False)
class _Walk:
    """A replay under way: the state after some events, and what was noted."""

    rulebook: GuidedRulebook[Any]
    record: BattleRecord
    """Of which only the beginning counts."""
    events: tuple[Recorded, ...]
    state: Any
    start: Mapping[str, Standing]
    segments: tuple[SegmentPast, ...] = ()

    @classmethod
    def begin(cls, rulebook: GuidedRulebook[Any], record: BattleRecord) -> "_Walk":
        state = rulebook.begin(record.setup)
        return cls(rulebook, record, (), state, _standings(rulebook, state))

    def on(self, more: Sequence[Recorded]) -> "_Walk":
        """The walk after more events."""
        if not more:
            return self
        state, segments = self.state, list(self.segments)
        for action, rolls in runs_of_dice((each.action, each.rolls) for each in more):
            dice = FallenDice([roll for each in rolls for roll in each])
            state = self._step(state, action, dice, segments)
        if segments:
            # Who was sunk or corrected since the last move is known now.
            segments[-1] = replace(segments[-1], ships=_standings(self.rulebook, state))
        return replace(self, events=(*self.events, *more), state=state, segments=tuple(segments))

    def history(self) -> History:
        """What was noted."""
        return History(self.start, self.segments)

    def _step(self, state: Any, action: Action, dice: Dice, segments: list[SegmentPast]) -> Any:
        rulebook = self.rulebook
        after = rulebook.play(state, action, dice).state
        if isinstance(action, Move) and rulebook.step(state).kind is StepKind.MOVE:
            if segments:
                segments[-1] = replace(segments[-1], ships=_standings(rulebook, state))
            segments.append(self._moved(state, after))
        return after

    def _moved(self, before: Any, after: Any) -> SegmentPast:
        step = self.rulebook.step(before)
        moves = self.rulebook.view(before, UMPIRE).move
        view = self.rulebook.view(after, UMPIRE)
        return SegmentPast(
            step.round_number,
            step.segment,
            _standings(self.rulebook, after),
            {name: move.points for name, move in moves.items()},
            tuple(front.ends for front in view.smoke),
        )


_LOCK: Final = threading.Lock()
_WALKS: Final[list[_Walk]] = []


def _nearest(record: BattleRecord) -> _Walk | None:
    """The longest walk that the record goes on from."""
    found = [
        walk
        for walk in _WALKS
        if walk.record.begun == record.begun
        and walk.record.setup == record.setup
        and walk.record.owner_values == record.owner_values
        and walk.events == record.events[: len(walk.events)]
    ]
    return max(found, key=lambda walk: len(walk.events), default=None)


def _standings(rulebook: GuidedRulebook[Any], state: Any) -> Mapping[str, Standing]:
    view = rulebook.view(state, UMPIRE)
    return {
        ship.id: Standing(ship.pose.x_yards, ship.pose.y_yards, ship.pose.heading_deg, ship.status)
        for ship in view.ships
    }
