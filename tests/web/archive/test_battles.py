"""Battles are begun, kept, resumed and hidden."""

import re
from typing import Any

import pytest
from flask import Flask

from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup, SetupShip
from combat.scenarios import all_scenarios
from tabletop.table import Pose
from tests.web.data_folders import Open, battles_of, begin, import_battle, plot
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web.actions.battle import exact_pose

# Beginning and resuming


FIRST_STEPS = {
    "bismarck-advanced": "plot",
    "grand-fleets": "commanders",
}
"""The kind of the first step of a battle, by its rulebook."""


@pytest.mark.parametrize("key", [s.key for s in all_scenarios().values() if not s.by_dice])
def test_every_scenario_is_begun_and_its_ships_stand_on_the_table(app: Flask, key: str) -> None:
    host = host_of(app)
    begin(host, key)
    view = host.view()
    scenario = all_scenarios()[key]
    assert view["table"]["title"] == scenario.title
    assert {ship["name"] for ship in view["ships"]} == {ship.name for ship in scenario.ships}
    assert all(ship["placed"] for ship in view["ships"])
    assert view["battle"]["step"]["kind"] == FIRST_STEPS[scenario.ruleset]


@pytest.mark.parametrize(
    "key",
    [s.key for s in all_scenarios().values() if s.ruleset == "bismarck-advanced" and not s.by_dice],
)
def test_a_scenario_of_bismarck_begins_in_its_own_visibility(app: Flask, key: str) -> None:
    host = host_of(app)
    begin(host, key)
    conditions = host.view()["battle"]["conditions"]
    assert conditions["visibility"] == all_scenarios()[key].visibility


def test_what_a_ship_brings_along_is_on_her_sheet(app: Flask) -> None:
    host = host_of(app)
    begin(host, "final-battle")
    ships = {ship["id"]: ship for ship in host.view()["battle"]["ships"]}
    assert ships["Bismarck"]["movement_factor"] == 3


def test_smoke_that_lies_on_the_table_counts_in_the_battle_and_lifts_by_the_rule(
    app: Flask,
) -> None:
    """67.653: it stands for two combat phases, like a front laid in the first move."""
    host = host_of(app)
    begin(host, "denmark-strait")
    (front,) = host.view()["battle"]["smoke"]
    laid = all_scenarios()["denmark-strait"].smoke[0]
    assert (front["x1"], front["y1"]) == (laid.x1_yards, laid.y1_yards)
    assert (front["ship"], front["until"]) == (None, "round 1, segment 2")
    assert len(host.view()["smoke"]) == 1


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
    assert import_battle(ann, {}).status_code == 403
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
        # Every ship that the rulebook knows may be chosen there; who is here is not told.
        page = re.sub("<option.*?</option>", "", bob.get(path).text)
        assert "Duke of York" not in page, path
    # The scenario itself is open to read; which number is whom is not.
    who = bob.get("/battles/list").text.partition('class="own"')[2].partition("</ul>")[0]
    assert "Scharnhorst" in who
    assert "Norfolk" not in who
    assert 'class="own"' not in host.get("/battles/list").text
    assert "still hidden" in words_of(
        bob.get(f"/api/battles/kept/{battles_of(bob)[0]['id']}/export")
    )


def ships_of(app: Flask) -> dict[str, SetupShip]:
    """The ships of the battle on the table as it began."""
    battle = running_in(app).session.moment.battle
    assert battle is not None
    assert isinstance(battle.record.setup, AdvancedSetup)
    return {ship.name: ship for ship in battle.record.setup.ships}


def test_hidden_ships_stand_where_they_were_placed_under_numbers_by_lot(app: Flask) -> None:
    host = host_of(app)
    placed = {ship.name: ship.pose for ship in all_scenarios()["denmark-strait"].ships}
    seen = set()
    for _ in range(12):
        begin(host, "denmark-strait", hidden=True)
        ships = ships_of(app)
        assert {name: ship.pose for name, ship in ships.items()} == {
            name: exact_pose(pose) for name, pose in placed.items() if pose is not None
        }
        assert {ship.number for ship in ships.values()} == {1, 2, 3, 4}
        # The table has them by number, whatever the order in which they were placed.
        assert [ship["name"] for ship in host.view()["ships"]] == [f"Ship {n}" for n in range(1, 5)]
        seen.add(ships["Hood"].number)
    assert len(seen) > 1


