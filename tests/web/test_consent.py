"""What concerns both sides of a battle needs both, or an umpire."""

from typing import Any

import pytest
from flask import Flask

from tests.web.data_folders import begin, play, plot
from tests.web.phones import Phone, host_of, running_in, seated, words_of

FLEETS = {"british": ("Hood", "Prince of Wales"), "german": ("Bismarck", "Prinz Eugen")}


class Table:
    """A battle with a player on each side, up to the models' movement."""

    def __init__(self, app: Flask) -> None:
        self.app, self.host = app, host_of(app)
        begin(self.host, "denmark-strait")
        self.ann, self.gerd = seated(app, "Ann"), seated(app, "Gerd", side="german")
        self.sides = {"british": self.ann, "german": self.gerd}
        self.plot()

    def plot(self) -> None:
        """Plot every ship and open the plots."""
        for side, ships in FLEETS.items():
            for ship in ships:
                plot(self.sides[side], ship)
            play(self.sides[side], "commit")

    @property
    def step(self) -> str:
        return str(self.host.view()["battle"]["step"]["kind"])

    def push(self, ship: str) -> None:
        """Set a model far from where she was plotted."""
        now = next(each for each in self.host.view()["ships"] if each["name"] == ship)
        place = {"x": now["x"] - 700, "y": now["y"] - 700, "heading": now["heading"]}
        assert self.ann.post(f"/api/ships/{ship}/place", place).status_code == 200

    def move(self, phone: Phone, *accept: str) -> Any:
        body = {"kind": "move", "data": {"accept": list(accept)}}
        return phone.post("/api/battle/play", body)

    def answer(self, phone: Phone, *, agree: bool = True) -> Any:
        (first,) = running_in(self.app).session.proposals
        return phone.post("/api/consents", {"proposal": first.id, "agree": agree})


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def test_models_where_they_were_plotted_need_nobody(table: Table) -> None:
    assert table.move(table.ann).status_code == 200
    assert table.step != "move"


def test_one_side_alone_accepts_no_place(table: Table) -> None:
    table.push("Bismarck")
    assert table.move(table.ann).status_code == 400
    asked = table.move(table.ann, "Bismarck")
    assert asked.status_code == 409
    assert "must agree" in words_of(asked)
    assert table.step == "move"
    (seen,) = table.gerd.view()["proposals"]
    assert (seen["who"], seen["sides"], seen["yours"]) == ("Ann", ["german"], False)
    assert table.ann.view()["proposals"][0]["yours"]
    assert "asks for your consent" in table.gerd.get("/asked").text
    # Whoever asked cannot agree.
    assert table.answer(table.ann).status_code == 403
    assert table.step == "move"
    assert table.answer(table.gerd).status_code == 200
    assert table.step != "move"
    assert table.gerd.view()["proposals"] == []


@pytest.mark.parametrize("who", ["ann", "gerd"])
def test_it_is_refused_or_withdrawn(table: Table, who: str) -> None:
    table.push("Bismarck")
    table.move(table.ann, "Bismarck")
    phone = table.ann if who == "ann" else table.gerd
    assert table.answer(phone, agree=False).status_code == 200
    assert running_in(table.app).session.proposals == ()
    assert table.step == "move"


def test_an_umpire_decides_alone(table: Table) -> None:
    umpire = seated(table.app, "Uma", role="umpire", side=None)
    table.push("Bismarck")
    assert table.move(umpire, "Bismarck").status_code == 200
    assert table.step != "move"


def test_an_umpire_agrees_for_all(table: Table) -> None:
    umpire = seated(table.app, "Uma", role="umpire", side=None)
    table.push("Bismarck")
    assert table.move(table.ann, "Bismarck").status_code == 409
    assert table.answer(umpire).status_code == 200
    assert table.step != "move"


def test_what_is_no_longer_possible_is_told_to_who_agrees(table: Table) -> None:
    table.push("Bismarck")
    table.move(table.ann, "Bismarck")
    table.push("Hood")
    assert table.answer(table.gerd).status_code == 400
    assert running_in(table.app).session.proposals == ()
    assert table.step == "move"


def test_a_model_that_the_enemy_sets_by_hand_changes_nothing_of_the_battle(table: Table) -> None:
    table.push("Bismarck")
    assert table.ann.post("/api/ships/Prinz Eugen/lift").status_code == 200
    assert "Bismarck" in words_of(table.move(table.gerd))
    # Her own side goes on without anybody's consent.
    body = {"kind": "move", "data": {"as_plotted": ["Bismarck", "Prinz Eugen"]}}
    assert table.gerd.post("/api/battle/play", body).status_code == 200
    options = "/api/battle/fire?ship=Bismarck"
    before = table.gerd.get(options).get_json()
    table.push("Hood")
    assert table.ann.post("/api/ships/Bismarck/lift").status_code == 200
    assert table.gerd.get(options).get_json() == before
    # Who did it stands in the log, and on a side of its own a ship stays.
    assert [each["who"] for each in table.gerd.view()["log"][-2:]] == ["Ann", "Ann"]
    side = {"side": "british"}
    assert table.ann.post("/api/ships/Bismarck/side", side).status_code == 400


def test_nobody_else_sees_or_answers(table: Table) -> None:
    onlooker = Phone(table.app)
    onlooker.join("Olga", role="onlooker", side=None)
    table.push("Bismarck")
    table.move(table.ann, "Bismarck")
    assert onlooker.view()["proposals"] == []
    assert table.answer(onlooker).status_code == 403


