"""Setting up fleets with divisions, and the pages of a battle in which ships act in turn."""

import json
import random
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from flask import Flask

from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import Phone, host_of, seated
from web.strings import text

CHOSEN = {
    "ruleset": "grand-fleets",
    "title": "Off the cape",
    "size": "medium",
    "count.british.Sample cruiser": "3",
    "count.german.Sample cruiser": "3",
}
_BODY = re.compile(r'data-act="POST /api/battles" data-body="([^"]*)"')


def part(host: Phone, **more: str) -> str:
    answer = host.get(f"/battles/new/fleet?{urlencode({**CHOSEN, **more})}")
    assert answer.status_code == 200, answer.text
    return answer.text


def body_of(html: str) -> dict[str, object]:
    found = _BODY.search(html)
    assert found is not None
    body: dict[str, object] = json.loads(unescape(found[1]))
    return body


def test_rulebooks_are_offered_and_cards_have_their_points(app: Flask) -> None:
    host = host_of(app)
    assert "/battles/new?ruleset=grand-fleets" in host.get("/battles/new").text
    page = host.get("/battles/new?ruleset=grand-fleets").text
    assert 'name="count.british.Sample cruiser"' in page
    assert "70 points" in page


def test_divisions_are_proposed_and_begin_as_chosen(app: Flask) -> None:
    host = host_of(app)
    page = host.get(f"/battles/new?{urlencode(CHOSEN)}")
    assert 'name="division.0"' in page.text
    assert 'name="flag.0" checked' in page.text
    body = body_of(
        part(
            host,
            **{
                "named.british.1": "Van",
                "name.1": "Argo",
                "flag.1": "on",
                "division.0": "1",
                "quality.british.1": "good",
                "quality.german.1": "average",
                "conditions": "yes",
                "option.extreme_range": "on",
            },
        )
    )
    assert body["limits"] == {"battle_size": "medium", "year": None, "checked": True}
    assert host.post("/api/battles", body).status_code == 200
    ann = seated(app, "Ann")
    battle = ann.view()["battle"]
    van = next(each for each in battle["divisions"] if each["side"] == "british")
    assert (van["name"], van["flagship"], van["quality"]) == ("Van", "Argo", 1)
    assert battle["step"]["kind"] == "initiative"
    options = ann.get("/api/rules").get_json()["rules"]["options"]
    assert [each["on"] for each in options if each["key"] == "extreme_range"] == [True]
    # The models wait where each division may be placed at once.
    players = Players.__new__(Players)
    players.phones = {"british": ann, "german": seated(app, "Bob", side="german")}
    players.chance = random.Random(5)
    while ann.view()["battle"]["wanted"]:
        players.roll()
    for actor in ann.view()["battle"]["order"]:
        players.play(actor["side"], "place-division", division=actor["name"])


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"size": "very small"}, "Assembling the Fleet"),
        ({"year": "1920"}, "Assembling the Fleet"),
        ({"division.2": "2"}, "Divisions"),
        ({"quality.british.1": "superb", "division.2": "2"}, "Divisions"),
    ],
)
def test_limits_are_said_with_their_rule_and_may_be_left(
    app: Flask, more: dict[str, str], rule: str
) -> None:
    host = host_of(app)
    html = part(host, **more)
    assert rule in html
    assert body_of(html) == {}
    assert body_of(part(host, **more, unchecked="on"))["title"] == "Off the cape"


@pytest.mark.parametrize(
    "wrong",
    [
        {"count.british.Sample cruiser": "many"},
        {"count.british.Sample cruiser": "999"},
        {"year": "MCM"},
        {"size": "enormous"},
        {"quality.british.1": "drunk"},
        {"division.0": "99"},
        {"width": "wide"},
    ],
)
def test_what_makes_no_sense_is_said_and_loses_nothing(app: Flask, wrong: dict[str, str]) -> None:
    answer = host_of(app).get(f"/battles/new?{urlencode({**CHOSEN, **wrong})}")
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text


def test_two_ships_of_one_name_cannot_begin(app: Flask) -> None:
    html = part(host_of(app), **{"name.0": "Argo", "name.1": "Argo"})
    assert 'role="alert"' in html
    assert body_of(html) == {}


