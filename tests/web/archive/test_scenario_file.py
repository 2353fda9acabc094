"""The present table as a scenario file: what it has, what it leaves out, and reading it again."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from combat.scenarios import read_table
from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import Fought
from tests.web.data_folders import begin
from tests.web.phones import Phone, host_of, running_in, seated
from web import create_app
from web.http.context import ServerContext
from web.strings import text

ADDRESS = "/api/battles/own-scenario"


def lay(host: Phone, data: bytes) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": "application/octet-stream"}
    answer = host.send("POST", ADDRESS, headers=headers, data=data)
    return answer.status_code, answer.get_json()


def test_a_table_goes_out_and_comes_back(app: Flask) -> None:
    host = host_of(app)
    begin(host, "denmark-strait")
    answer = host.get(ADDRESS)
    assert answer.headers["Content-Disposition"].endswith('.toml"')
    before = {ship["name"]: ship for ship in host.view()["ships"]}
    id_ = running_in(app).battles.open_id
    status, laid = lay(host, answer.data)
    assert status == 200, laid
    assert running_in(app).battles.open_id == laid["id"] != id_
    after = {ship["name"]: ship for ship in host.view()["ships"]}
    assert after.keys() == before.keys()
    for name, ship in after.items():
        for key in ("side", "silhouette"):
            assert ship[key] == before[name][key]
        for key in ("x", "y", "heading"):
            assert ship[key] == pytest.approx(before[name][key], abs=0.1)
    assert host.view()["table"]["width_yards"] > 0


@pytest.mark.parametrize("side", ["neutral", "pirates"])
def test_sides_with_ships_go_out_and_come_back(app: Flask, side: str) -> None:
    host = host_of(app)
    for name, allies in (("Pirates", ["german"]), ("Corsairs", [])):
        assert host.post("/api/sides", {"name": name, "allies": allies}).status_code == 200
    for ship, of in (("Argo", "british"), ("Ajax", side)):
        added = host.post("/api/ships", {"name": ship, "type": "Hood", "side": of})
        assert added.status_code == 200, added.text
        place = {"x": 9000, "y": 3000 if of == side else 5000, "heading": 20}
        assert host.post(f"/api/ships/{ship}/place", place).status_code == 200
    for each in host.view()["ships"]:
        if each["name"] not in ("Argo", "Ajax"):
            assert host.delete(f"/api/ships/{each['name']}").status_code == 200
    status, laid = lay(host, host.get(ADDRESS).data)
    assert status == 200, laid
    after = {ship["name"]: ship["side"] for ship in host.view()["ships"]}
    assert after == {"Argo": "british", "Ajax": side}


def test_weather_and_moved_ships_are_in_it(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db").segments(1)
    app = create_app(server_context=ServerContext(fought.session))
    scene = read_table(host_of(app).get(ADDRESS).data, "own.toml")
    assert scene.conditions is not None
    assert scene.conditions.visibility == 2
    hood = next(model for model in scene.table.models if model.name == "Hood")
    pose = fought.session.moment.ships["Hood"].pose
    assert pose is not None
    assert hood.pose.x_yards == pytest.approx(pose.x_yards, abs=0.1)


def test_hidden_ships_keep_their_secrets(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    app = create_app(server_context=ServerContext(fought.session))
    for phone in (
        host_of(app),
        seated(app, "Ann", side="british"),
        seated(app, "Bob", side="german"),
    ):
        told = phone.get(ADDRESS).text
        assert "Ship 1" in told
        for secret in ("Bismarck", "Prinz Eugen", "type = "):
            assert secret not in told


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"title = 3",
        b'{"a": 1}',
        b'[[ship]]\nname = "Hood"\nx = "far"\ny = 1\nheading = 0\n',
        b'ruleset = "nothing"\n[[ship]]\nname = "Hood"\nx = 1\ny = 1\nheading = 0\n',
    ],
)
def test_a_wrong_file_is_refused_with_one_word_and_changes_nothing(app: Flask, data: bytes) -> None:
    host = host_of(app)
    before = host.view()["seq"]
    status, answer = lay(host, data)
    assert status == (404 if b"nothing" in data else 400)
    assert answer["error"]
    assert host.view()["seq"] == before


def test_only_the_host_lays_a_table_and_only_those_at_it_save_one(app: Flask) -> None:
    begin(host_of(app), "denmark-strait")
    assert lay(seated(app, "Ann", side="british"), b"")[0] == 403
    assert Phone(app).get(ADDRESS).status_code == 401


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"%PDF-1.7", "pdf"),
        (b'{"format": "dreyer"}', "battle"),
        (b"<!doctype html>", "page"),
    ],
)
def test_another_file_is_told_for_what_it_is(app: Flask, data: bytes, kind: str) -> None:
    status, told = lay(host_of(app), data)
    assert status == 400
    expected = text("battles.own_other_file", kind=text(f"battles.import_fault.kind.{kind}"))
    assert told["error"]["message"] == str(expected)
