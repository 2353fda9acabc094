"""Several battles are kept: begun, resumed, taken away as a file and brought back, never lost."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from combat.scenarios import all_scenarios
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web import create_app
from web.battle.exporting import checksum_of
from web.camera.eyes import Eyes
from web.camera.table import SessionTable
from web.seats import Caller
from web.server.opening import DataFolder, battles_in, table_in_memory
from web.server.running import Running
from web.store import Store
from web.table.scenes import demo_scene

if TYPE_CHECKING:
    from web.battle.kept import Battles

FIXTURE = Path(__file__).with_name("data") / "table-v1.db"
EXPORT = Path(__file__).with_name("data") / "battle-v1.dreyer.json"
CANARY = "2RL"
"""A notation that nobody else plots."""
HOST = Caller("host", host=True)
Open = Callable[[], Flask]


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Open]:
    """The server on a data folder, as often as it is started."""
    opened: list[tuple[DataFolder, Battles]] = []

    def close() -> None:
        while opened:
            folder, battles = opened.pop()
            battles.session.close()
            folder.close()

    def open_() -> Flask:
        close()
        folder = DataFolder(tmp_path)
        battles = battles_in(folder, demo=False, scene=None)
        opened.append((folder, battles))
        app = create_app(running=Running(battles.session, data_folder=tmp_path, kept=battles))
        app.config["TESTING"] = True
        return app

    yield open_
    close()


def battles_of(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.get("/api/battles").get_json()["battles"]
    return found


def begin(host: Phone, scenario: str = "final-battle", **more: object) -> str:
    response = host.post("/api/battles/scenario", {"scenario": scenario, **more})
    assert response.status_code == 200, response.text
    return str(response.get_json()["id"])


def play(phone: Phone, kind: str, **data: object) -> None:
    response = phone.post("/api/battle/play", {"kind": kind, "data": data})
    assert response.status_code == 200, response.text


def plot(phone: Phone, ship: str, notation: str = "4") -> None:
    play(phone, "plot", ship=ship, speed=8, notation=notation)


def export(phone: Phone, id_: str) -> dict[str, Any]:
    response = phone.get(f"/api/battles/kept/{id_}/export")
    assert response.status_code == 200, response.text
    assert "attachment" in response.headers["Content-Disposition"]
    found: dict[str, Any] = json.loads(response.data)
    return found


def take_in(host: Phone, document: object) -> Any:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    headers = {"Content-Type": "application/octet-stream"}
    return host.send("POST", "/api/battles/import", headers=headers, data=data)


# Beginning and resuming


@pytest.mark.parametrize("key", [s.key for s in all_scenarios().values() if not s.by_dice])
def test_every_scenario_is_begun_and_its_ships_stand_on_the_table(app: Flask, key: str) -> None:
    host = host_of(app)
    begin(host, key)
    view = host.view()
    scenario = all_scenarios()[key]
    assert view["table"]["title"] == scenario.title
    assert {ship["name"] for ship in view["ships"]} == {ship.name for ship in scenario.ships}
    assert all(ship["placed"] for ship in view["ships"])
    assert view["battle"]["step"]["kind"] == "plot"
    assert view["battle"]["conditions"]["visibility"] == scenario.visibility


def test_what_a_ship_brings_along_is_on_her_sheet(app: Flask) -> None:
    host = host_of(app)
    begin(host, "final-battle")
    ships = {ship["id"]: ship for ship in host.view()["battle"]["ships"]}
    assert ships["Bismarck"]["movement_factor"] == 3


def test_a_table_may_be_laid_first_and_begun_as_the_models_stand(app: Flask) -> None:
    host = host_of(app)
    begin(host, "final-battle", lay_only=True)
    assert host.view()["battle"] is None
    moved = {"x": 20000, "y": 9000, "heading": 300}
    assert host.post("/api/ships/Bismarck/place", moved).status_code == 200
    assert host.post("/api/battle/begin", {"visibility": 4}).status_code == 200
    ships = {ship["id"]: ship for ship in host.view()["battle"]["ships"]}
    assert ships["Bismarck"]["pose"]["x"] == 20000
    assert ships["Bismarck"]["movement_factor"] == 3


def test_switching_keeps_seats_code_and_phones_and_the_number_grows(open_app: Open) -> None:
    app = open_app()
    host, ann = host_of(app), seated(app)
    code = running_in(app).session.seats.code
    first = battles_of(host)[0]["id"]
    before = ann.view()
    plain_move = {"x": 1234, "y": 4321, "heading": 10}
    assert ann.post("/api/ships/Hood/place", plain_move).status_code == 200
    second = begin(host)
    there = ann.view()
    assert there["seq"] > before["seq"]
    assert there["you"]["name"] == "Ann"
    assert there["table"]["title"] == "The final battle"
    assert running_in(app).session.seats.code == code
    assert host.post(f"/api/battles/kept/{first}/resume").status_code == 200
    back = ann.view()
    assert back["seq"] > there["seq"]
    assert next(ship for ship in back["ships"] if ship["name"] == "Hood")["x"] == 1234
    assert [each["id"] for each in battles_of(host)] == [first, second]
    assert host.post(f"/api/battles/kept/{second}/resume").status_code == 200
    cookies = ann.client
    app = open_app()
    assert running_in(app).session.seats.code == code
    assert running_in(app).session.moment.state.title == "The final battle"
    ann.client, ann.app = app.test_client(), app
    ann.client._cookies = cookies._cookies  # The phone is the same, the server was restarted.
    assert ann.view()["you"]["name"] == "Ann"


def test_what_was_done_is_there_after_a_restart(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    begin(host, "river-plate")
    ann = seated(app)
    plot(ann, "Exeter")
    state = running_in(app).session.moment.battle
    app = open_app()
    again = running_in(app).session.moment.battle
    assert state is not None
    assert again is not None
    assert again.state == state.state


def test_players_look_and_the_host_decides(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    id_ = begin(host)
    assert battles_of(ann)[0]["id"] == id_
    for method, path in (
        ("POST", "/api/battles/scenario"),
        ("POST", f"/api/battles/kept/{id_}/resume"),
        ("DELETE", f"/api/battles/kept/{id_}"),
        ("POST", f"/api/battles/kept/{id_}/aside"),
    ):
        response = ann.send(method, path, {"scenario": "river-plate"} if "scen" in path else {})
        assert response.status_code == 403, path
    assert take_in(ann, {}).status_code == 403
    assert Phone(app).get("/api/battles").status_code == 401


def test_the_battle_on_the_table_cannot_be_deleted_and_others_can(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    first = battles_of(host)[0]["id"]
    second = begin(host)
    assert "resume another" in words_of(host.delete(f"/api/battles/kept/{second}"))
    assert host.delete(f"/api/battles/kept/{first}").status_code == 200
    assert [each["id"] for each in battles_of(host)] == [second]
    assert host.delete(f"/api/battles/kept/{first}").status_code == 404
    for odd in ("..", "..%2fhouse", "house", "%00"):
        assert host.delete(f"/api/battles/kept/{odd}").status_code in (404, 405)


def test_a_refused_beginning_changes_nothing(open_app: Open) -> None:
    host = host_of(open_app())
    before = battles_of(host)
    ships = [{"name": "Hood", "type": "Hood", "side": "british"}] * 2
    place = {"x": 1, "y": 1, "heading": 0}
    for body in (
        {"title": "Trial", "ships": ships},
        {"title": "Trial", "ships": [{**ship, "place": place} for ship in ships]},
        {"title": "Trial", "ships": [{**ships[0], "type": "Hod"}, ships[1]]},
        {"title": "Trial", "ships": ships, "places": {"7": place}},
    ):
        assert host.post("/api/battles", body).status_code in (400, 404)
    assert host.post("/api/battles/scenario", {"scenario": "nothing"}).status_code == 404
    assert host.post("/api/battles/scenario", {"scenario": "convoy-hx106"}).status_code == 400
    assert battles_of(host) == before


def test_the_same_request_twice_begins_one_battle(open_app: Open) -> None:
    host = host_of(open_app())
    for _ in range(2):
        body = {"scenario": "river-plate"}
        assert host.post("/api/battles/scenario", body, key="one-key-1").status_code == 200
    assert len(battles_of(host)) == 2


# Hidden ships


def test_hidden_ships_are_numbers_on_the_table_and_names_to_their_own_side(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    bob = seated(app, "Bob", side="german")
    begin(host, "north-cape", hidden=True)
    for phone in (host, ann, bob):
        view = phone.view()
        assert {ship["name"] for ship in view["ships"]} == {f"Ship {n}" for n in range(1, 9)}
        assert {ship["type"] for ship in view["ships"]} == {None}
    own = [ship for ship in ann.view()["battle"]["ships"] if ship["yours"]]
    assert {ship["name"] for ship in own} >= {"Duke of York", "Norfolk"}
    assert all(ship["label"].startswith("Ship ") for ship in own)
    enemies = [ship for ship in bob.view()["battle"]["ships"] if not ship["yours"]]
    assert all("name" not in ship or ship["name"] is None for ship in enemies)
    for path in ("/api/view", "/api/log", "/table", "/ships"):
        assert "Duke of York" not in bob.get(path).text, path
    # The scenario itself is open to read; which number is whom is not.
    who = bob.get("/battles/list").text.partition('class="own"')[2].partition("</ul>")[0]
    assert "Scharnhorst" in who
    assert "Norfolk" not in who
    assert 'class="own"' not in host.get("/battles/list").text
    assert "face down" in words_of(bob.get(f"/api/battles/kept/{battles_of(bob)[0]['id']}/export"))


def test_hidden_ships_cannot_be_read_off_the_scenario(app: Flask) -> None:
    host = host_of(app)
    seen = set()
    for _ in range(12):
        begin(host, "denmark-strait", hidden=True)
        battle = running_in(app).session.moment.battle
        assert battle is not None
        ships = battle.record.setup["ships"]
        seen.add(next((s["pose"]["x"], s["number"]) for s in ships if s["name"] == "Hood"))
    assert len({x for x, _ in seen}) == 2
    assert len({number for _, number in seen}) > 1


def test_a_table_with_names_does_not_begin_hidden(app: Flask) -> None:
    host = host_of(app)
    assert "by lot" in words_of(host.post("/api/battle/begin", {"hidden": True}))
    body = {"scenario": "river-plate", "hidden": True, "lay_only": True}
    assert "begin it at once" in words_of(host.post("/api/battles/scenario", body))


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
    response = take_in(host, document)
    assert response.status_code == 200, response.text
    copy = response.get_json()["id"]
    assert host.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    after = running_in(app).session.moment
    assert before.battle is not None
    assert after.battle is not None
    assert after.battle.state == before.battle.state
    assert after.state.pieces == before.state.pieces
    assert export(host, copy)["checksum"] == document["checksum"]


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
    document = export(ann, id_)
    text = json.dumps(document)
    assert CANARY not in text
    assert "Admiral Graf Spee" in text
    kinds = [row["data"].get("kind") for row in document["entries"] if row["kind"] == "battle"]
    assert kinds.count("plot") == 4
    assert kinds.count("commit") == 2
    assert take_in(host, document).status_code == 200
    play(ann, "move")
    play(bob, "designate", ship="Admiral Graf Spee", orders=[])
    cut = export(ann, id_)
    kinds = [row["data"].get("kind") for row in cut["entries"] if row["kind"] == "battle"]
    assert "designate" not in kinds
    assert kinds[-1] == "move"


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
        (b'{"format": 1}', "not a battle"),
        ([1, 2], "not a battle"),
        ({**good, "version": 99}, "newer version"),
        ({**good, "checksum": "0" * 64}, "checksum"),
        ({**good, "title": "Other", "entries": good["entries"][:1]}, "checksum"),
        ({**good, "entries": []}, "entries"),
        (json.dumps(good).encode().replace(b"500.0", b"NaN"), "no number"),
        (broken(good, lambda d: d["entries"].pop(0)), "does not begin with a table"),
        (broken(good, lambda d: d["entries"].reverse()), "comes after"),
        (broken(good, lambda d: d["entries"][1].update(kind="joined")), "newer version"),
        (broken(good, lambda d: laid(d).update(width_yards="wide")), "width_yards"),
        (broken(good, lambda d: laid(d).update(ruleset="chess")), "does not play"),
        (broken(good, lambda d: laid(d)["ships"][0].update(name="a\nb")), "name"),
        (broken(good, lambda d: laid(d)["ships"][0].update(side="purple")), "side"),
        (broken(good, lambda d: laid(d).update(surprise=1)), "surprise"),
        (broken(good, lambda d: d["entries"][1]["data"].update(setup={})), "does not play"),
        (broken(good, lambda d: d["entries"][0].update(seconds=-1.0)), "seconds"),
        (b" " * 8_000_001, "8,000,000"),
    ]
    for document, words in wrong:
        response = take_in(host, document)
        assert response.status_code in (400, 413), (words, response.text)
        assert words in words_of(response), (words, response.text)
    assert battles_of(host) == before
    assert host.view()["table"]["title"] == "River Plate"


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
    response = take_in(host, EXPORT.read_bytes())
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
        base.execute("UPDATE journal SET data = '{}'")
        base.execute("DELETE FROM settings")
    host = host_of(app)
    assert "damaged" in {each["id"]: each["fault"] for each in battles_of(host)}[first]
    assert host.post(f"/api/battles/kept/{first}/resume").status_code == 503
    assert host.view()["table"]["title"] == "River Plate"


def test_a_full_disk_begins_nothing_and_loses_nothing(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = host_of(open_app())
    before = host.view()

    @contextmanager
    def full(store: Store) -> Iterator[None]:
        if store.name:
            raise sqlite3.OperationalError("database or disk is full")
        yield

    monkeypatch.setattr(Store, "_all_or_none", full)
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


def test_a_copy_is_whole(tmp_path: Path) -> None:
    shutil.copy(FIXTURE, tmp_path / "one.db")
    store = Store(tmp_path / "one.db")
    store.copy_to(tmp_path / "two.db")
    assert Store(tmp_path / "two.db").entries() == store.entries()


# The pages


def test_the_page_offers_the_host_what_players_only_read(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    for phone, offered in ((host, True), (ann, False)):
        page = phone.get("/battles").text
        assert page.count("<h3") == len(all_scenarios())
        assert ("POST /api/battles/scenario" in page) is offered
        assert ("POST /api/battles/import" in page) is offered
    assert ann.get("/battles/new").status_code == 403
    assert ann.get("/battles/markers").status_code == 200
    watcher = seated(app, "Will", role="onlooker", side=None)
    assert watcher.get("/battles").status_code == 200
    assert watcher.get("/battles/markers").status_code == 403
    assert Phone(app).get("/battles").status_code == 303


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("british=Hood", "either side"),
        ("british=Hod&german=Bismarck", "Hood"),
        ("visibility=12&british=Hood&german=Bismarck", "from 1 to 8"),
        ("width=NaN&british=Hood&german=Bismarck", "a number from 6 to 400"),
        ("british=Hood&german=Bismarck&coming=zones", "zones"),
        ("scenario=nothing", "nothing"),
        ("british=Hood&german=Bismarck&width=20&height=20&range_die=6&direction_die=1", "larger"),
        ("british=Hood&german=Bismarck&range_die=7", "from 1 to 6"),
    ],
)
def test_a_set_up_that_makes_no_sense_is_told_on_the_page(
    app: Flask, query: str, words: str
) -> None:
    response = host_of(app).get(f"/battles/new?{query}")
    assert response.status_code == 200
    assert words in response.text.partition('role="alert"')[2][:300]


def test_several_of_a_kind_are_numbered(app: Flask) -> None:
    query = "british=Hood&german=Hood&british-Destroyer=2&german-Destroyer=1"
    page = host_of(app).get(f"/battles/new?{query}").text
    for name in ("Hood 2", "Destroyer 1", "Destroyer 2", "Destroyer 3"):
        assert f">{name}<" in page


def test_the_app_rolls_once_and_the_die_stays(app: Flask) -> None:
    host = host_of(app)
    response = host.get("/battles/new?scenario=convoy-hx106&roll=range")
    assert response.status_code == 303
    where = response.headers["Location"]
    assert "roll=range" not in where
    assert "rolled=range" in where
    page = host.get(where).text
    assert page.count('name="range_die"') == 6
    assert "checked" in page.partition('name="range_die"')[2][:400]


def test_places_from_the_form_begin_the_battle(app: Flask) -> None:
    host = host_of(app)
    ships = [
        {"name": "Hood", "type": "Hood", "side": "british"},
        {"name": "Strasbourg", "type": "Strasbourg", "side": "german"},
    ]
    places = {
        "0": {"x": 1000.0, "y": 2000.0, "heading": 90.0},
        "1": {"x": 20000.0, "y": 2000.0, "heading": 270.0},
    }
    body = {"title": "Trial", "ships": ships, "places": places, "said": "a 4: 18,000 yards"}
    assert host.post("/api/battles", body).status_code == 200
    view = host.view()
    assert view["battle"]["sides"] == ["british", "german"]
    assert {ship["side"] for ship in view["ships"]} == {"british", "german"}
    assert next(s for s in view["ships"] if s["name"] == "Strasbourg")["x"] == 20000
    assert any("a 4: 18,000 yards" in line["text"] for line in view["log"])


def test_the_demo_camera_does_not_move_another_battle(tmp_path: Path) -> None:
    session = table_in_memory(demo_scene)
    eyes = Eyes(tmp_path, SessionTable(session), session.see)
    app = create_app(running=Running(session, eyes=eyes))
    app.config["TESTING"] = True
    host = host_of(app)
    eyes.start("demo", keep=False)
    try:
        begin(host, "final-battle")
        ships = {ship["name"]: ship for ship in host.view()["ships"]}
        assert ships["Bismarck"]["source"] == "hand"
        assert ships["Bismarck"]["x"] == 29400
        assert host.view()["camera"]["state"] == "none"
    finally:
        eyes.close()
