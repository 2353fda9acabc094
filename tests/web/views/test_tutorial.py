"""The tutorial: from its beginning to the second plot, each step says what is to be done next."""

from flask import Flask

from combat import participants
from tests.web.battles import UMPIRE, asked
from tests.web.phones import fresh_app, host_of, running_in, seated
from web.auth.seats import Role
from web.views.turn import SeatKind, turn_for
from web.views.tutorial import tutorial_step


def step_of(app: Flask, seat: SeatKind = SeatKind.UMPIRE) -> str:
    moment = running_in(app).session.moment
    assert moment.battle is not None
    view = moment.battle.plotted_view(participants.UMPIRE)
    found = tutorial_step(moment.state.title, view, turn_for(view, seat, ()))
    assert found is not None
    assert found.words
    assert 1 <= found.number <= found.of == 8
    return found.key


def test_every_step_says_what_is_next() -> None:
    app = fresh_app()
    host = host_of(app)
    assert host.post("/api/tutorial").status_code == 200
    assert step_of(app, SeatKind.WATCHER) == "seat"
    assert "Tutorial" in host.get("/battle").text
    session = running_in(app).session

    def do(kind: str, **data: object) -> None:
        assert session.moment.battle is not None
        session.act(UMPIRE, asked(session.moment.battle, kind, data))

    assert step_of(app) == "plot"
    do("plot", ship="Hood", notation="4", speed=8)
    assert step_of(app) == "plot"
    do("plot", ship="Bismarck", notation="4", speed=8)
    assert step_of(app) == "commit_plot"
    do("commit")
    assert step_of(app) == "move"
    do("move")
    assert step_of(app) == "designate"
    do("designate", ship="Hood", orders=[{"target": "Bismarck"}])
    assert step_of(app) == "designate"
    do("designate", ship="Bismarck", orders=[{"target": "Hood"}])
    assert step_of(app) == "commit_fire"
    do("commit")
    assert step_of(app) == "reduce"
    do("commit")
    assert step_of(app) == "resolve"


def test_the_host_plays_both_sides_without_joining() -> None:
    app = fresh_app()
    host = host_of(app)
    assert host.post("/api/tutorial").status_code == 200
    (seat,) = running_in(app).session.seats
    assert (seat.role, seat.side) == (Role.UMPIRE, None)
    assert 'data-key="tutorial-seat"' not in host.get("/battle").text
    assert host.post("/api/tutorial").status_code == 200, "once more from the beginning"
    assert len([*running_in(app).session.seats]) == 1


def test_a_host_who_plays_one_side_takes_the_other_too() -> None:
    app = fresh_app()
    host = host_of(app)
    assert host.post("/api/battles/scenario", {"scenario": "tutorial"}).status_code == 200
    host.join()
    assert 'data-key="tutorial-seat"' in host.get("/battle").text
    taken = host.post("/api/tutorial/seat")
    assert taken.status_code == 200
    assert taken.get_json()["role"] == "umpire"
    again = host.post("/api/tutorial/seat")
    assert again.get_json()["seat"] == taken.get_json()["seat"]
    assert 'data-key="tutorial-seat"' not in host.get("/battle").text


def test_nobody_but_the_host_begins_it() -> None:
    app = fresh_app()
    host = host_of(app)
    assert host.post("/api/battles/scenario", {"scenario": "tutorial"}).status_code == 200
    ann = seated(app)
    assert ann.post("/api/tutorial").status_code == 403
    assert ann.post("/api/tutorial/seat").status_code == 403


def test_another_battle_has_no_tutorial() -> None:
    app = fresh_app()
    host = host_of(app)
    assert host.post("/api/battles/scenario", {"scenario": "denmark-strait"}).status_code == 200
    assert 'data-key="tutorial"' not in host.get("/battle").text
