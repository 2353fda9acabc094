"""The door: names, origins, sizes, cookies, rights, headers, and how often one may guess."""

import re
import socket

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import LAN, Phone, host_of, running_in, seated, words_of
from web import create_app
from web.auth.attempts import (
    EACH_MINUTE,
    EACH_TEN_MINUTES,
    SEAT_TEN_MINUTES,
    Attempts,
    TooMany,
    network_of,
)
from web.auth.seats import (
    SEATS_EACH_NETWORK,
    SEATS_THIS_MACHINE,
    SESSION_DAYS,
    SESSIONS_EACH,
    Role,
    Seats,
)
from web.data_folder import table_in_memory
from web.http import guard
from web.http.context import ServerContext
from web.journal.store import Store
from web.scenes import demo_scene

PAGES = ("/host", "/table", "/ships", "/log", "/calculator", "/setup", "/check")
PICTURES = ("/camera.jpg", "/join-qr.svg", "/proof.png", "/proof.svg")
OPEN = ("/join", "/help", "/healthz", "/openapi.json", "/static/css/tokens.css", "/favicon.ico")


# Under which name


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:8080", "10.0.0.7", "[::1]"),
        *("[fe80::1]:80", "tower.example", "Tower.Example:99", socket.gethostname()),
    ],
)
def test_the_table_answers_under_the_machines_own_names(host: str) -> None:
    client = create_app(host="tower.example").test_client()
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil:8080"),
        *("[::1", "[zz]", "127.0.0.1:x", "localhost:80:80", "::1", "1.2.3", "localhost@evil", ""),
        *("127.0.0.1:999999", "local host", "127.0.0.1/", "2130706433", "0x7f.1"),
    ],
)
@pytest.mark.parametrize("address", ["/", "/api/view", "/healthz", "/static/css/layout.css"])
def test_under_any_other_name_it_says_where_to_go(
    client: FlaskClient, host: str, address: str
) -> None:
    response = client.get(address, headers={"Host": host})
    assert response.status_code == 400
    assert "Set-Cookie" not in response.headers
    if host == "evil.example":
        assert "does not answer under this name" in response.text
        assert "localhost" in response.text
        assert "default-src" in response.headers["Content-Security-Policy"]


def test_a_script_may_leave_the_host_out(client: FlaskClient) -> None:
    response = client.get("/healthz", environ_overrides={"HTTP_HOST": None})
    assert response.status_code == 200


# Who


def test_only_the_machines_own_user_becomes_host(app: Flask) -> None:
    assert host_of(app).view()["you"]["host"]
    for peer, at in (
        ("192.168.1.20", "localhost:8080"),
        ("127.0.0.1", LAN),
        ("192.168.1.20", LAN),
        ("not an address", "localhost"),
    ):
        stranger = Phone(app, peer, at)
        assert stranger.get("/").headers["Location"] == "/join"
        assert stranger.get("/api/view").status_code == 401


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("at", ["localhost", "127.0.0.1:8080", "[::1]:8080", "LocalHost.:80"])
def test_this_machine_has_many_addresses(app: Flask, peer: str, at: str) -> None:
    phone = Phone(app, peer, at)
    phone.get("/")
    assert phone.get("/api/view").status_code == 200


def test_the_cookie_is_for_this_table_alone(app: Flask) -> None:
    phone = Phone(app)
    said = phone.join().headers["Set-Cookie"]
    assert re.match(r"dreyer=[\w-]{40,};", said)
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
        assert part in said
    assert "Domain" not in said
    assert "Set-Cookie" not in phone.get("/api/view").headers


@pytest.mark.parametrize("path", PAGES)
def test_without_a_seat_a_page_leads_to_the_door(app: Flask, path: str) -> None:
    response = Phone(app).get(path)
    assert response.status_code == 303
    assert response.headers["Location"] == "/join"


