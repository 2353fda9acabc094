"""Battles on the battle board to their end, through the API: a withdrawal, and two flotillas."""

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.free.fights import Fight, fight_in
from tests.web.phones import words_of

BOARD = "bismarck-battle-board"
MISS = "34"


def _act(
    fight: Fight, kind: str, by: str, at: str = "", dice: str = "", **more: object
) -> TestResponse:
    """An action of ships that are in the fight."""
    ships = {role: name for role, name in (("by", by), ("at", at)) if name}
    action = {"kind": kind, **ships, **more}
    body = {"ruleset": BOARD, "action": action, "dice": dice.split()}
    return fight.phone.post("/api/free", body)


def _must(fight: Fight, kind: str, by: str, at: str = "", dice: str = "", **more: object) -> None:
    answer = _act(fight, kind, by, at, dice, **more)
    assert answer.status_code == 200, answer.text


def _joined(app: Flask, *ships: tuple[str, str, str]) -> Fight:
    fight = fight_in(app, BOARD)
    for name, type_, side in ships:
        entry = {"ruleset": BOARD, "name": name, "type": type_, "side": side}
        assert fight.phone.post("/api/free/ships", entry).status_code == 200
    return fight


def _status(fight: Fight, ship: str) -> str:
    (found,) = (each["status"] for each in fight.view()["ships"] if each["name"] == ship)
    return str(found)


@pytest.fixture
def chased(app: Flask) -> Fight:
    """The Bismarck and the Prinz Eugen, and the slow Rodney three hexes astern of them."""
    fight = _joined(
        app,
        ("Bismarck", "Bismarck", "german"),
        ("Prinz Eugen", "Prinz Eugen", "german"),
        ("Rodney", "Rodney", "british"),
    )
    for ship in ("Bismarck", "Prinz Eugen"):
        fight.corrected(ship, column=0, row=0, heading=1)
    fight.corrected("Rodney", column=0, row=3, heading=1, attacker=True)
    return fight


def _round(fight: Fight) -> None:
    """The Rodney stays behind and fires; the Germans run, two hexes and one (9.51, 9.95)."""
    _must(fight, "move", "Rodney", hexes=1)
    for ship in ("Bismarck", "Prinz Eugen"):
        _must(fight, "move", ship, hexes=1)
    shots = " ".join([MISS] * 4)
    _must(fight, "guns", "Rodney", "Bismarck", shots, stern=0, secondary=0)
    for ship in ("Bismarck", "Prinz Eugen"):
        _must(fight, "withdrawal move", ship)


def test_two_ships_withdraw_round_by_round_until_nobody_is_near(chased: Fight) -> None:
    assert "9.93" in words_of(_act(chased, "withdraw", "Rodney"))
    for ship in ("Bismarck", "Prinz Eugen"):
        _must(chased, "withdraw", ship)
    assert "9.99" in words_of(_act(chased, "withdraw", "Bismarck"))
    for distance in (4, 5, 6):
        _round(chased)
        rows = {ship: chased.state(ship)["row"] for ship in ("Bismarck", "Rodney")}
        assert rows["Rodney"] - rows["Bismarck"] == distance
        assert chased.state("Bismarck")["withdrawing"]
        chased.next_round()
    _must(chased, "move", "Rodney", hexes=1)
    for ship in ("Bismarck", "Prinz Eugen"):
        _must(chased, "move", ship, hexes=1)
        _must(chased, "withdrawal move", ship)
        assert chased.state(ship)["withdrawn"]
        assert _status(chased, ship) == "gone"
    assert "9.97" in words_of(_act(chased, "guns", "Rodney", "Bismarck"))
    assert "9.97" in words_of(_act(chased, "move", "Prinz Eugen"))
    assert chased.phone.get(f"/fight?ruleset={BOARD}").status_code == 200
    # Taken back she is on the board again, and leaves again.
    assert chased.undo().status_code == 200
    assert _status(chased, "Prinz Eugen") == "in action"
    _must(chased, "withdrawal move", "Prinz Eugen")
    # The next turn they may fight again (9.33, 9.97).
    _must(chased, "new turn", "")
    assert {_status(chased, ship) for ship in ("Bismarck", "Prinz Eugen", "Rodney")} == {
        "in action"
    }
    assert "row" not in chased.state("Bismarck")


def test_two_flotillas_keep_their_own_destroyers_and_salvos(app: Flask) -> None:
    fight = _joined(
        app,
        ("Bismarck", "Bismarck", "german"),
        ("1st Flotilla", "Destroyer Flotilla", "british"),
        ("2nd Flotilla", "Destroyer Flotilla", "british"),
    )
    first, second = "1st Flotilla", "2nd Flotilla"
    # Two salvos, no destroyer lost: 9 and 10 are misses of the guns, 66 of the torpedoes.
    _must(fight, "flotilla", first, "Bismarck", "45 55 66 66", salvos=2)
    # One defensive fire sinks a destroyer with her salvo: five are left of six.
    five = " ".join(["66"] * 5)
    _must(fight, "flotilla", second, "Bismarck", f"11 1 {five}", defensive_fires=1)

    def left(ship: str) -> tuple[int, int]:
        state = fight.state(ship)
        return state["destroyers_lost"], state["salvos_spent"]

    assert (left(first), left(second)) == ((0, 2), (1, 6))
    assert "23.44" in words_of(_act(fight, "flotilla", second, "Bismarck"))
    for kind in ("move", "withdraw", "guns"):
        target = "Bismarck" if kind == "guns" else ""
        assert "23.32" in words_of(_act(fight, kind, first, target)), kind
    _must(fight, "new turn", "")
    assert (left(first), left(second)) == ((0, 2), (1, 6))
    four = " ".join(["66"] * 4)
    _must(fight, "flotilla", first, "Bismarck", f"45 {four}", defensive_fires=1)
    assert "23.44" in words_of(_act(fight, "flotilla", first, "Bismarck"))
    assert fight.undo().status_code == 200
    assert (left(first), left(second)) == ((0, 2), (1, 6))
    page = fight.phone.get(f"/fight?ruleset={BOARD}").text
    assert first in page
    assert second in page


def test_a_combat_that_was_broken_off_is_told_as_over(chased: Fight) -> None:
    address = f"/fight?ruleset={BOARD}"
    assert 'data-key="ended"' not in chased.phone.get(address).text
    _must(chased, "break off", "")
    for _ in range(2):
        page = chased.phone.get(address).text
        # What follows is the next turn; until then nobody is placed again (9.97).
        assert 'data-key="ended"' in page
        assert "battery=new%20turn" in page or "battery=new+turn" in page
        assert 'data-key="setup"' not in page
        assert "9.97" in words_of(_act(chased, "place", "Rodney", edge=1))
        # Taken back it goes on, and is over again.
        assert chased.undo().status_code == 200
        assert 'data-key="ended"' not in chased.phone.get(address).text
        _must(chased, "break off", "")
    _must(chased, "new turn", "")
    page = chased.phone.get(address).text
    assert 'data-key="ended"' not in page
    assert 'data-key="setup"' in page
