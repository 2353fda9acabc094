"""The calculator and the battle so far, as a browser gets them."""

import html
import math
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from markupsafe import escape

from combat.free_play import FreeState
from combat.participants import Ship, Side, SideShape
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.bismarck_advanced.fire.effect_messages import added_up
from combat.rulebooks.bismarck_advanced.fire.events import (
    Fired,
    HullHit,
    HullMark,
    NoEffect,
    NoEffectReason,
    RadarOut,
    TurretHit,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import hits_message
from combat.scene_file import read_scene
from combat.sides import Sides
from tests.web.free.fights import FLEETS, Fight, body_of, fight_in
from tests.web.phones import Phone, fresh_app, host_of, running_in
from web.data_folder import table_in_memory
from web.free.calculator import calculate
from web.http.context import ServerContext
from web.strings import words

ADVANCED = "bismarck-advanced"
HOOD = {
    "firer": "Hood",
    "target": "Prinz Eugen",
    "battery": "main",
    "range": "9000",
    "quadrant": "starboard",
    "aspect": "port",
    "sight": "clear",
}
CRUISERS = {
    "firer": "Wichita",
    "target": "Scheer",
    "battery": "main",
    "conditions.range_areas": "8",
    "conditions.moved": "true",
}
DESTROYERS = {"firer": "German destroyer", "target": "Norfolk", "battery": "main"}


@pytest.fixture
def arctic(app: Flask) -> Fight:
    return fight_in(app)


@pytest.fixture
def fleets(app: Flask) -> Fight:
    return fight_in(app, FLEETS)


def posted(fight: Fight, key: str = "roll", **said: str) -> None:
    """Press a button of the calculator."""
    body = body_of(fight.calculator(**said), key)
    answer = fight.phone.post("/api/free", body)
    assert answer.status_code == 200, answer.text


def options(page: str, key: str) -> dict[str, str]:
    """The ships that a list offers, by their values."""
    (found,) = re.findall(rf'<select id="calc-{key}".*?</select>', page, re.DOTALL)
    every = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', found)
    return {html.unescape(value): html.unescape(title) for value, title in every}


def chosen(page: str, key: str) -> str:
    """The ship that a list shows."""
    (found,) = re.findall(rf'<select id="calc-{key}".*?</select>', page, re.DOTALL)
    (value,) = re.findall(r'<option value="([^"]*)" selected>', found)
    return html.unescape(value)


# Every rulebook


@pytest.mark.parametrize("name", NAMES)
def test_every_rulebook_is_a_calculator(app: Flask, name: str) -> None:
    """Ledger, odds, dice, story, sheets, log and undo: the same page for all of them."""
    fight = fight_in(app, name)
    page = fight.calculator()
    assert str(escape(get_ruleset(name).title)) in page
    assert "action-dice" in page
    posted(fight)
    now = fight.now()
    assert now is not None
    (played,) = (each for _, _, each in now.actions())
    story = now.story(played)
    told = words(story[0].text)
    assert str(escape(told)) in fight.page()
    assert told in fight.phone.view()["log"][-1]["text"]
    assert fight.undo().status_code == 200
    assert fight.dice() == []
    assert fight.page()


def test_dice_are_typed_key_by_key(app: Flask) -> None:
    fight = fight_in(app, ADVANCED)

    def shown(**more: str) -> str:
        return fight.calculator("/part", **HOOD, **more)

    assert "The hit roll" in shown()
    assert 'name="figures" value="1"' in shown(key="1")
    whole = shown(figures="1", key="1")
    assert 'name="figures" value="11"' in whole
    assert "The location of hit 1" in whole
    assert 'name="figures" value="1"' in shown(figures="11", back="1")
    assert "write a pair as two digits" in shown(figures="99999")


def test_all_dice_typed_the_story_is_told_and_can_be_marked(arctic: Fight) -> None:
    said = {**CRUISERS, "figures": "9"}
    page = arctic.calculator(**said)
    assert 'data-key="mark"' in page
    assert 'data-key="roll"' not in page
    posted(arctic, "mark", **said)
    assert arctic.dice() == [["9"]]
    assert "typed by Host" in arctic.page()


# What is asked


def test_the_next_action_begins_where_the_last_one_stood(arctic: Fight) -> None:
    posted(arctic, "mark", **CRUISERS, figures="9")
    link = re.findall(r'data-key="more" href="([^"]*)"', arctic.page())[0]
    # The range is the same for whoever fires next; that Wichita moved is hers alone.
    assert "conditions.range_areas=8" in link
    assert "moved" not in link
    said = parse_qs(urlsplit(html.unescape(link)).query)
    assert (said["firer"], said["target"], said["battery"]) == (["Wichita"], ["Scheer"], ["main"])


def test_a_mark_is_asked_for_as_the_sheet_has_it(arctic: Fight) -> None:
    posted(arctic, "mark", **CRUISERS, figures="9")
    pair = {"firer": "Wichita", "target": "Scheer"}
    field = re.findall(r'name="target.state.damage" value="(\d+)"', arctic.calculator(**pair))
    assert field == ["1"]
    # Another figure goes over it, for this action.
    assert "Scheer is sunk" in arctic.calculator(**pair, **{"target.state.damage": "4"})


def test_typed_marks_are_those_of_the_ships_that_were_chosen(arctic: Fight) -> None:
    """Whatever other ships are in the battle, and in which order they joined."""
    arctic.must("main", "Z28", "Norfolk", "5")
    arctic.must("main", "Z29", "Wichita", "5")
    pair = {"firer": "Z29", "target": "Norfolk"}
    for role, ship in pair.items():
        said = {**pair, f"{role}.state.damage": "1"}
        body = body_of(arctic.calculator(**said), "roll")
        assert body["marks"] == {ship: {"damage": 1}}
        assert body["ships"] == []
    assert "Z29 is sunk" in arctic.calculator(**pair, **{"firer.state.damage": "2"})


def test_a_page_posts_no_marks_that_nobody_typed(arctic: Fight) -> None:
    """What another phone has marked in the meantime must not be taken back by an old page."""
    arctic.must("main", "Z28", "Norfolk", "5")
    pair = {"firer": "Z28", "target": "Norfolk", "target.state.move_lost": "1"}
    body = body_of(arctic.calculator(**pair), "roll")
    arctic.must("main", "Z28", "Norfolk", "9")
    answer = arctic.phone.post("/api/free", {**body, "dice": ["0"], "roll": False})
    assert answer.status_code == 200
    assert arctic.state("Norfolk")["damage"] >= 1
    assert arctic.state("Norfolk")["move_lost"] == 1


def sent(page: str) -> dict[str, str]:
    """All that the calculator's form sends, as it stands there."""
    (form,) = re.findall(r'<form class="sheetlike".*?</form>', page, re.DOTALL)
    said = {}
    for field in re.findall(r"<input [^>]*>", form):
        name, value = (re.search(rf'\b{key}="([^"]*)"', field) for key in ("name", "value"))
        chosen = "checked" in field or not re.search(r'type="(checkbox|radio)"', field)
        if name and chosen:
            said[name[1]] = html.unescape(value[1]) if value else ""
    for name, inside in re.findall(r'<select id="[^"]*" name="([^"]*)">(.*?)</select>', form, re.S):
        said[name] = html.unescape(re.findall(r'value="([^"]*)" selected', inside)[0])
    del said["ruleset"]
    return said


def test_a_form_does_not_carry_the_marks_of_one_ship_to_another(arctic: Fight) -> None:
    arctic.must("main", "Z28", "Norfolk", "9")
    said = sent(arctic.calculator(firer="Z28", target="Norfolk"))
    assert said["target.state.damage"] == "1"
    other = arctic.calculator(**{**said, "target": "Wichita"})
    assert re.findall(r'name="target.state.damage" value="(\d+)"', other) == ["0"]
    assert body_of(other, "roll")["marks"] == {}
    # Nor what was typed over them.
    other = arctic.calculator(**{**said, "target.state.damage": "3", "target": "Wichita"})
    assert body_of(other, "roll")["marks"] == {}
    typed = arctic.calculator(**{**said, "target.state.damage": "3"})
    assert body_of(typed, "roll")["marks"] == {"Norfolk": {"damage": 3}}
    again = arctic.calculator(**sent(typed))
    assert body_of(again, "roll")["marks"] == {"Norfolk": {"damage": 3}}


def test_a_form_does_not_take_back_what_was_marked_since(arctic: Fight) -> None:
    arctic.must("main", "Z28", "Norfolk", "9")
    said = sent(arctic.calculator(firer="Z28", target="Norfolk"))
    arctic.must("main", "Z28", "Norfolk", "9")
    later = arctic.calculator(**{**said, "conditions.range_areas": "3"})
    assert re.findall(r'name="target.state.damage" value="(\d+)"', later) == ["2"]
    assert body_of(later, "roll")["marks"] == {}


def test_a_ship_has_her_own_usual_speed(app: Flask) -> None:
    fight = fight_in(app, ADVANCED)
    said = sent(fight.calculator(**HOOD))
    speeds = {}
    for ship in ("Hood", "Prinz Eugen", "Bismarck"):
        page = fight.calculator(**{**said, "target": "Norfolk", "firer": ship})
        fresh = fight.calculator(**{**HOOD, "target": "Norfolk", "firer": ship})
        speeds[ship] = body_of(page, "roll")["action"]["firer_speed"]
        assert body_of(page, "roll") == body_of(fresh, "roll")
    assert len(set(speeds.values())) > 1
    typed = fight.calculator(**{**said, "firer.speed": "3"})
    assert body_of(typed, "roll")["action"]["firer_speed"] == 3


@pytest.mark.parametrize("drawn", ["", "x", "[]", "[" * 5000, "3", '{"ship": 3}', '{"a": [1]}'])
def test_a_form_that_was_tampered_with_is_read_all_the_same(arctic: Fight, drawn: str) -> None:
    said = {"firer": "Washington", "target": "Scheer", "target.state.damage": "1"}
    assert arctic.calculator(**said, **{"target.drawn": drawn})


def test_what_was_said_of_another_action_is_kept(arctic: Fight) -> None:
    said = {"conditions.range_areas": "8", "conditions.moved": "true"}
    page = arctic.calculator(battery="disengage", **said)
    address = re.findall(r'data-address="([^"]*)"', page)[0]
    assert "conditions.range_areas=8" in address
    assert '<input type="hidden" name="conditions.moved" value="true">' in page


def test_a_rulebook_opens_on_what_it_is_about(app: Flask) -> None:
    page = fight_in(app, "sink-the-bismarck").calculator()
    assert '<option value="detection" selected>' in page


def test_range_bands_that_belong_to_the_guns_are_on_the_slider(fleets: Fight) -> None:
    page = fleets.calculator(firer="Iron Duke", range="11001")
    assert '<output class="strong" id="calc-segment" for="calc-range">Long</output>' in page
    assert 'max="22000"' in page
    page = fleets.calculator(firer="Sample battleship", range="36000")
    assert ">Extreme</output>" in page, "an asterisk"
    assert 'value="smoke"' not in page, "the rulebook has no smoke"


def test_a_roll_of_ones_own_asks_for_no_range_and_forgets_none(fleets: Fight) -> None:
    page = fleets.calculator(battery="move", range="7300")
    assert 'id="calc-range"' not in page
    assert '<input type="hidden" name="range" value="7300">' in page
    assert "Yards at most" in page


def test_the_turn_is_there_phase_by_phase(fleets: Fight) -> None:
    assert "battery=initiative" in fleets.page()
    posted(fleets, firer="Sample destroyers", target="Iron Duke", battery="initiative")
    page = fleets.page()
    assert "firer=Sample+destroyers&amp;ruleset=grand-fleets&amp;battery=move" in page
    assert "Sound, 4 of 4 hull boxes left, speed 8, initiative" in page
    page = fleets.calculator()
    groups = [each.partition('"')[0] for each in page.split('<optgroup label="')[1:]]
    assert groups[-6:] == [
        "Before the battle", "Initiative", "Movement", "Command", "Combat", "End",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"firer": "Hod"}, "no ship 'Hod'"),
        ({"range": "-3"}, "is not a range"),
        ({"range": "nan"}, "is not a range"),
        ({"range": "90000"}, "61.5"),
        ({"quadrant": "up"}, "is not known here"),
        ({"conditions.visibility": "x"}, "does not fit"),
        ({"target": "Hood"}, "cannot act on herself"),
    ],
)
def test_what_an_address_cannot_mean_is_said(app: Flask, said: dict[str, str], words: str) -> None:
    fight = fight_in(app, ADVANCED)
    page = html.unescape(fight.calculator(**{**HOOD, **said}))
    assert page.count(words) == 1
    assert words in html.unescape(fight.calculator("/part", **{**HOOD, **said}))
    assert fight.now() is None


