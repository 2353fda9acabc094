"""The house: seats, the code and the browsers that are known, kept apart from every battle."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from web.archive.files import BattleFiles, move_journal
from web.journal.store import DamagedStore, Store, StoreFault

HOUSE: Final = "house.db"
_BEFORE: Final = ("table.db", "demo.db")
"""Where the first version kept a table together with its seats."""


def open_house(folder: Path, files: BattleFiles, say: Callable[[str], None]) -> Store:
    """The house's file; what an older version left in this folder is moved to its place first.

    A house that cannot be read is set aside: it holds keys, no battle, and phones join again.
    """
    path = folder / HOUSE
    try:
        house = Store(path)
        house.check()
        house.seats()
    except DamagedStore as error:
        if not path.exists():
            raise
        aside = path.with_name(f"house-damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
        move_journal(path, aside)
        say(f"{error}; it is now {aside.name}, and phones have to join again")
        house = Store(path)
    _move_in(folder, files, house)
    return house


def _move_in(folder: Path, files: BattleFiles, house: Store) -> None:
    """Bring the tables of the first version among the battles, and their seats into the house."""
    old = [folder / name for name in _BEFORE] + sorted(folder.glob("scene-*.db"))
    for path in old:
        if not path.exists() or path.stem in files.ids():
            continue
        try:
            # Closing it brings all that was written into the one file that is moved.
            store = Store(path)
            try:
                if not house.settings():
                    _take_keys(store, house)
            finally:
                store.close()
        except StoreFault:
            # Damaged: it goes among the battles all the same, where the page tells of it.
            pass
        if files.folder is not None:
            files.folder.mkdir(exist_ok=True)
            move_journal(path, files.path(path.stem))


def _take_keys(store: Store, house: Store) -> None:
    for seat in store.seats():
        house.keep_seat(seat)
    for session in store.sessions():
        house.keep_session(session)
    for name, value in store.settings().items():
        house.keep_setting(name, value)
