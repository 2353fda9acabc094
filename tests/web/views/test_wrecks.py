"""Sunk and departed ships: off the table, a mark where they sank, and in nobody's way."""

from dataclasses import replace

import pytest
from flask import Flask

from combat.participants import ShipStatus
from tabletop.survey import survey
from tabletop.table import Pose, Table
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import Phone, running_in
from web.table.moment import Moment


def moment_of(app: Flask) -> Moment:
    return running_in(app).session.moment


def fought(app: Flask) -> Players:
    """A battle to the first ship that sinks."""
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while not moment_of(app).fates:
        assert players.step(), "somebody has sunk before the end"
    return players


def lone_phone(players: Players) -> Phone:
    return players.phones["british"]


def test_a_sunk_ship_leaves_the_chart_and_a_mark_stays(app: Flask) -> None:
    players = fought(app)
    (name,) = moment_of(app).fates
    fate = moment_of(app).fates[name]
    assert fate.status is ShipStatus.SUNK
    view = lone_phone(players).view()
    piece = next(each for each in view["ships"] if each["name"] == name)
    assert (piece["placed"], piece["x"], piece["fate"]) == (False, None, "sunk")
    (wreck,) = view["wrecks"]
    assert wreck == {
        "name": name,
        "side": piece["side"],
        "x": pytest.approx(fate.pose.x_yards),
        "y": pytest.approx(fate.pose.y_yards),
    }
    assert all(each["fate"] is None for each in view["ships"] if each["name"] != name)
    page = lone_phone(players).get("/table").text
    assert f'data-pick="{name}"' not in page


def test_a_wreck_is_in_nobodys_line_of_sight(app: Flask) -> None:
    players = fought(app)
    moment = moment_of(app)
    (name,) = moment.fates
    assert moment.scene is not None
    assert name not in moment.scene.table.names
    assert name in moment.poses, "her model still stands where the players left it"
    # Between two of her own line she would be in the way, if she counted.
    one, other = (model for model in moment.scene.table.models[:2])
    between = replace(
        one,
        name=name,
        pose=Pose(
            (one.pose.x_yards + other.pose.x_yards) / 2,
            (one.pose.y_yards + other.pose.y_yards) / 2,
            0,
        ),
    )
    lying_there = survey(
        Table((*moment.scene.table.models, between)), moment.scene.ruleset.table_rules
    )
    assert lying_there[one.name, other.name].blocked
    put = {"x": between.pose.x_yards, "y": between.pose.y_yards, "heading": 0}
    assert lone_phone(players).post(f"/api/ships/{name}/place", put).status_code == 200
    after = moment_of(app)
    assert after.survey is not None
    assert not after.survey[one.name, other.name].blocked


def test_a_check_of_a_wreck_is_refused_in_words(app: Flask) -> None:
    players = fought(app)
    (name,) = moment_of(app).fates
    other = next(iter(moment_of(app).in_play))
    phone = lone_phone(players)
    for address in (
        f"/api/check?firer={other}&target={name}",
        f"/api/fields-of-fire?ship={name}",
    ):
        answer = phone.get(address)
        assert 400 <= answer.status_code < 500
        assert "sunk" in answer.get_json()["error"]["message"]
    page = phone.get(f"/check?firer={other}&target={name}")
    assert page.status_code == 200
    assert "sunk" in page.text


def test_an_undo_brings_her_back(app: Flask) -> None:
    players = fought(app)
    (name,) = moment_of(app).fates
    battle = moment_of(app).battle
    assert battle is not None
    before = battle.record.events[-2].n
    side, other = "british", "german"
    assert players.phones[side].post("/api/battle/undo/ask", {"after": before}).status_code == 200
    answer = players.phones[other].answer_undo(agree=True)
    assert answer.status_code == 200
    assert moment_of(app).fates == {}
    assert name in moment_of(app).in_play
    assert lone_phone(players).view()["wrecks"] == []


def test_flag_and_markers_are_beside_the_models(app: Flask) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while players.view()["round"] < 2 or players.view()["step"]["kind"] != "command":
        assert players.step()
    marks = {ship["name"]: ship["marks"] for ship in lone_phone(players).view()["ships"]}
    flags = [name for name, found in marks.items() if "flag" in found]
    assert flags == ["Ares", "Boreas"]
    # Of equal ships each may take the flag over, and the player chooses.
    heirs = [name for name, found in marks.items() if "heir" in found]
    assert heirs == ["Argo", "Atlas", "Bellona", "Briton"]
    # All of them have moved 3,000 yards, which brings no marker; one is put out by hand.
    assert marks["Argo"] == ["heir"]
    players.play("british", "set-command", ship="Argo", out=True)
    marks = {ship["name"]: ship["marks"] for ship in lone_phone(players).view()["ships"]}
    assert marks["Argo"] == ["OUT"]