def test_pages_of_each_step(app: Flask) -> None:
    host = begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    seen: set[str] = set()
    pages = ("/battle", "/battle/bar", "/battle/story", "/sheets", "/report", "/table", "/battles")
    for _ in range(14):
        view = players.view()
        kind = view["step"]["kind"]
        if kind not in seen:
            seen.add(kind)
            for phone in (*players.phones.values(), host):
                for path in pages:
                    answer = phone.get(path)
                    assert answer.status_code == 200, (kind, path, answer.text[-300:])
        for actor in view["order"]:
            for ship in actor["ships"]:
                for path in (f"/battle/move/{ship}", f"/battle/fire/{ship}"):
                    for phone in players.phones.values():
                        assert phone.get(path).status_code in (200, 303), path
        if not players.step():
            break
    assert seen >= {"commanders", "ship_moves", "command", "combat"}
    report = host.get("/report")
    assert report.status_code == 200
    assert "<h2>Turn 1</h2>" in report.text
    assert host.get("/report.pdf").data.startswith(b"%PDF")
    assert host.get("/report.html").status_code == 200
    assert host.get("/sheets-record.pdf").data.startswith(b"%PDF")


def test_the_pad_adds_two_dice_and_asks_for_no_coloured_one(app: Flask) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    side = players.view()["wanted"]["side"]
    html = players.phones[side].get("/battle").text
    assert 'data-kind="pair"' in html
    assert str(text("fire.second_die")) in html
    assert str(text("fire.coloured")) not in html
    assert "terms.base_six" not in html
    assert "die red" not in html


def test_heirs_are_said_before_the_battle_begins(app: Flask) -> None:
    host = host_of(app)
    named = {"name.0": "Anson", "name.1": "Benbow", "name.2": "Collier"}
    html = part(host, **named)
    assert str(text("battle.ordered.heirs", ships="Benbow, Collier")) in html
    # While a larger ship is there, the flag goes to no smaller one (Transferring the Flag).
    mixed = {
        **named,
        "count.british.Sample cruiser": "2",
        "count.british.Sample light cruiser": "1",
    }
    assert str(text("battle.ordered.heirs", ships="Benbow")) in part(host, **mixed)


def test_figures_of_a_move(app: Flask) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while (view := players.view())["round"] < 2 or view["wanted"]:
        players.step()
    actor = next(each for each in view["order"] if each["now"])
    side, (first, second, third) = actor["side"], actor["ships"]
    phone = players.phones[side]

    def saves(**figures: str) -> dict[str, object]:
        html = phone.get(f"/battle/move/{first}/part?{urlencode(figures)}").text
        found = re.search(r"data-act=\"POST /api/battle/play\" data-body='([^']*)'", html)
        assert found is not None
        body: dict[str, object] = json.loads(unescape(found[1]))
        return body

    alone = saves(by="figures", together="alone", run="3")
    assert alone["kind"] == "move-ship"
    alike = saves(by="figures", together="alike", turn="30")
    assert alike["kind"] == "move-division"
    data = alike["data"]
    assert isinstance(data, dict)
    assert set(data["poses"]) == {first, second, third}
    start = next(each["pose"] for each in view["ships"] if each["id"] == second)
    assert data["poses"][second]["heading"] == (start["heading"] + 30) % 360
    in_line = saves(by="figures", together="in_line", turn="30", ahead="2")
    poses = in_line["data"]["poses"]  # type: ignore[index]
    # Who is 2,000 yards astern gets to the corner at her farthest and does not turn.
    assert poses[third]["heading"] == start["heading"]
    assert poses[second]["heading"] == (start["heading"] + 30) % 360
    # Out and back on one track: the poses do not show how far (Turning).
    about = saves(by="figures", together="alone", turn="180", run="2", ahead="1.5")
    assert about["data"]["yards"] == 2000  # type: ignore[index]
    all_about = saves(by="figures", together="alike", turn="180", run="2", ahead="1.5")
    assert all_about["data"]["yards"] == dict.fromkeys((first, second, third), 2000)  # type: ignore[index]
    too_far = phone.get(f"/battle/move/{first}/part?by=figures&together=alone&turn=180&run=9")
    assert 'id="save"' not in too_far.text
    bad = phone.get(f"/battle/move/{first}/part?by=figures&run=far").text
    assert "far" in bad
    assert 'id="save"' not in bad
    assert phone.post("/api/battle/play", alike).status_code == 200
    moved = {each["id"]: each["acted"] for each in players.view()["ships"]}
    assert (moved[first], moved[second], moved[third]) == (True, True, True)


def bodies(html: str, words: str) -> list[dict[str, object]]:
    """What the buttons with these words send."""
    found = re.findall(r"<button([^>]*)>(?:<svg.*?</svg>)?([^<]*)</button>", html, re.S)
    bodies = (
        re.search(r"data-body=(['\"])(.*?)\1", tag, re.S) for tag, said in found if words in said
    )
    return [json.loads(unescape(body[2])) for body in bodies if body is not None]


