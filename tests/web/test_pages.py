"""The page: what it shows, where taps lead, and that no request breaks it."""

import re
import socket
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import ShipToml
from web import create_app
from web.scenes import scene_file


def test_the_table_shows_chart_choices_and_all_ranges(client: FlaskClient) -> None:
    response = client.get("/")
    page = response.text
    assert response.status_code == 200
    assert page.count("<svg xmlns") == 2
    assert "Denmark Strait" in page
    assert "Who sees whom?" in page
    assert "18,390 ± 22" in page
    assert page.count('scope="row"') == 4


def test_a_tap_chooses_first_who_looks_then_at_whom(client: FlaskClient) -> None:
    assert 'href="/?firer=Bismarck"' in client.get("/").text
    chosen = client.get("/?firer=Bismarck").text
    assert "Now the target" in chosen
    assert 'href="/?firer=Bismarck&amp;target=Hood"' in chosen
    pair = client.get("/?firer=Bismarck&target=Hood").text
    assert re.search(r'id="range">17,947<', pair)
    assert re.search(r'id="segment">Long low<', pair)
    assert 'href="/?firer=Hood&amp;target=Bismarck"' in pair


def test_a_blocked_line_says_by_whom_and_where(client: FlaskClient) -> None:
    page = client.get("/?firer=Prince of Wales&target=Bismarck").text
    assert "Blocked" in page
    assert "The line meets Hood at 1,553 yd from Prince of Wales." in page


def test_choosing_one_ship_twice_is_explained(client: FlaskClient) -> None:
    response = client.get("/?firer=Hood&target=Hood")
    assert response.status_code == 200
    assert "cannot look at herself" in response.text
    assert client.get("/chart.svg?firer=Hood&target=Hood").status_code == 400


@pytest.mark.parametrize(
    "address", ["/?firer=Hod", "/?firer=Hood&target=Bismark", "/chart.png?firer=x"]
)
def test_an_unknown_ship_is_a_friendly_404(client: FlaskClient, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert "No such ship on this table" in response.text
    assert "Back to the table" in response.text
    assert "did you mean" in response.text or "known are" in response.text


@pytest.mark.parametrize("name", ["<script>", "\x00", "Ω" * 5000, "'\"", "%s{{7*7}}"])
def test_a_hostile_query_is_only_text(client: FlaskClient, name: str) -> None:
    response = client.get("/", query_string={"firer": name})
    assert response.status_code == 404
    assert "<script" not in response.text
    assert len(response.text) < 20_000


def test_an_unknown_path_and_method_are_styled(client: FlaskClient) -> None:
    for response, status in ((client.get("/nowhere"), 404), (client.post("/"), 405)):
        assert response.status_code == status
        assert "Back to the table" in response.text
        assert response.mimetype == "text/html"
    assert "GET" in client.post("/").headers["Allow"]


def test_health(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json == {"status": "ok"}


@pytest.mark.parametrize("address", ["/", "/?firer=Hod", "/nowhere", "/chart.svg", "/healthz"])
def test_headers_are_strict(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


def test_the_page_needs_no_inline_style_or_script(client: FlaskClient) -> None:
    for address in ("/", "/?firer=Hood&target=Bismarck", "/nowhere"):
        page = client.get(address).text
        assert "<script" not in page
        assert "<style" not in page
        assert " style=" not in page
        assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_pictures_to_take_away(client: FlaskClient) -> None:
    svg = client.get("/chart.svg?firer=Hood&target=Bismarck")
    assert svg.mimetype == "image/svg+xml"
    assert "Hood to Bismarck" in svg.text
    assert "var(" not in svg.text
    png = client.get("/chart.png?firer=Hood&target=Bismarck")
    assert png.mimetype == "image/png"
    assert png.data.startswith(b"\x89PNG")
    assert client.get("/chart.svg?theme=light").text != client.get("/chart.svg?theme=dark").text


def test_the_theme_is_kept_in_a_cookie(client: FlaskClient) -> None:
    assert 'media="(prefers-color-scheme: light)"' in client.get("/").text
    chosen = client.get("/?theme=light&firer=Hood")
    assert chosen.status_code == 303
    assert chosen.headers["Location"] == "/?firer=Hood"
    assert 'paper.css">' in client.get("/").text
    client.get("/?theme=dark")
    assert "paper.css" not in client.get("/").text
    assert client.get("/?theme=pink").status_code == 200


def test_fonts_come_from_the_package_and_nothing_else_does(client: FlaskClient) -> None:
    with client.get("/fonts/SourceSerifPro-It.ttf") as response:
        assert response.mimetype == "font/ttf"
        assert "max-age" in response.headers["Cache-Control"]
    for name in ("SourceSansPro-Black.ttf", "..%2f__init__.py", "LICENSE.txt"):
        assert client.get(f"/fonts/{name}").status_code == 404


@pytest.mark.parametrize("name", ["dreyer.css", "page.css", "paper.css", "mark.svg"])
def test_static_files_are_there(client: FlaskClient, name: str) -> None:
    with client.get(f"/static/{name}") as response:
        assert response.status_code == 200


def test_browsers_find_the_mark_where_they_look_for_it(client: FlaskClient) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 200
    assert response.mimetype == "image/png"
    assert response.data.startswith(b"\x89PNG")
    assert "max-age" in response.headers["Cache-Control"]


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:8080", "10.0.0.7", "[::1]"),
        *("[fe80::1]:80", "tower.example", "Tower.Example:99", socket.gethostname()),
    ],
)
def test_the_table_answers_under_the_machines_own_names(host: str) -> None:
    client = create_app(host="tower.example").test_client()
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil:8080"),
        *("[::1", "[zz]", "127.0.0.1:x", "localhost:80:80", "::1", "1.2.3", "localhost@evil", ""),
    ],
)
@pytest.mark.parametrize("address", ["/", "/chart.png", "/healthz", "/static/page.css"])
def test_under_any_other_name_it_says_where_to_go(
    client: FlaskClient, host: str, address: str
) -> None:
    response = client.get(address, headers={"Host": host})
    assert response.status_code == 400
    if host == "evil.example":
        assert "does not answer under this name" in response.text
        assert "localhost" in response.text
        assert "default-src" in response.headers["Content-Security-Policy"]


