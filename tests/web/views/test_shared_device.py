"""What several phones of one side share, and what both sides have seen: live lists, steps back."""

import re

import pytest
from flask import Flask

from combat.participants import UMPIRE, acting
from combat.views import AgreedView
from tabletop.errors import DreyerError
from tests.web.actions.test_battle import ANN, BOB, HOST, UMA, battle, play, plot_all
from tests.web.data_folders import Open, battles_of, begin, import_battle
from tests.web.phones import Phone, host_of, running_in, seated
from web.actions.battle import BeginBattle, UndoOwn
from web.actions.pairs import Rule, Unrule
from web.session import Session


@pytest.fixture
def session(app: Flask) -> Session:
    session = running_in(app).session
    session.act(HOST, BeginBattle())
    return session


@pytest.fixture
def ann(app: Flask, session: Session) -> Phone:
    assert session.moment.battle is not None
    return seated(app, "Ann")


def test_a_teammates_plot_is_ticked_and_the_pad_leads_on(ann: Phone, session: Session) -> None:
    path = "/battle/plot/Hood/ships"
    assert ">Written<" not in ann.get(path).text
    play(session, ANN, "plot", ship="Prince of Wales", speed=9, notation="5")
    assert ann.get(path).text.count(">Written<") == 1
    plot_all(session)
    assert ann.get(path).headers["Location"] == "/battle"


def test_the_fire_page_leads_on_too(ann: Phone, session: Session) -> None:
    plot_all(session)
    play(session, ANN, "move")
    play(session, ANN, "designate", ship="Hood", orders=[])
    assert ann.get("/battle/fire/Hood/ships").text.count('class="good"') == 1
    play(session, UMA, "commit")
    for part in ("part", "ships"):
        assert ann.get(f"/battle/fire/Hood/{part}").headers["Location"] == "/battle"


def test_the_way_is_counted_off_and_enemies_have_their_range(ann: Phone) -> None:
    page = ann.get("/battle/plot/Hood/part?notation=2RL&at=3&speed=9").text
    assert re.findall(r'class="factor"[^>]*>(\d)<', page) == ["1", "2", "3", "4"]
    # So short a turn ends in a dot beside the factor before it.
    page = ann.get("/battle/plot/Hood/part?notation=2Rl6°&at=5&speed=9").text
    assert re.findall(r'class="factor"[^>]*>(\d)<', page) == ["1", "2", "3"]
    assert page.count('class="tick-mark"') == 4
    ranges = re.findall(r'class="range"[^>]*>([\d,]+) yd<', page)
    assert sorted(ranges) == ["17,947", "18,390"]


def test_what_is_not_measured_has_no_range(ann: Phone, app: Flask) -> None:
    said = host_of(app).post("/api/host/premeasure", {"mode": "declare"})
    assert said.status_code == 200, said.text
    page = ann.get("/battle/plot/Hood/part?notation=2Rl&at=3&speed=9").text
    assert 'class="range"' not in page
    assert 'class="tick-mark"' in page


def test_a_withdrawal_is_seen_by_all_and_not_taken_back_alone(session: Session) -> None:
    values = {"rounds_outside": 4}
    play(session, UMA, "correct", ship="Prince of Wales", values=values, reason="far off")
    play(session, BOB, "plot", ship="Bismarck", speed=9, notation="5")
    play(session, ANN, "withdraw", ship="Prince of Wales")
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.none_unseen"):
        session.act(ANN, UndoOwn())
    play(session, ANN, "plot", ship="Hood", speed=9, notation="5")
    session.act(ANN, UndoOwn())
    view = battle(session).rulebook.view(battle(session).state, acting("german"))
    status = {ship.id: ship.status for ship in view.ships}
    assert status["Prince of Wales"] == "withdrawn"


def test_how_far_a_ship_is_from_leaving_stands_on_her_card(ann: Phone, session: Session) -> None:
    assert "needs more than 3 to withdraw" not in ann.get("/battle").text
    play(session, UMA, "correct", ship="Hood", values={"rounds_outside": 2}, reason="far off")
    page = ann.get("/battle").text
    assert "2 rounds in a row farther than 28,000 yards" in page
    assert "Withdraw</button>" not in page
    play(session, UMA, "correct", ship="Hood", values={"rounds_outside": 4}, reason="far off")
    assert "Withdraw</button>" in ann.get("/battle").text


def test_a_range_that_is_settled_counts_both_ways(session: Session) -> None:
    def lines() -> dict[tuple[str, str], AgreedView]:
        state = battle(session).state
        agreed = battle(session).rulebook.view(state, UMPIRE).agreed
        return {(each.firer, each.target): each for each in agreed}

    plot_all(session)
    play(session, ANN, "move")
    ruling = Rule("Hood", "Bismarck", "tape", range_yards=21_000, quadrant="bow", blocked=True)
    session.act(ANN, ruling)
    there, back = lines()["Hood", "Bismarck"], lines()["Bismarck", "Hood"]
    assert (there.range_yards, back.range_yards) == (21_000, 21_000)
    # Where she lies for him is the side that he shows to her; who is in the way is asked anew.
    assert (there.quadrant, back.quadrant, back.aspect) == ("bow", None, "bow")
    assert (there.blocked, back.blocked) == (True, None)
    session.act(BOB, Unrule("Hood", "Bismarck"))
    assert lines() == {}


def test_every_phone_hears_of_a_battle_that_comes_or_goes(open_app: Open) -> None:
    app = open_app()
    host, session = host_of(app), running_in(app).session
    first = begin(host)
    begin(host, "river-plate")
    export = host.get(f"/api/battles/kept/{first}/export")
    before = session.seq
    assert import_battle(host, export.data).status_code == 200
    assert session.seq > before
    before = session.seq
    assert host.send("DELETE", f"/api/battles/kept/{first}").status_code == 200
    assert session.seq > before
    assert first not in {each["id"] for each in battles_of(host)}
    assert 'data-live="/battles/list" data-when="seq"' in host.get("/battles").text


def test_a_battle_without_a_name_begins(app: Flask) -> None:
    address = "/battles/new?ships.british=Hood&ships.german=Bismarck"
    address += "&range_die=2&direction_die=3&ready=yes"
    assert "Untitled" in host_of(app).get(address).text


def test_every_ship_is_a_tap_away_with_her_trouble(ann: Phone) -> None:
    page = ann.get("/battle").text
    assert len(re.findall(r'data-key="glance-[^"]+" href="/sheet/', page)) == 4
