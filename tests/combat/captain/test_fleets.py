"""The captain of Grand Fleets fights a battle to its end by the rules."""

import re

import pytest

from combat.balance.battle import actions, fight
from combat.balance.plan import plan_of
from combat.captain.all_captains import captain_names
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.card import TORPEDOES
from combat.rulebooks.grand_fleets.guided_battle.actions import DeclareFire

FILES = get_ruleset("grand-fleets").scenario_files


@pytest.mark.parametrize(
    ("source", "captains", "battles"),
    [
        ("two_a_side.toml", ("bold", "steady"), 1),
        ("two_a_side.toml", ("quick", "by-lot"), 3),
        pytest.param("two_a_side.toml", ("bold", "steady"), 20, marks=pytest.mark.soak),
        pytest.param("two_a_side.toml", ("quick", "by-lot"), 500, marks=pytest.mark.soak),
        pytest.param("four_a_side.toml", ("cautious", "quick"), 10, marks=pytest.mark.soak),
        pytest.param("eight_a_side.toml", ("bold", "steady"), 3, marks=pytest.mark.soak),
    ],
)
def test_battles_are_fought_to_their_end(
    source: str, captains: tuple[str, ...], battles: int
) -> None:
    plan = plan_of(FILES[source], source, battles=battles, seed=2, captains=captains)
    for work in plan.works:
        one, again = fight(plan, work), fight(plan, work)
        assert one == again
        assert any(ship.lost > 0 for ship in one.ships)


def test_its_captains_are_the_temperaments_and_those_without_forecasts() -> None:
    assert captain_names("grand-fleets") == ("cautious", "steady", "bold", "quick", "by-lot")


@pytest.mark.parametrize("name", ["quick", "bold"])
def test_destroyers_near_enough_launch_their_torpedoes(name: str) -> None:
    """Two flotillas that begin within reach of each other's torpedoes."""
    file = FILES["two_a_side.toml"].decode()
    for ship in ("dreadnought", "armoured cruiser"):
        file = re.sub(f"Sample (North|South) {ship}", r"Sample \1 destroyers", file)
    plan = plan_of(file.encode(), "flotillas.toml", battles=1, seed=1, captains=(name,))
    launched = [
        shot.target
        for work in plan.works
        for played in actions(plan, work)
        if isinstance(played.action, DeclareFire)
        for shot in played.action.shots
        if shot.battery == TORPEDOES
    ]
    assert launched
