"""The camera set-up and the photo page in a real chromium, from the first step to the table."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.looks import Looks, at_sizes, axe_faults, every_look, in_themes, too_wide_px
from tests.web.browser.served import PATIENCE_MS, Server
from tests.web.pictures import CORNERS, Script, covered, jpeg, lit, opener, table_picture
from web import create_app
from web.camera.table_access import SessionTable
from web.camera.table_cameras import TableCameras
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

pytestmark = pytest.mark.browser

STEPS = ("print", "camera", "corners", "check", "done")
TOO_SMALL = """() => [...document.querySelectorAll(
  "main a, main button, main input:not(.file), main select, main summary")].filter((each) => {
  const box = each.getBoundingClientRect();
  const around = each.closest(".seg, .picks")?.getBoundingClientRect();
  return box.width && box.height < 43.5 && !(around && around.height >= 44);
}).map((each) => each.outerHTML.slice(0, 90))"""


class CameraTable(Server):
    """A table server whose camera the test holds in its hand."""

    def __init__(self) -> None:
        self.cameras: list[Script] = []
        self.first = table_picture()
        session = table_in_memory(demo_scene)
        self.session = session
        cameras = TableCameras(
            None, SessionTable(session), session.update_camera, opener=self._open
        )
        self.camera_thread = cameras.first
        super().__init__(create_app(server_context=ServerContext(session, watched=cameras)))

    def _open(self, what: str, clock: object) -> Script:
        camera = opener(self.cameras, self.first)(what, clock)  # type: ignore[arg-type]
        assert isinstance(camera, Script)
        return camera

    def stop(self) -> None:
        self.camera_thread.close()
        super().stop()


@pytest.fixture
def server() -> Iterator[CameraTable]:
    server = CameraTable()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser, server: CameraTable) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server.address)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/")
    yield page
    context.close()
    assert wrong == []


def test_a_new_host_sets_up_a_camera(page: Page, server: CameraTable) -> None:
    server.first = lit(2, 500)
    page.goto("/setup")
    page.get_by_label("The 100 mm bar measures").fill("80")
    page.get_by_role("button", name="Next: camera").click()
    expect(page.get_by_role("alert").filter(has_text="too far from 100")).to_be_visible()
    page.get_by_label("The 100 mm bar measures").fill("99,5")
    page.get_by_role("button", name="Next: camera").click()
    page.wait_for_url("**/setup/camera")
    page.get_by_role("button", name="The demo table").click()
    page.get_by_role("link", name="Next: corners").click()
    expect(page.get_by_text("3 of 4")).to_be_visible()
    expect(page.get_by_text("The far right marker is too bright to read")).to_be_visible()
    server.cameras[-1].sends = table_picture()
    expect(page.get_by_text("4 of 4")).to_be_visible()
    page.get_by_role("link", name="Next: check").click()
    page.wait_for_url("**/setup/check")
    page.get_by_label("From", exact=True).select_option(label="Bismarck")
    page.get_by_label("To", exact=True).select_option(label="Hood")
    page.get_by_label("Your tape says").fill("800")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("14.0 % too long")).to_be_visible()
    page.get_by_label("Your tape says").fill("909")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Correct to 0.3 %")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/setup/done")
    expect(page.get_by_role("heading", name="The camera sees the table")).to_be_visible()
    assert server.camera_thread.memory.setup.bar_mm == 99.5


def test_a_corner_is_shown_with_the_keyboard_alone(page: Page, server: CameraTable) -> None:
    server.first = covered(2)
    server.camera_thread.start("0")
    page.goto("/setup/corners")
    page.get_by_role("button", name="Tap it myself").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tap the centre of the far right marker")).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Shift+ArrowRight")
    for _ in range(8):
        page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Next: check")).to_be_visible()
    assert len(server.camera_thread.memory.setup.corners) == 1


def test_a_corner_is_shown_with_a_finger(page: Page, server: CameraTable) -> None:
    server.first = covered(2)
    server.camera_thread.start("0")
    page.goto("/setup/corners")
    page.get_by_role("button", name="Tap it myself").click()
    box = page.locator("[data-view]").bounding_box()
    assert box is not None
    x, y = CORNERS[2]
    page.mouse.click(box["x"] + box["width"] * x / 1920, box["y"] + box["height"] * y / 1080)
    expect(page.get_by_role("link", name="Next: check")).to_be_visible()
    shown = next(iter(server.camera_thread.memory.setup.corners.values()))
    assert (shown.x_px, shown.y_px) == pytest.approx((x, y), abs=6)


def test_a_photo_is_sent_looked_at_and_used(
    page: Page, server: CameraTable, tmp_path: Path
) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(jpeg(table_picture()))
    page.goto("/photo")
    wrong = tmp_path / "x.heic"
    wrong.write_bytes(b"\0\0\0\x18ftypheic" + bytes(300))
    page.locator("#any-file").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("HEIC")
    page.locator("#any-file").set_input_files(photo)
    page.wait_for_url("**/photo/*")
    page.get_by_label("Hood").uncheck()
    page.get_by_role("button", name="Use these 3 positions").click()
    page.wait_for_url("**/table")
    ships = server.session.moment.ships
    assert ships["Bismarck"].source == "photo"
    assert ships["Hood"].source == "hand"


@every_look
def test_every_step_is_sound_on_every_screen(page: Page, server: CameraTable, looks: Looks) -> None:
    server.first = lit(2, 500)
    server.camera_thread.start("0")
    end = time.monotonic() + PATIENCE_MS / 1000
    while server.camera_thread.status().state != "live" and time.monotonic() < end:
        time.sleep(0.1)
    for path in (*(f"/setup/{step}" for step in STEPS), "/photo", "/camera"):
        page.goto(path)
        for size in at_sizes(page, looks.sizes):
            assert too_wide_px(page) == 0, (path, size)
            assert page.evaluate(TOO_SMALL) == [], (path, size)
        for look in in_themes(page, looks):
            assert axe_faults(page) == [], (path, look)
