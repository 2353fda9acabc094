"""A guided battle with a player's own card, which stays as it was when the battle began."""

import json
from pathlib import Path

import pytest

from tests.web.fleets import line_ahead
from tests.web.owner.cards.conftest import CARD, RULESET
from tests.web.phones import Phone, running_in
from web.archive.exports import export_battle
from web.cli import main


def begun(host: Phone) -> None:
    saved = host.post(f"/api/cards?ruleset={RULESET}", {"toml": CARD})
    assert saved.status_code == 200, saved.text
    ships = [*line_ahead("british", 3), *line_ahead("german", 3)]
    for ship in ships[:3]:
        ship["type"] = "My Ship"
    body = {
        "title": "Own cards",
        "ruleset": RULESET,
        "ships": ships,
        "limits": {"battle_size": "very small", "checked": False},
    }
    answer = host.post("/api/battles", body)
    assert answer.status_code == 200, answer.text


def test_a_battle_is_begun_and_keeps_its_card(host: Phone) -> None:
    begun(host)
    changed = CARD.replace("victory_points = 60", "victory_points = 61")
    assert host.post(f"/api/cards?ruleset={RULESET}", {"toml": changed}).status_code == 200
    view = host.view()["battle"]
    assert {ship["points"] for ship in view["ships"] if ship["side"] == "british"} == {60}


def test_its_file_is_replayed_where_nobody_has_the_card(
    host: Phone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun(host)
    session = running_in(host.app).session
    _, data = export_battle(session.log(most=9_999), session.moment, sees_all=True)
    path = tmp_path / "battle.json"
    path.write_bytes(data)
    code = main(["replay", str(path), "--json", "--data", str(tmp_path / "elsewhere")])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    types = [ship["type"] for ship in json.loads(out)["ships"]]
    assert types.count("My Ship") == 3
