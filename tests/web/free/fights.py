"""Battles in free play for tests, through the API and the pages that players use."""

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from werkzeug.test import TestResponse

from tests.web.phones import Phone, fresh_app, host_of, running_in
from web.auth.seats import Caller
from web.games.free_game import FreeGame
from web.http.context import ServerContext
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session

ARCTIC = "arctic-disaster"
CHASE = "chase-of-the-bismarck"
FLEETS = "grand-fleets"
HOST = Caller("host", host=True)
TYPES = {"Z28": "German destroyer", "Z29": "German destroyer"}
"""Ships of the tests that are not called like their types."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle of one rulebook, as one phone plays it."""

    phone: Phone
    ruleset: str = ARCTIC

    def act(
        self, kind: str, by: str = "", at: str = "", dice: str = "", **more: Any
    ) -> TestResponse:
        """Play an action of two ships, which join where they are new; other keys are answers."""
        told: dict[str, Any] = {
            key: more.pop(key) for key in ("ships", "marks", "roll") if key in more
        }
        ships = {role: name for role, name in (("by", by), ("at", at)) if name}
        action = {"kind": kind, **ships, **more}
        body: dict[str, Any] = {
            "ruleset": self.ruleset,
            "ships": [joins(name) for name in ships.values()],
            "action": action,
            "dice": dice.split(),
            **told,
        }
        return self.phone.post("/api/free", body)

    def must(self, *words: str, **more: Any) -> None:
        """Play an action that is allowed."""
        answer = self.act(*words, **more)
        assert answer.status_code == 200, answer.text

    def corrected(self, ship: str, **marks: Any) -> None:
        """Enter some marks of a ship by hand."""
        action = {"kind": "set-marks", "ship": ship, "marks": marks}
        answer = self.phone.post("/api/free", {"ruleset": self.ruleset, "action": action})
        assert answer.status_code == 200, answer.text

    def undo(self, **more: Any) -> TestResponse:
        """Take back."""
        return self.phone.post("/api/free/undo", {"ruleset": self.ruleset, **more})

    def next_round(self) -> None:
        """Begin the next round."""
        answer = self.phone.post("/api/free/round", {"ruleset": self.ruleset})
        assert answer.status_code == 200, answer.text

    def end(self) -> TestResponse:
        """Clean sheets."""
        return self.phone.post("/api/free/end", {"ruleset": self.ruleset})

    def calculator(self, part: str = "", **said: str) -> str:
        """The calculator's page."""
        return self._page(f"/calculator{part}", said)

    def page(self) -> str:
        """The page of the battle so far."""
        return self._page("/fight", {})

    def view(self) -> dict[str, Any]:
        """The battle as the API serves it."""
        answer = self.phone.get(f"/api/free?ruleset={self.ruleset}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()["battle"]
        return found

    def state(self, ship: str) -> dict[str, Any]:
        """The marks of a ship."""
        (found,) = (each["state"] for each in self.view()["ships"] if each["name"] == ship)
        marks: dict[str, Any] = found
        return marks

    def now(self) -> FreeGame | None:
        """The battle within the program."""
        return running_in(self.phone.app).session.moment.free.of(self.ruleset)

    def dice(self) -> list[list[str]]:
        """The dice of every action that stands."""
        now = self.now()
        return [[roll.value for roll in each.rolls] for _, _, each in now.actions()] if now else []

    def _page(self, path: str, said: dict[str, str]) -> str:
        answer = self.phone.get(f"{path}?{urlencode({'ruleset': self.ruleset, **said})}")
        assert answer.status_code == 200, answer.text
        return answer.text


def joins(name: str) -> dict[str, str]:
    """A ship as a request lets her join."""
    kind = TYPES.get(name) or re.sub(r" \d+$", "", name)
    return {"name": name, "type": kind, "side": "german" if kind in _GERMAN else "british"}


_GERMAN = ("German destroyer", "Scheer", "Bismarck", "Prinz Eugen")


def body_of(page: str, key: str) -> dict[str, Any]:
    """What a button of a page posts."""
    (found,) = re.findall(rf'data-key="{key}"\s+data-act="[^"]*"\s+data-body="([^"]*)"', page)
    body: dict[str, Any] = json.loads(html.unescape(found))
    return body


def opened(folder: Path) -> tuple[Flask, Store]:
    """The demo table on a file of this folder, laid where it is new."""
    store = Store(folder / "table.db")
    session = Session(store)
    if not session.moment.state.pieces:
        session.act(HOST, opening(demo_scene()))
    return fresh_app(ServerContext(session)), store


def fight_in(app: Flask, ruleset: str = ARCTIC) -> Fight:
    """The host's battle."""
    return Fight(host_of(app), ruleset)
