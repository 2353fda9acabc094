"""A side that the program plays: a battle alone to its end, sealed, taken over, proposing."""

import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from combat.guided_play import StepKind
from combat.participants import Seat
from tests.web.battles import Fought
from tests.web.data_folders import import_battle
from tests.web.phones import Phone, host_of, running_in
from web.auth.seats import Role
from web.captains import TableCaptains
from web.games.guided_game import GuidedGame
from web.http.context import ServerContext
from web.journal.events import CaptainSet
from web.journal.store import Store
from web.session import Session

PATIENCE_SECONDS = 60.0


@pytest.fixture
def server(app: Flask) -> Iterator[ServerContext]:
    running = running_in(app)
    yield running
    running.captains.close()


def battle_of(server: ServerContext) -> GuidedGame:
    battle = server.session.moment.battle
    assert battle is not None
    return battle


def plotted_of(server: ServerContext, side: str) -> set[str]:
    """Whose plots a side has written."""
    return set(battle_of(server).plotted_view(Seat(side)).plots)


def until(server: ServerContext, holds: Callable[[], bool]) -> None:
    """Wait for what the captains' thread does."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, battle_of(server).step
        server.session.wait(server.session.seq, 0.2)


def solo(app: Flask, **choice: object) -> Phone:
    host = host_of(app)
    answer = host.send("POST", "/api/battles/solo", {"scenario": "tutorial", **choice})
    assert answer.status_code == 200, answer.json
    return host


def play(phone: Phone, kind: str, **data: object) -> None:
    answer = phone.send("POST", "/api/battle/play", {"kind": kind, "data": data})
    assert answer.status_code == 200, answer.json


def plot_and_commit(phone: Phone) -> None:
    answer = phone.send("POST", "/api/battle/captain/plots", {})
    assert answer.status_code == 200, answer.json
    play(phone, "commit")


def step(server: ServerContext) -> StepKind:
    return battle_of(server).step.kind


def take_step(phone: Phone, server: ServerContext) -> None:
    """What the person at the phone has to do now."""
    battle = battle_of(server)
    if battle.rulebook.all_wanted(battle.state):
        phone.send("POST", "/api/battle/roll", {})
        return
    waits = "british" in battle.step.waiting_for
    match battle.step.kind:
        case StepKind.PLOT if waits:
            plot_and_commit(phone)
        case StepKind.MOVE:
            play(phone, "move")
        case StepKind.DESIGNATE | StepKind.REDUCE if waits:
            play(phone, "commit")
        case StepKind.MARK if waits:
            play(phone, "mark")
        case _:
            server.session.wait(server.session.seq, 0.2)


def test_one_person_fights_a_battle_to_its_end(app: Flask, server: ServerContext) -> None:
    phone = solo(app, captain="bold")
    (seat,) = server.session.seats
    assert (seat.role, seat.side) == (Role.PLAYER, "british")
    assert server.captains.sides() == {"german": "bold"}
    end = time.monotonic() + 8 * PATIENCE_SECONDS
    while not battle_of(server).is_over:
        assert time.monotonic() < end
        take_step(phone, server)
    german = [each for each in battle_of(server).record.events if each.action.side == "german"]
    assert {each.action.kind for each in german} >= {"orders", "commit"}


def test_the_captains_plots_are_sealed_until_the_person_has_committed(
    app: Flask, server: ServerContext
) -> None:
    phone = solo(app)
    until(server, lambda: plotted_of(server, "german") == {"Bismarck"})
    # It has plotted, and waits for the person with its commitment.
    assert [each.why for each in server.captains.now()] == [{}]
    assert plotted_of(server, "british") == set()
    assert 'class="move-card"' not in phone.get("/battle").get_data(as_text=True)
    assert battle_of(server).step.waiting_for == ("british", "german")
    # The person is alone at the table, and the file has nothing of the plot all the same.
    exported = phone.get(f"/api/battles/kept/{server.battles.open_id}/export")
    assert "Bismarck" in exported.text
    assert '"orders"' not in exported.text
    plot_and_commit(phone)
    until(server, lambda: step(server) is StepKind.MOVE)
    # Now somebody has to move the models: her move is on a card.
    page = phone.get("/battle").get_data(as_text=True)
    assert page.count('class="move-card"') == 2
    (captain,) = server.captains.now()
    assert set(captain.why) == {"Bismarck"}


def test_plots_are_proposed_with_their_reasons(app: Flask, server: ServerContext) -> None:
    phone = solo(app)
    assert phone.send("POST", "/api/battle/captain/plots", {}).status_code == 200
    assert plotted_of(server, "british") == {"Hood"}
    assert set(server.captains.proposed("british")) == {"Hood"}
    assert server.captains.proposed("german") == {}
    play(phone, "commit")
    until(server, lambda: step(server) is StepKind.MOVE)
    assert server.captains.proposed("british") == {}
    assert phone.send("POST", "/api/battle/captain/plots", {}).status_code == 400


def test_a_captain_waits_after_somebody_has_gone_back(app: Flask, server: ServerContext) -> None:
    phone = solo(app)
    plot_and_commit(phone)
    until(server, lambda: step(server) is StepKind.MOVE)
    begun = battle_of(server).record.begun
    assert phone.send("POST", "/api/battle/undo/ask", {"after": begun}).status_code == 200
    assert plotted_of(server, "german") == set()
    assert [each.holds for each in server.captains.now()] == [True]
    assert phone.send("POST", "/api/battle/captain/go-on", {}).status_code == 200
    until(server, lambda: plotted_of(server, "german") == {"Bismarck"})


def test_people_take_a_side_over_and_give_it_back(app: Flask, server: ServerContext) -> None:
    phone = solo(app)
    body = {"side": "german", "captain": None}
    assert phone.send("POST", "/api/battle/captain", body).status_code == 200
    assert server.captains.sides() == {}
    for captain, status in (("nelson", 404), ("cautious", 200)):
        body = {"side": "german", "captain": captain}
        assert phone.send("POST", "/api/battle/captain", body).status_code == status
    assert server.captains.sides() == {"german": "cautious"}
    # A server that begins again goes on with them.
    again = ServerContext(server.session)
    assert again.captains.sides() == {"german": "cautious"}
    again.captains.close()


def test_the_journal_tells_who_plays_a_side_and_an_import_goes_on_with_it(
    app: Flask, server: ServerContext
) -> None:
    phone = host_of(app)
    begun = phone.send("POST", "/api/battles/solo", {"scenario": "tutorial", "captain": "bold"})
    id_ = begun.get_json()["id"]
    phone.send("POST", "/api/battle/captain", {"side": "german", "captain": None})
    phone.send("POST", "/api/battle/captain", {"side": "german", "captain": "cautious"})
    told = [entry.event for entry in server.session.log() if isinstance(entry.event, CaptainSet)]
    assert [(each.side, each.captain) for each in told] == [
        ("german", "bold"),
        ("german", None),
        ("german", "cautious"),
    ]
    assert {"captain_set"} <= {line["kind"] for line in phone.get("/api/log").get_json()["log"]}
    document = phone.get(f"/api/battles/kept/{id_}/export")
    assert document.status_code == 200, document.text
    phone.send("POST", "/api/battle/captain", {"side": "german", "captain": None})
    copy = import_battle(phone, document.data)
    assert copy.status_code == 200, copy.text
    resumed = phone.post(f"/api/battles/kept/{copy.get_json()['id']}/resume")
    assert resumed.status_code == 200, resumed.text
    assert server.captains.sides() == {"german": "cautious"}


def test_the_same_battle_in_another_folder_decides_alike(tmp_path: Path) -> None:
    places = tmp_path / "t.db", tmp_path / "elsewhere" / "u.db"
    for path in places:
        path.parent.mkdir(exist_ok=True)
    fought = Fought(places[0])
    fought.session.close()
    shutil.copy(places[0], places[1])
    chances = []
    for path in places:
        session = Session(Store(path))
        captains, battle = TableCaptains(session, random.Random), session.moment.battle
        assert battle is not None
        chances.append([captains._chance(battle, side).random() for side in battle.sides])
        session.close()
    assert chances[0] == chances[1]
    # Each side has a chance of its own.
    assert len(set(chances[0])) == 2


def test_a_stranger_gives_no_side_to_a_captain(app: Flask, server: ServerContext) -> None:
    solo(app)
    body = {"side": "british", "captain": "bold"}
    assert Phone(app).send("POST", "/api/battle/captain", body).status_code in (401, 403)
    assert server.captains.sides() == {"german": "steady"}


@pytest.mark.parametrize("scenario", ["convoy-hx106", "two-a-side"])
def test_every_kind_of_scenario_is_played_alone(
    app: Flask, server: ServerContext, scenario: str
) -> None:
    """One that dice set up, and one of fleets."""
    solo(app, scenario=scenario)
    battle = battle_of(server)
    mine = next(iter(server.session.seats)).side
    assert set(server.captains.sides()) == set(battle.sides) - {mine}
