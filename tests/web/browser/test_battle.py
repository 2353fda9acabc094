"""A segment of a battle in two browsers: plot with the keys, commit, open, move, ask to go back."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.browser.looks import (
    PHONE,
    Looks,
    at_sizes,
    axe_faults,
    every_look,
    in_themes,
    too_small,
    too_wide_px,
)
from tests.web.browser.served import PATIENCE_MS, Server
from web import create_app
from web.actions.battle import BeginBattle
from web.actions.table import ClearSmoke
from web.auth.seats import Caller
from web.http.context import ServerContext

pytestmark = pytest.mark.browser

Seat = Callable[[str, str], Page]
JOIN = """async (body) => (await fetch("/api/join", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})).status"""

SAVE = """async (data) => (await fetch("/api/battle/play", {
  method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({ kind: "plot", data }),
})).status"""


@pytest.fixture
def seat(browser: Browser) -> Iterator[Seat]:
    """Opens a browser that sits on a side of a battle that has begun."""
    app = create_app()
    server_context = app.extensions["dreyer"]
    assert isinstance(server_context, ServerContext)
    session = server_context.session
    host = Caller("host", host=True)
    session.act(host, ClearSmoke(1))
    session.act(host, BeginBattle())
    server = Server(app)
    contexts, complaints = [], []

    def sit(name: str, side: str) -> Page:
        context = browser.new_context(
            base_url=server.address,
            viewport={"width": PHONE[0], "height": PHONE[1]},
            has_touch=True,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/join")
        player = {"code": session.seats.code, "name": name, "role": "player", "pin": "1234"}
        assert page.evaluate(JOIN, {**player, "side": side}) == 200
        return page

    yield sit
    for context in contexts:
        context.close()
    server.stop()
    assert complaints == []


def keys(page: Page, *signs: str) -> None:
    for sign in signs:
        page.locator(f"[data-put='{sign}']").click()


def alone(page: Page) -> None:
    """The ships astern of her get plots of their own."""
    for tick in page.locator("[name=column]:checked").all():
        tick.uncheck(force=True)
    expect(page.locator("#save")).not_to_contain_text("follow")


def plot_with_keys(page: Page, *ships: str) -> None:
    """Every ship five factors ahead, from the battle's page to the commitment."""
    page.goto("/battle")
    page.get_by_role("link", name=f"Plot {ships[0]}").click()
    for _ in ships:
        page.locator("#speed").fill("9")
        keys(page, "5")
        alone(page)
        # Saving leads to the next ship, and the last one back to the battle.
        with page.expect_navigation():
            page.locator("#save").click()
    expect(page).to_have_url(re.compile("/battle$"))
    page.get_by_role("button", name="Commit the plots").click()


def test_two_players_plot_reveal_and_move(seat: Seat) -> None:
    ann, bob = seat("Ann", "british"), seat("Bob", "german")
    bob.goto("/battle")
    ann.goto("/battle")
    ann.get_by_role("link", name="Plot Hood").click()
    ann.locator("#speed").fill("9")
    keys(ann, "2", "R", "R", "l")
    expect(ann.locator("#notation")).to_have_value("2RRl")
    expect(ann.locator(".meter")).to_contain_text("5 of 5 movement factors")
    alone(ann)
    ann.locator("#save").click()
    expect(ann).to_have_url(re.compile("Prince%20of%20Wales$"))
    keys(ann, "follow")
    # There is but one whom she can follow.
    expect(ann.locator("#follows")).to_have_value("Hood")
    ann.locator("#follows").select_option("")
    expect(ann.locator("#plot-fault")).to_contain_text("choose the ship she follows")
    ann.locator("#follows").select_option("Hood")
    ann.locator("#save").click()
    expect(ann).to_have_url(re.compile("/battle$"))
    ann.get_by_role("button", name="Commit the plots").click()
    expect(ann.get_by_text("Waiting for the others")).to_be_visible()
    expect(ann.locator(".your-turn")).to_have_count(0)
    expect(bob.locator(".your-turn")).to_have_count(1)
    # The other side sees that, never what.
    expect(bob.locator(".parties")).to_contain_text("committed")
    assert "2RRl" not in bob.content()
    plot_with_keys(bob, "Prinz Eugen", "Bismarck")
    expect(ann.locator(".reveal")).to_contain_text("2RRl")
    for page in (ann, bob):
        # Each reads the plots of its own side; the others' are sealed until the segment ends.
        expect(page.locator(".reveal > li")).to_have_count(4)
        expect(page.locator(".reveal .orders")).to_have_count(2)
    assert "2RRl" not in bob.content()
    bob.get_by_role("button", name="Confirm the move").click()
    expect(ann.get_by_role("link", name="Choose targets for all ships")).to_be_visible()


