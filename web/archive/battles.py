"""The stored battles: the open one, those to resume, and new ones.

Switching battles replaces the journal of the running session. Seats, code and known browsers are in
a separate file, so that nobody has to join again.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import with_config

from tabletop.errors import DreyerError
from tabletop.schema import FILE_CONFIG, Schema
from web.actions.context import Action
from web.archive.exports import export_battle, free_numbers
from web.archive.files import BattleFiles, new_id
from web.archive.imports import read_export
from web.archive.previous import PreviousBattle, previous_battle
from web.auth.seats import Caller, Forbidden, Right, Role
from web.journal.events import Entry
from web.journal.store import Store, StoreFault
from web.session import Session
from web.strings import words
from web.table.state import replay

_SUMMARY: Final = "summary"
MEMORY: Final = "table"


@with_config(FILE_CONFIG)
@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a battle at one entry of its journal."""

    n: int
    title: str
    seconds: float
    begun: bool = False
    ended: bool = False
    round: int = 0
    step: str = ""
    ships: int = 0
    campaign: str = ""
    """The title of the first battle of its series; empty if it follows none."""
    number: int = 1
    """Its number in the series."""


_SUMMARIES: Final[Schema[Summary]] = Schema(Summary)


@dataclass(frozen=True, slots=True)
class StoredBattle:
    """A battle of the list."""

    id: str
    summary: Summary | None
    fault: str = ""
    """Why it cannot be opened; then it has no summary."""
    is_open: bool = False
    """Whether it is the open one."""