@pytest.mark.parametrize(
    ("ruleset", "firer", "target"),
    [
        ("arctic-disaster", "Washington", "German"),
        ("chase-of-the-bismarck", "New York", "German"),
        ("chase-of-the-bismarck", "Bismarck", "British"),
        ("grand-fleets", "Iron Duke", "Sample"),
    ],
)
def test_without_a_word_foes_face_each_other(
    app: Flask, ruleset: str, firer: str, target: str
) -> None:
    fight = fight_in(app, ruleset)
    ships = get_ruleset(ruleset).ships
    found = ships.find(chosen(fight.calculator(firer=firer), "target"))
    assert found is not None
    assert found.nation == target


def test_marks_are_folded_away_until_one_is_typed_over(arctic: Fight) -> None:
    page = arctic.calculator(**CRUISERS)
    assert 'data-key="conditions" open' in page
    assert 'data-key="marks"><summary><span class="strong">Marks</span>' in page
    assert "as on the sheets" in page
    page = arctic.calculator(**CRUISERS, **{"target.state.damage": "1"})
    assert 'data-key="marks" open' in page
    assert "Scheer: hits taken: 1" in page


# Sisters


def test_one_more_ship_of_a_type_is_offered(arctic: Fight) -> None:
    page = arctic.calculator(**DESTROYERS)
    assert "+German destroyer" not in options(page, "firer")
    posted(arctic, "mark", **DESTROYERS, figures="1")
    again = {**DESTROYERS, "firer": "+German destroyer"}
    page = arctic.calculator(**DESTROYERS)
    assert options(page, "firer")["+German destroyer"] == "German destroyer, one more"
    assert "+Norfolk" not in options(page, "firer"), "there is one Norfolk"
    page = arctic.calculator(**again)
    assert chosen(page, "firer") == "German destroyer 2"
    # She is chosen still when something else is changed.
    again["firer"] = chosen(page, "firer")
    page = arctic.calculator(**again, **{"conditions.range_areas": "4"})
    assert chosen(page, "firer") == "German destroyer 2"
    assert "another is shown instead" not in page
    posted(arctic, "mark", **again, figures="1")
    ships = {ship["name"]: ship["type"] for ship in arctic.view()["ships"]}
    assert ships["German destroyer 2"] == "German destroyer"
    page = arctic.calculator(**{**DESTROYERS, "firer": "+German destroyer"})
    assert chosen(page, "firer") == "German destroyer 3"


