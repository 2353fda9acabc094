"""Battles of every rulebook: no answer has the table's code, a cookie, a PIN's hash or a folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from combat.rulebooks import NAMES
from tests.web import fleets
from tests.web.data_folders import Open, begin
from tests.web.every_answer import Asked, addresses, told
from tests.web.phones import Phone, host_of, running_in, seated
from web.live import Streams

pytestmark = pytest.mark.soak


def _advanced(app: Flask) -> Iterator[tuple[str, ...]]:
    """The Advanced Game: plots proposed by captains, and all dice rolled, to the second segment."""
    host = host_of(app)
    begin(host, "final-battle")
    people = {"british": seated(app), "german": seated(app, "Bob", side="german")}
    umpire = seated(app, "Uma", role="umpire", side=None)
    ships = tuple(str(each["id"]) for each in umpire.view()["battle"]["ships"])[:2]
    while umpire.view()["battle"]["step"]["segment"] == 1:
        kind = umpire.view()["battle"]["step"]["kind"]
        yield ships
        if kind == "resolve":
            umpire.post("/api/battle/roll", {"what": "rest"})
        elif kind == "move":
            umpire.post("/api/battle/play", {"kind": "move", "data": {"accept_all": True}})
        else:
            for phone in people.values():
                phone.post("/api/battle/captain/plots")
                phone.post("/api/battle/play", {"kind": "commit", "data": {}})


def _fleets(app: Flask) -> Iterator[tuple[str, ...]]:
    """Grand Fleets: the first steps of a battle of two a side."""
    ships = fleets.line_ahead("british", 2) + fleets.line_ahead("german", 2)
    fleets.begin(app, ships)
    players = fleets.Players(app)
    for number in range(30):
        if number % 6 == 0:
            yield "Ares", "Boreas"
        if not players.step():
            break


def _calculator(ruleset: str) -> Callable[[Flask], Iterator[tuple[str, ...]]]:
    """A fight in free play by a rulebook."""

    def fight(app: Flask) -> Iterator[tuple[str, ...]]:
        host = host_of(app)
        seated(app), seated(app, "Bob", side="german")
        page = host.get(f"/calculator?ruleset={ruleset}")
        assert page.status_code == 200
        host.post("/api/free/round", {"ruleset": ruleset})
        yield "Hood", "Bismarck"

    return fight


_BATTLES = {"guided": _advanced, "fleets": _fleets} | {name: _calculator(name) for name in NAMES}


@pytest.mark.parametrize("battle", _BATTLES)
def test_nobody_is_told_what_opens_the_table(open_app: Open, tmp_path: Path, battle: str) -> None:
    app = open_app()
    running = running_in(app)
    running.streams = Streams(life_seconds=0.0)
    for ships in _BATTLES[battle](app):
        session = running.session
        onlooker = next((seat for seat in session.seats if seat.name == "Wim"), None)
        wim = seated(app, "Wim", role="onlooker", side=None) if onlooker is None else None
        if wim is not None:
            watchers = {"onlooker": wim, "stranger": Phone(app, "192.168.1.66")}
        rows = session.with_seats(lambda seats: list(seats._rows.values()))
        secret = {session.seats.code, str(tmp_path), *(row.pin for row in rows)}
        secret |= {row.token for row in session.seats._sessions.values()}
        asked = Asked((), ships, running.battles.open_id, {"speed": 4, "notation": "2"})
        for seat, phone in (*watchers.items(), ("host", host_of(app))):
            known = {session.seats.code, str(tmp_path)} if seat == "host" else set()
            for path, text in told(phone, addresses(app, asked), whole=True).items():
                found = [each for each in secret - known if each.encode() in text]
                assert found == [], (seat, path)
