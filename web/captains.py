"""Captains at the table: sides that the program plays, as a player of them would.

A captain has no seat. It acts through the session like any caller of its side, from a thread of its
own; its dice are rolled by whoever may roll for a side without people. In a step with secret
orders it commits after everybody else, and after somebody has gone back it waits for the next step
of a player, so that it undoes nobody's undo.
"""

import logging
import random
import threading
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from combat.captain.all_captains import DEFAULT, captain_names, captain_of
from combat.dice import RolledDice
from combat.guided_actions import Commit, RollDice
from combat.guided_play import SECRET_STEPS, GuidedRulebook, PlottedView, StepKind
from combat.participants import SPECTATOR
from combat.participants import Seat as BattleSeat
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import NO_WORDS, Message
from web.actions.battle import Play
from web.auth.seats import Caller, Role, Seat
from web.journal.events import BattlePlayed, BattleUndone, CaptainSet
from web.strings import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from combat.captain.decision import Captain, Decision
    from combat.views import MoveView
    from web.games.guided_game import GuidedGame
    from web.session import Session

_LOOK_SECONDS: Final = 1.0
_OPENED: Final = {
    StepKind.PLOT: (StepKind.MOVE, StepKind.DESIGNATE),
    StepKind.DESIGNATE: (StepKind.REDUCE, StepKind.RESOLVE, StepKind.MARK),
}
"""The steps in which orders of a secret step lie open, and what they were for goes on."""
_LOOKED_BACK: Final = 40
"""In how many entries of the journal an undo is looked for."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaptainNow:
    """A side's captain, and what it is doing."""

    side: str
    name: str
    """Its temperament, or what it is called."""
    done: int = 0
    of: int = 0
    """For how many of its ships it has decided; 0 of 0 where it is not deciding."""
    holds: bool = False
    """Whether it waits because somebody went back."""
    fault: Message = NO_WORDS
    """Why it could not go on."""
    why: "Mapping[str, Message]" = field(default_factory=dict)
    """Why it has ordered what lies open now, by ship."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Plots that a captain has written for a player, and why."""

    place: str
    """The step that they are for."""
    why: "Mapping[str, Message]"


@dataclass(frozen=True, slots=True)
class _Reasons:
    """Why a captain has decided something, and in which step."""

    place: str
    kind: StepKind
    why: "Mapping[str, Message]"

    def lie_open(self, battle: "GuidedGame") -> bool:
        """Whether what was decided is known to everybody in the present step."""
        step = battle.step
        if str(battle.place) != self.place or step.kind is StepKind.ENDED:
            return False
        return self.kind not in SECRET_STEPS or step.kind in _OPENED.get(self.kind, ())


@dataclass
class _Work:
    """What a captain is at."""

    done: int = 0
    of: int = 0
    decided: "_Reasons | None" = None
    n: int = -1
    """The newest entry in the journal for which it has decided, or had nothing to."""
    fault: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class _Made:
    """A captain, with what it has worked out, and what it was made for."""

    rulebook: GuidedRulebook[object]
    table_yards: tuple[float, float] | None
    captain: "Captain[object]"


