"""What is done with recorded files once they are open: battles and fights are played on."""

from itertools import cycle

from flask import Flask

from combat.rulebooks import get_ruleset
from tests.compatibility.reading import (
    Json,
    attacks_seen,
    board_seen,
    free_now,
    marks_seen,
    ordered_battle_seen,
    seen_by,
)
from tests.web.fleets import Players
from tests.web.phones import Phone, host_of, running_in, seated
from web.free.calculator import calculate


def attack_made(app: Flask, recorded: Json) -> Json:
    """One more attack in the next round: what it is answered, what came of it, the marks then."""
    ruleset, dice = recorded["ruleset"], recorded["dice"]
    host, found = host_of(app), get_ruleset(ruleset)
    answer = host.post("/api/free/round", {"ruleset": ruleset})
    assert answer.status_code == 200, answer.text
    now = free_now(app, ruleset)
    assert now is not None
    calculation = calculate(found, now.rulebook, now.state, recorded["said"])
    assert calculation.faults == ()
    answer = host.post("/api/free", calculation.request(dice, roll=False))
    if answer.status_code != 200:
        return {"status": answer.status_code, "error": answer.get_json()["error"]["message"]}
    return {
        "status": answer.status_code,
        "attack": {**attacks_seen(app, ruleset)[-1], "who": ""},
        "marks": marks_seen(app, ruleset, recorded["outcome"]["marks"]),
    }


def board_goes_on(app: Flask, ruleset: str, actions: list[Json]) -> Json:
    """A fight on a board after some more actions; dice that were kept come again."""
    for action in actions:
        answer = host_of(app).post("/api/free", action)
        assert answer.status_code == 200, answer.text
    return board_seen(app, ruleset)


def comes_back(app: Flask, name: str, pin: str) -> bool:
    """Whether a player is let in again with the PIN of then."""
    body = {"code": running_in(app).session.seats.code, "name": name, "pin": pin}
    return Phone(app).post("/api/return", body).status_code == 200


def owner_files_taken(app: Flask, values: bytes, cards: bytes) -> tuple[str, str]:
    """The owner's table values and ship cards, taken in and exported again."""
    host, headers = host_of(app), {"Content-Type": "application/toml"}
    for address, data in (
        ("/api/owner/import?ruleset=bismarck-advanced", values),
        ("/api/own-cards/import?ruleset=grand-fleets", cards),
    ):
        answer = host.send("POST", address, headers=headers, data=data)
        assert answer.status_code == 200, answer.text
    given = host.get("/tables/export?ruleset=bismarck-advanced")
    return given.text, host.get("/cards.toml?ruleset=grand-fleets").text


def fleets_go_on(app: Flask) -> Json:
    """Play a battle in which ships act in turn to its end, with the same dice; how it ends."""
    players = Players(app)
    for _ in range(_MOST_STEPS):
        if not players.step():
            break
    return ordered_battle_seen(app)


_MOST_STEPS = 200


def go_on(app: Flask) -> Json:
    """Play until the next segment's plot, everybody straight on and firing; how it is then.

    The dice are always the same ones, so that the outcome is.
    """
    umpire = seated(app, "Player", role="umpire", side=None)
    begun = umpire.view()["battle"]["step"]
    pairs, dice = cycle(("23", "45", "12", "64", "31")), cycle("351624")
    for _ in range(400):
        battle = umpire.view()["battle"]
        step = battle["step"]
        if (step["round_number"], step["segment"]) != (begun["round_number"], begun["segment"]):
            break
        if step["kind"] == "ended":
            break
        if step["kind"] == "plot":
            _plot(umpire, battle)
        elif step["kind"] == "designate":
            _designate(umpire, battle)
        elif step["kind"] == "resolve":
            value = next(pairs if battle["wanted"]["kind"] == "pair" else dice)
            _play(umpire, "dice", values=[value])
        else:
            _play(umpire, step["kind"], **({"accept_all": True} if step["kind"] == "move" else {}))
    return seen_by(umpire, whole=True)


def _plot(umpire: Phone, battle: Json) -> None:
    for ship in battle["ships"]:
        if ship["status"] != "in action" or ship["id"] in battle["plots"]:
            continue
        for speed in (ship["speeds"]["highest"], None):
            for notation in ("7", "6", "5", "4", "3", "2", "1", ""):
                data = {"ship": ship["id"], "notation": notation}
                if speed is not None:
                    data["speed"] = speed
                if _try(umpire, "plot", **data):
                    break
            else:
                continue
            break
    _play(umpire, "commit")


def _designate(umpire: Phone, battle: Json) -> None:
    for ship in battle["ships"]:
        if ship["status"] != "in action" or ship["id"] in battle["fires"]:
            continue
        for other in battle["ships"]:
            if other["side"] != ship["side"] and other["status"] == "in action":
                orders = [{"target": other["id"]}]
                if _try(umpire, "designate", ship=ship["id"], orders=orders):
                    break
    _play(umpire, "commit")


def _try(phone: Phone, kind: str, **data: object) -> bool:
    return phone.post("/api/battle/play", {"kind": kind, "data": data}).status_code == 200


def _play(phone: Phone, kind: str, **data: object) -> None:
    answer = phone.post("/api/battle/play", {"kind": kind, "data": data})
    assert answer.status_code == 200, answer.text
