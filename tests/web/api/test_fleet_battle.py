"""A battle in which ships act in turn, played through the API to its end and back."""

import pytest
from flask import Flask

from combat.participants import SPECTATOR
from combat.story_entries import VolleyDocument
from tabletop.messages import Message
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import host_of, running_in, seated, words_of
from web.auth.seats import Caller
from web.battle.report.report import battle_report
from web.games.guided_game import follow
from web.strings import text, words

VALKYRIE = """
[[ship]]
name = "Valkyrie"
class = "CA"
nation = "Own"
size = "medium"
victory_points = 90
armour = [3, 2]
speed = [6, 5, 4]
hull = [5, 5, 5]
[[ship.guns]]
name = "8 inch"
calibre = 8
turrets = true
forward = -2
aft = -2
range = [5, 10, 20]
penetration = 2
dice = [12, 8, 6]
"""


@pytest.fixture
def players(app: Flask) -> Players:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    return Players(app)


def to_step(players: Players, kind: str, turn: int) -> None:
    """Play on until this step of this turn."""
    for _ in range(200):
        view = players.view()
        if (view["step"]["kind"], view["round"]) == (kind, turn) and not view["wanted"]:
            return
        players.step()
    raise AssertionError(kind)


def test_whole_battle_to_victory_opened_again_and_handed_on(app: Flask, players: Players) -> None:
    steps = 0
    while players.step():
        steps += 1
        assert steps < 200
    view = players.view()
    assert view["step"]["kind"] == "ended"
    reached = [each for each in view["score"] if each["points"] >= each["threshold"]]
    assert [each["threshold"] for each in view["score"]] == [120, 120]
    assert len(reached) == 1
    gone = [ship for ship in view["ships"] if ship["status"] == "sunk"]
    assert gone
    assert not any(ship["on_table"] for ship in gone)
    assert sum(ship["points"] for ship in gone) == sum(each["points"] for each in view["score"])
    session = running_in(app).session
    now = session.moment.battle
    assert now is not None
    # Both sides' hits stand in the report against what their fires could expect.
    luck = battle_report(now, Caller("host", host=True)).luck
    assert [each.side for each in luck] == ["british", "german"]
    assert all(each.spread > 0 and each.actual[-1] > 0 for each in luck)
    fired = [e.document for e in now.story(SPECTATOR) if isinstance(e.document, VolleyDocument)]
    hits = sum(document.hits for document in fired)
    assert sum(each.actual[-1] for each in luck) == hits
    # Played again from its journal, it is the same battle, told in the same words.
    again = follow(session.moment.state.ruleset, session.moment.state.battle, None)
    assert again is not None
    assert again.state == now.state
    assert again.story(SPECTATOR) == now.story(SPECTATOR)
    assert [each.state for each in again.game.played] == [each.state for each in now.game.played]
    host = host_of(app)
    open_id = host.get("/api/battles").get_json()["battles"][0]["id"]
    file = players.phones["british"].get(f"/api/battles/kept/{open_id}/export")
    assert file.status_code == 200
    taken = host.send(
        "POST",
        "/api/battles/import",
        data=file.data,
        headers={"Content-Type": "application/octet-stream"},
    )
    assert taken.status_code == 200, taken.text
    kept, other, *_ = host.get("/api/battles").get_json()["battles"]
    assert kept["id"] != other["id"]
    assert (other["n"], other["ended"], other["title"]) == (kept["n"], True, kept["title"])


def test_moves_are_read_from_models_that_were_put_down(players: Players) -> None:
    to_step(players, "ship_moves", 2)
    view = players.view()
    actor = next(each for each in view["order"] if each["now"])
    side, ship = actor["side"], actor["ships"][0]
    phone = players.phones[side]
    pose = next(each["pose"] for each in view["ships"] if each["id"] == ship)
    ahead = 1 if pose["heading"] == 90 else -1
    answer = phone.post(
        f"/api/ships/{ship}/place",
        {"x": pose["x"] + 4000 * ahead, "y": pose["y"], "heading": pose["heading"]},
    )
    assert answer.status_code == 200, answer.text
    reading = phone.get(f"/api/battle/reading?ship={ship}").get_json()["move"]
    assert (reading["yards"], reading["turned"], reading["faults"]) == (4000, False, [])
    players.play(side, "move-ship", ship=ship)
    moved = next(each for each in players.view()["ships"] if each["id"] == ship)
    assert moved["pose"]["x"] == pytest.approx(pose["x"] + 4000 * ahead)
    # Her model had been read; whoever did not move stands where she was.
    refused = phone.post("/api/battle/play", {"kind": "move-ship", "data": {"ship": ship}})
    assert refused.status_code == 400
    assert "The Movement Phase" in words_of(refused)


def test_own_step_is_undone_and_a_roll_is_not(players: Players) -> None:
    to_step(players, "ship_moves", 1)
    view = players.view()
    side = next(each["side"] for each in view["order"] if each["now"])
    other = next(each for each in players.phones if each != side)
    assert players.phones[side].post("/api/battle/undo").status_code == 400
    name = next(each["name"] for each in view["order"] if each["now"])
    players.play(side, "place-division", division=name)
    assert players.view(side)["undo"]["own"]
    assert not players.view(other)["undo"]["own"]
    assert players.phones[side].post("/api/battle/undo").status_code == 200
    assert players.view()["order"] == view["order"]


