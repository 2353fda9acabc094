"""The running table: its journal, its state, what the camera sees, and waiting clients.

One lock guards everything. The camera's thread and all requests use it; what they read is an
immutable `Moment` that is replaced as a whole.
"""

import gc
import secrets
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil
from types import MappingProxyType
from typing import Final, TypeVar

from combat.dice_wanted import short_id
from combat.library import Library
from tabletop.errors import DreyerError
from tabletop.messages import Message
from vision.snapshot import ShipState, TrackedShip
from web.actions.context import Action, ActionContext, Change, event_change
from web.auth.seats import Caller, Forbidden, Right, Seats
from web.faults import Fault, NeedsConsent
from web.games.free_game import FreeGames, follow_free
from web.games.guided_game import GuidedGame, follow
from web.journal.events import Entry, Event, UndoAsked, UndoRefused
from web.journal.store import DamagedStore, Store, StoreFault, Task
from web.library import CurrentLibrary
from web.table.moment import CameraStatus, Moment, ship_now
from web.table.state import TableState, replay

T = TypeVar("T")

_MOVED_MM: Final = 0.3
_TURNED_DEG: Final = 0.3
"""A settled ship that turns by less is not reported as a change."""
_PRESENT_SECONDS: Final = 3.8
"""How long after its last request a page counts as open; it asks every 1.5 seconds, and those who
wait look every second, so that what they are told is true within 5 seconds."""
_NUDGE_SECONDS: Final = 20.0
"""The least time between two nudges of a side."""
_REFUSED_SECONDS: Final = 20.0
"""How long a side whose request was refused waits before it asks the others again."""
_WITHDRAWN_SECONDS: Final = 5.0
"""The same after it has withdrawn its request, or put another in its place."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """Somebody reminds a side that the battle waits for it."""

    n: int
    """Grows with every nudge, so that a page tells each once."""
    who: str
    seconds: float
    """On the monotonic clock."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action that waits for the consent of other sides. Not stored: it is asked for again."""

    id: str
    caller: Caller
    action: Action
    about: Message
    sides: frozenset[str]
    """The sides that are asked."""
    agreed: frozenset[str] = frozenset()


class Request(StrEnum):
    """What a side asks the others for."""

    UNDO = "undo"
    CONSENT = "consent"


