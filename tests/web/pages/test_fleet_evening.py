"""An evening of Grand Fleets by the buttons of its pages: set up, played to its end, and again."""

import json
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask import Flask

from tests.web.phones import Phone, host_of, seated

Body = dict[str, Any]
SIDES = {"british": "Ann", "german": "Bob"}
CHOSEN = {
    "ruleset": "grand-fleets",
    "title": "Off the cape",
    "size": "very small",
    "count.british.Sample cruiser": "3",
    "count.german.Sample cruiser": "3",
    "unchecked": "on",
    "conditions": "yes",
}
CLOSE_YARDS = 3500.0


def orders(html: str) -> list[tuple[str, Body]]:
    """Every button that does something: its address and what it sends."""
    found = []
    act = re.compile(r"""data-act="POST ([^"]*)"\s+data-body=(['"])(.*?)\2""", re.S)
    for address, _, body in act.findall(html):
        found.append((address, json.loads(unescape(body))))
    return found


class Evening:
    """Two phones that play by what stands on their pages."""

    def __init__(self, open_app: Callable[[], Flask]) -> None:
        self.open_app = open_app
        self.seen: Counter[str] = Counter()
        self.start()

    def start(self) -> None:
        """The server starts, and everybody joins again."""
        app = self.open_app()
        self.host = host_of(app)
        self.umpire = seated(app, "Uma", role="umpire", side=None)
        self.phones = {side: seated(app, name, side=side) for side, name in SIDES.items()}

    def view(self) -> Body:
        found: Body = self.host.view()["battle"]
        return found

    def begin(self, after: str = "") -> None:
        more = {"after": after} if after else {}
        page = self.host.get(f"/battles/new/fleet?{urlencode({**CHOSEN, **more})}").text
        (body,) = [body for address, body in orders(page) if address == "/api/battles"]
        self.send(self.host, "/api/battles", body)

    def send(self, phone: Phone, address: str, body: Body) -> None:
        answer = phone.post(address, body)
        assert answer.status_code == 200, (address, body, answer.text)
        self.seen[body.get("kind", address)] += 1

    def correct(self, ship: str, what: str, value: str) -> None:
        body = {"ship": ship, "what": what, "value": value, "reason": "an earlier fight"}
        assert self.umpire.post("/api/battle/correct", body).status_code == 200
        self.seen["corrected"] += 1

    def press(self, side: str, kind: str, page: str = "/battle", **data: object) -> None:
        """The first button of a page that plays an action of this kind."""
        phone = self.phones[side]
        html = phone.get(page).text
        for address, body in orders(html):
            if body.get("kind") == kind and data.items() <= body["data"].items():
                return self.send(phone, address, body)
        raise AssertionError((side, kind, page, data))

    def step(self) -> bool:
        """One thing that somebody has to do; False where the battle is over."""
        view = self.view()
        kind = view["step"]["kind"]
        if kind == "ended":
            return False
        if view["flags"]:
            self.press(view["flags"][0]["side"], "take-flag")
        elif view["wanted"]:
            self.roll(view["wanted"]["side"] or "british")
        elif kind == "command":
            self.press(view["step"]["waiting_for"][0], "command-done")
        else:
            actor = next(each for each in view["order"] if each["now"])
            if kind == "combat":
                self.fire(actor)
            elif view["round"] == 1:
                self.press(actor["side"], "place-division")
            else:
                self.move(view, actor)
        return True

    def roll(self, side: str) -> None:
        html = self.phones[side].get("/battle").text
        rolls = [(a, b) for a, b in orders(html) if a == "/api/battle/roll"]
        self.send(self.phones[side], *rolls[-1])

    def fire(self, actor: Body) -> None:
        phone = self.phones[actor["side"]]
        kinds = [body["kind"] for _, body in orders(phone.get("/battle").text) if "kind" in body]
        self.press(actor["side"], next(kind for kind in kinds if kind.endswith("-fire")))

    def move(self, view: Body, actor: Body) -> None:
        ships = {ship["id"]: ship for ship in view["ships"]}
        first = ships[actor["ships"][0]]
        enemies = [s for s in ships.values() if s["on_table"] and s["side"] != actor["side"]]
        near = min(abs(s["pose"]["x"] - first["pose"]["x"]) for s in enemies)
        ahead = "move-division" if len(actor["ships"]) > 1 else "move-ship"
        page = self.phones[actor["side"]].get("/battle").text
        if near < CLOSE_YARDS or not any(body.get("kind") == ahead for _, body in orders(page)):
            self.press(actor["side"], "move-ship", f"/battle/move/{quote(first['id'])}", stop=True)
        elif view["round"] == 3 and len(actor["ships"]) == 3:
            # The last of the line is left behind, out of command.
            last = actor["ships"][-1]
            self.press(actor["side"], "move-ship", f"/battle/move/{quote(last)}", stop=True)
        else:
            self.press(actor["side"], ahead)


@pytest.mark.soak
def test_evening_by_the_pages(open_app: Callable[[], Flask]) -> None:
    evening = Evening(open_app)
    evening.begin()
    out_of_command, steps = False, 0
    while evening.step():
        steps += 1
        assert steps < 200
        view = evening.view()
        if view["round"] == 3 and not evening.seen["corrected"]:
            # A long evening in short: the umpire counts the hits of an earlier fight.
            for ship in view["ships"]:
                evening.correct(ship["id"], "hull_lost", "10")
        out_of_command |= any(not ship["in_command"] for ship in view["ships"])
        if steps % 16 == 0:
            evening.start()
            again = evening.view()
            assert (again["step"], again["order"], again["ships"]) == (
                view["step"], view["order"], view["ships"],
            )  # fmt: skip
        if steps % 15 == 0:
            for phone in evening.phones.values():
                for path in ("/battle", "/battle/story", "/report", "/sheets", "/table"):
                    assert phone.get(path).status_code == 200, path
                if phone.post("/api/battle/undo").status_code == 200:
                    evening.seen["undone"] += 1
    view = evening.view()
    assert view["ending"]
    assert {ship["status"] for ship in view["ships"]} >= {"sunk"}
    assert out_of_command
    assert evening.seen["undone"]
    assert {"place-division", "move-division", "declare-fire", "command-done"} <= set(evening.seen)
    for side, phone in evening.phones.items():
        report = phone.get("/report").text
        assert "luck-chip" in report, side
    kept = evening.host.get("/api/battles").get_json()["battles"]
    evening.begin()
    assert evening.view()["round"] == 0
    assert len(evening.host.get("/api/battles").get_json()["battles"]) == len(kept) + 1