def test_a_division_goes_straight_ahead_and_fires_as_proposed_in_one_tap(app: Flask) -> None:
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    players, umpire = Players(app), seated(app, "Uma", role="umpire", side=None)
    while (view := players.view())["round"] < 2 or view["wanted"]:
        players.step()
    actor = next(each for each in view["order"] if each["now"])
    phone = players.phones[actor["side"]]
    (ahead,) = bodies(phone.get("/battle").text, "straight ahead")
    assert phone.post("/api/battle/play", ahead).status_code == 200
    assert {each["id"] for each in players.view()["ships"] if each["acted"]} == set(actor["ships"])
    while players.view()["step"]["kind"] != "combat" or players.view()["wanted"]:
        players.step()
    for ship, x in (("Ares", 15_000), ("Boreas", 18_000)):
        pose = {"ship": ship, "what": "pose", "x": x, "y": 15_000, "heading": 0}
        answer = umpire.post("/api/battle/correct", {**pose, "reason": "brings them together"})
        assert answer.status_code == 200, answer.text
    actor = next(each for each in players.view()["order"] if each["now"])
    phone = players.phones[actor["side"]]
    (fire,) = bodies(phone.get("/battle").text, "fires at")
    assert phone.post("/api/battle/play", fire).status_code == 200
    view = players.view()
    assert view["wanted"]
    later = bodies(phone.get("/battle").text, "Roll first")
    assert len(later) == len(view["declared"]) - 1
    for body in later[:1]:
        assert phone.post("/api/battle/play", body).status_code == 200
        due = players.view()["declared"][0]
        assert {"battery": due["battery"], "target": due["target"]}.items() <= body["data"].items()  # type: ignore[attr-defined]


def test_an_umpire_plays_every_side_and_sets_values_right(app: Flask) -> None:
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    umpire = seated(app, "Uma", role="umpire", side=None)
    while (view := umpire.view()["battle"])["wanted"]:
        assert umpire.post("/api/battle/roll", {"what": "rest"}).status_code == 200
    assert "/battle/correct" in umpire.get("/battle").text
    for actor in view["order"]:
        body = {"kind": "place-division", "data": {"division": actor["name"]}}
        assert umpire.post("/api/battle/play", body).status_code == 200
    done = umpire.post("/api/battle/play", {"kind": "command-done", "data": {}})
    assert done.status_code == 200
    assert umpire.view()["battle"]["step"]["kind"] == "combat"
    assert umpire.post("/api/battle/undo").status_code == 200
    assert umpire.view()["battle"]["step"]["kind"] == "command"
    page = umpire.get("/battle/correct?ship=Ares")
    assert page.status_code == 200
    assert 'value="slow"' in page.text
    hull = {"ship": "Ares", "what": "hull_lost", "value": "3", "reason": "a forgotten salvo"}
    assert umpire.post("/api/battle/correct", hull).status_code == 200
    assert umpire.get("/api/battle/sheet?ship=Ares").get_json()["sheet"]["parts"][0]["lost"] == 3
    assert "a forgotten salvo" in umpire.get("/battle/story").text
    guns = {"ship": "Ares", "what": "dice_lost", "value": "guns 1: 2", "reason": "x"}
    assert umpire.post("/api/battle/correct", guns).status_code == 200
    score = {"what": "score", "value": "british: 40", "reason": "a scenario's bonus"}
    assert umpire.post("/api/battle/correct", score).status_code == 200
    assert umpire.view()["battle"]["score"][0]["points"] == 40
    assert umpire.get("/battle/correct").status_code == 200
    for wrong in (
        {"ship": "Ares", "what": "hull_lost", "value": "99", "reason": "x"},
        {"ship": "Ares", "what": "dice_lost", "value": "guns 5: 1", "reason": "x"},
        {"ship": "Ares", "what": "visibility", "value": "1", "reason": "x"},
        {"ship": "Nobody", "what": "hull_lost", "value": "1", "reason": "x"},
        {"what": "score", "value": "french: 1", "reason": "x"},
    ):
        assert umpire.post("/api/battle/correct", wrong).status_code in (400, 404), wrong
    ann = seated(app, "Ann")
    assert "/battle/correct" not in ann.get("/battle").text
    assert ann.get("/battle/correct").status_code == 403
    assert ann.post("/api/battle/correct", hull).status_code in (400, 403)
