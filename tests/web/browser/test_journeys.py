"""Whole journeys in a real chromium: a host and two players, each in a browser of their own."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from combat.rulebooks.bismarck_advanced.guided_battle.actions import Plot
from tests.web.browser.looks import (
    PHONE,
    SHORT,
    Looks,
    at_sizes,
    axe_faults,
    every_look,
    in_themes,
    too_small,
    too_wide_px,
)
from tests.web.browser.people import People, fill_in, pick
from tests.web.browser.served import Server
from web import create_app
from web.actions.battle import BeginBattle, Play
from web.actions.table import ClearSmoke
from web.auth.seats import Caller
from web.journal.events import JournalKind

pytestmark = pytest.mark.browser

HOST_PAGES = ("/host", "/table", "/ships", "/log", "/help", "/menu", "/join?x", "/nowhere")


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(create_app())
    yield server
    server.stop()


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    people = People(browser, server, [], [])
    yield people
    for context in people.contexts:
        context.close()
    assert people.complaints == []


def within(seconds: float, happens: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happens():
            return True
        time.sleep(0.05)
    return False


def test_two_players_and_a_host(people: People) -> None:
    host = people.host()
    expect(host.get_by_role("button", name="Share on this network")).to_be_visible()
    ann = people.player("Ann", "British")
    gerd = people.player("Gerd", "German")
    expect(host.locator(".seats")).to_contain_text("Ann")
    expect(host.locator(".seats")).to_contain_text("Gerd")

    pick(ann, "Hood")
    expect(ann.locator("#roster")).to_contain_text("Hood looks at")
    pick(ann, "Bismarck")
    expect(ann.locator("#range")).to_have_text("17,947")
    expect(ann.locator("#segment")).to_have_text("Long low")
    ann.go_back()
    expect(ann.locator("#roster")).to_contain_text("Hood looks at")

    # Ann moves a ship by hand; Gerd, who looks at the same pair, sees it without doing anything.
    gerd.goto("/table?firer=Bismarck&target=Hood")
    expect(gerd.locator("#range")).to_have_text("17,947")
    ann.goto("/ships")
    ann.locator('details[data-ship="Hood"] summary').click()
    ann.locator('details[data-ship="Hood"] [name=x]').fill("20000")
    ann.locator('details[data-ship="Hood"]').get_by_role("button", name="Move her").click()
    expect(ann.locator("#toasts")).to_contain_text("Hood is placed")
    expect(gerd.locator("#range")).not_to_have_text("17,947")
    gerd.goto("/log")
    expect(gerd.locator(".log li").first).to_contain_text("placed Hood")

    # Smoke is laid and cleared by hand.
    ann.locator('details[data-key="add-smoke"] summary').click()
    for name, yards in (("From, right", 9000), ("From, away", 9000), ("To, right", 12000)):
        ann.get_by_label(name).fill(str(yards))
    ann.get_by_label("To, away").fill("9500")
    ann.get_by_role("button", name="Lay it").click()
    expect(ann.get_by_role("button", name="Clear this smoke")).to_have_count(2)

    # The host declares measuring a matter of declaration, and Gerd's ranges go.
    host.get_by_role("button", name="Declare first").click()
    gerd.goto("/table")
    expect(gerd.locator("#roster")).to_contain_text("You must declare before you measure")
    expect(gerd.locator("#roster")).not_to_contain_text("yd")


def test_a_seat_is_left_and_found_again_on_another_phone(people: People) -> None:
    ann = people.player("Ann", "British")
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="Leave my seat").click()
    ann.locator("#ask").get_by_role("button", name="Leave my seat").click()
    expect(ann).to_have_url(re.compile("/join"))

    other = people.watch(people.context().new_page())
    other.goto(f"/join?code={people.server.code}&return=1")
    other.get_by_label("Your name").fill("Ann")
    other.get_by_label("PIN").click()
    other.keyboard.type("0000")
    other.get_by_role("button", name="Back to my seat").click()
    expect(other.get_by_role("alert")).to_contain_text("do not match")
    other.get_by_label("PIN").click()
    other.keyboard.type("4711")
    other.get_by_role("button", name="Back to my seat").click()
    expect(other).to_have_url(re.compile("/table$"))


def test_the_door_says_whether_the_code_is_right_and_who_is_here(people: People) -> None:
    people.player("Beatrix", "British")
    phone = people.watch(people.context().new_page())
    phone.goto("/join?code=OLDKEY")
    expect(phone.get_by_text("does not open the table")).to_be_visible()
    expect(phone.get_by_text("Beatrix")).to_have_count(0)
    phone.get_by_label("Table code").fill(people.server.code)
    phone.get_by_label("Your name").focus()
    expect(phone.get_by_text("Right code")).to_be_visible()
    expect(phone.get_by_text("does not open the table")).to_be_hidden()
    expect(phone.get_by_text("Beatrix")).to_be_visible()
    expect(phone.get_by_text("nobody here yet")).to_be_visible()
    scanned = people.watch(people.context().new_page())
    scanned.goto(f"/join?code={people.server.code}")
    expect(scanned.get_by_text("Right code")).to_be_visible()


def test_during_a_battle_a_newcomer_waits_until_both_sides_agree(
    people: People, server: Server
) -> None:
    ann, gerd = people.player("Ann", "British"), people.player("Gerd", "German")
    session = server.server_context.session
    host = Caller("host", host=True)
    session.act(host, ClearSmoke(1))
    session.act(host, BeginBattle())
    british = next(seat for seat in session.seats if seat.name == "Ann")
    session.act(Caller("ann", seat=british), Play(Plot(ship="Hood", speed=8, notation="4")))

    uma = people.watch(people.context().new_page())
    uma.goto(f"/join?code={server.code}")
    fill_in(uma, "Uma", "Umpire")
    expect(uma).to_have_url(re.compile("/join"))
    expect(uma.get_by_text("Uma asks for a seat")).to_be_visible()
    assert too_wide_px(uma) == 0
    for phone in (ann, gerd):
        asks = phone.get_by_role("alertdialog", name="Uma would like a seat")
        expect(asks).to_contain_text("every side’s plots and hidden ships")
        assert too_wide_px(phone) == 0
        assert not too_small(phone, ".ask-undo button")
        asks.get_by_role("button", name="Agree").click()
        expect(asks.get_by_role("button", name="Agree")).to_have_count(0)
    expect(uma).to_have_url(re.compile("/battle$"))

    eve = people.watch(people.context().new_page())
    eve.goto(f"/join?code={server.code}")
    fill_in(eve, "Eve", "German")
    gerd.get_by_role("alertdialog", name="Eve").get_by_role("button", name="Refuse").click()
    expect(eve.get_by_text("You were not let in")).to_be_visible()


def test_what_is_wrong_at_the_door_is_said_there(people: People) -> None:
    host = people.host()
    phone = people.watch(people.context().new_page())
    phone.goto("/join")
    phone.get_by_role("button", name="Join the table").click()
    expect(phone.get_by_label("Table code")).to_be_focused()
    phone.get_by_label("Table code").fill("WRONG2")
    fill_in(phone, "Ann", "British")
    expect(phone.get_by_role("alert")).to_contain_text("not the table’s code")
    expect(phone.get_by_label("Table code")).to_be_focused()
    host.evaluate(
        """() => fetch("/api/host/lock", {method: "POST", body: '{"on": true}',
            headers: {"Content-Type": "application/json"}})"""
    )
    phone.get_by_label("Table code").fill(people.server.code.lower())
    phone.get_by_role("button", name="Join the British").click()
    expect(phone.get_by_role("alert")).to_contain_text("locked")


def test_a_released_seat_is_out_at_once(people: People) -> None:
    host = people.host()
    ann = people.player("Ann", "British")
    host.get_by_role("button", name="Release the seat of Ann").click()
    host.locator("#ask").get_by_role("button", name="Release the seat").click()
    expect(ann).to_have_url(re.compile("/join"))
    expect(ann.locator("main")).to_contain_text("no longer has a seat")


def test_a_double_tap_is_one_act(people: People) -> None:
    people.host()
    ann = people.player("Ann", "British")
    ann.goto("/ships")
    ann.locator('details[data-key="add-other"] summary').click()
    ann.get_by_label("Name", exact=True).fill("Sheffield")
    ann.locator('details[data-key="add-other"]').get_by_role("button", name="Add her").dblclick()
    expect(ann.locator('details[data-ship="Sheffield"]')).to_be_visible()
    entries = [entry.event.kind for entry in people.server.server_context.session.log(most=100)]
    assert entries.count(JournalKind.SHIP_ADDED) == 1
    # She is chosen at once, and a tap on the water puts her down.
    expect(ann.locator("#tip")).to_contain_text("Tap the chart where Sheffield is")
    ann.locator("#chart").click(position={"x": 120, "y": 260})
    expect(ann.locator("#toasts")).to_contain_text("Sheffield is placed")
    assert "Sheffield" in people.server.server_context.session.moment.poses


def test_a_broken_answer_is_asked_for_again_and_done_once(people: People) -> None:
    host = people.host()
    cut: list[str] = []

    def lose(route: Any) -> None:
        # The table acts, but its answer is lost on the way.
        if cut:
            route.continue_()
            return
        cut.append(route.request.headers["idempotency-key"])
        route.fetch()
        route.abort()

    host.route("**/api/host/premeasure", lose)
    host.get_by_role("button", name="Umpire only").click()
    expect(host.get_by_role("button", name="Umpire only")).to_have_attribute("aria-pressed", "true")
    host.wait_for_timeout(1200)
    entries = [entry.event.kind for entry in people.server.server_context.session.log(most=100)]
    assert entries.count(JournalKind.PREMEASURE) == 1


def test_a_phone_that_slept_knows_the_truth_within_two_seconds(people: People) -> None:
    host = people.host()
    ann = people.player("Ann", "British")
    expect(ann.locator("#live")).to_have_attribute("data-state", "live")
    # Asleep: the page is hidden, and its connections end without a word.
    ann.evaluate(
        """() => { Object.defineProperty(document, "hidden", {value: true, configurable: true});
            document.dispatchEvent(new Event("visibilitychange")); }"""
    )
    ann.context.set_offline(True)
    host.get_by_role("button", name="Umpire only").click()
    expect(host.get_by_role("button", name="Umpire only")).to_have_attribute("aria-pressed", "true")
    expect(ann.locator("#roster")).to_contain_text("17,947")
    ann.context.set_offline(False)
    ann.evaluate(
        """() => { Object.defineProperty(document, "hidden", {value: false, configurable: true});
            document.dispatchEvent(new Event("visibilitychange")); }"""
    )
    expect(ann.locator("#roster")).to_contain_text("the umpire measures", timeout=2000)
    expect(ann.locator("#live")).to_have_attribute("data-state", "live", timeout=2000)


def test_a_connection_that_died_in_the_sleep_is_not_waited_for(people: People) -> None:
    host = people.host()
    ann = people.player("Ann", "British")
    expect(ann.locator("#live")).to_have_attribute("data-state", "live")
    nap = """value => { Object.defineProperty(document, "hidden", {value, configurable: true});
        document.dispatchEvent(new Event("visibilitychange")); }"""
    ann.evaluate(nap, True)
    unanswered: list[Route] = []

    def dead_at_first(route: Route) -> None:
        if unanswered:
            route.continue_()
        else:
            unanswered.append(route)

    ann.route("**/api/view", dead_at_first)
    host.get_by_role("button", name="Umpire only").click()
    expect(host.get_by_role("button", name="Umpire only")).to_have_attribute("aria-pressed", "true")
    ann.evaluate(nap, False)
    expect(ann.locator("#roster")).to_contain_text("the umpire measures", timeout=5000)
    assert unanswered


def test_a_server_that_was_away_is_found_again(people: People) -> None:
    ann = people.player("Ann", "British")
    expect(ann.locator("#live")).to_have_attribute("data-state", "live")
    people.server.stop()
    expect(ann.locator("#live")).to_have_attribute("data-state", "reconnecting")
    expect(ann.locator("#live")).to_contain_text("s ago", timeout=15_000)
    people.server.start()
    expect(ann.locator("#live")).to_have_attribute("data-state", "live", timeout=5000)
    expect(ann.locator("#roster")).to_contain_text("17,947")


def test_a_battle_goes_on_by_itself_when_its_server_was_killed(
    people: People, tmp_path: Path
) -> None:
    """The command itself, killed between two acts and begun again on its data and its port."""
    options = ("serve", "--no-browser", "--no-camera", "--demo", "--data", str(tmp_path))
    post = """async ([path, body]) => (await fetch(path, {method: "POST",
        headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})).json()"""
    with ExitStack() as stack:

        def start(port: int) -> tuple[subprocess.Popen[str], int]:
            command = [sys.executable, "-m", "dreyer_table", *options, "--port", str(port)]
            process = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert found
            return process, int(found[1])

        process, port = start(0)
        address = f"http://127.0.0.1:{port}"
        host, ann = (people.watch(people.context().new_page()) for _ in range(2))
        host.goto(address)
        code = host.evaluate("async () => (await (await fetch('/api/view')).json()).join.code")
        ann.goto(f"{address}/join")
        seat = {"code": code, "name": "Ann", "role": "player", "side": "british", "pin": "4711"}
        ann.evaluate(post, ["/api/join", seat])
        for page in (host, ann):
            page.goto(f"{address}/table")
            expect(page.locator("#live")).to_have_attribute("data-state", "live")
        host.evaluate(post, ["/api/battle/begin", {}])
        for page in (host, ann):
            # The begin of a battle brings every page to it.
            expect(page).to_have_url(re.compile("/battle$"))
            expect(page.locator("#live")).to_have_attribute("data-state", "live")
            page.evaluate("() => { document.body.dataset.same = 'page'; }")
        plots = {"plots": [{"ship": "Hood", "speed": 8, "notation": "4"}]}
        ann.evaluate(post, ["/api/battle/play", {"kind": "orders", "data": plots}])
        cards = ann.locator(".ship-card", has_text="No plot yet")
        expect(cards).to_have_count(1)
        process.kill()
        for page in (host, ann):
            expect(page.locator("#live")).to_have_attribute("data-state", "reconnecting")
        start(port)
        for page in (host, ann):
            expect(page.locator("#live")).to_have_attribute("data-state", "live", timeout=5000)
        # Nothing was lost, and what happens now is seen at once, on the very same page.
        expect(cards).to_have_count(1)
        plots["plots"].append({"ship": "Prince of Wales", "speed": 8, "notation": "4"})
        ann.evaluate(post, ["/api/battle/play", {"kind": "orders", "data": plots}])
        expect(cards).to_have_count(0, timeout=5000)
        for page in (host, ann):
            expect(page.locator("body")).to_have_attribute("data-same", "page")


def test_a_network_without_streams_is_polled(people: People) -> None:
    context = people.context()
    context.route("**/api/live", lambda route: route.abort())
    ann = people.watch(context.new_page())
    ann.goto(f"/join?code={people.server.code}")
    fill_in(ann, "Ann", "British")
    host = people.host()
    expect(ann.locator("#live")).to_have_attribute("data-state", "polling")
    host.get_by_role("button", name="Umpire only").click()
    expect(ann.locator("#roster")).to_contain_text("the umpire measures", timeout=5000)


def test_six_tabs_share_one_stream(people: People) -> None:
    ann = people.player("Ann", "British")
    tabs = [ann]
    for path in ("/table", "/ships", "/log", "/table", "/ships"):
        page = people.watch(ann.context.new_page())
        page.goto(path)
        tabs.append(page)
    for page in tabs:
        expect(page.locator("#live")).to_have_attribute("data-state", "live")
    host = people.host()
    host.get_by_role("button", name="Umpire only").click()
    expect(tabs[0].locator("#roster")).to_contain_text("the umpire measures")
    expect(tabs[4].locator("#roster")).to_contain_text("the umpire measures")
    expect(tabs[3].locator(".log li").first).to_contain_text("leaves measuring to the umpire")
    # The tab that listens goes away: another takes over at once.
    tabs[0].close()
    host.get_by_role("button", name="Declare first").click()
    expect(tabs[4].locator("#roster")).to_contain_text("must declare before you measure")


def test_the_sheet_grows_by_its_handle_and_by_keys(people: People) -> None:
    ann = people.player("Ann", "British", SHORT)
    sheet, grip = ann.locator("#sheet"), ann.locator(".grip")
    low = sheet.bounding_box()
    assert low is not None
    grip.focus()
    ann.keyboard.press("Enter")
    expect(grip).to_have_attribute("aria-expanded", "true")
    assert within(2, lambda: (sheet.bounding_box() or low)["height"] > low["height"] + 100)
    ann.keyboard.press("Escape")
    expect(grip).to_have_attribute("aria-expanded", "false")
    assert within(2, lambda: sheet.bounding_box() == low)
    box = grip.bounding_box()
    assert box is not None
    ann.mouse.move(195, box["y"] + 30)
    ann.mouse.down()
    ann.mouse.move(195, box["y"] - 150, steps=5)
    ann.mouse.up()
    expect(grip).to_have_attribute("aria-expanded", "true")


def test_the_theme_follows_the_screen_until_it_is_chosen(people: People) -> None:
    page = people.host(PHONE, "light")

    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = paper()
    page.get_by_role("button", name="Menu").click()
    # The address is the same before and after.
    with page.expect_navigation(url=re.compile("/host$")):
        page.get_by_role("link", name="Night").click()
    assert paper() != light
    page.goto("/log")
    assert paper() != light


@every_look
def test_everybody_can_use_it(people: People, looks: Looks) -> None:
    """Nothing overflows, every control can be hit, and axe has no complaint."""
    page = people.host(PHONE)
    for path in (*HOST_PAGES, "/table?firer=Hood&target=Bismarck"):
        page.goto(path)
        for size in at_sizes(page, looks.sizes if path in HOST_PAGES else ()):
            assert too_wide_px(page) == 0, (path, size)
            controls = "a[href], button, select, input, summary, [role=button]"
            # Links within running text are as high as its lines.
            but = "dreyer-chart *, .skip, .skip *, .notice a, .caption a, .manual-page a"
            assert too_small(page, controls, but=but) == [], (path, size)
        if path == "/ships":
            page.locator('details[data-ship="Hood"] summary').click()
        if path == "/log":
            page.get_by_role("button", name="Menu").click()
        for look in in_themes(page, looks):
            assert axe_faults(page) == [], (path, look)
