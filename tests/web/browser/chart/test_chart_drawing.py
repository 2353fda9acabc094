"""The live chart in a real chromium, with a fixed view: what it draws."""

from collections.abc import Callable
from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.chart.harness import (
    FOUR,
    WIDE,
    boxes,
    check,
    middle,
    opened,
    overlap,
    settle,
    ship,
    show,
    view,
)
from tests.web.browser.looks import SCHEMES, axe_faults

pytestmark = pytest.mark.browser


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


def anywhere(n: int) -> tuple[float, float, float]:
    return (n * 7919) % 33_000 + 1500, (n * 6271) % 21_000 + 1500, n * 97


def clump(n: int) -> tuple[float, float, float]:
    return 18_000 + (n * 331) % 900, 12_000 + (n * 517) % 900, n * 97


def line_ahead(n: int) -> tuple[float, float, float]:
    return 3000 + 1300 * n, 9000 + 120 * n, 85


def lines_at_the_edges(n: int) -> tuple[float, float, float]:
    """Two divisions a side that wait at the edges of the table, as before a fleet's first move."""
    from_edge, lane = 200 + 950 * (n % 6), 8000 + 7000 * (n // 6 % 2)
    return (from_edge, lane, 90) if n < 12 else (36_000 - from_edge, lane, 270)


@pytest.mark.parametrize("shape", [anywhere, clump, line_ahead, lines_at_the_edges])
def test_twenty_four_ships_all_have_names_that_cover_nobody(
    page: Page, shape: Callable[[int], tuple[float, float, float]]
) -> None:
    fleet = [ship(f"Destroyer {n}", ("british", "german")[n % 2], *shape(n)) for n in range(24)]
    show(page, view(fleet))
    settle(page)
    names = boxes(page, "dreyer-chart .tag .name")
    assert len(names) == 24
    assert not any(overlap(one, other) > 4 for one, other in combinations(names, 2))
    assert not any(overlap(name, button) > 1 for name in names for button in buttons(page))
    # Points along every hull, from stem to stern.
    hulls = page.evaluate(
        """() => [...chart.marks.values()].flatMap(({ at, turn, length }) =>
             [-0.45, -0.2, 0, 0.2, 0.45].map((part) => {
               const { x, y } = chart.getBoundingClientRect();
               const angle = turn * Math.PI / 180;
               return [x + at.x + Math.sin(angle) * length * part,
                       y + at.y - Math.cos(angle) * length * part];
             }))"""
    )
    width, height = page.evaluate("[innerWidth, innerHeight]")
    for left, top, right, bottom in names:
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        # A letter's box reaches above and below its ink.
        assert not any(left < x < right and top + 3 < y < bottom - 3 for x, y in hulls)


def buttons(page: Page) -> list[list[float]]:
    return boxes(page, "dreyer-chart .controls button")


def test_a_chosen_ship_comes_whole_into_view(page: Page) -> None:
    show(page, view())
    # Looking closely elsewhere.
    page.evaluate("chart.zoom(2.5); chart.look({ x: 0, y: 0 }, { x: 150, y: 150 })")
    settle(page)
    width, height = page.evaluate("[innerWidth, innerHeight]")

    def is_whole(name: str) -> bool:
        x, y = middle(page, name)
        half = page.evaluate("name => chart.marks.get(name).length / 2", name)
        free = width - page.evaluate("chart.querySelector('.controls').offsetWidth")
        return bool(half <= x <= free - half and half <= y <= height - half)

    outside = [one["name"] for one in FOUR if not is_whole(one["name"])]
    assert outside
    for name in outside:
        page.evaluate("name => { chart.selection = { firer: name } }", name)
        settle(page)
        assert is_whole(name), name


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


def test_until_a_ship_is_chosen_the_rings_are_about_the_first(page: Page) -> None:
    show(page, view(rings_about="Bismarck"))
    assert page.locator("dreyer-chart .contours circle").count() == 3
    assert "translate(9500 17900)" in str(
        page.locator("dreyer-chart [data-part=about]").get_attribute("transform")
    )
    assert page.locator("dreyer-chart .spokes path").count() == 0
    assert page.locator("dreyer-chart .firer").count() == 0
    page.evaluate("chart.editing = true")
    settle(page)
    assert page.locator("dreyer-chart .contours circle").count() == 0, "ships are being placed"


def test_ships_that_sail_on_stay_in_sight_unless_one_looks_elsewhere(page: Page) -> None:
    def where() -> float:
        return middle(page, "Bismarck")[0]

    away = [*FOUR[:3], FOUR[3] | {"x": 300}]
    for fleet in (FOUR, away, away):
        show(page, view(fleet))
    assert 20 < where() < page.evaluate("innerWidth") - 20
    page.get_by_role("button", name="Show all ships").click()
    page.mouse.move(200, 300)
    page.mouse.wheel(0, -900)
    settle(page)
    before = where()
    for fleet in (away, away):
        show(page, view(fleet))
    assert where() == pytest.approx(before, abs=1), "who looks closer is not disturbed"


def test_who_may_not_measure_sees_no_scale(page: Page) -> None:
    assert page.locator("dreyer-chart .ruler").is_visible()
    show(page, view(rings=[], you={"may": {"measure": "declare"}}), firer="Hood", target="Bismarck")
    assert not page.locator("dreyer-chart .ruler").is_visible()
    assert not page.locator("dreyer-chart .grid").is_visible()
    assert not page.locator("dreyer-chart [data-part=pill]").is_visible()


def test_a_close_call_is_magenta_until_it_is_decided(page: Page) -> None:
    doubt = check(remark="too close to call", open=True, limits=[20000, 12000])
    show(page, view(), doubt, firer="Hood", target="Bismarck")
    pill = page.locator("dreyer-chart [data-part=pill]")
    expect(pill).to_contain_text("19,950 ± 40 yd")
    expect(pill).to_contain_text("too close to call")
    assert page.locator("dreyer-chart .contours .doubt").count() == 2
    show(page, view(), check(remark="decided: Far"), firer="Hood", target="Bismarck")
    expect(pill).to_contain_text("decided: Far")
    assert page.locator("dreyer-chart .contours .doubt").count() == 0
    assert page.locator("dreyer-chart .stops path").count() == 0


def test_a_blocked_line_is_broken_where_it_is_blocked(page: Page) -> None:
    blocked = check(
        "Prince of Wales", stops=[{"name": "Hood", "at_yards": 1553.0}], smoke=[15000.0]
    )
    show(page, view(), blocked, firer="Prince of Wales", target="Bismarck")
    assert page.locator("dreyer-chart .stops path").count() == 1
    assert page.locator("dreyer-chart .signs use").count() == 1
    assert "blocker" in (page.locator('[data-ship="Hood"]').get_attribute("class") or "")
    show(page, view(), blocked, firer="Hood", target="Bismarck")
    assert page.locator("dreyer-chart .stops path").count() == 0, "a check of another pair"


def test_stale_ships_say_how_old_they_are(page: Page) -> None:
    ships = [FOUR[0] | {"state": "stale", "age_seconds": 130}, *FOUR[1:]]
    show(page, view(ships))
    expect(page.locator("dreyer-chart .tag .age").first).to_have_text("seen 2 min ago")
    assert page.get_by_role("button", name="not seen lately").count() == 1


def test_turning_keeps_every_word_upright(page: Page) -> None:
    show(page, view(), check(), firer="Hood", target="Bismarck")
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


def test_an_empty_table_says_what_to_do(page: Page) -> None:
    show(page, view([]))
    expect(page.get_by_text("Place them by hand.")).to_be_visible()
    show(page, view())
    expect(page.get_by_text("Place them by hand.")).to_be_hidden()


def test_sixty_ships_sail_smoothly(browser: Browser, address: str) -> None:
    with opened(browser, address, WIDE, still=False) as page:
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
                  // Drawing happens in the frame callbacks; a task after them sees how long.
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


def test_axe_finds_no_serious_fault(browser: Browser, address: str) -> None:
    with opened(browser, address, WIDE) as page:
        show(page, view(), check(), firer="Hood", target="Bismarck")
        page.get_by_role("button", name="Layers").click()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert axe_faults(page) == [], scheme
