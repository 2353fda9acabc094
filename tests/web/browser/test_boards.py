"""Boards of fights in a real chromium: tapped, walked by keyboard, and readable on every screen."""

import re
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.web.browser.looks import (
    FINGER_PX,
    Looks,
    axe_faults,
    every_look,
    in_themes,
    too_wide_px,
)
from tests.web.free.fights import ARCTIC, CHASE, fight_in

pytestmark = [pytest.mark.browser, pytest.mark.refused]


def _ship(name: str, side: str) -> dict[str, str]:
    return {"name": name, "type": name, "side": side}


@pytest.fixture
def chase(table: Flask) -> Any:
    fight = fight_in(table, CHASE)
    ships = [_ship("Bismarck", "german"), _ship("Hood", "british"), _ship("Norfolk", "british")]
    fight.must("start", visibility=4, attackers="german", ships=ships)
    yield fight
    fight.end()


BATTLE_BOARD = "bismarck-battle-board"


@pytest.fixture
def arctic(table: Flask) -> Any:
    fight = fight_in(table, ARCTIC)
    for ship in ("Scheer", "Z28", "Norfolk"):
        fight.must("deploy", ship, dice="6" if ship != "Z28" else "")
    yield fight
    fight.end()


@pytest.fixture
def hexes(table: Flask) -> Any:
    fight = fight_in(table, BATTLE_BOARD)
    fight.must("place", "Bismarck", role="defender")
    fight.must("place", "Hood", edge=4, hex=2)
    yield fight
    fight.end()


def _zone(page: Page, number: int) -> Any:
    return page.get_by_role("link", name=re.compile(f"^Movement zone {number},"))


def _small_cells(page: Page) -> list[str]:
    """The cells that a finger does not hit."""
    boxes = {
        cell.get_attribute("data-key"): cell.bounding_box() for cell in page.locator(".cell").all()
    }
    return [
        str(key) for key, box in boxes.items()
        if box is None or min(box["width"], box["height"]) < FINGER_PX
    ]  # fmt: skip


@every_look
def test_a_ship_is_tapped_and_then_her_zone(page: Page, chase: Any, looks: Looks) -> None:
    page.goto(f"/fight?ruleset={CHASE}")
    _zone(page, 24).click()
    page.locator('[data-key="ship-Hood"]').first.click()
    expect(page.locator(".cell.reached")).to_have_count(7)
    _zone(page, 22).click()
    move = page.locator('[data-key="move-1"]')
    expect(move).to_be_visible()
    for _ in in_themes(page, looks):
        assert too_wide_px(page) == 0
        assert _small_cells(page) == []
        assert axe_faults(page) == []
    move.click()
    expect(page.locator(".cell.reached")).to_have_count(0)
    expect(_zone(page, 22)).to_have_accessible_name(re.compile("Hood"))
    assert chase.state("Hood")["zone"] == 6
    # A zone out of reach says why.
    _zone(page, 4).click()
    _zone(page, 20).click()
    expect(page.locator(".board-moves .stop")).to_contain_text("10, Movement Table")
    expect(page.locator('[data-key="move-1"]')).to_have_count(0)


def test_the_board_works_by_keyboard(page: Page, chase: Any) -> None:
    page.goto(f"/fight?ruleset={CHASE}")
    _zone(page, 4).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cell.reached").first).to_be_visible()
    _zone(page, 6).focus()
    page.keyboard.press("Enter")
    page.locator('[data-key="move-1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cell.reached")).to_have_count(0)
    expect(_zone(page, 6)).to_have_accessible_name(re.compile("Bismarck"))
    assert chase.state("Bismarck")["zone"] == 6


@every_look
def test_a_combat_of_arctic_disaster_on_its_display(page: Page, arctic: Any, looks: Looks) -> None:
    page.goto(f"/fight?ruleset={ARCTIC}")
    page.locator('[data-key="ship-Z28"]').click()
    expect(page.locator(".cell.reached")).to_have_count(11)
    page.locator('[data-key="cell-6"]').click()
    smoke = page.locator('[data-key="move-1"]')
    expect(smoke).to_have_text(re.compile("smoke"))
    for _ in in_themes(page, looks):
        assert too_wide_px(page) == 0
        assert _small_cells(page) == []
        assert axe_faults(page) == []
    smoke.click()
    expect(page.locator('[data-key="ship-Z28"]').last).to_contain_text("laid smoke")
    assert arctic.state("Z28")["smoke_area"] == 6
    # An enemy's area leads to the calculator, which asks for nothing that the display knows.
    page.locator('[data-key="ship-Scheer"]').last.click()
    page.locator('[data-key="cell-19"]').click()
    # Her target is chosen there first (11.4.4).
    page.locator('[data-key="move-1"]').click()
    expect(page.locator('[data-key="ship-Scheer"]').last).to_contain_text("fires at Norfolk")
    page.locator('[data-key="ship-Scheer"]').last.click()
    page.locator('[data-key="cell-19"]').click()
    page.get_by_role("link", name="Scheer at Norfolk").click()
    page.wait_for_url("**/calculator?**", wait_until="load")
    expect(page.locator('[name="conditions.range_areas"]')).to_have_count(0)
    expect(page.locator("main")).to_contain_text("Range 13 areas")


@every_look
def test_a_ship_is_moved_on_the_hexes(page: Page, hexes: Any, looks: Looks) -> None:
    page.goto(f"/fight?ruleset={BATTLE_BOARD}")
    page.locator('[data-key="ship-Hood"]').first.click()
    expect(page.locator(".cell.reached").first).to_be_visible()
    page.locator('[data-key="cell--2,4"]').click()
    expect(page.locator('[data-key="move-1"]')).to_be_visible()
    for _ in in_themes(page, looks):
        # The board scrolls in its frame, the page does not.
        assert too_wide_px(page) == 0
        assert _small_cells(page) == []
        assert axe_faults(page) == []
    page.locator('[data-key="move-1"]').click()
    expect(page.locator('[data-key="ship-Hood"]').first).to_contain_text("moved")
    state = hexes.state("Hood")
    assert (state["column"], state["row"]) == (-2, 4)


def test_ships_join_on_the_page_and_take_their_places(page: Page, table: Flask) -> None:
    page.goto(f"/fight?ruleset={CHASE}")
    for ship in ("Bismarck", "Hood"):
        page.locator('[data-key="add-ship"] summary').click()
        page.locator("#joins-type").select_option(ship)
        page.locator('[data-key="add-ship-go"]').click()
        expect(page.locator(".fight-card", has_text=ship)).to_have_count(1)
        page.reload()
    page.locator('[data-key="setup"]').click()
    page.wait_for_url("**/calculator?**", wait_until="load")
    with page.expect_response(re.compile("calculator/part")):
        page.locator('[name="conditions.attackers"]').select_option("german")
    page.locator('[data-key="mark"]').click()
    page.wait_for_url("**/fight?**")
    expect(page.locator(".board-ship", has_text="Bismarck")).to_contain_text("Movement zone 4")
    fight_in(table, CHASE).end()