class Session:
    """One running table. Every public method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        *,
        seat_store: Store | None = None,
        library: CurrentLibrary | None = None,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """A table from its journal; seats and code are in a separate file if one is given."""
        self._store = store
        self._seat_store = seat_store
        self.library = library or CurrentLibrary()
        """The rulebooks with the players' cards."""
        self._clock = clock
        self._monotonic = monotonic
        self._condition = threading.Condition(threading.RLock())
        self._entries, self._state, self._battle, self._free = _open_journal(
            store, self.library.now
        )
        self._seats = Seats(seat_store or store)
        self._sightings: Mapping[str, TrackedShip] = MappingProxyType({})
        self._seen_at = 0.0
        self._camera = CameraStatus()
        self._last_seen: dict[str, float] = {}
        self._shown_present: frozenset[str] = frozenset()
        self._nudges: dict[str, Nudge] = {}
        self._nudged = int(clock())
        self._replay_shown: bool | None = None
        self._proposals: dict[str, Proposal] = {}
        self._asks_again_at: dict[tuple[Request, str], float] = {}
        # The counter starts at the clock's value, so that it never repeats after a restart.
        self._seq = int(clock() * 10) if self._entries else 1
        self._moment = self._build_moment()

    # The current state

    @property
    def moment(self) -> Moment:
        """The current state of the table."""
        return self._moment

    @property
    def seq(self) -> int:
        """A number that grows with every change, entered or seen by the camera."""
        return self._moment.seq

    def now(self) -> float:
        """The monotonic clock of `ShipNow.seen_at`."""
        return self._monotonic()

    def wait(self, after: int, timeout: float) -> int:
        """Wait until `seq` differs from `after`, or for the timeout; returns `seq`.

        Whoever waits in vain notices who has gone away meanwhile.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._moment.seq != after, timeout)
            if self._moment.seq == after and self._present != self._shown_present:
                self._publish()
            return self._moment.seq

    def log(self, before: int | None = None, most: int = 40) -> tuple[Entry, ...]:
        """The newest entries of the journal, in order."""
        with self._condition:
            end = len(self._entries)
            if before is not None:
                end = bisect_left(self._entries, before, key=lambda entry: entry.n)
            return tuple(self._entries[max(0, end - most) : end])

    # The journal

    @property
    def journal(self) -> str:
        """The name of the open journal."""
        return self._store.name

    @property
    def battle_key(self) -> str:
        """What tells the battle on the table from all others; empty without one.

        Each journal numbers its entries anew, so the time of the beginning is a part of it.
        """
        with self._condition:
            battle = self.moment.battle
            if battle is None:
                return ""
            begun = battle.record.begun
            return short_id(begun, *(entry.seconds for entry in self.log(begun + 1, most=1)))

    def switch(self, store: Store) -> Store:
        """Continue with another journal, and return the previous one. Seats, code and streams stay.

        Raises, and changes nothing, if the journal cannot be read.
        """
        entries, state, battle, free = _open_journal(store, self.library.now)
        with self._condition:
            before, self._store = self._store, store
            self._entries, self._state, self._battle, self._free = entries, state, battle, free
            self._proposals.clear()
            self._asks_again_at.clear()
            self._replay_shown = None
            # Models of the previous battle may still be on the table; the camera will report them.
            self._sightings = MappingProxyType({})
            self._publish()
            return before

    # Actions

    def act(self, caller: Caller, action: Action, *, key: str | None = None) -> int:
        """Do one action once: repeating a key changes nothing and gives the same answer."""
        caller.must(action.needs)
        with self._condition:
            if key is not None and self._store.has_action(caller.token, key):
                return self._moment.seq
            try:
                change = action.change(self.action_context(caller))
            except NeedsConsent as needed:
                self._may_ask(Request.CONSENT, caller)
                self._propose(caller, action, needed)
                raise
            if any(isinstance(event, UndoAsked) for event in change.events):
                self._may_ask(Request.UNDO, caller)
            before = self._state.battle.request if self._state.battle else None
            seq = self._commit(caller, change, key)
            if before is not None and before.side is not None:
                for event in change.events:
                    if isinstance(event, UndoRefused):
                        self._pause(Request.UNDO, before.side, withdrawn=event.withdrawn)
                    elif isinstance(event, UndoAsked) and event.side == before.side:
                        self._pause(Request.UNDO, before.side, withdrawn=True)
            return seq

    def action_context(self, caller: Caller, agreed: frozenset[str] = frozenset()) -> ActionContext:
        """The context with which a caller's actions are checked now."""
        seated = frozenset(seat.side for seat in self.seats if seat.side)
        return ActionContext(self._moment, caller, seated, agreed)

    # Actions to which other sides must agree

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The actions that wait for the consent of other sides, in order."""
        return tuple(self._proposals.values())

    def answer(self, caller: Caller, id_: str, *, agree: bool) -> int:
        """Agree to an action of another side, refuse it, or withdraw one's own."""
        caller.must(Right.PLAY)
        with self._condition:
            proposal = self._proposals.get(id_)
            if proposal is None:
                raise Fault(409, Message("consent.gone"))
            side = caller.seat.side if caller.seat else None
            decides = caller.is_umpire or (caller.host and caller.seat is None)
            own = caller.token == proposal.caller.token
            if not (decides or side in proposal.sides or (own and not agree)):
                raise Forbidden("consent.not_asked")
            if not agree:
                del self._proposals[id_]
                self._pause(Request.CONSENT, _asker(proposal.caller), withdrawn=own)
                return self.announce()
            agreed = proposal.sides if decides else proposal.agreed | ({side} if side else set())
            if proposal.sides - agreed:
                self._proposals[id_] = replace(proposal, agreed=agreed)
                return self.announce()
            del self._proposals[id_]
            context = self.action_context(proposal.caller, agreed)
            try:
                return self._commit(proposal.caller, proposal.action.change(context), None)
            finally:
                self._publish()

    def _propose(self, caller: Caller, action: Action, needed: NeedsConsent) -> None:
        """Keep an action until the others have agreed; each caller has one at a time."""
        for id_, before in list(self._proposals.items()):
            if before.caller.token == caller.token:
                del self._proposals[id_]
                self._pause(Request.CONSENT, _asker(caller), withdrawn=True)
        # Never that of another proposal, nor of one before the server was started again.
        id_ = f"p{secrets.token_hex(5)}"
        self._proposals[id_] = Proposal(id_, caller, action, needed.about, needed.sides)
        self._publish()

    def _may_ask(self, request: Request, caller: Caller) -> None:
        """Raise Fault if the caller's side was refused such a request just now."""
        left = ceil(self._asks_again_at.get((request, _asker(caller)), 0.0) - self._monotonic())
        if left > 0:
            raise Fault(429, Message(f"consent.again.{request}", seconds=left), wait=left)

    def _pause(self, request: Request, asker: str, *, withdrawn: bool) -> None:
        """Note that a request was refused or withdrawn, so that it is not repeated at once."""
        until = self._monotonic() + (_WITHDRAWN_SECONDS if withdrawn else _REFUSED_SECONDS)
        key = request, asker
        self._asks_again_at[key] = max(until, self._asks_again_at.get(key, until))

    def append_event(self, caller: Caller, event: Event) -> int:
        """Append an event that does not change the table."""
        with self._condition:
            return self._commit(caller, event_change(event), None)

    @property
    def replay_shown(self) -> bool | None:
        """Whether the host wants the replay on televisions; None where nothing was said."""
        return self._replay_shown

    def show_replay(self, *, on: bool) -> int:
        """Show the replay on televisions, or the chart."""
        with self._condition:
            self._replay_shown = on
        return self.announce()

    def announce(self) -> int:
        """Notify pages of a change outside the journal."""
        with self._condition:
            self._publish()
            return self._moment.seq

    def with_seats(self, use: Callable[[Seats], T]) -> T:
        """Use the seats under the lock, and notify waiting clients."""
        with self._condition:
            answer = use(self._seats)
            self._publish()
            return answer

    def save_setting(self, name: str, value: str) -> None:
        """Store a setting of the server, independent of the battle."""
        with self._condition:
            (self._seat_store or self._store).save_setting(name, value)

    def setting(self, name: str) -> str:
        """A stored setting of the server; empty if there is none."""
        with self._condition:
            return (self._seat_store or self._store).settings().get(name, "")

    def caller(self, cookie: str | None) -> Caller:
        """The caller with a cookie."""
        with self._condition:
            return self._seats.caller(cookie)

    def known_caller(self, cookie: str | None) -> str | None:
        """A key of the seat or host with a cookie, for limits; None for a stranger.

        It takes no lock, since the server's event loop must not wait for the table.
        """
        found = self._seats.caller(cookie)
        if found.seat is not None:
            return found.seat.id
        return found.token if found.host else None

    @property
    def seats(self) -> Seats:
        """The seats; change them through `with_seats` only."""
        return self._seats

    # The camera

    def update_camera(
        self, camera: CameraStatus, ships: Iterable[TrackedShip] | None = None
    ) -> None:
        """Store what the camera shows; None keeps the ships where they were last seen."""
        with self._condition:
            found = (
                self._sightings
                if ships is None
                else MappingProxyType({ship.name: ship for ship in ships})
            )
            changed = camera != self._camera or _has_changed(self._sightings, found)
            self._camera = camera
            if changed:
                self._sightings = found
                self._seen_at = self._monotonic()
                self._publish()

    # Presence

    def touch(self, caller: Caller) -> None:
        """A phone sent a request."""
        with self._condition, suppress(StoreFault):
            # A full disk must not keep anybody from looking.
            self._seats.touch(caller)
        if caller.seat is not None:
            self._touch(caller)

    def is_present(self, seat_id: str) -> bool:
        """Whether a seat's page is open: it has asked for something in the last seconds."""
        last = self._last_seen.get(seat_id, float("-inf"))
        return self._monotonic() - last < _PRESENT_SECONDS

    # Nudges

    def nudge(self, caller: Caller, side: str) -> int:
        """Remind a side that the battle waits for it; Fault if it was reminded just now."""
        with self._condition:
            before, now = self._nudges.get(side), self._monotonic()
            if before is not None and now - before.seconds < _NUDGE_SECONDS:
                left = ceil(_NUDGE_SECONDS - (now - before.seconds))
                title = self._state.sides[side].title
                again = Message("battle.nudge_fault.again", side=title, seconds=left)
                raise Fault(429, again, wait=left)
            self._nudged += 1
            self._nudges[side] = Nudge(self._nudged, caller.name, now)
            self._publish()
            return self._moment.seq

    def nudge_of(self, side: str) -> Nudge | None:
        """The latest nudge of a side."""
        return self._nudges.get(side)

    def close(self) -> None:
        """Close the files."""
        with self._condition:
            self._store.close()
            if self._seat_store is not None:
                self._seat_store.close()

    @property
    def _present(self) -> frozenset[str]:
        return frozenset(seat for seat in self._last_seen if self.is_present(seat))

    def _touch(self, caller: Caller) -> None:
        seat = caller.seat
        if seat is None:
            return
        with self._condition:
            was_present = seat.id in self._shown_present
            self._last_seen[seat.id] = self._monotonic()
            if not was_present:
                self._publish()

    def _commit(self, caller: Caller, change: Change, key: str | None) -> int:
        if change.events:
            seat, seconds = caller.seat.id if caller.seat else None, self._clock()
            first = self._entries[-1].n + 1 if self._entries else 1
            entries = tuple(
                Entry(number, seconds, seat, caller.name, event)
                for number, event in enumerate(change.events, start=first)
            )
            # Played before it is written, because an event that cannot be replayed must not be
            # stored.
            state = replay(entries, self._state)
            battle = follow(state.ruleset, state.battle, self._battle, change.battle)
            free = follow_free(state.free, self._free, self.library.now, change.free)
            self._store.append(entries, caller=caller.token, action=key)
            self._state, self._battle, self._free = state, battle, free
            self._entries += entries
            self._publish()
        return self._moment.seq

    def _publish(self) -> None:
        with self._condition:
            self._seq += 1
            self._shown_present = self._present
            self._moment = self._build_moment()
            self._condition.notify_all()

    def _build_moment(self) -> Moment:
        state, library = self._state, self.library.now
        ships = {
            name: ship_now(piece, state, self._sightings.get(name), self._seen_at, library)
            for name, piece in state.pieces.items()
        }
        return Moment(
            seq=self._seq,
            state=state,
            ships=MappingProxyType(ships),
            camera=self._camera,
            battle=self._battle,
            free=self._free,
            library=library,
        )


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause the garbage collector.

    A battle that is opened is kept in memory; scanning it for garbage while it grows takes a
    quarter of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _open_journal(
    store: Store, library: Library
) -> tuple[list[Entry], TableState, GuidedGame | None, FreeGames]:
    """The content of a journal.

    Raises DreyerError, and leaves the file unchanged, if it cannot be replayed.
    """
    entries = list(store.entries())
    try:
        with _gc_paused():
            state = replay(entries)
            battle = follow(state.ruleset, state.battle, None)
            return entries, state, battle, follow_free(state.free, FreeGames(), library)
    except DreyerError as error:
        raise StoreFault(error.message, file=store.name, task=Task.OPEN) from error
    except Exception as error:
        # A damaged file can make an event of anything; whatever it leads to is the file's fault.
        raise DamagedStore(store.name) from error


def _asker(caller: Caller) -> str:
    """The side that asks; who has none asks for himself."""
    return (caller.seat.side if caller.seat else None) or caller.token


def _has_changed(before: Mapping[str, TrackedShip], after: Mapping[str, TrackedShip]) -> bool:
    if before.keys() != after.keys():
        return True
    for name, then in before.items():
        now = after[name]
        if then.state is not now.state or now.state is ShipState.MOVING:
            return True
        turn = abs((then.pose.heading_deg - now.pose.heading_deg + 180) % 360 - 180)
        apart = max(abs(then.pose.x_mm - now.pose.x_mm), abs(then.pose.y_mm - now.pose.y_mm))
        if apart > _MOVED_MM or turn > _TURNED_DEG:
            return True
    return False