def test_undone_by_consent_at_every_step_and_opened_again(app: Flask, players: Players) -> None:
    to_step(players, "ship_moves", 2)
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    states = [battle.rulebook.schemas.setup.write(battle.record.setup)]
    for number in reversed([battle.record.begun, *(each.n for each in battle.record.events)][:-1]):
        asked = players.phones["british"].post("/api/battle/undo/ask", {"after": number})
        assert asked.status_code == 200, asked.text
        agreed = players.phones["german"].answer_undo(agree=True)
        assert agreed.status_code == 200, agreed.text
        now = session.moment.battle
        assert now is not None
        stand = [each.n for each in battle.record.events if each.n <= number]
        assert [each.n for each in now.record.events] == stand
        assert now.state == battle.game.state_after(len(stand))
    assert states[0] == battle.rulebook.schemas.setup.write(battle.record.setup)
    # The dice that had fallen come again, in their order.
    first = next(each.rolls[0].value for each in battle.record.events if each.rolls)
    rolled = players.phones["british"].post("/api/battle/roll", {"what": "next"})
    assert rolled.status_code == 200, rolled.text
    again = session.moment.battle
    assert again is not None
    assert again.record.events[0].rolls[0].value == first


def test_each_seat_is_offered_what_it_may_do(app: Flask, players: Players) -> None:
    to_step(players, "ship_moves", 1)
    view = players.view()
    side = next(each["side"] for each in view["order"] if each["now"])
    other = next(each for each in players.phones if each != side)
    kinds = {
        each: {one["kind"] for one in players.view(each)["actions"]} for each in players.phones
    }
    assert kinds[side] == {"place-division", "end"}
    assert kinds[other] == {"end"}
    ships = players.view(other)["ships"]
    assert {ship["yours"] for ship in ships if ship["side"] == side} == {False}
    refused = players.phones[other].post(
        "/api/battle/play",
        {"kind": "place-division", "data": {"division": view["order"][0]["name"]}},
    )
    assert refused.status_code == 400
    assert players.phones[side].get("/battle/move/Ares").status_code == 303


def test_players_own_cards_stay_as_the_battle_began_with_them(app: Flask) -> None:
    host = host_of(app)
    kept = host.post("/api/cards?ruleset=grand-fleets", {"toml": VALKYRIE})
    assert kept.status_code == 200, kept.text
    ships = [*line_ahead("british", 2), *line_ahead("german", 2)]
    begin(app, [{**ship, "type": "Valkyrie"} for ship in ships])
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    before = battle.rulebook.sheet(battle.state, "Ares")
    gone = host.delete("/api/cards/Valkyrie?ruleset=grand-fleets")
    assert gone.status_code == 200, gone.text
    players = Players(app)
    players.roll()
    players.step()
    # Opened again from its journal, it is the same battle.
    again = follow(session.moment.state.ruleset, session.moment.state.battle, None)
    assert again is not None
    now = session.moment.battle
    assert now is not None
    assert again.state == now.state
    assert again.rulebook.sheet(again.state, "Ares").type == before.type == "Valkyrie"


def test_dice_that_an_umpire_enters_are_marked_in_log_story_and_file(
    app: Flask, players: Players
) -> None:
    uma = seated(app, "Uma", role="umpire", side=None)
    ann = players.phones["british"]

    def said() -> list[str]:
        story = ann.get("/api/battle/story").get_json()["story"]
        return [line["text"] for each in story for line in (each["line"], *each["children"])]

    def mark(value: str) -> str:
        return words(Message("combat.story.umpire_rolled", dice=value))

    for phone, value in ((players.phones[players.view()["wanted"]["side"]], "33"), (uma, "55")):
        assert (mark(value) in said()) is False
        answer = phone.post("/api/battle/play", {"kind": "dice", "data": {"values": [value]}})
        assert answer.status_code == 200, answer.text
        assert (mark(value) in said()) is (phone is uma)
    log = [line["text"] for line in ann.get("/api/log").get_json()["log"]]
    assert str(text("events.battle.dice_umpire", dice="55")) in log
    assert str(text("events.battle.dice_typed", dice="33")) in log
    open_id = host_of(app).get("/api/battles").get_json()["battles"][0]["id"]
    file = ann.get(f"/api/battles/kept/{open_id}/export").get_json()
    rolls = [roll for entry in file["entries"] for roll in entry["data"].get("rolls", ())]
    assert [roll.get("by_umpire") for roll in rolls] == [None, True]
    assert mark("55") in ann.get("/report").text


@pytest.mark.parametrize("data", [{"reason": "x"}, {"ship": "Hood", "values": {"sunk": True}}])
def test_a_correction_in_another_rulebooks_form_is_told_its_route(
    app: Flask, players: Players, data: dict[str, object]
) -> None:
    umpire = seated(app, "Uma", role="umpire", side=None)
    refused = umpire.post("/api/battle/play", {"kind": "correct", "data": data})
    assert refused.status_code == 400
    assert "/api/battle/correct" in words_of(refused)
    assert "did you mean" not in words_of(refused)
