"""Free play in a real chromium: rolled, marked, taken back, and readable on every screen."""

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.web.browser.looks import (
    Looks,
    axe_faults,
    every_look,
    in_themes,
    too_small,
    too_wide_px,
)
from tests.web.free.fights import ARCTIC, fight_in

pytestmark = [pytest.mark.browser, pytest.mark.refused]

ADVANCED = "bismarck-advanced"
CONTROLS = "main button, main select, main summary, main a.btn, main input:not([type=hidden])"
NO_FINGER = ".for-ears, [type=checkbox], [type=radio], [type=range], [hidden], .big"
"""Their labels are what a finger hits."""
CALCULATOR = f"/calculator?ruleset={ARCTIC}"
FIGHT = f"/fight?ruleset={ARCTIC}"


def looks_right(page: Page, looks: Looks) -> None:
    for _ in in_themes(page, looks):
        assert too_wide_px(page) == 0
        assert too_small(page, CONTROLS, but=NO_FINGER, width=False) == []
        assert axe_faults(page) == []


@every_look
def test_two_sisters_fight_from_the_first_die_to_clean_sheets(page: Page, looks: Looks) -> None:
    page.goto(FIGHT)
    looks_right(page, looks)
    page.get_by_role("link", name="To the calculator").click()
    page.wait_for_load_state("load")
    for role, ship in (("firer", "German destroyer"), ("target", "Norfolk")):
        with page.expect_response(re.compile("calculator/part")):
            page.locator(f"#calc-{role}").select_option(ship)
        expect(page.locator(f".shipcard:has(#calc-{role}) .nm")).to_contain_text(ship)
    page.locator('[data-key="face-9"]').click()
    page.locator('[data-key="mark"]').click()
    expect(page.locator(".fight-card")).to_have_count(2)
    page.get_by_role("link", name="Next action").click()
    page.wait_for_url("**/calculator?**", wait_until="load")
    with page.expect_response(re.compile("calculator/part")):
        page.locator("#calc-firer").select_option("+German destroyer")
    expect(page.locator(".nm").first).to_contain_text("German destroyer 2")
    with page.expect_response(re.compile("calculator/part")):
        page.get_by_label("Range in areas").fill("4")
    expect(page.locator(".nm").first).to_contain_text("German destroyer 2")
    looks_right(page, looks)
    page.locator('[data-key="roll"]').click()
    expect(page.locator(".fight-card")).to_have_count(3)
    looks_right(page, looks)
    page.locator('[data-key="undo"]').click()
    expect(page.locator(".fight-card")).to_have_count(2)
    page.locator('[data-key="round"]').click()
    expect(page.locator(".fight-head")).to_contain_text("Round 2")
    page.locator('[data-key="end"]').click()
    page.get_by_role("dialog").get_by_role("button", name="Clean sheets").click()
    expect(page.locator(".empty")).to_contain_text("Nothing rolled yet")


@every_look
def test_a_sunk_ship_and_a_refused_action_can_be_read(
    page: Page, table: Flask, looks: Looks
) -> None:
    fight = fight_in(table)
    if fight.now():
        fight.end()
    fight.must("main", "Z28", "Norfolk", "9")
    fight.corrected("Z28", damage=2)
    page.goto(FIGHT)
    expect(page.locator(".fight-card").first).to_contain_text("Sunk")
    looks_right(page, looks)
    page.goto(f"{CALCULATOR}&firer=Z28&target=Norfolk&target.state.move_lost=1")
    expect(page.locator(".strip")).to_contain_text("Z28 is sunk")
    expect(page.locator("#calc-firer")).to_contain_text("Z28 · sunk")
    looks_right(page, looks)
    fight.end()


def typed(page: Page, figures: str) -> None:
    """Type dice key by key, and mark what came of them."""
    for face in figures:
        with page.expect_response(re.compile("calculator/part")):
            page.locator(f'[data-key="face-{face}"]').click()
    page.locator('[data-key="mark"]').click()
    page.wait_for_url("**/fight?**", wait_until="load")


@every_look
def test_guns_jam_torpedoes_run_and_the_last_action_is_taken_back(
    page: Page, table: Flask, looks: Looks
) -> None:
    fight = fight_in(table, ADVANCED)
    if fight.now():
        fight.end()
    page.goto(
        f"/calculator?ruleset={ADVANCED}&firer=Prince+of+Wales&target=Prinz+Eugen&battery=jams"
    )
    expect(page.locator(".wheel")).to_have_count(1)
    looks_right(page, looks)
    typed(page, "11")
    expect(page.locator(".fight-card")).to_contain_text("1 gun jammed")
    looks_right(page, looks)
    page.get_by_role("link", name="Next action").click()
    page.wait_for_url("**/calculator?**", wait_until="load")
    expect(page.locator(".guns-line")).to_contain_text("9 of 9")
    page.goto(
        f"/calculator?ruleset={ADVANCED}&firer=Prinz+Eugen&target=Prince+of+Wales"
        "&battery=torpedoes&range=4000"
    )
    expect(page.locator("#calc-segment")).to_have_text("One hex")
    looks_right(page, looks)
    typed(page, "6151")
    expect(page.locator(".fight-card").first).to_contain_text("10 / 12")
    looks_right(page, looks)
    page.locator('[data-key="undo"]').click()
    expect(page.locator(".fight-card")).to_have_count(1)
    page.locator('[data-key="round"]').click()
    expect(page.locator(".fight-head")).to_contain_text("Round 2")
    expect(page.locator(".fight-card")).to_contain_text("1 gun jammed")
    fight.end()