def test_two_of_a_class_that_nobody_has_named_meet(arctic: Fight) -> None:
    page = arctic.calculator(**{**DESTROYERS, "target": "German destroyer"})
    assert (chosen(page, "firer"), chosen(page, "target")) == (
        "German destroyer", "German destroyer 2",
    )  # fmt: skip
    posted(arctic, **{**DESTROYERS, "target": "German destroyer"})
    assert [ship["name"] for ship in arctic.view()["ships"]] == [
        "German destroyer", "German destroyer 2",
    ]  # fmt: skip


def test_a_number_makes_no_second_norfolk(arctic: Fight) -> None:
    page = arctic.calculator(firer="Norfolk 2", target="Z28 2")
    assert "There is no ship 'Norfolk 2'" in html.unescape(page)


def test_a_sunk_ship_is_shown_as_such(arctic: Fight) -> None:
    arctic.must("main", "Z28", "Norfolk", "5")
    arctic.must("main", "Z29", "Norfolk", "5")
    arctic.corrected("Z28", damage=2)
    page = arctic.page()
    assert re.findall(r'<span class="state[^"]*">([^<]*)<', page) == [
        "Sunk",
        "Unharmed",
        "Unharmed",
    ]
    refused = arctic.calculator(firer="Z28", target="Norfolk")
    assert "Z28 is sunk" in refused
    assert options(refused, "firer")["Z28"] == "Z28 · sunk"
    assert options(refused, "firer")["Z29"] == "Z29"
    assert "Cannot fire" not in arctic.calculator(firer="Z29", target="Norfolk")


