"""The picture for the room: what every side may see, whoever looks, and a seat for the screen."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from flask import Flask

from tabletop.messages import verbatim
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import Phone, host_of, running_in, seated
from web.auth.seats import Role
from web.server.network import Network
from web.server.sharing import Sharing


def _scenario(app: Flask, **more: object) -> Phone:
    host = host_of(app)
    answer = host.post("/api/battles/scenario", {"scenario": "denmark-strait", **more})
    assert answer.status_code == 200, answer.text
    return host


def _picture(phone: Phone) -> dict[str, Any]:
    answer = phone.get("/api/television")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_a_screen_is_let_in_by_the_code_alone(app: Flask) -> None:
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    code = running_in(app).session.seats.code
    screen = Phone(app)
    assert "dreyer-chart" not in screen.get("/tv").text
    assert screen.get("/tv/side").status_code == 303
    assert screen.get("/api/television").status_code == 401
    refused = screen.post("/api/television", {"code": "WRONG2"})
    assert (refused.status_code, refused.get_json()["error"]["field"]) == (403, "code")
    answer = screen.post("/api/television", {"code": code})
    assert (answer.status_code, answer.get_json()["role"]) == (200, "onlooker")
    assert "dreyer-chart" in screen.get("/tv").text
    assert screen.post("/api/ships", {"name": "Canary"}).status_code == 403
    second = Phone(app)
    second.post("/api/television", {"code": code})
    seats = [each for each in running_in(app).session.seats if each.role is Role.ONLOOKER]
    assert len({each.name for each in seats}) == 2
    host_of(app).post("/api/host/lock", {"on": True})
    assert Phone(app).post("/api/television", {"code": code}).status_code == 403


def test_a_screen_has_no_controls(app: Flask) -> None:
    page = re.sub(r"<template.*?</template>", "", host_of(app).get("/tv").text, flags=re.DOTALL)
    for control in ("<button", "<a href", "<form", "<dialog", "data-act", "/battle/ask"):
        assert control not in page, control
    assert "data-picture inert" in page


def test_it_is_the_same_for_everybody_and_has_no_secrets(app: Flask) -> None:
    """A canary in the orders of a side is in the side's own view, and on no picture."""
    _scenario(app)
    british, german = seated(app, "Ann"), seated(app, "Bob", side="german")
    plot = {"ship": "Hood", "speed": 3, "notation": "1l⅔"}
    answer = british.post("/api/battle/play", {"kind": "plot", "data": plot})
    assert answer.status_code == 200, answer.text
    assert "1l⅔" in json.dumps(british.view(), ensure_ascii=False)
    pictures = [_picture(phone) for phone in (british, german, host_of(app))]
    for picture in pictures:
        # Whoever asks is present from then on.
        del picture["seq"], picture["seats"]
    assert pictures[0] == pictures[1] == pictures[2]
    shown = json.dumps(pictures[0], ensure_ascii=False) + british.get("/tv").text
    assert "l⅔" not in shown
    assert pictures[0]["join"] is None
    assert pictures[0]["you"]["side"] is None


def test_hidden_ships_stay_numbers(app: Flask) -> None:
    _scenario(app, hidden=True)
    british = seated(app, "Ann")
    assert "Hood" in json.dumps(british.view()["battle"])
    shown = json.dumps(_picture(british)) + british.get("/tv").text
    for name in ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen"):
        assert name not in shown


@pytest.mark.parametrize("phone", ["host", "player"])
def test_a_fleet_battle_has_tracks_points_and_wrecks(app: Flask, phone: str) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while not running_in(app).session.moment.fates:
        assert players.step()
    looks = host_of(app) if phone == "host" else players.phones["british"]
    picture = _picture(looks)
    assert {track["side"] for track in picture["tracks"]} == {"british", "german"}
    assert all(len(track["points"]) > 1 for track in picture["tracks"])
    (wreck,) = picture["wrecks"]
    side = looks.get("/tv/side").text
    threshold = players.view()["score"][0]["threshold"]
    assert f"of {threshold} points" in side
    assert f"Sunk: {wreck['name']}" in side
    assert "2 of 3 ships" in side


def test_a_table_without_a_battle_tells_its_log(app: Flask) -> None:
    host = host_of(app)
    assert host.post("/api/ships", {"name": "Canary"}).status_code == 200
    assert "Canary" in host.get("/tv/side").text
    assert _picture(host)["tracks"] == []


def test_the_code_is_shown_while_the_table_is_shared_and_open(app: Flask) -> None:
    host, running = host_of(app), running_in(app)
    code = f"{running.session.seats.code[:3]} {running.session.seats.code[3:]}"
    assert code not in host.get("/tv/side").text
    network = Network("192.168.1.5", verbatim("Wi-Fi"))
    running.sharing = Sharing(lambda *_: StringIO(), 8080, networks=lambda: (network,))
    running.sharing.switch(True, network.address)
    shown = host.get("/tv/side").text
    assert code in shown
    assert "<svg" in shown
    host.post("/api/host/lock", {"on": True})
    assert code not in host.get("/tv/side").text
