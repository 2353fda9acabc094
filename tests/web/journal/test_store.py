"""The journal on the disk: everything acknowledged is there after a restart, once."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.journal.events import (
    FORMAT,
    Entry,
    Event,
    JournalKind,
    Left,
    Premeasure,
    PremeasureSet,
    SetUp,
    SmokeLaid,
)
from web.journal.store import DamagedStore, SeatRow, SessionRow, Store, StoreFault

LEFT = Left()


def append(store: Store, *events: Event, action: str | None = None, caller: str = "c") -> None:
    first = len(store.entries()) + 1
    entries = [Entry(n, 1.0, "s1", "Ann", event) for n, event in enumerate(events, start=first)]
    store.append(entries, caller=caller, action=action)


def test_what_was_appended_is_there_after_reopening(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.sqlite")
    append(store, LEFT, PremeasureSet(mode=Premeasure.DECLARE))
    store.close()
    entries = Store(tmp_path / "table.sqlite").entries()
    assert [entry.event.kind for entry in entries] == [JournalKind.LEFT, JournalKind.PREMEASURE]
    assert [entry.n for entry in entries] == [1, 2]
    assert entries[1].event == PremeasureSet(mode=Premeasure.DECLARE)
    assert (entries[0].seat, entries[0].who) == ("s1", "Ann")


def test_the_file_is_written_ahead_and_in_full(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    store = Store(path)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_events_of_one_action_are_all_there_or_none() -> None:
    store = Store(None)
    with pytest.raises(DreyerError):
        append(store, LEFT, SmokeLaid(id=1, x1=float("nan"), y1=0, x2=0, y2=0))
    assert store.entries() == ()


def test_an_action_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    store = Store(path)
    append(store, LEFT, action="one")
    with pytest.raises(StoreFault):
        append(store, LEFT, action="one")
    store.close()
    store = Store(path)
    assert store.has_action("c", "one")
    assert not store.has_action("another", "one")
    assert len(store.entries()) == 1


def test_seats_sessions_and_settings_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    store = Store(path)
    seat = SeatRow("s1", "Ann", "player", "british", "hash")
    store.save_seat(seat)
    store.save_session(SessionRow("token", "s1", host=True))
    store.save_setting("code", "ABC")
    store.save_setting("code", "DEF")
    store.close()
    store = Store(path)
    assert store.seats() == (seat,)
    assert store.sessions() == (SessionRow("token", "s1", host=True),)
    assert store.settings() == {"code": "DEF"}


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"not a database at all, " * 100, "journal.damaged"), (b"", "journal.empty")],
)
def test_a_damaged_file_is_told_and_left_as_it_is(
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreFault) as fault:
        Store(path)
    assert fault.value.reason == Message(code)
    assert fault.value.file == str(path)
    assert path.read_bytes() == content


def test_a_file_whose_log_was_lost_keeps_its_schema_and_soon_its_entries(tmp_path: Path) -> None:
    """Copied without the log beside it, a journal in use is short, but never a new battle."""
    path = tmp_path / "table.sqlite"
    store = Store(path)
    (tmp_path / "early.sqlite").write_bytes(path.read_bytes())
    assert Store(tmp_path / "early.sqlite").entries() == ()
    for n in range(1, 101):
        store.append([Entry(n, 0.0, None, "Ann", LEFT)])
    (tmp_path / "late.sqlite").write_bytes(path.read_bytes())
    assert len(Store(tmp_path / "late.sqlite").entries()) > 50


def test_a_file_that_cannot_be_made_is_not_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise full

    monkeypatch.setattr("web.journal.store._MIGRATIONS", (full,))
    with pytest.raises(StoreFault, match=r"journal\.disk_full"):
        Store(tmp_path / "table.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreFault, match=r"journal\.newer"):
        Store(path)


def test_an_event_of_a_newer_version_is_said(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    store = Store(path)
    append(store, LEFT)
    store.close()
    with sqlite3.connect(path) as base:
        base.execute("UPDATE journal SET kind = 'teleported', checksum = NULL")
    with pytest.raises(StoreFault, match=r"journal\.newer"):
        Store(path).entries()


def test_a_full_disk_is_said_and_nothing_half_written(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.sqlite")
    append(store, LEFT)
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFault, match=r"journal\.disk_full"):
        append(store, *[SetUp(words="x" * 300)] * 500)
    assert len(store.entries()) == 1
    store._connection.execute("PRAGMA max_page_count = 1000000")
    append(store, LEFT)
    assert len(store.entries()) == 2


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreFault, match=r"journal\.cannot_open"):
        Store(tmp_path / "nowhere" / "table.sqlite")


V1 = Path(__file__).parents[1] / "archive" / "data" / "table-v1.db"


def test_a_journal_of_an_older_format_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    shutil.copy(V1, path)
    store = Store(path)
    entries = store.entries()
    store.append([replace(entries[-1], n=entries[-1].n + 1, format=FORMAT)])
    assert {entry.format for entry in entries} == {1}
    assert store.entries()[-1].format == FORMAT
    store.close()
    backup = tmp_path / "table.db.format-1"
    with closing(sqlite3.connect(backup)) as base:
        (version,) = base.execute("PRAGMA user_version").fetchone()
        (count,) = base.execute("SELECT count(*) FROM journal").fetchone()
    assert (version, count) == (1, len(entries))
    Store(path).close()
    assert sorted(each.name for each in tmp_path.glob("*.format-*")) == ["table.db.format-1"]


def test_an_entry_of_a_newer_format_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    shutil.copy(V1, path)
    Store(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("UPDATE journal SET format = ? WHERE n = 1", (FORMAT + 1,))
    store = Store(path)
    with pytest.raises(StoreFault, match=r"journal\.newer"):
        store.entries()
    store.close()


def smoke(number: int) -> SmokeLaid:
    """An event with digits that stay valid if one of them is changed."""
    return SmokeLaid(id=number, x1=1000 + number, y1=2000, x2=3000, y2=4000)


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A journal of four entries."""
    path = tmp_path / "table.db"
    store = Store(path)
    append(store, *map(smoke, range(1, 5)), action="once")
    store.close()
    return path


