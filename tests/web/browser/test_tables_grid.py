"""The owner's tables in a real chromium: typed, walked, pasted, undone, on a phone and a laptop."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.browser.looks import (
    Screens,
    axe_faults,
    every_screen,
    hosts_screens,
    too_small,
    too_wide_px,
)
from tests.web.browser.served import served
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("data")
    server_context = ServerContext(table_in_memory(demo_scene), data_folder=folder)
    with served(create_app(server_context=server_context)) as address:
        yield address


@pytest.fixture(scope="module")
def screens(browser: Browser, address: str) -> Iterator[Screens]:
    permissions = ["clipboard-read", "clipboard-write"]
    with hosts_screens(browser, address, permissions=permissions) as screens:
        yield screens


@pytest.fixture(params=every_screen)
def page(request: pytest.FixtureRequest, screens: Screens, address: str) -> Iterator[Page]:
    with screens[request.param].page() as page:
        yield page
        # Each test begins with the book's own tables.
        for name in ("penetration", "rudder"):
            page.request.post(f"/api/tables/{name}/reset", data={}, headers={"Origin": address})


def sound(page: Page) -> None:
    """Nothing runs out of the screen, nothing is too small for a finger, axe has no complaint."""
    page.wait_for_load_state("load")
    assert too_wide_px(page) == 0
    assert too_small(page, "main :is(a, button, summary, select, input)") == []
    assert axe_faults(page) == []


def cell(page: Page, row: str, column: str) -> Locator:
    return page.locator(f'[name="{row}|{column}"]')


def source(page: Page, row: str, column: str) -> Locator:
    return page.locator("td", has=cell(page, row, column))


def test_the_list_and_the_cards_are_sound(page: Page) -> None:
    page.goto("/tables")
    expect(page.get_by_role("heading", name="Include reconstructed values")).to_be_visible()
    sound(page)
    page.locator("a[data-key=penetration]").click()
    expect(cell(page, "G", "short")).to_have_value("18")
    sound(page)


def test_values_are_typed_and_the_focus_walks_on(page: Page) -> None:
    page.goto("/tables/penetration")
    cell(page, "G", "short").click()
    expect(page.locator("#slip")).to_contain_text("Row G, column short")
    expect(page.locator("#slip")).to_contain_text("reconstructed")
    page.keyboard.type("19")
    page.keyboard.press("Enter")
    expect(cell(page, "F", "short")).to_be_focused()
    page.keyboard.type("17")
    page.keyboard.press("Tab")
    expect(cell(page, "F", "medium_low")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cell(page, "F", "medium_high")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(cell(page, "G", "medium_high")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cell(page, "G", "medium_low")).to_be_focused()
    page.keyboard.press("Shift+Enter")
    for row, value in (("G", "19"), ("F", "17")):
        expect(source(page, row, "short")).to_have_attribute("data-provenance", "owner")
        expect(cell(page, row, "short")).to_have_value(value)
    expect(page.locator(".card-head .counts")).to_contain_text("owner’s copy: 2")
    page.get_by_role("button", name="Undo: 1 value in Penetration Table").click()
    expect(cell(page, "F", "short")).to_have_value("16")
    expect(source(page, "F", "short")).to_have_attribute("data-provenance", "printed")
    expect(page.locator(".card-head .counts")).to_contain_text("owner’s copy: 1")
    page.reload()
    expect(cell(page, "G", "short")).to_have_value("19")
    cell(page, "G", "short").click()
    page.get_by_role("button", name="Book’s value").click()
    expect(cell(page, "G", "short")).to_have_value("18")


def test_a_wrong_value_stays_to_be_put_right(page: Page) -> None:
    page.goto("/tables/penetration")
    cell(page, "G", "medium_low").click()
    page.keyboard.type("plenty")
    page.keyboard.press("Enter")
    fault = page.get_by_role("alert").filter(has_text="row G, column medium low: expected")
    expect(fault).to_be_visible()
    expect(cell(page, "G", "medium_low")).to_be_focused()
    expect(cell(page, "G", "medium_low")).to_have_value("plenty")
    expect(cell(page, "G", "medium_low")).to_have_attribute("aria-invalid", "true")
    sound(page)
    page.keyboard.press("Escape")
    expect(cell(page, "G", "medium_low")).to_have_value("16")
    expect(fault).to_be_hidden()


def test_a_value_can_be_confirmed(page: Page) -> None:
    page.goto("/tables/rudder")
    cell(page, "2", "result").click()
    page.get_by_role("button", name="My copy says the same").click()
    expect(source(page, "2", "result")).to_have_attribute("data-provenance", "owner")
    expect(page.get_by_role("button", name="Book’s value")).to_be_visible()


def test_a_block_is_pasted_after_a_look_at_it(page: Page) -> None:
    page.goto("/tables/penetration")
    cell(page, "D", "short").click()
    page.evaluate("navigator.clipboard.writeText('13\\t11\\n9\\t9\\n')")
    page.keyboard.press("Control+v")
    box = page.locator("dialog#paste[open]")
    expect(box).to_contain_text("4 values change")
    expect(box.get_by_label("Row")).to_have_value("D")
    assert axe_faults(page) == []
    box.get_by_role("button", name="Enter 4 values").click()
    expect(box).to_have_count(0)
    expect(cell(page, "C", "medium_low")).to_have_value("9")
    page.get_by_role("button", name="Undo: 4 values in Penetration Table").click()
    expect(cell(page, "C", "medium_low")).to_have_value("8")
    page.get_by_role("button", name="Paste a block").click()
    box.get_by_label("The block").fill("1\t2\nx\t4")
    expect(box).to_contain_text("Nothing is entered until this is fixed")
    expect(box.get_by_role("button", name="Enter")).to_have_count(0)


def test_the_largest_table_scrolls_in_its_own_box(page: Page) -> None:
    page.goto("/tables/hit_table")
    sound(page)
    last = cell(page, "85", "28")
    last.scroll_into_view_if_needed()
    last.click()
    expect(page.locator("#slip")).to_contain_text("Row 85, column 28")
    head = page.locator("#grid thead th").last.bounding_box()
    side = page.locator("#grid tbody th").nth(40).bounding_box()
    box = page.locator("#box").bounding_box()
    assert head is not None
    assert side is not None
    assert box is not None
    assert abs(head["y"] - box["y"]) < 3, "the names of the columns stay"
    assert abs(side["x"] - box["x"]) < 3, "the names of the rows stay"
    assert page.evaluate("scrollY") == 0


def test_a_finger_looks_first_and_types_then(browser: Browser, address: str) -> None:
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/")
    page.goto("/tables/penetration")
    field = cell(page, "G", "short")
    field.tap()
    expect(page.locator("#slip")).to_contain_text("Row G, column short")
    assert field.evaluate("(input) => input.readOnly")
    field.tap()
    assert not field.evaluate("(input) => input.readOnly")
    context.close()


def test_both_sides_see_the_new_checksum(browser: Browser, address: str, page: Page) -> None:
    page.goto("/tables/penetration")
    code = page.request.get("/api/view").json()["join"]["code"]
    context = browser.new_context(base_url=address, viewport={"width": 390, "height": 844})
    other = context.new_page()
    other.goto(f"/join?code={code}")
    joined = other.request.post(
        "/api/join",
        data={"code": code, "name": f"Bob{page.viewport_size}"[:12], "role": "player",
              "side": "german", "pin": "1234"},
        headers={"Origin": address},
    )  # fmt: skip
    assert joined.ok, joined.text()
    other.goto("/tables/penetration")
    before = other.locator(".sum .checksum").inner_text()
    cell(page, "G", "long_low").click()
    page.keyboard.type("13")
    page.keyboard.press("Enter")
    expect(other.locator('[name="G|long_low"]')).to_have_text("13")
    expect(other.locator(".sum .checksum")).not_to_have_text(before)
    expect(page.locator(".sum .checksum")).to_have_text(
        other.locator(".sum .checksum").inner_text()
    )
    assert other.locator("#grid input").count() == 0
    context.close()


def test_values_move_as_one_file(page: Page, tmp_path: Path) -> None:
    page.goto("/tables/rudder")
    cell(page, "1", "result").click()
    page.get_by_role("button", name="My copy says the same").click()
    expect(source(page, "1", "result")).to_have_attribute("data-provenance", "owner")
    page.goto("/tables")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    path = tmp_path / "tables.toml"
    download.value.save_as(path)
    bad = tmp_path / "bad.toml"
    bad.write_bytes(path.read_bytes()[:-8])
    page.get_by_label("A file with values").set_input_files(bad)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert").filter(has_text="The file")).to_be_visible()
    page.get_by_label("A file with values").set_input_files(path)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".toast")).to_contain_text("Imported")
