"""The layer of fields of fire on the chart in a real chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from combat.scene_file import read_scene
from tests.web.browser.looks import Screens, axe_faults, every_screen, hosts_screens, too_small
from tests.web.browser.served import served
from web import create_app

pytestmark = pytest.mark.browser

SCENE = """
title = "Shadows"
[[ship]]
name = "Hood"
x = 18000
y = 4000
heading = 0
[[ship]]
name = "Bismarck"
x = 18000
y = 12000
heading = 90
[[ship]]
name = "Stranger"
x = 30000
y = 4000
heading = 0
"""


CLEAR_OF_BUTTONS = """(name) => {
  const chart = document.querySelector("dreyer-chart");
  const { at, length } = chart.marks.get(name);
  const buttons = chart.querySelector(".batteries").getBoundingClientRect();
  const top = at.y - length / 2, bottom = buttons.bottom - chart.getBoundingClientRect().top;
  return top >= bottom;
}"""


@pytest.fixture(scope="module")
def screens(browser: Browser) -> Iterator[Screens]:
    scene = read_scene(SCENE.encode(), "shadows.toml")
    with (
        served(create_app(lambda: scene)) as address,
        hosts_screens(browser, address) as screens,
    ):
        yield screens


@pytest.fixture(params=every_screen)
def page(request: pytest.FixtureRequest, screens: Screens) -> Iterator[Page]:
    with screens[request.param].page() as page:
        yield page


def test_the_layer_is_shown_hidden_and_changes_with_the_battery(page: Page) -> None:
    page.goto("/table?firer=Hood")
    paths, group = page.locator("dreyer-chart .fields path"), page.get_by_role("group")
    expect(page.locator('[data-ship="Hood"]')).to_be_visible()
    expect(paths).to_have_count(0)
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("checkbox", name="Field of fire").check()
    expect(paths).to_have_count(7)
    page.get_by_role("button", name="Layers").click()
    batteries = group.and_(page.get_by_label("Field of fire"))
    main, secondary = (batteries.get_by_role("button", name=each) for each in ("Main", "Secondary"))
    expect(main).to_have_attribute("aria-pressed", "true")
    assert too_small(page, "dreyer-chart .batteries button") == []
    assert axe_faults(page, "dreyer-chart") == []
    secondary.click()
    expect(paths).to_have_count(5)
    expect(secondary).to_have_attribute("aria-pressed", "true")
    # Another ship, and one of which the rulebook knows nothing.
    page.goto("/table?firer=Stranger")
    expect(page.locator('[data-ship="Stranger"]')).to_be_visible()
    expect(batteries.get_by_role("button")).to_have_count(0)
    # No ship that is chosen lies under the buttons.
    page.goto("/table?firer=Hood&target=Bismarck")
    expect(batteries.get_by_role("button")).to_have_count(2)
    page.wait_for_function(CLEAR_OF_BUTTONS, arg="Bismarck")
    page.goto("/table?firer=Bismarck")
    expect(batteries.get_by_role("button")).to_have_count(2)
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("checkbox", name="Field of fire").uncheck()
    expect(paths).to_have_count(0)
    expect(batteries.get_by_role("button")).to_have_count(0)
