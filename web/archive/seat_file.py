"""The file of seats, the code and known browsers, separate from every battle."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tabletop.messages import Message
from web.archive.files import BattleFiles, move_journal
from web.auth.seats import stored_seats
from web.journal.store import DamagedStore, Store, StoreFault

SEAT_FILE: Final = "house.db"
_BEFORE: Final = ("table.db", "demo.db")
"""The path where version 0.1.0 stored a table together with its seats."""


def open_seat_file(folder: Path, files: BattleFiles, say: Callable[[Message], None]) -> Store:
    """Open the seat file, after moving files of older versions to their new places.

    An unreadable file is set aside: it contains no battle, and phones can join again.
    """
    path = folder / SEAT_FILE
    try:
        seat_store = Store(path)
        try:
            seat_store.check()
            stored_seats(seat_store)
            seat_store.sessions()
            seat_store.settings()
        except StoreFault:
            seat_store.close()
            raise
    except DamagedStore as error:
        if not path.exists():
            raise
        aside = path.with_name(f"house-damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
        move_journal(path, aside)
        say(Message("host.terminal.seats_unreadable", fault=error.message, file=aside.name))
        seat_store = Store(path)
    _move_in(folder, files, seat_store)
    return seat_store


def _move_in(folder: Path, files: BattleFiles, seat_store: Store) -> None:
    """Move tables of version 0.1.0 to the battles, and their seats to the seat file."""
    old = [folder / name for name in _BEFORE] + sorted(folder.glob("scene-*.db"))
    for path in old:
        if not path.exists() or path.stem in files.ids():
            continue
        try:
            # Closing writes everything into the one file that is moved.
            store = Store(path)
            try:
                if not seat_store.settings():
                    _take_keys(store, seat_store)
            finally:
                store.close()
        except StoreFault:
            # A damaged file is moved to the battles as well, where the page reports it.
            pass
        if files.folder is not None:
            files.folder.mkdir(exist_ok=True)
            move_journal(path, files.path(path.stem))


def _take_keys(store: Store, seat_store: Store) -> None:
    for seat in store.seats():
        seat_store.save_seat(seat)
    for session in store.sessions():
        seat_store.save_session(session)
    for name, value in store.settings().items():
        seat_store.save_setting(name, value)
