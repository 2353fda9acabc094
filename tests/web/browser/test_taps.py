"""How many taps a segment takes on a phone, from the plot to the damage, own dice left out.

`pytest tests/web/browser/test_taps.py -m soak -s` prints the numbers.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from combat.guided_play import StepKind
from combat.scene_file import read_scene
from combat.views import PlotView
from tests.web.browser.looks import PHONE
from tests.web.browser.served import Server
from web import create_app
from web.actions.battle import BeginBattle
from web.auth.seats import Caller
from web.battle.plot.pad import written
from web.http.context import ServerContext
from web.journal.store import Store
from web.scenes import opening
from web.session import Session

pytestmark = [pytest.mark.browser, pytest.mark.soak]

HOST = Caller("host", host=True)
BRITISH = ("Hood", "Prince of Wales", "Renown", "Repulse", "Rodney", "Nelson", "Norfolk", "Suffolk")
GERMAN = (
    *("Bismarck", "Tirpitz", "Scharnhorst", "Gneisenau"),
    *("Prinz Eugen", "Admiral Hipper", "Admiral Scheer", "Köln"),
)
COUNT = """addEventListener("click", (event) => {
  const taps = Number(sessionStorage.getItem("taps") ?? 0);
  if (event.isTrusted) { sessionStorage.setItem("taps", String(taps + 1)); }
}, true);"""
POST = """async ([path, body]) => (await fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})).status"""
IN_A_COLUMN = 4
MOST_ROUNDS_OF_DICE = 4
"""Jams, rates of fire, and the fire itself."""


def scene(count: int) -> str:
    """So many ships a side, in columns of four that steam side by side, 12,000 yards apart."""
    ships = ['title = "A big battle"']
    for names, x, heading in ((BRITISH, 12_000, 0), (GERMAN, 24_000, 0)):
        for number, name in enumerate(names[:count]):
            column, place = divmod(number, IN_A_COLUMN)
            away = 1_800 * column * (-1 if names is BRITISH else 1)
            ships.append(
                f'[[ship]]\nname = "{name}"\nx = {x + away}\ny = {14_000 - 1_400 * place}\n'
                f"heading = {heading}"
            )
    return "\n".join(ships)


@dataclass
class Match:
    """A battle between a phone whose taps are counted and a side that a script plays."""

    ann: Page
    bob: Page
    session: Session

    @property
    def taps(self) -> int:
        return int(self.ann.evaluate("sessionStorage.getItem('taps') ?? 0"))

    @property
    def step(self) -> StepKind:
        battle = self.session.moment.battle
        assert battle is not None
        return battle.step.kind

    def tap(self, name: str | re.Pattern[str], role: str = "button") -> None:
        found = self.ann.get_by_role(role, name=name).first  # type: ignore[arg-type]
        expect(found).to_be_enabled()
        found.click()

    def play(self, page: Page, kind: str, **data: object) -> None:
        path = "/api/battle/play"
        assert page.evaluate(POST, [path, {"kind": kind, "data": data}]) == 200, kind

    def done(self, name: str) -> None:
        """Tap what the battle waits for, and see it taken."""
        step = self.step
        self.tap(name)
        for _ in range(200):
            battle = self.session.moment.battle
            assert battle is not None
            if battle.step.kind is not step or "british" not in battle.step.waiting_for:
                return
            self.ann.wait_for_timeout(50)
        raise AssertionError(name)

    def wait_for(self, *steps: StepKind) -> None:
        for _ in range(200):
            if self.step in steps:
                return
            self.ann.wait_for_timeout(50)
        raise AssertionError(f"{self.step}, not {steps}")


@pytest.fixture
def match(browser: Browser, tmp_path: Path) -> Iterator[Callable[[int], Match]]:
    """Begins a battle of so many ships a side."""
    servers, contexts = [], []

    def begin(count: int) -> Match:
        session = Session(Store(tmp_path / f"{count}.db"))
        session.act(HOST, opening(read_scene(scene(count).encode(), "scene.toml")))
        session.act(HOST, BeginBattle())
        context_of_server = ServerContext(session)
        context_of_server.chance = random.Random(7)
        server = Server(create_app(server_context=context_of_server))
        servers.append(server)
        pages = []
        for name, side in (("Ann", "british"), ("Bob", "german")):
            context = browser.new_context(
                base_url=server.address,
                viewport={"width": PHONE[0], "height": PHONE[1]},
                has_touch=True,
                reduced_motion="reduce",
            )
            contexts.append(context)
            page = context.new_page()
            page.add_init_script(COUNT)
            page.goto("/join")
            code = session.seats.code
            seat = {"code": code, "name": name, "role": "player", "side": side, "pin": "1234"}
            assert page.evaluate(POST, ["/api/join", seat]) == 200
            pages.append(page)
        ann, bob = pages
        return Match(ann, bob, session)

    yield begin
    for context in contexts:
        context.close()
    for server in servers:
        server.stop()


def plotted_by_hand(match: Match) -> None:
    """Ann plots each column with the keys, its leader alone."""
    match.tap(re.compile("^Plot "), "link")
    while True:
        match.ann.wait_for_url("**/battle/plot/**")
        allowed = match.ann.locator(".bars i").count()
        ship = match.ann.url
        match.ann.locator(f"[data-put='{allowed}']").click()
        save = match.ann.locator("#save")
        expect(save).to_be_visible()
        with match.ann.expect_navigation():
            save.click()
        if match.ann.url.endswith("/battle"):
            break
        assert match.ann.url != ship


def others_plot(match: Match) -> None:
    """The other side steams on in its columns."""
    battle = match.session.moment.battle
    assert battle is not None
    plots: list[dict[str, object]] = []
    for leader, *others in battle.plotted.columns(battle.state, "german"):
        places = battle.plotted.reached_places(battle.state, leader, "german")
        place = max(places, key=lambda each: (each.notation.isdigit(), each.speed in (None, 6)))
        plot = PlotView(place.speed, place.notation, None, None, "starboard")
        draft = battle.plotted.plot(leader, plot, "german")
        plots.append(written(leader, plot))
        for each in battle.plotted.column_plots(battle.state, draft, others):
            assert each.check.legal
            plots.append(written(each.ship, each.plot))
    match.play(match.bob, "orders", plots=plots)
    match.play(match.bob, "commit")


def segment(match: Match, plot: Callable[[Match], None]) -> int:
    """Play a segment, and say how many taps it took."""
    match.wait_for(StepKind.PLOT)
    match.ann.goto("/battle")
    before = match.taps
    plot(match)
    match.done("Commit the plots")
    others_plot(match)
    match.wait_for(StepKind.MOVE)
    match.tap("Confirm the move")
    match.tap("Choose targets for all ships", "link")
    match.ann.wait_for_url("**/battle/fire")
    with match.ann.expect_navigation():
        match.ann.locator("[data-key=save]").click()
    match.done("Commit the fire")
    match.play(match.bob, "commit")
    match.wait_for(StepKind.REDUCE, StepKind.RESOLVE, StepKind.PLOT)
    for _ in range(MOST_ROUNDS_OF_DICE):
        if match.step is StepKind.RESOLVE:
            # Own dice are left out: the app rolls them all, as if they had been typed.
            for page in (match.ann, match.bob):
                page.evaluate(POST, ["/api/battle/roll", {"what": "rest"}])
        elif match.step is StepKind.REDUCE:
            match.done("Fire as designated")
            match.play(match.bob, "commit")
    match.wait_for(StepKind.PLOT)
    return match.taps - before


def again(match: Match) -> None:
    match.tap(re.compile("^Same again"))
    expect(match.ann.get_by_role("button", name="Commit the plots")).to_be_visible()


@pytest.mark.parametrize(("count", "most"), [(2, 10), (8, 25)])
def test_a_segment_takes_few_taps(
    match: Callable[[int], Match], count: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = match(count)
    taps = {"with the keys": segment(begun, plotted_by_hand)}
    taps["the same again"] = segment(begun, again)
    with capsys.disabled():
        sys.stdout.write(f"\n{count} ships a side, taps of a player and segment: {taps}\n")
    assert max(taps.values()) <= most
