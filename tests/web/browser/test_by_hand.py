"""By hand in a real chromium: figures, smoke by two taps, too large a photo, other colours."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.people import People
from web.camera.photos import LARGEST_PHOTO_BYTES

pytestmark = pytest.mark.browser


def tap(page: Page, right: float, down: float) -> None:
    """Tap the chart, at a share of its width and height."""
    box = page.locator("#chart").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + right * box["width"], box["y"] + down * box["height"])


def test_two_taps_lay_smoke(people: People) -> None:
    ann = people.player("Ann", "British")
    ann.goto("/ships")
    tip, fronts = ann.locator("#tip"), ann.locator("dreyer-chart .smokes line")
    expect(fronts).to_have_count(1)
    button = ann.get_by_role("button", name="Lay smoke on the chart")
    button.click()
    expect(tip).to_have_text("Tap the chart where the smoke begins")
    tap(ann, 0.5, 0.3)
    expect(tip).to_have_text("Now tap where it ends")
    expect(fronts).to_have_count(2)
    ann.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(fronts).to_have_count(1)
    button.click()
    tap(ann, 0.5, 0.3)
    tap(ann, 0.6, 0.8)
    expect(ann.get_by_text("Smoke is laid")).to_be_visible()
    expect(fronts).to_have_count(2)
    assert len(people.server.server_context.session.moment.state.smoke) == 2


def test_a_photo_that_is_too_large_is_not_sent(people: People) -> None:
    ann = people.player("Ann", "British")
    ann.goto("/photo")
    sent: list[str] = []
    ann.on("request", lambda request: sent.append(request.method))
    ann.locator("#any-file").evaluate(
        """(field, size) => {
            const held = new DataTransfer();
            held.items.add(new File([new Uint8Array(size)], "huge.jpg", { type: "image/jpeg" }));
            field.files = held.files;
            field.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        LARGEST_PHOTO_BYTES + 1,
    )
    expect(ann.get_by_role("alert")).to_contain_text("larger than 25 MB")
    assert "POST" not in sent


def test_the_chart_takes_other_colours_at_once(people: People) -> None:
    host = people.host(scheme="light")
    host.goto("/table?firer=Hood&target=Bismarck")
    expect(host.locator("#range")).to_be_visible()
    paint = """() => [...document.querySelectorAll(".water, #range, .tag .name, body")]
        .map((each) => [getComputedStyle(each).color, getComputedStyle(each).fill].join())"""
    light = host.evaluate(paint)
    host.emulate_media(color_scheme="dark")
    dark = host.evaluate(paint)
    assert all(before != after for before, after in zip(light, dark, strict=True))
    host.wait_for_timeout(400)
    assert host.evaluate(paint) == dark


def test_figures_are_read_as_people_write_them(people: People) -> None:
    ann = people.player("Ann", "British")
    ann.goto("/ships")
    hood = ann.locator('details[data-ship="Hood"]')
    hood.locator("summary").click()
    for typed, meant in (("24,000", 24000), ("8.000", 8000), ("9 500", 9500), ("7250.9", 7251)):
        hood.locator("[name=x]").fill(typed)
        hood.get_by_role("button", name="Move her").click()
        expect(hood.locator("summary")).to_contain_text(f"→ {meant:,.0f} ")
    ann.goto("/menu?unit=inches&back=/ships")
    hood.locator("summary").click()
    hood.locator("[name=x]").fill("12,5")
    hood.get_by_role("button", name="Move her").click()
    expect(hood.locator("summary")).to_contain_text("→ 12.5 ")
    hood.locator("[name=x]").fill("far")
    hood.get_by_role("button", name="Move her").click()
    expect(hood.get_by_role("alert")).to_contain_text("expected a number")
    expect(hood.locator("[name=x]")).to_be_focused()
