"""The sides of a table over the API: added, changed, allied, removed; seats and ships on them."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.web.owner.cards.conftest import CARD
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated, words_of

USUAL = [
    ("british", "British", "B", "round", "blue"),
    ("german", "German", "G", "angular", "orange"),
    ("neutral", "Neutral", "–", "square", "grey"),
]


@pytest.fixture
def app() -> Flask:
    return fresh_app()


def sides_of(phone: Phone) -> list[tuple[Any, ...]]:
    keys = ("key", "name", "letter", "shape", "colour")
    return [tuple(side[key] for key in keys) for side in phone.view()["sides"]]


def side(phone: Phone, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in phone.view()["sides"] if each["key"] == key)
    return found


def test_a_table_has_the_usual_sides_until_others_are_declared(app: Flask) -> None:
    assert sides_of(host_of(app)) == USUAL


def test_a_third_side_is_added_and_a_seat_taken_there(app: Flask) -> None:
    host = host_of(app)
    assert host.post("/api/sides", {"name": "Italian", "allies": ["german"]}).status_code == 200
    assert sides_of(host)[3] == ("italian", "Italian", "I", "hexagon", "violet")
    assert side(host, "german")["allies"] == ["italian"]
    assert "Italian" in Phone(app).get("/join").text
    ida = seated(app, "Ida", side="italian")
    view = ida.view()
    assert view["you"]["side"] == "italian"
    assert view["log"][-1]["text"] == "joined the Italian side"
    answer = host.post("/api/ships", {"name": "Littorio", "side": "italian"})
    assert answer.status_code == 200
    assert next(s for s in host.view()["ships"] if s["name"] == "Littorio")["side"] == "italian"


def test_an_unknown_side_is_no_place_to_sit_or_to_sail(app: Flask) -> None:
    assert Phone(app).join("Ida", side="italian").status_code == 400
    answer = host_of(app).post("/api/ships", {"name": "Littorio", "side": "italian"})
    assert answer.status_code in (400, 404)
    assert "italian" in words_of(answer)


def test_a_side_is_changed_and_keeps_its_key(app: Flask) -> None:
    host = host_of(app)
    change = {"name": "Royal Navy", "letter": "n", "colour": "teal", "shape": "triangle"}
    assert host.post("/api/sides/british", change).status_code == 200
    assert sides_of(host)[0] == ("british", "Royal Navy", "N", "triangle", "teal")
    assert host.post("/api/sides/british", {"allies": ["german"]}).status_code == 200
    assert side(host, "german")["allies"] == ["british"]
    assert host.post("/api/sides/german", {"allies": []}).status_code == 200
    assert side(host, "british")["allies"] == []


def test_a_side_goes_only_without_ships_and_people(app: Flask) -> None:
    host = host_of(app)
    host.post("/api/sides", {"name": "Free French"})
    seated(app, "Jean", side="free french")
    assert host.delete("/api/sides/british").status_code == 400, "it has ships"
    assert host.delete("/api/sides/free french").status_code == 400, "somebody sits there"
    seat = next(each["id"] for each in host.view()["seats"] if each["name"] == "Jean")
    host.post("/api/host/release", {"seat": seat})
    assert host.delete("/api/sides/free french").status_code == 200
    assert host.delete("/api/sides/neutral").status_code == 200
    assert host.delete("/api/sides/neutral").status_code == 404
    assert [each[0] for each in sides_of(host)] == ["british", "german"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "british"},
        {"name": "x" * 21},
        {"name": "Italian", "letter": "It"},
        {"name": "Italian", "colour": "pink"},
        {"name": "Italian", "shape": "star"},
        {"name": "Italian", "allies": ["italian"]},
        {"name": "Italian", "allies": ["nobody"]},
        {"name": "Italian", "key": "italian"},
    ],
)
def test_a_side_that_cannot_be_is_refused_in_words(app: Flask, body: dict[str, Any]) -> None:
    host = host_of(app)
    answer = host.post("/api/sides", body)
    assert answer.status_code in (400, 404), answer.text
    assert words_of(answer)
    assert sides_of(host) == USUAL


def test_there_are_five_sides_at_most(app: Flask) -> None:
    host = host_of(app)
    for name in ("Italian", "French"):
        assert host.post("/api/sides", {"name": name}).status_code == 200
    assert host.post("/api/sides", {"name": "Greek"}).status_code == 400
    found = sides_of(host)
    assert len({each[3] for each in found}) == len({each[4] for each in found}) == 5


def test_a_ship_goes_over_to_another_side(app: Flask) -> None:
    host = host_of(app)
    host.post("/api/sides", {"name": "Italian"})
    before = next(ship for ship in host.view()["ships"] if ship["name"] == "Hood")
    assert host.post("/api/ships/Hood/side", {"side": "italian"}).status_code == 200
    after = next(ship for ship in host.view()["ships"] if ship["name"] == "Hood")
    assert (after["side"], after["x"], after["y"]) == ("italian", before["x"], before["y"])
    assert host.post("/api/ships/Hood/side", {"side": "greek"}).status_code == 404
    assert host.post("/api/ships/Nobody/side", {"side": "german"}).status_code == 404


def test_only_the_host_sets_the_sides(app: Flask) -> None:
    ann = seated(app)
    for answer in (
        ann.post("/api/sides", {"name": "Italian"}),
        ann.post("/api/sides/british", {"letter": "X"}),
        ann.delete("/api/sides/neutral"),
        ann.get("/sides"),
    ):
        assert answer.status_code == 403


def test_the_sides_stay_when_the_table_is_laid_again(app: Flask) -> None:
    host = host_of(app)
    host.post("/api/sides", {"name": "Italian"})
    before = sides_of(host)
    assert host.post("/api/host/restart").status_code == 200
    assert sides_of(host) == before


def test_the_pages_show_the_third_side(app: Flask) -> None:
    host = host_of(app)
    host.post("/api/sides", {"name": "Italian"})
    host.post("/api/ships", {"name": "Littorio", "side": "italian"})
    for path in ("/host", "/sides", "/ships", "/table", "/battles/new"):
        page = host.get(path)
        assert page.status_code == 200, path
    assert "side-violet" in host.get("/ships").text
    assert "Italian" in host.get("/battles/new").text


def test_a_ship_of_a_fourth_navy_is_entered_and_put_on_a_side(app: Flask) -> None:
    host = host_of(app)
    card = CARD.replace("British", "Italian").replace("My Ship", "Zara")
    answer = host.post("/api/cards?ruleset=grand-fleets", {"toml": card})
    assert answer.status_code == 200, answer.text
    host.post("/api/sides", {"name": "Italian"})
    added = {"name": "Zara", "type": "Zara", "side": "italian"}
    assert host.post("/api/ships", added).status_code == 200
    zara = next(ship for ship in host.view()["ships"] if ship["name"] == "Zara")
    assert (zara["type"], zara["side"]) == ("Zara", "italian")
    assert zara["silhouette"].endswith("angular"), "by the shape of her side"
    page = host.get("/calculator?ruleset=grand-fleets&firer=Zara")
    assert page.status_code == 200
    assert "side-violet" in page.text
    assert running_in(app).session.moment.state.sides["italian"].letter == "I"


def test_three_sides_fight_in_free_play(app: Flask) -> None:
    host = host_of(app)
    for name in ("Zara", "Dupleix", "London"):
        card = CARD.replace("My Ship", name).replace("British", f"Navy of {name}")
        assert host.post("/api/cards?ruleset=grand-fleets", {"toml": card}).status_code == 200
    for name in ("Italian", "French"):
        host.post("/api/sides", {"name": name})
    sides = {"Zara": "italian", "Dupleix": "french", "London": "british"}
    for name, key in sides.items():
        assert host.post("/api/ships", {"name": name, "side": key}).status_code == 200
    for firer, target in (("Zara", "London"), ("London", "Dupleix"), ("Dupleix", "Zara")):
        body = {
            "ruleset": "grand-fleets",
            "ships": [{"name": n, "type": n, "side": sides[n]} for n in (firer, target)],
            "action": {
                "kind": "guns 1",
                "by": firer,
                "at": target,
                "range_yards": 6000,
                "quadrant": "port",
                "aspect": "starboard",
            },
            "roll": True,
        }
        answer = host.post("/api/free", body)
        assert answer.status_code == 200, answer.text
    battle = host.get("/api/free").get_json()["battle"]
    assert {ship["name"]: ship["side"] for ship in battle["ships"]} == sides
    page = host.get("/fight?ruleset=grand-fleets").text
    assert {"side-violet", "side-teal", "side-blue"} <= set(re.findall(r"side-[a-z]+", page))
