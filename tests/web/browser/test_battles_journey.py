"""Battles in a real chromium: a scenario begun, one set up by dice, resumed, exported, imported."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup
from tests.web.browser.looks import (
    LAPTOP,
    PHONE,
    Looks,
    Size,
    axe_faults,
    every_look,
    in_themes,
    too_wide_px,
)
from tests.web.browser.people import fill_in
from tests.web.browser.served import Server
from web import create_app
from web.data_folder import DataFolder, battles_in
from web.http.context import ServerContext

pytestmark = pytest.mark.browser

PageOf = Callable[[Size], Page]
PAGES = (
    "/battles",
    "/battles/new",
    "/battles/new?scenario=tirpitz-sorties&range_die=4&direction_die=3",
    "/battles/new?scenario=tirpitz-sorties&range_die=4&direction_die=3&ready=yes",
    "/battles/markers",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = DataFolder(tmp_path)
    battles = battles_in(folder, demo=False, scene=None)
    app = create_app(
        server_context=ServerContext(battles.session, data_folder=tmp_path, kept=battles)
    )
    app.config["TESTING"] = True
    server = Server(app)
    yield server
    server.stop()
    battles.session.close()
    folder.close()


@pytest.fixture
def page_of(browser: Browser) -> Iterator[PageOf]:
    """Opens browsers, and shuts them at the end."""
    with ExitStack() as contexts:

        def open_(size: Size) -> Page:
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]}, accept_downloads=True
            )
            return contexts.enter_context(context).new_page()

        yield open_


def test_a_battle_is_begun_kept_resumed_and_taken_along(
    page_of: PageOf, server: Server, tmp_path: Path
) -> None:
    host = page_of(LAPTOP)
    faults: list[str] = []
    host.on("pageerror", lambda error: faults.append(str(error)))
    host.goto(server.address)
    phone = page_of(PHONE)
    phone.goto(f"{server.address}/join?code={server.code}")
    fill_in(phone, "Ann", "British")
    expect(phone).to_have_url(f"{server.address}/table")
    phone.goto(f"{server.address}/battles")
    expect(phone.get_by_role("button", name="Start")).to_have_count(0)

    host.goto(f"{server.address}/battles")
    card = host.locator("#river-plate")
    # Every word has to be there, in any letters.
    search = host.get_by_role("searchbox")
    search.fill("plate GRAF")
    expect(host.locator(".scenarios > li:visible")).to_have_count(1)
    expect(card).to_be_visible()
    search.fill("no such ship")
    expect(card).to_be_hidden()
    expect(host.locator("[data-none-found]")).to_be_visible()
    search.fill("")
    expect(host.locator("[data-none-found]")).to_be_hidden()
    card.get_by_role("button", name="Start").click()
    host.wait_for_url(f"{server.address}/battle")
    # The phone follows without being touched.
    expect(phone.locator("#now-title")).to_have_text("River Plate")

    # Another one, by dice: the app rolls one, the player taps the other.
    host.goto(f"{server.address}/battles/new?scenario=tirpitz-sorties")
    expect(host.get_by_text("Dice first")).to_be_visible()
    host.locator("button[name=roll][value=range]").click()
    expect(host.get_by_text("The app rolled")).to_be_visible()
    host.locator("label.key:has(input[name=direction_die][value='3'])").click()
    host.get_by_role("button", name="Use these dice").click()
    expect(host.locator(".places tbody tr")).to_have_count(7)
    assert host.locator("#places .little-map .ship").count() == 7
    hood = host.get_by_label("Right of Hood")
    hood.fill("9000")
    host.get_by_role("button", name="Preview these places").click()
    expect(host.locator("#places .notice.doubt")).to_contain_text("Hood")
    expect(hood).to_have_value("9000")
    # A form is the app's own only once its script is there, which a loaded page has.
    with host.expect_navigation():
        host.get_by_role("button", name="Continue").click()
    host.locator("#begin").get_by_role("button", name="Start", exact=True).click()
    expect(host.locator("#now-title")).to_have_text("Both sisters at sea")
    assert server.server_context.session.moment.poses["Hood"].x_yards == 9000
    expect(phone.locator("#now-title")).to_have_text("Both sisters at sea")
    assert "set up the battle by dice" in host.request.get(f"{server.address}/api/view").text()

    # Back to the first, by the list.
    row = host.locator(".kept li", has_text="River Plate")
    row.get_by_role("button", name="Resume").click()
    expect(host.locator("#now-title")).to_have_text("River Plate")
    expect(phone.locator("#now-title")).to_have_text("River Plate")

    with host.expect_download() as download:
        host.get_by_role("link", name="Export", exact=True).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    document = json.loads(path.read_bytes())
    assert document["title"] == "River Plate"

    spoilt = tmp_path / "spoilt.json"
    spoilt.write_bytes(path.read_bytes().replace(b"Exeter", b"Xeeter"))
    host.get_by_text("Import a battle").click()
    host.locator("#import-file").set_input_files(spoilt)
    host.get_by_role("button", name="Import").click()
    expect(host.locator("[data-act*=import] [data-fault]")).to_contain_text("checksum")
    host.locator("#import-file").set_input_files(path)
    host.get_by_role("button", name="Import").click()
    expect(host.locator(".kept li", has_text="River Plate")).to_have_count(1)

    # Deleting asks first.
    row = host.locator(".kept li", has_text="River Plate")
    row.get_by_role("button", name="Delete River Plate").click()
    host.locator("#ask").get_by_role("button", name="Not now").click()
    expect(host.locator(".kept li", has_text="River Plate")).to_have_count(1)
    row.get_by_role("button", name="Delete River Plate").click()
    host.locator("#ask").get_by_role("button", name="Delete").click()
    expect(host.locator(".kept li", has_text="River Plate")).to_have_count(0)
    assert not faults


def test_free_choice_of_ships_for_both_sides(page_of: PageOf, server: Server) -> None:
    host = page_of(PHONE)
    host.goto(server.address)
    host.goto(f"{server.address}/battles/new")
    host.get_by_label("Name of the battle").fill("Trial of strength")
    host.get_by_label("Rodney for the British side").check(force=True)
    host.get_by_label("How many Destroyer for the British side").fill("2")
    host.get_by_role("button", name="Next: how they meet").click()
    expect(host.get_by_role("alert").first).to_contain_text("each of two sides")
    host.get_by_label("Tirpitz for the German side").check(force=True)
    host.get_by_role("button", name="Next: how they meet").click()
    expect(host.locator(".line-ups")).to_contain_text("Destroyer 2")
    host.get_by_role("button", name="Set up the table, place ships by hand").click()
    host.wait_for_url(f"{server.address}/ships")
    assert set(server.server_context.session.moment.state.pieces) == {
        "Rodney",
        "Destroyer 1",
        "Destroyer 2",
        "Tirpitz",
    }


@every_look
def test_every_page_fits_and_can_be_read(page_of: PageOf, server: Server, looks: Looks) -> None:
    page = page_of(PHONE)
    page.goto(server.address)
    for path in PAGES:
        page.goto(f"{server.address}{path}")
        for look in in_themes(page, looks):
            assert too_wide_px(page) == 0, (path, look)
            assert axe_faults(page, all_of_them=True) == [], (path, look)


def test_numbers_are_not_sent_for_ships_that_are_not_hidden_after_all(
    server: Server, page_of: PageOf
) -> None:
    host = page_of(LAPTOP)
    host.goto(f"{server.address}/")
    host.goto(
        f"{server.address}/battles/new?scenario=tirpitz-sorties&range_die=4&direction_die=3&ready=1"
    )
    host.get_by_label("Hidden ships").check()
    host.locator("[data-within=numbers]").first.fill("7")
    host.get_by_label("Hidden ships").uncheck()
    host.get_by_role("button", name="Start").click()
    host.wait_for_url("**/battles")
    battle = server.server_context.session.moment.battle
    assert battle is not None
    setup = battle.record.setup
    assert isinstance(setup, AdvancedSetup)
    assert not setup.hidden
    assert {ship.number for ship in setup.ships} == {None}


def test_hidden_ships_are_numbered_on_the_page_and_changed_about_in_secret(
    server: Server, page_of: PageOf
) -> None:
    host = page_of(LAPTOP)
    host.goto(f"{server.address}/")
    host.goto(
        f"{server.address}/battles/new?scenario=tirpitz-sorties&range_die=4&direction_die=3&ready=1"
    )
    fields = host.locator("[data-within=numbers]")
    expect(fields.first).to_be_hidden()
    host.get_by_label("Hidden ships").check()
    for number, typed in ((0, "7"), (1, "7")):
        fields.nth(number).fill(typed)
    host.get_by_role("button", name="Start").click()
    expect(host.get_by_role("alert")).to_contain_text("two ships", ignore_case=True)
    fields.nth(1).fill("")
    host.get_by_role("button", name="Start").click()
    host.wait_for_url("**/battles")
    battle = server.server_context.session.moment.battle
    assert battle is not None
    setup = battle.record.setup
    assert isinstance(setup, AdvancedSetup)
    numbered = next(ship for ship in setup.ships if ship.number == 7)
    own = [ship for ship in setup.ships if ship.side == numbered.side]
    other = next(ship for ship in own if ship is not numbered)
    phone = page_of(PHONE)
    phone.goto(f"{server.address}/join?code={server.code}")
    fill_in(phone, "Ann", numbered.side.title())
    expect(phone).to_have_url(f"{server.address}/battle")
    phone.get_by_text("Rearrange your hidden ships").click()
    phone.get_by_label("This ship").select_option(numbered.name)
    phone.get_by_label("swaps number and place with").select_option(other.name)
    phone.get_by_role("button", name="Swap them").click()
    card = phone.locator(".ship-card").filter(has_text=other.name).first
    expect(card).to_contain_text("Ship 7")
    assert too_wide_px(phone) == 0
    assert not axe_faults(phone)
