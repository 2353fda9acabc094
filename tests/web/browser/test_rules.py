"""Optional rules ticked at the set-up, and the rules in force copied as text, by the buttons."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.people import People

pytestmark = pytest.mark.browser


def test_a_scenario_begun_with_an_option_shows_it_on_the_card(people: People) -> None:
    host = people.host()
    host.goto("/battles")
    scenario = host.locator("#denmark-strait")
    scenario.locator("details.options > summary").click()
    scenario.get_by_role("checkbox", name="Ammunition by turret").check()
    scenario.get_by_role("button", name="Start", exact=True).click()
    host.get_by_role("link", name="Rules in force").first.click()
    expect(host.get_by_role("heading", name="Optional rules")).to_be_visible()
    text = host.get_by_role("textbox", name="As text")
    expect(text).to_have_value(re.compile(r"◆ Ammunition by turret: on \(65\.6\)"))


def test_the_card_is_copied_where_there_is_no_clipboard(people: People) -> None:
    host = people.host()
    host.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    host.goto("/rules")
    host.get_by_role("button", name="Copy as text").click()
    expect(host.locator("#toasts")).not_to_be_empty()
    expect(host.get_by_role("textbox", name="As text")).to_be_focused()
    assert host.evaluate("String(getSelection())") or host.evaluate(
        "document.activeElement.selectionEnd > document.activeElement.selectionStart"
    )
