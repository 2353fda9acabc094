"""Gunnery is simultaneous: who sinks in a segment may still be fired at, later not (11.4.4)."""

import pytest

from combat.fight_file import play_fight
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from tests.combat.free_battles import rulebook_of

RULEBOOK = rulebook_of(get_ruleset("arctic-disaster"))
SHIPS = [{"name": name, "side": side} for name, side in (
    ("Tirpitz", "german"), ("Admiral Scheer", "german"))]  # fmt: skip


def _fight(*more: dict[str, object]) -> dict[str, object]:
    shot = {"action": "main", "at": "London", "answers": {"range_areas": 5}}
    target = {"name": "London", "side": "british", "state": {"damage": 2}}
    first = {**shot, "by": "Tirpitz", "dice": "0 0"}
    return {"ship": [*SHIPS, target], "action": [first, *more, {**shot, "by": "Admiral Scheer",
                                                             "dice": "1"}]}  # fmt: skip


def test_a_ship_sunk_in_the_same_segment_may_be_fired_at() -> None:
    game = play_fight(RULEBOOK, _fight(), "fight")
    assert RULEBOOK.status(game.state_after(1), "London").value == "sunk"
    assert len(game.played) == 2


def test_in_the_next_round_she_may_not() -> None:
    with pytest.raises(Forbidden) as error:
        play_fight(RULEBOOK, _fight({"action": "next-round"}), "fight")
    assert error.value.rule == "12.0"
