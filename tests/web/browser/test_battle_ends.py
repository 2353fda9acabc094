"""Hidden ships, the order of fire, withdrawal and repairs in real browsers, by their buttons."""

import re
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from combat.scenarios import scenario_named
from tests.web.battles import asked
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
    """A server with hidden ships on its table."""
    app = create_app()
    plan = plan_of(scenario_named("denmark-strait"), hidden=True)
    for action in actions_for(plan):
        running_in(app).session.act(HOST, action)
    return app


def do(app: Flask, kind: str, **data: Any) -> None:
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    session.act(UMPIRE, asked(battle, kind, data))


def test_hidden_ships_fire_leave_and_are_repaired(app: Flask, people: People) -> None:
    ann, bob = people.player("Ann", "British"), people.player("Bob", "German")
    for phone in (ann, bob):
        phone.goto("/battle")
    # Each knows their own ships by name and number, and the others' by number alone.
    card = ann.locator(".ship-card", has_text="Hood")
    expect(card).to_contain_text(re.compile("Ship [1-4]"))
    expect(bob.locator("main")).not_to_contain_text("Hood")
    for ship in ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen"):
        do(app, "plot", ship=ship, speed=8, notation="4")
    do(app, "commit")
    expect(bob.locator(".reveal")).to_contain_text(re.compile("Ship [1-4]"))
    assert "Hood" not in bob.locator("main").inner_text()
    ann.get_by_role("button", name="Confirm the move").click()
    expect(ann.get_by_role("heading", name="Designate fire")).to_be_visible()
    for ship, target in (("Hood", "Bismarck"), ("Prince of Wales", "Bismarck")):
        do(app, "designate", ship=ship, orders=[{"target": target}])
    do(app, "commit")
    # The roll for jams comes first; then both sides say with how many guns they fire.
    for phone in (ann, bob):
        phone.goto("/battle/dice")
    expect(bob.locator("#pad")).to_have_count(0)
    expect(ann.locator("#pad")).to_have_count(1)
    ann.locator("[data-key=roll]").click()
    for phone in (ann, bob):
        phone.get_by_role("link", name="To rates of fire").click()
        phone.get_by_role("button", name="Fire as designated").click()
    ann.get_by_role("link", name="To the dice").click()
    # No roll of these fires could hit, but not to ask for dice would tell what the target is.
    ann.get_by_role("button", name="Rest of mine").click()
    ann.get_by_role("dialog").get_by_role("button", name="Rest of mine").click()
    ann.get_by_role("link", name="On to the plots").click()

    values = {"rounds_outside": 4, "hull_lost": 1.5}
    do(app, "correct", ship="Prince of Wales", values=values, reason="to try it")
    ann.get_by_role("button", name="Withdraw").click()
    ann.locator("#ask [value=yes]").click()
    expect(ann.locator(".ship-card", has_text="Prince of Wales")).to_contain_text("Withdrawn")
    # Everybody has seen it: it is not taken back by one side alone.
    expect(ann.get_by_role("button", name="Undo my last step")).to_have_count(0)

    do(app, "end", reason="enough")
    ann.get_by_role("button", name="Try to repair Prince of Wales: hull").click()
    expect(ann).to_have_url(re.compile("/battle/dice$"))
    ann.locator("[data-figure='1']").click()
    expect(ann.locator(".done-list")).to_contain_text("Prince of Wales's hull, 1:")
    ann.goto("/battle")
    expect(ann.locator("main")).to_contain_text("She has already tried this turn.")
    expect(ann.get_by_role("button", name="Try to repair Prince of Wales: hull")).to_have_count(0)
