"""What is measured off for a move, in the units of rulers."""

import pytest

from combat.views import MoveLeg
from tabletop.scale import Unit
from web.battle.plot.move_card import Leg, move_card

LEGS = (MoveLeg("3", 900, 0), MoveLeg("l", 150, -15), MoveLeg("", 0, 2.5), MoveLeg("r", 150, 22.5))


@pytest.mark.parametrize(
    ("unit", "lengths"),
    [
        (Unit.INCHES, ("1.80 in", "0.30 in")),
        (Unit.YARDS, ("1.80 in", "0.30 in")),
        (Unit.MM, ("46 mm", "8 mm")),
    ],
)
def test_a_move_is_measured_with_a_ruler(unit: Unit, lengths: tuple[str, str]) -> None:
    far, near = lengths
    assert move_card(LEGS, 500, unit) == (
        Leg("3", f"{far} ahead"),
        Leg("l", f"{near}, 15° to port"),
        Leg("", "2.5° to starboard"),
        Leg("r", f"{near}, 22.5° to starboard"),
    )
