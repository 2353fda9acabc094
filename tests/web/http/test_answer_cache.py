"""An act that is sent again is done once, whatever came between."""

import threading
from pathlib import Path

import pytest
from flask import Flask, Response

from tests.web.phones import Phone, host_of, running_in, seated
from web import create_app
from web.data_folder import DataFolder, battles_in
from web.http.answer_cache import ResponseCache
from web.http.context import ServerContext

KEY = "0123456789abcdef"


def test_a_repeat_acts_once_and_is_answered_alike(app: Flask) -> None:
    ann = seated(app)
    body = {"x1": 0, "y1": 0, "x2": 900, "y2": 0}
    first = ann.post("/api/smoke", body, key=KEY)
    again = ann.post("/api/smoke", body, key=KEY)
    assert first.get_json() == again.get_json()
    assert len(ann.view()["smoke"]) == 2
    other = ann.post("/api/smoke", {**body, "x2": 800}, key=KEY)
    assert other.status_code == 200
    assert len(ann.view()["smoke"]) == 3
    bob = seated(app, "Bob")
    bob.post("/api/smoke", body, key=KEY)
    assert len(ann.view()["smoke"]) == 4


def test_joining_again_with_the_same_key_brings_the_same_cookie(app: Flask) -> None:
    phone = Phone(app)
    code = running_in(app).session.seats.code
    body = {"code": code, "name": "Ann", "side": "british", "pin": "1234"}
    first = phone.post("/api/join", body, key=KEY)
    phone.client.delete_cookie("dreyer", domain="192.168.1.5")
    again = phone.post("/api/join", body, key=KEY)
    assert first.headers["Set-Cookie"].split(";")[0] == again.headers["Set-Cookie"].split(";")[0]
    assert phone.get("/api/view").status_code == 200
    thief = Phone(app, "192.168.1.66")
    assert thief.post("/api/join", {**body, "pin": "4321"}, key=KEY).status_code == 409


def test_a_released_seat_is_not_a_fault_the_second_time(app: Flask) -> None:
    host, ann = host_of(app), seated(app)
    seat = {"seat": ann.view()["you"]["seat"]}
    assert host.post("/api/host/release", seat, key=KEY).status_code == 200
    assert host.post("/api/host/release", seat, key=KEY).status_code == 200


def test_a_fault_may_be_mended_and_tried_again(app: Flask) -> None:
    ann = seated(app)
    put = {"x": 1, "y": 1, "heading": 0}
    assert ann.post("/api/ships/Norfolk/place", put, key=KEY).status_code == 404
    ann.post("/api/ships", {"name": "Norfolk"})
    assert ann.post("/api/ships/Norfolk/place", put, key=KEY).status_code == 200


@pytest.mark.parametrize("key", ["", "short", "x" * 101, "ключ-ключ", "tab\tbed and more"])
def test_a_key_that_is_none(app: Flask, key: str) -> None:
    ann = seated(app)
    sent = {"Idempotency-Key": key.encode().decode("latin-1")}
    assert ann.post("/api/leave", {}, headers=sent).status_code == 400
    assert ann.get("/api/view").status_code == 200


def test_a_repeat_after_a_restart_acts_once(tmp_path: Path) -> None:
    body = {"x1": 0, "y1": 0, "x2": 900, "y2": 0}
    counts = []
    ann: Phone | None = None
    for _ in range(2):
        folder = DataFolder(tmp_path)
        session = battles_in(folder, demo=True, scene=None).session
        app = create_app(server_context=ServerContext(session))
        if ann is None:
            ann = seated(app)
        else:
            before = ann.client
            ann = Phone(app)
            held = before.get_cookie("dreyer", domain="192.168.1.5")
            assert held is not None
            ann.client.set_cookie("dreyer", held.value, domain="192.168.1.5")
        assert ann.post("/api/smoke", body, key=KEY).status_code == 200
        counts.append(len(ann.view()["smoke"]))
        session.close()
        folder.close()
    assert counts == [2, 2]


def test_two_at_once_with_one_key_act_once() -> None:
    answers, begun, go = ResponseCache(), threading.Event(), threading.Event()
    made: list[int] = []
    results: list[bytes] = []

    def make() -> Response:
        made.append(1)
        begun.set()
        go.wait(5)
        return Response("done")

    def ask() -> None:
        results.append(answers.once("ann", "key", make).get_data())

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait(5)
    go.set()
    for thread in threads:
        thread.join(5)
    assert made == [1]
    assert results == [b"done", b"done"]


def test_old_answers_are_forgotten() -> None:
    answers = ResponseCache(most=2)
    made: list[int] = []

    def make() -> Response:
        made.append(1)
        return Response("x")

    for key in ("a", "b", "c", "b", "a"):
        answers.once("ann", key, make)
    assert len(made) == 4