@dataclass
class TableCaptains:
    """The captains of one table. Every public method may be called from any thread."""

    session: "Session"
    chance: "Callable[[], random.Random]"
    """For the dice of a side whose people are away."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _work: dict[str, _Work] = field(default_factory=dict)
    _made: dict[str, _Made] = field(default_factory=dict)
    """By the captain's name."""
    _proposed: dict[str, Proposed] = field(default_factory=dict)
    _released: int = 0
    """The number of the entry in the journal up to which a captain goes on after an undo."""

    def resume(self) -> None:
        """Go on with the captains of a server that was stopped."""
        if self.sides():
            self._begin()

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout=5)

    # Who plays

    def sides(self) -> "Mapping[str, str]":
        """The captains' names by the sides that they play in the battle on the table."""
        battle = self.session.moment.battle
        if battle is None:
            return MappingProxyType({})
        known = captain_names(battle.rulebook.name)
        return {
            side: name
            for side, name in battle.record.captains.items()
            # A later version may have captains that this one does not know.
            if side in battle.sides and name in known
        }

    def names(self) -> tuple[str, ...]:
        """The captains that could play the battle on the table."""
        battle = self.session.moment.battle
        return () if battle is None or battle.is_over else captain_names(battle.rulebook.name)

    def now(self) -> tuple[CaptainNow, ...]:
        """The captains and what they are doing."""
        battle, holds = self.session.moment.battle, self._holds()
        found = []
        for side, name in self.sides().items():
            work = self._work.get(side, _Work())
            why = {} if battle is None else self._why(battle, work)
            found.append(CaptainNow(side, name, work.done, work.of, holds, work.fault, why))
        return tuple(found)

    def _why(self, battle: "GuidedGame", work: _Work) -> "Mapping[str, Message]":
        """The reasons of a captain that tell nothing secret now."""
        reasons = work.decided
        if reasons is None or not reasons.lie_open(battle):
            return {}
        view = battle.view(SPECTATOR)
        # Where ships are face down or out of sight, reasons would name them.
        if isinstance(view, PlottedView) and (view.fog or view.conditions.hidden):
            return {}
        return reasons.why

    def appoint(self, caller: Caller, side: str, name: str) -> int:
        """Let a captain play a side."""
        battle = self.session.moment.battle
        if battle is None or battle.is_over:
            raise DreyerError("battle.not_begun")
        known = captain_names(battle.rulebook.name)
        if name not in known:
            raise UnknownName(Message("errors.where.captains"), "captain", name, known)
        if side not in battle.sides:
            raise UnknownName(Message("errors.where.battle"), "side", side, battle.sides)
        self._work.pop(side, None)
        self._set(caller, battle, side, name)
        self._begin()
        return self.session.announce()

    def dismiss(self, caller: Caller, side: str) -> int:
        """Let people play a side again."""
        battle = self.session.moment.battle
        self._work.pop(side, None)
        if battle is not None and side in battle.record.captains:
            self._set(caller, battle, side, None)
        return self.session.announce()

    def go_on(self) -> int:
        """Do not wait any longer after somebody went back."""
        self._released = self._newest()
        return self.session.announce()

    def _set(self, caller: Caller, battle: "GuidedGame", side: str, name: str | None) -> None:
        if battle.record.captains.get(side) != name:
            called = self.session.moment.state.sides[side].name or None
            self.session.append_event(caller, CaptainSet(side=side, captain=name, side_name=called))

    # Proposals for players

    def propose(self, caller: Caller) -> int:
        """Write the plots of a player's side as a captain would, for the player to look at."""
        battle, seat = self.session.moment.battle, caller.seat
        side = None if seat is None else seat.side
        if battle is None or side is None or side not in battle.sides:
            raise DreyerError("battle.not_in_it")
        # Imported late: whoever plays without captains needs none.
        from combat.captain.advanced import AdvancedCaptain

        captain = captain_of(battle.rulebook, DEFAULT, self._table_yards())
        if not isinstance(captain, AdvancedCaptain):
            raise DreyerError("captain.fault.no_proposals")
        decision = captain.propose_plots(battle.state, side, self._chance(battle, side))  # type: ignore[arg-type]
        if decision is None:
            raise DreyerError("captain.fault.no_plots_now")
        seq = self.session.act(caller, Play(decision.action))
        self._proposed[side] = Proposed(str(battle.place), decision.why)
        self.session.announce()
        return seq

    def proposed(self, side: str | None) -> "Mapping[str, Message]":
        """Why a captain has proposed the plots of this step to a side."""
        battle = self.session.moment.battle
        found = self._proposed.get(side or "")
        if battle is None or found is None or found.place != str(battle.place):
            return {}
        return found.why if battle.step.kind is StepKind.PLOT else {}

    # The thread

    def _begin(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._stop.clear()
                self._thread = threading.Thread(target=self._run, name="captains", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            seq = self.session.seq
            try:
                acted = any(self._act(side, name) for side, name in self.sides().items())
            except Exception:
                # Whatever is wrong, the table goes on; a person can take the side over.
                _log.exception("a captain stumbled")
                acted = False
            if not acted:
                self.session.wait(seq, _LOOK_SECONDS)

    def _act(self, side: str, name: str) -> bool:
        """Take the next action of a side; whether there was one."""
        # Read before the battle: what is entered meanwhile is looked at the next time.
        newest = self._newest()
        battle, work = self.session.moment.battle, self._work.setdefault(side, _Work())
        if battle is None or battle.is_over or work.n == newest or self._holds():
            return False
        work.n = newest
        if self._rolls(battle, side):
            return self._play(side, name, RollDice(), work)
        try:
            decision = self._decide(battle, side, name, work)
        except DreyerError as error:
            self._stumble(work, error)
            return False
        if decision is None or self._waits_for_people(battle, decision):
            return False
        if not self._play(side, name, decision.action, work):
            return False
        if decision.why:
            work.decided = _Reasons(str(battle.place), battle.step.kind, decision.why)
        return True

    def _decide(self, battle: "GuidedGame", side: str, name: str, work: _Work) -> "Decision | None":
        def progress(done: int, of: int) -> None:
            work.done, work.of = done, of
            self.session.announce()

        captain = self._captain(battle, name)
        try:
            return captain.decide(battle.state, side, self._chance(battle, side), progress)
        finally:
            work.done = work.of = 0

    def _play(self, side: str, name: str, action: object, work: _Work) -> bool:
        who = str(text("captain.name", name=text(f"captain.temperament.{name}")))
        caller = Caller(f"captain:{side}", seat=Seat("captain", who[:24], Role.PLAYER, side))
        dice = RolledDice(self.chance())
        play = Play(action, dice) if isinstance(action, RollDice) else Play(action)  # type: ignore[arg-type]
        try:
            self.session.act(caller, play)
        except DreyerError as error:
            self._stumble(work, error)
            return False
        work.fault = NO_WORDS
        return True

    def _stumble(self, work: _Work, error: DreyerError) -> None:
        if work.fault != error.message:
            work.fault = error.message
            self.session.announce()

    def _captain(self, battle: "GuidedGame", name: str) -> "Captain[object]":
        size = self._table_yards()
        made = self._made.get(name)
        if made is None or made.rulebook is not battle.rulebook or made.table_yards != size:
            captain = captain_of(battle.rulebook, name, size)
            self._made[name] = made = _Made(battle.rulebook, size, captain)
        return made.captain

    def _table_yards(self) -> tuple[float, float] | None:
        state = self.session.moment.state
        known = state.width_yards > 0 and state.height_yards > 0
        return (state.width_yards, state.height_yards) if known else None

    def _chance(self, battle: "GuidedGame", side: str) -> random.Random:
        """The same battle at the same step gives the same decision, wherever its file lies."""
        seed = f"{self.session.battle_key}:{side}:{len(battle.record.events)}"
        return random.Random(seed)  # noqa: S311 - a game, not a secret

    def _rolls(self, battle: "GuidedGame", side: str) -> bool:
        """Whether nobody at the table may roll the dice that a side's captain wants."""
        if side not in {seat.side for seat in self.session.seats}:
            return False
        return any(each.side == side for each in battle.rulebook.all_wanted(battle.state))

    def _waits_for_people(self, battle: "GuidedGame", decision: "Decision") -> bool:
        """Whether people have yet to commit what would be opened by the captain's commitment."""
        if not isinstance(decision.action, Commit):
            return False
        captains = self.sides()
        return any(each not in captains for each in battle.step.waiting_for)

    def _holds(self) -> bool:
        for entry in reversed(self.session.log(most=_LOOKED_BACK)):
            if isinstance(entry.event, BattlePlayed):
                return False
            if isinstance(entry.event, BattleUndone):
                return entry.n > self._released
        return False

    def _newest(self) -> int:
        newest = self.session.log(most=1)
        return newest[-1].n if newest else 0


def may_give(side: str, caller: Caller, seated: "Iterable[str | None]") -> bool:
    """Whether a caller may give a side to a captain, or take it back."""
    if caller.host or caller.is_umpire:
        return True
    if caller.seat is None or not caller.may_play:
        return False
    return caller.seat.side == side or side not in seated


def shown_moves(
    captains: TableCaptains, battle: "GuidedGame", caller: Caller
) -> "Mapping[str, MoveView]":
    """The moves of captains' ships, for whoever moves their models, by what the caller calls them.

    They are told once all plots lie open, because somebody has to move the models (57.6).
    """
    if battle.step.kind is not StepKind.MOVE or caller.seat is None or not caller.may_play:
        return {}
    seat = BattleSeat(caller.seat.side, umpire=caller.is_umpire)
    called = {model: ship for ship, model in battle.rulebook.models(battle.state, seat).items()}
    if battle.plotted_view(seat).fog and not seat.umpire:
        return {}
    found: dict[str, MoveView] = {}
    for side in captains.sides():
        own = BattleSeat(side)
        models = battle.rulebook.models(battle.state, own)
        view = battle.plotted_view(own)
        for ship in view.ships:
            if ship.side == side and ship.id in view.move:
                found[called.get(models[ship.id], ship.id)] = view.move[ship.id]
    return found
