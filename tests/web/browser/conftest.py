"""What the browser tests share: Debian's chromium, people around a table, and one phone."""

import shutil
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.browser.looks import PHONE, Screen
from tests.web.browser.people import People
from tests.web.browser.served import PATIENCE_MS, Server, served
from web import create_app

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        # A test that passes by not being run says nothing; `make test` leaves these out aloud.
        pytest.fail('there is no chromium: install it, or run pytest with -m "not browser"')
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


# People around a table of their own, which a module may prepare by a fixture `app`


@pytest.fixture
def app() -> Flask:
    return create_app()


@pytest.fixture
def people(browser: Browser, app: Flask) -> Iterator[People]:
    server = Server(app)
    people = People(browser, server, [], [])
    yield people
    for context in people.contexts:
        context.close()
    server.stop()
    assert people.complaints == []


# One phone of a module, at a table that it may prepare by a fixture `table` or `address`


@pytest.fixture(scope="module")
def table() -> Flask:
    return create_app()


@pytest.fixture(scope="module")
def address(table: Flask) -> Iterator[str]:
    with served(table) as address:
        yield address


@pytest.fixture(scope="module")
def screen(browser: Browser, address: str) -> Iterator[Screen]:
    screen = Screen(browser, base_url=address)
    yield screen
    screen.context.close()


@pytest.fixture
def page(screen: Screen, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The phone's page. Its console stays empty, but where a test's requests are refused."""
    refused = request.node.get_closest_marker("refused") is not None
    with screen.page(console=not refused) as page:
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.goto("/")
        yield page
