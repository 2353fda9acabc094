"""The running table: what was entered, what the camera sees, and everyone who waits for news.

One lock guards it all. The camera's thread and every request go through here; what they read is
an immutable `Moment`, swapped in whole.
"""

import gc
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar

from combat.library import Library
from tabletop.errors import DreyerError
from vision.snapshot import ShipState, TrackedShip
from web.actions.context import Action, ActionContext, Change, event_change
from web.auth.seats import Caller, Seats
from web.games.free_game import FreeGames, follow_free
from web.games.guided_game import GuidedGame, follow
from web.journal.events import Entry, Event
from web.journal.store import DamagedStore, Store, StoreFault, Task
from web.library import CurrentLibrary
from web.table.moment import CameraStatus, Moment, ship_now
from web.table.state import TableState, replay

T = TypeVar("T")

_MOVED_MM: Final = 0.3
_TURNED_DEG: Final = 0.3
"""A settled ship that drifts by less is not news."""
_HERE_SECONDS: Final = 20.0
"""How long after its last request a phone still counts as here."""


@dataclass(slots=True)
class _Presence:
    streams: int = 0
    last: float = field(default=float("-inf"))


class Session:
    """One table that runs. Every public method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        *,
        seat_store: Store | None = None,
        library: CurrentLibrary | None = None,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """A table from its journal; seats and code are in a file of their own if there is one."""
        self._store = store
        self._seat_store = seat_store
        self.library = library or CurrentLibrary()
        """The rulebooks with the players' cards."""
        self._clock = clock
        self._monotonic = monotonic
        self._news = threading.Condition(threading.RLock())
        self._entries, self._state, self._battle, self._free = _opened(store, self.library.now)
        self._seats = Seats(seat_store or store)
        self._sightings: Mapping[str, TrackedShip] = MappingProxyType({})
        self._seen_at = 0.0
        self._camera = CameraStatus()
        self._presence: dict[str, _Presence] = {}
        # A restarted server counts on from the clock, so that no page takes old news for new.
        self._seq = int(clock() * 10) if self._entries else 1
        self._moment = self._build_moment()

    # What is there now

    @property
    def moment(self) -> Moment:
        """The table at this moment."""
        return self._moment

    @property
    def seq(self) -> int:
        """Grows with every change, entered or seen."""
        return self._moment.seq

    def now(self) -> float:
        """The monotonic clock that `ShipNow.seen_at` counts by."""
        return self._monotonic()

    def wait(self, after: int, timeout: float) -> int:
        """The number of the newest change, as soon as there is one after this, or in time."""
        with self._news:
            self._news.wait_for(lambda: self._moment.seq != after, timeout)
            return self._moment.seq

    def log(self, before: int | None = None, most: int = 40) -> tuple[Entry, ...]:
        """The newest entries of the journal, oldest of them first."""
        with self._news:
            end = len(self._entries)
            if before is not None:
                end = bisect_left(self._entries, before, key=lambda entry: entry.n)
            return tuple(self._entries[max(0, end - most) : end])

    # Which journal it is

    @property
    def journal(self) -> str:
        """The name of the journal that is open."""
        return self._store.name

    def switch(self, store: Store) -> Store:
        """Go on with another journal; seats, code and streams stay. Gives back the one before.

        What cannot be read changes nothing.
        """
        entries, state, battle, free = _opened(store, self.library.now)
        with self._news:
            before, self._store = self._store, store
            self._entries, self._state, self._battle, self._free = entries, state, battle, free
            # Models of the battle before may still stand about; the camera says so by itself.
            self._sightings = MappingProxyType({})
            self._publish()
            return before

    # What callers do

    def act(self, caller: Caller, action: Action, *, key: str | None = None) -> int:
        """Do one thing, once: the same key again changes nothing and gives the same answer."""
        caller.must(action.needs)
        with self._news:
            if key is not None and self._store.has_action(caller.token, key):
                return self._moment.seq
            return self._commit(caller, action.change(self.action_context(caller)), key)

    def action_context(self, caller: Caller) -> ActionContext:
        """What a caller's actions are judged by at this moment."""
        seated = frozenset(seat.side for seat in self.seats if seat.side)
        return ActionContext(self._moment, caller, seated)

    def append_event(self, caller: Caller, event: Event) -> int:
        """Append an event to the journal that changes nothing on the table."""
        with self._news:
            return self._commit(caller, event_change(event), None)

    def announce(self) -> int:
        """Something that pages show has changed outside the journal: they look again."""
        with self._news:
            self._publish()
            return self._moment.seq

    def with_seats(self, use: Callable[[Seats], T]) -> T:
        """Use the seats under the lock, and notify everyone who waits."""
        with self._news:
            answer = use(self._seats)
            self._publish()
            return answer

    def save_setting(self, name: str, value: str) -> None:
        """Store a setting of the server, whatever battle is on the table."""
        with self._news:
            (self._seat_store or self._store).save_setting(name, value)

    def setting(self, name: str) -> str:
        """A stored setting of the server; empty if it was never stored."""
        with self._news:
            return (self._seat_store or self._store).settings().get(name, "")

    def caller(self, cookie: str | None) -> Caller:
        """Who a cookie belongs to."""
        with self._news:
            return self._seats.caller(cookie)

    @property
    def seats(self) -> Seats:
        """The seats; change them through `with_seats` only."""
        return self._seats

    # What the camera says

    def update_camera(
        self, camera: CameraStatus, ships: Iterable[TrackedShip] | None = None
    ) -> None:
        """Store what the camera shows; None leaves the ships where they were last seen."""
        with self._news:
            found = (
                self._sightings
                if ships is None
                else MappingProxyType({ship.name: ship for ship in ships})
            )
            news = camera != self._camera or _is_news(self._sightings, found)
            self._camera = camera
            if news:
                self._sightings = found
                self._seen_at = self._monotonic()
                self._publish()

    # Who is here

    def add_stream(self, caller: Caller) -> None:
        """A phone has opened its stream."""
        self._presence_of(caller).streams += 1
        self._touch(caller)

    def remove_stream(self, caller: Caller) -> None:
        """A phone's stream has ended."""
        presence = self._presence_of(caller)
        presence.streams = max(0, presence.streams - 1)
        self._touch(caller)

    def touch(self, caller: Caller) -> None:
        """A phone has asked for something."""
        if caller.seat is not None:
            self._touch(caller)

    def is_present(self, seat_id: str) -> bool:
        """Whether a seat's phone has a stream, or sent a request lately."""
        presence = self._presence.get(seat_id)
        if presence is None:
            return False
        return presence.streams > 0 or self._monotonic() - presence.last < _HERE_SECONDS

    def close(self) -> None:
        """Close the files."""
        with self._news:
            self._store.close()
            if self._seat_store is not None:
                self._seat_store.close()

    def _presence_of(self, caller: Caller) -> _Presence:
        with self._news:
            return self._presence.setdefault(caller.seat.id if caller.seat else "", _Presence())

    def _touch(self, caller: Caller) -> None:
        seat = caller.seat
        if seat is None:
            return
        with self._news:
            was_here = self.is_present(seat.id)
            self._presence_of(caller).last = self._monotonic()
            if not was_here:
                self._publish()

    def _commit(self, caller: Caller, change: Change, key: str | None) -> int:
        if change.events:
            seat, seconds = caller.seat.id if caller.seat else None, self._clock()
            first = self._entries[-1].n + 1 if self._entries else 1
            entries = tuple(
                Entry(number, seconds, seat, caller.name, event)
                for number, event in enumerate(change.events, start=first)
            )
            # Played before it is written: what cannot be replayed must never reach the journal.
            state = replay(entries, self._state)
            battle = follow(state.ruleset, state.battle, self._battle, change.battle)
            free = follow_free(state.free, self._free, self.library.now, change.free)
            self._store.append(entries, caller=caller.token, action=key)
            self._state, self._battle, self._free = state, battle, free
            self._entries += entries
            self._publish()
        return self._moment.seq

    def _publish(self) -> None:
        with self._news:
            self._seq += 1
            self._moment = self._build_moment()
            self._news.notify_all()

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
def _no_collection() -> Iterator[None]:
    """Have the garbage collector wait.

    A battle that is opened is all kept; looking for garbage in it as it grows takes a quarter of
    the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _opened(
    store: Store, library: Library
) -> tuple[list[Entry], TableState, GuidedGame | None, FreeGames]:
    """What a journal holds; one that does not play is told as such, and left as it is."""
    entries = list(store.entries())
    try:
        with _no_collection():
            state = replay(entries)
            battle = follow(state.ruleset, state.battle, None)
            return entries, state, battle, follow_free(state.free, FreeGames(), library)
    except DreyerError as error:
        raise StoreFault(error.message, file=store.name, task=Task.OPEN) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise DamagedStore(store.name) from error


def _is_news(before: Mapping[str, TrackedShip], after: Mapping[str, TrackedShip]) -> bool:
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
