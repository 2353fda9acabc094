"""The live chart in a real chromium, on a bare page with a fixed view: it draws and it answers."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from flask import Flask, Response, render_template_string, send_file
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import make_server

import web
from web.charts.lettering import Face, font_path
from web.strings import text

pytestmark = pytest.mark.browser

JsonObject = dict[str, Any]

PHONE, WIDE = (390, 430), (900, 700)
PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chart</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/dreyer.css"><link rel="stylesheet" href="/static/chart.css">
<link rel="stylesheet" href="/static/paper.css" media="(prefers-color-scheme: light)">
<link rel="stylesheet" href="/harness.css"></head>
<body>{% include "symbols.html" %}<main><h1 class="for-ears">Chart</h1>
<dreyer-chart></dreyer-chart></main>
<script type="module" src="/harness.js"></script></body></html>"""
HARNESS: Final = """import "/static/js/chart.js";
window.chart = document.querySelector("dreyer-chart");
window.heard = [];
for (const type of ["choose", "clear", "moved", "point"])
  chart.addEventListener(type, (event) => heard.push([type, event.detail]));
window.ready = true;
"""
STRINGS: Final = {
    "ship": "{name}, {side}, heading {heading}°{state}",
    "state_stale": ", not seen lately",
    "state_moving": ", moving",
    "scale": "{yards} yards to the inch",
    "yards": "{yards} yd",
    "range": "{range} ± {error} yd",
    "range_exact": "{range} yd",
    "too_close": "too close to call",
    "decided": "decided: {decided}",
    "bow": "bow",
    "starboard": "starboard",
    "stern": "stern",
    "port": "port",
    "age_seconds": "seen {n} s ago",
    "age_minutes": "seen {n} min ago",
    "age_hours": "seen {n} h ago",
    "readout": "x {x} · y {y} · {heading}°",
}


def ship(name: str, side: str, x: float, y: float, heading: float, **more: Any) -> JsonObject:
    return {
        "name": name,
        "side": side,
        "silhouette": "battleship-round",
        "placed": True,
        "x": x,
        "y": y,
        "heading": heading,
        "sigma_yards": 16,
        "length_yards": 1000,
        "width_yards": 400,
        "state": "settled",
        "age_seconds": 0,
        "note": "",
        **more,
    }


FOUR: Final = [
    ship("Hood", "british", 24600, 8200, 290),
    ship("Prince of Wales", "british", 26000, 7100, 290),
    ship("Prinz Eugen", "german", 7900, 15900, 215),
    ship("Bismarck", "german", 9500, 17900, 215),
]


def view(ships: list[JsonObject] = FOUR, **more: Any) -> JsonObject:
    return {
        "seq": 1,
        "you": {"may": {"measure": "yes"}},
        "table": {
            "title": "Denmark Strait",
            "ruleset_title": "A rulebook",
            "width_yards": 36000,
            "height_yards": 24000,
            "yards_per_inch": 500,
        },
        "sides": [
            {"key": "british", "name": "British", "letter": "B", "shape": "round"},
            {"key": "german", "name": "German", "letter": "G", "shape": "angular"},
        ],
        "ships": ships,
        "smoke": [{"id": 3, "x1": 9100, "y1": 14300, "x2": 10500, "y2": 15900}],
        "rings": [
            {"yards": yards, "title": title}
            for yards, title in ((4000, "near"), (12000, "middling"), (20000, "far"))
        ],
        "quadrant_lines_deg": [50, 130, 230, 310],
        "camera": {"state": "live"},
        "declared": [],
        **more,
    }


CHECK: Final[JsonObject] = {
    "firer": "Hood",
    "target": "Bismarck",
    "range_yards": 19950.2,
    "range_sigma_yards": 40.1,
    "quadrant": "bow",
    "aspect": "port",
    "blocked": False,
    "smoke": False,
    "blockers": [],
    "close_calls": [],
}
CLOSE: Final = [{"what": "range", "limit": 20000, "readings": ["far", "out"], "margin": 50}]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    root = Path(web.__file__).parent
    app = Flask(
        "harness",
        template_folder=str(root / "templates"),
        static_folder=str(root / "static"),
        static_url_path="/static",
    )

    app.jinja_env.globals["t"] = text

    @app.get("/")
    def page() -> Response:
        response = Response(render_template_string(PAGE))
        response.headers["Content-Security-Policy"] = "default-src 'self'; img-src 'self' data:"
        return response

    @app.get("/harness.js")
    def script() -> Response:
        return Response(HARNESS, mimetype="text/javascript")

    @app.get("/harness.css")
    def style() -> Response:
        return Response("dreyer-chart { height: 100vh }", mimetype="text/css")

    @app.get("/fonts/<name>")
    def font(name: str) -> Response:
        return send_file(font_path(Face(name)))

    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(timeout=10)
    server.server_close()


def opened(
    browser: Browser,
    address: str,
    size: tuple[int, int],
    *,
    still: bool = True,
    scheme: Any = "dark",
) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce" if still else "no-preference",
        color_scheme=scheme,
        has_touch=size == PHONE,
    )
    page = context.new_page()
    page.goto(address)
    until(page, "window.ready")
    page.evaluate("words => { chart.strings = words }", STRINGS)
    return page


