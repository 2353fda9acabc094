"""From a battle that has ended to the next one with its survivors, by the buttons."""

import re
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from combat.scenarios import scenario_named
from tests.web.battles import advanced_state, asked
from tests.web.browser.people import People
from tests.web.phones import running_in
from web import create_app
from web.actions.battle_start import actions_for, plan_of
from web.auth.seats import Caller, Role, Seat

pytestmark = pytest.mark.browser

HOST = Caller("host", host=True)
UMPIRE = Caller("umpire", seat=Seat("s9", "Uma", Role.UMPIRE, None))


@pytest.fixture
def app() -> Flask:
    """A server with a battle that has ended; Hood is damaged, Prince of Wales is sunk."""
    app = create_app()
    for action in actions_for(plan_of(scenario_named("denmark-strait"))):
        running_in(app).session.act(HOST, action)
    marks = {"hull_lost": 4, "turrets_lost": {"A": 3, "B": 1}, "ammunition": {"main": 90}}
    do(app, "correct", ship="Hood", values=marks, reason="as it happened")
    do(app, "correct", ship="Prince of Wales", values={"sunk": True}, reason="as it happened")
    do(app, "end")
    return app


def do(app: Flask, kind: str, **data: Any) -> None:
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    session.act(UMPIRE, asked(battle, kind, data))


def lost(app: Flask, ship: str) -> float:
    battle = running_in(app).session.moment.battle
    assert battle is not None
    return float(advanced_state(battle).engagement[ship].vessel.hull_lost / 4)


def test_the_survivors_fight_on(app: Flask, people: People) -> None:
    ann, host = people.player("Ann", "British"), people.host()
    # Two turns in port, on her hull.
    ann.goto("/battle")
    hood = ann.locator("article", has=ann.get_by_role("heading", name="Hood"))
    hood.locator("summary").click()
    hood.get_by_label("Turns in port").fill("2")
    hood.get_by_role("button", name=re.compile("in port")).click()
    expect(hood).to_contain_text("3 hull boxes")
    assert lost(app, "Hood") == 1
    expect(ann.get_by_role("link", name="Next battle with the survivors")).to_have_count(0)

    # The host: who goes on, how they meet, and with what they begin.
    host.goto("/battle")
    host.get_by_role("link", name="Next battle with the survivors").click()
    expect(host.get_by_role("checkbox", name=re.compile("Hood"))).to_be_checked()
    expect(host.get_by_role("checkbox", name=re.compile("Prince of Wales"))).to_have_count(0)
    expect(host.get_by_text("64.8")).to_be_visible()
    host.get_by_role("button", name="Next: how they meet").click()
    host.get_by_role("link", name="Change the condition of Bismarck").click()
    host.get_by_label(re.compile("^Hull boxes")).fill("99")
    host.get_by_role("button", name="Use this condition").click()
    expect(host.get_by_role("alert")).to_be_visible()
    host.get_by_label(re.compile("^Hull boxes")).fill("2,5")
    host.get_by_role("button", name="Use this condition").click()
    expect(host.get_by_role("link", name="Change the condition of Bismarck")).to_be_visible()
    for die in ("range", "direction"):
        host.locator(f"button[name=roll][value={die}]").click()
    host.get_by_role("button", name="Continue").click()
    host.locator("#begin button[type=submit]").click()
    expect(host).to_have_url(re.compile("/battles$"))
    expect(host.locator("#now-title")).to_contain_text("battle 2")
    assert (lost(app, "Hood"), lost(app, "Bismarck")) == (1, 2.5)
    battle = running_in(app).session.moment.battle
    assert battle is not None
    vessel = advanced_state(battle).engagement["Hood"].vessel
    assert (vessel.main_ammunition, vessel.turrets[0].destroyed) == (90, True)
    expect(ann.get_by_text("Battle 2 of Denmark Strait")).to_be_visible()


def test_beginning_again_is_told_from_going_on(people: People) -> None:
    host = people.host()
    host.goto("/battles")
    now = host.locator("section.now")
    expect(now.get_by_role("link", name="Next battle with the survivors")).to_be_visible()
    now.locator("summary", has_text="again").click()
    now.get_by_role("button", name=re.compile("again")).click()
    # It asks first, since nothing of the battle carries over.
    expect(host.locator("#ask")).to_be_visible()
