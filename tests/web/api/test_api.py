"""The API: what each address does, and what it refuses."""

import json
from typing import Any

import pytest
from flask import Flask

from tabletop.messages import verbatim
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web.server.network import Network
from web.server.sharing import Sharing


def ship(view: dict[str, Any], name: str) -> dict[str, Any]:
    """One ship of a view."""
    found: dict[str, Any] = next(each for each in view["ships"] if each["name"] == name)
    return found


# Seats


def test_joining_gives_a_seat_and_the_table(app: Flask) -> None:
    phone = Phone(app)
    answer = phone.join(" Ann  B ").get_json()
    assert (answer["name"], answer["role"], answer["side"]) == ("Ann B", "player", "british")
    you = phone.view()["you"]
    assert (you["seat"], you["name"], you["side"]) == (answer["seat"], "Ann B", "british")
    assert not you["host"]
    assert phone.view()["join"] is None
    assert phone.view()["log"][-1]["text"] == "joined the British side"


def test_a_code_is_read_as_people_type_it(app: Flask) -> None:
    code = running_in(app).session.seats.code
    assert Phone(app).join(code=f" {code[:3].lower()}-{code[3:]} ").status_code == 200


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"code": "AAAAAA"}, "not the table’s code"),
        ({"name": ""}, "1 to 24"),
        ({"name": "x" * 25}, "1 to 24"),
        ({"name": "a\nb"}, "printable"),
        ({"name": "a\u202eb"}, "printable"),
        ({"name": 7}, "expected a line of text"),
        ({"pin": "12345"}, "a PIN of 4 figures"),
        ({"pin": "12a4"}, "a PIN of 4 figures"),
        ({"pin": "１２３４"}, "a PIN of 4 figures"),
        ({"pin": 1234}, "a PIN of 4 figures"),
        ({"role": "admiral"}, "one of player, umpire, onlooker"),
        ({"side": None}, "Choose a side"),
        ({"side": "atlantean"}, "Choose a side"),
        ({"host": True}, "Unknown key"),
    ],
)
def test_what_joining_refuses(app: Flask, wrong: dict[str, object], words: str) -> None:
    code = running_in(app).session.seats.code
    right = {"code": code, "name": "Ann", "side": "british", "pin": "1234"}
    response = Phone(app).post("/api/join", {**right, **wrong})
    assert response.status_code in (400, 403)
    assert words in words_of(response)
    assert "Set-Cookie" not in response.headers
    assert list(running_in(app).session.seats) == []


def test_coming_back_on_another_phone(app: Flask) -> None:
    first = seated(app)
    code = running_in(app).session.seats.code
    second = Phone(app, "192.168.1.30")
    wrong = second.post("/api/return", {"code": code, "name": "Ann", "pin": "9999"})
    assert wrong.status_code == 403
    stranger = second.post("/api/return", {"code": code, "name": "Zoe", "pin": "9999"})
    assert words_of(stranger) == words_of(wrong)
    back = second.post("/api/return", {"code": code, "name": "ann", "pin": "1234"})
    assert back.status_code == 200
    assert second.view()["you"]["seat"] == first.view()["you"]["seat"]


def test_joining_twice_under_one_name_comes_back_with_the_pin_alone(app: Flask) -> None:
    seated(app)
    again, other = Phone(app), Phone(app)
    assert again.join().status_code == 200
    taken = other.join(pin="9999")
    assert taken.status_code == 409
    assert "already has a seat here" in words_of(taken)
    assert len(list(running_in(app).session.seats)) == 1


def test_leaving_and_leaving_again(app: Flask) -> None:
    phone = seated(app)
    assert phone.post("/api/leave").status_code == 200
    assert phone.get("/api/view").status_code == 401
    assert phone.post("/api/leave").status_code == 200
    assert host_of(app).view()["log"][-1]["text"] == "left the table"


