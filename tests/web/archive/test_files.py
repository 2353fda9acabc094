"""Battles as files: out and in again, old ones, damaged ones, and disks that are full."""

import json
import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from combat.participants import SPECTATOR
from tests.web.data_folders import Open, battles_of, begin, import_battle, play, plot
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web.archive.exports import checksum_of
from web.cli import main
from web.journal.store import Store

FIXTURE = Path(__file__).with_name("data") / "table-v1.db"
EXPORT = Path(__file__).with_name("data") / "battle-v1.dreyer.json"
CANARY = "2RL"
"""A notation that nobody else plots."""


def export(phone: Phone, id_: str) -> dict[str, Any]:
    response = phone.get(f"/api/battles/kept/{id_}/export")
    assert response.status_code == 200, response.text
    assert "attachment" in response.headers["Content-Disposition"]
    found: dict[str, Any] = json.loads(response.data)
    return found


def kinds_of(document: dict[str, Any]) -> list[str]:
    """The actions of the battle in a file."""
    rows = document["entries"]
    return [row["data"]["action"]["kind"] for row in rows if row["kind"] == "battle"]


# One file


def test_a_battle_goes_out_and_comes_back_the_same(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    id_ = begin(host, "river-plate")
    assert host.join("Uma", role="umpire", side=None).status_code == 200
    for ship in ("Exeter", "Ajax", "Achilles", "Admiral Graf Spee"):
        plot(host, ship)
    play(host, "commit")
    play(host, "move")
    document = export(host, id_)
    before = running_in(app).session.moment
    response = import_battle(host, document)
    assert response.status_code == 200, response.text
    copy = response.get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment
    assert before.battle is not None
    assert after.battle is not None
    assert after.battle.state == before.battle.state
    assert after.state.pieces == before.state.pieces
    assert export(host, copy)["checksum"] == document["checksum"]


def test_the_amounts_of_short_turns_come_back(
    open_app: Open, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_app()
    host = host_of(app)
    id_ = begin(host, "river-plate")
    assert host.join("Uma", role="umpire", side=None).status_code == 200
    begun = {ship["id"]: ship["pose"]["heading"] for ship in host.view()["battle"]["ships"]}
    written = {"Exeter": "3r+1/3", "Ajax": "3l12d", "Achilles": "3l", "Admiral Graf Spee": "3r⅔"}
    for ship, notation in written.items():
        play(host, "plot", ship=ship, speed=8, notation=notation)
    play(host, "commit")
    play(host, "move")
    before = running_in(app).session.moment.battle
    file = tmp_path / "battle.dreyer.json"
    file.write_text(json.dumps(export(host, id_)), encoding="utf-8")
    copy = import_battle(host, json.loads(file.read_text(encoding="utf-8"))).get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment.battle
    assert before is not None
    assert after is not None
    assert after.state == before.state
    assert main(["replay", str(file), "--json"]) == 0
    events = json.loads(capsys.readouterr().out)["events"]
    ended = {each["ship"]: each["heading_deg"] for each in events if each["kind"] == "moved"}
    for ship, turned_deg in {
        "Exeter": 10,
        "Ajax": -12,
        "Achilles": -22.5,
        "Admiral Graf Spee": 20,
    }.items():
        assert ended[ship] == pytest.approx((begun[ship] + turned_deg) % 360)


def test_a_file_says_its_version_and_the_format_of_its_entries(open_app: Open) -> None:
    host = host_of(open_app())
    document = export(host, begin(host, "river-plate"))
    assert document["version"] == 2
    assert {row["format"] for row in document["entries"]} == {2}
    for version, status in ((0, 400), (-3, 400), (3, 400), (2, 200)):
        assert import_battle(host, {**document, "version": version}).status_code == status


def test_the_file_has_no_people_and_no_keys(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    seated(app, "Zebedee", pin="9753")
    id_ = battles_of(host)[0]["id"]
    text = json.dumps(export(host, id_))
    for secret in ("Zebedee", "9753", running_in(app).session.seats.code, "seat", "token", "pin"):
        assert secret not in text, secret


def test_players_get_the_battle_without_the_other_sides_secrets(open_app: Open) -> None:
    app = open_app()
    host, ann = host_of(app), seated(app)
    bob = seated(app, "Bob", side="german")
    id_ = begin(host, "river-plate")
    plot(bob, "Admiral Graf Spee", CANARY)
    for phone in (host, ann, bob):
        assert CANARY not in json.dumps(export(phone, id_))
    # Thrown away: a second draft, and one whose commitment was taken back.
    play(bob, "commit")
    play(bob, "uncommit")
    plot(bob, "Admiral Graf Spee", "3L")
    assert bob.post("/api/battle/undo").status_code == 200
    plot(bob, "Admiral Graf Spee", "4")
    play(bob, "commit")
    for ship in ("Exeter", "Ajax", "Achilles"):
        plot(ann, ship)
    play(ann, "commit")
    # Plots are sealed until the segment ends (57.6): the file is the battle as it began.
    assert kinds_of(export(ann, id_)) == []
    assert "sealed now" in ann.get("/battles/list").text
    play(ann, "move")
    play(bob, "designate", ship="Admiral Graf Spee", orders=[])
    cut = export(ann, id_)
    assert kinds_of(cut) == []
    laid_anew = [row for row in cut["entries"] if row["kind"] == "ships_placed"]
    assert not laid_anew
    assert import_battle(host, cut).status_code == 200
    for phone in (ann, bob):
        play(phone, "commit")
    document = export(ann, id_)
    assert "sealed now" not in ann.get("/battles/list").text
    assert CANARY not in json.dumps(document)
    kinds = kinds_of(document)
    assert (kinds.count("plot"), kinds.count("commit"), kinds.count("designate")) == (4, 4, 1)
    assert import_battle(host, document).status_code == 200
    plot(bob, "Admiral Graf Spee", CANARY)
    assert kinds_of(export(ann, id_)) == kinds


def test_dice_that_were_read_again_and_taken_back_again_are_in_the_file(open_app: Open) -> None:
    app = open_app()
    host, ann, bob = host_of(app), seated(app), seated(app, "Bob", side="german")
    id_ = begin(host, "denmark-strait")
    for phone, ships in ((ann, ("Hood", "Prince of Wales")), (bob, ("Bismarck", "Prinz Eugen"))):
        for ship in ships:
            plot(phone, ship)
        play(phone, "commit")
    play(ann, "move")
    play(ann, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    play(ann, "designate", ship="Prince of Wales", orders=[])
    play(ann, "commit")
    for ship in ("Bismarck", "Prinz Eugen"):
        play(bob, "designate", ship=ship, orders=[{"target": "Hood"}])
    play(bob, "commit")
    for phone in (ann, bob):
        play(phone, "commit")
    opened = running_in(app).session.moment.battle
    assert opened is not None
    committed = opened.record.events[-1].n
    play(ann, "dice", values=["66"])
    play(bob, "dice", values=["66", "66"])
    # The second step back is to before the designations opened: four commitments.
    for back_to in (committed, committed - 3):
        # The second time the dice have been read again before.
        assert bob.post("/api/battle/undo/ask", {"after": back_to}).status_code == 200
        assert ann.answer_undo(agree=True).status_code == 200
        if back_to == committed:
            assert ann.post("/api/battle/roll", {"what": "next"}).status_code == 200
        document = export(bob, id_)
        assert import_battle(host, document).status_code == 200
    play(bob, "designate", ship="Bismarck", orders=[{"target": "Prince of Wales"}])
    play(bob, "commit")
    for phone in (ann, bob):
        play(phone, "commit")
    to_segment_end(ann, bob)
    before = running_in(app).session.moment.battle
    copy = import_battle(host, export(bob, id_)).get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment.battle
    assert before is not None
    assert after is not None
    assert after.state == before.state
    assert after.record.taken_back == before.record.taken_back
    assert len(before.record.taken_back) == 1


def to_segment_end(ann: Phone, bob: Phone) -> None:
    """All dice of the combat phase rolled by the server."""
    while ann.view()["battle"]["step"]["kind"] == "resolve":
        rolled = [phone.post("/api/battle/roll", {"what": "rest"}) for phone in (ann, bob)]
        assert 200 in [answer.status_code for answer in rolled]


def to_rates(ann: Phone, bob: Phone) -> None:
    """Denmark Strait, with Hood and Bismarck at each other and their rates of fire open."""
    british, german = (ann, "british"), (bob, "german")
    for (phone, side), ships in (
        (british, ("Hood", "Prince of Wales")),
        (german, ("Bismarck", "Prinz Eugen")),
    ):
        for ship in ships:
            plot(phone, ship)
        play(phone, "commit", **({"for_side": side} if ann is bob else {}))
    play(ann, "move")
    play(ann, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    play(bob, "designate", ship="Bismarck", orders=[{"target": "Hood"}])
    for phone, side in (british, german):
        play(phone, "commit", **({"for_side": side} if ann is bob else {}))


def test_rates_of_fire_are_in_the_file_once_they_lie_open(open_app: Open) -> None:
    app = open_app()
    host, ann, bob = host_of(app), seated(app), seated(app, "Bob", side="german")
    id_ = begin(host, "denmark-strait")
    to_rates(ann, bob)
    for guns in ({"B": 1}, {"A": 1}):
        play(bob, "reduce", ship="Bismarck", rates=[{"target": "Hood", "guns": guns}])
    play(bob, "commit")
    # Bob's choice is his own until Ann has committed, even in his own file.
    for phone in (ann, bob):
        cut = export(phone, id_)
        assert "reduce" not in _kinds(cut)
        copy = import_battle(host, cut).get_json()["id"]
        assert copy
    play(ann, "commit")
    game = running_in(app).session.moment.battle
    assert game is not None
    assert [(fire.firer, dict(fire.guns)) for fire in game.plotted_view(SPECTATOR).reduced] == [
        ("Bismarck", {"A": 1})
    ]
    # The segment's plots are sealed until it ends (57.6), and with them all that follows.
    to_segment_end(ann, bob)
    opened = export(ann, id_)
    # Of the two drafts only the last was ever opened.
    assert _kinds(opened).count("reduce") == 1
    before = running_in(app).session.moment.battle
    copy = import_battle(host, opened).get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment.battle
    assert before is not None
    assert after is not None
    assert after.state == before.state


def test_an_umpires_file_goes_on_in_the_middle_of_the_rates(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    id_ = begin(host, "denmark-strait")
    assert host.join("Solo", role="umpire", side=None).status_code == 200
    to_rates(host, host)
    play(host, "reduce", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
    play(host, "commit", for_side="british")
    before = running_in(app).session.moment.battle
    copy = import_battle(host, export(host, id_)).get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment.battle
    assert before is not None
    assert after is not None
    assert after.state == before.state
    play(host, "commit")
    assert host.view()["battle"]["step"]["kind"] == "resolve"


def _kinds(document: dict[str, Any]) -> list[str]:
    return [row["data"]["action"]["kind"] for row in document["entries"] if row["kind"] == "battle"]


def test_an_umpire_and_whoever_is_alone_get_everything(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    id_ = begin(host, "river-plate")
    assert host.join("Solo", role="umpire", side=None).status_code == 200
    plot(host, "Admiral Graf Spee", CANARY)
    assert CANARY in json.dumps(export(host, id_))


def broken(document: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    change(copy)
    copy["checksum"] = checksum_of(copy["entries"])
    return copy


def laid(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["entries"][0]["data"]
    return found


def test_files_that_are_wrong_are_refused_in_words_and_nothing_is_kept(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    id_ = begin(host, "river-plate")
    good = export(host, id_)
    before = battles_of(host)
    wrong: list[tuple[object, str]] = [
        (b"", "not JSON"),
        (b"{" * 100_000, "cannot be used"),
        (b'{"format": 1}', "not a Dreyer Table battle"),
        (b"\x89PNG\r\n", "This is a picture, not a battle"),
        (b"%PDF-1.7", "This is a PDF, not a battle"),
        (b"<!doctype html><p>Report", "a web page, such as a saved report, not a battle"),
        (b'[[ship]]\nname = "Hood"\n', "a scene or scenario file"),
        ([1, 2], "not a Dreyer Table battle"),
        ({**good, "version": 99}, "newer version"),
        ({**good, "checksum": "0" * 64}, "checksum"),
        ({**good, "title": "Other", "entries": good["entries"][:1]}, "checksum"),
        ({**good, "entries": []}, "entries"),
        (json.dumps(good).encode().replace(b"500.0", b"NaN"), "NaN is not a number"),
        (broken(good, lambda d: d["entries"].pop(0)), "does not start with a table"),
        (broken(good, lambda d: d["entries"].reverse()), "comes after"),
        (broken(good, lambda d: d["entries"][1].update(kind="joined")), "newer version"),
        (broken(good, lambda d: laid(d).update(width_yards="wide")), "width_yards"),
        (broken(good, lambda d: laid(d).update(ruleset="chess")), "cannot be played"),
        (broken(good, lambda d: laid(d)["ships"][0].update(name="a\nb")), "name"),
        (broken(good, lambda d: laid(d)["ships"][0].update(side="purple")), "side"),
        (broken(good, lambda d: laid(d).update(surprise=1)), "surprise"),
        (broken(good, lambda d: d["entries"][1]["data"].update(setup={})), "cannot be played"),
        (broken(good, lambda d: d["entries"][0].update(seconds=-1.0)), "seconds"),
        (b" " * 32_000_001, "32,000,000"),
    ]
    for document, words in wrong:
        response = import_battle(host, document)
        assert response.status_code in (400, 413), (words, response.text)
        assert words in words_of(response), (words, response.text)
    assert battles_of(host) == before
    assert host.view()["table"]["title"] == "River Plate"


def test_the_file_of_a_long_battle_passes_the_door(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    good = export(host, begin(host, "river-plate"))
    taken = import_battle(host, b" " * 30_000_000 + json.dumps(good).encode())
    assert taken.status_code == 200, taken.text


# Older versions, and what can go wrong with files


def test_a_table_of_the_first_version_still_opens_with_its_seats(
    open_app: Open, tmp_path: Path
) -> None:
    shutil.copy(FIXTURE, tmp_path / "table.db")
    app = open_app()
    session = running_in(app).session
    assert session.moment.state.title == "Denmark Strait"
    battle = session.moment.battle
    assert battle is not None
    assert (battle.step.kind, battle.step.round_number, battle.step.segment) == ("plot", 1, 2)
    assert {seat.name for seat in session.seats} == {"Ann", "Bob"}
    assert not (tmp_path / "table.db").exists()
    assert (tmp_path / "battles" / "table.db").exists()
    phone = Phone(app)
    body = {"code": session.seats.code, "name": "Ann", "pin": "1234"}
    assert phone.post("/api/return", body).status_code == 200
    drafts = [s for s in phone.view()["battle"]["ships"] if s["id"] == "Hood"]
    assert drafts


def test_a_file_of_the_first_version_is_still_taken_in(open_app: Open) -> None:
    host = host_of(open_app())
    response = import_battle(host, EXPORT.read_bytes())
    assert response.status_code == 200, response.text
    assert host.post(f"/api/battles/kept/{response.get_json()['id']}/resume").status_code == 200
    assert host.view()["battle"]["step"]["kind"] == "plot"


def spoil(path: Path) -> None:
    """Damage a journal in its middle."""
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def test_a_damaged_battle_is_told_and_can_be_set_aside_while_the_rest_is_used(
    open_app: Open, tmp_path: Path
) -> None:
    app = open_app()
    first = battles_of(host_of(app))[0]["id"]
    second = begin(host_of(app), "river-plate")
    open_app()
    spoil(tmp_path / "battles" / f"{first}.db")
    app = open_app()
    host = host_of(app)
    listed = {each["id"]: each for each in battles_of(host)}
    assert "damaged" in listed[first]["fault"]
    assert listed[second]["open"]
    assert "damaged" in words_of(host.post(f"/api/battles/kept/{first}/resume"))
    assert "damaged" in host.get("/battles").text
    response = host.post(f"/api/battles/kept/{first}/aside")
    assert response.status_code == 200, response.text
    assert (tmp_path / "battles" / "set-aside" / response.get_json()["file"]).exists()
    assert [each["id"] for each in battles_of(host)] == [second]


def test_a_damaged_battle_on_the_table_lets_the_server_start_beside_it(
    open_app: Open, tmp_path: Path
) -> None:
    second = begin(host_of(open_app()), "river-plate")
    running_in(open_app()).session.close()
    spoil(tmp_path / "battles" / f"{second}.db")
    said: list[str] = []
    app = open_app()
    host = host_of(app)
    assert host.view()["table"]["title"] == "Denmark Strait"
    assert {each["id"]: each["fault"] for each in battles_of(host)}[second]
    assert not said


def test_a_damaged_house_is_set_aside_and_no_battle_is_lost(open_app: Open, tmp_path: Path) -> None:
    app = open_app()
    begin(host_of(app), "river-plate")
    seated(app)
    open_app()
    (tmp_path / "house.db").write_bytes(b"not a database at all " * 500)
    for beside in ("house.db-wal", "house.db-shm"):
        (tmp_path / beside).unlink(missing_ok=True)
    app = open_app()
    assert list(tmp_path.glob("house-damaged-*.db"))
    assert "River Plate" in {each["title"] for each in battles_of(host_of(app))}


def test_a_journal_that_makes_no_sense_is_told(open_app: Open, tmp_path: Path) -> None:
    app = open_app()
    first = battles_of(host_of(app))[0]["id"]
    begin(host_of(app), "river-plate")
    with closing(sqlite3.connect(tmp_path / "battles" / f"{first}.db")) as base, base:
        base.execute("UPDATE journal SET data = '{}', checksum = NULL")
        base.execute("DELETE FROM settings")
    host = host_of(app)
    assert "damaged" in {each["id"]: each["fault"] for each in battles_of(host)}[first]
    assert host.post(f"/api/battles/kept/{first}/resume").status_code == 503
    assert host.view()["table"]["title"] == "River Plate"


@contextmanager
def _full(store: Store) -> Iterator[None]:
    """A transaction on a full disk."""
    if store.name:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise full
    yield


def test_pages_open_on_a_full_disk_and_nothing_tells_where_it_is(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app()
    host, ann = host_of(app), seated(app)
    seats = running_in(app).session.seats
    monkeypatch.setattr(seats, "_today", lambda: date.today().toordinal() + 1)
    monkeypatch.setattr(Store, "_transaction", _full)
    # A session is noted once a day, and a new browser of the host has none.
    for phone in (host, ann, host_of(app)):
        for path in ("/table", "/ships", "/api/view"):
            assert phone.get(path).status_code == 200
    refused = ann.post("/api/ships", {"name": "Exeter"})
    assert refused.status_code == 503
    assert "disk is full" in words_of(refused)
    assert str(tmp_path) not in refused.text
    monkeypatch.undo()
    assert ann.post("/api/ships", {"name": "Exeter"}).status_code == 200


def test_a_full_disk_begins_nothing_and_loses_nothing(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = host_of(open_app())
    before = host.view()

    monkeypatch.setattr(Store, "_transaction", _full)
    response = host.post("/api/battles/scenario", {"scenario": "north-cape"})
    assert response.status_code == 503
    assert "disk is full" in words_of(response)
    monkeypatch.undo()
    assert host.view()["table"] == before["table"]
    assert len(battles_of(host)) == 1
    begin(host, "river-plate")


def test_a_folder_that_cannot_be_written_to_is_said(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = host_of(open_app())

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", read_only)
    response = host.post("/api/battles/scenario", {"scenario": "river-plate"})
    assert response.status_code == 503
    assert "Read-only" in words_of(response)
    assert host.view()["table"]["title"] == "Denmark Strait"


def test_many_broken_entries_are_one_fault_and_not_a_list_of_them(open_app: Open) -> None:
    host = host_of(open_app())
    head = '{"format": "dreyer-table battle", "version": 2, "title": "x", "checksum": "'
    data = f"""{head}{"0" * 64}", "entries": [{",".join(["{}"] * 20_000)}]}}""".encode()
    tracemalloc.start()
    try:
        response = import_battle(host, data)
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert response.status_code == 400
    assert "entries 1" in words_of(response)
    assert most_bytes < 8e6