# The table

LINE_AHEAD = """
title = "Line ahead"
ruleset = "grand-fleets"
[[ship]]
name = "First"
type = "Sample battleship"
x = 2000
y = 2000
heading = 0
[[ship]]
name = "Second"
type = "Sample battleship"
x = 2000
y = 6000
heading = 0
[[ship]]
name = "Third"
type = "Sample cruiser"
x = 9000
y = 6000
heading = 180
[[ship]]
name = "Fourth"
type = "Sample cruiser"
x = 14000
y = 3000
heading = 0
"""


@pytest.fixture
def laid() -> Fight:
    scene = read_scene(LINE_AHEAD.encode(), "line.toml")
    app = fresh_app(ServerContext(table_in_memory(lambda: scene)))
    return Fight(host_of(app), FLEETS)


def check(phone: Phone, firer: str, target: str) -> dict[str, object]:
    answer = phone.get("/api/check", query_string={"firer": firer, "target": target})
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.get_json()
    return found


def shown(page: str) -> tuple[str, str, str]:
    """The range and the two quadrants on the calculator."""
    (yards,) = re.findall(r'id="calc-range" name="range" value="([\d,]*)"', page)
    picked = [
        re.findall(rf'name="{key}" value="([a-z]*)" checked', page)[0]
        for key in ("quadrant", "aspect")
    ]
    return yards.replace(",", ""), picked[0], picked[1]


