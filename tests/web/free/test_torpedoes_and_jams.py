"""Torpedoes and rolls for jams of the Advanced Game, through the API and the calculator."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.web.free.fights import Fight, body_of, fight_in

ADVANCED = "bismarck-advanced"
ABEAM: dict[str, Any] = {"range_yards": 3000, "aspect": "port"}
SALVO = {"firer": "Prinz Eugen", "target": "Hood", "battery": "torpedoes", "range": "3000"}
JAMS = {"firer": "Prince of Wales", "target": "Prinz Eugen", "battery": "jams"}


@pytest.fixture
def fight(app: Flask) -> Fight:
    return fight_in(app, ADVANCED)


def kinds(fight: Fight) -> list[str]:
    return [event["kind"] for event in fight.view()["played"][-1]["events"]]


def next_said(fight: Fight) -> str:
    (link,) = re.findall(r'data-key="more"\s+href="([^"]*)"', fight.page())
    return str(link)


def fields(page: str) -> dict[str, bool]:
    """Which fields of a line of fire a page shows, and which it only keeps."""
    (form,) = re.findall(r'<form class="sheetlike".*?</form>', page, re.DOTALL)
    return {
        key: re.search(rf'type="hidden" name="{key}"', form) is None
        for key in ("range", "quadrant", "aspect", "sight")
    }


def test_a_salvo_through_the_api(fight: Fight) -> None:
    fight.must("torpedoes", "Prinz Eugen", "Hood", "61 5 1", **ABEAM)
    assert kinds(fight)[-4:] == [
        "torpedoes-spent",
        "torpedoes-ran",
        "torpedo-struck",
        "torpedo-struck",
    ]
    assert fight.state("Prinz Eugen")["torpedoes_fired"] is True
    hood = fight.state("Hood")
    assert (hood["hull_lost"], hood["movement_factors_lost"]) == (4.0, 2)
    again = fight.act("torpedoes", "Prinz Eugen", "Hood", "11", **ABEAM)
    assert again.status_code == 400
    assert "19.3" in again.text
    fight.undo()
    fight.must("torpedoes", "Prinz Eugen", "Hood", "11", **ABEAM)


def test_jams_through_the_api(fight: Fight) -> None:
    line = {
        "range_yards": 15000,
        "quadrant": "starboard",
        "aspect": "port",
        "blocked": True,
        "smoke": True,
    }
    fight.must("jams", "Prince of Wales", dice="11", quadrant="starboard")
    assert fight.state("Prince of Wales")["jammed_guns"] == {"A": 1}
    fight.must("main", "Prince of Wales", "Prinz Eugen", "66", **line)
    (fired,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "fired")
    assert fired["guns"] == 9
    late = fight.act("jams", "Prince of Wales", dice="66")
    assert late.status_code == 400
    assert "71.2" in late.text
    fight.next_round()
    fight.must("jams", "Prince of Wales", dice="24")
    fight.must("main", "Prince of Wales", "Prinz Eugen", "66", **line)
    (fired,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "fired")
    assert fired["guns"] == 7
    assert fight.state("Prince of Wales")["jammed_guns"] == {"A": 1}


def test_the_calculator_asks_what_an_action_needs(fight: Fight) -> None:
    assert fields(fight.calculator(**SALVO)) == {
        "range": True,
        "quadrant": False,
        "aspect": True,
        "sight": True,
    }
    assert fields(fight.calculator(**JAMS)) == {
        "range": False,
        "quadrant": True,
        "aspect": False,
        "sight": False,
    }
    assert all(fields(fight.calculator(**{**SALVO, "battery": "main"})).values())


def test_a_page_plays_a_salvo_and_offers_guns_next(fight: Fight) -> None:
    page = fight.calculator(**SALVO, figures="6151")
    answer = fight.phone.post("/api/free", body_of(page, "mark"))
    assert answer.status_code == 200, answer.text
    # She has fired them: what comes next is what she can still do.
    assert "battery" not in next_said(fight)
    assert "19.3" in fight.calculator(**SALVO)


def test_a_page_rolls_for_jams_where_she_fires(fight: Fight) -> None:
    body = body_of(fight.calculator(**JAMS, quadrant="bow", figures="32"), "mark")
    assert body["action"]["quadrant"] == "bow"
    assert [each["name"] for each in body["ships"]] == ["Prince of Wales"]
    assert fight.phone.post("/api/free", body).status_code == 200
    (jammed,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "guns-jammed")
    assert (jammed["turret"], jammed.get("guns", 0), jammed["rule"]) == ("X", 0, "71.2")
    assert "71.2" in fight.calculator(**JAMS)


def test_odds_of_printed_tables_have_no_mark_and_those_of_rebuilt_ones_have(fight: Fight) -> None:
    """Where a forecast rests on reconstructed cells its heading says so."""
    assert "odds-mark" not in fight.calculator(**SALVO)
    assert "odds-mark" not in fight.calculator(**JAMS)
    assert "odds-mark" in fight.calculator(**{**SALVO, "battery": "main"})
