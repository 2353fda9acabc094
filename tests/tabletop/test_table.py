import math

import pytest

from tabletop.angles import forward, wrap_180, wrap_360
from tabletop.errors import DreyerError, UnknownName
from tabletop.table import Base, Model, Pose, SmokeFront, Table

HOOD = Model("Hood", Pose(100, 200, 90), Base(1000, 400))


def test_headings_are_kept_from_0_to_360() -> None:
    assert Pose(0, 0, -90).heading_deg == 270
    assert Pose(0, 0, 360).heading_deg == 0
    assert Pose(0, 0, -1e-20).heading_deg == 0


@pytest.mark.parametrize(
    ("angle", "whole", "signed"), [(0, 0, 0), (190, 190, -170), (-190, 170, 170), (720.5, 0.5, 0.5)]
)
def test_wrapping(angle: float, whole: float, signed: float) -> None:
    assert wrap_360(angle) == pytest.approx(whole)
    assert wrap_180(angle) == pytest.approx(signed)


def test_quarter_turns_are_exact() -> None:
    assert [forward(angle) for angle in (0, 90, 180, 270, 360)] == [
        (0, 1), (1, 0), (0, -1), (-1, 0), (0, 1),
    ]  # fmt: skip


def test_ahead_is_along_the_bow_and_right_is_starboard() -> None:
    moved = Pose(0, 0, 90).moved(ahead_yards=10, right_yards=3)
    assert (moved.x_yards, moved.y_yards, moved.heading_deg) == (10, -3, 90)


def test_corners_go_round_from_the_starboard_bow() -> None:
    assert HOOD.corners() == ((600, 0), (-400, 0), (-400, 400), (600, 400))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Pose(math.nan, 0, 0),
        lambda: Pose(0, math.inf, 0),
        lambda: Pose(0, 0, 0, -1),
        lambda: Pose(0, 0, 0, 0, -1),
        lambda: Base(0, 1),
        lambda: Base(1, -1),
        lambda: Base(1, 1, math.nan),
        lambda: SmokeFront(0, 0, math.nan, 0),
    ],
)
def test_nonsense_is_refused(make: object) -> None:
    with pytest.raises(DreyerError):
        make()  # type: ignore[operator]


def test_two_ships_of_one_name() -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.same_name\(ship=Hood\)"):
        Table((HOOD, HOOD))


def test_finding_a_model() -> None:
    table = Table((HOOD,))
    assert table["Hood"] is HOOD
    with pytest.raises(UnknownName, match=r"errors\.unknown_name\.like\(.*nearest='Hood'"):
        table["Hod"]


def test_a_table_never_changes() -> None:
    with pytest.raises(AttributeError):
        HOOD.pose.x_yards = 3  # type: ignore[misc]
