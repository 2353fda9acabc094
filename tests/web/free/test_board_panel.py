"""The board on the page of a fight: what is chosen, and what a tap plays."""

import html
import json
import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.free.fights import CHASE, Fight, fight_in

BATTLE_BOARD = "bismarck-battle-board"
SINK = "sink-the-bismarck"

SHIPS = [
    {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    {"name": "Hood", "type": "Hood", "side": "british"},
    {"name": "Norfolk", "type": "Norfolk", "side": "british"},
]


@pytest.fixture
def chase(app: Flask) -> Fight:
    fight = fight_in(app, CHASE)
    fight.must("start", visibility=4, attackers="german", ships=SHIPS)
    return fight


def _page(fight: Fight, **said: str) -> str:
    return fight._page("/fight", said)


def _bodies(page: str) -> list[dict[str, Any]]:
    found = re.findall(
        r'data-key="move-\d+"\s+data-act="POST /api/free"\s+data-body="([^"]*)"', page
    )
    return [json.loads(html.unescape(each)) for each in found]


def test_a_tapped_zone_plays_the_rulebooks_own_move(chase: Fight) -> None:
    page = _page(chase, ship="Hood", cell="22")
    (body,) = _bodies(page)
    assert (body["action"]["kind"], body["action"]["zones"]) == ("move", 2)
    assert chase.phone.post("/api/free", body).status_code == 200
    state = chase.state("Hood")
    assert (state["zone"], state["position"], state["moved"]) == (6, "closing", True)
    assert chase.undo().status_code == 200
    assert chase.state("Hood")["zone"] == 4


def test_a_zone_that_she_may_not_reach_says_why(chase: Fight) -> None:
    page = _page(chase, ship="Hood", cell="10")
    assert _bodies(page) == []
    assert "10, Movement Table" in page


def test_her_own_zone_offers_all_positions(chase: Fight) -> None:
    positions = [
        body["action"]["new_position"] for body in _bodies(_page(chase, ship="Hood", cell="24"))
    ]
    assert positions == ["breaking-off", "opening", "closing"]


def test_a_tap_chooses_the_ship_that_stands_alone(chase: Fight) -> None:
    page = html.unescape(_page(chase))
    assert f'href="/fight?ruleset={CHASE}&ship=Bismarck"' in page
    # Two ships are in this one: the page lists them.
    assert f'href="/fight?ruleset={CHASE}&cell=24"' in page


@pytest.mark.parametrize(
    "said", [{"ship": "Yamato"}, {"cell": "99"}, {"ship": "Hood", "cell": "x"}]
)
def test_an_old_address_still_opens(chase: Fight, said: dict[str, str]) -> None:
    assert _bodies(_page(chase, **said)) == []


def test_the_zones_in_reach_are_told_apart(chase: Fight) -> None:
    page = html.unescape(_page(chase, ship="Hood"))
    assert page.count('class="cell reached"') == 7


def test_without_a_start_the_page_leads_to_it(app: Flask) -> None:
    fight = fight_in(app, CHASE)
    fight.must("guns", "Bismarck", "Norfolk", roll=True)
    page = html.unescape(_page(fight))
    assert f'href="/calculator?ruleset={CHASE}&battery=start"' in page


def test_other_rulebooks_have_none(app: Flask) -> None:
    fight = fight_in(app, SINK)
    fight.must("speed", "Bismarck")
    assert "board-title" not in _page(fight)


def test_the_page_draws_its_own_part_anew(chase: Fight) -> None:
    page = _page(chase, ship="Hood", cell="22")
    (address,) = re.findall(r'id="fight"\s+data-live="([^"]*)"', page)
    assert html.unescape(address) == f"/fight/part?ruleset={CHASE}&ship=Hood&cell=22"


def test_a_chosen_ship_acts_at_those_of_the_chosen_cell(chase: Fight) -> None:
    page = html.unescape(_page(chase, ship="Hood", cell="4"))
    assert f'href="/calculator?ruleset={CHASE}&firer=Hood&target=Bismarck"' in page
    alone = html.unescape(_page(chase, ship="Hood"))
    assert f'href="/calculator?ruleset={CHASE}&firer=Hood"' in alone


def _join(fight: Fight, **said: str) -> TestResponse:
    return fight.phone.post("/api/free/ships", {"ruleset": fight.ruleset, **said})


def test_ships_join_and_are_put_on_the_board(app: Flask) -> None:
    fight = fight_in(app, CHASE)
    for kind in ("Bismarck", "Hood"):
        assert _join(fight, type=kind).status_code == 200
    fight.must("start", visibility=4, attackers="german")
    assert fight.state("Hood")["zone"] == 4
    sides = [each["side"] for each in fight.view()["ships"]]
    assert sides == ["german", "british"]
    assert fight.undo().status_code == 200
    assert "zone" not in fight.state("Hood")


def test_sisters_are_numbered_and_sides_may_be_chosen(app: Flask) -> None:
    fight = fight_in(app)
    _join(fight, type="German destroyer")
    _join(fight, type="German destroyer")
    _join(fight, type="German destroyer", name="Z24", side="british")
    found = [(each["name"], each["side"]) for each in fight.view()["ships"]]
    assert found == [
        ("German destroyer", "german"),
        ("German destroyer 2", "german"),
        ("Z24", "british"),
    ]
    assert _join(fight, type="German destroyer", name="Z24").status_code == 400
    assert _join(fight, type="Yamato").status_code == 404
    assert len(fight.view()["ships"]) == 3


def test_the_display_of_arctic_disaster_is_played_on(app: Flask) -> None:
    fight = fight_in(app)
    for ship, dice in (("Scheer", "6"), ("Norfolk", "6")):
        fight.must("deploy", ship, dice=dice)
    (body,) = _bodies(_page(fight, ship="Scheer", cell="9"))
    assert fight.phone.post("/api/free", body).status_code == 200
    assert (fight.state("Scheer")["area"], fight.state("Scheer")["moved"]) == (9, True)
    assert _bodies(_page(fight, ship="Scheer", cell="10")) == []
    # Her target is chosen by a tap on its area, before the first die (11.4.4).
    assert fight.act("main", "Scheer", "Norfolk", dice="1").status_code == 400
    main, secondary = _bodies(_page(fight, ship="Scheer", cell="19"))
    assert (main["action"]["kind"], main["action"]["at"]) == ("main-target", "Norfolk")
    assert secondary["action"]["kind"] == "secondary-target"
    assert fight.phone.post("/api/free", main).status_code == 200
    assert fight.state("Scheer")["main_target"] == "Norfolk"
    fight.must("main", "Scheer", "Norfolk", dice="1")
    assert fight.act("main", "Scheer", "Norfolk", dice="1").status_code == 400
    fight.next_round()
    assert "moved" not in fight.state("Scheer")


def test_the_battle_board_is_played_on(app: Flask) -> None:
    fight = fight_in(app, BATTLE_BOARD)
    fight.must("place", "Bismarck", role="defender")
    fight.must("place", "Hood", edge=4, hex=2)
    # Straight on first, then with a turn.
    body = _bodies(_page(fight, ship="Hood", cell="-2,4"))[0]
    assert (body["action"]["hexes"], body["action"]["turn"]) == (2, 0)
    assert fight.phone.post("/api/free", body).status_code == 200
    state = fight.state("Hood")
    assert (state["column"], state["row"], state["heading"]) == (-2, 4, 1)
    # Where she stands she may turn; far off she may not go.
    assert _bodies(_page(fight, ship="Bismarck", cell="0,0"))
    assert "9.53" in _page(fight, ship="Bismarck", cell="0,-4")
