"""A battle alone, on one phone: against a captain of the program, from the scenario to its end."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.web.browser.looks import PHONE
from tests.web.browser.people import People
from tests.web.phones import running_in
from web import create_app

pytestmark = pytest.mark.browser
MOST_STEPS = 600


@pytest.fixture
def app() -> Iterator[Flask]:
    app = create_app()
    yield app
    running_in(app).captains.close()


def begin(people: People) -> Page:
    page = people.host(PHONE)
    page.goto("/battles")
    page.locator("#tutorial").get_by_role("button", name="British against the table").click()
    expect(page).to_have_url(re.compile("/battle$"))
    expect(page.locator(".captains")).to_contain_text(["A captain plays German: steady"])
    return page


def test_a_plot_is_proposed_and_the_captains_move_is_on_a_card(people: People) -> None:
    page = begin(people)
    page.locator("[data-key=captain-plots]").click()
    expect(page.locator(".captains").first).to_contain_text("Proposed")
    page.get_by_role("button", name="Commit the plots").click()
    expect(page.locator(".move-card")).to_have_count(2)
    page.get_by_role("button", name="Confirm the move").click()
    expect(page.get_by_role("heading", name="Designate fire")).to_be_visible()


@pytest.mark.soak
def test_a_battle_on_one_phone_to_its_end(people: People) -> None:
    page = begin(people)
    battle = running_in(people.server.app).session
    for _ in range(MOST_STEPS):
        now = battle.moment.battle
        assert now is not None
        if now.is_over:
            break
        if page.locator("[data-key=captain-plots]").count() and "british" in now.step.waiting_for:
            page.locator("[data-key=captain-plots]").click()
            page.get_by_role("button", name="Commit the plots").click()
        elif now.rulebook.all_wanted(now.state):
            page.goto("/battle/dice")
            page.locator("[data-act='POST /api/battle/roll']").first.click()
        else:
            press(page)
        page.wait_for_timeout(300)
        page.goto("/battle")
    expect(page.get_by_role("heading", name="The battle is over")).to_be_visible()


def press(page: Page) -> None:
    """The button that goes on, with its question where it has one."""
    for name in ("Confirm the move", "Commit", "Damage marked", "marked"):
        button = page.get_by_role("button", name=re.compile(name)).first
        if button.count() and button.is_visible() and button.is_enabled():
            button.click()
            page.wait_for_timeout(200)
            sure = page.locator("#ask[open] button[value=yes]")
            if sure.count():
                sure.click()
            return
