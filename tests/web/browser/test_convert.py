"""Conversions in a real chromium: a ship is chosen, her marks typed, a side handed back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.web.battles import Fought
from tests.web.browser.looks import (
    Looks,
    axe_faults,
    every_look,
    in_themes,
    too_wide_px,
)
from tests.web.browser.served import served
from web import create_app
from web.http.context import ServerContext

pytestmark = pytest.mark.browser

PATHS = (
    "/convert",
    "/convert?ship=Bismarck&bow_hits:Bismarck=3&ship=Hood&midships_hits:Hood=9",
    "/convert?to=basic",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    fought = Fought(tmp_path_factory.mktemp("convert") / "t.db", seed=3).segments(4)
    with served(create_app(server_context=ServerContext(fought.session))) as address:
        yield address
    fought.session.close()


@every_look
@pytest.mark.parametrize("path", PATHS)
def test_everything_fits_and_everybody_can_read_it(page: Page, path: str, looks: Looks) -> None:
    page.goto(path)
    for look in in_themes(page, looks):
        assert too_wide_px(page) == 0, look
        assert axe_faults(page, all_of_them=True) == [], look


def test_marks_are_typed_and_the_sheet_follows(page: Page) -> None:
    page.goto("/convert")
    page.get_by_label("Add a ship").select_option("Bismarck")
    bismarck = page.get_by_role("region", name="Bismarck")
    bismarck.get_by_label("Midships hits").fill("3")
    line = bismarck.get_by_role("row", name="Midships")
    expect(line).to_contain_text("4 hull boxes")
    expect(line).to_contain_text("72.3")
    # What is typed stays while the answer is drawn.
    expect(bismarck.get_by_label("Midships hits")).to_have_value("3")
    bismarck.get_by_label("Midships hits").fill("11")
    expect(bismarck.get_by_role("alert")).to_be_visible()
    bismarck.get_by_role("button", name="Bismarck").click()
    expect(bismarck).to_have_count(0)


def test_a_whole_side_is_added_and_a_battle_begun(page: Page) -> None:
    page.goto("/convert?ship=Bismarck&bow_hits:Bismarck=1")
    begin = page.get_by_role("link", name="Start a battle with these ships")
    expect(begin).to_have_count(0)
    page.get_by_role("button", name="All British ships").click()
    expect(page.get_by_role("region", name="Rodney")).to_be_visible()
    expect(page.get_by_label("Bow turret hits").first).to_have_value("1")
    begin.click()
    page.wait_for_url("**/battles/new?*")
    expect(page.get_by_text("Rodney").first).to_be_visible()


def test_a_sister_is_added_and_named_by_keyboard(page: Page) -> None:
    page.goto("/convert?ship=Hood&bow_hits:Hood=1")
    page.get_by_label("Add a ship").select_option("Hood")
    second = page.get_by_role("region", name="Hood 2")
    second.get_by_label("Midships hits").fill("2")
    second.get_by_label("Her name").fill("Anson")
    page.keyboard.press("Tab")
    anson = page.get_by_role("region", name="Anson")
    expect(anson.get_by_label("Midships hits")).to_have_value("2")
    expect(anson.get_by_label("Midships hits")).to_be_focused()
    hood = page.get_by_role("region", name="Hood", exact=True)
    expect(hood.get_by_label("Bow turret hits")).to_have_value("1")
    hood.get_by_role("button", name="Hood").click()
    expect(hood).to_have_count(0)
    expect(anson.get_by_label("Midships hits")).to_have_value("2")


@pytest.mark.refused
@every_look
def test_a_file_is_shown_and_a_bad_one_loses_nothing(page: Page, looks: Looks) -> None:
    page.goto("/convert?ship=Rodney&midships_hits:Rodney=2")
    page.get_by_text("From a file").click()

    def send(midships_hits: int) -> None:
        content = f'[[ship]]\nname = "Bismarck"\nmarks = {{ midships_hits = {midships_hits} }}'
        file = FilePayload(name="m.toml", mimeType="application/toml", buffer=content.encode())
        page.get_by_label("A file of dreyer convert").set_input_files(file)
        page.get_by_role("button", name="Load its ships").click()

    send(11)
    expect(page.locator("[data-key=file] [data-fault]")).to_contain_text("midships_hits")
    rodney = page.get_by_role("region", name="Rodney")
    expect(rodney.get_by_label("Midships hits")).to_have_value("2")
    for look in in_themes(page, looks):
        assert too_wide_px(page) == 0, look
        assert axe_faults(page, all_of_them=True) == [], look
    send(3)
    bismarck = page.get_by_role("region", name="Bismarck")
    expect(bismarck.get_by_role("row", name="Midships")).to_contain_text("4 hull boxes")
    expect(rodney.get_by_label("Midships hits")).to_have_value("2")
