"""What every player of Grand Fleets of the program has in common: the sequence of play.

Nothing is secret in Grand Fleets: the state is what everybody sees. Ships of a division keep to the
course of its flagship.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from combat.captain.decision import Decision, Progress, no_progress
from combat.guided_actions import EndBattle
from combat.participants import Seat
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    MoveShip,
    PlaceDivision,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState, Phase
from combat.rulebooks.grand_fleets.movement import HEADING_TOLERANCE_DEG, limit_of
from combat.views import ShipMoveCheck
from tabletop.messages import Message
from tabletop.table import Pose

_TURNS_DEG: Final = (0.0, -30.0, 30.0, -60.0, 60.0, -90.0, 90.0, 150.0, 180.0)
_SHARES: Final = (1.0, 0.6)
_ROOM_YARDS: Final = 1_500.0
"""They turn back so far from the edge of the table."""
_QUIET_TURN: Final = 30
"""From this turn on a captain agrees to end the battle when another offers it."""


@dataclass
class FleetPlayer(ABC):
    """Plays one side; how its ships move and fire is for each kind of player to say."""

    rulebook: FleetBattle

    def decide(
        self,
        state: FleetState,
        side: str,
        source: random.Random,
        progress: Progress = no_progress,
    ) -> Decision | None:
        """The next action of a side; None while it has nothing to decide."""
        if state.phase is Phase.ENDED:
            return None
        if state.wants_to_end and side not in state.wants_to_end and state.turn >= _QUIET_TURN:
            about = Message("captain.why.agrees_to_end")
            return Decision(EndBattle(side=side), about=about)
        if state.vacant:
            return self._flag(state, side)
        if self.rulebook.dice_wanted(state) is not None:
            return None
        if state.phase is Phase.COMMAND:
            done = side in state.ready
            return None if done else Decision(CommandDone(side=side))
        slot = next((each for each in state.next_slots if each.side == side), None)
        if slot is None:
            return None
        if state.is_first_movement:
            return Decision(PlaceDivision(side=side, division=slot.name))
        ship = state.to_act(slot)[0]
        progress(0, 1)
        if state.phase is Phase.MOVEMENT:
            decision = self._move(state, side, ship, source)
        else:
            decision = self._fire(state, side, ship, source)
        progress(1, 1)
        return decision

    def _flag(self, state: FleetState, side: str) -> Decision | None:
        for flag in self.rulebook.view(state, Seat(side)).flags:
            if flag.side == side and flag.heirs:
                return Decision(TakeFlag(side=side, ship=flag.heirs[0]))
        return None

    def _move(self, state: FleetState, side: str, ship: str, source: random.Random) -> Decision:
        for pose, reason in self._wished_ends(state, side, ship, source):
            action = MoveShip(side=side, ship=ship, pose=pose)
            check = self.rulebook.check(state, action)
            if isinstance(check, ShipMoveCheck) and check.legal:
                return Decision(action, {} if reason is None else {ship: reason})
        stays = MoveShip(side=side, ship=ship, stop=True)
        return Decision(stays, {ship: Message("captain.why.stays")})

    @abstractmethod
    def _wished_ends(
        self, state: FleetState, side: str, ship: str, source: random.Random
    ) -> Iterator[tuple[Pose, Message | None]]:
        """Where a ship might end her move, the best first, and why."""

    @abstractmethod
    def _fire(self, state: FleetState, side: str, ship: str, source: random.Random) -> Decision:
        """What a ship fires at."""

    def _ends(self, state: FleetState, ship: str) -> Iterator[Pose]:
        """Where a ship may try to end her move."""
        start = state.poses[ship]
        lead = state.division_of(ship).flagship
        turns: Sequence[float] = _TURNS_DEG
        follows = lead is not None and lead != ship and lead in state.placed
        if lead is not None and follows and state.in_command(ship) and state.in_action(lead):
            # A division keeps together: the course of its flagship, and the way to her.
            there = state.poses[lead]
            turns = (_turn(start, there.heading_deg), _turn(start, bearing_to(start, there)), 0.0)
        for turn_deg in turns:
            turning = abs(turn_deg) > HEADING_TOLERANCE_DEG
            reach = self._reach(state, ship, turning=turning)
            course = Pose(start.x_yards, start.y_yards, (start.heading_deg + turn_deg) % 360.0)
            before = course if turning else start
            for share in _SHARES:
                end = before.moved(ahead_yards=float(int(reach * share)))
                if reach and _has_room(state, end):
                    yield end

    def _reach(self, state: FleetState, ship: str, *, turning: bool) -> float:
        division = state.division_of(ship)
        consorts = [
            each
            for each in division.ships
            if state.in_action(each) and state.in_command(each) and each in state.placed
        ]
        group = consorts if state.in_command(ship) else [ship]
        limits = (
            limit_of(
                state.vessel(each), state.marks(each).marker, self.rulebook.tables, turned=turning
            ).yards
            # Who has moved already has a new marker.
            for each in {*(each for each in group if each not in state.acted), ship}
        )
        return float(min(limits, default=0))


def enemies_of(state: FleetState, side: str) -> list[str]:
    """The enemy's ships in play."""
    return [each.name for each in state.models() if state.ship(each.name).side != side]


def yards_apart(one: Pose, other: Pose) -> float:
    """From one place to another."""
    return math.hypot(one.x_yards - other.x_yards, one.y_yards - other.y_yards)


def bearing_to(start: Pose, there: Pose) -> float:
    """The bearing of one place from another, in degrees."""
    return math.degrees(math.atan2(there.x_yards - start.x_yards, there.y_yards - start.y_yards))


def _turn(pose: Pose, course_deg: float) -> float:
    return math.remainder(course_deg - pose.heading_deg, 360.0)


def _has_room(state: FleetState, pose: Pose) -> bool:
    return (
        _ROOM_YARDS <= pose.x_yards <= state.width_yards - _ROOM_YARDS
        and _ROOM_YARDS <= pose.y_yards <= state.height_yards - _ROOM_YARDS
    )
