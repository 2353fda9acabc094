"""Seats during a battle: nobody sits down to read plots by the code alone."""

from typing import Any

import pytest
from flask import Flask

from tests.web.data_folders import begin, plot
from tests.web.phones import Phone, host_of, running_in, seated


class Table:
    """A battle with a player on each side, in which a plot has been written."""

    def __init__(self, app: Flask) -> None:
        self.app, self.host = app, host_of(app)
        begin(self.host, "denmark-strait")
        self.ann, self.gerd = seated(app, "Ann"), seated(app, "Gerd", side="german")
        plot(self.ann, "Hood")

    def ask(self, name: str = "Uma", **more: object) -> Phone:
        """A phone that has asked for a seat."""
        phone = Phone(self.app, "192.168.1.99")
        answer = phone.join(name, **{"role": "umpire", "side": None, **more})
        assert answer.status_code == 200, answer.text
        assert answer.get_json()["waiting"]
        return phone

    def decide(self, phone: Phone, *, agree: bool = True) -> int:
        """Let the first who asks in, or refuse them."""
        answer = {"newcomer": first_newcomer(self.app), "agree": agree}
        return phone.post("/api/admissions", answer).status_code


def first_newcomer(app: Flask) -> str:
    """By what the first who asks is known."""
    return running_in(app).session.seats.newcomers[0].id


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def state_of(phone: Phone) -> str:
    return str(phone.get("/api/join/waiting").get_json()["state"])


def asking(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.view()["newcomers"]
    return found


def test_before_anything_is_played_everybody_sits_down(app: Flask) -> None:
    begin(host_of(app), "denmark-strait")
    for name, role, side in (("Uma", "umpire", None), ("Ann", "player", "british")):
        phone = seated(app, name, role=role, side=side)
        assert phone.get("/api/view").status_code == 200


@pytest.mark.parametrize(("role", "side"), [("umpire", None), ("player", "german")])
def test_in_a_battle_a_newcomer_sees_nothing_until_admitted(
    table: Table, role: str, side: str | None
) -> None:
    uma = table.ask(role=role, side=side)
    assert state_of(uma) == "waiting"
    for path in ("/api/view", "/api/battle/plot?ship=Hood", "/api/battles", "/api/live"):
        assert uma.get(path).status_code == 401
    assert uma.get("/table").headers["Location"].startswith("/join")
    assert uma.post("/api/battles/kept/table/resume").status_code in (401, 403)
    assert "asks for a seat" in uma.get("/join").text
    assert asking(table.host) == [
        {"id": first_newcomer(table.app), "name": "Uma", "role": role, "side": side, "agreed": []}
    ]
    assert asking(table.ann)
    assert table.decide(table.host) == 200
    assert state_of(uma) == "seated"
    assert uma.view()["you"]["name"] == "Uma"
    assert asking(table.host) == []
    assert table.host.view()["log"][-1]["who"] == "Uma"


def test_both_sides_together_admit(table: Table) -> None:
    uma = table.ask()
    assert table.decide(table.ann) == 200
    assert state_of(uma) == "waiting"
    assert asking(table.gerd)[0]["agreed"] == ["british"]
    # Agreed twice is agreed once.
    assert table.decide(table.ann) == 200
    assert state_of(uma) == "waiting"
    assert table.decide(table.gerd) == 200
    assert state_of(uma) == "seated"


def test_an_umpire_admits_alone(app: Flask) -> None:
    host = host_of(app)
    begin(host, "denmark-strait")
    umpire, ann = seated(app, "Uma", role="umpire", side=None), seated(app)
    seated(app, "Gerd", side="german")
    plot(ann, "Hood")
    newcomer = Phone(app, "192.168.1.99")
    assert newcomer.join("Bob").get_json()["waiting"]
    answer = {"newcomer": first_newcomer(app), "agree": True}
    assert umpire.post("/api/admissions", answer).status_code == 200
    assert newcomer.view()["you"]["name"] == "Bob"


def test_any_side_refuses(table: Table) -> None:
    uma = table.ask()
    late_answer = {"newcomer": first_newcomer(table.app), "agree": True}
    assert table.decide(table.ann) == 200
    assert table.decide(table.gerd, agree=False) == 200
    assert state_of(uma) == "not_asking"
    assert uma.get("/api/view").status_code == 401
    late = table.host.post("/api/admissions", late_answer)
    assert late.status_code == 400
    assert not asking(table.host)


def test_onlookers_neither_ask_nor_decide(table: Table) -> None:
    onlooker = Phone(table.app, "192.168.1.98")
    answer = onlooker.join("Olga", role="onlooker", side=None)
    assert not answer.get_json()["waiting"]
    table.ask()
    assert asking(onlooker) == []
    assert table.decide(onlooker) == 403
    stranger = Phone(table.app, "192.168.1.97")
    assert table.decide(stranger) == 401


def test_a_newcomer_cannot_admit_themselves(table: Table) -> None:
    uma = table.ask()
    assert table.decide(uma) == 401
    assert state_of(uma) == "waiting"


def test_the_host_sits_down_and_a_seat_is_found_again_without_asking(table: Table) -> None:
    assert not table.host.join("Host", role="umpire", side=None).get_json()["waiting"]
    other = Phone(table.app, "192.168.1.55")
    code = running_in(table.app).session.seats.code
    back = other.post("/api/return", {"code": code, "name": "Ann", "pin": "1234"})
    assert back.get_json()["seat"]


def test_to_change_sides_is_to_ask(table: Table) -> None:
    assert table.gerd.post("/api/leave").status_code == 200
    assert table.gerd.join("Gerd Two").get_json()["waiting"]


def test_the_wish_is_withdrawn_and_few_may_ask(table: Table) -> None:
    uma = table.ask()
    assert uma.post("/api/leave").status_code == 200
    assert state_of(uma) == "not_asking"
    for number in range(3):
        table.ask(f"Eve {number}")
    refused = Phone(table.app, "192.168.1.99").join("Eve", role="umpire", side=None)
    assert refused.status_code == 403
    assert len(running_in(table.app).session.seats.newcomers) == 3


def test_a_name_that_was_taken_meanwhile_is_told(table: Table) -> None:
    table.ask("Uma")
    assert not table.host.join("uma", role="umpire", side=None).get_json()["waiting"]
    assert table.decide(table.host) == 400


def test_between_battles_nobody_asks(table: Table) -> None:
    begin(table.host, "river-plate")
    uma = Phone(table.app, "192.168.1.99")
    assert not uma.join("Uma", role="umpire", side=None).get_json()["waiting"]


def test_who_asks_is_shown_on_every_page_of_those_who_decide(table: Table) -> None:
    table.ask()
    host, ann = table.host.get("/asked").text, table.ann.get("/asked").text
    assert "Let in" in host
    assert "Agree" in ann
    table.decide(table.ann)
    newcomer = first_newcomer(table.app)
    assert f"refuse-{newcomer}" in table.ann.get("/asked").text
    assert f"admit-{newcomer}" not in table.ann.get("/asked").text
    assert 'data-live="/asked"' in table.ann.get("/table").text
