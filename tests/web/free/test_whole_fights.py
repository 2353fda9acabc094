"""Whole fights from files, played through the API, restarted and undone at every step."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.rulebooks import get_ruleset
from tests.combat.free_battles import rulebook_of
from tests.web.free.fights import fight_in, opened

FOLDER = Path(__file__).parents[2] / "combat" / "fights"
FILES = (
    "arctic_disaster_cruisers",
    "arctic_disaster_victorious",
    "bismarck_battle_board",
    "bismarck_battle_board_intermediate",
    "chase_of_the_bismarck_convoy",
    "chase_of_the_bismarck_example",
    "sink_the_bismarck_turns",
)


def _played(name: str) -> tuple[str, Game[FreeState[Any]]]:
    """The fight without its undos and what the rules refuse."""
    document = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    expected = tomllib.loads((FOLDER / f"{name}.expected.toml").read_text(encoding="utf-8"))
    refused = [each["action"] for each in expected.get("refused", [])]
    last = min(refused) - 1 if refused else None
    actions = document["action"][:last]
    ruleset = get_ruleset(document["ruleset"])
    return ruleset.name, play_fight(rulebook_of(ruleset), {**document, "action": actions}, name)


@pytest.mark.parametrize("name", FILES)
def test_a_fight_goes_on_after_every_restart_and_undo(name: str, tmp_path: Path) -> None:
    ruleset, game = _played(name)
    rulebook = rulebook_of(get_ruleset(ruleset))
    app, store = opened(tmp_path)
    fight = fight_in(app, ruleset)
    for ship in game.start.ships:
        said = {"type": ship.type, "name": ship.name, "side": ship.side}
        answer = fight.phone.post("/api/free/ships", {"ruleset": ruleset, **said})
        assert answer.status_code == 200, answer.text
        marks = rulebook.state_document(ship, game.start.marks[ship.id])
        if game.start.marks[ship.id] != rulebook.fresh(ship):
            fight.corrected(ship.name, **marks)
    for count, played in enumerate(game.played, start=1):
        action = rulebook.action_schema().dump(played.action)
        body = {"ruleset": ruleset, "action": action}
        dice = [die for roll in played.rolls for die in roll.value.split()]
        first = fight.phone.post("/api/free", {**body, "dice": dice})
        assert first.status_code == 200, (count, first.text)
        assert fight.undo().status_code == 200
        # Its dice were kept for it.
        again = fight.phone.post("/api/free", body)
        assert again.status_code == 200, (count, again.text)
        before = fight.view()
        store.close()
        app, store = opened(tmp_path)
        fight = fight_in(app, ruleset)
        assert fight.view() == before
        now = fight.now()
        assert now is not None
        assert now.state == game.state_after(count)
    store.close()
