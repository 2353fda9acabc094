"""Two players in a real chromium designate in secret and type their dice; the command agrees."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Response
from playwright.sync_api import Browser, BrowserContext, Page, expect

from combat.guided_play import StepKind
from combat.participants import UMPIRE
from combat.story_entries import FireDocument
from tests.plain import plain
from tests.web.actions.test_battle import ANN, HOST, battle, play, plot_all
from tests.web.browser.looks import PHONE, axe_faults
from tests.web.browser.served import served
from web import admission, create_app
from web.actions.battle import BeginBattle
from web.actions.table import ClearSmoke
from web.cli import main
from web.data_folder import table_in_memory
from web.http import guard
from web.http.context import ServerContext
from web.scenes import demo_scene
from web.session import Session

pytestmark = pytest.mark.browser


@dataclass
class Table:
    """A table that listens, and its session."""

    address: str
    session: Session
    heard: dict[str, list[str]]
    """Every answer that each player was ever sent."""


@pytest.fixture
def table() -> Iterator[Table]:
    session = table_in_memory(demo_scene)
    session.act(HOST, ClearSmoke(1))
    session.act(HOST, BeginBattle())
    plot_all(session)
    play(session, ANN, "move")
    app = create_app(server_context=ServerContext(session))
    heard: dict[str, list[str]] = {}

    @app.after_request
    def hear(response: Response) -> Response:
        seat = guard.caller().seat
        sent_whole = not (response.is_streamed or response.direct_passthrough)
        if seat is not None and sent_whole:
            heard.setdefault(seat.name, []).append(response.get_data(as_text=True))
        return response

    with served(app) as address:
        yield Table(address, session, heard)


@pytest.fixture
def phones(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two phones."""
    width, height = PHONE
    phones = [
        browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        for _ in range(2)
    ]
    yield phones
    for phone in phones:
        phone.close()


class Player:
    """A phone at the table that remembers everything it was ever sent."""

    def __init__(self, context: BrowserContext, table: Table, name: str, side: str) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.heard = table.heard.setdefault(name, [])
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.address = table.address
        body = {
            "code": table.session.seats.code,
            "name": name,
            "role": "player",
            "side": side,
            "pin": "1234",
        }
        headers = {"Content-Type": "application/json", "Origin": table.address}
        answer = context.request.post(
            f"{table.address}/api/join", data=json.dumps(body), headers=headers
        )
        assert answer.ok, answer.text()
        # The battle has begun: the host lets them in.
        for newcomer in table.session.seats.newcomers:
            admission.decide(table.session, HOST, newcomer.id, agree=True)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    def tick_all(self, battery: str = "Main guns") -> None:
        """Tick every turret that bears on the target that lies open."""
        guns = self.page.locator("details.target[open] fieldset", has_text=battery).first
        guns.get_by_role("button", name="All").click()

    def type(self, figures: str) -> None:
        """Type one roll and wait until the pad asks for the next, or there is none."""
        pad = self.page.locator("#pad")
        roll = pad.get_attribute("data-roll")
        # At once: where the first die decides alone, the pad goes on by itself after a while.
        pad.evaluate(
            """(pad, figures) => [...figures].forEach(
                (figure) => pad.querySelector(`[data-figure="${figure}"]`).click())""",
            figures,
        )
        expect(self.page.locator(f"#pad[data-roll='{roll}']")).to_have_count(0)
        self.page.wait_for_timeout(360)


def wanted(table: Table) -> Any:
    now = battle(table.session)
    return now.rulebook.dice_wanted(now.state)


def shot_file(fire: FireDocument, line: tuple[str, str]) -> str:
    """The shot file of a fire between two ships that were whole, from the battle's own words."""
    values = {row.number: row.value for row in fire.modifiers}
    quadrant, aspect = line
    return f"""
[firer]
name = "{fire.firer}"
speed = 9
[target]
name = "{fire.target}"
speed = 9
[fire]
battery = "{fire.battery}"
turrets = {json.dumps(fire.turrets)}
guns = {fire.guns}
held_back = {"true" if "held_back" in values else "false"}
range_yards = {fire.range_yards}
quadrant = "{quadrant}"
aspect = "{aspect}"
[conditions]
under_fire = {"true" if values[13] > 0 else "false"}
"""


