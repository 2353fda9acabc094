"""Record sheets and the report in a real chromium: live, within the screen, and whole offline."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.battles import Fought
from tests.web.browser.looks import (
    LAPTOP,
    PHONE,
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

SCREENS = (PHONE, LAPTOP)
PATHS = ("/sheets", "/sheet/Hood", "/sheet/Prinz Eugen", "/report")


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    fought = Fought(tmp_path_factory.mktemp("sheets") / "t.db", seed=3).segments(4)
    yield fought
    fought.session.close()


@pytest.fixture(scope="module")
def address(fought: Fought) -> Iterator[str]:
    with served(create_app(server_context=ServerContext(fought.session))) as address:
        yield address


@every_look
@pytest.mark.parametrize("path", PATHS)
def test_everything_fits_and_everybody_can_read_it(
    page: Page, tmp_path: Path, path: str, looks: Looks
) -> None:
    page.goto(path)
    expect(page.locator("main svg[role=img]").first).to_be_visible()
    for look in in_themes(page, looks):
        assert too_wide_px(page) == 0, look
        assert axe_faults(page, all_of_them=True) == [], look
        picture = tmp_path / "page.png"
        page.screenshot(path=picture, full_page=True)
        assert picture.stat().st_size > 10_000


def test_a_whole_ship_is_seen_at_once(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/sheet/Bismarck")
        box = page.locator(".plan").bounding_box()
        assert box is not None
        assert box["height"] >= 450
        assert box["y"] + box["height"] <= height


def test_damage_appears_while_one_looks(page: Page, fought: Fought) -> None:
    page.goto("/sheet/Prinz Eugen")
    wrongs = page.locator(".wrongs")
    expect(wrongs).not_to_contain_text("Director")
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    fought.do("correct", ship="Prinz Eugen", values={"director_destroyed": True}, reason="test")
    expect(wrongs).to_contain_text("Director")
    expect(page.get_by_role("img", name=re.compile("Director: destroyed"))).to_be_visible()
    fought.do("correct", ship="Prinz Eugen", values={"director_destroyed": False}, reason="test")
    expect(wrongs).not_to_contain_text("Director")


def test_a_fire_unfolds(page: Page) -> None:
    page.goto("/report")
    fire = page.locator("li.fire details").first
    # What happened in a segment before the last is folded, and so is each fire.
    expect(fire).to_be_hidden()
    page.locator(".events > summary").first.click()
    expect(fire.locator(".ledger")).to_be_hidden()
    fire.locator("summary").click()
    expect(fire.locator(".ledger")).to_contain_text("Gunnery factor")


def test_the_file_needs_nothing_but_itself(page: Page, browser: Browser, tmp_path: Path) -> None:
    page.goto("/report")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as one file").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 844})
    alone = context.new_page()
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    assert alone.locator("svg.map").count() == 4
    assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    assert asked == [file.as_uri()]
    assert axe_faults(alone, all_of_them=True) == []
    context.close()
