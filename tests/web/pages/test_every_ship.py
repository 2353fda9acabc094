"""Every page, part, picture and print about every ship of every rulebook: none breaks."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from combat.rulebooks import NAMES, get_ruleset
from tests.web.fleets import begin, line_ahead
from tests.web.pages.test_sheets import SHIPS, begun
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from web.http.context import ServerContext

OF_A_SHIP: Final = tuple(
    f"/{path}"
    for path in (
        *("sheet/{}", "sheet/{}/part", "sheet/{}.pdf", "api/battle/sheet?ship={}"),
        *(
            f"battle/{what}/{{}}{part}"
            for what in ("plot", "move", "fire", "rate")
            for part in ("", "/part", "/ships")
        ),
        *("api/battle/plot?ship={}", "api/battle/fire?ship={}", "api/battle/reading?ship={}"),
        *("table?firer={}", "check?firer={}&target={}", "proof.svg?firer={}&target={}"),
        *("api/fields-of-fire?ship={}", "convert?ship={}"),
    )
)
"""Answered, or refused for a reason: never by a fault of ours."""
OF_ALL: Final = (
    *("/sheets", "/sheets/list", "/sheets-record.pdf", "/battle", "/battle/now", "/battle/story"),
    *("/battle/plots", "/report", "/report.pdf", "/report.html", "/rules", "/rules.txt", "/log"),
    *("/ships", "/table", "/calculator", "/fight", "/api/view", "/battle/correct", "/sheets.pdf"),
    *("/tv", "/tv/side", "/tv/happenings", "/tv/replay", "/api/television", "/replay"),
    *("/replay/data", "/report.png", "/battle/models", "/battle/fire", "/sheets-codes.pdf"),
    *("/battles", "/battles/new", "/api/battles/own-scenario", "/battle/dice", "/glossary"),
)


def look(phone: Phone, ships: tuple[str, ...]) -> None:
    """Ask for everything about these ships."""
    failed = []
    for path in (*OF_ALL, *(each.replace("{}", ship) for ship in ships for each in OF_A_SHIP)):
        status = phone.get(path).status_code
        if status >= 500:
            failed.append((path, status))
    assert failed == []


def sink(umpire: Phone, ship: str) -> None:
    """Set as many hull boxes lost as she has, which the refusal of too many says."""
    body: dict[str, Any] = {"ship": ship, "what": "hull_lost", "value": "99", "reason": "sunk"}
    answer = umpire.post("/api/battle/correct", body)
    if answer.status_code == 400:
        most = re.findall(r"\d+", answer.get_json()["error"]["message"])[-2:]
        for each in most:
            answer = umpire.post("/api/battle/correct", {**body, "value": each})
            if answer.status_code == 200:
                break
    assert answer.status_code == 200, answer.text


def test_every_ship_of_the_advanced_game_fresh_and_sunk(tmp_path: Path) -> None:
    session = begun(tmp_path / "battle.db")
    umpire = seated(fresh_app(ServerContext(session)), "Uma", role="umpire", side=None)
    # The sheets of all ships that are fresh are looked at beside.
    look(umpire, SHIPS[::8])
    for ship in SHIPS:
        sink(umpire, ship)
        look_paths = [path.replace("{}", ship) for path in OF_A_SHIP[:4]]
        assert all(umpire.get(path).status_code == 200 for path in look_paths), ship
    look(umpire, SHIPS[::8])
    session.close()


def test_every_ship_of_a_battle_in_turns_fresh_and_sunk(tmp_path: Path) -> None:
    app = fresh_app()
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    umpire = seated(app, "Uma", role="umpire", side=None)
    ships = tuple(running_in(app).session.moment.state.pieces)
    look(umpire, ships)
    for ship in ships[::2]:
        sink(umpire, ship)
    assert any(each["status"] == "sunk" for each in umpire.view()["battle"]["ships"])
    look(umpire, ships)


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_type_of_every_rulebook_on_the_calculator(ruleset: str) -> None:
    app = fresh_app()
    host = host_of(app)
    made = host.post(
        "/api/host/table",
        {"title": "All", "ruleset": ruleset, "width_inches": 72, "height_inches": 48},
    )
    assert made.status_code == 200, made.text
    types = [ship.name for ship in get_ruleset(ruleset).ships]
    failed = []
    for number, name in enumerate(types):
        other = types[number - 1]
        for path in ("/calculator", "/calculator/part", "/calculator/answer"):
            response = host.send(
                "GET", path, query_string={"rules": ruleset, "firer": name, "target": other}
            )
            if response.status_code >= 500:
                failed.append((path, name))
        added = host.post("/api/ships", {"name": f"M{number}", "type": name})
        if added.status_code >= 500:
            failed.append(("/api/ships", name))
    assert failed == []
    for path in ("/ships", "/table", "/sheets.pdf", "/api/view"):
        assert host.get(path).status_code == 200
