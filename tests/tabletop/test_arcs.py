import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.arcs import Arcs, FiringArc, Quadrant
from tabletop.errors import DreyerError


def test_lines_follow_the_half_widths() -> None:
    assert Arcs().lines_deg == (45, 135, 225, 315)
    assert Arcs(30, 60).lines_deg == (30, 120, 240, 330)
    assert Arcs(30, 60).quadrant(31) is Quadrant.STARBOARD
    assert Arcs(30, 60).quadrant(121) is Quadrant.STERN


@pytest.mark.parametrize("wrong", [0, 90, -3])
def test_half_widths_leave_room_for_a_broadside(wrong: float) -> None:
    with pytest.raises(DreyerError):
        Arcs(bow_half_width_deg=wrong)


@given(st.floats(-720, 720))
def test_opposite_bearings_lie_in_opposite_quadrants(relative: float) -> None:
    opposite = {"bow": "stern", "stern": "bow", "port": "starboard", "starboard": "port"}
    assert Arcs().quadrant(relative + 180) == opposite[Arcs().quadrant(relative)]


def test_a_mount_bears_into_its_quadrants_alone() -> None:
    forward = FiringArc.of(["bow", "port", "starboard"])
    assert forward.bears_into(Quadrant.BOW)
    assert not forward.bears_into(Quadrant.STERN)
    assert FiringArc.of(["port"]).quadrants == {Quadrant.PORT}


def test_an_arc_of_something_else() -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.arcs\.quadrants"):
        FiringArc.of(["larboard"])


def test_broadside_quadrants() -> None:
    assert [q for q in Quadrant if q.is_broadside] == [Quadrant.STARBOARD, Quadrant.PORT]
