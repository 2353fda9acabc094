"""The battle as one caller may see it: the rulebook's view, and the state of undo."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from combat.guided_actions import RollDice, Secret
from combat.guided_play import BattleView, OrderedRulebook, OrderedView, PlottedView, StepKind
from combat.owner_values import short_checksum
from combat.participants import Seat
from combat.story_entries import Entry
from combat.views import PlotCheck
from tabletop.messages import Message
from web.actions.battle import (
    marks_by_itself,
    mistyped_roll,
    own_step_to_undo,
    undone_after,
)
from web.actions.context import RANGE_PARAM
from web.auth.seats import Caller
from web.games.guided_game import GuidedGame
from web.journal.battle_record import RecordedAction, how_rolled
from web.strings import text

_DICE_NAMED: Final = 6
"""The most rolls of one action that a line names."""
_HURTS: Final = frozenset({"fire", "torpedo", "sunk", "slowed", "collision", "jam"})


@dataclass(frozen=True, slots=True)
class UndoRequestView:
    """A request to undo."""

    n: int
    """Its number, by which it is answered."""
    who: str
    side: str | None
    after: int
    steps: int
    """The number of public steps that would be undone."""
    words: str
    yours: bool
    back_to: str
    """The last step that would stand, in words; empty for the beginning of the battle."""
    undone: tuple[str, ...]
    """The steps that would be undone, in words, the last first."""
    drafts: int
    """How many orders, written in secret since, would be undone with them."""
    retype: bool
    """Whether typed dice would be typed anew."""


@dataclass(frozen=True, slots=True)
class RefusedView:
    """A request of the caller's side that was refused, and by whom."""

    n: int
    """Its number, by which it is put away."""
    who: str
    undone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastStepView:
    """The last step that everybody knows of: what goes back behind it."""

    after: int
    words: str
    typed: bool
    """Whether it is dice that people typed."""


@dataclass(frozen=True, slots=True)
class UndoView:
    """What can be undone."""

    own: bool
    """Whether POST /api/battle/undo would undo a step of the caller."""
    request: UndoRequestView | None
    agreed: tuple[str, ...]
    """The sides that have agreed; every other side with people at the table has to."""
    refused: RefusedView | None
    last: LastStepView | None
    mistyped: LastStepView | None
    """The last roll that the caller's side typed, as long as it can be typed anew."""


@dataclass(frozen=True, slots=True)
class PlottedCallerView(PlottedView):
    """The rulebook's view for the caller's side, and the state of undo."""

    undo: UndoView
    tables: str
    """The checksum of the battle's tables, for both sides to compare."""
    dice_kept: int
    """The number of kept dice from before an undo."""


@dataclass(frozen=True, slots=True)
class OrderedCallerView(OrderedView):
    """The rulebook's view of a battle without secrets for the caller, and the state of undo."""

    undo: UndoView
    tables: str
    """The checksum of the battle's tables, for both sides to compare."""
    dice_kept: int
    """The number of kept dice from before an undo."""


CallerView = PlottedCallerView | OrderedCallerView
"""The battle for one caller, by the kind of its rulebook."""


def battle_view(battle: GuidedGame, caller: Caller) -> CallerView:
    """The battle for one caller."""
    if isinstance(battle.rulebook, OrderedRulebook):
        return ordered_view(battle, caller)
    return plotted_view(battle, caller)


def ordered_view(battle: GuidedGame, caller: Caller) -> OrderedCallerView:
    """A battle in which ships act in turn, for one caller; DreyerError where they do not."""
    view = battle.ordered_view(seat_seen(battle, caller))
    undo, tables, kept = _for_caller(battle, caller)
    return OrderedCallerView(**_values(view), undo=undo, tables=tables, dice_kept=kept)


def plotted_view(battle: GuidedGame, caller: Caller) -> PlottedCallerView:
    """A battle with written orders for one caller; DreyerError where none are written."""
    view = battle.plotted_view(seat_seen(battle, caller))
    undo, tables, kept = _for_caller(battle, caller)
    return PlottedCallerView(**_values(view), undo=undo, tables=tables, dice_kept=kept)


def _values(view: BattleView) -> dict[str, Any]:
    return {each.name: getattr(view, each.name) for each in fields(view)}


def _for_caller(battle: GuidedGame, caller: Caller) -> tuple[UndoView, str, int]:
    undo = UndoView(
        own_step_to_undo(battle, caller) is not None,
        _request(battle, side_seen(battle, caller)),
        battle.record.request.agreed if battle.record.request else (),
        _refused(battle, side_seen(battle, caller)),
        _last(battle),
        _mistyped(battle, caller),
    )
    kept = sum(len(roll.faces) for roll in battle.game.kept_rolls(RollDice()))
    return undo, short_checksum(battle.tables.checksum), kept


