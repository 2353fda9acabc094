"""The pages: who sees which, what they show, and that no request breaks them."""

import re

import pytest
from flask import Flask

from combat.scene_file import read_scene
from tests.web.phones import Phone, host_of, running_in
from web import create_app

PUBLIC = ("/join", "/join?return=1", "/join?gone=1", "/help", "/menu")
SEATED = ("/table", "/table/ships", "/table/camera", "/ships", "/ships/list", "/log", "/log/list")
HOSTS = ("/host", "/host/camera", "/host/join", "/host/house")


@pytest.fixture
def host(app: Flask) -> Phone:
    return host_of(app)


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def ann(app: Flask) -> Phone:
    ann = Phone(app)
    assert ann.join("Ann").status_code == 200
    return ann


def test_the_machines_own_user_is_the_host(app: Flask) -> None:
    here = Phone(app, "127.0.0.1", "localhost:8080")
    response = here.get("/")
    assert (response.status_code, response.headers["Location"]) == (303, "/host")
    assert "Share on this network" in here.get("/host").text


def test_a_phone_begins_at_the_door_and_then_at_its_table(phone: Phone) -> None:
    assert phone.get("/").headers["Location"] == "/join"
    phone.join("Ann")
    assert phone.get("/").headers["Location"] == "/table"
    assert phone.get("/join").headers["Location"] == "/table"


def test_the_table_is_first_seen_from_ones_own_ship(app: Flask, host: Phone, ann: Phone) -> None:
    gerd = Phone(app)
    gerd.join("Gerd", side="german")
    for phone, own in ((host, "Hood"), (ann, "Hood"), (gerd, "Prinz Eugen")):
        assert phone.view()["rings_about"] == own
        assert f"all ranges from {own}" in phone.get("/table/ships").text


@pytest.mark.parametrize("path", PUBLIC)
def test_everybody_sees_the_door(phone: Phone, path: str) -> None:
    response = phone.get(path)
    assert response.status_code == 200
    assert "<main" in response.text


@pytest.mark.parametrize("path", SEATED)
def test_a_seat_is_needed_for_the_table(phone: Phone, ann: Phone, host: Phone, path: str) -> None:
    assert phone.get(path).headers["Location"].startswith("/join")
    assert ann.get(path).status_code == 200
    assert host.get(path).status_code == 200


@pytest.mark.parametrize("path", HOSTS)
def test_the_hosts_screen_is_the_hosts(phone: Phone, ann: Phone, host: Phone, path: str) -> None:
    assert phone.get(path).headers["Location"].startswith("/join")
    refused = ann.get(path)
    assert refused.status_code == 403
    assert "only the host" in refused.text.lower()
    assert host.get(path).status_code == 200


def test_the_door_is_the_same_with_any_code(app: Flask, phone: Phone) -> None:
    Phone(app, "192.168.1.30").join("Beatrix")
    code = running_in(app).session.seats.code
    right = phone.get(f"/join?code={code}").text
    assert "Beatrix" not in right
    assert "Hood" in right
    assert right.replace(code, "WRONG2") == phone.get("/join?code=WRONG2").text


def test_a_locked_table_says_so_at_the_door(app: Flask, host: Phone, phone: Phone) -> None:
    host.post("/api/host/lock", {"on": True})
    code = running_in(app).session.seats.code
    assert "The table is locked" in phone.get(f"/join?code={code}").text


def test_the_list_is_from_ones_own_ship_nearest_first(app: Flask) -> None:
    german = Phone(app)
    german.join("Gerd", side="german")
    page = german.get("/table/ships").text
    ships = re.findall(r'data-pick="([^"]+)"', page)
    assert ships[0] in ("Bismarck", "Prinz Eugen")
    ranges = [int(figure.replace(",", "")) for figure in re.findall(r'strong">([\d,]+)<', page)]
    assert len(ranges) == 3
    assert ranges == sorted(ranges)
    assert "Hood looks at" in german.get("/table/ships?firer=Hood").text


