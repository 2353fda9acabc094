"""What players settle between two ships: close calls, figures by hand, declarations."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field, with_config

from tabletop.arcs import Quadrant
from tabletop.closecall import Question
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.rulings import asked
from tabletop.schema import CONFIG, Line
from tabletop.survey import PairCheck
from web.actions.agreements import told_to_battle
from web.actions.context import Ground, checked_reason, piece_of, within
from web.actions.field_types import Name
from web.auth.seats import Forbidden, Right
from web.journal.entries import Event, Kind
from web.table.pieces import Premeasure, pose_data


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Decide:
    """Agree on one reading of a close call."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name
    what: Question
    reading: Annotated[Line, Field(min_length=1, max_length=60)]

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The decision, if the call is one and the reading is one of its own."""
        check = _pair(ground, self.firer, self.target)
        calls = asked(check.close_calls)
        call = next((call for call in calls if call.what == self.what), None)
        if call is None:
            raise DreyerError(
                "check.pair.no_close_call",
                firer=self.firer,
                target=self.target,
                what=self.what,
            )
        readings = [str(reading) for reading in call.readings]
        if self.reading not in readings:
            raise UnknownName(Message("errors.where.decision"), "reading", self.reading, readings)
        data = {
            **_couple_data(ground, self.firer, self.target),
            "what": self.what,
            "limit": call.limit.store() if isinstance(call.limit, Message) else call.limit,
            "reading": self.reading,
        }
        return _told(ground, Event(Kind.DECIDED, data), self.firer, self.target)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back a decision on a close call."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name
    what: Question

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The call is open again."""
        if (self.firer, self.target, self.what) not in ground.state.decisions:
            raise DreyerError("check.pair.not_decided")
        data = {"firer": self.firer, "target": self.target, "what": self.what}
        return _told(ground, Event(Kind.REOPENED, data), self.firer, self.target)


@dataclass(frozen=True, slots=True)
class Rule:
    """Enter figures of a pair over the measured ones."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str
    reason: str
    range_yards: float | None = None
    quadrant: str | None = None
    aspect: str | None = None
    blocked: bool | None = None
    smoke: bool | None = None

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The ruling; it needs a reason and at least one figure."""
        reason = checked_reason(self.reason)
        if not reason:
            raise DreyerError("check.pair.reason_wanted")
        figures = {
            "range_yards": self.range_yards,
            "quadrant": self.quadrant,
            "aspect": self.aspect,
            "blocked": self.blocked,
            "smoke": self.smoke,
        }
        if all(value is None for value in figures.values()):
            raise DreyerError("check.pair.figure_wanted")
        if self.range_yards is not None:
            within(Message("check.figure.range"), self.range_yards, 0, 1_000_000)
        for key in (self.quadrant, self.aspect):
            if key is not None and key not in set(Quadrant):
                raise UnknownName(Message("errors.where.ruling"), "quadrant", key, list(Quadrant))
        _pair(ground, self.firer, self.target)
        couple = _couple_data(ground, self.firer, self.target)
        ruled = Event(Kind.RULED, {**couple, **figures, "reason": reason})
        return _told(ground, ruled, self.firer, self.target)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Unrule:
    """Go back to the measured figures of a pair."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The ruling is gone."""
        if (self.firer, self.target) not in ground.state.rulings:
            raise DreyerError("check.pair.not_entered")
        unruled = Event(Kind.UNRULED, {"firer": self.firer, "target": self.target})
        return _told(ground, unruled, self.firer, self.target)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Declare:
    """Declare fire, and so open a pair for measuring; an umpire may always."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The declaration, for all to see."""
        if ground.state.premeasure is Premeasure.UMPIRE and not ground.caller.is_umpire:
            raise Forbidden("check.pair.umpire_only")
        _pair(ground, self.firer, self.target)
        return (Event(Kind.DECLARED, _couple_data(ground, self.firer, self.target)),)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class SetPremeasure:
    """The house rule about measuring before firing."""

    needs: ClassVar = Right.HOST
    mode: Premeasure

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The rule from now on."""
        if ground.state.premeasure is self.mode:
            return ()
        return (Event(Kind.PREMEASURE, {"mode": self.mode}),)


def _told(ground: Ground, event: Event, firer: str, target: str) -> tuple[Event, ...]:
    """What was settled, and the same for the battle, where one goes on."""
    return told_to_battle(ground, event, (firer, target))


def _pair(ground: Ground, firer: str, target: str) -> PairCheck:
    for name in (firer, target):
        piece_of(ground, name)
        if name not in ground.poses:
            raise DreyerError("table.fault.not_placed", name=name)
    if ground.survey is None:
        raise DreyerError("table.fault.empty")
    return ground.survey[firer, target]


def _couple_data(ground: Ground, firer: str, target: str) -> dict[str, object]:
    return {
        "firer": firer,
        "target": target,
        "firer_pose": pose_data(ground.poses[firer]),
        "target_pose": pose_data(ground.poses[target]),
    }
