"""Attacks rolled on the calculator: typed, rolled, taken back, carried on, kept over a restart."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from markupsafe import escape
from web.attacks.actions import KeptDice

from combat.rulesets import NAMES, get_ruleset
from tests.web.phones import Phone, host_of, running_in, seated
from web import create_app
from web.battle.exporting import export_battle
from web.seats import Caller
from web.server.running import Running
from web.session import Session
from web.store import Store
from web.table.scenes import demo_scene, opening

RULESET = "bismarck-advanced"
SAID = {
    "firer": "Hood",
    "target": "Prinz Eugen",
    "battery": "main",
    "range": "9000",
    "quadrant": "starboard",
    "aspect": "port",
    "sight": "clear",
}
HOST = Caller("host", host=True)


@pytest.fixture
def host(app: Flask) -> Phone:
    return host_of(app)


def attack(phone: Phone, dice: list[str] | None = None, **more: Any) -> Any:
    body = {"ruleset": RULESET, "said": SAID, "dice": dice or [], **more}
    return phone.post("/api/attacks", body)


def fights(app: Flask) -> Any:
    return running_in(app).session.moment.state.fights


def last(app: Flask) -> Any:
    return fights(app).attacks[-1].data


@pytest.mark.parametrize("name", NAMES)
def test_every_rulebook_is_a_calculator(host: Phone, app: Flask, name: str) -> None:
    """Ledger, odds, dice, story, sheets, log and undo: the same page for all of them."""
    ruleset = get_ruleset(name)
    page = host.get(f"/calculator?ruleset={name}").text
    assert str(escape(ruleset.title)) in page
    assert "attack-dice" in page
    rolled = host.post("/api/attacks", {"ruleset": name, "said": {}, "roll": True})
    assert rolled.status_code == 200, rolled.text
    told = last(app)
    fight = host.get(f"/attacks?ruleset={name}").text
    assert str(escape(told["story"][0][0])) in fight
    assert told["words"].split(",")[0] in host.view()["log"][-1]["text"]
    assert host.post("/api/attacks/undo", {"ruleset": name}).status_code == 200
    assert fights(app).of(name) == ()


def test_dice_are_typed_key_by_key(host: Phone) -> None:
    address = "/calculator/part?" + "&".join(f"{key}={value}" for key, value in SAID.items())
    assert "The hit roll" in host.get(address).text
    half = host.get(f"{address}&key=1").text
    assert 'name="figures" value="1"' in half
    whole = host.get(f"{address}&figures=1&key=1").text
    assert 'name="figures" value="11"' in whole
    assert "The location of hit 1" in whole
    assert 'name="figures" value="1"' in host.get(f"{address}&figures=11&back=1").text
    assert "write a pair as two digits" in host.get(f"{address}&figures=99999").text


def test_typed_dice_give_what_the_command_gives(host: Phone, app: Flask) -> None:
    short = attack(host, ["11"])
    assert short.status_code == 400
    assert "One more roll is wanted: the location of hit 1" in short.text
    assert attack(host, ["11", "11"], roll=True).status_code == 200
    told = last(app)
    assert (told["dice"][:2], told["how"]) == (["11", "11"], "mixed")
    host.post("/api/attacks/undo", {"ruleset": RULESET})
    again = attack(host, told["dice"])
    assert again.status_code == 200
    assert last(app)["how"] == "typed"
    assert last(app)["document"] == told["document"]


def test_marks_are_carried_on_and_seen(host: Phone, app: Flask) -> None:
    assert attack(host, roll=True).status_code == 200
    first = last(app)["after"]["target"]
    assert attack(host, roll=True).status_code == 200
    now = fights(app).sheets(RULESET)["Prinz Eugen"].now
    assert now.get("hull_lost", 0) >= first.get("hull_lost", 0)
    assert "target.state." in last(app)["file"] or not first
    assert "Prinz Eugen" in host.get(f"/attacks?ruleset={RULESET}").text


def test_dice_are_not_rolled_again_by_a_step_back(host: Phone, app: Flask) -> None:
    attack(host, roll=True)
    dice = last(app)["dice"]
    host.post("/api/attacks/undo", {"ruleset": RULESET})
    attack(host, roll=True)
    assert last(app)["dice"] == dice


def test_kept_dice_that_fit_no_more_are_forgotten() -> None:
    dice = KeptDice(random.Random(1), ("34", "7", "5"))
    assert str(dice.pair("a")) == "34"
    assert 1 <= dice.die("b") <= 6
    rolled = [dice.die("c") for _ in range(40)]
    assert set(rolled) == set(range(1, 7))


def test_only_who_rolled_it_takes_it_back(host: Phone, app: Flask) -> None:
    ann, bob = seated(app, "Ann"), seated(app, "Bob", side="german")
    assert attack(ann, roll=True).status_code == 200
    refused = bob.post("/api/attacks/undo", {"ruleset": RULESET})
    assert refused.status_code == 403
    assert "only Ann or an umpire" in refused.text
    umpire = seated(app, "Eve", role="umpire", side=None)
    assert umpire.post("/api/attacks/undo", {"ruleset": RULESET}).status_code == 200


def test_an_onlooker_looks(app: Flask) -> None:
    onlooker = seated(app, "Olaf", role="onlooker", side=None)
    assert attack(onlooker, roll=True).status_code == 403
    assert onlooker.get(f"/attacks?ruleset={RULESET}").status_code == 200
    assert "Roll for me" not in onlooker.get("/calculator").text


def test_rounds_and_clean_sheets(host: Phone, app: Flask) -> None:
    assert host.post("/api/attacks/end", {"ruleset": RULESET}).status_code == 400
    attack(host, roll=True)
    host.post("/api/attacks/round", {"ruleset": RULESET})
    attack(host, roll=True)
    assert [each.round_number for each in fights(app).attacks] == [1, 2]
    assert host.post("/api/attacks/end", {"ruleset": RULESET}).status_code == 200
    assert "Nothing rolled yet" in host.get(f"/attacks?ruleset={RULESET}").text
    words = [line["text"] for line in host.view()["log"]]
    assert "began round 2 on the calculator" in words
    assert f"began a new fight by {get_ruleset(RULESET).title}" in words


def test_a_battles_file_leaves_them_out(host: Phone, app: Flask) -> None:
    attack(host, roll=True)
    session = running_in(app).session
    _, data = export_battle(session.log(most=10_000), session.moment, sees_all=True)
    assert b"attack_made" not in data


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"ruleset": "bismark-advanced", "said": {}}, "did you mean"),
        ({"ruleset": RULESET, "said": {"firer": "Hod"}}, "no ship"),
        ({"ruleset": RULESET, "said": {**SAID, "range": "-3"}}, "no range"),
        ({"ruleset": RULESET, "said": {**SAID, "range": "90000"}}, "61.5"),
        ({"ruleset": RULESET, "said": SAID, "dice": ["71", "11"]}, "Dice: number 1"),
        ({"ruleset": RULESET, "said": SAID, "dice": ["11"] * 400}, "expected"),
        ({"ruleset": RULESET, "said": {"x" * 70: "1"}}, "60"),
        ({"ruleset": RULESET}, "said"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(
    host: Phone, app: Flask, body: dict[str, Any], words: str
) -> None:
    answer = host.post("/api/attacks", body)
    assert answer.status_code in (400, 404)
    assert words in answer.text
    assert fights(app).attacks == ()


def test_a_fight_outlives_the_server(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.db")
    session = Session(store)
    session.act(HOST, opening(demo_scene()))
    app = create_app(running=Running(session))
    attack(host_of(app), roll=True)
    kept = fights(app)
    store.close()
    assert kept.attacks
    assert Session(Store(tmp_path / "table.db")).moment.state.fights == kept


def in_grand_fleets(phone: Phone, **said: str) -> Any:
    facts = {"firer": "Sample destroyers", "target": "Iron Duke", "range": "4000", **said}
    return phone.post("/api/attacks", {"ruleset": "grand-fleets", "said": facts, "roll": True})


def test_the_round_is_the_turn_of_a_rulebook_that_counts_them(host: Phone) -> None:
    """A battery fires once a turn, and all torpedoes of a turn run at one ship."""
    launch = {"battery": "torpedoes", "fire.torpedoes": "1"}
    assert in_grand_fleets(host, **launch).status_code == 200
    assert in_grand_fleets(host, **launch).status_code == 200, "at the same ship"
    refused = in_grand_fleets(host, **launch, target="Sample battleship")
    assert "one target" in refused.get_json()["error"]["message"]
    assert in_grand_fleets(host, battery="guns 1").status_code == 200
    refused = in_grand_fleets(host, battery="guns 1")
    assert "has fired already in turn 1" in refused.get_json()["error"]["message"]
    host.post("/api/attacks/round", {"ruleset": "grand-fleets"})
    assert in_grand_fleets(host, battery="guns 1").status_code == 200
    assert in_grand_fleets(host, **launch, target="Sample battleship").status_code == 200


def test_range_bands_that_belong_to_the_guns_are_on_the_slider(host: Phone) -> None:
    page = host.get("/calculator?ruleset=grand-fleets&firer=Iron Duke&range=11001").text
    assert '<output class="strong" id="calc-segment" for="calc-range">Long</output>' in page
    assert 'max="22000"' in page
    page = host.get("/calculator?ruleset=grand-fleets&firer=Sample battleship&range=36000").text
    assert ">Extreme</output>" in page, "an asterisk"
    assert 'value="smoke"' not in page, "the rulebook has no smoke"


def test_the_turn_is_there_phase_by_phase(host: Phone) -> None:
    empty = host.get("/attacks?ruleset=grand-fleets").text
    assert "battery=initiative" in empty
    assert in_grand_fleets(host, battery="initiative").status_code == 200
    fight = host.get("/attacks?ruleset=grand-fleets").text
    assert "firer=Sample+destroyers&amp;ruleset=grand-fleets&amp;battery=move" in fight
    assert "Sound, 4 of 4 hull boxes left, speed 8, initiative" in fight
    page = host.get("/calculator?ruleset=grand-fleets").text
    groups = [each.partition('"')[0] for each in page.split('<optgroup label="')[1:]]
    assert groups[-6:] == [
        "Before the battle", "Initiative", "Movement", "Command", "Combat", "End",
    ]  # fmt: skip


def test_a_roll_of_ones_own_asks_for_no_range_and_forgets_none(host: Phone) -> None:
    page = host.get("/calculator?ruleset=grand-fleets&battery=move&range=7300").text
    assert 'id="calc-range"' not in page
    assert '<input type="hidden" name="range" value="7300">' in page
    assert "Yards at most" in page


CRUISERS = {
    "firer": "Wichita",
    "target": "Scheer",
    "battery": "main",
    "conditions.range_areas": "8",
    "conditions.moved": "true",
}


def test_the_next_attack_begins_where_the_last_one_stood(host: Phone, app: Flask) -> None:
    made = host.post(
        "/api/attacks", {"ruleset": "arctic-disaster", "said": CRUISERS, "dice": ["9"]}
    )
    assert made.status_code == 200, made.text
    page = host.get("/attacks?ruleset=arctic-disaster").text
    link = re.findall(r'data-key="more" href="([^"]*)"', page)[0]
    # The range is the same for whoever fires next; that Wichita moved is hers alone.
    assert "conditions.range_areas=8" in link
    assert "moved" not in link


def test_a_mark_is_asked_for_as_the_sheet_has_it(host: Phone) -> None:
    host.post("/api/attacks", {"ruleset": "arctic-disaster", "said": CRUISERS, "dice": ["9"]})
    asked = "/calculator?ruleset=arctic-disaster&firer=Wichita&target=Scheer"
    field = re.findall(r'name="target.state.damage" value="(\d+)"', host.get(asked).text)
    assert field == ["1"]
    # Another figure goes over it, for this attack.
    sunk = host.get(f"{asked}&target.state.damage=4").text
    assert "Scheer is sunk" in sunk


def test_what_was_said_of_another_battery_is_kept(host: Phone) -> None:
    said = "conditions.range_areas=8&conditions.moved=true"
    page = host.get(f"/calculator?ruleset=arctic-disaster&battery=disengage&{said}").text
    address = re.findall(r'data-address="([^"]*)"', page)[0]
    assert "conditions.range_areas=8" in address
    assert '<input type="hidden" name="conditions.moved" value="true">' in page


def test_a_rulebook_opens_on_what_it_is_about(host: Phone) -> None:
    page = host.get("/calculator?ruleset=sink-the-bismarck").text
    assert '<option value="detection" selected>' in page