class Battles:
    """All battles of a data folder. Every public method may be called from any thread."""

    def __init__(
        self,
        session: Session,
        files: BattleFiles | None = None,
        remember: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`remember` is called with the battle to open at the next start of the server."""
        self.session = session
        self.files = files or BattleFiles(None)
        self._remember = remember
        self.after_removal: Callable[[str], None] = lambda _: None
        """Called with a battle that was deleted for good."""
        self.sides_of_program: Callable[[], Collection[str]] = tuple
        """Called for the sides that the program plays, which have secrets of their own."""
        self._lock = threading.RLock()
        self._open = Path(session.journal).stem if self.files.folder else MEMORY

    @property
    def open_id(self) -> str:
        """The id of the open battle."""
        return self._open

    def stored_battles(self) -> tuple[StoredBattle, ...]:
        """The open battle first, then the others, newest first."""
        with self._lock:
            others = (self._stored_battle(id_) for id_ in self.files.ids() if id_ != self._open)
            found = [each for each in others if each.fault or (each.summary and each.summary.n)]
            now = StoredBattle(self._open, summary_of(self.session), is_open=True)
        found.sort(key=lambda each: -(each.summary.seconds if each.summary else 0.0))
        return (now, *found)

    def begin(self, caller: Caller, title: str, actions: Sequence[Action]) -> str:
        """Begin a new battle with these actions and open it; if one is refused nothing changes.

        Battles in free play continue beside it.
        """
        caller.must(Right.HOST)
        with self._lock:
            id_ = new_id(title)
            store = self.files.create(id_)
            try:
                store.append(self._free_entries())
                trial = Session(store, library=self.session.library)
                for action in actions:
                    trial.act(caller, action)
                _keep_summary(store, summary_of(trial))
                self._switch(id_, store)
            except BaseException:
                self.files.release(id_, store)
                self.files.remove(id_)
                raise
            return id_

    def resume(self, caller: Caller, id_: str) -> None:
        """Open a stored battle."""
        caller.must(Right.HOST)
        with self._lock:
            if id_ == self._open:
                return
            store = self.files.open(id_)
            try:
                self._switch(id_, store)
            except BaseException:
                self.files.release(id_, store)
                raise

    def remove(self, caller: Caller, id_: str) -> None:
        """Delete a battle for good; never the open one."""
        caller.must(Right.HOST)
        with self._lock:
            self._not_open(id_, "battles.fault.delete_open")
            self.files.remove(id_)
            self.after_removal(id_)
        self.session.announce()

    def set_aside(self, caller: Caller, id_: str) -> Path:
        """Move a battle that cannot be opened out of the list; its file stays unchanged."""
        caller.must(Right.HOST)
        with self._lock:
            self._not_open(id_, "battles.fault.set_aside_open")
            aside = self.files.set_aside(id_)
        self.session.announce()
        return aside

    def salvage(self, caller: Caller, id_: str) -> tuple[str, int]:
        """Store the readable part of a damaged battle as a new one, and set the file aside.

        Returns the new battle's id and the number of its entries; it is not opened.
        """
        caller.must(Right.HOST)
        with self._lock:
            self._not_open(id_, "battles.fault.set_aside_open")
            entries = self._playable(self.files.readable_entries(id_))
            if not entries:
                raise DreyerError("battles.fault.nothing_readable")
            new, store = self._stored(replay(entries).title, entries)
            self.files.release(new, store)
            self.files.set_aside(id_)
        self.session.announce()
        return new, len(entries)

    def _free_entries(self) -> list[Entry]:
        """The entries of the battles in free play on the table, with their numbers."""
        numbers = free_numbers(self.session.moment)
        return [entry for entry in self.session.log(most=10**9) if entry.n in numbers]

    def _playable(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """The entries up to the last with which the battle can be played again."""
        plays, fails = 0, len(entries) + 1
        while fails - plays > 1:
            # Whatever plays also plays with fewer entries. The whole is the likeliest.
            count = len(entries) if fails > len(entries) else (plays + fails) // 2
            store = Store(None)
            try:
                store.append(entries[:count])
                Session(store, library=self.session.library)
            except (DreyerError, sqlite3.Error):
                fails = count
            else:
                plays = count
            finally:
                store.close()
        return entries[:plays]

    def _stored(self, title: str, entries: Sequence[Entry]) -> tuple[str, Store]:
        """A new battle with these entries; nothing is left of it if it cannot be played."""
        id_ = new_id(title)
        store = self.files.create(id_)
        try:
            store.append(entries)
            _keep_summary(store, summary_of(Session(store, library=self.session.library)))
        except BaseException:
            self.files.release(id_, store)
            self.files.remove(id_)
            raise
        return id_, store

    def export(self, caller: Caller, id_: str) -> tuple[str, bytes]:
        """A battle as a file with its name, limited to what the caller may know."""
        caller.must(Right.PLAY)
        with self._lock:
            if id_ == self._open:
                return self._exported(self.session, caller)
            caller.must(Right.HOST)
            store = self.files.open(id_)
            try:
                return self._exported(Session(store, library=self.session.library), caller)
            finally:
                self.files.release(id_, store)

    def previous(self, caller: Caller, id_: str) -> PreviousBattle:
        """A battle that has ended, for a following one with its ships."""
        caller.must(Right.HOST)
        with self._lock:
            if id_ == self._open:
                return previous_battle(id_, self.session.moment)
            store = self.files.open(id_)
            try:
                stored = Session(store, library=self.session.library)
                return previous_battle(id_, stored.moment)
            finally:
                self.files.release(id_, store)

    def import_battle(self, caller: Caller, data: bytes) -> str:
        """Store a battle from a file, if it is complete and can be replayed; it is not opened."""
        caller.must(Right.HOST)
        read = read_export(data, self.session.library)
        with self._lock:
            id_, store = self._stored(read.title, read.entries)
            self.files.release(id_, store)
        self.session.announce()
        return id_

    def export_goes_back(self, caller: Caller) -> bool:
        """Whether what a caller may export of the battle on the table ends before a sealed part."""
        battle = self.session.moment.battle
        if battle is None or self._sees_all(caller):
            return False
        return battle.rulebook.sealed_since(battle.state) is not None

    def _sees_all(self, caller: Caller) -> bool:
        alone = is_alone(self.session, caller) and not self.sides_of_program()
        return caller.is_umpire or alone

    def _exported(self, session: Session, caller: Caller) -> tuple[str, bytes]:
        sees_all = self._sees_all(caller)
        return export_battle(session.log(most=10**9), session.moment, sees_all=sees_all)

    def _not_open(self, id_: str, code: str) -> None:
        if id_ == self._open:
            raise DreyerError(code)

    def _switch(self, id_: str, store: Store) -> None:
        summary = summary_of(self.session)
        before = self.session.switch(store)
        was, self._open = self._open, id_
        _keep_summary(before, summary)
        self.files.release(was, before)
        self._remember(id_)

    def _stored_battle(self, id_: str) -> StoredBattle:
        """One battle of the list; its summary is computed again only if it has changed."""
        try:
            store = self.files.open(id_)
        except StoreFault as error:
            return self._broken(id_, error)
        try:
            summary = _kept_summary(store)
            if summary is None:
                summary = summary_of(Session(store, library=self.session.library))
                _keep_summary(store, summary)
            return StoredBattle(id_, summary)
        except DreyerError as error:
            return self._broken(id_, error)
        finally:
            self.files.release(id_, store)

    def _broken(self, id_: str, error: DreyerError) -> StoredBattle:
        # Everybody can read the list, so it must not contain paths of the host.
        shown = error.without_folder if isinstance(error, StoreFault) else error
        return StoredBattle(id_, None, words(shown))


def is_alone(session: Session, caller: Caller) -> bool:
    """Whether nobody else plays, so that there are no secrets to protect."""
    own = caller.seat.id if caller.seat else None
    return all(seat.id == own or seat.role is Role.ONLOOKER for seat in session.seats)


def summary_of(session: Session) -> Summary:
    """The summary of a session's battle."""
    moment, last = session.moment, session.log(most=1)
    entry = last[-1] if last else None
    summary = Summary(
        n=entry.n if entry else 0,
        title=moment.state.title,
        seconds=entry.seconds if entry else 0.0,
        ships=len(moment.state.pieces),
    )
    if moment.battle is None:
        return summary
    step, follows = moment.battle.step, moment.battle.record.setup.follows
    return replace(
        summary,
        campaign=follows.campaign if follows else "",
        number=follows.number if follows else 1,
        begun=True,
        ended=moment.battle.is_over,
        round=step.round_number,
        step=words(step.title),
    )


def may_export(caller: Caller, kept: StoredBattle) -> bool:
    """Whether a caller may export this battle."""
    try:
        caller.must(Right.PLAY if kept.is_open else Right.HOST)
    except Forbidden:
        return False
    return not kept.fault


def _kept_summary(store: Store) -> Summary | None:
    try:
        summary = _SUMMARIES.check(json.loads(store.settings().get(_SUMMARY, "null")))
    except (ValueError, RecursionError):
        return None
    return summary if summary.n == store.last_number() else None


def _keep_summary(store: Store, summary: Summary) -> None:
    try:
        store.save_setting(_SUMMARY, json.dumps(asdict(summary)))
    except StoreFault:
        # Summaries are only a cache, so errors in storing them are ignored.
        return