def test_a_script_may_leave_the_host_out(client: FlaskClient) -> None:
    response = client.get("/healthz", environ_overrides={"HTTP_HOST": None})
    assert response.status_code == 200


def test_a_scene_file_is_read_anew_and_its_faults_are_told(
    tmp_path: Path, ship_toml: ShipToml
) -> None:
    path = tmp_path / "mine.toml"
    client = create_app(scene_file(path)).test_client()
    assert client.get("/").status_code == 503
    path.write_text(ship_toml("Hood", 0, 0), encoding="utf-8")
    assert "Hood is alone" in client.get("/").text
    path.write_text("[[ship]]\nname = 3", encoding="utf-8")
    broken = client.get("/")
    assert broken.status_code == 503
    assert "mine.toml, ship 1" in broken.text
    assert client.get("/chart.png").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_a_close_call_shows_both_readings_and_the_margin(
    tmp_path: Path, ship_toml: ShipToml
) -> None:
    path = tmp_path / "close.toml"
    path.write_text(
        ship_toml("Hood", 0, 0, position_sigma_mm=1)
        + ship_toml("Bismarck", 0, 19990, 90, position_sigma_mm=1),
        encoding="utf-8",
    )
    page = create_app(scene_file(path)).test_client().get("/?firer=Hood&target=Bismarck").text
    assert "Too close to call" in page
    assert ">Long low<" in page
    assert ">Long high<" in page
    assert "10 yd from 20,000 yd" in page
    assert 'class="ruler"' in page


def test_a_fleet_gets_a_list_instead_of_a_matrix(tmp_path: Path, ship_toml: ShipToml) -> None:
    path = tmp_path / "fleet.toml"
    path.write_text(
        "".join(ship_toml(f"Ship {n}", n * 2000, (n % 5) * 3000) for n in range(30)), "utf-8"
    )
    page = create_app(scene_file(path)).test_client().get("/?firer=Ship 7").text
    assert "Everybody to everybody" not in page
    assert page.count("<li><a href") == 29
