"""What is measured off for a move, in the units of rulers, and the drawing of it."""

import pytest

from combat.participants import ShipStatus
from combat.sides import usual
from combat.views import MoveLeg, MoveView, ShipView
from tabletop.movement import Path, Straight, Turn
from tabletop.scale import Unit
from tabletop.table import Base, Pose
from web.battle.plot.move_card import Leg, MoveCard, move_card
from web.drawing.figures import Circle, Text

START = Pose(10_000, 8_000, 90)
LEGS = (MoveLeg("3", 900, 0), MoveLeg("l", 150, -15), MoveLeg("", 0, 2.5), MoveLeg("r", 150, 22.5))
HOOD = ShipView(
    id="Hood",
    side="british",
    pose=START,
    base=Base(1000, 400),
    status=ShipStatus.IN_ACTION,
    yours=True,
)
SIDES = usual().sides


def card(*legs: MoveLeg, unit: Unit = Unit.INCHES) -> MoveCard:
    steps = [
        Turn(leg.angle_deg, leg.length_yards) if leg.angle_deg else Straight(leg.length_yards)
        for leg in legs
    ]
    path = Path(START, tuple(steps))
    move = MoveView(points=path.even_polyline(75), plotted=path.end, legs=legs)
    found = move_card(HOOD, move, SIDES, 500, unit)
    assert found is not None
    return found


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
    assert card(*LEGS, unit=unit).legs == (
        Leg("3", f"{far} ahead"),
        Leg("l", f"{near}, 15° to port"),
        Leg("", "2.5° to starboard"),
        Leg("r", f"{near}, 22.5° to starboard"),
    )


@pytest.mark.parametrize(
    ("legs", "whole"),
    [
        ([MoveLeg("4", 1200, 0)], ("2.40 in ahead", "090°")),
        ([MoveLeg("R", 300, 90)], ("0.38 in ahead", "0.38 in to starboard", "180°")),
        ([MoveLeg("L", 300, -90)], ("0.38 in ahead", "0.38 in to port", "000°")),
        ([MoveLeg("L", 600, -180), MoveLeg("2", 600, 0)], ("1.20 in astern", "to port", "270°")),
    ],
)
def test_the_whole_move_is_where_it_ends_from_the_bow(
    legs: list[MoveLeg], whole: tuple[str, ...]
) -> None:
    found = card(*legs)
    assert all(part in found.whole for part in whole), found.whole


def test_the_drawing_has_every_leg_with_its_length_and_her_bow_up() -> None:
    drawing = card(MoveLeg("4", 1200, 0), MoveLeg("R", 300, 30)).drawing
    assert drawing is not None
    assert [item.words for item in drawing.items if isinstance(item, Text)] == [
        "2.40 in",
        "0.60 in",
    ]
    first, second = (item.at for item in drawing.items if isinstance(item, Circle))
    # Straight up the card, and then to the right.
    assert second[1] < first[1]
    assert second[0] > first[0]
    for x, y in (first, second):
        assert 0 <= x <= drawing.width
        assert 0 <= y <= drawing.height


def test_a_model_that_stays_has_nothing_to_draw() -> None:
    found = card()
    assert found.drawing is None
    assert "090°" in found.whole


def test_a_sealed_move_has_no_card() -> None:
    assert move_card(HOOD, MoveView(), SIDES, 500, Unit.INCHES) is None
