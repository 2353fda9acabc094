"""An air strike in a guided battle, in real browsers: ordered, rolled, seen by the others."""

import pytest
from flask import Flask
from playwright.sync_api import expect

from combat.scenarios import scenario_named
from tests.web.browser.people import People
from tests.web.browser.test_battle_ends import HOST
from tests.web.phones import running_in
from web import create_app
from web.actions.battle_start import actions_for, plan_of

pytestmark = pytest.mark.browser


@pytest.fixture
def app() -> Flask:
    """A server with the Denmark Strait on its table."""
    app = create_app()
    for action in actions_for(plan_of(scenario_named("denmark-strait"))):
        running_in(app).session.act(HOST, action)
    return app


def test_aircraft_attack_before_the_first_plot(people: People) -> None:
    ann, bob = people.player("Ann", "British"), people.player("Bob", "German")
    for phone in (ann, bob):
        phone.goto("/battle")
    ann.locator("[data-key=air-strike] summary").click()
    # Her own ships are no targets.
    expect(ann.locator("#air-target option")).to_have_text(["Prinz Eugen", "Bismarck"])
    ann.locator("#air-target").select_option("Bismarck")
    ann.locator("#air-planes").fill("11")
    ann.get_by_role("button", name="Attack, then roll").click()
    expect(ann.locator("[data-key=air-strike] .fault")).to_contain_text("10")
    ann.locator("#air-planes").fill("2")
    ann.locator("#air-aa").fill("0")
    ann.get_by_role("button", name="Attack, then roll").click()
    expect(ann.locator("#pad")).to_be_visible()
    expect(ann.locator("main")).to_contain_text("2 torpedo bombers at Bismarck: plane 1 of 2")
    # The other side is led to the dice before it plots on.
    bob.goto("/battle")
    expect(bob.get_by_role("link", name="To the dice")).to_be_visible()
    for key, following in (("1", "the damage"), ("4", "plane 2 of 2"), ("6", "6 movement factors")):
        ann.locator("#pad").get_by_role("button", name=key, exact=True).click()
        expect(ann.locator("main")).to_contain_text(following)
        # The pad takes no second figure so soon: it could be a double tap's.
        ann.wait_for_timeout(400)
    bob.goto("/battle/story")
    expect(bob.locator("main")).to_contain_text("2 torpedo bombers at Bismarck")
    bob.goto("/battle")
    expect(bob.get_by_role("link", name="Plot Prinz Eugen")).to_be_visible()
