"""What players settle between two ships: close calls, figures by hand, declarations."""

from dataclasses import dataclass
from typing import ClassVar

from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError, UnknownName
from tabletop.rulings import asked
from tabletop.survey import PairCheck
from web.actions.agreements import told_to_battle
from web.actions.context import Ground, checked_reason, piece_of, within
from web.auth.seats import Forbidden, Right
from web.table.pieces import Premeasure, pose_data
from web.table.state import Event, Kind


@dataclass(frozen=True, slots=True)
class Decide:
    """Agree on one reading of a close call."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str
    what: str
    reading: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The decision, if the call is one and the reading is one of its own."""
        check = _pair(ground, self.firer, self.target)
        calls = asked(check.close_calls)
        call = next((call for call in calls if call.what == self.what), None)
        if call is None:
            raise DreyerError(
                f"{self.firer} to {self.target}: {self.what} is no close call (any more); "
                "look at the check again"
            )
        readings = [str(reading) for reading in call.readings]
        if self.reading not in readings:
            raise UnknownName("decision", "reading", self.reading, readings)
        data = {
            **_couple_data(ground, self.firer, self.target),
            "what": self.what,
            "limit": call.limit,
            "reading": self.reading,
        }
        return _told(ground, Event(Kind.DECIDED, data), self.firer, self.target)


@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back a decision on a close call."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str
    what: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The call is open again."""
        if (self.firer, self.target, self.what) not in ground.state.decisions:
            raise DreyerError("nothing was decided here, or it is open again already")
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
            raise DreyerError("give a reason, so that the log says why the measured value is set")
        figures = {
            "range_yards": self.range_yards,
            "quadrant": self.quadrant,
            "aspect": self.aspect,
            "blocked": self.blocked,
            "smoke": self.smoke,
        }
        if all(value is None for value in figures.values()):
            raise DreyerError("enter at least one figure: range, quadrant, aspect or sight")
        if self.range_yards is not None:
            within("the range in yards", self.range_yards, 0, 1_000_000)
        for key in (self.quadrant, self.aspect):
            if key is not None and key not in set(Quadrant):
                raise UnknownName("ruling", "quadrant", key, list(Quadrant))
        _pair(ground, self.firer, self.target)
        couple = _couple_data(ground, self.firer, self.target)
        ruled = Event(Kind.RULED, {**couple, **figures, "reason": reason})
        return _told(ground, ruled, self.firer, self.target)


@dataclass(frozen=True, slots=True)
class Unrule:
    """Go back to the measured figures of a pair."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The ruling is gone."""
        if (self.firer, self.target) not in ground.state.rulings:
            raise DreyerError("nothing was entered by hand here, or it is gone already")
        unruled = Event(Kind.UNRULED, {"firer": self.firer, "target": self.target})
        return _told(ground, unruled, self.firer, self.target)


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare fire, and so open a pair for measuring; an umpire may always."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The declaration, for all to see."""
        if ground.state.premeasure is Premeasure.UMPIRE and not ground.caller.is_umpire:
            raise Forbidden("only the umpire measures in this game: ask for it")
        _pair(ground, self.firer, self.target)
        return (Event(Kind.DECLARED, _couple_data(ground, self.firer, self.target)),)


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
            raise DreyerError(f"{name} is not on the table yet: place her first")
    if ground.survey is None:
        raise DreyerError("the table is empty: place some ships first")
    return ground.survey[firer, target]


def _couple_data(ground: Ground, firer: str, target: str) -> dict[str, object]:
    return {
        "firer": firer,
        "target": target,
        "firer_pose": pose_data(ground.poses[firer]),
        "target_pose": pose_data(ground.poses[target]),
    }
