"""Texts that people enter, with markup in them, on every page in a real chromium: none becomes any.

The pages are loaded without their policy against foreign scripts, so that a script that stood in
one would run.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from tests.web.browser.served import Server
from tests.web.data_folders import play
from tests.web.phones import Phone, host_of, running_in, seated
from web import create_app

pytestmark = [pytest.mark.browser, pytest.mark.soak]

QUOTED = """'"><img src onerror=x=1>"""
"""As long as a player's name may be."""
CLOSED = "</script><b id=x>"
SHORT = "'\"><b id=x>"
"""As long as the name of a side may be."""
MARKED = "() => window.x !== undefined || document.querySelector('#x, [onerror]') !== null"
"""An element's id is a name of the window, too."""
PAGES = (
    *("/table", "/battle", "/tv"),
    *("/ships", "/log", "/check", "/battle/story", "/battle/plots", "/battle/dice", "/report"),
    *("/battle/models", "/battles", "/sheets", "/replay", "/calculator", "/convert", "/join"),
    *("/menu", "/asked", "/rules", "/photo", "/camera", "/cards", "/tables", "/glossary", "/help"),
    *("/battle/fire", "/round", "/fight"),
)
HOSTS = ("/host", "/sides", "/battles/new", "/battles/markers", "/setup", "/fair", "/doctor")
OF_SHIPS = ("/sheet/", "/battle/plot/", "/battle/fire/", "/battle/move/")


class Table:
    """A battle in which every text that can be entered has markup in it."""

    def __init__(self, app: Flask) -> None:
        self.host = host_of(app)
        self.ann, self.bob = seated(app, QUOTED), seated(app, CLOSED, side="german")
        self.umpire = seated(app, SHORT, role="umpire", side=None)
        self.done(self.host, "/api/sides", {"name": SHORT, "letter": "<"})
        self.done(self.host, "/api/sides/british", {"name": f"B{SHORT}"})
        fleets = {"british": (QUOTED, CLOSED), "german": (f"A{QUOTED}", f"B{CLOSED}")}
        ships = [
            {"name": name, "type": type_, "side": side, "place": {"x": x, "y": y, "heading": 0}}
            for side, x, types in (
                ("british", 20_000, ("Hood", "Norfolk")),
                ("german", 17_000, ("Bismarck", "Prinz Eugen")),
            )
            for name, type_, y in zip(fleets[side], types, (4_000, 2_000), strict=True)
        ]
        body = {"title": f"{QUOTED}{SHORT}", "said": QUOTED, "ships": ships}
        self.done(self.host, "/api/battles", body)
        self.done(self.ann, "/api/ships", {"name": f"C{QUOTED}", "type": "Hood"})
        figures = {"firer": QUOTED, "target": f"A{QUOTED}", "range_yards": 3_000}
        self.done(self.ann, "/api/rule", {**figures, "reason": f"{QUOTED} {CLOSED}"})
        for phone, side in ((self.ann, "british"), (self.bob, "german")):
            for ship in fleets[side]:
                play(phone, "plot", ship=ship, speed=8, notation="4")
            play(phone, "commit")
        play(self.umpire, "move")
        aim = [{"target": f"A{QUOTED}"}]
        play(self.ann, "designate", ship=QUOTED, orders=aim)
        while self.umpire.view()["battle"]["step"]["kind"] in ("designate", "reduce"):
            play(self.ann, "commit")
            play(self.bob, "commit")
        self.done(self.umpire, "/api/battle/roll", {"what": "rest"})
        begun = running_in(app).session.moment.battle
        assert begun is not None
        asked = {"after": begun.record.begun, "words": f"{QUOTED} {CLOSED}"}
        self.done(self.ann, "/api/battle/undo/ask", asked)

    @staticmethod
    def done(phone: Phone, path: str, body: object) -> None:
        answer = phone.post(path, body)
        assert answer.status_code == 200, (path, answer.text)


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app()


@pytest.fixture(scope="module")
def table(app: Flask) -> Table:
    return Table(app)


@pytest.fixture(scope="module")
def pages(browser: Browser, app: Flask, table: Table) -> Iterator[dict[str, Page]]:
    """The pages of each seat."""
    server = Server(app)
    found = {}
    for name, phone in (("host", table.host), ("enemy", table.bob), ("umpire", table.umpire)):
        context = browser.new_context(base_url=server.address, bypass_csp=True)
        cookie = phone.client.get_cookie("dreyer", domain=phone.at.partition(":")[0])
        assert cookie is not None
        context.add_cookies([{"name": "dreyer", "value": cookie.value, "url": server.address}])
        found[name] = context.new_page()
    yield found
    for page in found.values():
        page.context.close()
    server.stop()


def look(page: Page, path: str) -> None:
    # A page that is open may lead somewhere else by itself.
    page.goto("about:blank")
    page.goto(path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(150)
    assert not page.evaluate(MARKED), path


def test_the_test_would_see_it(pages: dict[str, Page]) -> None:
    page = pages["enemy"]
    for text in (QUOTED, CLOSED, SHORT):
        page.goto("/help")
        page.evaluate("text => document.body.insertAdjacentHTML('beforeend', text)", text)
        page.wait_for_function(MARKED)
    page.goto("/help")


def test_no_text_becomes_markup_in_a_saved_report(pages: dict[str, Page], tmp_path: Path) -> None:
    page = pages["enemy"]
    # A saved report has no policy of the server's.
    saved = tmp_path / "report.html"
    saved.write_bytes(page.request.get("/report.html").body())
    look(page, saved.as_uri())


@pytest.mark.parametrize("seat", ["host", "enemy", "umpire"])
def test_no_text_becomes_markup_on_any_page(pages: dict[str, Page], seat: str) -> None:
    page = pages[seat]
    for path in (*PAGES, *(HOSTS if seat == "host" else ())):
        look(page, path)
    for link in OF_SHIPS:
        for ship in (QUOTED, CLOSED, f"A{QUOTED}", f"B{CLOSED}"):
            look(page, link + quote(ship, safe=""))
    look(page, f"/check?{urlencode({'firer': QUOTED, 'target': f'A{QUOTED}'})}")