def choose_rates(ann: Player, bob: Player) -> None:
    """Ann fires with fewer guns, Bob as designated; neither sees the other's choice before."""
    expect(bob.page.get_by_role("button", name="Fire as designated")).to_be_visible()
    ann.page.locator(".ship-card", has_text="Hood").get_by_role("link").click()
    expect(ann.page.locator("#rate-part")).to_contain_text("6 rounds")
    silent = len(bob.heard)
    ann.page.get_by_role("radiogroup", name="Turret A").get_by_role("radio", name="1 gun").check(
        force=True
    )
    expect(ann.page.locator("#rate-part")).to_contain_text("3 of 4 guns")
    expect(ann.page.locator("#rate-part")).to_contain_text("held back")
    assert axe_faults(ann.page, all_of_them=True) == []
    ann.page.get_by_role("button", name="One gun each").click()
    expect(ann.page.locator("#rate-part")).to_contain_text("2 of 4 guns")
    ann.page.get_by_role("button", name="All guns").click()
    expect(ann.page.locator("#rate-part")).not_to_contain_text("of 4 guns")
    ann.page.get_by_role("radiogroup", name="Turret A").get_by_role("radio", name="1 gun").check(
        force=True
    )
    expect(ann.page.locator("#rate-part")).to_contain_text("3 of 4 guns")
    ann.page.get_by_role("button", name="Save these rates").click()
    ann.page.wait_for_url("**/battle")
    expect(ann.page.locator(".ship-card", has_text="Hood")).to_contain_text("3 of 4")
    assert axe_faults(ann.page, all_of_them=True) == []
    ann.page.get_by_role("button", name="Commit the rates of fire").click()
    expect(bob.page.locator(".parties")).to_contain_text("committed")
    assert "3 of 4" not in "".join(bob.heard[silent:])
    bob.page.get_by_role("button", name="Fire as designated").click()
    expect(bob.page.locator("main")).to_contain_text("reduced to A 1")


