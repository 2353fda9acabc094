"""Battles that follow one another, by the API alone."""

import json
from typing import Any

import pytest
from flask import Flask

from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from tests.web.data_folders import Open, battles_of, import_battle, play, plot
from tests.web.phones import Phone, host_of, seated, words_of

HOOD = load_warships().named("Hood", "test")
SHIPS = (
    ("Hood", "Hood", "british", 0),
    ("Destroyer 1", "Destroyer", "british", 3_000),
    ("Bismarck", "Bismarck", "german", 9_000),
)


def entrants(*names: str, **states: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "type": type_,
            "side": side,
            "place": {"x": 2_000 + away, "y": 2_000 + away / 3, "heading": 0},
            **({"state": states[name]} if name in states else {}),
        }
        for name, type_, side, away in SHIPS
        if name in names
    ]


def all_names() -> list[str]:
    return [name for name, *_ in SHIPS]


def umpire(app: Flask) -> Phone:
    return seated(app, "Ump", role="umpire", side=None)


def survivors(host: Phone, id_: str) -> dict[str, Any]:
    response = host.get(f"/api/battles/kept/{id_}/survivors")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def states(host: Phone, id_: str) -> dict[str, Any]:
    return {ship["name"]: ship["state"] for ship in survivors(host, id_)["ships"]}


def new_battle(host: Phone, title: str, names: list[str], **more: object) -> str:
    body = {"title": title, "ships": entrants(*names), **more}
    response = host.post("/api/battles", body)
    assert response.status_code == 200, response.text
    return str(response.get_json()["id"])


def corrected(phone: Phone, ship: str, **values: object) -> None:
    play(phone, "correct", ship=ship, values=values, reason="as it happened")


def sheet(phone: Phone, ship: str) -> dict[str, Any]:
    answer = phone.get("/api/battle/sheet", query_string={"ship": ship}).get_json()
    return {part["key"]: part for part in answer["sheet"]["parts"]}


def test_a_campaign_of_three_battles_exported_and_imported_in_the_middle(open_app: Open) -> None:
    app = open_app()
    host, ump = host_of(app), umpire(app)
    first = new_battle(host, "Denmark Strait", all_names())
    corrected(ump, "Hood", hull_lost=4.5, ammunition={"main": 100}, torpedoes_fired=True)
    corrected(ump, "Hood", turrets_lost={"A": 3, "B": 1}, jammed_guns={"X": 1})
    corrected(ump, "Destroyer 1", hull_lost=0.25)
    play(ump, "end")
    # At sea by a die, which fails; then two turns in port.
    play(ump, "repair", ship="Hood", part="hull")
    assert host.get(f"/api/battles/kept/{first}/survivors").status_code == 400
    play(ump, "dice", values=["6"])
    play(ump, "repair", next_turn=True)
    play(ump, "repair", ship="Hood", part="hull", in_port=True, turns=2)
    assert states(host, first) == {
        "Hood": {
            "hull_lost": 2.0,
            "hull_solid": 2,
            "turrets_lost": {"A": 3.0, "B": 1.0},
            "ammunition": {"main": 100},
            "torpedoes_fired": True,
        },
        "Destroyer 1": None,
        "Bismarck": None,
    }
    assert {ship["name"]: ship["goes_on"] for ship in survivors(host, first)["ships"]} == {
        "Hood": True,
        "Destroyer 1": False,
        "Bismarck": True,
    }

    # The first battle goes to another machine; its ships go on there.
    exported = host.get(f"/api/battles/kept/{first}/export").get_data()
    imported = import_battle(host, exported).get_json()["id"]
    assert states(host, imported) == states(host, first)
    left_over = {"title": "X", "ships": entrants(*all_names()), "after": imported}
    refused = host.post("/api/battles", left_over)
    assert (refused.status_code, "70.6" in words_of(refused)) == (400, True)

    second = new_battle(host, "Second", ["Hood", "Bismarck"], after=imported)
    view = host.view()["battle"]
    assert view["follows"] == {
        "campaign": "Denmark Strait",
        "previous": "Denmark Strait",
        "number": 2,
    }
    hood = sheet(ump, "Hood")
    assert (hood["hull"]["lost"], hood["A"]["destroyed"], hood["B"]["lost"]) == (8, True, 4)
    assert hood["X"]["words"] == ""
    corrected(ump, "Bismarck", hull_lost=2)
    plot(ump, "Hood")
    # What it began with is in its own journal: those it came from may go.
    assert host.delete(f"/api/battles/kept/{imported}").status_code == 200
    assert host.delete(f"/api/battles/kept/{first}").status_code == 200
    export = ump.get(f"/api/battles/kept/{second}/export").get_data()
    assert "hull_solid" in export.decode()
    again = import_battle(host, export).get_json()["id"]
    assert host.post(f"/api/battles/kept/{again}/resume").status_code == 200
    assert host.view()["battle"]["follows"]["number"] == 2
    assert sheet(ump, "Hood")["hull"]["lost"] == 8
    assert sheet(ump, "Bismarck")["hull"]["lost"] == 8
    undone = ump.post("/api/battle/undo")
    assert undone.status_code == 200, undone.text
    assert sheet(ump, "Hood")["hull"]["lost"] == 8
    play(ump, "end")
    play(ump, "repair", ship="Hood", refuel=True, in_port=True)

    new_battle(host, "Third", ["Hood", "Bismarck"], after=again)
    view = host.view()["battle"]
    assert (view["follows"]["campaign"], view["follows"]["number"]) == ("Denmark Strait", 3)
    hood = sheet(ump, "Hood")
    assert (hood["hull"]["lost"], hood["A"]["destroyed"]) == (8, True)
    assert hood["torpedoes"]["words"] == ""
    listed = {each["title"]: (each["campaign"], each["number"]) for each in battles_of(host)}
    assert listed["Second"] == ("Denmark Strait", 2)
    assert listed["Third"] == ("Denmark Strait", 3)


