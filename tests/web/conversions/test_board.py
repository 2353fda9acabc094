"""Ships of a fight on the battle board are carried to the table, and handed back (72)."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.web.free.fights import Fight, fight_in

BOARD = "bismarck-battle-board"
SHIPS = [
    {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    {"name": "Hood", "type": "Hood", "side": "british"},
    {"name": "1st Flotilla", "type": "Destroyer Flotilla", "side": "british"},
]


@pytest.fixture
def fight(app: Flask) -> Fight:
    """The Bismarck hurt, the Hood whole, and a flotilla that the table has no sheet for."""
    fight = fight_in(app, BOARD)
    fight.must("new turn", ships=SHIPS)
    fight.corrected("Bismarck", midships_hits=4, bow_hits=2, evasion_lost=6, ammunition_spent=3)
    return fight


def link(page: str, key: str) -> str:
    found = re.search(rf'data-key="{key}"\s+href="([^"]*)"', page)
    assert found is not None
    return unescape(found[1])


def test_the_fight_leads_to_its_ships_on_the_page_of_conversions(fight: Fight) -> None:
    address = link(fight._page("/fight", {}), "carry")
    page = fight.phone.get(address).get_data(as_text=True)
    assert 'value="4"' in page
    assert "Hood" in page
    assert "Flotilla" not in page
    assert "/battles/new?" in link(page, "begin")


def test_a_sunk_ship_is_not_carried(fight: Fight) -> None:
    fight.corrected("Hood", midships_hits=7)
    assert "ship=Hood" not in link(fight._page("/fight", {}), "carry")


def test_a_fight_of_another_rulebook_carries_nothing(app: Flask) -> None:
    fight = fight_in(app, "chase-of-the-bismarck")
    fight.must("start", visibility=4, attackers="german", ships=SHIPS[:2])
    assert 'data-key="carry"' not in fight._page("/fight", {})


def test_sheets_of_the_table_are_handed_back_to_the_fight(fight: Fight) -> None:
    said = "to=basic&ship=Bismarck&state:Bismarck=" + '{"hull_lost": 9.0, "torpedoes_fired": false}'
    said += "&ship=Rodney&state:Rodney=" + '{"movement_factors_lost": 2}'
    page = fight.phone.get("/convert?" + said).get_data(as_text=True)
    assert 'data-key="hand-back"' in page
    assert fight.phone.post("/api/conversions/board", {"said": said}).status_code == 200
    bismarck, rodney = fight.state("Bismarck"), fight.state("Rodney")
    assert (bismarck["midships_hits"], bismarck["bow_hits"], bismarck["evasion_lost"]) == (6, 0, 0)
    assert rodney["evasion_lost"] == 6


def test_nothing_is_handed_back_while_a_guided_battle_is_under_way(fight: Fight) -> None:
    said = "to=basic&ship=Rodney"
    assert 'data-key="hand-back"' in fight.phone.get("/convert?" + said).get_data(as_text=True)
    assert fight.phone.post("/api/battle/begin", {}).status_code == 200
    assert 'data-key="hand-back"' not in fight.phone.get("/convert?" + said).get_data(as_text=True)
    refused = fight.phone.post("/api/conversions/board", {"said": said})
    assert "guided battle" in refused.get_json()["error"]["message"]


def test_nothing_is_handed_back_from_an_empty_page(fight: Fight) -> None:
    refused = fight.phone.post("/api/conversions/board", {"said": "to=basic"})
    assert refused.status_code == 400
