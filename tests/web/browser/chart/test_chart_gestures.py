"""The live chart in a real chromium, with a fixed view: how it answers to hands and keys."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.chart.harness import (
    PHONE,
    drag,
    heard,
    middle,
    opened,
    settle,
    show,
    until,
    view,
)

pytestmark = pytest.mark.browser


def test_a_tap_chooses_and_a_tap_on_water_clears(page: Page) -> None:
    x, y = middle(page, "Bismarck")
    page.mouse.click(x + 9, y - 7)
    page.mouse.click(200, 330)
    until(page, "heard.length === 2")
    assert [entry[0] for entry in heard(page)] == ["choose", "clear"]
    assert heard(page)[0][1] == {"name": "Bismarck"}


def test_keys_choose_pan_zoom_and_clear(page: Page) -> None:
    page.get_by_role("button", name="Bismarck").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert [entry[0] for entry in heard(page)] == ["choose", "clear"]
    before = middle(page, "Hood")
    page.keyboard.press("ArrowRight")
    settle(page)
    assert middle(page, "Hood")[0] == pytest.approx(before[0] - 60, abs=1)
    apart = middle(page, "Hood")[0] - middle(page, "Bismarck")[0]
    page.keyboard.press("+")
    settle(page)
    assert middle(page, "Hood")[0] - middle(page, "Bismarck")[0] > apart * 1.2


def test_wheel_drag_and_fit_move_the_sheet(page: Page) -> None:
    before = middle(page, "Hood")
    page.mouse.move(*before)
    page.mouse.wheel(0, -200)
    settle(page)
    assert middle(page, "Hood") == pytest.approx(before, abs=1), "what is under the pointer stays"
    drag(page, (200, 330), (-40, -30))
    assert middle(page, "Hood") == pytest.approx((before[0] - 40, before[1] - 30), abs=1)
    page.get_by_role("button", name="Show all ships").click()
    settle(page)
    assert middle(page, "Hood") == pytest.approx(before, abs=1)


def test_layers_are_switched_and_remembered(page: Page) -> None:
    show(page, view(), firer="Hood")
    page.get_by_role("button", name="Layers").click()
    page.get_by_label("Range rings").uncheck()
    settle(page)
    assert page.locator("dreyer-chart .contours circle").count() == 0
    page.keyboard.press("Escape")
    expect(page.get_by_label("Range rings")).to_be_hidden()
    expect(page.get_by_role("button", name="Layers")).to_be_focused()
    assert page.evaluate("JSON.parse(localStorage.getItem('dreyer-chart')).rings") is False


def test_in_edit_mode_ships_are_dragged_turned_and_nudged(page: Page) -> None:
    page.evaluate("chart.editing = true")
    drag(page, middle(page, "Bismarck"), (60, 40))
    [[_, moved]] = heard(page)
    assert moved["name"] == "Bismarck"
    assert moved["x"] > 9500 + 500
    assert moved["y"] < 17900 - 300
    assert moved["heading"] == 215
    at = middle(page, "Bismarck")
    knob = page.evaluate(
        """() => { const {e, f} = document.querySelector(".in-hand .knob").getCTM();
                   return [e, f]; }"""
    )
    drag(page, (knob[0], knob[1]), (at[0] - knob[0], at[1] - 80 - knob[1]))
    assert heard(page)[1][1]["heading"] == 0
    expect(page.locator("dreyer-chart [data-part=readout]")).to_contain_text("· 000°")
    page.get_by_role("button", name="Hood").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("]")
    until(page, "heard.length === 3")
    assert heard(page)[2][1] == {"name": "Hood", "x": 25600, "y": 8300, "heading": 291}


def test_a_drag_that_is_given_up_leaves_the_ship_where_she_was(page: Page) -> None:
    page.evaluate("chart.editing = true")
    before = middle(page, "Bismarck")
    page.mouse.move(*before)
    page.mouse.down()
    page.mouse.move(before[0] + 50, before[1] + 50)
    settle(page)
    assert middle(page, "Bismarck")[0] == pytest.approx(before[0] + 50, abs=2)
    page.locator("dreyer-chart .sheet").focus()
    page.keyboard.press("Escape")
    settle(page)
    assert middle(page, "Bismarck") == pytest.approx(before, abs=1)
    page.mouse.up()
    assert heard(page) == []


def test_a_moved_ship_waits_for_the_view_to_catch_up(page: Page) -> None:
    page.evaluate("chart.editing = true")
    drag(page, middle(page, "Bismarck"), (60, 40))
    there = middle(page, "Bismarck")
    show(page, view())
    assert middle(page, "Bismarck") == pytest.approx(there, abs=1)
    page.evaluate("chart.release('Bismarck')")
    settle(page)
    assert middle(page, "Bismarck") != pytest.approx(there, abs=20)


def test_two_fingers_zoom_and_turn_and_snap(browser: Browser, address: str) -> None:
    with opened(browser, address, PHONE) as page:
        show(page, view())
        apart = middle(page, "Hood")[0] - middle(page, "Bismarck")[0]
        session = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            session.send(
                "Input.dispatchTouchEvent",
                {
                    "type": kind,
                    "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)],
                },
            )

        touch("touchStart", (150, 300), (250, 300))
        for step in range(1, 6):
            touch("touchMove", (150 - 8 * step, 300), (250 + 8 * step, 300))
        touch("touchEnd")
        settle(page)
        assert middle(page, "Hood")[0] - middle(page, "Bismarck")[0] > 1.5 * apart
        assert page.evaluate("chart.turned") == 0, "a pinch does not turn"
        touch("touchStart", (100, 300), (300, 300))
        for x, y in ((10, 60), (40, 85), (95, 98)):
            touch("touchMove", (100 + x, 300 - y), (300 - x, 300 + y))
        touch("touchEnd")
        settle(page)
        assert page.evaluate("chart.turned") == 270, "nearly a quarter becomes one"
