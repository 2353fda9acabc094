"""The page in a real chromium: it fits, it answers taps, and everybody can use it."""

import re
import shutil
import threading
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect, sync_playwright
from waitress.server import create_server  # type: ignore[import-untyped]

from web import create_app

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, LAPTOP = (390, 844), (1280, 800)
PAGES = ("/", "/?firer=Hood", "/?firer=Prince+of+Wales&target=Bismarck", "/?firer=Hod")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = create_server(create_app(), host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    # The loop ends once its map of sockets is empty; the trigger wakes it to notice.
    server.trigger.pull_trigger(server.close)
    thread.join(timeout=10)
    server.task_dispatcher.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(
    params=[(PHONE, "dark"), (PHONE, "light"), (LAPTOP, "dark"), (LAPTOP, "light")],
    ids=lambda value: f"{value[0][0]}-{value[1]}",
)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    (width, height), scheme = request.param
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        has_touch=width < 500,
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    yield page
    context.close()
    # A request that is meant to fail is reported too; anything else is a fault of the page.
    assert [text for text in complaints if "404" not in text] == []


def test_nothing_overflows_and_nothing_is_cut(page: Page) -> None:
    for path in PAGES:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        small = page.evaluate(
            """() => [...document.querySelectorAll(
                    '.btn, .icon-btn, select, li > a, td a, .foot a, .hit')]
                .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
                .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
                .map(([text]) => text)"""
        )
        assert small == [], path


def test_a_ship_then_a_target_gives_the_range(page: Page) -> None:
    page.goto("/")
    for ship in ("Hood", "Bismarck"):
        page.locator(f'[data-ship="{ship}"] .core:visible').click()
    expect(page).to_have_url(re.compile(r"\?firer=Hood&target=Bismarck$"))
    expect(page.locator("#range")).to_have_text("17,947")
    expect(page.locator("#segment")).to_have_text("Long low")
    expect(page.locator("#quadrant")).to_have_text("Bow")
    expect(page.locator("#aspect")).to_have_text("Port")
    expect(page.locator("#sight")).to_have_text("Clear")


def test_a_tap_beside_a_ship_counts_too(page: Page) -> None:
    page.goto("/")
    box = page.locator('[data-hit="Bismarck"]:visible').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"\?firer=Bismarck$"))


def test_the_matrix_fits_without_scrolling_sideways(page: Page) -> None:
    page.goto("/")
    assert page.evaluate("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.scroll'))")
    assert page.locator("td a:visible").count() == 12
    phone = (page.viewport_size or {"width": 0})["width"] < 900
    assert page.locator("td a .ship:visible").count() == (12 if phone else 0)


def test_the_form_does_the_same_without_the_chart(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Who looks").select_option("Prince of Wales")
    page.get_by_label("At whom").select_option("Bismarck")
    page.get_by_role("button", name="Measure").click()
    expect(page.locator("#range")).to_have_text("19,720")
    expect(page.locator("#sight")).to_have_text("Blocked")


def test_only_the_fitting_chart_is_shown(page: Page) -> None:
    page.goto("/")
    assert page.locator(".map svg:visible").count() == 1
    box = page.locator(".map svg:visible").bounding_box()
    assert box is not None
    viewport = page.viewport_size
    assert viewport is not None
    assert box["y"] + box["height"] <= viewport["height"]


def test_the_theme_follows_the_screen_until_it_is_chosen(page: Page) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.goto("/")
    before = paper()
    with page.expect_navigation():
        page.locator(".themes a:visible").click()
    after = paper()
    assert before != after
    page.goto("/?firer=Hood")
    assert paper() == after


def test_everybody_can_use_it(page: Page) -> None:
    for path in PAGES[::2]:
        page.goto(path)
        found = Axe().run(page)
        serious = [
            (violation["id"], [node["html"][:200] for node in violation["nodes"]][:3])
            for violation in found.response["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert serious == [], path
