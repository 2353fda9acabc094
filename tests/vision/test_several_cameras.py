"""Ships that two running cameras see: fused by their uncertainty, moved, lost, told apart."""

import pytest

from vision.several_cameras import fuse_ships
from vision.snapshot import ShipState, TablePose, TrackedShip


def ship(
    x_mm: float, sigma_mm: float = 0.5, state: ShipState = ShipState.SETTLED, *,
    name: str = "Hood", age: float = 0.0, number: int = 7,
) -> TrackedShip:  # fmt: skip
    return TrackedShip(number, name, TablePose(x_mm, 200.0, 359.5, sigma_mm, 0.2), state, age, 9)


def test_the_surer_camera_counts_for_more() -> None:
    (fused,), apart = fuse_ships([[ship(100.0, 0.2)], [ship(101.0, 0.6)]])
    assert apart == ()
    assert 100.0 <= fused.pose.x_mm < 100.3
    assert fused.pose.position_sigma_mm <= 0.2
    assert fused.pose.heading_deg == pytest.approx(359.5)


def test_one_that_moves_in_one_picture_moves() -> None:
    moving = ship(140.0, 1.0, ShipState.MOVING)
    (fused,), apart = fuse_ships([[ship(100.0)], [moving]])
    assert (fused.state, fused.pose.x_mm, apart) == (ShipState.MOVING, 140.0, ())


def test_one_that_no_camera_sees_stays_where_she_was_seen_last() -> None:
    early = ship(100.0, state=ShipState.STALE, age=30.0)
    late = ship(300.0, state=ShipState.STALE, age=2.0)
    assert fuse_ships([[early], [late]])[0] == (late,)
    assert fuse_ships([[early], [ship(310.0)]])[0] == (ship(310.0),)


def test_cameras_that_disagree_are_told_and_the_surer_one_is_believed() -> None:
    (fused,), apart = fuse_ships([[ship(100.0, 0.5)], [ship(160.0, 0.3)]])
    assert (fused.pose.x_mm, apart) == (160.0, ("Hood",))


def test_a_code_is_believed_before_a_counter_of_that_name() -> None:
    (fused,), _ = fuse_ships([[ship(100.0, 0.1, number=-3)], [ship(400.0, 0.9)]])
    assert (fused.id, fused.pose.x_mm) == (7, 400.0)
    both, _ = fuse_ships([[ship(1.0, name="Suffolk")], [ship(2.0, name="Norfolk")]])
    assert [each.name for each in both] == ["Norfolk", "Suffolk"]
