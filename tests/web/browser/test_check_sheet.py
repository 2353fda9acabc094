"""The check sheet and the calculator in a real chromium: decided, entered, proved, shared."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from combat.scene_file import read_scene
from tests.web.browser.looks import (
    LAPTOP,
    PHONE,
    SHORT,
    Screens,
    at_sizes,
    axe_faults,
    every_screen,
    hosts_screens,
    too_small,
    too_wide_px,
)
from tests.web.browser.served import served
from web import create_app

pytestmark = pytest.mark.browser

CLOSE = """
title = "Close"
[[ship]]
name = "Hood"
x = 24600
y = 4200
heading = 245
position_sigma_mm = 1.6
[[ship]]
name = "Bismarck"
x = 10493
y = 18307
heading = 200
position_sigma_mm = 1.6
[[ship]]
name = "Prinz Eugen"
x = 9000
y = 14800
heading = 200
position_sigma_mm = 1.6
"""
PAIR = "/table?firer=Hood&target=Bismarck"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    scene = read_scene(CLOSE.encode(), "close.toml")
    with served(create_app(lambda: scene)) as address:
        yield address


@pytest.fixture(scope="module")
def screens(browser: Browser, address: str) -> Iterator[Screens]:
    with hosts_screens(browser, address) as screens:
        yield screens


@pytest.fixture(params=every_screen)
def page(request: pytest.FixtureRequest, screens: Screens) -> Iterator[Page]:
    with screens[request.param].page() as page:
        yield page


def sound(page: Page, within: str) -> None:
    """Nothing runs out of the screen, nothing is too small for a finger, axe has no complaint."""
    size = page.viewport_size
    assert size is not None
    # A phone is looked at with its browser's bars too.
    for each in at_sizes(page, (SHORT, PHONE) if size["width"] == PHONE[0] else (LAPTOP,)):
        assert too_wide_px(page) == 0, each
        assert too_small(page, f"{within} :is(a, button, summary, select)") == [], each
    assert axe_faults(page, within) == []


def test_a_close_call_is_agreed_on_and_reopened(page: Page) -> None:
    page.goto(PAIR)
    sheet = page.locator("#check")
    expect(sheet.locator("#range")).to_have_text("19,950")
    expect(sheet).to_contain_text("Too close to call")
    sound(page, "#check")
    sheet.get_by_role("radio", name=re.compile("Long high")).check(force=True)
    sheet.get_by_role("button", name="Agree on Long high").click()
    expect(sheet).to_contain_text("Agreed: Long high")
    expect(sheet.locator("#segment")).to_contain_text("Long high")
    sound(page, "#check")
    sheet.get_by_role("button", name="Reopen").click()
    expect(sheet).to_contain_text("Too close to call")


def test_figures_are_entered_by_hand_with_a_reason(page: Page) -> None:
    page.goto(PAIR)
    sheet = page.locator("#check")
    sheet.get_by_text("Enter by hand").click()
    sheet.get_by_label("Range", exact=True).fill("18,400")
    sheet.get_by_label("Reason").fill("measured with a tape")
    sheet.get_by_role("button", name="Use these figures").click()
    expect(sheet.locator("#range")).to_have_text("18,400")
    expect(sheet).to_contain_text("By hand: measured with a tape")
    sheet.get_by_role("button", name="Back to measured").click()
    expect(sheet.locator("#range")).to_have_text("19,950")


def test_guns_are_changed_and_the_fold_stays_open(page: Page) -> None:
    page.goto(PAIR)
    sheet = page.locator("#check")
    sheet.locator("details.why > summary").click()
    expect(sheet.locator(".ledger").first).to_be_visible()
    sheet.get_by_role("button", name="Secondary, 14 guns").click()
    expect(sheet.get_by_role("button", name="Secondary, 14 guns")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(sheet.locator("details.why")).to_have_attribute("open", "")
    sound(page, "#check")


def test_the_proof_is_shown_and_can_be_saved(page: Page) -> None:
    page.goto(PAIR)
    page.locator("#check").get_by_role("button", name="Show me").click()
    box = page.locator("dialog#proof[open]")
    expect(box.locator("img")).to_be_visible(timeout=15_000)
    assert box.locator("img").evaluate("(image) => image.naturalWidth") >= 1000
    with page.expect_download() as download:
        box.get_by_role("link", name="Save").click()
    assert download.value.suggested_filename == "Hood to Bismarck.png"
    # Plain http may not hand files to other programs, so there is nothing to press.
    if not page.evaluate("Boolean(navigator.canShare)"):
        expect(box.get_by_role("button", name="Share")).to_be_hidden()
    box.get_by_role("button", name="Close").click()
    expect(page.locator("dialog#proof[open]")).to_have_count(0)


def test_swap_turns_the_pair_round_and_close_leaves_it(page: Page) -> None:
    page.goto(PAIR)
    expect(page.locator("#check")).to_have_attribute("data-firer", "Hood")
    page.locator("#check").get_by_label("Swap the two ships").click()
    expect(page.locator("#check")).to_have_attribute("data-firer", "Bismarck")
    page.locator("#check").get_by_label("Close the check").click()
    expect(page.locator("#check")).to_have_count(0)


def test_the_calculator_answers_every_change_and_keeps_it_in_the_address(page: Page) -> None:
    page.goto("/calculator?firer=Hood&target=Bismarck")
    strip = page.locator("#calculator .strip")
    sound(page, "#calculator")
    page.get_by_label("Range in yards").fill("9,500")
    expect(page.locator("#calc-segment")).to_have_text("Medium low")
    expect(page).to_have_url(re.compile("range=9500"))
    expect(page.locator('[data-band="medium_low"]')).to_have_class(re.compile(r"\bon\b"))
    before = strip.inner_text()
    bow = page.locator('[data-for="quadrant-bow"] text')
    bow.evaluate("(word) => word.scrollIntoView({ block: 'center' })")
    bow.click()
    expect(page).to_have_url(re.compile("quadrant=bow"))
    expect(strip).not_to_have_text(before)
    expect(page.locator("#answer .turrets .dark")).to_have_count(2)
    page.get_by_label("100 yards more").click()
    expect(page.get_by_label("Range in yards")).to_have_value("9,600")
    page.get_by_label("Target", exact=True).select_option("Scharnhorst")
    expect(page.locator("#calculator .shipcard .ship").last).to_have_text("Scharnhorst")
    page.reload()
    expect(page.get_by_label("Range in yards")).to_have_value("9,600")
    expect(page.locator("#quadrant-bow")).to_be_checked()


def test_the_calculator_copies_from_the_table_and_swaps(page: Page) -> None:
    page.goto("/calculator?firer=Hood&target=Bismarck")
    page.get_by_text("Copy from the table").click()
    expect(page.get_by_label("Range in yards")).to_have_value("19,950")
    expect(page.locator("#aspect-port")).to_be_checked()
    page.get_by_label("Swap the two ships").click()
    expect(page.locator("#calculator .shipcard .ship").first).to_have_text("Bismarck")
    expect(page.locator("#quadrant-port")).to_be_checked()


def test_conditions_count(page: Page) -> None:
    page.goto("/calculator?firer=Hood&target=Bismarck&range=18000")
    strip = page.locator("#calculator .strip")
    expect(strip).to_contain_text("+11")
    page.locator("details.conditions > summary").click()
    page.get_by_label("Night").check()
    expect(strip).to_contain_text("+17")
    expect(page.locator("details.conditions > summary")).to_contain_text("Night")
    expect(page).to_have_url(re.compile("conditions.night=true"))
    sound(page, "#calculator")


def test_a_sheet_that_is_drawn_anew_disturbs_nobody(page: Page) -> None:
    """Ships move and the sheet follows; what a finger or a keyboard is at stays where it is."""
    page.goto(PAIR)
    sheet = page.locator("#check")
    expect(sheet).to_contain_text("Too close to call")
    sheet.get_by_text("Enter by hand").click()
    sheet.get_by_label("Reason").fill("half ty")

    def move(x: float) -> None:
        page.evaluate(
            """async (x) => {
                const { act } = await import("/static/js/page/act.js");
                await act("POST", "/api/ships/Prinz Eugen/place", { x, y: 14800, heading: 200 });
            }""",
            x,
        )

    move(9_100)
    page.wait_for_timeout(900)
    expect(sheet.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("ped")
    expect(sheet.get_by_label("Reason")).to_have_value("half typed")
    swap = sheet.get_by_label("Swap the two ships")
    swap.scroll_into_view_if_needed()
    box = swap.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    move(9_200)
    page.wait_for_timeout(900)
    page.mouse.up()
    expect(page.locator("#check")).to_have_attribute("data-firer", "Bismarck")


def test_a_die_tapped_after_a_typed_field_is_kept(page: Page) -> None:
    page.goto("/calculator?ruleset=chase-of-the-bismarck&firer=Prinz+Eugen&target=Norfolk")
    with page.expect_response(re.compile("calculator/part")):
        page.get_by_label("Visibility level").fill("9")
    expect(page.locator(".strip")).to_contain_text("+2")
    # The tap leaves the field, which must not draw the page again without the die.
    page.locator('[data-key="face-7"]').click()
    expect(page.locator('.action-dice [name="figures"]')).to_have_value("7")
    page.wait_for_timeout(400)
    expect(page.locator('.action-dice [name="figures"]')).to_have_value("7")