def test_a_page_left_open_after_its_seat_is_gone_leads_to_a_door_that_says_so(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    (seat,) = running_in(app).session.seats
    assert host.post("/api/host/release", {"seat": seat.id}).status_code == 200
    response = ann.get("/table/ships", headers={"X-Part": "1"})
    assert (response.status_code, response.headers["Location"]) == (303, "/join?gone=1")
    assert "no longer has a seat" in ann.get("/join?gone=1").text


@pytest.mark.parametrize("path", PICTURES)
def test_without_a_seat_there_is_no_picture(app: Flask, path: str) -> None:
    response = Phone(app).get(path)
    assert response.status_code in (303, 401)
    assert "image" not in (response.mimetype or "")


@pytest.mark.parametrize("path", OPEN)
def test_what_is_open_to_everyone(app: Flask, path: str) -> None:
    with Phone(app).get(path) as response:
        assert response.status_code == 200


@pytest.mark.parametrize("cookie", ["x", "", "a" * 5000, "é", "..;", "dreyer", "\x7f", "s1"])
def test_a_made_up_cookie_holds_nothing(app: Flask, cookie: str) -> None:
    seated(app)
    phone = Phone(app)
    sent = {"Cookie": f"dreyer={cookie}"}
    assert phone.get("/api/view", headers=sent).status_code == 401
    assert phone.get("/table", headers=sent).status_code == 303


def test_a_cookie_that_was_planted_beforehand_holds_no_seat(app: Flask) -> None:
    victim, thief = Phone(app), Phone(app, "192.168.1.66")
    for phone in (victim, thief):
        phone.client.set_cookie("dreyer", "planted", domain="192.168.1.5")
    assert victim.join().status_code == 200
    assert victim.get("/api/view").status_code == 200
    assert thief.get("/api/view").status_code == 401


def test_rights_by_role(app: Flask) -> None:
    host, player = host_of(app), seated(app)
    umpire = seated(app, "Una", role="umpire", side=None)
    onlooker = seated(app, "Ole", role="onlooker", side=None)
    place = ("/api/ships/Hood/place", {"x": 20000, "y": 9000, "heading": 10})
    for phone in (host, player, umpire):
        assert phone.post(*place).status_code == 200
    refused = onlooker.post(*place)
    assert refused.status_code == 403
    assert "join a side" in words_of(refused)
    for path, body in (
        ("/api/host/lock", {"on": True}),
        ("/api/host/share", {"on": True}),
        ("/api/host/code", {}),
        ("/api/host/premeasure", {"mode": "umpire"}),
        ("/api/host/release", {"seat": "s1"}),
        ("/api/host/restart", {}),
    ):
        for phone in (player, umpire, onlooker):
            assert phone.post(path, body).status_code == 403
    assert host.post("/api/host/lock", {"on": True}).status_code == 200


# From which page


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "", "http://192.168.1.5", "http://192.168.1.5:8081"),
        *("https://192.168.1.5:8080", "http://192.168.1.5:8080/", "http://192.168.1.5:8080.evil"),
        *("http://a@192.168.1.5:8080", "//192.168.1.5:8080", "http://[", "http://192.168.1.5:x"),
    ],
)
def test_only_the_tables_own_pages_may_act(app: Flask, origin: str) -> None:
    phone = seated(app)
    before = phone.view()["log"]
    response = phone.post(
        "/api/smoke", {"x1": 1, "y1": 1, "x2": 900, "y2": 900}, headers={"Origin": origin}
    )
    assert response.status_code == 403
    assert "own pages" in words_of(response)
    assert phone.view()["log"] == before


def test_a_write_must_say_where_it_comes_from(app: Flask) -> None:
    phone = seated(app)
    response = phone.client.post("/api/leave", json={}, headers={"Host": LAN})
    assert response.status_code == 403
    assert f"Origin: http://{LAN}" in words_of(response)


def test_host_and_origin_may_be_written_in_any_letters(app: Flask) -> None:
    phone = Phone(app, "127.0.0.1", "LocalHost:8080")
    phone.get("/")
    done = phone.post("/api/host/lock", {"on": False}, headers={"Origin": "http://localhost:8080"})
    assert done.status_code == 200
    usual = Phone(app, "127.0.0.1", "localhost")
    usual.get("/")
    for origin in ("http://localhost", "http://localhost:80"):
        done = usual.post("/api/host/lock", {"on": False}, headers={"Origin": origin})
        assert done.status_code == 200


# How much, and of which kind