def test_a_side_without_people_is_not_waited_for(app: Flask) -> None:
    table = Table(app)
    assert table.gerd.post("/api/leave").status_code == 200
    seats = running_in(app).session.seats
    german = next(seat for seat in seats if seat.name == "Gerd")
    table.host.post("/api/host/release", {"seat": german.id})
    table.push("Bismarck")
    assert table.move(table.ann, "Bismarck").status_code == 200


def test_another_sides_ship_is_removed_by_both(table: Table) -> None:
    assert table.ann.delete("/api/ships/Bismarck").status_code == 409
    names = {ship["name"] for ship in table.host.view()["ships"]}
    assert "Bismarck" in names
    assert table.answer(table.gerd).status_code == 200
    assert "Bismarck" not in {ship["name"] for ship in table.host.view()["ships"]}
    assert table.ann.delete("/api/ships/Hood").status_code == 200


def test_committed_fire_is_ruled_out_of_range_by_both(table: Table) -> None:
    assert table.move(table.ann).status_code == 200
    ruling = {"firer": "Bismarck", "target": "Hood", "range_yards": 90_000, "reason": "too far"}
    asked = table.ann.post("/api/rule", ruling)
    assert asked.status_code == 409, asked.text
    assert table.answer(table.gerd).status_code == 200
    assert "90,000" in table.host.get("/log").text


def test_a_neutral_does_not_refuse_an_undo(table: Table) -> None:
    begun = running_in(table.app).session.moment.battle
    assert begun is not None
    asked = table.ann.post("/api/battle/undo/ask", {"after": begun.record.begun})
    assert asked.status_code == 200
    assert table.host.answer_undo(agree=False).status_code == 403
    assert running_in(table.app).session.moment.battle.record.request is not None  # type: ignore[union-attr]
    assert table.gerd.answer_undo(agree=False).status_code == 200


def test_dice_are_typed_by_whose_they_are(table: Table) -> None:
    assert table.move(table.ann).status_code == 200
    play(table.ann, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    for phone in (table.ann, table.gerd) * 2:
        if table.step in ("designate", "reduce"):
            play(phone, "commit")
    wanted = table.host.view()["battle"]["wanted"]
    assert wanted["side"] == "british"
    value = "66" if wanted["kind"] == "pair" else "6"
    forged = {"kind": "dice", "data": {"values": [value], "how": "rolled"}}
    assert table.ann.post("/api/battle/play", forged).status_code == 400
    body = {"kind": "dice", "data": {"values": [value]}}
    refused = table.gerd.post("/api/battle/play", body)
    assert refused.status_code == 403
    assert "other side" in words_of(refused)
    assert table.host.view()["battle"]["wanted"] == wanted
    assert table.ann.post("/api/battle/play", body).status_code == 200


# Requests that are repeated

REFUSED_SECONDS, WITHDRAWN_SECONDS = 20, 5


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def ask_undo(table: Table, phone: Phone) -> Any:
    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    return phone.post("/api/battle/undo/ask", {"after": battle.record.begun})


def ask_consent(table: Table, phone: Phone) -> Any:
    return phone.delete("/api/ships/Bismarck")


def end_undo(_: Table, phone: Phone) -> Any:
    return phone.answer_undo(agree=False)


def end_consent(table: Table, phone: Phone) -> Any:
    return table.answer(phone, agree=False)


@pytest.mark.parametrize("refused", [True, False], ids=["refused", "withdrawn"])
@pytest.mark.parametrize(
    ("ask", "end", "asked"),
    [(ask_undo, end_undo, 200), (ask_consent, end_consent, 409)],
    ids=["undo", "consent"],
)
def test_a_side_pauses_before_it_asks_again(
    table: Table, ask: Any, end: Any, asked: int, *, refused: bool
) -> None:
    session, clock = running_in(table.app).session, Clock()
    session._monotonic = clock
    pause = REFUSED_SECONDS if refused else WITHDRAWN_SECONDS
    table.move(table.ann)
    beside = seated(table.app, "Al")
    assert ask(table, table.ann).status_code == asked
    assert end(table, table.gerd if refused else table.ann).status_code == 200
    entries = len(session.log())
    for phone in (table.ann, beside):
        again = ask(table, phone)
        assert (again.status_code, int(again.headers["Retry-After"])) == (429, pause)
        assert str(pause) in words_of(again)
    assert len(session.log()) == entries
    assert session.proposals == ()
    clock.seconds += pause
    assert ask(table, table.ann).status_code == asked


@pytest.mark.parametrize(("ask", "asked"), [(ask_undo, 200), (ask_consent, 409)])
def test_a_request_is_not_replaced_again_and_again(table: Table, ask: Any, asked: int) -> None:
    session, clock = running_in(table.app).session, Clock()
    session._monotonic = clock
    table.move(table.ann)
    assert [ask(table, table.ann).status_code for _ in range(5)] == [asked, asked, 429, 429, 429]
    clock.seconds += WITHDRAWN_SECONDS
    assert ask(table, table.ann).status_code == asked


def test_a_refused_side_does_not_silence_the_other(table: Table) -> None:
    table.move(table.ann)
    assert ask_undo(table, table.ann).status_code == 200
    assert end_undo(table, table.gerd).status_code == 200
    assert ask_undo(table, table.gerd).status_code == 200
    assert table.ann.answer_undo(agree=True).status_code == 200
    # What was agreed to delays nobody.
    table.plot()
    table.move(table.ann)
    assert ask_undo(table, table.gerd).status_code == 200
