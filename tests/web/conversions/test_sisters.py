"""Two ships of one type, each hurt differently, from the battle board to a battle and back."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from tests.web.conversions.test_board import BOARD, link
from tests.web.data_folders import Open, begin, import_battle, play
from tests.web.free.fights import Fight, fight_in
from tests.web.phones import Phone, host_of, running_in, seated
from web.battle.setup.draft import BattleDraft, read_draft

SHIPS = [
    {"name": "Bismarck", "type": "Bismarck", "side": "german"},
    {"name": "Hood", "type": "Hood", "side": "british"},
    {"name": "Anson", "type": "Hood", "side": "british"},
    {"name": "Howe", "type": "Hood", "side": "british"},
]


@pytest.fixture
def fight(app: Flask) -> Fight:
    fight = fight_in(app, BOARD)
    fight.must("new turn", ships=SHIPS)
    fight.corrected("Hood", midships_hits=2)
    fight.corrected("Anson", bow_hits=1, evasion_lost=6)
    fight.corrected("Howe", midships_hits=7)
    return fight


def _carried(fight: Fight) -> tuple[str, BattleDraft]:
    """The address of the set-up with the ships of the fight, and what it says."""
    page = fight.phone.get(link(fight._page("/fight", {}), "carry")).text
    begin = link(page, "begin")
    query = MultiDict(parse_qsl(urlsplit(begin).query))
    return begin, read_draft(query, running_in(fight.phone.app).session.moment.state.sides)


def _states(phone: Phone) -> dict[str, Any]:
    """Boxes of the hull and of turret A that are lost, by ship."""
    found: dict[str, Any] = {}
    for ship in phone.view()["battle"]["ships"]:
        answer = phone.get("/api/battle/sheet", query_string={"ship": ship["id"]}).get_json()
        parts = {part["key"]: part for part in answer["sheet"]["parts"]}
        found[ship["id"]] = (parts["hull"]["lost"], parts["A"]["lost"])
    return found


def test_each_is_carried_to_a_battle_with_her_name_and_her_marks(fight: Fight) -> None:
    begin, draft = _carried(fight)
    # The Howe is sunk and stays away.
    assert [(ship.name, ship.type.name, ship.side) for ship in draft.ships] == [
        ("Anson", "Hood", "british"),
        ("Hood", "Hood", "british"),
        ("Bismarck", "Bismarck", "german"),
    ]
    assert fight.phone.get(begin).status_code == 200
    again = fight.phone.get(f"{begin}&change=1").text
    assert 'name="own.british" value="Anson" checked' in again
    assert 'name="type.Anson"' in again


def test_the_survivors_are_handed_back_to_the_fight(fight: Fight) -> None:
    _, draft = _carried(fight)
    ships: Any = draft.body()["ships"]
    for number, ship in enumerate(ships):
        ship["place"] = {"x": 4_000 + 9_000 * number, "y": 9_000, "heading": 90}
    begun = fight.phone.post("/api/battles", {"title": "Sisters", "ships": ships})
    assert begun.status_code == 200, begun.text
    umpire = seated(fight.phone.app, "Uma", role="umpire", side=None)
    assert _states(umpire) == {"Hood": (12, 0), "Anson": (0, 6), "Bismarck": (0, 0)}
    hurt = {"values": {"hull_lost": 3}, "reason": "as it happened"}
    play(umpire, "correct", ship="Anson", **hurt)
    play(umpire, "end")
    page = fight.phone.get("/convert?to=basic").text
    assert 'data-key="hand-back"' in page
    answer = fight.phone.post("/api/conversions/board", {"said": "to=basic"})
    assert answer.status_code == 200, answer.text
    hood, anson = fight.state("Hood"), fight.state("Anson")
    assert (hood["midships_hits"], hood["bow_hits"], hood["evasion_lost"]) == (2, 0, 0)
    assert (anson["midships_hits"], anson["bow_hits"], anson["evasion_lost"]) == (2, 1, 6)
    assert fight.state("Howe")["midships_hits"] == 7


def test_a_name_of_her_own_is_not_given_twice(fight: Fight) -> None:
    begin, _ = _carried(fight)
    page = fight.phone.get(f"{begin}&own.german=Anson")
    assert page.status_code == 200
    assert 'class="fault" role="alert"' in page.text


def test_the_fight_is_beside_the_battle_that_is_begun_from_it(open_app: Open) -> None:
    fight = fight_in(open_app(), BOARD)
    fight.must("new turn", ships=SHIPS)
    fight.corrected("Howe", midships_hits=7)
    fight.corrected("Anson", midships_hits=2)
    assert fight.undo().status_code == 200
    id_ = begin(fight.phone, "denmark-strait")
    assert fight.state("Anson")["midships_hits"] == 0
    document = fight.phone.get(f"/api/battles/kept/{id_}/export").data
    # The battle is read again, from its own file and from an export.
    again = Fight(host_of(open_app()), BOARD)
    assert (again.state("Howe")["midships_hits"], again.state("Anson")["midships_hits"]) == (7, 0)
    copy = import_battle(again.phone, document).get_json()["id"]
    assert again.phone.post(f"/api/battles/kept/{copy}/resume").status_code == 200
    assert again.state("Howe")["midships_hits"] == 7