@pytest.mark.parametrize("mimetype", ["text/plain", "", "application/x-www-form-urlencoded"])
def test_writes_are_json_only(app: Flask, mimetype: str) -> None:
    phone = seated(app)
    response = phone.send("POST", "/api/leave", data=b"{}", content_type=mimetype)
    assert response.status_code == 415
    assert "application/json" in words_of(response)
    assert phone.get("/api/view").status_code == 200


def test_a_huge_body_is_refused_whether_or_not_it_says_so(app: Flask) -> None:
    phone = seated(app)
    huge = b'{"name": "' + b"x" * 70_000 + b'"}'
    response = phone.send("POST", "/api/ships", data=huge, content_type="application/json")
    assert response.status_code == 413
    assert "65,536" in words_of(response)
    lying = phone.send(
        "POST",
        "/api/ships",
        data=huge,
        content_type="application/json",
        headers={"Content-Length": "12"},
    )
    assert lying.status_code in (400, 413)


# Headers


@pytest.mark.parametrize("path", ["/join", "/nowhere", "/api/view", "/api/nowhere", "/healthz"])
def test_headers_are_strict(app: Flask, path: str) -> None:
    headers = Phone(app).get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    # At an address that browsers do not trust they would only complain about it.
    assert "Cross-Origin-Opener-Policy" not in headers
    assert (
        Phone(app, at="localhost").get(path).headers["Cross-Origin-Opener-Policy"] == "same-origin"
    )
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


def test_scripts_are_scripts_on_every_system(app: Flask) -> None:
    import mimetypes

    assert mimetypes.guess_type("live.js")[0] == "text/javascript"


# Faults


def test_faults_are_json_for_programs_and_pages_for_people(app: Flask) -> None:
    phone = seated(app)
    assert "nothing at this address" in words_of(phone.get("/api/nowhere"))
    page = phone.get("/nowhere")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    wrong = phone.get("/api/leave")
    assert wrong.status_code == 405
    assert "POST" in wrong.headers["Allow"]
    assert words_of(wrong)


def test_what_breaks_unexpectedly_is_told_kindly_and_leaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = create_app()

    def broken() -> str:
        raise RuntimeError("the secret of the house")

    app.add_url_rule("/broken", view_func=broken)
    app.add_url_rule("/api/broken", endpoint="api_broken", view_func=broken)
    phone = seated(app)
    for path in ("/broken", "/api/broken"):
        response = phone.get(path)
        assert response.status_code == 500
        assert "nothing you entered is lost" in response.text
        assert "secret" not in response.text
        assert "Traceback" not in response.text
    assert "the secret of the house" in caplog.text


# How often


