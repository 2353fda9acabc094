"""A conversion file that is handed to the page: both ways, with what the page has already."""

import json
from html import unescape
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tabletop.documents import parse_toml
from tests.web.phones import Phone, host_of, seated

MARKS = """
ruleset = "bismarck-advanced"
hexes = [9]
yards = [12500]
[[ship]]
name = "Bismarck"
[ship.marks]
midships_hits = 3
bow_hits = 3
[ship.beside]
superstructure_lost = 1.25
director_destroyed = true
rudder_faults = ["no_port"]
hull_solid = 1
[[ship]]
name = "The Mighty"
type = "Hood"
side = "french"
[ship.marks]
torpedoes_fired = true
"""
STATES = """
[[ship]]
name = "Bismarck"
[ship.state]
hull_lost = 4.0
turrets_lost = { A = 3.0, B = 1.5 }
[[ship]]
name = "Cossack"
type = "Destroyer"
[ship.state]
hull_lost = 0.5
[[ship]]
name = "Maori"
type = "Destroyer"
"""


@pytest.fixture
def phone(app: Flask) -> Phone:
    return seated(app)


def sent(phone: Phone, file: str | bytes, said: str = "") -> TestResponse:
    data = file.encode() if isinstance(file, str) else file
    path = f"/api/conversions/file?said={quote(said)}" if said else "/api/conversions/file"
    return phone.send("POST", path, data=data, content_type="application/octet-stream")


def taken(phone: Phone, file: str, said: str = "") -> str:
    answer = sent(phone, file, said)
    assert answer.status_code == 200, answer.text
    address: str = answer.get_json()["address"]
    return address