def test_the_host_may_play_and_stays_host(app: Flask) -> None:
    host = host_of(app)
    assert host.join("Harry", side="german").status_code == 200
    you = host.view()["you"]
    assert you["host"]
    assert you["side"] == "german"
    host.post("/api/leave")
    assert host.view()["you"]["host"]


# The host


def test_locking_releasing_and_renewing(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    host.post("/api/host/lock", {"on": True})
    refused = Phone(app).join("Bob")
    assert refused.status_code == 403
    assert "locked" in words_of(refused)
    assert Phone(app).join("Ann").status_code == 200
    host.post("/api/host/lock", {"on": False})
    old = host.view()["join"]["code"]
    fresh = host.post("/api/host/code").get_json()["code"]
    assert fresh != old
    assert Phone(app).join("Bob", code=old).status_code == 403
    assert ann.get("/api/view").status_code == 200
    seat = ann.view()["you"]["seat"]
    assert host.post("/api/host/release", {"seat": seat}).status_code == 200
    assert ann.get("/api/view").status_code == 401
    assert host.post("/api/host/release", {"seat": seat}).status_code == 404
    assert Phone(app).join("Ann", pin="7777").status_code == 200


def test_sharing_is_the_hosts_and_shows_the_link(app: Flask) -> None:
    opened: list[str] = []

    class Door:
        def close(self) -> None:
            opened.clear()

    def open_(address: str, _: int) -> Door:
        opened.append(address)
        return Door()

    networks = (
        Network("192.168.1.5", verbatim("Wi-Fi (wlan0)")),
        Network("10.0.0.7", verbatim("")),
    )
    running_in(app).sharing = Sharing(open_, 8080, networks=lambda: networks)
    host = host_of(app)
    join = host.view()["join"]
    assert (join["shared"], join["address"]) == (False, "http://127.0.0.1:8080")
    answer = host.post("/api/host/share", {"on": True}).get_json()
    assert opened == ["192.168.1.5"]
    assert answer["link"] == f"http://192.168.1.5:8080/join?code={join['code']}"
    assert host.view()["join"]["link"] == answer["link"]
    drawn = host.get("/join-qr.svg")
    assert drawn.mimetype == "image/svg+xml"
    assert answer["link"] in drawn.text
    assert seated(app).get("/join-qr.svg").status_code == 403
    wrong = host.post("/api/host/share", {"on": True, "address": "8.8.8.8"})
    assert wrong.status_code == 409
    assert "192.168.1.5" in words_of(wrong)
    host.post("/api/host/share", {"on": False})
    assert opened == []


def test_the_wifi_code_is_made_and_forgotten(app: Flask) -> None:
    host = host_of(app)
    made = host.post("/api/host/wifi", {"name": "Club", "password": "battleship"})
    assert made.get_json()["svg"].startswith("<svg")
    assert host.post("/api/host/wifi", {"name": ""}).status_code == 400


def test_a_new_table_and_the_same_again(app: Flask) -> None:
    host = host_of(app)
    table = {
        "title": "Solent",
        "ruleset": host.view()["table"]["ruleset"],
        "width_inches": 60,
        "height_inches": 40,
        "ships": [
            {"name": "Hood", "x": 5000, "y": 5000, "heading": 90},
            {"name": "Tug", "side": "neutral"},
        ],
    }
    assert host.post("/api/host/table", table).status_code == 200
    view = host.view()
    assert view["table"]["title"] == "Solent"
    assert [each["placed"] for each in view["ships"]] == [True, False]
    host.post("/api/ships/Hood/place", {"x": 100, "y": 100, "heading": 0})
    assert host.post("/api/host/restart").status_code == 200
    assert ship(host.view(), "Hood")["x"] == 5000
    half = {**table, "ships": [{"name": "Hood", "x": 5000}]}
    assert "together" in words_of(host.post("/api/host/table", half))
    unknown = host.post("/api/host/table", {**table, "ruleset": "chess"})
    assert unknown.status_code == 404
    many = {**table, "ships": [{"name": f"s{n}"} for n in range(201)]}
    assert host.post("/api/host/table", many).status_code == 400


def test_the_house_rule_hides_what_measures(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    assert ann.view()["rings"]
    assert host.post("/api/host/premeasure", {"mode": "declare"}).status_code == 200
    assert ann.view()["rings"] == []
    assert ann.view()["you"]["may"]["measure"] == "declare"
    assert ann.post("/api/declare", {"firer": "Hood", "target": "Bismarck"}).status_code == 200
    assert ann.view()["declared"] == [{"firer": "Hood", "target": "Bismarck", "by": "Ann"}]
    host.post("/api/host/premeasure", {"mode": "umpire"})
    refused = ann.post("/api/declare", {"firer": "Hood", "target": "Bismarck"})
    assert refused.status_code == 403


# Ships and smoke


def test_a_ships_life_by_hand(app: Flask) -> None:
    ann = seated(app)
    assert ann.post("/api/ships", {"name": "Norfolk"}).status_code == 200
    assert not ship(ann.view(), "Norfolk")["placed"]
    put = {"x": 1000, "y": 2000, "heading": -90, "reason": "drifted"}
    assert ann.post("/api/ships/Norfolk/place", put).status_code == 200
    norfolk = ship(ann.view(), "Norfolk")
    assert (norfolk["x"], norfolk["y"], norfolk["heading"]) == (1000, 2000, 270)
    assert norfolk["state"] == "by_hand"
    assert ann.post("/api/ships/Norfolk/lift").status_code == 200
    assert not ship(ann.view(), "Norfolk")["placed"]
    assert ann.post("/api/ships/Norfolk/follow").status_code == 200
    assert ann.delete("/api/ships/Norfolk").status_code == 200
    assert ann.delete("/api/ships/Norfolk").status_code == 404


@pytest.mark.parametrize(
    ("unit", "x", "yards"), [("inches", 10, 5000), ("mm", 254, 5000), ("yards", 5000, 5000)]
)
def test_places_in_any_unit(app: Flask, unit: str, x: float, yards: float) -> None:
    ann = seated(app)
    put = {"x": x, "y": 1, "heading": 0, "unit": unit}
    assert ann.post("/api/ships/Hood/place", put).status_code == 200
    assert ship(ann.view(), "Hood")["x"] == pytest.approx(yards)


def test_names_with_slashes_and_signs(app: Flask) -> None:
    ann = seated(app)
    for name in ("U/47", "Ærø", "a b?", "100%"):
        assert ann.post("/api/ships", {"name": name}).status_code == 200
        path = "/api/ships/" + "".join(f"%{byte:02X}" for byte in name.encode())
        put = {"x": 1, "y": 1, "heading": 0}
        assert ann.post(f"{path}/place", put).status_code == 200
        assert ann.delete(path).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/ships/Hod/place", {"x": 1, "y": 1, "heading": 1}, 404),
        ("/api/ships/Hood/place", {"x": 1e9, "y": 1, "heading": 1}, 400),
        ("/api/ships/Hood/place", {"x": 90000, "y": 1, "heading": 1}, 400),
        ("/api/ships/Hood/place", {"x": 1, "y": 1, "heading": 361}, 400),
        ("/api/ships/Hood/place", {"x": "1", "y": 1, "heading": 1}, 400),
        ("/api/ships/Hood/place", {"x": True, "y": 1, "heading": 1}, 400),
        ("/api/ships/Hood/place", {"x": 1, "y": 1}, 400),
        ("/api/ships/Hood/place", {"x": 1, "y": 1, "heading": 1, "reason": "x" * 121}, 400),
        ("/api/ships/Hood/lift", {"now": True}, 400),
        ("/api/ships", {"name": "Hood"}, 400),
        ("/api/ships", {"name": "x" * 41}, 400),
        ("/api/ships", {"name": "New", "type": "Hod"}, 404),
        ("/api/ships", {"name": "New", "side": "martian"}, 404),
        ("/api/smoke", {"x1": 1, "y1": 1, "x2": 1, "y2": 1}, 400),
        ("/api/decide", {"firer": "Hood", "target": "Bismarck", "what": "x", "reading": "y"}, 400),
        ("/api/rule", {"firer": "Hood", "target": "Bismarck", "reason": ""}, 400),
        ("/api/rule", {"firer": "Hood", "target": "Hood", "reason": "x", "range_yards": 1}, 400),
        ("/api/declare", {"firer": "Hood", "target": "Hood"}, 400),
        ("/api/declare", {"firer": "Hood", "target": "Nobody"}, 404),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(
    app: Flask, path: str, body: object, status: int
) -> None:
    ann = seated(app)
    before = ann.view()
    response = ann.post(path, body)
    assert response.status_code == status, response.text
    assert words_of(response)
    after = ann.view()
    assert (after["ships"], after["log"]) == (before["ships"], before["log"])


def test_smoke_comes_and_goes(app: Flask) -> None:
    ann = seated(app)
    before = ann.view()["smoke"]
    assert ann.post("/api/smoke", {"x1": 0, "y1": 0, "x2": 900, "y2": 0}).status_code == 200
    (new,) = [each for each in ann.view()["smoke"] if each not in before]
    assert ann.delete(f"/api/smoke/{new['id']}").status_code == 200
    assert ann.view()["smoke"] == before
    assert ann.delete(f"/api/smoke/{new['id']}").status_code in (400, 404)
    assert ann.delete("/api/smoke/x").status_code == 404


def test_smoke_is_laid_in_the_readers_unit(app: Flask) -> None:
    ann = seated(app)
    before = ann.view()["smoke"]
    ends = {"x1": 10, "y1": 20, "x2": 12, "y2": 20, "unit": "inches"}
    assert ann.post("/api/smoke", ends).status_code == 200
    (new,) = [each for each in ann.view()["smoke"] if each not in before]
    assert (new["x1"], new["y1"], new["x2"], new["y2"]) == (5000, 10000, 6000, 10000)
    assert ann.post("/api/smoke", {**ends, "unit": "miles"}).status_code == 400


def test_figures_over_the_measured_ones_and_back(app: Flask) -> None:
    ann = seated(app)
    ruling = {
        "firer": "Hood",
        "target": "Bismarck",
        "reason": "taped",
        "range_yards": 18000,
        "sight": "smoke",
    }
    assert ann.post("/api/rule", ruling).status_code == 200
    assert "18,000 yd" in ann.view()["log"][-1]["text"]
    assert ann.delete("/api/rule/Hood/Bismarck").status_code == 200
    assert ann.delete("/api/rule/Hood/Bismarck").status_code == 400


def test_the_log_in_pages(app: Flask) -> None:
    ann = seated(app)
    for number in range(45):
        ann.post("/api/ships/Hood/place", {"x": number, "y": 1, "heading": 0})
    newest = ann.get("/api/log").get_json()
    assert len(newest["log"]) == 40
    assert newest["more"]
    before = ann.get(f"/api/log?before={newest['log'][0]['n']}").get_json()
    assert not before["more"]
    assert before["log"][-1]["n"] == newest["log"][0]["n"] - 1
    for query in ("before=-1", "before=x", "before=1&before=2", "after=1"):
        assert ann.get(f"/api/log?{query}").status_code == 400


# The view


def test_nothing_of_a_seats_secret_is_in_any_view(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    for phone in (host, ann):
        text = json.dumps(phone.view())
        assert "1234" not in text.replace("12345", "")
        assert "pin" not in json.loads(text)["seats"][0]
        assert "token" not in text
    assert "code" not in json.dumps(ann.view())