def test_the_keys_write_at_the_caret_and_say_what_fits(seat: Seat) -> None:
    page = seat("Ann", "british")
    page.goto("/battle/plot/Hood")
    page.locator("#speed").fill("9")
    keys(page, "3", "l")
    expect(page.locator("[data-put='L']")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("[data-put='1']")).to_have_attribute("aria-disabled", "false")
    page.locator("#notation").evaluate("field => field.setSelectionRange(1, 1)")
    keys(page, "R")
    expect(page.locator("#notation")).to_have_value("3Rl")
    expect(page.locator("#save")).to_be_visible()
    page.locator("[data-cut]").click()
    expect(page.locator("#notation")).to_have_value("3l")
    page.locator("[data-step='-1']").click()
    expect(page.locator("#speed")).to_have_value("8")
    expect(page.locator("#save")).to_have_count(1)
    page.locator("#notation").fill("3x")
    expect(page.locator(".pointer")).to_have_text("\u00a0▲")
    expect(page.locator("#save")).to_have_count(0)


def test_enter_saves_a_typed_plot_and_a_key_says_why_it_cannot_be_used(seat: Seat) -> None:
    page = seat("Ann", "british")
    page.goto("/battle/plot/Hood")
    for tick in page.locator("[name=column]:checked").all():
        tick.uncheck(force=True)
    page.locator("#notation").click()
    page.keyboard.type("2")
    # A key that is tapped before the server has answered is taken as it is.
    expect(page.locator(".meter")).to_contain_text("2 of")
    expect(page.locator("#save")).to_have_count(0)
    page.locator("[data-put='9']").dispatch_event("click")
    expect(page.locator("#plot-fault")).to_contain_text("3")
    expect(page.locator("#plot-fault .rule-number")).to_have_text("58.3")
    expect(page.locator("#notation")).to_have_value("2")
    page.locator("#notation").click()
    # Enter does not wait until the server has looked at the plot.
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/battle/plot/Prince%20of%20Wales")


def test_a_half_typed_plot_stays_while_its_page_is_left_until_it_is_saved(seat: Seat) -> None:
    page = seat("Ann", "british")
    page.goto("/battle/plot/Hood")
    page.locator("#speed").fill("9")
    page.locator("[name=column]:checked").uncheck(force=True)
    keys(page, "2", "R")
    page.goto("/battle/plot/Prince%20of%20Wales")
    expect(page.locator("#notation")).to_have_value("")
    page.goto("/battle")
    page.goto("/battle/plot/Hood")
    expect(page.locator("#notation")).to_have_value("2R")
    expect(page.locator("#speed")).to_have_value("9")
    expect(page.locator("[name=column]:checked")).to_have_count(0)
    expect(page.locator(".meter")).to_contain_text("3 of 5 movement factors")
    keys(page, "2")
    with page.expect_navigation():
        page.locator("#save").click()
    assert page.evaluate("sessionStorage.getItem('dreyer-plot-drafts')").count("2R") == 0
    # Once another plot is saved for her, what was typed before is out of date.
    page.goto("/battle/plot/Hood")
    expect(page.locator("#notation")).to_have_value("2R2")
    page.locator("[data-cut]").click()
    expect(page.locator("#notation")).to_have_value("2R")
    assert page.evaluate(SAVE, {"ship": "Hood", "speed": 9, "notation": "5"}) == 200
    page.reload()
    expect(page.locator("#notation")).to_have_value("5")


