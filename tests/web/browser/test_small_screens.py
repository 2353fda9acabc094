"""Every page of a battle on the smallest phone and on a laptop at 200 per cent, in two languages.

A laptop of 1280 by 720 pixels that enlarges twice has half as many in each direction.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.web.battles import Fought
from tests.web.browser.looks import LAPTOP, at_sizes, too_wide_px
from tests.web.browser.people import People
from tests.web.browser.served import Server
from tests.web.browser.test_battle import JOIN
from tests.web.phones import rules_of
from web import create_app
from web.http.context import ServerContext

pytestmark = [pytest.mark.browser, pytest.mark.soak]

SMALL = ((360, 640), (640, 360))
OF_SHIPS = (
    *("/battle/plot/Hood", "/battle/fire/Hood", "/battle/move/Hood", "/battle/rate/Hood"),
    *("/sheet/Hood", "/cards/Hood", "/table?firer=Hood&target=Bismarck"),
)
OF_THE_HOST = ("/battles/new?scenario=tirpitz-sorties", "/battles/new/fleet", "/setup/camera")
COVERED = """() => {
  const pinned = (each) => {
    for (let at = each; at; at = at.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)) { return at; }
    }
    return null;
  };
  const covered = [];
  for (const each of document.querySelectorAll("a, button, summary")) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.matches(".skip")) { continue; }
    // In the middle of the screen, or a little higher where half the screen is taken.
    const over = [0, 100].map((higher) => {
      each.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      scrollBy({ top: higher, behavior: "instant" });
      const box = each.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const over = top && pinned(top);
      return over && !over.contains(each) && !each.contains(top) ? over : null;
    }).reduce((one, other) => one && other);
    if (over) {
      const what = each.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
      covered.push(`${each.className} "${what}" under ${over.tagName}.${over.className}`);
    }
  }
  scrollTo(0, 0);
  return covered;
}"""
WIDEST = """() => [...document.querySelectorAll("main *, dialog[open] *, header *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((each) => `${each.tagName}.${each.getAttribute("class")}`)"""


def to_the_plot(path: Path) -> Fought:
    return Fought(path, seed=3).segments(2)


def to_the_fire(path: Path) -> Fought:
    fought = to_the_plot(path)
    fought.move()
    return fought


def to_the_dice(path: Path) -> Fought:
    fought = to_the_fire(path)
    fought.fire(roll=False)
    fought.fire_as_designated()
    return fought


def pages(app: Flask, caller: Page) -> list[str]:
    """The addresses at which this caller is shown a whole page."""
    rules = [
        str(rule)
        for rule in rules_of(app)
        if "GET" in (rule.methods or ())
        and not rule.arguments
        # The way in makes a host of whoever comes from this machine.
        and str(rule) != "/"
        and not str(rule).startswith("/api")
    ]
    found: dict[str, None] = {}
    for path in (*sorted(rules), *OF_SHIPS, *OF_THE_HOST):
        if path == "/camera/live":
            continue
        answer = caller.request.get(path)
        if "content-disposition" in answer.headers or "html" not in answer.headers["content-type"]:
            continue
        if answer.text().lstrip().lower().startswith("<!doctype html"):
            found[urlsplit(answer.url)._replace(scheme="", netloc="").geturl()] = None
    return list(found)


def faults(page: Page, paths: list[str]) -> list[str]:
    found = []
    for path in paths:
        page.goto(path)
        for width, height in at_sizes(page, SMALL):
            where = f"{path} at {width}x{height}"
            if too_wide_px(page) > 1:
                found.append(f"{where}: {too_wide_px(page)} px too wide {page.evaluate(WIDEST)}")
            found += [f"{where}: {each}" for each in page.evaluate(COVERED)]
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("reach", "its_page"),
    [
        pytest.param(to_the_plot, "/battle/plot/Hood", id="plot"),
        pytest.param(to_the_fire, "/battle/fire/Hood", id="fire"),
        pytest.param(to_the_dice, "/battle/dice", id="dice"),
    ],
)
def test_every_page_fits_and_every_button_can_be_tapped(
    browser: Browser,
    tmp_path: Path,
    reach: Callable[[Path], Fought],
    its_page: str,
    language: str,
) -> None:
    fought = reach(tmp_path / "t.db")
    app = create_app(server_context=ServerContext(fought.session), language=language)
    app.config["TESTING"] = True
    server = Server(app)
    people = People(browser, server, [], [])
    try:
        host = people.host(LAPTOP)
        ann = people.watch(people.context().new_page())
        ann.goto("/join")
        seat = {"code": server.code, "name": "Ann", "role": "player", "side": "british"}
        assert ann.evaluate(JOIN, {**seat, "pin": "1234"}) == 200
        # Who comes late is let in by those who play.
        host.locator("[data-key^=admit-]").click()
        expect(host.locator(".ask-undo")).to_have_count(0)
        of_ann = pages(app, ann)
        assert {"/battle", "/table", its_page} <= {*of_ann}
        found = [f"player {each}" for each in faults(ann, of_ann)]
        if reach is to_the_plot:
            of_host = pages(app, host)
            assert {"/host", "/battles", "/report", "/tv"} <= {*of_host}
            found += [f"host {each}" for each in faults(host, of_host)]
        assert found == [], "\n".join(found)
    finally:
        for context in people.contexts:
            context.close()
        server.stop()
    assert people.complaints == []
