"""Optional rules and the rules in force, by the API: chosen, carried over, the same for all."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from combat.rulebooks import NAMES
from tests.web.api.test_next_battle import all_names, entrants, new_battle, umpire
from tests.web.data_folders import Open, play
from tests.web.phones import Phone, fresh_app, host_of, seated, words_of
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

BY_TURRET = {"ammunition_by_turret": True}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return fresh_app(ServerContext(table_in_memory(demo_scene), data_folder=tmp_path))


def card(phone: Phone, ruleset: str = "") -> dict[str, Any]:
    response = phone.get("/api/rules", query_string={"ruleset": ruleset} if ruleset else {})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def on(phone: Phone) -> set[str]:
    return {each["key"] for each in card(phone)["rules"]["options"] if each["on"]}


def condition(phone: Phone, key: str) -> dict[str, Any]:
    (found,) = (each for each in card(phone)["rules"]["conditions"] if each["key"] == key)
    return dict(found)


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_rulebook_has_its_card(app: Flask, ruleset: str) -> None:
    found = card(host_of(app), ruleset)
    assert found["rules"]["ruleset"] == ruleset
    assert found["changes"] == 0
    assert found["rules"]["title"] in found["text"]


def test_an_unknown_rulebook_is_told(app: Flask) -> None:
    response = host_of(app).get("/api/rules", query_string={"ruleset": "arctic"})
    assert response.status_code in (400, 404)
    assert "arctic-disaster" in words_of(response)


def test_a_battle_begins_with_the_options_of_the_request(app: Flask) -> None:
    host = host_of(app)
    assert on(host) == set()
    new_battle(host, "One", all_names(), options=BY_TURRET, night=True, visibility=6)
    assert on(host) == {"ammunition_by_turret"}
    assert condition(host, "light")["changed"]
    assert card(host)["changes"] == 2
    log = host.get("/api/log").get_json()
    assert any("65.6" in line["text"] for line in log["log"])
    story = host.get("/api/battle/story").get_json()["story"]
    assert [each["line"]["reference"] for each in story[:2]] == ["55", "65.6"]


def test_a_scenario_begins_with_other_options_than_its_own(app: Flask) -> None:
    host = host_of(app)
    body = {"scenario": "denmark-strait", "options": {"radar_lost_with_superstructure": True}}
    assert host.post("/api/battles/scenario", body).status_code == 200
    assert on(host) == {"radar_lost_with_superstructure"}


def test_a_table_that_is_laid_keeps_them_until_it_begins(app: Flask) -> None:
    host = host_of(app)
    body = {"scenario": "denmark-strait", "options": BY_TURRET, "lay_only": True}
    assert host.post("/api/battles/scenario", body).status_code == 200
    assert on(host) == {"ammunition_by_turret"}
    assert host.post("/api/battle/begin", {}).status_code == 200
    assert on(host) == {"ammunition_by_turret"}


@pytest.mark.parametrize("options", [{"ammunition": True}, {"ammunition_by_turret": 1}, []])
def test_options_that_make_no_sense_are_one_clear_fault(app: Flask, options: object) -> None:
    host = host_of(app)
    body = {"title": "T", "ships": entrants(*all_names()), "options": options}
    response = host.post("/api/battles", body)
    assert response.status_code == 400
    assert host.get("/api/battle/story").status_code == 400


def test_visibility_x_is_refused_with_its_rule_and_fought_by_agreement(app: Flask) -> None:
    host = host_of(app)
    body = {"title": "Fog", "ships": entrants(*all_names()), "visibility": "X"}
    refused = host.post("/api/battles", body)
    assert refused.status_code == 400
    assert "55.22" in words_of(refused)
    agreed = {**body, "options": {"fight_at_visibility_x": True}}
    assert host.post("/api/battles", agreed).status_code == 200
    assert condition(host, "visibility")["value"] == "X"
    ump = umpire(app)
    for value, status in (("3", 200), ("X", 200), ("9", 400)):
        correction = {"what": "visibility", "value": value, "reason": "the weather"}
        assert ump.post("/api/battle/correct", correction).status_code == status
    off = {"what": "fight_at_visibility_x", "value": "no", "reason": "no longer"}
    response = ump.post("/api/battle/correct", off)
    assert response.status_code == 400
    assert "55.22" in words_of(response)


def test_the_next_battle_is_played_by_the_rules_of_the_one_before(open_app: Open) -> None:
    app = open_app()
    host, ump = host_of(app), umpire(app)
    first = new_battle(host, "First", all_names(), options=BY_TURRET)
    for what in ("radar_lost_with_superstructure", "night"):
        correction = {"what": what, "value": "yes", "reason": "agreed in mid-battle"}
        assert ump.post("/api/battle/correct", correction).status_code == 200
    assert on(host) == {"ammunition_by_turret", "radar_lost_with_superstructure"}
    play(ump, "end")
    names = ["Hood", "Bismarck"]
    second = new_battle(host, "Second", names, after=first)
    assert on(host) == {"ammunition_by_turret", "radar_lost_with_superstructure"}
    assert condition(host, "light")["changed"]
    play(ump, "end")
    new_battle(host, "Third", names, after=second, options={}, night=False)
    assert on(host) == set()
    assert not condition(host, "light")["changed"]


def test_both_sides_and_who_looks_on_read_the_same_card(app: Flask) -> None:
    host = host_of(app)
    new_battle(host, "Hidden", all_names(), options=BY_TURRET, hidden=True)
    ann, bob = seated(app), seated(app, "Bob", side="german")
    cards = [card(phone) for phone in (host, ann, bob)]
    assert cards[0] == cards[1] == cards[2]
    for name in all_names():
        assert name not in cards[0]["text"]
    assert Phone(app).get("/api/rules").status_code in (401, 403)


def test_an_owners_number_is_marked_and_a_battle_keeps_its_own(app: Flask) -> None:
    host = host_of(app)
    change = {"changes": [{"row": "G", "column": "extreme", "value": "9"}]}
    assert host.post("/api/tables/penetration", change).status_code == 200
    (cell,) = card(host)["rules"]["owner_cells"]
    assert (cell["book"], cell["own"]) == ("8", "9")
    new_battle(host, "One", all_names())
    back = {"changes": [{"row": "G", "column": "extreme", "value": None}]}
    assert host.post("/api/tables/penetration", back).status_code == 200
    assert len(card(host)["rules"]["owner_cells"]) == 1