@pytest.fixture(params=[PHONE, WIDE], ids=["phone", "wide"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    page = opened(browser, address, request.param)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    show(page, view())
    yield page
    page.context.close()
    assert faults == []


def show(page: Page, table: JsonObject, check: JsonObject | None = None, **pair: str) -> None:
    page.evaluate(
        "([view, pair, check]) => Object.assign(chart, {view, selection: pair, check})",
        [table, pair, check],
    )
    settle(page)


def until(page: Page, truth: str) -> None:
    """Wait for something to be true; Playwright's own way of waiting is against our CSP."""
    for _ in range(200):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"it never came true: {truth}")


def settle(page: Page) -> None:
    """Wait until what was asked for is drawn and laid out, also where frames come slowly."""
    page.evaluate(
        """async () => {
            for (let frame = 0; frame < 4; frame += 1) {
              await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 15)));
            }
        }"""
    )


def heard(page: Page) -> list[list[Any]]:
    found: list[list[Any]] = page.evaluate("heard")
    return found


def middle(page: Page, name: str) -> tuple[float, float]:
    found = page.evaluate(
        """name => { const {e, f} = document.querySelector(`[data-ship="${name}"]`).getCTM();
                     return [e, f]; }""",
        name,
    )
    return found[0], found[1]


def drag(page: Page, start: tuple[float, float], way: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + way[0] / 2, start[1] + way[1] / 2)
    page.mouse.move(start[0] + way[0], start[1] + way[1])
    page.mouse.up()
    settle(page)


def boxes(page: Page, selector: str) -> list[list[float]]:
    found: list[list[float]] = page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
            .filter((node) => node.checkVisibility({visibilityProperty: true}))
            .map((node) => { const {left, top, right, bottom} = node.getBoundingClientRect();
                             return [left, top, right, bottom]; })""",
        selector,
    )
    return found


def overlap(one: list[float], other: list[float]) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return min(across, down) if across > 0 and down > 0 else 0.0


def test_every_ship_is_a_button_in_sight_and_named(page: Page) -> None:
    assert page.get_by_role("button", name="Hood, British, heading 290°").count() == 1
    width, height = page.evaluate("[innerWidth, innerHeight]")
    for one in FOUR:
        x, y = middle(page, one["name"])
        assert 0 < x < width, one["name"]
        assert 0 < y < height, one["name"]
    assert len(boxes(page, "dreyer-chart .tag .name")) == 4


def test_names_and_ranges_keep_apart(page: Page) -> None:
    fleet = [
        ship(
            f"Ship {n}",
            ("british", "german")[n % 2],
            5000 + 2600 * (n % 6),
            6000 + 2400 * (n // 6),
            40 * n,
        )
        for n in range(20)
    ]
    for ships in (FOUR, fleet):
        show(page, view(ships), firer=ships[0]["name"])
        words = boxes(page, "dreyer-chart :is(.tag .name, .labels span, .quadrants span)")
        assert len(words) > 4
        found = [
            (one, other)
            for number, one in enumerate(words)
            for other in words[:number]
            # A letter's box reaches above and below its ink.
            if overlap(one, other) > 4
        ]
        assert found == []


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


def test_rings_and_quadrants_are_those_of_the_view(page: Page) -> None:
    assert page.locator("dreyer-chart .contours circle").count() == 0
    show(page, view(), firer="Hood")
    assert [
        float(ring.get_attribute("r") or 0)
        for ring in page.locator("dreyer-chart .contours circle").all()
    ] == [4000, 12000, 20000]
    assert page.locator("dreyer-chart .spokes path").count() == 4
    show(page, view(rings=[]), firer="Hood")
    assert page.locator("dreyer-chart .contours circle").count() == 0


def test_who_may_not_measure_sees_no_scale(page: Page) -> None:
    assert page.locator("dreyer-chart .ruler").is_visible()
    show(page, view(rings=[], you={"may": {"measure": "declare"}}), firer="Hood", target="Bismarck")
    assert not page.locator("dreyer-chart .ruler").is_visible()
    assert not page.locator("dreyer-chart .grid").is_visible()
    assert not page.locator("dreyer-chart [data-part=pill]").is_visible()


def test_a_close_call_is_magenta_until_it_is_decided(page: Page) -> None:
    show(page, view(), CHECK | {"close_calls": CLOSE}, firer="Hood", target="Bismarck")
    pill = page.locator("dreyer-chart [data-part=pill]")
    expect(pill).to_contain_text("19,950 ± 40 yd")
    expect(pill).to_contain_text("too close to call")
    assert page.locator("dreyer-chart .contours .doubt").count() == 1
    decided = [CLOSE[0] | {"decided": "Far"}]
    show(page, view(), CHECK | {"close_calls": decided}, firer="Hood", target="Bismarck")
    expect(pill).to_contain_text("decided: Far")
    assert page.locator("dreyer-chart .contours .doubt").count() == 0


def test_what_the_players_settled_counts(page: Page) -> None:
    doubts = [CLOSE[0] | {"decided": "long_low", "by": "Ann"}]
    settled = {"range_yards": 18000.0, "quadrant": "port", "blocked": False, "smoke": False}
    blockers = [{"name": "Prinz Eugen", "at_yards": 900.0}]
    check = CHECK | {"doubts": doubts, "close_calls": CLOSE, "settled": settled}
    show(page, view(), check | {"blockers": blockers}, firer="Hood", target="Bismarck")
    pill = page.locator("dreyer-chart [data-part=pill]")
    expect(pill).to_contain_text("18,000 yd")
    expect(pill).to_contain_text("decided: long low")
    assert page.locator("dreyer-chart .stops path").count() == 0


def test_a_blocked_line_is_broken_where_it_is_blocked(page: Page) -> None:
    check = CHECK | {
        "firer": "Prince of Wales",
        "blocked": True,
        "blockers": [{"name": "Hood", "at_yards": 1553.0}],
        "smoke": True,
        "smoke_at": [15000.0],
    }
    show(page, view(), check, firer="Prince of Wales", target="Bismarck")
    assert page.locator("dreyer-chart .stops path").count() == 1
    assert page.locator("dreyer-chart .signs use").count() == 1
    assert "blocker" in (page.locator('[data-ship="Hood"]').get_attribute("class") or "")
    show(page, view(), check, firer="Hood", target="Bismarck")
    assert page.locator("dreyer-chart .stops path").count() == 0, "a check of another pair"


def test_stale_ships_say_how_old_they_are(page: Page) -> None:
    ships = [FOUR[0] | {"state": "stale", "age_seconds": 130}, *FOUR[1:]]
    show(page, view(ships))
    expect(page.locator("dreyer-chart .tag .age").first).to_have_text("seen 2 min ago")
    assert page.get_by_role("button", name="not seen lately").count() == 1


def test_turning_keeps_every_word_upright(page: Page) -> None:
    show(page, view(), CHECK, firer="Hood", target="Bismarck")
    for up in (90, 180, 270, 33):
        page.evaluate("up => { chart.turned = up }", up)
        settle(page)
        slopes = page.evaluate(
            """() => [...document.querySelectorAll("dreyer-chart .words span")]
                .filter((text) => text.checkVisibility({visibilityProperty: true}))
                .map((text) => { const {a, b} = new DOMMatrix(getComputedStyle(text).transform);
                                 return [a, b]; })"""
        )
        assert len(slopes) > 8
        assert all(a > -0.02 and a * a + b * b < 1.3 for a, b in slopes), up
        assert page.evaluate("JSON.parse(localStorage.getItem('dreyer-chart')).turned") == up
    page.get_by_role("button", name="Turn the chart").click()
    settle(page)
    assert page.evaluate("chart.turned") == 90


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


def test_an_empty_table_says_what_to_do(page: Page) -> None:
    show(page, view([]))
    expect(page.get_by_text("Place them by hand.")).to_be_visible()
    show(page, view())
    expect(page.get_by_text("Place them by hand.")).to_be_hidden()


def test_two_fingers_zoom_and_turn_and_snap(browser: Browser, address: str) -> None:
    page = opened(browser, address, PHONE)
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
    page.context.close()


def test_sixty_ships_sail_smoothly(browser: Browser, address: str) -> None:
    page = opened(browser, address, WIDE, still=False)
    fleet = [
        ship(f"Ship {n}", "british", 4000 + 2800 * (n % 10), 3000 + 3000 * (n // 10), 6 * n)
        for n in range(60)
    ]
    show(page, view(fleet), firer="Ship 1")
    page.evaluate("window.nodes = document.querySelectorAll('dreyer-chart *').length")
    later = [one | {"x": one["x"] + 900, "heading": one["heading"] + 30} for one in fleet]
    start = middle(page, "Ship 7")
    took = page.evaluate(
        """view => new Promise((done) => {
            const times = []; chart.view = view;
            const frame = () => {
              const start = performance.now();
              // Drawing happens in the frame callbacks; a task after them sees how long they took.
              setTimeout(() => { times.push(performance.now() - start);
                times.length < 12 ? requestAnimationFrame(frame) : done(times); });
            };
            requestAnimationFrame(frame); })""",
        view(later),
    )
    page.wait_for_timeout(300)
    assert middle(page, "Ship 7")[0] > start[0] + 5
    assert page.evaluate("document.querySelectorAll('dreyer-chart *').length - nodes") in range(
        -40, 41
    )
    assert sorted(took)[len(took) // 2] < 60, "even on a slow machine without a graphics card"
    page.context.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_no_serious_fault(browser: Browser, address: str, scheme: str) -> None:
    page = opened(browser, address, WIDE, scheme=scheme)
    show(page, view(), CHECK, firer="Hood", target="Bismarck")
    page.get_by_role("button", name="Layers").click()
    results = Axe().run(page)
    serious = [
        (fault["id"], [node["html"] for node in fault["nodes"]])
        for fault in results.response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert serious == []
    page.context.close()
