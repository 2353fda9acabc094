"""Files with damaged bytes, anywhere: told, the rest goes on, and what can be read is saved."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.data_folders import Open, battles_of, begin
from tests.web.phones import Phone, host_of, running_in, seated
from web.archive.battles import Battles
from web.archive.files import BattleFiles
from web.auth.seats import Caller
from web.data_folder import DataFolder, battles_in, table_in_memory
from web.journal.store import Store
from web.scenes import demo_scene

HOST = Caller("host", host=True)
PAGE = 4096
PLACES = 60


def whole(path: Path) -> bytes:
    """The bytes of a journal, with what its log has."""
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture
def folder(open_app: Open, tmp_path: Path) -> Path:
    """A data folder with two battles, of which the second was on the table."""
    host = host_of(open_app())
    begin(host, "river-plate")
    for number in range(12):
        place = {"x": 1000 + 100 * number, "y": 2000, "heading": 30}
        assert host.post("/api/ships/Exeter/place", place).status_code == 200
    running_in(host.app).session.close()
    return tmp_path


def damaged(data: bytes, seed: int, first: int, last: int) -> Iterator[bytes]:
    """The data with one byte changed, at places between two; the header's first."""
    chance = random.Random(seed)
    places = [*range(first, min(first + 20, last))]
    places += [chance.randrange(first, last) for _ in range(PLACES)]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= chance.randrange(1, 256)
        yield bytes(changed)


@pytest.mark.parametrize("pages", [(0, 1), (1, 40)], ids=["first page", "all others"])
def test_a_battle_damaged_at_any_byte_hides_no_other(
    folder: Path, pages: tuple[int, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    data = whole(journal)
    there = tmp_path_factory.mktemp("battles")
    (there / "sound.db").write_bytes(data)
    files = BattleFiles(there)
    battles = Battles(table_in_memory(demo_scene), files)
    last = min(pages[1] * PAGE, len(data))
    told = 0
    for changed in damaged(data, 1941, pages[0] * PAGE, last):
        (there / "broken.db").write_bytes(changed)
        found = {each.id: each for each in battles.stored_battles()}
        assert found["sound"].summary is not None
        told += bool("broken" in found and found["broken"].fault)
        for beside in there.glob("broken.db*"):
            beside.unlink()
    assert told > PLACES / 20


def test_the_server_starts_with_any_byte_damaged(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # The folder itself is locked by the server of this test.
    there = tmp_path_factory.mktemp("again") / "data"
    shutil.copytree(folder, there)
    folder = there
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    data = whole(journal)
    house = whole(folder / "house.db")
    for path, content in ((journal, data), (folder / "house.db", house)):
        for changed in list(damaged(content, 7, 0, len(content)))[::6]:
            path.write_bytes(changed)
            data_folder = DataFolder(folder)
            battles = battles_in(data_folder, demo=False, scene=None)
            assert battles.session.moment.state.is_open
            list(battles.stored_battles())
            battles.session.close()
            data_folder.close()
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("house.db", "UPDATE settings SET value = CAST(x'ff41' AS TEXT)"),
        ("house.db", "UPDATE seats SET name = CAST(x'ff41' AS TEXT)"),
        ("house.db", "UPDATE sessions SET token = CAST(x'ff41' AS TEXT)"),
        ("battles/*river-plate*.db", "UPDATE journal SET data = CAST(x'ff41' AS TEXT)"),
        ("battles/*river-plate*.db", "UPDATE journal SET who = CAST(x'ff41' AS TEXT)"),
    ],
)
def test_the_server_starts_with_text_that_is_not_utf_8(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, file: str, damage: str
) -> None:
    there = tmp_path_factory.mktemp("again") / "data"
    shutil.copytree(folder, there)
    (path,) = there.glob(file)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("INSERT OR IGNORE INTO seats VALUES ('s1', 'Ann', 'player', NULL, 'x', 0)")
        base.execute(damage)
    data_folder = DataFolder(there)
    battles = battles_in(data_folder, demo=False, scene=None)
    assert battles.session.moment.state.is_open
    list(battles.stored_battles())
    battles.session.close()
    data_folder.close()


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE settings",
        "DROP TABLE sessions",
        "DROP TABLE seats",
        "UPDATE settings SET value = x'00ff' WHERE rowid = 1",
        "UPDATE sessions SET token = x'00ff' WHERE rowid = 1",
        "UPDATE seats SET name = x'00ff' WHERE rowid = 1",
    ],
)
def test_a_house_without_a_table_or_with_other_values_is_set_aside(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, damage: str
) -> None:
    there = tmp_path_factory.mktemp("again") / "data"
    shutil.copytree(folder, there)
    with closing(sqlite3.connect(there / "house.db")) as base, base:
        base.execute("INSERT OR IGNORE INTO seats VALUES ('s1', 'Ann', 'player', NULL, 'x', 0)")
        base.execute("INSERT OR IGNORE INTO sessions VALUES ('t', NULL, 0)")
        base.execute(damage)
    said: list[str] = []
    data_folder = DataFolder(there)
    battles = battles_in(
        data_folder, demo=False, scene=None, say=lambda message: said.append(message.code)
    )
    assert said == ["host.terminal.seats_unreadable"]
    assert list(there.glob("house-damaged-*.db"))
    assert battles.session.moment.state.is_open
    assert any("river-plate" in each.id for each in battles.stored_battles())
    battles.session.close()
    data_folder.close()


