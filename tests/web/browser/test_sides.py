"""A third side in a real chromium: the host adds it, somebody joins it, a ship is put on it."""

import pytest
from playwright.sync_api import expect

from tests.web.browser.looks import LAPTOP, PHONE, SCHEMES, axe_faults, quiet, too_wide_px
from tests.web.browser.people import People

pytestmark = pytest.mark.browser


def test_the_host_adds_a_side_and_a_player_takes_a_seat_there(people: People) -> None:
    host = people.host()
    host.get_by_role("link", name="Sides").click()
    host.get_by_text("Add a side").click()
    form = host.locator("form", has=host.get_by_role("button", name="Add it"))
    form.get_by_label("Name").fill("Italian")
    form.get_by_role("checkbox", name="German").check()
    form.get_by_role("button", name="Add it").click()
    row = host.locator("details.piece", has_text="allied with German")
    expect(row).to_have_count(1)
    expect(row.get_by_role("img", name="Italian")).to_be_visible()

    ida = people.player("Ida", "Italian")
    expect(ida.get_by_role("img", name="Italian").first).to_be_visible()
    ida.goto("/ships")
    ida.get_by_text("Any other ship").click()
    other = ida.locator("form", has=ida.locator("#other-name"))
    other.get_by_label("Name").fill("Littorio")
    other.get_by_role("radio", name="Italian").check(force=True)
    other.get_by_role("button").click()
    expect(ida.locator("#lists").get_by_text("Littorio")).to_be_visible()
    state = people.server.server_context.session.moment.state
    assert state.pieces["Littorio"].side == "italian"
    assert state.sides["german"].allies == ("italian",)
    # Nobody can take away a side that has ships; the page does not offer it.
    expect(row.get_by_role("button", name="Remove")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, pytest.param(LAPTOP, marks=pytest.mark.soak)])
def test_the_page_of_the_sides_can_be_used_on_any_screen(
    people: People, size: tuple[int, int]
) -> None:
    host = people.host(size)
    host.goto("/sides")
    for name in ("Italian", "French"):
        host.get_by_text("Add a side").click()
        form = host.locator("form", has=host.get_by_role("button", name="Add it"))
        form.get_by_label("Name").fill(name)
        form.get_by_role("button", name="Add it").click()
        expect(host.locator("details.piece").get_by_text(name, exact=True).first).to_be_visible()
    expect(host.get_by_text("Add a side")).to_have_count(0)
    host.locator("details.piece summary", has_text="French").click()
    form = host.locator("details[open] form")
    form.get_by_label("Colour").select_option("blue")
    form.get_by_label("Letter").fill("f")
    form.get_by_role("button", name="Change it").click()
    expect(host.get_by_text("The side is changed")).to_be_visible()
    side = people.server.server_context.session.moment.state.sides["french"]
    assert (side.colour, side.letter) == ("blue", "F")
    assert too_wide_px(host) == 0
    host.locator("details.piece summary", has_text="French").click()
    for scheme in SCHEMES:
        host.emulate_media(color_scheme=scheme)
        quiet(host, 30)
        assert axe_faults(host) == []
