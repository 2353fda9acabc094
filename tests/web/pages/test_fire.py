"""Fire in a battle as pages: designated in secret, resolved with dice, settled where in doubt."""

import json
import math
import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from combat.guided_play import StepKind
from combat.participants import SPECTATOR, acting
from combat.scene_file import read_scene
from tabletop.closecall import CloseCallKind
from tests.web.actions.test_battle import ANN, BOB, HOST, UMA, battle, play, plot_all, step
from tests.web.phones import Phone, running_in, seated, words_of
from web import create_app
from web.actions.battle import AskUndo, BeginBattle
from web.actions.pairs import Decide, Reopen, Rule, Unrule
from web.actions.table import ClearSmoke
from web.faults import NeedsConsent
from web.session import Session
from web.strings import words

DESIGNATE = "/battle/fire/Hood"
ALL_AT_BISMARCK = {"ticked": "1", "on": ["main|A|Bismarck", "main|B|Bismarck"]}


@pytest.fixture
def session(app: Flask) -> Session:
    session = running_in(app).session
    session.act(HOST, ClearSmoke(1))
    session.act(HOST, BeginBattle())
    plot_all(session)
    play(session, ANN, "move")
    return session


@pytest.fixture
def ann(app: Flask, session: Session) -> Phone:
    assert step(session) is StepKind.DESIGNATE
    return seated(app, "Ann")


@pytest.fixture
def bob(app: Flask, session: Session) -> Phone:
    assert step(session) is StepKind.DESIGNATE
    return seated(app, "Bob", side="german")


def html(phone: Phone, path: str, **more: Any) -> str:
    response = phone.get(path, **more)
    assert response.status_code == 200, response.text
    return response.text


def open_fire(session: Session) -> None:
    """Hood and Bismarck fire at each other with every gun, and both sides have committed."""
    designate_both(session)
    play(session, ANN, "commit")
    play(session, BOB, "commit")


