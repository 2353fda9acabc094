"""The card of the rules in force as a page, and the optional rules on the set-up's pages."""

import re
from html import unescape

import pytest
from flask import Flask

from combat.provenance import CHANGED_MARK
from combat.rulebooks import NAMES
from tests.web.data_folders import begin
from tests.web.phones import Phone, host_of, seated

KEYS = (
    "radar_lost_with_superstructure",
    "factors_past_the_table_add_up",
    "ammunition_by_turret",
    "every_held_back_gun_counts",
    "fight_at_visibility_x",
)
SHIPS = "title=T&ships.british=Hood&ships.german=Bismarck"


def ticked(page: str) -> set[str]:
    """The optional rules whose tick is set in a page."""
    boxes = re.findall(r"<input type=\"checkbox\"[^>]*>", page)
    return {key for key in KEYS for box in boxes if f'{key}"' in box and "checked" in box}


@pytest.mark.parametrize("ruleset", ["", *NAMES])
def test_everybody_at_the_table_reads_the_card(app: Flask, ruleset: str) -> None:
    which = f"?ruleset={ruleset}" if ruleset else ""
    for phone in (host_of(app), seated(app)):
        for path in ("/rules", "/rules/part"):
            page = phone.get(path + which)
            assert page.status_code == 200
            assert 'id="rules-text"' in page.text
    file = seated(app, "Bob").get(f"/rules.txt{which}")
    assert file.mimetype == "text/plain"
    assert "attachment" in file.headers["Content-Disposition"]
    assert Phone(app).get("/rules").status_code == 303


def test_an_unknown_rulebook_is_no_crash(app: Flask) -> None:
    assert host_of(app).get("/rules?ruleset=nothing").status_code in (400, 404)


def test_the_card_is_one_tap_away(app: Flask) -> None:
    host = host_of(app)
    for path in ("/calculator", "/fight", "/tables", "/table"):
        assert 'href="/rules' in host.get(path).text, path
    begin(host)
    for path in ("/battle", "/battle/story", "/sheets"):
        assert 'href="/rules' in host.get(path).text, path


def test_the_set_up_asks_for_every_option_with_its_rule(app: Flask) -> None:
    page = host_of(app).get(f"/battles/new?{SHIPS}").text
    for key in KEYS:
        assert f'name="option.{key}"' in page
    for rule in ("64.5", "62.44", "65.6", "67.42", "55.22"):
        assert rule in page
    assert ticked(page) == set()


def test_what_is_ticked_stays_and_is_sent(app: Flask) -> None:
    host = host_of(app)
    chosen = f"{SHIPS}&conditions=asked&option.ammunition_by_turret=on&visibility=6&night=on"
    assert ticked(host.get(f"/battles/new?{chosen}").text) == {"ammunition_by_turret"}
    ready = host.get(f"/battles/new?{chosen}&range_die=3&direction_die=3&ready=yes").text
    assert '"ammunition_by_turret": true' in unescape(ready)


def test_visibility_x_takes_the_dice_away_and_says_why(app: Flask) -> None:
    page = host_of(app).get(f"/battles/new?{SHIPS}&visibility=X").text
    assert "55.22" in page
    assert 'name="range_die"' not in page
    assert "POST /api/battles" in page


def test_the_next_battle_shows_what_the_one_before_was_played_with(app: Flask) -> None:
    host = host_of(app)
    body = {"scenario": "denmark-strait", "options": {"radar_lost_with_superstructure": True}}
    id_ = host.post("/api/battles/scenario", body).get_json()["id"]
    umpire = seated(app, "Uma", role="umpire", side=None)
    assert umpire.post("/api/battle/play", {"kind": "end", "data": {}}).status_code == 200
    page = host.get(f"/battles/new?after={id_}").text
    assert ticked(page) == {"radar_lost_with_superstructure"}
    again = host.get(f"/battles/new?after={id_}&conditions=asked").text
    assert ticked(again) == set()


def test_what_is_changed_is_marked(app: Flask) -> None:
    host = host_of(app)
    assert f'<span class="changed">{CHANGED_MARK}</span>' not in host.get("/rules").text
    body = {"scenario": "denmark-strait", "options": {"every_held_back_gun_counts": True}}
    assert host.post("/api/battles/scenario", body).status_code == 200
    page = host.get("/rules").text
    assert f'<span class="changed">{CHANGED_MARK}</span>' in page
    assert f"{CHANGED_MARK} Every gun held back" in host.get("/rules.txt").text
