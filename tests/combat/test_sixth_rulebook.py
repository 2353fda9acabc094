"""A rulebook that nobody has heard of plugs in by its folder and one line in the registry.

Nothing else learns of it; commands, pages and the calculator take it like the others.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from combat.fight_file import play_fight
from combat.rulebooks import get_ruleset
from tests.combat import bathtub
from tests.combat.bathtub import NAME
from tests.rulebooks import registered
from tests.web.phones import host_of
from web import create_app
from web.cli import main
from web.strings import words


@pytest.fixture(autouse=True)
def in_the_registry() -> Iterator[None]:
    """The one line."""
    with registered(NAME, bathtub.load):
        yield


def said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_the_commands_know_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = said(capsys, "rulesets")["rulesets"]
    assert isinstance(listed, list)
    assert NAME in [each["name"] for each in listed]
    assert said(capsys, "verify", NAME)["passed"] == 1
    assert said(capsys, "tables", NAME)["tables"]
    shot = tmp_path / "shot.toml"
    shot.write_text(
        f'ruleset = "{NAME}"\nfirer = {{ name = "Duck" }}\ntarget = {{ name = "Sponge" }}\n',
        encoding="utf-8",
    )
    assert said(capsys, "resolve", str(shot), "--dice", "6")["hits"] == 2
    assert said(capsys, "forecast", str(shot))["hits"] == {
        "0": pytest.approx(1 / 2),
        "1": pytest.approx(1 / 3),
        "2": pytest.approx(1 / 6),
    }


def test_a_fight_of_two_ducks_and_a_sponge() -> None:
    make = get_ruleset(NAME).rulebook
    assert make is not None
    rulebook = make(get_ruleset(NAME).tables)
    splash = {"action": "splash", "dice": "6"}
    game = play_fight(
        rulebook,
        {
            "ship": [
                {"name": "Ann", "type": "Duck", "side": "nursery"},
                {"name": "Bob", "type": "Duck", "side": "nursery"},
                {"name": "Sponge"},
            ],
            "action": [
                splash | {"by": "Ann", "at": "Sponge"},
                splash | {"by": "Bob", "at": "Sponge"},
                splash | {"by": "Sponge", "at": "Bob", "dice": "4"},
                splash | {"by": "Ann", "at": "Sponge"},
            ],
        },
        "fight",
    )
    assert [getattr(marks, "soaked", None) for marks in game.state.marks.values()] == [0, 1, 6]
    assert [rulebook.status(game.state, ship.id) for ship in game.state.ships] == [
        "in action", "in action", "sunk",
    ]  # fmt: skip
    told = rulebook.story(game.played[-1].events)
    assert [words(line.text) for line in told] == [
        "Ann: splash at Sponge", "the splash: 6, 2 hits", "Sponge sinks",
    ]  # fmt: skip


def test_the_pages_know_it() -> None:
    host = host_of(create_app())
    page = host.get(f"/calculator?ruleset={NAME}").text
    assert "Battle of the Bathtub" in page
    assert "the soap" in page
    ships = [{"name": name, "type": name, "side": "bath"} for name in ("Duck", "Sponge")]
    action = {"kind": "splash", "by": "Duck", "at": "Sponge"}
    body = {"ruleset": NAME, "ships": ships, "action": action, "dice": ["6"]}
    assert host.post("/api/free", body).status_code == 200
    fight = host.get(f"/fight?ruleset={NAME}").text
    assert "2 hits" in fight
    assert "4 / 6" in fight
    assert "Drying" in fight, "a phase of its turn"