def designate_both(session: Session) -> None:
    """Hood and Bismarck are to fire at each other; their rates of fire are still open."""
    play(session, ANN, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    play(session, BOB, "designate", ship="Bismarck", orders=[{"target": "Hood"}])
    play(session, ANN, "commit")
    play(session, BOB, "commit")


def ticks(page: str) -> dict[str, str]:
    """Every turret to tick, and what else its tick says."""
    found = re.findall(r'name="on" value="([^"]+)"([^>]*)>', page)
    return dict(found)


def test_targets_are_compared_nearest_first(ann: Phone) -> None:
    page = html(ann, DESIGNATE)
    assert page.index(">Bismarck<") < page.index(">Prinz Eugen<")
    assert "16,585 yd" in page
    assert "Long low" in page
    assert "best odds" in page
    assert page.count('class="chances"') == 2


def test_what_does_not_bear_cannot_be_ticked_and_says_why(ann: Phone) -> None:
    page = html(ann, DESIGNATE)
    found = ticks(page)
    assert "disabled" not in found["main|A|Bismarck"]
    assert "disabled" in found["main|X|Bismarck"]
    assert "X, Y: does not bear into her bow quadrant" in page
    assert "61.4" in page


def test_the_chosen_turrets_show_ledger_odds_and_cost(ann: Phone) -> None:
    part = html(ann, f"{DESIGNATE}/part", query_string=ALL_AT_BISMARCK)
    assert "Main guns A B" in part
    assert "6 rounds, 714 left" in part
    assert "First fire of these guns at this target" in part
    assert "62.53" in part
    assert 'class="prov printed"' in part
    for outcome in ("Turret lost", "Speed lost", "Sunk", "At least one"):
        assert outcome in part
    assert "Save, then Prince of Wales" in part


def test_an_order_that_is_not_allowed_says_so_with_its_rule(ann: Phone) -> None:
    asked = {"ticked": "1", "on": ["main|X|Bismarck"]}
    part = html(ann, f"{DESIGNATE}/part", query_string=asked)
    assert "Not allowed" in part
    assert "61.4" in part
    assert re.search(r'data-key="save"[^>]* disabled', part)


def test_turrets_are_designated_and_their_guns_chosen_later(ann: Phone) -> None:
    """67.41: the page does not ask for numbers of guns before the fire lies open."""
    assert "guns|main|Bismarck" not in html(ann, DESIGNATE)
    fewer = {**ALL_AT_BISMARCK, "guns|main|Bismarck": "2", "aim|main|Bismarck": "on"}
    part = html(ann, f"{DESIGNATE}/part", query_string=fewer)
    assert "67.41" in part
    assert re.search(r'data-key="save"[^>]* disabled', part)


def test_rates_of_fire_are_chosen_turret_by_turret(ann: Phone, session: Session) -> None:
    designate_both(session)
    page = html(ann, "/battle/rate/Hood")
    assert re.findall(r'name="(rate\|[^"]+)"\s+value="(\d)"', page) == [
        (f"rate|main|{turret}|Bismarck", number) for turret in "AB" for number in "21"
    ]
    asked = {"chosen": "1", "rate|main|A|Bismarck": "1", "rate|main|B|Bismarck": "2"}
    part = html(ann, "/battle/rate/Hood/part", query_string=asked)
    assert "3 of 4 guns" in part
    assert "67.42" in part
    (body,) = re.findall(r'data-key="save"\s+data-act="[^"]+"\s+data-body="([^"]+)"', part)
    wanted = {"target": "Bismarck", "guns": {"A": 1}}
    assert json.loads(unescape(body)) == {
        "kind": "reduce",
        "data": {"ship": "Hood", "rates": [wanted]},
    }
    assert ann.post("/api/battle/play", json.loads(unescape(body))).status_code == 200
    (rate,) = battle(session).plotted_view(acting("british")).rates["Hood"]
    assert [turret.firing for turret in rate.turrets] == [1, 2]


def test_fewer_than_one_gun_is_refused_with_its_rule(ann: Phone, session: Session) -> None:
    designate_both(session)
    none = {"chosen": "1", "rate|main|A|Bismarck": "0"}
    part = html(ann, "/battle/rate/Hood/part", query_string=none)
    assert "67.41" in part
    assert re.search(r'data-key="save"[^>]* disabled', part)


def test_rates_have_their_time_their_ship_and_their_side(
    ann: Phone, bob: Phone, session: Session
) -> None:
    assert "It is not time to choose rates of fire" in html(ann, "/battle/rate/Hood")
    assert ann.get("/battle/rate/Hood/part").status_code == 303
    designate_both(session)
    assert bob.get("/battle/rate/Hood").status_code == 404
    silent = ann.get("/battle/rate/Prince of Wales")
    assert silent.status_code == 409
    play(session, ANN, "commit")
    assert "Undo my commit" in html(ann, "/battle/rate/Hood")
    assert ann.get("/battle/fire/Hood/part").status_code == 303


def test_the_battles_page_commits_with_one_tap(ann: Phone, bob: Phone, session: Session) -> None:
    designate_both(session)
    assert "Fire as designated" in html(ann, "/battle/now")
    rates = [{"target": "Bismarck", "guns": {"A": 1}}]
    play(session, ANN, "reduce", ship="Hood", rates=rates)
    page = html(ann, "/battle/now")
    assert "Commit the rates of fire" in page
    assert "3 of 4" in page
    assert "3 of 4" not in html(bob, "/battle/now")
    assert "Before the first die" in html(bob, "/battle/dice/part")
    play(session, ANN, "commit")
    assert "3 of 4" not in html(bob, "/battle/now")
    play(session, BOB, "commit")
    assert "reduced to A 1" in html(bob, "/battle/now")


def test_saved_orders_are_there_again_and_sealed_once_committed(
    ann: Phone, session: Session
) -> None:
    orders = [{"target": "Bismarck", "turrets": ["A"]}]
    body = {"kind": "designate", "data": {"ship": "Hood", "orders": orders}}
    assert ann.post("/api/battle/play", body).status_code == 200
    found = ticks(html(ann, DESIGNATE))
    assert "checked" in found["main|A|Bismarck"]
    assert "checked" not in found["main|B|Bismarck"]
    assert ann.post("/api/battle/play", {"kind": "commit"}).status_code == 200
    page = html(ann, DESIGNATE)
    assert "Undo my commit" in page
    assert "data-draw" not in page
    assert ann.post("/api/battle/play", {"kind": "uncommit"}).status_code == 200
    assert battle(session).step.waiting_for == ("british", "german")


def test_nobody_opens_the_other_sides_orders(app: Flask, ann: Phone, bob: Phone) -> None:
    """A canary in a designation: no answer to the other seat may have it."""
    body = {"kind": "designate", "data": {"ship": "Hood", "orders": [{"target": "Prinz Eugen"}]}}
    assert ann.post("/api/battle/play", body).status_code == 200
    assert "Prinz Eugen" in html(ann, DESIGNATE)
    assert bob.get(DESIGNATE).status_code == 404
    assert bob.get(f"{DESIGNATE}/part", query_string=ALL_AT_BISMARCK).status_code == 404
    wim = seated(app, "Wim", role="onlooker", side=None)
    for path in (DESIGNATE, f"{DESIGNATE}/part", "/api/battle/fire?ship=Hood"):
        assert wim.get(path).status_code == 403
    before = {path: bob.get(path).text for path in ("/battle/fire/Bismarck", "/battle/dice")}
    other = {"kind": "designate", "data": {"ship": "Hood", "orders": [{"target": "Bismarck"}]}}
    assert ann.post("/api/battle/play", other).status_code == 200
    assert {path: bob.get(path).text for path in before} == before
    assert bob.view()["battle"]["fires"] == {}


def test_the_umpire_designates_for_anybody(app: Flask, session: Session) -> None:
    uma = seated(app, "Uma", role="umpire", side=None)
    assert "Main guns" in html(uma, "/battle/fire/Bismarck")
    assert "Main guns" in html(uma, DESIGNATE)
    assert step(session) is StepKind.DESIGNATE


def test_a_house_that_does_not_premeasure_shows_no_figures(app: Flask, ann: Phone) -> None:
    host = Phone(app, "127.0.0.1", "localhost:8080")
    host.get("/")
    assert host.post("/api/host/premeasure", {"mode": "declare"}).status_code == 200
    for path in (DESIGNATE, f"{DESIGNATE}/part"):
        page = html(ann, path, query_string=ALL_AT_BISMARCK)
        assert "16,585" not in page
        assert "Long low" not in page
        assert "Gunnery factor" not in page
    assert "measure only" in words_of(ann.get("/api/battle/fire?ship=Hood"))
    assert "disabled" not in ticks(html(ann, DESIGNATE))["main|X|Bismarck"]


def test_pages_out_of_their_step_say_what_to_do(ann: Phone, session: Session) -> None:
    assert "No dice needed now" in html(ann, "/battle/dice")
    open_fire(session)
    assert "It is not time to designate fire" in html(ann, DESIGNATE)


def test_without_a_battle_there_is_none(app: Flask) -> None:
    phone = seated(app, "Ann")
    assert phone.get("/battle/dice").status_code == 404
    assert phone.get(DESIGNATE).status_code == 404


def test_the_pad_asks_for_the_dice_in_turn(ann: Phone, bob: Phone, session: Session) -> None:
    open_fire(session)
    page = html(ann, "/battle/dice/part")
    assert "Hood at Bismarck: the hit roll" in page
    assert "You roll" in page
    # Both sides roll at once, each its own.
    assert "Bismarck at Hood: the hit roll" in html(bob, "/battle/dice/part")
    assert re.search(r'data-kind="pair" data-roll="[0-9a-f]{16}"', page)
    (outlook,) = re.findall(r'data-outlook="([^"]+)"', page)
    said = json.loads(unescape(outlook))
    assert len(said) == 36 + 6
    assert said["11"].startswith("row ")
    assert "hit" in said["1"]
    assert "Bismarck at Hood" in page
    (roll,) = re.findall(r'data-roll="([0-9a-f]{16})"', page)
    typed = {"kind": "dice", "data": {"values": ["66"], "roll": roll, "only": True}}
    assert bob.post("/api/battle/play", typed).status_code == 403
    assert bob.post("/api/battle/roll", {"roll": roll}).status_code == 403
    uma = seated(bob.app, "Uma", role="umpire", side=None)
    assert uma.post("/api/battle/play", typed).status_code == 200
    assert ann.post("/api/battle/play", typed).status_code == 409
    assert ann.post("/api/battle/roll", {"roll": roll}).status_code == 409
    assert roll not in html(ann, "/battle/dice/part")


def test_a_fire_is_pictured_as_the_two_ships_lie_to_each_other(
    ann: Phone, session: Session
) -> None:
    open_fire(session)
    (line,) = re.findall(r'<p class="duel">.*', html(ann, "/battle/dice/part"))
    turns = [float(turn) % 360 for turn in re.findall(r"rotate\(([-.\d]+)\)", line)]
    poses = session.moment.poses
    hood, bismarck = poses["Hood"], poses["Bismarck"]
    # Upwards in the picture is to the left of the line of fire.
    across, away = bismarck.x_yards - hood.x_yards, bismarck.y_yards - hood.y_yards
    left = math.degrees(math.atan2(across, away)) - 90
    expected = [(pose.heading_deg - left) % 360 for pose in (hood, bismarck)]
    assert turns == pytest.approx(expected, abs=0.1)
    assert re.findall(r"#(ship-[a-z-]+)", line) == [
        "ship-battlecruiser-round",
        "ship-battleship-angular",
    ]


def test_the_keys_tell_what_a_roll_for_jams_brings(ann: Phone, session: Session) -> None:
    play(session, ANN, "designate", ship="Prince of Wales", orders=[{"target": "Bismarck"}])
    play(session, ANN, "commit")
    play(session, BOB, "commit")
    (outlook,) = re.findall(r'data-outlook="([^"]+)"', html(ann, "/battle/dice/part"))
    said = json.loads(unescape(outlook))
    # 71: on some rolls a gun jams, on all with a coloured 6 none does.
    assert said["11"] == "1 gun in turret A jammed until the end of the battle"
    assert said["6"] == "no gun jams"
    assert "1" not in said


def test_the_second_die_is_left_to_the_app_where_it_changes_nothing(
    ann: Phone, bob: Phone, session: Session
) -> None:
    play(session, ANN, "designate", ship="Prince of Wales", orders=[{"target": "Bismarck"}])
    play(session, ANN, "commit")
    play(session, BOB, "commit")
    page = html(ann, "/battle/dice/part")
    (roll,) = re.findall(r'data-roll="([0-9a-f]{16})"', page)
    (decided,) = re.findall(r'data-decided="([^"]*)"', page)
    assert decided.split() == ["4", "5", "6"]

    def typed(phone: Phone, value: str) -> int:
        data = {"values": [value], "roll": roll, "only": True}
        return phone.post("/api/battle/play", {"kind": "dice", "data": data}).status_code

    # 71: with a coloured 1 it matters which gun jams; and nobody rolls for the other side.
    assert typed(ann, "1") == 400
    assert typed(bob, "6") == 403
    assert typed(ann, "6") == 200
    now = session.moment.battle
    assert now is not None
    (fallen,) = [roll for each in now.record.events for roll in each.rolls]
    assert fallen.faces[0] == 6
    assert len(fallen.faces) == 2


def test_hits_are_told_with_plate_and_place(ann: Phone, session: Session) -> None:
    open_fire(session)
    play(session, ANN, "dice", values=["66", "11", "14", "4"])
    page = html(ann, "/battle/dice/part")
    assert "Turret Y" in page
    assert "Stopped." in page
    assert "penetration against" in page
    assert 'class="mark"' in page
    assert "typed, Ann" in page
    assert ann.post("/api/battle/roll", {"what": "rest"}).status_code == 200
    assert step(session) is StepKind.PLOT
    page = html(ann, "/battle/dice/part")
    assert "All dice are in" in page
    assert "rolled by the app, Ann" in page
    assert page.count("told-fire") == 2
    assert '<details class="fold told-fire" data-key="fire-0"><summary>' in page
    # What it did to Hood stands on the page of the battle, to be opened.
    assert 'data-key="damage"' in html(ann, "/battle/now")


def test_onlookers_watch_the_dice(app: Flask, session: Session) -> None:
    open_fire(session)
    wim = seated(app, "Wim", role="onlooker", side=None)
    page = html(wim, "/battle/dice/part")
    assert "The players enter the dice" in page
    assert "data-figure" not in page


def test_whoever_rolled_the_last_dice_is_told_how_it_ended(ann: Phone, session: Session) -> None:
    open_fire(session)
    play(session, UMA, "end", reason="a gale")
    part = html(ann, "/battle/dice/part")
    assert "a gale" in part
    assert 'data-key="ended"' in part


def test_dice_from_before_a_step_back_are_kept_and_shown(ann: Phone, session: Session) -> None:
    open_fire(session)
    for value in ("66", "11", "14"):
        play(session, ANN, "dice", values=[value])
    first, *_ = [each.n for each in battle(session).record.events if each.action.kind == "dice"]
    session.act(ANN, AskUndo(first))
    page = html(ann, "/battle/dice/part")
    assert "Rolled before you went back" in page
    assert "Use these dice again" in page
    assert ann.post("/api/battle/roll", {"what": "next"}).status_code == 200
    resolution = battle(session).plotted_view(SPECTATOR).resolution
    assert resolution is not None
    assert resolution.dice == ("66", "11", "14")
    assert "kept from before you went back" in html(ann, "/battle/dice/part")


# What the players settle on the chart


def bismarck(session: Session) -> Any:
    now = battle(session)
    options = now.plotted.fire_options(now.state, "british", "Hood")
    return next(option for option in options if option.target == "Bismarck")


def test_figures_by_hand_count_for_the_fire(ann: Phone, session: Session) -> None:
    session.act(ANN, Rule("Hood", "Bismarck", "the tape says so", range_yards=21_000))
    assert (bismarck(session).range_yards, bismarck(session).segment) == (21_000, "long_high")
    assert "Settled: 21,000 yards (the tape says so; Ann)" in html(ann, DESIGNATE)
    with pytest.raises(NeedsConsent):
        session.act(BOB, Unrule("Hood", "Bismarck"))
    assert bismarck(session).range_yards == 21_000
    (proposal,) = session.proposals
    session.answer(ANN, proposal.id, agree=True)
    assert not bismarck(session).agreed


def test_a_ruling_of_the_api_has_the_name_of_who_made_it(ann: Phone, session: Session) -> None:
    said = {"firer": "Hood", "target": "Bismarck", "range_yards": 9000, "reason": "x", "who": "Eve"}
    assert ann.post("/api/battle/play", {"kind": "rule", "data": said}).status_code == 200
    assert words(bismarck(session).agreed) == "9,000 yards (x; Ann)"


def test_a_close_call_decided_before_the_move_is_confirmed_counts_after_it() -> None:
    close = """
title = "Close"
[[ship]]
name = "Hood"
x = 20000
y = 1000
heading = 0
position_sigma_mm = 1.6
[[ship]]
name = "Bismarck"
x = 20000
y = 21000
heading = 0
position_sigma_mm = 1.6
"""
    app = create_app(lambda: read_scene(close.encode(), "close.toml"))
    session = running_in(app).session
    session.act(HOST, BeginBattle())
    for ship, caller in (("Hood", ANN), ("Bismarck", BOB)):
        play(session, caller, "plot", ship=ship, speed=0, notation="")
        play(session, caller, "commit")
    session.act(ANN, Decide("Hood", "Bismarck", CloseCallKind.RANGE, "long_high"))
    play(session, BOB, "move")
    assert bismarck(session).segment == "long_high"
    agreed = bismarck(session).agreed
    assert (agreed["reason"], agreed["who"]) == ("a close call, agreed", "Ann")
    session.act(BOB, Reopen("Hood", "Bismarck", CloseCallKind.RANGE))
    assert bismarck(session).segment == "long_low"


def test_the_check_reckons_with_her_state_and_leads_to_the_orders(
    ann: Phone, bob: Phone, session: Session
) -> None:
    play(session, UMA, "correct", ship="Hood", values={"turrets_lost": {"A": 3}}, reason="test")
    page = html(ann, "/check?firer=Hood&target=Bismarck")
    assert 'href="/battle/fire/Hood"' in page
    assert "as they are now" in page
    assert "Guns 2 of 8" in page
    assert "/battle/fire/" not in html(bob, "/check?firer=Hood&target=Bismarck")
    assert "/battle/fire/Bismarck" in html(bob, "/check?firer=Bismarck&target=Hood")


def test_a_player_cannot_say_that_the_server_rolled(ann: Phone, session: Session) -> None:
    open_fire(session)
    for how in ("rolled", "kept"):
        body = {"kind": "dice", "data": {"values": ["11"], "how": how}}
        answer = ann.post("/api/battle/play", body)
        assert answer.status_code == 400
        assert "how" in words_of(answer)
    said = {"kind": "dice", "data": {"values": ["11"]}}
    assert ann.post("/api/battle/play", said).status_code == 200