def asked(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def downloaded(phone: Phone, address: str) -> dict[str, object]:
    answer = phone.get(address.replace("/convert?", "/convert.toml?"))
    assert answer.status_code == 200, answer.text
    return parse_toml(answer.data, "download")


def test_marks_become_the_address_of_the_page(phone: Phone) -> None:
    answer = sent(phone, MARKS).get_json()
    said = asked(answer["address"])
    assert answer["ships"] == 2
    assert said["ship"] == ["Bismarck", "The Mighty"]
    assert said["midships_hits:Bismarck"] == ["3"]
    assert said["superstructure_lost:Bismarck"] == ["1.25"]
    assert said["rudder_faults.no_port:Bismarck"] == ["true"]
    assert json.loads(said["rest:Bismarck"][0]) == {"hull_solid": 1}
    assert (said["type:The Mighty"], said["side:The Mighty"]) == (["Hood"], ["french"])
    assert (said["hexes"], said["yards"]) == (["9"], ["12500"])
    page = phone.get(answer["address"]).text
    assert 'name="type:The Mighty" value="Hood"' in page
    assert "9 hexes: 32,001 to 36,000 yards" in page
    assert "4 hexes: 12,001 to 16,000 yards" in page


def test_nothing_of_the_file_is_lost_on_the_way_to_the_sheet(phone: Phone) -> None:
    ships = downloaded(phone, taken(phone, MARKS))["ship"]
    assert isinstance(ships, list)
    bismarck, mighty = ships
    state = bismarck["state"]
    assert (state["hull_lost"], state["hull_solid"]) == (4.0, 1)
    assert (state["superstructure_lost"], state["director_destroyed"]) == (1.25, True)
    assert state["turrets_lost"] == {"A": 3.0, "B": 1.5}
    assert (mighty["name"], mighty["type"], mighty["side"]) == ("The Mighty", "Hood", "french")
    assert mighty["state"] == {"torpedoes_fired": True}


def test_ships_of_the_page_stay_and_those_of_the_file_replace_theirs(phone: Phone) -> None:
    said = "to=advanced&ship=Rodney&midships_hits:Rodney=2&ship=Bismarck&stern_hits:Bismarck=1"
    found = asked(taken(phone, MARKS, said))
    assert found["ship"] == ["Rodney", "Bismarck", "The Mighty"]
    assert found["midships_hits:Rodney"] == ["2"]
    assert "stern_hits:Bismarck" not in found


def test_states_are_handed_back_and_come_again_as_marks(phone: Phone) -> None:
    address = taken(phone, STATES)
    assert asked(address)["to"] == ["basic"]
    page = phone.get(address)
    assert page.status_code == 200
    for name in ("Bismarck", "Cossack", "Maori"):
        assert f'aria-label="{name}"' in page.text
    file = downloaded(phone, address)["ship"]
    assert isinstance(file, list)
    # A destroyer has no sheet in the Basic Game.
    (bismarck,) = file
    assert (bismarck["marks"]["midships_hits"], bismarck["marks"]["bow_hits"]) == (2, 3)
    again = phone.get(address.replace("/convert?", "/convert.toml?")).text
    assert asked(taken(phone, again))["bow_hits:Bismarck"] == ["3"]


def test_the_ships_of_a_side_can_be_chosen_and_all_of_them_stay_in_the_address(
    phone: Phone,
) -> None:
    address = taken(phone, STATES)
    british = phone.get(f"{address}&side=british").text
    assert 'aria-label="Cossack"' in british
    assert 'aria-label="Bismarck"' not in british
    assert "ship=Bismarck" in unescape(british)
    more = '[[ship]]\nname = "Tirpitz"\n[ship.state]\n'
    found = asked(taken(phone, more, f"{urlsplit(address).query}&side=british"))
    assert found["ship"] == ["Bismarck", "Cossack", "Maori", "Tirpitz"]


def test_a_battle_begins_from_the_marks_of_a_file(app: Flask) -> None:
    host = host_of(app)
    file = MARKS.replace('side = "french"\n', "")
    page = unescape(host.get(taken(host, file)).text)
    assert "/battles/new?ships.german=Bismarck&state.Bismarck=" in page
    assert "own.british=The+Mighty&type.The+Mighty=Hood&state.The+Mighty=" in page


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("", "[[ship]]"),
        ("ship = 3", "ship"),
        ("not toml [", "TOML"),
        (b"\xff\xfe", "UTF-8"),
        ('{"kind": "battle"}', "Battles"),
        ('ruleset = "grand-fleets"', "bismarck-advanced"),
        ("ruleset = 3", "bismarck-advanced"),
        (MARKS.replace("midships_hits = 3", "midships_hits = 11"), "midships_hits"),
        (MARKS.replace("bow_hits", "bough_hits"), "bow_hits"),
        (MARKS.replace('"Hood"', '"Nemesis"'), "Nemesis"),
        (MARKS.replace('"The Mighty"', '"Bismarck"'), "'Bismarck'"),
        (MARKS.replace("director_destroyed = true", "hull_lost = 1.0"), "hull_lost"),
        ('to = "basic"\n' + MARKS.replace('ruleset = "bismarck-advanced"', ""), "state"),
        (STATES.replace("hull_lost = 4.0", "hull_lost = 99.0"), "hull_lost"),
    ],
)
def test_a_bad_file_is_told_in_one_sentence(phone: Phone, file: str | bytes, part: str) -> None:
    answer = sent(phone, file)
    assert answer.status_code == (404 if part == "Nemesis" else 400)
    message = answer.get_json()["error"]["message"]
    assert part in message
    assert "\n" not in message


def test_a_file_that_is_far_too_large(phone: Phone) -> None:
    assert sent(phone, b"#" * 300_000).status_code == 413


@pytest.mark.parametrize(
    "query",
    [
        "to=basic&ship=Bismarck&state:Bismarck=nonsense",
        "to=basic&ship=Bismarck&state:Bismarck=[1]",
        'to=basic&ship=Bismarck&state:Bismarck={"hull_lost":99}',
        "to=advanced&ship=Bismarck&rest:Bismarck=nonsense",
        'to=advanced&ship=Bismarck&rest:Bismarck={"hull_lost":1}',
        "to=advanced&ship=Bismarck&hexes=0&hexes=many&yards=1e9&yards=-1",
    ],
)
def test_an_address_made_by_hand_is_answered(phone: Phone, query: str) -> None:
    page = phone.get(f"/convert?{query}")
    assert page.status_code == 200
    assert 'aria-label="Bismarck"' in page.text
    assert ('class="fault" role="alert"' in page.text) == ("hexes" not in query)


def test_strangers_may_not_send_files(app: Flask) -> None:
    assert sent(Phone(app), MARKS).status_code in (401, 403)