def test_guessing_is_slowed_by_network() -> None:
    now = [1000.0]
    tries = Attempts(lambda: now[0])
    for _ in range(EACH_MINUTE):
        tries.begin("192.168.1.20")
    with pytest.raises(TooMany, match=r"join\.fault\.too_many_from_here") as refused:
        tries.begin("192.168.1.20")
    assert refused.value.seconds == 60
    tries.begin("192.168.1.21")
    for _ in range(EACH_TEN_MINUTES // EACH_MINUTE - 1):
        now[0] += 60
        for _ in range(EACH_MINUTE):
            tries.begin("192.168.1.20")
    now[0] += 60
    with pytest.raises(TooMany) as refused:
        tries.begin("192.168.1.20")
    assert refused.value.seconds == 300
    now[0] += 300
    tries.begin("192.168.1.20")


def test_many_wrong_ones_elsewhere_keep_nobody_out() -> None:
    tries = Attempts(lambda: 0.0)
    for number in range(1000):
        tries.begin(f"10.0.{number // 250}.{number % 250}")
    tries.begin("192.168.1.20", "ann")


def test_the_pins_of_one_seat_are_counted_from_everywhere() -> None:
    now = [0.0]
    tries = Attempts(lambda: now[0])
    for number in range(SEAT_TEN_MINUTES):
        tries.begin(f"10.0.0.{number}", "ann")
    with pytest.raises(TooMany, match=r"join\.fault\.too_many_for_seat"):
        tries.begin("10.0.1.1", "ann")
    tries.begin("10.0.1.1", "bob")
    now[0] += 600
    tries.begin("10.0.1.1", "ann")


def test_a_right_guess_costs_nothing() -> None:
    tries = Attempts(lambda: 0.0)
    for _ in range(10 * EACH_TEN_MINUTES):
        tries.discard(tries.begin("192.168.1.20", "ann"))


def test_a_household_is_one_address() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:2")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("?") == "?"


def test_wrong_codes_are_counted_and_told() -> None:
    now = [0.0]
    app = create_app(
        server_context=ServerContext(table_in_memory(demo_scene), clock=lambda: now[0])
    )
    phone = Phone(app)
    for _ in range(EACH_MINUTE):
        wrong = phone.join(code="AAAAAA")
        assert wrong.status_code == 403
        assert "code" in words_of(wrong)
    stopped = phone.join()
    assert stopped.status_code == 429
    assert stopped.headers["Retry-After"] == "60"
    assert "wait 60 seconds" in words_of(stopped)
    assert Phone(app, "192.168.1.21").join("Bob").status_code == 200
    now[0] += 61
    assert phone.join().status_code == 200


def test_wrong_pins_are_counted_on_every_way_in(app: Flask) -> None:
    seated(app)
    thief = Phone(app, "192.168.1.66")
    code = running_in(app).session.seats.code
    for number in range(EACH_MINUTE):
        pin = f"{number:04}"
        if number % 2:
            wrong = thief.post("/api/return", {"code": code, "name": "Ann", "pin": pin})
            assert wrong.status_code == 403
        else:
            wrong = thief.join(pin=pin)
            assert wrong.status_code == 409
    assert thief.join(pin="1234").status_code == 429
    assert thief.get("/api/view").status_code == 401


def test_looking_at_the_join_page_counts_and_tells_nothing(app: Flask) -> None:
    """A page from elsewhere can make a phone's browser get it, with any code."""
    seated(app, "Annabelle")
    code = running_in(app).session.seats.code
    phone = Phone(app)
    for number in range(3 * EACH_TEN_MINUTES):
        assert phone.get(f"/join?code=AAA{number:03}").status_code == 200
    assert "Annabelle" not in phone.get(f"/join?code={code}").text
    assert phone.join("Bob").status_code == 200


def test_who_sits_here_is_told_for_the_code_alone(app: Flask) -> None:
    seated(app, "Annabelle")
    seated(app, "Uma", role="umpire", side=None)
    phone = Phone(app)
    wrong = phone.post("/api/join/code", {"code": "AAAAAA"})
    assert wrong.status_code == 403
    right = phone.post("/api/join/code", {"code": running_in(app).session.seats.code})
    assert right.get_json()["people"] == [
        {"place": "british", "names": ["Annabelle"]},
        {"place": "umpire", "names": ["Uma"]},
    ]
    for _ in range(EACH_MINUTE - 1):
        assert phone.post("/api/join/code", {"code": "AAAAAA"}).status_code == 403
    assert phone.post("/api/join/code", {"code": "AAAAAA"}).status_code == 429


def test_wrong_codes_shut_out_no_phone_that_has_its_cookie(app: Flask) -> None:
    ann, eve, host = seated(app), Phone(app), host_of(app)
    for _ in range(2 * EACH_MINUTE):
        eve.join(code="AAAAAA")
    # The same address.
    assert ann.get("/api/view").status_code == 200
    assert ann.post("/api/leave").status_code == 200
    for _ in range(2 * EACH_MINUTE):
        assert host.join("Host", code="AAAAAA").status_code == 403
    assert host.join("Host").status_code == 200


def test_one_browser_has_one_seat(app: Flask) -> None:
    ann = seated(app)
    again = ann.join("Anne")
    assert again.status_code == 403
    assert "leave it first" in words_of(again)
    assert [seat.name for seat in running_in(app).session.seats] == ["Ann"]
    assert ann.post("/api/leave").status_code == 200
    assert ann.join("Anne").status_code == 200


def test_one_address_takes_so_many_seats_and_leaves_the_others(app: Flask) -> None:
    for number in range(SEATS_EACH_NETWORK):
        seated(app, f"Eve {number}")
    refused = Phone(app).join("One more")
    assert refused.status_code == 403
    assert "address" in words_of(refused)
    assert Phone(app, "192.168.1.77").join("Ann").status_code == 200
    # Scripts on this machine may play whole sides, and leave room, too.
    for number in range(SEATS_THIS_MACHINE):
        assert Phone(app, "127.0.0.1", "127.0.0.1:80").join(f"Bot {number}").status_code == 200
    assert Phone(app, "127.0.0.1", "127.0.0.1:80").join("Bot").status_code == 403


def test_the_host_is_welcomed_with_a_new_cookie(app: Flask) -> None:
    host = Phone(app, "127.0.0.1", "localhost:8080")
    host.client.set_cookie("dreyer", "chosen-by-eve", domain="localhost")
    host.get("/")
    eve = Phone(app)
    eve.client.set_cookie("dreyer", "chosen-by-eve", domain="192.168.1.5")
    assert eve.get("/api/view").status_code == 401
    assert host.view()["you"]["host"]
    found = host.client.get_cookie("dreyer", domain="localhost")
    assert found is not None
    # Welcomed again, nothing changes.
    host.get("/")
    assert host.client.get_cookie("dreyer", domain="localhost") == found


@pytest.mark.parametrize(
    ("site", "mode", "dest", "welcome"),
    [
        ("none", "navigate", "document", True),
        ("same-origin", "cors", "empty", True),
        ("cross-site", "navigate", "document", True),
        ("cross-site", "no-cors", "image", False),
        ("cross-site", "navigate", "iframe", False),
        ("same-site", "cors", "empty", False),
    ],
)
def test_what_another_sites_page_fetches_makes_no_session(
    app: Flask, site: str, mode: str, dest: str, *, welcome: bool
) -> None:
    phone = Phone(app, "127.0.0.1", "localhost:8080")
    sent = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    for path in ("/", "/tv"):
        assert ("Set-Cookie" in phone.get(path, headers=sent).headers) is (welcome and path == "/")


def test_sessions_of_a_seat_and_of_the_host_are_bounded() -> None:
    store = Store(None)
    seats = Seats(store)
    first = seats.join(None, seats.code, "Ann", Role.PLAYER, "british", "1234")[1]
    hosts = [seats.host_cookie(None) for _ in range(SESSIONS_EACH + 3)]
    assert len(store.sessions()) == SESSIONS_EACH + 1
    assert [seats.caller(each).host for each in (hosts[0], hosts[-1])] == [False, True]
    assert seats.caller(first).seat is not None


def test_a_host_cookie_of_a_phone_is_replaced_and_ends(app: Flask) -> None:
    """A seat that was taken on this machine before it was the host's."""
    at_home = Phone(app, "127.0.0.1", "localhost:8080")
    assert at_home.join().status_code == 200
    before = at_home.client.get_cookie("dreyer", domain="localhost")
    at_home.get("/")
    after = at_home.client.get_cookie("dreyer", domain="localhost")
    assert before is not None
    assert after is not None
    assert before.value != after.value
    assert at_home.view()["you"]["name"] == "Ann"
    thief = Phone(app)
    thief.client.set_cookie("dreyer", before.value, domain="192.168.1.5")
    assert thief.get("/api/view").status_code == 401


def test_a_session_ends_when_its_seat_is_left_released_or_long_unused() -> None:
    today = [1000]
    store = Store(None)
    seats = Seats(store, lambda: today[0])

    def sit(name: str) -> str:
        return seats.join(None, seats.code, name, Role.PLAYER, "british", "1234")[1]

    cookies = {name: sit(name) for name in ("Ann", "Bob", "Cid", "Dan")}
    seats.leave(seats.caller(cookies["Ann"]))
    bob = seats.caller(cookies["Bob"]).seat
    assert bob is not None
    seats.release(bob.id)
    assert len(store.sessions()) == 2
    today[0] += SESSION_DAYS
    seats.touch(seats.caller(cookies["Cid"]))
    today[0] += 1
    later = Seats(store, lambda: today[0])
    assert later.caller(cookies["Cid"]).seat is not None
    assert later.caller(cookies["Dan"]).seat is None
    assert later.reclaim(None, later.code, "Dan", "1234")[0].name == "Dan"


def test_names_of_this_machine() -> None:
    assert guard.names_this_machine("localhost:1")
    assert not guard.names_this_machine("localhost.evil.example")
    assert not guard.names_this_machine("[::1")