@pytest.mark.parametrize("target", ["Third", "Fourth"])
@pytest.mark.parametrize("firer", ["First", "Second"])
def test_the_very_two_ships_are_copied_from_the_table(laid: Fight, firer: str, target: str) -> None:
    measured = check(laid.phone, firer, target)
    page = laid.calculator(firer=firer, target=target, table="1")
    yards, quadrant, aspect = shown(page)
    # Bands end at whole yards, and any part of a yard more is beyond them.
    assert yards == str(math.ceil(float(str(measured["range_yards"]))))
    assert (quadrant, aspect) == (measured["quadrant"], measured["aspect"])
    assert (chosen(page, "firer"), chosen(page, "target")) == (firer, target)
    body = body_of(page, "roll")
    assert (body["action"]["by"], body["action"]["at"]) == (firer, target)
    assert {ship["name"] for ship in body["ships"]} == {firer, target}


def test_a_pair_that_is_not_on_the_table_is_not_copied(laid: Fight) -> None:
    assert "Copy from the table" in laid.calculator(firer="First", target="Third")
    assert "Copy from the table" not in laid.calculator(firer="First", target="Iron Duke")


def factors(laid: Fight, firer: str, target: str) -> tuple[object, str, int]:
    """What the chart's check, the calculator and the battle say of one fire."""
    fire = check(laid.phone, firer, target)["fire"]
    assert isinstance(fire, dict)
    page = laid.calculator(firer=firer, target=target, table="1")
    (calculated,) = re.findall(r'<dl class="figures">\s*<div><dt>[^<]*</dt><dd>([^<]*)<', page)
    body = body_of(page, "roll")
    answer = laid.phone.post("/api/free", body)
    assert answer.status_code == 200, answer.text
    acted = next(e for e in laid.view()["played"][-1]["events"] if e["kind"] == "acted")
    laid.undo()
    return fire["factor"], calculated, acted["factor"]


def test_check_calculator_and_battle_say_the_same_of_a_damaged_ship(laid: Fight) -> None:
    whole, calculated, played = factors(laid, "First", "Third")
    assert (str(whole), whole) == (calculated, played)
    sister = factors(laid, "Second", "Third")
    posted(laid, firer="First", target="Third", table="1")
    laid.next_round()
    laid.corrected("First", dice_lost={"guns 1": 2})
    laid.corrected("Third", hull_lost=0)
    hurt, calculated, played = factors(laid, "First", "Third")
    assert isinstance(hurt, int)
    assert isinstance(whole, int)
    assert hurt < whole
    assert (str(hurt), hurt) == (calculated, played)
    assert factors(laid, "Second", "Third") == sister, "her sister is unhurt"