@pytest.mark.parametrize("mode", ["declare", "umpire"])
def test_ranges_are_kept_where_measuring_is_not_free(host: Phone, ann: Phone, mode: str) -> None:
    assert "17,947" in ann.get("/table/ships").text
    host.post("/api/host/premeasure", {"mode": mode})
    assert "17,947" not in ann.get("/table/ships").text
    assert "17,947" not in ann.get("/table").text


def test_an_onlooker_sees_no_levers(app: Flask) -> None:
    onlooker = Phone(app)
    onlooker.join("Olga", role="onlooker", side=None)
    page = onlooker.get("/ships/list").text
    assert "Hood" in page
    assert "data-act" not in page


@pytest.mark.parametrize(("unit", "x"), [("yards", "24600"), ("inches", "49.20"), ("mm", "1250")])
def test_fields_are_in_the_readers_unit(ann: Phone, unit: str, x: str) -> None:
    assert ann.get(f"/menu?unit={unit}&back=/ships").headers["Location"] == "/ships"
    page = ann.get("/ships/list").text
    assert f'value="{x}"' in page
    assert f'"unit": "{unit}"' in page


def test_a_ships_name_is_only_text(host: Phone) -> None:
    name = "'\"><script>"
    assert host.post("/api/ships", {"name": name, "side": "german"}).status_code == 200
    for path in ("/ships", "/table", "/log"):
        assert "<script>" not in host.get(path).text


def test_the_log_tells_it_newest_first_and_filters(host: Phone, ann: Phone) -> None:
    host.post("/api/host/premeasure", {"mode": "declare"})
    page = ann.get("/log").text
    assert page.index("asks for a declaration") < page.index("joined the British side")
    assert "joined the British" not in ann.get("/log?show=decisions").text
    assert "asks for a declaration" in ann.get("/log/list?show=decisions").text
    assert ann.get("/log?show=nonsense").status_code == 200


def test_the_theme_is_remembered(phone: Phone) -> None:
    page = phone.get("/help").text
    assert 'media="(prefers-color-scheme: light)">' in page
    phone.get("/menu?theme=light&back=/help")
    assert re.search(r'tokens-paper\.css[^"]*">', phone.get("/help").text)
    phone.get("/menu?theme=dark&back=/help")
    assert "tokens-paper.css" not in phone.get("/help").text
    phone.get("/menu?theme=nonsense")
    assert "tokens-paper.css" not in phone.get("/help").text


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "https://evil.example", "/\\evil.example", "", "/\r\nSet-Cookie: a=b"],
)
def test_back_leads_nowhere_else(phone: Phone, back: str) -> None:
    response = phone.send("GET", "/menu", query_string={"theme": "dark", "back": back})
    assert response.headers["Location"] == "/"


def test_an_unknown_path_and_method_are_styled(ann: Phone) -> None:
    for response, status in ((ann.get("/nowhere"), 404), (ann.post("/table"), 405)):
        assert response.status_code == status
        assert "Back to the table" in response.text
        assert response.mimetype == "text/html"


def test_every_page_is_whole(app: Flask, host: Phone, ann: Phone) -> None:
    """No style attributes, no scripts within: what the content policy forbids."""
    pages = [(host, path) for path in HOSTS + SEATED] + [(ann, path) for path in PUBLIC + SEATED]
    for who, path in pages:
        page = who.get(path).text
        assert not re.search(r"<[^>]+\sstyle=", page), path
        assert not re.search(r"\son[a-z]+=", page), path
        inside = re.findall(r"<script(?![^>]*\ssrc=)([^>]*)>", page)
        assert all("application/json" in each for each in inside), path


def test_the_fonts_and_the_mark_come_from_here(phone: Phone) -> None:
    with phone.get("/fonts/SourceSerifPro-It.ttf") as font:
        assert font.mimetype == "font/ttf"
    assert phone.get("/fonts/passwd").status_code == 404
    assert phone.get("/favicon.ico").mimetype == "image/png"


def test_a_table_without_a_title_is_no_missing_table() -> None:
    scene = read_scene(b'[[ship]]\nname = "Hood"\nx = 9000\ny = 9000\nheading = 90\n', "one.toml")
    page = host_of(create_app(lambda: scene)).get("/host").text
    assert "Untitled table" in page
    assert "No table set up yet" not in page
