"""The captain of Grand Fleets fights a battle to its end by the rules."""

import pytest

from combat.balance.battle import fight
from combat.balance.plan import plan_of
from combat.captain.all_captains import captain_names
from combat.rulebooks import get_ruleset

FILES = get_ruleset("grand-fleets").scenario_files


@pytest.mark.parametrize(
    ("source", "battles"),
    [
        ("two_a_side.toml", 1),
        pytest.param("two_a_side.toml", 20, marks=pytest.mark.soak),
        pytest.param("four_a_side.toml", 10, marks=pytest.mark.soak),
        pytest.param("eight_a_side.toml", 3, marks=pytest.mark.soak),
    ],
)
def test_battles_are_fought_to_their_end(source: str, battles: int) -> None:
    plan = plan_of(FILES[source], source, battles=battles, seed=2, captains=("bold", "steady"))
    for work in plan.works:
        one, again = fight(plan, work), fight(plan, work)
        assert one == again
        assert any(ship.lost > 0 for ship in one.ships)


def test_its_captains_are_the_temperaments() -> None:
    assert captain_names("grand-fleets") == ("cautious", "steady", "bold")
