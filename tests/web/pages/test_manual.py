"""The manual at /help: every page and picture is there, and no link leads nowhere."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import web
from combat.rulebooks import NAMES
from tests.web.phones import Phone
from web.cli import main
from web.views.manual import INDEX, ManualPage, as_html, manual, manual_folder, manual_page

HOST = {"Host": "localhost"}
FOLDER = Path(web.__file__).parent / "manual"
PAGES = tuple(page for part in manual() for page in part.pages)
LARGEST_PICTURE_BYTES = 60_000


class Links(HTMLParser):
    """Where a page leads, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.without_words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "a":
            self.links.append(values["href"] or "")
        for name in ("src", "srcset", "data"):
            if values.get(name):
                self.loaded.append(values[name] or "")
        if tag == "img" and not values.get("alt"):
            self.without_words.append(values["src"] or "")


def read(html: str) -> Links:
    links = Links()
    links.feed(html)
    return links


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    """A phone that has not joined: the manual is for everybody."""
    return web.create_app().test_client()


def test_every_file_is_in_the_contents_and_the_other_way_round() -> None:
    names = {path.stem for path in FOLDER.glob("*.md")}
    books = {f"rulebooks/{name}" for name in NAMES}
    assert {page.name for page in PAGES} == names | books
    assert len({page.title for page in PAGES}) == len(PAGES)
    assert PAGES[0].name == INDEX


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_leads_nowhere_wrong(page: ManualPage, reader: FlaskClient) -> None:
    answer = reader.get(page.address, headers=HOST)
    assert answer.status_code == 200
    assert page.title in answer.text
    found = read(str(as_html(page)))
    assert found.without_words == []
    for address in found.loaded:
        assert address.startswith("/help/pictures/"), address  # Nothing from elsewhere.
        assert reader.get(address, headers=HOST).status_code == 200, address
    for address in found.links:
        if "://" not in address:
            path = address.partition("#")[0]
            assert reader.get(path, headers=HOST).status_code in (200, 303, 403), address


def test_every_picture_is_shown_and_small() -> None:
    written = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.md"))
    for path in (FOLDER / "pictures").iterdir():
        assert f"pictures/{path.name}" in written
        assert path.stat().st_size <= LARGEST_PICTURE_BYTES
        assert path.suffix in (".webp", ".svg")


@pytest.mark.parametrize("name", ["nowhere", "../pyproject.toml", "pictures/../index.md", "index"])
def test_what_is_no_page(name: str, reader: FlaskClient) -> None:
    answer = reader.get(f"/help/{name}", headers=HOST)
    assert answer.status_code == (200 if name == "index" else 404)


def test_a_picture_has_its_type(reader: FlaskClient) -> None:
    for name, kind in (("host.webp", "image/webp"), ("firewall.svg", "image/svg+xml")):
        answer = reader.get(f"/help/pictures/{name}", headers=HOST)
        assert answer.mimetype == kind
    assert reader.get("/help/pictures/none.webp", headers=HOST).status_code == 404


def test_markup_in_a_page_is_text() -> None:
    page = manual_page("index")
    assert page is not None
    hostile = type(page)("x", "x", "# x\n\n<script>alert(1)</script>\n\n[a](javascript:alert)")
    shown = str(as_html(hostile))
    assert "<script" not in shown
    assert 'href="javascript' not in shown


def test_what_scrolls_by_itself_is_reached_by_the_keyboard() -> None:
    for page in PAGES:
        shown = str(as_html(page))
        assert "<pre>" not in shown
        assert shown.count("<table>") == shown.count('<div class="scrolls" tabindex="0"><table>')


def test_the_menu_leads_there(app: Flask) -> None:
    host = app.test_client()
    host.get("/", headers=HOST)
    page = host.get("/host", headers=HOST).text
    assert 'href="/help"' in page
    assert 'href="/help/connection"' in page


def test_a_host_who_is_here_for_the_first_time_is_led_there(app: Flask) -> None:
    host = app.test_client()
    host.get("/", headers=HOST)
    part = host.get("/host/join", headers=HOST).text
    for address in ("/help/first-evening", "/doctor"):
        assert f'href="{address}"' in part
    Phone(app).join("Ann")
    assert "/help/first-evening" not in host.get("/host/join", headers=HOST).text


def test_the_scenario_of_the_manual_can_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(
        r"```toml\n(.*?)```", (manual_folder() / "scenario.md").read_text("utf-8"), re.DOTALL
    )
    (tmp_path / "meeting.toml").write_text(block, "utf-8")
    assert main(["check", str(tmp_path / "meeting.toml")]) == 0
    assert "Bismarck" in capsys.readouterr().out
    from combat.scenarios import read_scenario

    scenario = read_scenario(block.encode(), "meeting.toml")
    assert scenario.victory
