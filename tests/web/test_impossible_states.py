"""Impossible marks of a ship are refused wherever people can write them, in the same words."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.data_folders import battles_of
from tests.web.phones import Phone, host_of, seated, words_of
from web.cli import main

HOOD_ALONE = """
title = "Trial"
[scenario]
date = "1941"
story = "Two ships."
victory = "None."
audience = "Nobody."
[[ship]]
name = "Prince of Wales"
x = 1000
y = 1000
heading = 0
state = STATE
[[ship]]
name = "Bismarck"
x = 9000
y = 9000
heading = 90
"""
SHOT = """
[firer]
name = "Prince of Wales"
speed = 4
state = STATE
[target]
name = "Bismarck"
speed = 4
[fire]
range_yards = 14000
quadrant = "starboard"
aspect = "port"
[conditions]
visibility = 2
"""
FIGHT = """
[[ship]]
name = "Prince of Wales"
state = STATE
[[ship]]
name = "Bismarck"
"""
CONVERSION = """
[[ship]]
name = "Prince of Wales"
state = STATE
"""
FILES = {
    "check": HOOD_ALONE,
    "resolve": SHOT,
    "forecast": SHOT,
    "replay": FIGHT,
    "convert": CONVERSION,
}
MARKS: list[tuple[str, str, str]] = [
    ("hull_lost = 13", "hull_lost", "from 0 to 12"),
    ("torpedoes_fired = true", "torpedoes_fired", "she has no torpedoes"),
    ("hull_solid = 1", "hull_solid", "at most 0"),
    ("turrets_lost = { A = 1 }, turrets_solid = { B = 1 }", "B", "at most 0"),
    ('secondaries_lost = ["P1", "P1"]', "secondaries_lost", "each name once"),
]
AS_JSON: list[tuple[dict[str, Any], str]] = [
    ({"hull_lost": 13}, "from 0 to 12"),
    ({"torpedoes_fired": True}, "she has no torpedoes"),
    ({"hull_solid": 1}, "at most 0"),
]


@pytest.mark.parametrize("command", FILES)
@pytest.mark.parametrize(("marks", "field", "expected"), MARKS)
def test_a_file_with_impossible_marks(
    command: str,
    marks: str,
    field: str,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "trial.toml"
    file.write_text(FILES[command].replace("STATE", f"{{ {marks} }}"), encoding="utf-8")
    dice = ["--seed", "1"] if command == "resolve" else []
    assert main([command, str(file), *dice]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "trial.toml" in said.err
    assert "[state]" in said.err
    assert f"{field}: expected" in said.err
    assert expected in said.err


def test_a_scenario_cannot_begin_with_a_wreck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trial.toml"
    file.write_text(HOOD_ALONE.replace("STATE", "{ hull_lost = 12 }"), encoding="utf-8")
    assert main(["check", str(file)]) == 2
    assert "64.8" in capsys.readouterr().err


def body(state: dict[str, Any], **more: object) -> dict[str, Any]:
    ships: list[dict[str, Any]] = [
        {"name": "Prince of Wales", "type": "Prince of Wales", "side": "british", "state": state},
        {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    ]
    for number, ship in enumerate(ships):
        ship["place"] = {"x": 2_000 + 9_000 * number, "y": 2_000, "heading": 0}
    return {"title": "Trial", "ships": ships, **more}


@pytest.mark.parametrize("more", [{}, {"lay_only": True}, {"hidden": True}])
@pytest.mark.parametrize(("state", "expected"), AS_JSON)
def test_a_battle_with_impossible_marks_is_not_begun(
    app: Flask, state: dict[str, Any], expected: str, more: dict[str, object]
) -> None:
    host = host_of(app)
    before = len(battles_of(host))
    refused = host.post("/api/battles", body(state, **more))
    assert refused.status_code == 400
    assert expected in words_of(refused)
    assert len(battles_of(host)) == before


@pytest.mark.parametrize(("state", "expected"), AS_JSON)
def test_a_laid_table_is_not_begun_with_impossible_marks(
    app: Flask, state: dict[str, Any], expected: str
) -> None:
    host = host_of(app)
    assert host.post("/api/battles", body({}, lay_only=True)).status_code == 200
    refused = host.post("/api/battle/begin", {"states": {"Prince of Wales": state}})
    assert refused.status_code == 400
    assert expected in words_of(refused)
    assert host.view()["battle"] is None


@pytest.mark.parametrize(("state", "expected"), AS_JSON)
def test_the_set_up_page_refuses_impossible_marks(
    app: Flask, state: dict[str, Any], expected: str
) -> None:
    query = {
        "ships.british": "Prince of Wales",
        "ships.german": "Bismarck",
        "state.Prince of Wales": json.dumps(state),
    }
    page = host_of(app).get("/battles/new", query_string=query)
    assert expected in page.text


@pytest.mark.parametrize(("state", "expected"), AS_JSON)
def test_marks_entered_on_the_calculator(app: Flask, state: dict[str, Any], expected: str) -> None:
    phone: Phone = host_of(app)
    fire = {
        "kind": "main", "by": "Prince of Wales", "at": "Bismarck", "range_yards": 14_000,
        "quadrant": "starboard", "aspect": "port",
    }  # fmt: skip
    joining = [
        {"name": "Prince of Wales", "type": "Prince of Wales", "side": "british"},
        {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    ]
    act = {"ruleset": "bismarck-advanced", "ships": joining, "action": fire, "roll": True}
    refused = phone.post("/api/free", {**act, "marks": {"Prince of Wales": state}})
    assert refused.status_code == 400
    assert expected in words_of(refused)
    assert phone.get("/api/free").get_json()["battle"] is None


def test_a_box_that_is_no_longer_lost_is_not_solid_either(app: Flask) -> None:
    phone = host_of(app)
    joining = [
        {"name": "Prince of Wales", "type": "Prince of Wales", "side": "british"},
        {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    ]
    fire = {
        "kind": "main", "by": "Prince of Wales", "at": "Bismarck", "range_yards": 14_000,
        "quadrant": "starboard", "aspect": "port",
    }  # fmt: skip
    act = {"ruleset": "bismarck-advanced", "ships": joining, "action": fire, "roll": True}
    marks = {"Prince of Wales": {"hull_lost": 3, "hull_solid": 2}}
    assert phone.post("/api/free", {**act, "marks": marks}).status_code == 200
    entered = {"kind": "set-marks", "ship": "Prince of Wales", "marks": {"hull_lost": 1}}
    act = {"ruleset": "bismarck-advanced", "action": entered}
    assert phone.post("/api/free", act).status_code == 200
    ships = phone.get("/api/free").get_json()["battle"]["ships"]
    state = next(ship["state"] for ship in ships if ship["name"] == "Prince of Wales")
    assert (state["hull_lost"], state["hull_solid"]) == (1, 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [({"torpedoes_fired": True}, "she has no torpedoes"), ({"hull_lost": 13}, "from 0 to 12")],
)
def test_an_umpire_does_not_set_what_cannot_be(
    app: Flask, values: dict[str, Any], expected: str
) -> None:
    host, umpire = host_of(app), seated(app, "Ump", role="umpire", side=None)
    assert host.post("/api/battles", body({})).status_code == 200
    correct = {"ship": "Prince of Wales", "values": values, "reason": "test"}
    refused = umpire.post("/api/battle/play", {"kind": "correct", "data": correct})
    assert refused.status_code == 400
    assert expected in words_of(refused)


# Numbers are for hidden play (61.6)


def test_an_open_battle_takes_no_numbers(app: Flask) -> None:
    host = host_of(app)
    told = body({})
    told["ships"][0]["number"] = 7
    for refused in (
        host.post("/api/battles", told),
        host.post("/api/battles", {**told, "lay_only": True}),
        host.post("/api/battles", {**body({}), "numbers": {"1": 7}}),
        host.post("/api/battles/scenario", {"scenario": "denmark-strait", "numbers": {"Hood": 7}}),
    ):
        assert refused.status_code == 400, refused.text
        assert "61.6" in words_of(refused)
    assert host.post("/api/battles", {**told, "hidden": True}).status_code == 200
    assert "7" in json.dumps(host.view()["battle"]["ships"])


# Visibility X (55.22)


@pytest.mark.parametrize(
    ("options", "code"), [("", 2), ("[options]\nfight_at_visibility_x = true\n", 0)]
)
def test_a_scenario_at_visibility_x_needs_its_option(
    options: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fog.toml"
    text = HOOD_ALONE.replace("state = STATE\n", "").replace(
        'audience = "Nobody."\n', f'audience = "Nobody."\nvisibility = "X"\n{options}'
    )
    file.write_text(text, encoding="utf-8")
    assert main(["check", str(file)]) == code
    said = capsys.readouterr().err
    assert (said == "") == (code == 0)
    if code:
        assert "fog.toml, [scenario]: visibility: expected" in said
        assert "fight_at_visibility_x" in said
