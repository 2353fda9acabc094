"""Collisions: overlapping bases and then overlapping markers, and all that is neither."""

import pytest

from tabletop.closecall import CloseCallKind
from tabletop.collision import CollisionCheck, collisions
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.table import Base, Model, Pose, Table
from web.strings import words

MARKER_YARDS = 500.0
BASE = Base(length_yards=1000, width_yards=400)


def check(*poses: Pose, marker_yards: float = MARKER_YARDS) -> tuple[CollisionCheck, ...]:
    models = (Model(f"ship {n}", pose, BASE) for n, pose in enumerate(poses, start=1))
    return collisions(Table(tuple(models)), marker_yards)


def test_ships_far_apart_are_not_even_looked_at() -> None:
    assert check(Pose(0, 0, 0), Pose(2000, 0, 0)) == ()
    assert check() == check(Pose(0, 0, 0)) == ()


def test_bases_and_markers_overlap_is_a_collision() -> None:
    (found,) = check(Pose(0, 0, 0), Pose(300, 0, 0))
    assert found.collided
    assert (found.first, found.second) == ("ship 1", "ship 2")
    assert found.bases.yards == pytest.approx(-100)
    assert found.markers.yards == pytest.approx(-200)
    assert found.close_calls == ()
    assert words(found.why) == (
        "ship 1 and ship 2: collision, their bases overlap by 100 yd "
        "and their markers overlap by 200 yd"
    )


def test_bases_overlap_end_to_end_while_the_markers_are_clear() -> None:
    (found,) = check(Pose(0, 0, 0), Pose(0, 900, 0))
    assert not found.collided
    assert found.bases.overlaps
    assert not found.markers.overlaps
    assert found.why.code == "tabletop.collision.not_collided"
    assert words(found.markers.message) == "are 400 yd apart"


def test_markers_that_overlap_between_clear_bases_are_no_collision() -> None:
    assert check(Pose(0, 0, 0), Pose(450, 0, 0)) == ()


def test_touching_bases_do_not_overlap() -> None:
    (found,) = check(Pose(0, 0, 0), Pose(400, 0, 0))
    assert not found.collided
    assert found.why["bases"] == Message("tabletop.collision.touch")
    # The markers overlap, so all hangs on the edge of the bases.
    (call,) = found.close_calls
    assert (call.what, call.limit) == (CloseCallKind.CONTACT, Message("tabletop.limit.bases"))
    assert call.readings == ("no collision", "collision")
    assert call.margin == pytest.approx(0)


def test_touching_markers_do_not_overlap() -> None:
    (found,) = check(Pose(0, 0, 0), Pose(0, 500, 0))
    assert not found.collided
    assert found.bases.overlaps
    assert [call.limit for call in found.close_calls] == [Message("tabletop.limit.markers")]


def test_two_ships_on_one_spot_collide() -> None:
    (found,) = check(Pose(0, 0, 0), Pose(0, 0, 90))
    assert found.collided
    assert found.markers.yards == -MARKER_YARDS
    assert found.close_calls == ()


def test_a_ship_across_anothers_bow_collides_by_the_angle_of_their_bases() -> None:
    # Parallel at this distance the bases would be clear.
    assert check(Pose(0, 0, 0), Pose(450, 0, 0)) == ()
    (found,) = check(Pose(0, 0, 0), Pose(450, 0, 90))
    assert found.collided


def test_three_ships_in_a_heap_are_three_pairs() -> None:
    found = check(Pose(0, 0, 0), Pose(100, 0, 0), Pose(200, 0, 0))
    pairs = {(pair.first[-1], pair.second[-1]) for pair in found if pair.collided}
    assert pairs == {("1", "2"), ("1", "3"), ("2", "3")}


def test_a_doubtful_overlap_is_a_close_call_with_the_measured_reading_first() -> None:
    (found,) = check(Pose(0, 0, 0, 20), Pose(390, 0, 0, 20))
    assert found.collided
    (call,) = found.close_calls
    assert call.readings == ("collision", "no collision")
    assert call.margin == pytest.approx(10)


def test_bases_that_seem_clear_within_the_measuring_error_are_reported() -> None:
    (found,) = check(Pose(0, 0, 0, 20), Pose(430, 0, 0, 20))
    assert not found.collided
    assert [call.limit for call in found.close_calls] == [Message("tabletop.limit.bases")]
    assert check(Pose(0, 0, 0, 20), Pose(460, 0, 0, 20)) == ()


def test_a_doubt_on_which_nothing_hangs_is_not_raised() -> None:
    # Whether the bases touch at bow and stern is open, but the markers are clear for certain.
    (found,) = check(Pose(0, 0, 0, 20), Pose(0, 990, 0, 20))
    assert found.bases.is_too_close_to_call
    assert found.close_calls == ()


def test_the_marker_is_the_callers() -> None:
    (small,) = check(Pose(0, 0, 0), Pose(300, 0, 0), marker_yards=250)
    assert not small.collided
    with pytest.raises(DreyerError, match=r"tabletop\.collision\.diameter"):
        check(Pose(0, 0, 0), marker_yards=0)