def _request(battle: GuidedGame, side: str | None) -> UndoRequestView | None:
    request = battle.record.request
    if request is None:
        return None
    steps = steps_of(battle)
    gone = undone_after(battle, request.after, retype=request.retype)
    return UndoRequestView(
        n=request.n,
        who=request.who,
        side=request.side,
        after=request.after,
        steps=sum(each.recorded.n in gone for each in steps),
        words=request.words,
        yours=request.side == side,
        back_to=next(
            (step_words(each) for each in reversed(steps) if each.recorded.n not in gone), ""
        ),
        undone=_undone_words(steps, gone),
        drafts=sum(
            each.n in gone and isinstance(each.action, Secret) for each in battle.record.events
        ),
        retype=request.retype,
    )


def _undone_words(steps: Sequence["PastStep"], gone: Container[int]) -> tuple[str, ...]:
    return tuple(step_words(each) for each in reversed(steps) if each.recorded.n in gone)


def _refused(battle: GuidedGame, side: str | None) -> RefusedView | None:
    refused = battle.record.refused
    if refused is None or side is None or refused.request.side != side:
        return None
    request = refused.request
    gone = undone_after(battle, request.after, retype=request.retype)
    return RefusedView(request.n, refused.who, _undone_words(steps_of(battle), gone))


def _last(battle: GuidedGame) -> LastStepView | None:
    events, steps = battle.record.events, steps_of(battle)
    if not steps:
        return None
    last = steps[-1].recorded
    is_dice = isinstance(last.action, RollDice) and last is events[-1]
    typed = is_dice and not all(roll.by_server for roll in last.rolls)
    return LastStepView(_before(battle, last), step_words(steps[-1]), typed)


def _mistyped(battle: GuidedGame, caller: Caller) -> LastStepView | None:
    found = mistyped_roll(battle, caller)
    if found is None:
        return None
    return LastStepView(_before(battle, found), dice_in_short(found), typed=True)


def _before(battle: GuidedGame, recorded: RecordedAction) -> int:
    """The number of the action before one, or of the beginning of the battle."""
    before = [each.n for each in battle.record.events if each.n < recorded.n]
    return before[-1] if before else battle.record.begun


def step_words(step: "PastStep") -> str:
    """Who did what, in words."""
    return str(text("battle.who_did", who=step.recorded.who, what=words_of(step.recorded)))


def dice_in_short(recorded: RecordedAction) -> str:
    """The dice of an action as a line has room for them: the app rolls whole segments at once."""
    more = " …" if len(recorded.rolls) > _DICE_NAMED else ""
    return " ".join(roll.value for roll in recorded.rolls[:_DICE_NAMED]) + more


def words_of(recorded: RecordedAction) -> str:
    """What somebody did, in words."""
    action, kind = recorded.action, recorded.action.kind
    values: dict[str, object] = {"reason": getattr(action, "reason", "")}
    if isinstance(action, RollDice):
        kind = f"dice_{how_rolled(recorded.rolls)}"
        values["dice"] = dice_in_short(recorded)
    return str(text(f"events.battle.{kind}", **values))


def seat_seen(battle: GuidedGame, caller: Caller) -> Seat:
    """The rules' seat for a caller."""
    return Seat(side_seen(battle, caller), umpire=caller.is_umpire)


def side_seen(battle: GuidedGame, caller: Caller) -> str | None:
    """The side whose secrets a caller may see; None for no side."""
    seat = caller.seat
    return seat.side if seat is not None and seat.side in battle.sides else None


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

    What is written in secret is no step that others can name; its commitment is. Damage that is
    marked by itself belongs to the roll before it.
    """
    return tuple(
        PastStep(recorded, played.place.round_number, played.place.segment)
        for recorded, played in zip(battle.record.events, battle.game.played, strict=True)
        if not (isinstance(recorded.action, Secret) or marks_by_itself(recorded.action))
    )


def fought_entries(told: Sequence[Entry], view: BattleView) -> tuple[Entry, ...]:
    """The fire that was resolved last, and what came of it: of the segment before, while plotting.

    `told` is the whole story.
    """
    now = view.round, view.segment
    keys = {(entry.round_number, entry.segment) for entry in told}
    if view.step.kind is StepKind.PLOT:
        now = max((key for key in keys if key < now), default=now)
    return tuple(
        each for each in told if (each.round_number, each.segment) == now and each.kind in _HURTS
    )


def unmeasured(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The story for those who may not measure: without how enemies lie for a ship that moved."""
    return tuple(
        each for each in entries if each.kind != "move" or not each.line.text.has(RANGE_PARAM)
    )


def without_ranges(check: PlotCheck) -> PlotCheck:
    """The check for those who may not measure: no note and no fault says how far off a ship is."""
    return replace(
        check,
        notes=tuple(note for note in check.notes if not note.text.has(RANGE_PARAM)),
        faults=tuple(
            replace(fault, message=Message("battle.order.not_measured"))
            if fault.message.has(RANGE_PARAM)
            else fault
            for fault in check.faults
        ),
    )