@pytest.mark.parametrize(
    "damage",
    [
        "data = replace(data, '2000', '2001')",
        "seconds = seconds + 1",
        "who = 'Anm'",
        "seat = 's2'",
        "seat = NULL",
        "caller = 'd'",
        "action = 'twice'",
        "format = 1",
        "checksum = checksum + 1",
        "checksum = NULL",
        "checksum = 'x'",
    ],
)
def test_a_row_that_is_still_valid_but_changed_is_damaged(sound: Path, damage: str) -> None:
    with closing(Store(sound)) as store:
        entries = store.entries()
    with closing(sqlite3.connect(sound)) as base, base:
        assert base.execute(f"UPDATE journal SET {damage} WHERE n = 3").rowcount == 1  # noqa: S608
    with closing(Store(sound)) as store:
        with pytest.raises(DamagedStore):
            store.entries()
        assert store.readable_entries() == entries[:2]


def test_a_journal_without_checksums_opens_and_goes_on_with_them(sound: Path) -> None:
    with closing(sqlite3.connect(sound)) as base, base:
        base.execute("ALTER TABLE journal DROP COLUMN checksum")
        base.execute("PRAGMA user_version = 2")
    with closing(Store(sound)) as store:
        before = store.entries()
        append(store, smoke(5))
        assert store.entries()[:4] == before
        assert len(store.entries()) == 5
    assert sound.with_name(f"{sound.name}.format-2").exists()
    with closing(sqlite3.connect(sound)) as base, base:
        base.execute("UPDATE journal SET data = replace(data, '2000', '2001') WHERE n = 5")
    with closing(Store(sound)) as store:
        with pytest.raises(DamagedStore):
            store.entries()
        assert store.readable_entries() == before
