"""What a move turns up (67.12), by both editions."""

from dataclasses import replace

import pytest

from combat.rulebooks.bismarck_advanced.editions import CURRENT, FIRST, Edition
from combat.rulebooks.bismarck_advanced.guided_battle.movement import turned_up_by_move
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, RULES, line_up


def face_down(range_yards: float) -> AdvancedState:
    """Hood and Bismarck, both hidden, so far apart."""
    setup = line_up(
        ("Hood", "british", 0, 0, 90), ("Bismarck", "german", range_yards, 0, 270), hidden=True
    )
    for number, ship in enumerate(setup["ships"], start=1):
        ship["number"] = number
    return BATTLE.begin(BATTLE.schemas.setup.read(setup))


@pytest.mark.parametrize(
    ("closed_by", "edition", "turned_up"),
    [
        # Bismarck alone comes in from medium high to medium low: she has closed, Hood has not.
        ({"Bismarck": 200}, CURRENT, {"Bismarck"}),
        ({"Bismarck": 200}, FIRST, {"Hood", "Bismarck"}),
        # Neither has come in by her own move; together they have.
        ({"Hood": 75, "Bismarck": 75}, CURRENT, set()),
        ({"Hood": 75, "Bismarck": 75}, FIRST, {"Hood", "Bismarck"}),
        # Hood closes on where Bismarck was, although Bismarck has opened the range again.
        ({"Hood": 200, "Bismarck": -300}, CURRENT, {"Hood"}),
        ({"Hood": 200, "Bismarck": -300}, FIRST, set()),
    ],
)
def test_a_ship_is_turned_up_by_her_own_closing_move(
    closed_by: dict[str, int], edition: Edition, turned_up: set[str]
) -> None:
    state = face_down(12_100)
    toward = {"Hood": 1, "Bismarck": -1}
    moved = {}
    for name, yards in closed_by.items():
        ship = state.engagement[name]
        x_yards = ship.pose.x_yards + toward[name] * yards
        moved[name] = replace(ship, pose=replace(ship.pose, x_yards=x_yards))
    found = turned_up_by_move(state, state.engagement.with_combatants(moved), RULES, edition)
    assert set(found) == turned_up
    assert all(not identity.is_hidden for identity in found.values())
