"""What is done with battles that are kept, for tests."""

import json
from collections.abc import Callable
from typing import Any

from flask import Flask

from tests.web.phones import Phone

Open = Callable[[], Flask]


def battles_of(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.get("/api/battles").get_json()["battles"]
    return found


def begin(host: Phone, scenario: str = "final-battle", **more: object) -> str:
    response = host.post("/api/battles/scenario", {"scenario": scenario, **more})
    assert response.status_code == 200, response.text
    return str(response.get_json()["id"])


def play(phone: Phone, kind: str, **data: object) -> None:
    response = phone.post("/api/battle/play", {"kind": kind, "data": data})
    assert response.status_code == 200, response.text


def plot(phone: Phone, ship: str, notation: str = "4") -> None:
    play(phone, "plot", ship=ship, speed=8, notation=notation)


def import_battle(host: Phone, document: object) -> Any:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    headers = {"Content-Type": "application/octet-stream"}
    return host.send("POST", "/api/battles/import", headers=headers, data=data)
