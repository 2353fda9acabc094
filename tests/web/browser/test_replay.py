"""The replay in a real chromium: on its page, and in the saved report without a network."""

from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.web.battles import Fought
from tests.web.browser.looks import PHONE, axe_faults
from tests.web.browser.people import People
from vision.picture_files import encode_image
from web import create_app
from web.http.context import ServerContext

pytestmark = pytest.mark.browser

WHERE = """name => {
  const ship = document.querySelector(`dreyer-replay [data-ship="${name}"]`);
  const { e, f } = ship.getCTM();
  return [Math.round(e), Math.round(f)];
}"""
SCRUB = """part => {
  const time = document.querySelector("dreyer-replay input[type=range]");
  time.value = part * time.max;
  time.dispatchEvent(new Event("input", { bubbles: true }));
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
}"""

SHOW_REPLAY = """async (on) => (await fetch("/api/television/replay", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({ on }),
})).status"""


@pytest.fixture
def fought(tmp_path: Path) -> Fought:
    return Fought(tmp_path / "t.db", seed=3).segments(2)


@pytest.fixture
def app(fought: Fought) -> Flask:
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    return app


def tour(page: Page) -> None:
    """Scrub through the battle: ships move, salvos fall, and the words follow."""
    expect(page.locator("dreyer-replay .replay-names span")).to_have_count(4)
    page.evaluate(SCRUB, 0)
    start = page.evaluate(WHERE, "Hood")
    expect(page.locator(".replay-title")).to_have_text("Round 1, segment 1")
    page.evaluate(SCRUB, 1)
    assert page.evaluate(WHERE, "Hood") != start
    expect(page.locator(".replay-title")).to_have_text("Round 1, segment 2")
    assert page.locator("dreyer-replay .fires path").count() >= 3
    assert page.locator("dreyer-replay .replay-told").inner_text()
    assert page.locator("dreyer-replay .marks .hit, dreyer-replay line.hit").count() > 0
    time = page.get_by_role("slider")
    end = float(time.input_value())
    time.press("ArrowLeft")
    expect(time).not_to_have_value(f"{end:g}")
    assert end - 1000 < float(time.input_value()) <= end - 300, "an arrow key is a glance back"
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Previous segment").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_page(people: People) -> None:
    host = people.host(size=PHONE)
    host.goto("/replay")
    tour(host)


def test_a_television_turns_to_it_after_the_last_card_and_shows_the_film(
    people: People, fought: Fought
) -> None:
    context = people.server.server_context
    photo = encode_image(np.full((60, 100, 3), 90, np.uint8), "photo.jpg", 70)
    assert context.film.keep(context.battles.open_id, (1, 1), photo)
    host = people.host()
    television = people.watch(people.context((1280, 720)).new_page())
    television.goto("/tv")
    replay, salvos = television.locator("dreyer-replay"), television.locator("#salvos")
    expect(television.locator("dreyer-chart .vessel")).to_have_count(4)
    fought.segments(1)
    fought.do("end", reason="dark")
    # The host asks for it, too: it still waits until the cards are gone.
    assert host.evaluate(SHOW_REPLAY, True) == 200
    expect(television.locator(".ending")).to_be_visible()
    expect(salvos).to_be_visible()
    expect(replay).to_be_hidden()
    television.keyboard.press("Shift+Escape")
    expect(replay).to_be_visible()
    expect(salvos).to_be_hidden()
    expect(salvos.locator("[data-words]")).to_have_text("")
    expect(replay.locator("image")).to_have_attribute("href", "/replay/photo/1.1.jpg")


@pytest.mark.soak
def test_axe_finds_no_serious_fault(people: People) -> None:
    host = people.host(size=PHONE)
    host.goto("/replay")
    expect(host.locator("dreyer-replay .replay-names span")).to_have_count(4)
    assert axe_faults(host) == []


def test_the_saved_report_plays_without_a_network(
    people: People, browser: Browser, tmp_path: Path
) -> None:
    saved = tmp_path / "report.html"
    saved.write_bytes(people.host().request.get("/report.html").body())
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(saved.as_uri())
    tour(page)
    context.close()
    assert asked == [saved.as_uri()]
    assert faults == []
