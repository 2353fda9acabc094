"""What can be seen of a damaged ship."""

import pytest

from combat.ship_conditions import ShipCondition, conditions_of

BURNING, LISTING, STOPPED = ShipCondition


@pytest.mark.parametrize(
    ("hull_lost", "stopped", "seen"),
    [
        (0.0, False, ()),
        (0.33, False, ()),
        (1 / 3, False, (BURNING,)),
        (0.66, True, (BURNING, STOPPED)),
        (2 / 3, False, (BURNING, LISTING)),
        (0.0, True, (STOPPED,)),
    ],
)
def test_conditions_follow_from_hull_and_engines(
    hull_lost: float, stopped: bool, seen: tuple[ShipCondition, ...]
) -> None:
    assert conditions_of(hull_lost=hull_lost, stopped=stopped) == seen
