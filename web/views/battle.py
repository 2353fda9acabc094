"""The battle as one caller may see it: the rulebook's view, and the state of undo."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from combat.guided_actions import RollDice, Secret
from combat.guided_play import BattleView, OrderedRulebook, OrderedView, PlottedView
from combat.owner_values import short_checksum
from combat.participants import Seat
from combat.story_entries import Entry
from combat.views import PlotCheck
from tabletop.messages import Message
from web.actions.battle import own_step_to_undo
from web.actions.context import RANGE_PARAM
from web.auth.seats import Caller
from web.games.guided_game import GuidedGame
from web.journal.battle_record import RecordedAction


@dataclass(frozen=True, slots=True)
class UndoRequestView:
    """A request to undo."""

    who: str
    side: str | None
    after: int
    steps: int
    """The number of public steps that would be undone."""
    words: str
    yours: bool


@dataclass(frozen=True, slots=True)
class UndoView:
    """What can be undone."""

    own: bool
    """Whether POST /api/battle/undo would undo a step of the caller."""
    request: UndoRequestView | None
    agreed: tuple[str, ...]
    """The sides that have agreed; every other side with people at the table has to."""


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
    )
    kept = sum(len(roll.faces) for roll in battle.game.kept_rolls(RollDice()))
    return undo, short_checksum(battle.tables.checksum), kept


def _request(battle: GuidedGame, side: str | None) -> UndoRequestView | None:
    request = battle.record.request
    if request is None:
        return None
    return UndoRequestView(
        who=request.who,
        side=request.side,
        after=request.after,
        steps=sum(each.recorded.n > request.after for each in steps_of(battle)),
        words=request.words,
        yours=request.side == side,
    )


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

    What is written in secret is no step that others can name; its commitment is.
    """
    return tuple(
        PastStep(recorded, played.place.round_number, played.place.segment)
        for recorded, played in zip(battle.record.events, battle.game.played, strict=True)
        if not isinstance(recorded.action, Secret)
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
