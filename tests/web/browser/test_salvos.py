"""What is shown as it happens, in a real chromium: salvos on every screen, whose turn it is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from combat.dice import RolledDice, SingleRollDice
from combat.guided_actions import RollDice
from combat.participants import SPECTATOR
from tests.web.battles import HOST, UMPIRE, Fought
from tests.web.browser.looks import axe_faults, too_small, too_wide_px
from tests.web.browser.people import People
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import host_of
from web import admission, create_app
from web.actions.battle import AskUndo, Play
from web.auth.seats import Caller, Role, Seat
from web.http.context import ServerContext
from web.views.happenings import happened, happenings

pytestmark = pytest.mark.browser

BEN = Caller("ben", seat=Seat("s2", "Ben", Role.PLAYER, "german"))

JOIN = """async (body) => (await fetch("/api/join", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})).status"""
EARS = """
window.heard = 0;
for (const type of [OscillatorNode, AudioBufferSourceNode]) {
  const { start } = type.prototype;
  type.prototype.start = function (...when) { heard += 1; start.apply(this, when); };
}
sessionStorage.setItem("dreyer-touched", "yes");
"""


def seat(people: People, name: str, side: str, path: str = "/table") -> Page:
    """A phone that has joined and stands at a page."""
    page = people.watch(people.context().new_page())
    page.goto("/join")
    body = {"code": people.server.code, "name": name, "role": "player", "pin": "1234"}
    assert page.evaluate(JOIN, {**body, "side": side}) == 200
    session = people.server.server_context.session
    for newcomer in session.seats.newcomers:
        admission.decide(session, HOST, newcomer.id, agree=True)
    page.goto(path)
    return page


def until(page: Page, condition: str, most_ms: int = 20_000) -> None:
    """Wait until an expression is true; the page's own policy lets no script wait for it."""
    for _ in range(most_ms // 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{condition} has not come true")


def act(page: Page, path: str, body: dict[str, Any]) -> int:
    status: int = page.evaluate(JOIN.replace("/api/join", path), body)
    return status


class TestSalvos:
    @pytest.fixture
    def fought(self, tmp_path: Path) -> Iterator[Fought]:
        """A battle whose dice are wanted."""
        fought = Fought(tmp_path / "t.db", seed=3)
        fought.move()
        fought.fire(roll=False)
        fought.fire_as_designated()
        yield fought
        fought.session.close()

    @pytest.fixture
    def app(self, fought: Fought) -> Flask:
        return create_app(server_context=ServerContext(fought.session))

    def test_phone_and_television_show_a_salvo_that_can_be_skipped(
        self, people: People, fought: Fought
    ) -> None:
        ann = seat(people, "Ann", "british", "/battle/dice")
        television = people.watch(people.context((1280, 800)).new_page())
        television.add_init_script(EARS)
        television.goto("/")
        television.goto("/tv")
        expect(television.locator("dreyer-chart .vessel")).to_have_count(4)
        expect(ann.locator("#salvos")).to_be_hidden()
        while not happened(fought.session.moment):
            dice = SingleRollDice(RolledDice(fought.chance))
            fought.session.act(UMPIRE, Play(RollDice(), dice))
            fought.fire_as_designated()
        for page in (ann, television):
            card = page.locator("#salvos .salvo-card")
            expect(card).to_be_visible()
            expect(card.locator(".ship").first).to_have_text("Hood")
            # With little motion all of it is there at once.
            expect(card.locator("[data-stage=fall]")).to_be_visible()
        assert television.locator("#salvos button").count() == 0
        assert too_wide_px(ann) == 0
        assert too_small(ann, "#salvos button") == []
        assert axe_faults(ann, "#salvos") == []
        ann.keyboard.press("Escape")
        expect(ann.locator("#salvos")).to_be_hidden()
        # What was shown is not shown again by the next page.
        ann.goto("/battle")
        expect(ann.locator(".seq")).to_be_visible()
        ann.wait_for_timeout(300)
        expect(ann.locator("#salvos")).to_be_hidden()
        # By itself it goes, too.
        expect(television.locator("#salvos")).to_be_hidden()

    def test_a_request_to_undo_comes_before_the_cards(self, people: People, fought: Fought) -> None:
        ann = seat(people, "Ann", "british", "/battle")
        expect(ann.locator(".seq")).to_be_visible()
        ann.wait_for_timeout(300)
        salvos, request = ann.locator("#salvos"), ann.locator(".ask-undo[role=alertdialog]")
        fought.roll()
        expect(salvos).to_be_visible()
        first = salvos.locator(".salvo-card").get_attribute("data-n")
        fought.session.act(BEN, AskUndo(fought.battle.record.begun))
        expect(request).to_be_visible()
        expect(salvos).to_be_hidden()
        # A page that comes new to the request holds them back, too.
        ann.goto("/table")
        expect(request).to_be_visible()
        ann.wait_for_timeout(500)
        expect(salvos).to_be_hidden()
        ann.locator("[data-key=ask-no]").tap()
        expect(request).to_be_hidden()
        expect(salvos).to_be_visible()
        assert salvos.locator(".salvo-card").get_attribute("data-n") == first

    def test_stages_come_one_after_the_other(self, people: People, fought: Fought) -> None:
        ann = seat(people, "Ann", "british", "/battle")
        ann.emulate_media(reduced_motion="no-preference")
        expect(ann.locator(".seq")).to_be_visible()
        ann.wait_for_timeout(300)
        ann.evaluate(
            """() => { window.stages = [];
            document.addEventListener("salvo", ({ detail }) => stages.push(detail?.stage)); }"""
        )
        fought.roll()
        salvos = [each.salvo for each in _salvos(fought)]
        assert len(salvos) > 1
        expect(ann.locator("[data-skip=all]")).to_be_visible()
        until(ann, "stages.includes('fall')")
        assert ann.evaluate("stages.slice(0, 3)") == ["line", "dice", "fall"]
        ann.locator("[data-skip=all]").tap()
        expect(ann.locator("#salvos")).to_be_hidden()
        assert ann.evaluate("stages.at(-1)") is None


def _salvos(fought: Fought) -> list[Any]:
    return [each for each in happenings(fought.battle, SPECTATOR) if each.salvo]


def test_a_battle_that_begins_reaches_open_pages_and_calls_whose_turn_it_is(
    people: People,
) -> None:
    ann, bob = seat(people, "Ann", "british"), seat(people, "Bob", "german", "/battle")
    answer = host_of(people.server.app).post(
        "/api/battles/scenario", {"scenario": "denmark-strait"}
    )
    assert answer.status_code == 200
    for page in (ann, bob):
        expect(page).to_have_url(re.compile("/battle$"))
        expect(page).to_have_title(re.compile("^Your turn · "))
        expect(page.locator(".party").first).to_contain_text("plotting, 0 of 2")
    for ship in ("Hood", "Prince of Wales"):
        data = {"ship": ship, "speed": 8, "notation": "4"}
        assert act(ann, "/api/battle/play", {"kind": "plot", "data": data}) == 200
    assert act(ann, "/api/battle/play", {"kind": "commit", "data": {}}) == 200
    expect(bob.locator(".party").first).to_contain_text("committed")
    expect(ann).to_have_title(re.compile("^Battle"))
    ann.locator(".nudge").tap()
    expect(bob.locator(".toast")).to_contain_text("Ann")
    bob.goto("about:blank")
    expect(ann.locator(".away")).to_have_text("Bob (away)", timeout=6000)


@pytest.mark.soak
def test_a_whole_battle_reaches_every_screen(people: People) -> None:
    """Two phones, the host and a television: each shows every step, every salvo and the end."""
    app = people.server.app
    screens = {"ann": seat(people, "Ann", "british"), "bob": seat(people, "Bob", "german")}
    screens["host"] = people.host()
    screens["tv"] = people.watch(people.context((1920, 1080)).new_page())
    screens["tv"].goto("/tv")
    for page in screens.values():
        page.evaluate("sessionStorage.setItem('dreyer-shown', '[]')")
        page.context.add_init_script(
            """document.addEventListener("salvo", ({ detail }) => {
              if (!detail || !["line", "news"].includes(detail.stage)) return;
              const shown = JSON.parse(sessionStorage.getItem("dreyer-shown") ?? "[]");
              const card = document.querySelector("#salvos .salvo-card");
              shown.push(`${card.dataset.n} ${card.dataset.news ?? ""}`);
              sessionStorage.setItem("dreyer-shown", JSON.stringify(shown));
            });"""
        )
        page.reload()
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    expect(screens["ann"]).to_have_url(re.compile("/battle$"))
    expect(screens["bob"]).to_have_url(re.compile("/battle$"))
    players = Players(app)
    session = people.server.server_context.session
    battle = session.moment.battle
    for _ in range(400):
        if not players.step():
            break
        battle = session.moment.battle
        assert battle is not None
        number = happened(session.moment)
        for page in screens.values():
            until(page, f"JSON.parse(sessionStorage.getItem('dreyer-happened')).n >= {number}")
    assert battle is not None
    assert battle.is_over
    for name, page in screens.items():
        until(page, "document.querySelector('#salvos').hidden", 120_000)
        shown = page.evaluate("JSON.parse(sessionStorage.getItem('dreyer-shown'))")
        assert any(each.endswith(" sunk") for each in shown), name
        assert sum(each.endswith(" ended") for each in shown) == 1, name