def test_the_amount_of_a_short_turn_is_one_more_tap(seat: Seat) -> None:
    page = seat("Ann", "british")
    page.goto("/battle/plot/Hood")
    page.locator("#speed").fill("9")
    amounts = page.get_by_role("group", name="How far the short turn turns")
    keys(page, "3", "L")
    expect(amounts).to_have_count(0)
    keys(page, "l")
    expect(amounts.get_by_role("button", pressed=True)).to_contain_text("½")
    amounts.get_by_role("button", name="⅔").click()
    expect(page.locator("#notation")).to_have_value("3Ll⅔")
    expect(amounts.get_by_role("button", pressed=True)).to_contain_text("⅔")
    # The next one takes its place, and so does the next degree.
    amounts.get_by_role("button", name="⅓").click()
    expect(page.locator("#notation")).to_have_value("3Ll⅓")
    amounts.get_by_role("button", name="11°").click()
    expect(page.locator("#notation")).to_have_value("3Ll11°")
    amounts.get_by_role("button", name="12°").click()
    expect(page.locator("#notation")).to_have_value("3Ll12°")
    expect(page.locator("#save")).to_be_visible()
    for size in (PHONE, (360, 740), (1280, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert too_small(page, ".pad-amounts button") == []
        assert too_wide_px(page) == 0
    assert axe_faults(page, ".pad-amounts") == []
    page.locator("[data-cut]").click()
    expect(page.locator("#notation")).to_have_value("3Ll")


def test_keys_pressed_before_the_scripts_are_there_count_once_they_are(seat: Seat) -> None:
    page = seat("Ann", "british")
    held: list[Route] = []
    page.route("**/js/battle/plot.js*", lambda route: held.append(route))
    page.goto("/battle/plot/Hood", wait_until="commit")
    page.locator("#speed").fill("9")
    keys(page, "2", "R", "R")
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#notation")).to_have_value("")
    expect(page.locator("#menu")).to_be_hidden()
    held[0].continue_()
    expect(page.locator("#menu")).to_be_visible()
    expect(page.locator("#notation")).to_have_value("2RR")
    expect(page.locator("#speed")).to_have_value("9")


def test_a_request_to_go_back_reaches_the_other_side_wherever_it_is(seat: Seat) -> None:
    ann, bob = seat("Ann", "british"), seat("Bob", "german")
    plot_with_keys(ann, "Hood", "Prince of Wales")
    plot_with_keys(bob, "Prinz Eugen", "Bismarck")
    bob.goto("/log")
    ann.goto("/battle/story")
    ann.locator(".steps > summary").click()
    ann.locator(".step > summary").last.click()
    ann.get_by_label("Reason").fill("wrong ship")
    ann.get_by_role("button", name="Ask to go back to here").first.click()
    expect(bob.locator(".ask-undo")).to_contain_text("wrong ship")
    expect(ann.locator(".ask-undo")).to_contain_text("You have asked to go back")
    bob.get_by_role("button", name="Go back").click()
    expect(bob.locator(".ask-undo")).to_have_count(0)
    ann.goto("/battle")
    expect(ann.get_by_text("Waiting for the others")).to_be_visible()


@every_look
def test_the_pages_fit_and_can_be_read_by_all(seat: Seat, looks: Looks) -> None:
    page = seat("Ann", "british")
    for path in ("/battle", "/battle/plot/Hood", "/battle/story"):
        page.goto(path)
        for size in at_sizes(page, looks.sizes):
            assert too_wide_px(page) == 0, (path, size)
            controls = "main :is(a, button, select, summary)"
            but = ".over-link, p a, h2 a"
            assert too_small(page, controls, but=but, width=False) == [], (path, size)
        for look in in_themes(page, looks):
            assert axe_faults(page, all_of_them=True) == [], (path, look)


def test_the_ghost_is_dragged_and_the_plot_writes_itself(seat: Seat) -> None:
    page = seat("Ann", "british")
    with page.expect_response("**/api/battle/reach**") as answer:
        page.goto("/battle/plot/Hood")
        grip = page.locator("[data-grip]")
        box = grip.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
    assert answer.value.ok
    page.mouse.move(x - 30, y - 15)
    # Ahead of her lies a straight run at her speed.
    page.mouse.move(x - 100, y - 36)
    page.mouse.up()
    expect(page.locator("#notation")).to_have_value("5")
    expect(page.locator("#save")).to_be_visible()
    expect(page.locator("[data-grip]")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#notation")).not_to_have_value("5")
    expect(page.locator("#save")).to_be_visible()
    # A key that does not fit is not dead: it says why.
    page.locator("[data-put='9']").click(force=True)
    expect(page.locator("#plot-fault")).to_contain_text("58.3")
