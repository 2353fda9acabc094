"""Requests that mean harm, by hand and by the hundred: no fault of ours, no leak, no change."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from markupsafe import escape
from schemathesis.specs.openapi import checks

from tests.web.phones import Phone, host_of, rules_of, running_in, seated, words_of
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.live import Streams
from web.scenes import demo_scene
from web.server.listeners import listen


def _victim() -> tuple[Flask, str]:
    """An application whose streams end at once, and the cookie of its host."""
    server_context = ServerContext(table_in_memory(demo_scene), streams=Streams(life_seconds=0.0))
    app = create_app(server_context=server_context)
    return app, server_context.session.with_seats(lambda seats: seats.host_cookie(None))


APP, COOKIE = _victim()
schema = schemathesis.openapi.from_wsgi("/openapi.json", APP)
_FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


@schema.parametrize()
@_FEW
def test_the_api_is_as_described(case: "schemathesis.Case[Any]") -> None:
    sent = {"Cookie": f"dreyer={COOKIE}"}
    made: Any = case.headers or {}
    if re.fullmatch(r"https?://[!-~]+", str(made.get("Origin", ""))):
        # A well-formed origin becomes the right one; one that is meant to be wrong stays so.
        sent["Origin"] = "http://localhost"
    response = case.call(headers=sent)
    # What is well formed may still be off the table, or a name that is taken.
    case.validate_response(response, excluded_checks=[checks.positive_data_acceptance])


@schema.parametrize()
@settings(_FEW, max_examples=3)
def test_a_stranger_changes_nothing(case: "schemathesis.Case[Any]") -> None:
    session = running_in(APP).session
    before = (session.log(), tuple(session.seats), session.seats.code)
    response = case.call(headers={"Origin": "http://evil.example"})
    assert response.status_code < 500
    assert (session.log(), tuple(session.seats), session.seats.code) == before


# By hand

_PLACE = "/api/ships/Hood/place"


@pytest.fixture
def ann(app: Flask) -> Iterator[Phone]:
    """A player; whatever a test sends in her name, the table is as it was."""
    phone = seated(app)
    before = {**phone.view(), "seq": None}
    yield phone
    assert {**phone.view(), "seq": None} == before


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"x": NaN, "y": 1, "heading": 1}', "NaN"),
        (b'{"x": Infinity, "y": 1, "heading": 1}', "Infinity"),
        (b'{"x": -Infinity, "y": 1, "heading": 1}', "Infinity"),
        (b'{"x": 1e999, "y": 1, "heading": 1}', "got inf"),
        (b'{"x": 1' + b"0" * 400 + b', "y": 1, "heading": 1}', "x"),
        (b'{"x": 1' + b"0" * 5000 + b', "y": 1, "heading": 1}', "JSON"),
        (b'{"x": 1, "x": 2, "y": 1, "heading": 1}', "twice"),
        (b'{"x": 1, "y": 1, "heading": 1, "reason": "\\ud800"}', "Reason"),
        (b'{"x": 1, "y": 1, "heading": 1, "reason": "\\u0000"}', "Reason"),
        (b'{"x": 1, "y": 1, "heading": 1, "reason": "\xff\xfe"}', "UTF-8"),
        (b"\xef\xbb\xbf{}", "JSON"),
        (b"", "JSON"),
        (b"null", "object"),
        (b"[]", "object"),
        (b"7", "object"),
        (b'"x"', "object"),
        (b"{", "JSON"),
        (b"{} {}", "JSON"),
        (b"{'x': 1}", "JSON"),
        (b'{"x": 1, "y": 1, "heading": 1,}', "JSON"),
        (b'{"__proto__": {}, "x": 1, "y": 1, "heading": 1}', "__proto__"),
        (b'{"x": {"x": 1}, "y": 1, "heading": 1}', "number"),
        (b"[" * 60_000, "nested"),
        (b'{"x":' * 10_000 + b"1" + b"}" * 10_000, "nested"),
    ],
)
def test_json_with_tricks_is_a_400_in_words(ann: Phone, body: bytes, words: str) -> None:
    response = ann.send("POST", _PLACE, data=body, content_type="application/json")
    assert response.status_code == 400, response.text
    assert words in words_of(response)
    assert len(response.data) < 1000


_BOMBS = (
    b"a = " + b"[" * 20_000 + b"]" * 20_000,
    b"a = " + b"{a = " * 15_000 + b"1" + b"}" * 15_000,
    b"\n".join(b"a" + b".a" * 700 + b"%d = 1" % number for number in range(30)),
    b"a = " + b"9" * 50_000,
    b"[[ship]]\nname = 'a'\nx = nan\ny = inf\nheading = 1e308\n",
    b"[[a]]\n" * 9000,
    b'{"a":' * 10_000,
    b"a: &a ['x']\nb: [*a, *a, *a]\n",
    b"PK\x03\x04" + b"\0" * 200,
    b"\x1f\x8b\x08" + b"\0" * 200,
    b"\xff\xfe\xfa",
    b"a = '\0'",
)


@pytest.mark.parametrize("kind", ["own-scenario", "import", "own-cards", "owner", "conversions"])
def test_no_file_is_a_bomb(app: Flask, kind: str) -> None:
    """Files that nest, repeat or count without end are refused with one sentence."""
    path = {
        "own-scenario": "/api/battles/own-scenario",
        "import": "/api/battles/import",
        "own-cards": "/api/own-cards/import",
        "owner": "/api/owner/import",
        "conversions": "/api/conversions/file",
    }[kind]
    host = host_of(app)
    before = host.view()["seq"]
    for data in _BOMBS:
        response = host.send("POST", path, data=data, content_type="application/octet-stream")
        assert response.status_code == 400, (data[:40], response.text)
        assert len(response.data) < 1000
    assert host.view()["seq"] == before


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../__init__.py", "/static/..%2f__init__.py", "/static/%2e%2e/pages.py"),
        *("/static//etc/passwd", "/static/..\\pages.py", "/fonts/../../pyproject.toml"),
        *("/fonts/..%5c..%5cpyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"),
        *("/api/ships/..%2f..%2fetc", "/static/css/tokens.css%00.png", "/static/"),
        *("/join-qr.svg/../../x", "/camera.jpg?source=/etc/passwd"),
    ],
)
def test_no_path_leads_out(app: Flask, path: str) -> None:
    response = Phone(app).get(path)
    assert response.status_code in (303, 308, 400, 401, 404, 405)
    assert "root:" not in response.text
    assert "import " not in response.text


@pytest.mark.parametrize(
    "sent",
    [
        {"Cookie": "dreyer=s1"},
        {"Cookie": "dreyer=s1; seat=s1; host=1"},
        {"Cookie": "dreyer=" + "0" * 64},
        {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"},
        {"Forwarded": "for=127.0.0.1;host=localhost"},
        {"X-Real-IP": "127.0.0.1"},
        {"Authorization": "Bearer host"},
        {"X-HTTP-Method-Override": "DELETE"},
    ],
)
def test_no_header_makes_a_seat(app: Flask, ann: Phone, sent: dict[str, str]) -> None:
    stranger = Phone(app, "192.168.1.66")
    assert stranger.get("/api/view", headers=sent).status_code == 401
    stranger.get("/", headers=sent)
    assert stranger.get("/api/view").status_code == 401
    assert stranger.post("/api/host/code", headers=sent).status_code == 401
    assert ann.get("/api/view").status_code == 200


def test_the_hash_that_is_kept_opens_nothing(app: Flask, ann: Phone) -> None:
    """Who steals the file still has no cookie."""
    token = running_in(app).session.caller(_held(ann)).token
    stranger = Phone(app, "192.168.1.66")
    stranger.client.set_cookie("dreyer", token, domain="192.168.1.5")
    assert stranger.get("/api/view").status_code == 401


def test_a_method_nobody_knows(ann: Phone) -> None:
    for method in ("PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND", "X"):
        assert ann.send(method, "/api/view").status_code == 405


@pytest.mark.parametrize("query", ["before=9" + "9" * 5000, "before=%00", "before=١", "%ff=%fe"])
def test_queries_are_read_strictly(ann: Phone, query: str) -> None:
    response = ann.get(f"/api/log?{query}")
    assert response.status_code == 400
    assert len(response.data) < 1000


def test_other_peoples_pictures_and_scripts_stay_out(app: Flask) -> None:
    host = host_of(app)
    answer = host.post("/api/host/wifi", {"name": "</svg><script>alert(1)</script>"})
    assert "<script" not in answer.get_json()["svg"]
    assert host.post("/api/ships", {"name": "<script>"}).status_code == 200
    for path in ("/table", "/ships", "/log", "/host"):
        assert "<script>" not in host.get(path).text


@pytest.mark.parametrize("name", ["a/b", "../../etc/passwd", "定遠", "سفينة", "%2e%2e?#", "🚢"])
def test_a_ship_of_any_name_has_all_her_pages(app: Flask, name: str) -> None:
    host, quoted = host_of(app), quote(name, safe="")
    ship = {"name": name, "type": "Hood", "side": "british"}
    assert host.post("/api/ships", ship).status_code == 200
    place = {"x": 9000, "y": 3000, "heading": 20}
    assert host.post(f"/api/ships/{quoted}/place", place).status_code == 200
    assert host.post("/api/battle/begin").status_code == 200
    ann = seated(app)
    for path in ("/sheet/{}", "/sheet/{}/part", "/battle/plot/{}", "/battle/plot/{}/part"):
        page = ann.get(path.format(quoted))
        assert page.status_code == 200, path
        assert escape(name) in page.text
    assert ann.get(f"/sheet/{quoted}.pdf").data.startswith(b"%PDF")
    for path in ("/battle/plot/{}/ships", "/battle/fire/{}"):
        assert ann.get(path.format(quoted)).status_code == 200, path
    report, replay = ann.get("/report.html"), ann.get("/replay/data")
    assert report.status_code == replay.status_code == 200


_VALUES = (
    *(
        "",
        "x" * 3000,
        "\0",
        "NaN",
        "-1",
        "1e999",
        "9" * 400,
        "<script>alert(1)</script>",
        "../../x",
    ),
    *(
        "%",
        "{{7919*7919}}",
        "\u202e",
        "𝕏",
        "Hood",
        "Bismarck",
        "//evil.example",
        "javascript:alert(1)",
    ),
)
_KEYS = (
    *("firer", "target", "battery", "guns", "range_yards", "range", "quadrant", "aspect", "sight"),
    *("code", "back", "theme", "unit", "show", "step", "token", "paper", "marked", "n", "shape"),
    *("visibility", "first_fire_at_target", "ship", "name", "camera", "speed", "return", "gone"),
)
_PATHS = sorted(
    {
        rule.rule
        for rule in rules_of(APP)
        if "GET" in (rule.methods or ()) and not rule.rule.startswith(("/api/", "/static/"))
    }
)


@pytest.mark.parametrize("rule", _PATHS)
def test_no_query_breaks_a_page(rule: str) -> None:
    """Every page, every value in every key at once, as the host and as nobody."""
    host, stranger = host_of(APP), Phone(APP, "192.168.1.66")
    for value in _VALUES:
        path = re.sub(r"<[^>]+>", "x", rule)
        for who in (host, stranger):
            with closing(who.get(path, query_string=dict.fromkeys(_KEYS, value))) as response:
                assert response.status_code < 500, (path, value, response.text[:500])
                if response.mimetype == "text/html":
                    assert "<script>" not in response.text
                    assert "62710561" not in response.text
                where = response.headers.get("Location", "/")
                assert where.startswith("/")
                assert not where.startswith("//")
    for key in _KEYS:
        for value in ("Hood", "\0"):
            with closing(host.get(path, query_string={key: value})) as response:
                assert response.status_code < 500, (path, key, value, response.text[:500])


def test_a_thousand_writes_do_not_tire_it(app: Flask) -> None:
    host = host_of(app)
    for number in range(200):
        host.post("/api/ships", {"name": f"s{number}"})
    full = host.post("/api/ships", {"name": "one more"})
    assert full.status_code == 400
    assert "at most" in words_of(full)
    assert len(json.dumps(host.view())) < 200_000


# On the wire


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A real server."""
    server_context = ServerContext(table_in_memory(demo_scene))
    with (
        listen("127.0.0.1", 0) as door,
        serve(create_app(server_context=server_context), server_context, door),
    ):
        yield door.getsockname()[1]


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 303),
        (b"POST /api/leave HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", 400),
        (b"POST /api/leave HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2, 3\r\n\r\n{}", 400),
        (
            b"POST /api/leave HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
            413,
        ),
        (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /api/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"NONSENSE\r\n\r\n", 400),
    ],
)
def test_broken_http_breaks_nothing(port: int, raw: bytes, status: int) -> None:
    answer = _talk(port, raw)
    assert answer.startswith(b"HTTP/1."), answer[:80]
    assert int(answer.split()[1]) == status
    assert b"Traceback" not in answer
    assert _talk(port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").split()[1] == b"200"


def _talk(port: int, raw: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(raw)
        return connection.recv(65_536)


def _held(phone: Phone) -> str:
    cookie: Any = phone.client.get_cookie("dreyer", domain="192.168.1.5")
    return str(cookie.value)
