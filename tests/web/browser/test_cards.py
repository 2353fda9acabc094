"""Ship cards in a real chromium: typed, checked while typing, saved, copied, pasted, undone."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.looks import (
    Looks,
    Screens,
    axe_faults,
    every_look,
    every_screen,
    hosts_screens,
    in_themes,
    too_small,
    too_wide_px,
)
from tests.web.browser.served import served
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

pytestmark = pytest.mark.browser

RULESET = "grand-fleets"
WHICH = f"?ruleset={RULESET}"
CONTROLS = "main :is(button, select, summary, .input, .tick, a, textarea)"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("data")
    server_context = ServerContext(table_in_memory(demo_scene), data_folder=folder)
    with served(create_app(server_context=server_context)) as address:
        yield address


@pytest.fixture(scope="module")
def screens(browser: Browser, address: str) -> Iterator[Screens]:
    with hosts_screens(browser, address) as screens:
        yield screens


@pytest.fixture(params=every_screen)
def page(request: pytest.FixtureRequest, screens: Screens, address: str) -> Iterator[Page]:
    with screens[request.param].page() as page:
        yield page
        # Each test begins with the cards that come with the rules.
        written = tomllib.loads(page.request.get(f"/cards.toml{WHICH}").text())
        for name in (card["name"] for card in written.get("ship", [])):
            page.request.delete(f"/api/cards/{name}{WHICH}", headers={"Origin": address})


@every_look
@pytest.mark.parametrize("path", ["/cards", "/cards/Iron%20Duke"])
def test_nothing_is_too_small_or_too_wide(screens: Screens, path: str, looks: Looks) -> None:
    with screens["phone"].page() as page:
        page.goto(f"{path}{WHICH}")
        if page.locator(".toml > summary").count():
            page.locator(".toml > summary").click()
        for _ in in_themes(page, looks):
            assert too_wide_px(page) == 0
            assert too_small(page, CONTROLS, width=False) == []
            assert axe_faults(page) == []


def test_a_card_is_checked_while_it_is_typed_and_then_saved(page: Page) -> None:
    page.goto(f"/cards/Iron%20Duke{WHICH}")
    save, state = page.get_by_role("button", name="Save the card"), page.locator(".card-foot")
    expect(save).to_be_disabled()
    hull = page.get_by_label("Hull boxes, three sets")
    hull.fill("7 6")
    expect(state).to_contain_text("Hull boxes, three sets: expected a list of 3")
    expect(hull).to_have_class("input wrong")
    hull.press("End")
    page.keyboard.type(" 5")
    expect(state).to_contain_text("Everything is readable")
    expect(page.locator(".box-rows div").first.locator(".boxes i")).to_have_count(18)
    expect(hull).to_be_focused()
    expect(hull).to_have_value("7 6 5")
    save.click()
    expect(state).to_contain_text("Saved")
    page.goto(f"/cards{WHICH}")
    expect(page.locator("#group-own + ul")).to_contain_text("Iron Duke")
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(page.locator("[aria-labelledby=group-own]")).to_contain_text("None yet")


def test_a_new_ship_with_batteries_of_her_own(page: Page) -> None:
    page.goto(f"/cards{WHICH}")
    page.get_by_label("Name of the ship").fill("Her Sister")
    page.get_by_label("Start from").select_option("Sample cruiser")
    page.get_by_role("button", name="Create the card").click()
    expect(page).to_have_url(re.compile("/cards/Her%20Sister"))
    page.get_by_role("button", name="Add: Battery").click()
    expect(page.locator(".card-foot")).to_contain_text("Still missing: Battery 2")
    for key, value in (
        ("name", '4"'), ("calibre", "4"), ("forward", "-2"), ("aft", "-"), ("range", "2 4 8"),
        ("penetration", "0"), ("dice", "4 3 2"),
    ):  # fmt: skip
        page.locator(f"#guns-2-{key}").fill(value)
    expect(page.locator(".card-foot")).to_contain_text("Everything is readable")
    page.get_by_role("button", name="Remove Battery 1").click()
    expect(page.locator("#guns-2-name")).to_have_count(0)
    expect(page.locator("#guns-1-name")).to_have_value('4"')
    page.get_by_role("button", name="Save the card").click()
    expect(page.locator(".card-foot")).to_contain_text("Saved")
    page.goto(f"/calculator{WHICH}&firer=Her+Sister&battery=guns+1")
    expect(page.locator("#calc-firer")).to_have_value("Her Sister")


def test_a_card_as_text(page: Page) -> None:
    page.goto(f"/cards/Sample%20cruiser{WHICH}")
    page.locator(".toml > summary").click()
    text = page.get_by_label("The card as text")
    written = text.input_value()
    wrong = re.sub(r"hull = \[.*?\]", "hull = [4, 4, 400]", written, flags=re.DOTALL)
    text.fill(wrong.replace("Sample cruiser", "From Text"))
    page.get_by_role("button", name="Save this text").click()
    fault = page.locator(".toml [data-fault]")
    expect(fault).to_contain_text("hull: expected a list of 3 whole numbers")
    text.fill(written.replace("Sample cruiser", "From Text"))
    page.get_by_role("button", name="Save this text").click()
    expect(page).to_have_url(re.compile("/cards/From%20Text"))
    page.get_by_role("button", name="Remove this card").click()
    page.locator("#ask [value=yes]").click()
    expect(page).to_have_url(re.compile(r"/cards\?"))
    expect(page.locator("[aria-labelledby=group-own]")).to_contain_text("None yet")
