"""Battles in which ships act in turn, for tests: fleets of samples, and players who ask the API."""

import random
from typing import Any

from flask import Flask

from tests.web.phones import Phone, host_of, seated

WIDTH, HEIGHT = 36_000.0, 24_000.0
SIDES = ("british", "german")


def line_ahead(side: str, count: int, *, ahead: float = 0.0, y: float = 12_000.0) -> list[Any]:
    """Ships of a side one behind the other, heading for the enemy."""
    ships = []
    for number in range(count):
        x = ahead + 4000.0 - 1000.0 * number
        first = side == SIDES[0]
        name = ("Ares", "Argo", "Atlas", "Ajax", "Boreas", "Bellona", "Briton", "Bacchante")
        ships.append(
            {
                "name": name[number if first else 4 + number],
                "type": "Sample cruiser",
                "side": side,
                "place": {
                    "x": x if first else WIDTH - x,
                    "y": y,
                    "heading": 90 if first else 270,
                },
            }
        )
    return ships


def begin(app: Flask, ships: list[Any], **more: object) -> Phone:
    """A battle that the host has begun with these ships."""
    host = host_of(app)
    limits = {"battle_size": "very small", "checked": False}
    body = {"title": "Off the cape", "ruleset": "grand-fleets", "ships": ships, "limits": limits}
    answer = host.post("/api/battles", {**body, **more})
    assert answer.status_code == 200, answer.text
    return host


class Players:
    """Two phones that play a battle to its end by what their views say."""

    def __init__(self, app: Flask, seed: int = 7) -> None:
        self.phones = {
            "british": seated(app, "Ann"),
            "german": seated(app, "Bob", side="german"),
        }
        self.chance = random.Random(seed)

    def view(self, side: str = "british") -> dict[str, Any]:
        found: dict[str, Any] = self.phones[side].view()["battle"]
        return found

    def play(self, side: str, kind: str, **data: object) -> None:
        answer = self.phones[side].post("/api/battle/play", {"kind": kind, "data": data})
        assert answer.status_code == 200, (kind, data, answer.text)

    def roll(self, side: str = "british") -> None:
        """All dice that are wanted, as typed."""
        while (wanted := self.view(side)["wanted"]) is not None:
            pair = wanted["kind"] == "pair"
            faces = "".join(str(self.chance.randint(1, 6)) for _ in range(2 if pair else 1))
            self.play(wanted["side"] or side, "dice", values=[faces], **{"from": wanted["number"]})

    def step(self) -> bool:
        """One thing that somebody has to do; False where the battle has ended."""
        view = self.view()
        kind = view["step"]["kind"]
        if kind == "ended":
            return False
        if view["flags"]:
            flag = view["flags"][0]
            self.play(flag["side"], "take-flag", ship=flag["heirs"][0])
        elif view["wanted"]:
            self.roll()
        elif kind == "command":
            for side in view["step"]["waiting_for"]:
                self.play(side, "command-done")
        else:
            actor = next(each for each in view["order"] if each["now"])
            self.act(kind, view, actor)
        return True

    def act(self, kind: str, view: dict[str, Any], actor: dict[str, Any]) -> None:
        side = actor["side"]
        if kind == "ship_moves" and view["round"] == 1:
            self.play(side, "place-division", division=actor["name"])
        elif kind == "ship_moves":
            for ship in actor["ships"]:
                self.move(side, view, ship)
        else:
            for ship in actor["ships"]:
                self.fire(side, ship)
                self.roll()

    def move(self, side: str, view: dict[str, Any], ship: str) -> None:
        """Straight on while the enemy is ahead, at full speed; else she stops."""
        pose = next(each["pose"] for each in view["ships"] if each["id"] == ship)
        ahead = 1 if pose["heading"] == 90 else -1
        run = 3000 if abs(WIDTH / 2 - pose["x"]) > 4000 else 0
        if run == 0:
            self.play(side, "move-ship", ship=ship, stop=True)
            return
        place = {**pose, "x": pose["x"] + ahead * run}
        self.play(side, "move-ship", ship=ship, pose=place)

    def fire(self, side: str, ship: str) -> None:
        if not any(each["id"] == ship and each["may_act"] for each in self.view()["ships"]):
            return
        found = self.phones[side].get(f"/api/battle/fire?ship={ship}").get_json()
        shots: dict[str, str] = {}
        for target in found["targets"]:
            for battery in target["batteries"]:
                if battery["allowed"]:
                    shots.setdefault(battery["battery"], target["target"])
        if not shots:
            self.play(side, "hold-fire", ship=ship)
            return
        orders = [{"battery": key, "target": target} for key, target in shots.items()]
        self.play(side, "declare-fire", ship=ship, shots=orders)
