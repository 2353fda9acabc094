"""A fixed view for the chart, and hands and eyes for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.looks import Screen, Size

JsonObject = dict[str, Any]

PHONE, WIDE = (390, 430), (900, 700)


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
        "marks": [],
        "conditions": [],
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
        "wrecks": [],
        "contacts": [],
        **more,
    }


def check(firer: str = "Hood", **more: Any) -> JsonObject:
    """What the server says of a pair, for the chart to draw."""
    drawn = {"range": "19,950 ± 40 yd", "remark": "", "open": False, "quadrant": "bow", **more}
    return {"firer": firer, "target": "Bismarck", "drawn": drawn}


def on_screen(browser: Browser, address: str, size: Size, *, still: bool = True) -> Screen:
    """A device of this size."""
    return Screen(
        browser,
        base_url=address,
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce" if still else "no-preference",
        color_scheme="dark",
        has_touch=size == PHONE,
    )


def ready(page: Page) -> None:
    """Open the bare page and wait for its chart."""
    page.goto("/")
    until(page, "window.ready")


@contextmanager
def opened(browser: Browser, address: str, size: Size, *, still: bool = True) -> Iterator[Page]:
    """A chart in a browser of its own."""
    screen = on_screen(browser, address, size, still=still)
    with screen.page() as page:
        ready(page)
        yield page
    screen.context.close()


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