def test_ships_begin_with_a_state(app: Flask) -> None:
    host = host_of(app)
    state = {"hull_lost": 3, "ammunition": {"main": 5}, "torpedoes_fired": True}
    body = {"title": "Test", "ships": entrants("Hood", "Bismarck", Hood=state)}
    assert host.post("/api/battles", body).status_code == 200
    assert sheet(host, "Hood")["hull"]["lost"] == 12
    assert sheet(host, "Hood")["torpedoes"]["lost"] > 0
    assert host.view()["battle"]["follows"] is None


def test_a_laid_table_begins_with_what_was_said_of_its_ships(app: Flask) -> None:
    host, ump = host_of(app), umpire(app)
    ships = entrants("Hood", "Bismarck", Hood={"hull_lost": 3})
    laid = host.post("/api/battles", {"title": "Test", "ships": ships, "lay_only": True})
    assert laid.status_code == 200
    states = {"Bismarck": {"movement_factors_lost": 4}}
    assert host.post("/api/battle/begin", {"states": states}).status_code == 200
    assert sheet(host, "Hood")["hull"]["lost"] == 12
    seen = {ship["id"]: ship for ship in host.view()["battle"]["ships"]}
    assert seen["Bismarck"]["movement_factor"] == 6
    play(ump, "end")
    # Begun again it is as it was laid, whatever has happened since.
    corrected(ump, "Hood", hull_lost=6)
    assert host.post("/api/battle/begin").status_code == 200
    assert sheet(host, "Hood")["hull"]["lost"] == 12
    assert host.post("/api/battle/begin", {"states": {"Yamato": {}}}).status_code == 400


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"hull_lost": 99}, "hull_lost"),
        ({"hull_lost": 0.3}, "quarters"),
        ({"hul_lost": 1}, "hull_lost"),
        ({"turrets_lost": {"Q": 1}}, "'Q'"),
        ({"ammunition": {"main": -1}}, "main"),
        ({"rudder_faults": ["sideways"]}, "rudder_faults"),
        ({"hull_lost": HOOD.hull_boxes}, "64.8"),
    ],
)
def test_a_wrong_state_says_what_is_wrong(app: Flask, state: dict[str, Any], said: str) -> None:
    host = host_of(app)
    before = len(battles_of(host))
    body = {"title": "Test", "ships": entrants("Hood", "Bismarck", Hood=state)}
    refused = host.post("/api/battles", body)
    assert refused.status_code in (400, 404)
    assert said in words_of(refused)
    assert len(battles_of(host)) == before


def test_after_what_has_not_ended(app: Flask) -> None:
    host = host_of(app)
    id_ = battles_of(host)[0]["id"]
    body = {"title": "Test", "ships": entrants("Hood", "Bismarck")}
    assert host.post("/api/battles", {**body, "after": id_}).status_code == 400
    id_ = new_battle(host, "Test", ["Hood", "Bismarck"])
    assert host.post("/api/battles", {**body, "after": id_}).status_code == 400
    assert host.post("/api/battles", {**body, "after": "none-such"}).status_code == 404
    both = {**body, "after": id_, "scenario": "final-battle"}
    assert host.post("/api/battles", both).status_code == 400
    assert seated(app).get(f"/api/battles/kept/{id_}/survivors").status_code == 403


def test_carried_damage_of_a_hidden_ship_is_her_own_sides_affair(app: Flask) -> None:
    host, ump = host_of(app), umpire(app)
    british, german = seated(app, "Ann"), seated(app, "Otto", side="german")
    first = new_battle(host, "First", ["Hood", "Bismarck"])
    corrected(ump, "Hood", hull_lost=4.5, movement_factors_lost=3)
    play(ump, "end")
    new_battle(host, "Second", ["Hood", "Bismarck"], after=first, hidden=True)
    seen = german.view()
    (enemy,) = [ship for ship in seen["battle"]["ships"] if ship["side"] == "british"]
    assert (enemy["hidden"], enemy["name"], enemy["glance"]) == (True, None, None)
    assert enemy["trouble"] in (None, 0)
    assert "Hood" not in json.dumps(seen)
    for path in ("/api/battle/story", "/battle", "/battles/list", "/log", "/table", "/sheets"):
        assert "Hood" not in german.get(path).get_data(as_text=True), path
    (own,) = [ship for ship in british.view()["battle"]["ships"] if ship["side"] == "british"]
    assert own["movement_factor"] == 7
