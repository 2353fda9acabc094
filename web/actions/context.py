"""What an action is judged by, and the fields and checks that many actions share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Protocol

from pydantic import Field

from combat.free_play import FreeState
from combat.game import PlayedAction
from combat.guided_play import GuidedRulebook
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.scale import Scale, Unit
from tabletop.schema import FARTHEST_YARDS, Line, Number
from tabletop.table import Pose
from web.auth.seats import Caller, Right
from web.faults import NeedsConsent
from web.games.guided_game import GuidedGame
from web.journal.battle_record import battle_played
from web.journal.events import Event, Premeasure
from web.table.moment import Moment
from web.table.pieces import Piece
from web.table.state import TableState

LONGEST_REASON: Final = 120

# Fields that many actions and requests have, with their limits.
Reason = Annotated[Line, Field(max_length=LONGEST_REASON)]
Distance = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
"""Along an edge of the table, in any unit."""
Degrees = Annotated[Number, Field(ge=-360, le=360)]


RANGE_PARAM: Final = "range_yards"
"""The parameter of messages that give a range."""


@dataclass(frozen=True, slots=True)
class ActionContext:
    """What an action is judged by: the table at this moment and who acts."""

    moment: Moment
    caller: Caller
    seated: frozenset[str] = frozenset()
    """The sides on which somebody has a seat."""
    agreed: frozenset[str] = frozenset()
    """The sides that have agreed to the action, beside the caller's own."""

    @property
    def state(self) -> TableState:
        """The table as the journal gives it."""
        return self.moment.state

    @property
    def battle(self) -> GuidedGame | None:
        """The guided battle on the table."""
        return self.moment.battle

    @property
    def poses(self) -> Mapping[str, Pose]:
        """Where every ship is now, by the camera or by hand."""
        return self.moment.poses

    @property
    def sensed(self) -> frozenset[str]:
        """The ships that the camera has in sight and moves."""
        return frozenset(name for name, now in self.moment.ships.items() if now.is_sensed)

    @property
    def may_measure(self) -> bool:
        """Whether the caller may know the range of any two ships."""
        return self.state.premeasure is Premeasure.OPEN or self.caller.is_umpire

    def must_agree(self, sides: Iterable[str], about: Message) -> None:
        """Raise NeedsConsent unless all of these sides that have people agree.

        An umpire decides alone, and so does the host without a seat.
        """
        caller = self.caller
        if self.battle is None or self.battle.is_over or caller.is_umpire:
            return
        if caller.seat is None and caller.host:
            return
        own = caller.seat.side if caller.seat else None
        missing = self.seated.intersection(sides) - {own} - self.agreed
        if missing:
            raise NeedsConsent(about, missing)

    def in_yards(self, length: float, unit: Unit) -> float:
        """A length on this table in yards."""
        if not self.state.is_open:
            return length
        return Scale(self.state.yards_per_inch).yards_from(length, unit)


@dataclass(frozen=True, slots=True)
class Change:
    """What an action does: its events, in order, and what was played in a battle for them."""

    events: tuple[Event, ...] = ()
    battle: tuple[PlayedAction[object], ...] = ()
    """The actions of the guided battle, one for each `BattlePlayed` among the events."""
    free: tuple[PlayedAction[FreeState[object]], ...] = ()
    """The actions of free play, one for each step of `FreePlayed` among the events."""

    def __add__(self, other: "Change") -> "Change":
        """One change after another."""
        return Change(
            (*self.events, *other.events),
            (*self.battle, *other.battle),
            (*self.free, *other.free),
        )


NO_CHANGE: Final = Change()


def event_change(*events: Event) -> Change:
    """Events that play nothing in a battle."""
    return Change(events)


def battle_change(rulebook: GuidedRulebook[object], *played: PlayedAction[object]) -> Change:
    """Actions of the guided battle that have just been played."""
    return Change(tuple(battle_played(rulebook, each) for each in played), battle=played)


class Action(Protocol):
    """One thing a caller wants done."""

    needs: ClassVar[Right]

    def change(self, context: ActionContext) -> Change:
        """What it does, or a DreyerError that says why it cannot be done."""
        ...


def piece_of(context: ActionContext, name: str) -> Piece:
    """The ship of this name, which must be on the list."""
    try:
        return context.state.pieces[name]
    except KeyError:
        raise UnknownName(
            Message("errors.where.this_table"), "ship", name, context.state.pieces
        ) from None


def check_limits(name: Message, value: float, least: float, most: float) -> float:
    """The value, which must lie between these; its name says what it is to people."""
    if not least <= value <= most:
        raise DreyerError("errors.out_of_bounds", name=name, least=least, most=most, value=value)
    return value


def checked_reason(text: str) -> str:
    """A reason on one line, not too long."""
    text = " ".join(text.split())
    if len(text) > LONGEST_REASON:
        raise DreyerError("errors.reason_too_long", longest_reason=LONGEST_REASON)
    return text
