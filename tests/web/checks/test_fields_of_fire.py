"""Fields of fire as the chart gets them: whose, for whom, and what they hold."""

from typing import Any

import pytest
from flask import Flask
from shapely import Point, Polygon

from combat.scene_file import read_scene
from tests.web.data_folders import begin
from tests.web.phones import Phone, fresh_app, host_of, seated
from web.data_folder import table_in_memory
from web.http.context import ServerContext

SCENE = """
title = "Shadows"
[[ship]]
name = "Hood"
x = 18000
y = 4000
heading = 0
[[ship]]
name = "Prince of Wales"
x = 18000
y = 10000
heading = 90
[[ship]]
name = "Stranger"
x = 30000
y = 4000
heading = 0
[[smoke]]
x1 = 10000
y1 = 2000
x2 = 10000
y2 = 6000
"""


@pytest.fixture
def app() -> Flask:
    scene = read_scene(SCENE.encode(), "shadows.toml")
    return fresh_app(ServerContext(table_in_memory(lambda: scene)))


def fields(phone: Phone, ship: str) -> dict[str, Any]:
    answer = phone.get(f"/api/fields-of-fire?ship={ship}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def holds(battery: dict[str, Any], x: float, y: float, kind: str = "clear") -> bool:
    return any(
        Polygon(each["outer"], each["holes"]).covers(Point(x, y))
        for band in battery["bands"]
        for each in band[kind]
    )


def test_each_battery_has_her_arcs_and_ranges(app: Flask) -> None:
    seen = fields(host_of(app), "Hood")
    assert (seen["ship"], seen["measure"]) == ("Hood", "yes")
    main, secondary = seen["batteries"]
    assert (main["battery"], main["title"]) == ("main", "Main")
    assert [band["outer_yards"] for band in main["bands"]] == [4000.0 * n for n in range(1, 8)]
    assert main["bands"][4]["title"] == "Long low"
    # Dead ahead only the turrets bear.
    assert holds(main, 18_000, 9_000)
    assert not holds(secondary, 18_000, 9_000)
    assert holds(secondary, 25_000, 4_500)
    assert len(secondary["bands"]) == 5


def test_ships_and_smoke_cast_shadows(app: Flask) -> None:
    main, _ = fields(host_of(app), "Hood")["batteries"]
    assert not holds(main, 18_000, 15_000)
    assert holds(main, 14_000, 15_000)
    # Beyond 16,000 yards only what is near the firer hides anything (67.53).
    assert holds(main, 18_000, 20_500)
    assert not holds(main, 5_000, 4_000)
    assert holds(main, 5_000, 4_000, "through_smoke")


def test_a_ship_that_the_rulebook_does_not_know_has_none(app: Flask) -> None:
    assert fields(host_of(app), "Stranger")["batteries"] == []


def test_where_measuring_is_not_free_there_are_none(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    umpire = seated(app, "Uma", role="umpire", side=None)
    assert host.post("/api/host/premeasure", {"mode": "declare"}).status_code == 200
    seen = fields(ann, "Hood")
    assert (seen["measure"], seen["batteries"]) == ("declare", [])
    assert fields(umpire, "Hood")["batteries"]


def test_a_guided_battle_shows_the_ships_as_they_are(app: Flask) -> None:
    host = host_of(app)
    begin(host, "denmark-strait")
    assert [each["battery"] for each in fields(host, "Hood")["batteries"]] == ["main", "secondary"]


def test_grand_fleets_batteries_have_bands_of_their_own() -> None:
    text = """
ruleset = "grand-fleets"
[[ship]]
name = "Sample battleship"
x = 5000
y = 5000
heading = 0
"""
    scene = read_scene(text.encode(), "grand.toml")
    host = host_of(fresh_app(ServerContext(table_in_memory(lambda: scene))))
    first, *_, torpedoes = fields(host, "Sample battleship")["batteries"]
    assert [band["title"] for band in first["bands"]] == ["Short", "Medium", "Long"]
    assert torpedoes["battery"] == "torpedoes"
    assert not holds(torpedoes, 5_000, 7_000)
    assert holds(torpedoes, 7_000, 5_000)


def test_a_hidden_ship_has_a_field_for_her_own_side_alone(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    bob, umpire = seated(app, "Bob", side="german"), seated(app, "Uma", role="umpire", side=None)
    begin(host, "north-cape", hidden=True)
    ships = ann.view()["battle"]["ships"]
    own = next(ship["label"] for ship in ships if ship["yours"] and ship["name"] == "Norfolk")
    assert [each["battery"] for each in fields(ann, own)["batteries"]] == ["main", "secondary"]
    assert fields(umpire, own)["batteries"]
    for phone in (bob, host):
        assert fields(phone, own)["batteries"] == []


@pytest.mark.parametrize(
    ("query", "status"),
    [("?ship=Hod", 404), ("", 400), ("?ship=", 400), ("?ship=Hood&more=1", 400)],
)
def test_odd_addresses_are_answered_in_words(app: Flask, query: str, status: int) -> None:
    answer = host_of(app).get(f"/api/fields-of-fire{query}")
    assert answer.status_code == status
    assert answer.get_json()["error"]["message"]


def test_nobody_without_a_seat_sees_one(app: Flask) -> None:
    assert Phone(app, "192.168.1.77").get("/api/fields-of-fire?ship=Hood").status_code == 401


def test_a_ship_off_the_table_has_none(app: Flask) -> None:
    host = host_of(app)
    assert host.post("/api/ships/Hood/lift").status_code == 200
    assert host.get("/api/fields-of-fire?ship=Hood").status_code == 400