def test_a_ship_of_another_type_on_the_table_is_another_ship(laid: Fight) -> None:
    """A name of the table that the battle has given to a ship of another kind."""
    whole = check(laid.phone, "First", "Third")["fire"]
    ships = [{"name": "First", "type": "Sample destroyers", "side": "british"}]
    laid.must("move", "First", ships=ships)
    assert check(laid.phone, "First", "Third")["fire"] == whole
    assert laid.phone.get("/check?firer=First&target=Third").status_code == 200


def test_a_sheet_of_the_fight_names_its_ship_once(app: Flask) -> None:
    fight = fight_in(app, ADVANCED)
    rolled = body_of(fight.calculator(**HOOD), "roll")
    assert fight.phone.post("/api/free", rolled).status_code == 200
    page = fight.page()
    assert "Hull 10 of 10" in page
    assert "Hood: hull" not in page


def test_an_empty_answer_is_not_sent_as_the_first_choice(app: Flask) -> None:
    """Where ships stand on a board says it; a list must not answer "ahead" by itself."""
    page = fight_in(app, "bismarck-battle-board").calculator(firer="Bismarck", target="Hood")
    (choices,) = re.findall(r'<select[^>]*name="fire\.sector".*?</select>', page, re.DOTALL)
    values = re.findall(r'<option value="([^"]*)"', choices)
    assert values == ["", "bow", "port", "starboard", "stern"]
    assert "selected" not in choices
    (salvos,) = re.findall(r'<input[^>]*name="fire\.bow"[^>]*>', page)
    assert 'placeholder="all"' in salvos


def test_the_default_pair_are_enemies_by_the_sides_of_the_table() -> None:
    ruleset = get_ruleset(ADVANCED)
    assert ruleset.rulebook is not None
    rulebook = ruleset.rulebook(ruleset.tables)
    sides = Sides(
        (
            Side("red", letter="R", shape=SideShape.ROUND),
            Side("pink", letter="P", shape=SideShape.SQUARE, allies=("red",)),
            Side("blue", letter="B", shape=SideShape.ANGULAR),
        )
    )
    fleet = [
        Ship(name, name, side, name)
        for name, side in (("Hood", "red"), ("Bismarck", "pink"), ("Rodney", "blue"))
    ]
    pair = calculate(ruleset, rulebook, FreeState(), {}, fleet, sides)
    assert (pair.firer.ship.id, pair.target.ship.id) == ("Hood", "Rodney")
    back = calculate(ruleset, rulebook, FreeState(), {"firer": "Rodney"}, fleet, sides)
    assert back.target.ship.id == "Hood"
    usual = calculate(ruleset, rulebook, FreeState(), {"firer": "Bismarck"})
    assert usual.target.ship.side == "british"


def test_the_log_tells_what_a_fire_came_to(app: Flask) -> None:
    fight = fight_in(app, ADVANCED)
    fight.phone.post("/api/free", {**body_of(fight.calculator(**HOOD), "roll")})
    free = running_in(app).session.moment.free.of(ADVANCED)
    assert free is not None
    (played,) = (played for _, _, played in free.actions())
    fired, *_ = played.events
    assert isinstance(fired, Fired)
    line = fight.phone.get("/api/log").get_json()["log"][-1]["text"]
    outcome = words(free.rulebook.outcome(played.events))
    assert outcome.startswith(words(hits_message(fired.hits)))
    assert line.endswith(outcome)
    assert outcome in html.unescape(fight.page())


def test_boxes_of_one_part_are_added_up() -> None:
    hits = (
        HullHit(quarters=2),
        TurretHit(turret="A", quarters=1),
        NoEffect(why=NoEffectReason.ARMOUR_HELD),
        HullHit(quarters=3, why=HullMark.OVERFLOW),
        TurretHit(turret="A", quarters=4),
        RadarOut(),
    )
    assert tuple(added_up(hits)) == (
        HullHit(quarters=5),
        TurretHit(turret="A", quarters=5),
        RadarOut(),
    )
