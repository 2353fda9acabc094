"""What players settle between two ships: close calls, figures by hand, declarations."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field, with_config

from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.rulings import merge_close_calls
from tabletop.schema import CONFIG, Line
from tabletop.survey import PairCheck
from web.actions.agreements import change_with_battle
from web.actions.context import (
    NO_CHANGE,
    ActionContext,
    Change,
    check_limits,
    checked_reason,
    event_change,
    piece_of,
)
from web.auth.seats import Forbidden, Right
from web.journal.events import (
    Decided,
    Declared,
    Premeasure,
    PremeasureSet,
    Reopened,
    Ruled,
    Unruled,
)
from web.journal.fields import Name


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Decide:
    """Agree on one reading of a close call."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name
    what: CloseCallKind
    reading: Annotated[Line, Field(min_length=1, max_length=60)]

    def change(self, context: ActionContext) -> Change:
        """The decision, if the call is one and the reading is one of its own."""
        check = _pair(context, self.firer, self.target)
        calls = merge_close_calls(check.close_calls)
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
        decided = Decided(
            firer=self.firer,
            target=self.target,
            firer_pose=context.poses[self.firer],
            target_pose=context.poses[self.target],
            what=self.what,
            limit=call.limit,
            reading=self.reading,
        )
        return change_with_battle(context, decided, decided.pair)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back a decision on a close call."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name
    what: CloseCallKind

    def change(self, context: ActionContext) -> Change:
        """The call is open again."""
        if (self.firer, self.target, self.what) not in context.state.decisions:
            raise DreyerError("check.pair.not_decided")
        reopened = Reopened(firer=self.firer, target=self.target, what=self.what)
        return change_with_battle(context, reopened, reopened.pair)


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

    def change(self, context: ActionContext) -> Change:
        """The ruling; it needs a reason and at least one figure."""
        reason = checked_reason(self.reason)
        if not reason:
            raise DreyerError("check.pair.reason_wanted")
        figures = (self.range_yards, self.quadrant, self.aspect, self.blocked, self.smoke)
        if all(value is None for value in figures):
            raise DreyerError("check.pair.figure_wanted")
        if self.range_yards is not None:
            check_limits(Message("check.figure.range"), self.range_yards, 0, 1_000_000)
        for key in (self.quadrant, self.aspect):
            if key is not None and key not in set(Quadrant):
                raise UnknownName(Message("errors.where.ruling"), "quadrant", key, list(Quadrant))
        _pair(context, self.firer, self.target)
        ruled = Ruled(
            firer=self.firer,
            target=self.target,
            firer_pose=context.poses[self.firer],
            target_pose=context.poses[self.target],
            range_yards=self.range_yards,
            quadrant=self.quadrant,
            aspect=self.aspect,
            blocked=self.blocked,
            smoke=self.smoke,
            reason=reason,
        )
        return change_with_battle(context, ruled, ruled.pair)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Unrule:
    """Go back to the measured figures of a pair."""

    needs: ClassVar = Right.PLAY
    firer: str
    target: str

    def change(self, context: ActionContext) -> Change:
        """The ruling is gone."""
        if (self.firer, self.target) not in context.state.rulings:
            raise DreyerError("check.pair.not_entered")
        unruled = Unruled(firer=self.firer, target=self.target)
        return change_with_battle(context, unruled, unruled.pair)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class Declare:
    """Declare fire, and so open a pair for measuring; an umpire may always."""

    needs: ClassVar = Right.PLAY
    firer: Name
    target: Name

    def change(self, context: ActionContext) -> Change:
        """The declaration, for all to see."""
        if context.state.premeasure is Premeasure.UMPIRE and not context.caller.is_umpire:
            raise Forbidden("check.pair.umpire_only")
        _pair(context, self.firer, self.target)
        return event_change(
            Declared(
                firer=self.firer,
                target=self.target,
                firer_pose=context.poses[self.firer],
                target_pose=context.poses[self.target],
            )
        )


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class SetPremeasure:
    """The house rule about measuring before firing."""

    needs: ClassVar = Right.HOST
    mode: Premeasure

    def change(self, context: ActionContext) -> Change:
        """The rule from now on."""
        if context.state.premeasure is self.mode:
            return NO_CHANGE
        return event_change(PremeasureSet(mode=self.mode))


def _pair(context: ActionContext, firer: str, target: str) -> PairCheck:
    for name in (firer, target):
        piece_of(context, name)
        context.moment.must_be_in_play(name)
    if context.moment.survey is None:
        raise DreyerError("table.fault.empty")
    return context.moment.survey[firer, target]