def test_the_readable_part_of_a_damaged_battle_is_saved(open_app: Open, folder: Path) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    data = whole(journal)
    with closing(Store(journal)) as store:
        entries = store.entries()
    saved: list[int] = []
    # In a page of the journal's later entries, which are at the end of the file.
    for place in (len(data) - 2 * PAGE, len(data) - PAGE, len(data) - 3 * PAGE):
        changed = bytearray(data)
        changed[place : place + PAGE] = bytes(PAGE)
        files = BattleFiles(folder / "battles")
        journal.write_bytes(bytes(changed))
        found = files.readable_entries(journal.stem)
        assert found == entries[: len(found)]
        saved.append(len(found))
    assert max(saved) > 0
    assert min(saved) < len(entries)


def test_a_damaged_first_page_costs_nothing(folder: Path) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    data = whole(journal)
    with closing(Store(journal)) as store:
        entries = store.entries()
    journal.write_bytes(bytes(PAGE) + data[PAGE:])
    assert BattleFiles(folder / "battles").readable_entries(journal.stem) == entries
    assert journal.read_bytes()[:PAGE] == bytes(PAGE)


def test_what_was_saved_is_a_battle_and_the_damaged_file_is_kept(
    open_app: Open, folder: Path
) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    data = whole(journal)
    host = _resting(open_app, journal, data)
    response = host.post(f"/api/battles/kept/{journal.stem}/salvage")
    assert response.status_code == 200, response.text
    answer = response.get_json()
    assert answer["entries"] > 12
    listed = {each["id"]: each for each in battles_of(host)}
    assert journal.stem not in listed
    assert listed[answer["id"]]["title"] == "River Plate"
    assert host.post(f"/api/battles/kept/{answer['id']}/resume").status_code == 200
    assert host.view()["table"]["title"] == "River Plate"
    assert list((folder / "battles" / "set-aside").glob(f"{journal.stem}-*.db"))


def test_a_changed_digit_of_a_row_is_told(open_app: Open, folder: Path) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    with closing(sqlite3.connect(journal)) as base, base:
        (last,) = base.execute("SELECT max(n) FROM journal WHERE data LIKE '%2000.0%'").fetchone()
        damaged = "UPDATE journal SET data = replace(data, '2000.0', '2001.0') WHERE n = ?"
        assert base.execute(damaged, (last,)).rowcount == 1
    host = host_of(open_app())
    begin(host, "final-battle")
    answer = host.post(f"/api/battles/kept/{journal.stem}/resume")
    assert answer.status_code == 503
    saved = host.post(f"/api/battles/kept/{journal.stem}/salvage")
    assert saved.status_code == 200, saved.text
    assert saved.get_json()["entries"] == last - 1


def test_nothing_readable_is_told_and_nothing_is_moved(open_app: Open, folder: Path) -> None:
    (journal,) = (folder / "battles").glob("*river-plate*.db")
    host = _resting(open_app, journal, b"\xa5" * 30_000)
    response = host.post(f"/api/battles/kept/{journal.stem}/salvage")
    assert response.status_code == 400
    assert journal.exists()
    assert seated(host.app).post(f"/api/battles/kept/{journal.stem}/salvage").status_code == 403


def test_leftovers_of_a_forced_end_are_cleared(open_app: Open, tmp_path: Path) -> None:
    open_app()
    left = [tmp_path / "house.db.new", tmp_path / "battles" / "x.db.new"]
    left.append(tmp_path / "battles" / "x.db.format-1.new")
    for path in left:
        path.write_bytes(b"half")
    open_app()
    assert not any(path.exists() for path in left)


def test_an_unknown_role_in_the_seat_file_is_told(open_app: Open, tmp_path: Path) -> None:
    seated(open_app())
    with closing(sqlite3.connect(tmp_path / "house.db")) as base, base:
        base.execute("UPDATE seats SET role = 'admiral'")
    host = host_of(open_app())
    assert list(tmp_path.glob("house-damaged-*.db"))
    assert host.view()["table"]["title"]


@pytest.mark.parametrize("value", ["[" * 50_000, '{"sides": 3}'])
def test_a_damaged_setting_costs_what_it_says_and_nothing_else(
    open_app: Open, folder: Path, value: str
) -> None:
    seated(open_app())
    open_app()
    for name, path in (
        ("summary", next((folder / "battles").glob("*river-plate*.db"))),
        ("code", folder / "house.db"),
    ):
        with closing(sqlite3.connect(path)) as base, base:
            base.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))
    host = host_of(open_app())
    begin(host, "final-battle")
    assert [each["fault"] for each in battles_of(host) if each["fault"]] == []
    assert host.get("/battle").status_code == host.get("/battles").status_code == 200
    assert seated(host.app, "Bea").view()["you"]["name"] == "Bea"


def _resting(open_app: Open, journal: Path, data: bytes) -> Phone:
    """The host, while another battle is on the table and a journal has these bytes."""
    host = host_of(open_app())
    begin(host, "final-battle")
    for beside in journal.parent.glob(f"{journal.name}-*"):
        beside.unlink()
    changed = bytearray(data)
    changed[:PAGE] = bytes(min(PAGE, len(changed)))
    journal.write_bytes(bytes(changed))
    return host