def test_a_segment_of_fire_by_two_players(
    phones: list[BrowserContext], table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = (
        Player(context, table, name, side)
        for context, name, side in zip(phones, ("Ann", "Bob"), ("british", "german"), strict=True)
    )

    bob.go("/battle/fire/Bismarck")
    bob.tick_all()
    expect(bob.page.locator("#fire-part")).to_contain_text("Main guns A B X Y")
    expect(bob.page.locator("#fire-part")).to_contain_text("16 rounds, 584 left")
    assert axe_faults(bob.page, all_of_them=True) == []
    # A turret that is turned on another target leaves the first one.
    bob.page.locator("details.target summary", has_text="Prince of Wales").click()
    bob.page.locator("[value='main|Y|Prince of Wales']").check(force=True)
    expect(bob.page.locator("[value='main|Y|Hood']")).not_to_be_checked()
    expect(bob.page.locator("#fire-part")).to_contain_text("Main guns A B X")
    bob.page.locator("details.target summary", has_text="Hood").click()
    bob.page.locator("[value='main|Y|Hood']").check(force=True)
    expect(bob.page.locator("[value='main|Y|Prince of Wales']")).not_to_be_checked()
    expect(bob.page.locator("#fire-part")).to_contain_text("Main guns A B X Y")

    ann.go("/battle/fire/Hood")
    silent = len(ann.heard)
    bob.page.locator("[data-key=save]").click()
    bob.page.wait_for_url("**/battle/fire/Prinz%20Eugen")
    bob.page.locator("[data-key=hold]").click()
    bob.page.wait_for_url("**/battle")
    ann.tick_all()
    expect(ann.page.locator("#fire-part")).to_contain_text("Main guns A B")
    ann.page.locator("[data-key=save]").click()
    ann.page.wait_for_url("**/battle/fire/Prince%20of%20Wales")
    ann.page.locator("[data-key=hold]").click()
    ann.page.wait_for_url("**/battle")
    # Bismarck's turrets were ticked, saved and sent; nothing of it reached the other phone.
    told = "".join(ann.heard[silent:]).replace(" ", "")
    assert "main|A|Hood" not in told
    assert '["A","B","X","Y"]' not in told
    seen = ann.page.request.get(f"{table.address}/api/view").json()
    assert seen["battle"]["fires"] == {
        "Hood": [
            {
                "target": "Bismarck",
                "battery": "main",
                "turrets": ["A", "B"],
                "guns": None,
                "held_back": False,
            }
        ],
        "Prince of Wales": [],
    }
    lines = {}
    now = battle(table.session)
    for side, firer, target in (("british", "Hood", "Bismarck"), ("german", "Bismarck", "Hood")):
        options = now.plotted.fire_options(now.state, side, firer)
        option = next(each for each in options if each.target == target)
        lines[firer, target] = (str(option.quadrant), str(option.aspect))
    for player in (ann, bob):
        headers = {"Content-Type": "application/json", "Origin": table.address}
        player.page.request.post(
            f"{table.address}/api/battle/play", data='{"kind": "commit"}', headers=headers
        )
        player.go("/battle")
    choose_rates(ann, bob)
    for player in (ann, bob):
        player.go("/battle/dice")
    assert battle(table.session).step.kind is StepKind.RESOLVE

    expect(ann.page.locator(".asked")).to_contain_text("You roll")
    # Both sides roll at once, each its own.
    expect(bob.page.locator(".asked")).to_contain_text("Bismarck at Hood: the hit roll")
    bob.page.locator("[data-figure='2']").tap()
    assert axe_faults(ann.page, all_of_them=True) == []
    # The focus walks from the coloured die to the white one, and on to the next roll.
    expect(ann.page.locator(".die.next")).to_have_class("die red next")
    ann.page.locator("[data-figure='1']").tap()
    expect(ann.page.locator("[data-ask]")).to_have_text("White die?")
    expect(ann.page.locator("[data-figure='1'] small")).to_contain_text("row")
    ann.page.locator("[data-erase]").tap()
    expect(ann.page.locator("[data-ask]")).to_have_text("Coloured die?")
    # No hit with a coloured 6, whatever the white die shows: nobody is asked for it.
    ann.page.evaluate("""() => { window.asked = []; new MutationObserver(() =>
        window.asked.push(document.querySelector("[data-ask]")?.textContent))
        .observe(document.querySelector("#dice"), {subtree: true, childList: true}); }""")
    ann.page.locator("[data-figure='6']").tap()
    expect(ann.page.locator("#pad")).to_have_count(0)
    assert any("No need for the white die" in (said or "")
               for said in ann.page.evaluate("window.asked"))  # fmt: skip
    (fallen,) = (roll for each in battle(table.session).record.events for roll in each.rolls)
    assert (fallen.side, fallen.faces[0], len(fallen.faces)) == ("british", 6, 2)
    # What is half typed stays so while others roll, and through a reload.
    expect(bob.page.locator(".open-fires li")).to_have_count(1)
    expect(bob.page.locator("[data-ask]")).to_have_text("White die?")
    bob.page.reload()
    expect(bob.page.locator("[data-ask]")).to_have_text("White die?")
    # A double tap on the last key enters one roll, not two.
    bob.page.locator("[data-erase]").tap()
    bob.page.locator("[data-figure='1']").evaluate(
        "(key) => { key.click(); key.click(); key.click(); }"
    )
    expect(bob.page.locator(".asked")).to_contain_text("location of hit 1")
    assert wanted(table).number == 3
    bob.page.wait_for_timeout(360)
    bob.type("14")
    # The keyboard of a laptop does as well.
    bob.page.keyboard.press("4")
    expect(bob.page.locator(".hit")).to_contain_text("Turret Y")
    assert axe_faults(bob.page, all_of_them=True) == []
    # Typed and rolled mix.
    expect(ann.page.locator("#pad")).to_have_count(0)
    roll = bob.page.locator("#pad").get_attribute("data-roll")
    bob.page.wait_for_timeout(360)
    bob.page.locator("[data-key=roll]").click()
    expect(bob.page.locator(f"#pad[data-roll='{roll}']")).to_have_count(0)
    bob.page.wait_for_timeout(360)
    bob.page.locator("[data-key=rest-fire]").click()
    for player in (ann, bob):
        expect(player.page.locator(".resolving")).to_contain_text("All dice are in")
        assert player.faults == []
    assert battle(table.session).step.kind is StepKind.PLOT
    # A roll typed wrongly is typed anew, on the page that it was typed on, once the other agrees.
    ann.page.locator("[data-key=retype]").click()
    ann.page.locator("#ask [value=yes]").click()
    request = bob.page.get_by_role("alertdialog")
    expect(request).to_contain_text(f"Ann rolled {fallen.value}")
    request.locator("[data-key=ask-yes]").click()
    expect(ann.page.locator("#pad")).to_be_visible()
    expect(bob.page.locator("#pad")).to_have_count(0)
    ann.type("66")
    for player in (ann, bob):
        expect(player.page.locator(".resolving")).to_contain_text("All dice are in")
    fold = ann.page.locator(".told-fire").first
    expect(fold.locator(".hit").first).to_be_hidden()
    fold.locator("summary").first.click()
    expect(fold.locator(".hit").first).to_be_visible()

    # The same dice through the command give the same damage.
    state = battle(table.session)
    story = state.story(UMPIRE)
    fires = [e.document for e in story if isinstance(e.document, FireDocument)]
    assert [fire.firer for fire in fires] == ["Hood", "Bismarck"]
    for fire in fires:
        path = tmp_path / "shot.toml"
        path.write_text(shot_file(fire, lines[fire.firer, fire.target]))
        dice = [fire.dice or "", *(die for hit in fire.hit_results for die in hit.dice)]
        capsys.readouterr()
        assert main(["resolve", str(path), "--dice", " ".join(dice), "--json"]) == 0
        resolved = json.loads(capsys.readouterr().out)
        for key in ("gunnery_factor", "modifier_total", "row", "hits", "modifiers"):
            assert resolved[key] == plain(getattr(fire, key)), key
        for printed, hit in zip(resolved["hit_results"], fire.hit_results, strict=True):
            result = {**plain(hit), "dice": " ".join(hit.dice)}
            assert printed == {key: result[key] for key in printed}
    assert fires[1].hits == 4
