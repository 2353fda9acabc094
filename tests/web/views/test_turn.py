"""Whom the battle waits for, what each side is doing, nudges: told to all, without a secret."""

import json

import pytest
from flask import Flask

from combat.participants import SPECTATOR
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import Phone, host_of, running_in, seated
from tests.web.test_session import Clock
from web.views.turn import parties_of


@pytest.fixture
def phones(app: Flask) -> dict[str, Phone]:
    host = host_of(app)
    answer = host.post("/api/battles/scenario", {"scenario": "denmark-strait"})
    assert answer.status_code == 200, answer.text
    return {
        "host": host,
        "british": seated(app, "Ann"),
        "german": seated(app, "Bob", side="german"),
        "umpire": seated(app, "Uma", role="umpire", side=None),
        "onlooker": seated(app, "Olaf", role="onlooker", side=None),
    }


def play(phone: Phone, kind: str, **data: object) -> None:
    answer = phone.post("/api/battle/play", {"kind": kind, "data": data})
    assert answer.status_code == 200, answer.text


def doing(app: Flask) -> dict[str, tuple[str, dict[str, object]]]:
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    return {
        each.side: (each.doing.code, dict(each.doing.params))
        for each in parties_of(battle.view(SPECTATOR), session.seats)
    }


def waited_for(phones: dict[str, Phone]) -> set[str]:
    return {name for name, phone in phones.items() if phone.view()["turn"]["waits"]}


def test_everybody_reads_what_each_side_is_doing(app: Flask, phones: dict[str, Phone]) -> None:
    assert waited_for(phones) == {"british", "german", "umpire"}
    assert doing(app)["british"] == ("battle.doing.plot", {"n": 0, "all": 2})
    play(phones["british"], "plot", ship="Hood", speed=3, notation="1l⅔")
    assert doing(app)["british"] == ("battle.doing.plot", {"n": 1, "all": 2})
    assert doing(app)["german"] == ("battle.doing.plot", {"n": 0, "all": 2})
    play(phones["british"], "plot", ship="Prince of Wales", speed=8, notation="4")
    play(phones["british"], "commit")
    assert doing(app)["british"] == ("battle.doing.committed", {})
    assert waited_for(phones) == {"german", "umpire"}
    for phone in phones.values():
        told = json.dumps(phone.view()["turn"], ensure_ascii=False) + phone.get("/tv/side").text
        assert "l⅔" not in told
    assert "plotting, 0 of 2" in phones["onlooker"].get("/tv/side").text


def test_every_side_moves_the_models(app: Flask, phones: dict[str, Phone]) -> None:
    for side, ships in (
        ("british", ("Hood", "Prince of Wales")),
        ("german", ("Bismarck", "Prinz Eugen")),
    ):
        for ship in ships:
            play(phones[side], "plot", ship=ship, speed=8, notation="4")
        play(phones[side], "commit")
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    assert battle.view(SPECTATOR).step.kind == "move"
    assert waited_for(phones) == {"british", "german", "umpire"}
    assert all(each.waited_for for each in parties_of(battle.view(SPECTATOR), session.seats))


def test_the_number_of_plots_is_all_that_others_learn(app: Flask, phones: dict[str, Phone]) -> None:
    """A canary: whichever ship was plotted, and whatever was written, others are told the same."""
    told = []
    for ship, speed, notation in (("Hood", 3, "1l⅔"), ("Prince of Wales", 8, "4")):
        play(phones["british"], "plot", ship=ship, speed=speed, notation=notation)
        view = phones["german"].view()
        told.append({**view["turn"], **view["battle"]["written"], "plots": view["battle"]["plots"]})
        phones["british"].post("/api/battle/undo")
    assert told[0] == told[1]
    assert told[0]["plots"] == {}


def test_each_battle_has_a_key_of_its_own(app: Flask) -> None:
    """Begun by the same entry of its journal, too: pages follow the next battle by its key."""
    host = host_of(app)
    keys, begun = [], []
    for _ in range(2):
        answer = host.post("/api/battles/scenario", {"scenario": "denmark-strait"})
        assert answer.status_code == 200, answer.text
        session = running_in(app).session
        battle = session.moment.battle
        assert battle is not None
        begun.append(battle.record.begun)
        keys.append(host.view()["turn"]["battle"])
        assert session.battle_key == keys[-1]
        assert f'data-battle="{keys[-1]}"' in host.get("/table").text
    assert begun[0] == begun[1]
    assert keys[0] != keys[1]


def test_a_nudge_reaches_the_side_that_is_waited_for(app: Flask, phones: dict[str, Phone]) -> None:
    ann, bob = phones["british"], phones["german"]
    before = bob.view()["turn"]["nudge"]
    assert ann.post("/api/battle/nudge", {"side": "german"}).status_code == 200
    turn = bob.view()["turn"]
    assert (turn["nudge"] > before, turn["nudged_by"]) == (True, "Ann")
    assert ann.view()["turn"]["nudge"] == 0
    again = phones["umpire"].post("/api/battle/nudge", {"side": "german"})
    assert again.status_code == 429
    assert int(again.headers["Retry-After"]) <= 20
    assert bob.view()["turn"]["nudge"] == turn["nudge"]


def test_nobody_is_nudged_in_vain(app: Flask, phones: dict[str, Phone]) -> None:
    ann = phones["british"]
    own = ann.post("/api/battle/nudge", {"side": "british"})
    assert own.status_code == 409
    play(ann, "plot", ship="Hood", speed=8, notation="4")
    play(ann, "plot", ship="Prince of Wales", speed=8, notation="4")
    play(ann, "commit")
    for side in ("british", "italian"):
        assert phones["german"].post("/api/battle/nudge", {"side": side}).status_code == 409
    assert phones["onlooker"].post("/api/battle/nudge", {"side": "german"}).status_code == 403


def test_ships_that_act_in_turn_are_named(app: Flask) -> None:
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    players = Players(app)
    assert {code for code, _ in doing(app).values()} <= {
        "battle.doing.rolls",
        "battle.doing.awaits_dice",
    }
    while players.view()["step"]["kind"] != "ship_moves":
        assert players.step()
    now = next(each for each in players.view()["order"] if each["now"])
    code, params = doing(app)[now["side"]]
    assert code == "battle.doing.ship_moves"
    assert now["name"] in params["actors"]  # type: ignore[operator]
    (other,) = {"british", "german"} - {now["side"]}
    assert doing(app)[other][0] == "battle.doing.awaits_turn"


def test_people_whose_page_is_closed_are_away(app: Flask, phones: dict[str, Phone]) -> None:
    session = running_in(app).session
    phones["german"].get("/api/here")
    assert 'class="away"' not in phones["british"].get("/battle/now").text
    clock = Clock()
    clock.seconds = session.now() + 60
    session._monotonic = clock
    page = phones["british"].get("/battle/now").text
    assert "Bob (away)" in page
    assert "Ann (away)" not in page
    phones["german"].get("/api/here")
    assert 'class="away"' not in phones["british"].get("/battle/now").text
