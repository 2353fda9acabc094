"""The replay on a television: after the battle, when the host asks, and never a secret of it."""

from pathlib import Path

import pytest

from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import Fought
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.http.context import ServerContext


class Room:
    """A battle with hidden ships, its host, and a player."""

    def __init__(self, path: Path) -> None:
        self.fought = Fought(path, seed=4, hidden=hidden_ships())
        app = create_app(server_context=ServerContext(self.fought.session))
        app.config["TESTING"] = True
        self.host: Phone = host_of(app)
        self.ann = seated(app, "Ann", side="british")

    @property
    def is_replaying(self) -> bool:
        found: bool = self.host.get("/api/television").get_json()["replaying"]
        return found

    def show(self, *, on: bool) -> None:
        assert self.host.post("/api/television/replay", {"on": on}).status_code == 200


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "t.db")


def test_there_is_no_replay_before_the_first_move(room: Room) -> None:
    room.show(on=True)
    assert not room.is_replaying
    assert "/api/television/replay" not in room.host.get("/host/television").text


def test_the_host_switches_and_the_end_of_the_battle_shows_it(room: Room) -> None:
    room.fought.move()
    shown = [room.is_replaying]
    assert "/api/television/replay" in room.host.get("/host").text
    for on in (True, False):
        room.show(on=on)
        shown.append(room.is_replaying)
    room.fought.do("end", reason="dark")
    shown.append(room.is_replaying)
    room.show(on=True)
    assert [*shown, room.is_replaying] == [False, True, False, False, True]


def test_it_is_shown_by_itself_once_the_battle_is_over(room: Room) -> None:
    room.fought.move()
    room.fought.do("end", reason="dark")
    assert room.is_replaying


def test_only_the_host_switches(room: Room) -> None:
    assert room.ann.post("/api/television/replay", {"on": True}).status_code == 403
    assert room.ann.get("/host/television").status_code in (303, 403)


def test_hidden_ships_are_in_no_replay_of_the_room_before_the_end(room: Room) -> None:
    assert room.host.get("/tv/replay").get_json()["segments"] == []
    room.fought.move()
    told = room.ann.get("/tv/replay").text
    for name in ("Bismarck", "Prinz Eugen"):
        assert name not in told
    room.fought.do("end", reason="dark")
    assert "Bismarck" in room.ann.get("/tv/replay").text


def test_without_a_battle_there_is_nothing_to_show() -> None:
    host = host_of(create_app())
    assert host.get("/tv/replay").status_code == 404
    assert host.get("/api/television").get_json()["replaying"] is False
