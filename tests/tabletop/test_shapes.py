"""Outlines of points."""

import pytest

from tabletop.shapes import outline_around

SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (2.0, 2.0)]


def test_an_outline_goes_round_its_points_once() -> None:
    found = outline_around(SQUARE, 1.0)
    assert found[0] == found[-1]
    assert set(found) == set(SQUARE[:4])


@pytest.mark.parametrize("spots", [[], [(1.0, 1.0)], [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]])
def test_points_on_one_line_have_none(spots: list[tuple[float, float]]) -> None:
    assert outline_around(spots, 0.3) == ()