def test_an_owner_gives_numbers_and_the_lot_the_others(app: Flask) -> None:
    host = host_of(app)
    begin(host, "denmark-strait", hidden=True, numbers={"Hood": 3, "Bismarck": 41})
    numbers = {name: ship.number for name, ship in ships_of(app).items()}
    assert (numbers["Hood"], numbers["Bismarck"]) == (3, 41)
    assert {numbers["Prinz Eugen"], numbers["Prince of Wales"]} < {1, 2, 4}


def own_battle(**more: object) -> dict[str, Any]:
    """Two ships a side, placed by their owners."""
    ships = [
        ("Hood", "british", 20_000, 5_000), ("Norfolk", "british", 20_000, 7_000),
        ("Bismarck", "german", 8_000, 5_000), ("Prinz Eugen", "german", 8_000, 7_000),
    ]  # fmt: skip
    return {
        "title": "By night and fog",
        "hidden": True,
        "ships": [
            {"name": name, "type": name, "side": side, "place": {"x": x, "y": y, "heading": 0}}
            for name, side, x, y in ships
        ],
        **more,
    }


def test_numbers_of_an_own_battle_come_with_the_ships_or_beside_them(app: Flask) -> None:
    host = host_of(app)
    body = own_battle(numbers={"0": 7})
    body["ships"][0]["number"] = 5
    body["ships"][2]["number"] = 12
    assert host.post("/api/battles", body).status_code == 200
    ships = ships_of(app)
    assert (ships["Hood"].number, ships["Bismarck"].number) == (7, 12)
    assert ships["Hood"].pose == Pose(20_000, 5_000, 0)
    assert ships["Prinz Eugen"].pose == Pose(8_000, 7_000, 0)


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ({"0": 5, "2": 5}, None),
        ({"0": 0}, "0"),
        ({"0": 1000}, "0"),
        ({"0": "x"}, "0"),
        ({"0": 1.5}, "0"),
        ({"9": 5}, None),
    ],
)
def test_wrong_numbers_are_refused_in_one_line_and_nothing_begins(
    app: Flask, numbers: dict[str, object], field: str | None
) -> None:
    host = host_of(app)
    before = battles_of(host)
    answer = host.post("/api/battles", own_battle(numbers=numbers))
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert "\n" not in error["message"]
    assert field is None or field in error["field"]
    assert battles_of(host) == before


@pytest.mark.parametrize("numbered", ["beside", "with"])
def test_a_number_in_an_open_battle_is_refused_and_nothing_begins(
    app: Flask, numbered: str
) -> None:
    """61.6: a number hides a ship, so that it means nothing where nobody is hidden."""
    host = host_of(app)
    before = battles_of(host)
    body = own_battle(numbers={"0": 5} if numbered == "beside" else {}, hidden=False)
    if numbered == "with":
        body["ships"][0]["number"] = 5
    answer = host.post("/api/battles", body)
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert error["field"] == "number"
    assert "61.6" in error["message"]
    assert battles_of(host) == before


def test_ships_of_an_open_battle_have_no_numbers(app: Flask) -> None:
    assert host_of(app).post("/api/battles", own_battle(hidden=False)).status_code == 200
    assert [ship.number for ship in ships_of(app).values()] == [None] * 4


def test_a_table_with_names_does_not_begin_hidden(app: Flask) -> None:
    host = host_of(app)
    assert "numbers" in words_of(host.post("/api/battle/begin", {"hidden": True}))
    body = {"scenario": "river-plate", "hidden": True, "lay_only": True}
    assert "start it at once" in words_of(host.post("/api/battles/scenario", body))
