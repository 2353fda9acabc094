"""The pages on which battles are chosen and set up."""

from pathlib import Path

import pytest
from flask import Flask

from combat.scenarios import all_scenarios
from tests.web.data_folders import begin
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.camera.table_access import SessionTable
from web.camera.table_cameras import TableCameras
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

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
        ("ships.british=Hood", "each of two sides"),
        ("ships.british=Hod&ships.german=Bismarck", "Hood"),
        ("visibility=12&ships.british=Hood&ships.german=Bismarck", "from 1 to 8"),
        ("width=NaN&ships.british=Hood&ships.german=Bismarck", "a number from 6 to 400"),
        ("ships.british=Hood&ships.german=Bismarck&coming=zones", "zones"),
        ("scenario=nothing", "nothing"),
        (
            "ships.british=Hood&ships.german=Bismarck&width=20&height=20&range_die=6&direction_die=1",
            "larger",
        ),
        ("ships.british=Hood&ships.german=Bismarck&range_die=7", "from 1 to 6"),
    ],
)
def test_a_set_up_that_makes_no_sense_is_told_on_the_page(
    app: Flask, query: str, words: str
) -> None:
    response = host_of(app).get(f"/battles/new?{query}")
    assert response.status_code == 200
    assert words in response.text.partition('role="alert"')[2][:300]


def test_several_of_a_kind_are_numbered(app: Flask) -> None:
    query = "&".join(
        (
            "ships.british=Hood&ships.german=Hood",
            "count.british.Destroyer=2&count.german.Destroyer=1",
        )
    )
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
    cameras = TableCameras(tmp_path, SessionTable(session), session.update_camera)
    camera_thread = cameras.first
    app = create_app(server_context=ServerContext(session, watched=cameras))
    app.config["TESTING"] = True
    host = host_of(app)
    camera_thread.start("demo", keep=False)
    try:
        begin(host, "final-battle")
        ships = {ship["name"]: ship for ship in host.view()["ships"]}
        assert ships["Bismarck"]["source"] == "hand"
        assert ships["Bismarck"]["x"] == 29400
        assert host.view()["camera"]["state"] == "none"
    finally:
        camera_thread.close()
