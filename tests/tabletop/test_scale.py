import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.errors import DreyerError
from tabletop.scale import Scale, Unit, inches_from_mm, mm_from_inches


def test_the_usual_table() -> None:
    """At 500 yards to the inch, 1 mm is just under 20 yards and the longest range 56 inches."""
    scale = Scale(500)
    assert scale.yards_from_mm(1) == pytest.approx(19.685, abs=1e-3)
    assert scale.inches_from_yards(28_000) == 56
    assert scale.yards_from_inches(2) == 1000
    assert scale.mm_from_yards(500) == 25.4


@pytest.mark.parametrize(("unit", "length"), [("yards", 500), ("inches", 1), ("mm", 25.4)])
def test_a_length_in_any_unit(unit: str, length: float) -> None:
    scale = Scale(500)
    assert scale.yards_from(length, Unit(unit)) == pytest.approx(500)
    assert scale.yards_to(Unit(unit), 500) == pytest.approx(length)


def test_inches_and_millimetres() -> None:
    assert mm_from_inches(2) == 50.8
    assert inches_from_mm(50.8) == 2


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf")])
def test_a_scale_is_positive(wrong: float) -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.scale"):
        Scale(wrong)


@given(st.floats(1, 1e5), st.floats(-1e6, 1e6))
def test_there_and_back(yards_per_inch: float, yards: float) -> None:
    scale = Scale(yards_per_inch)
    assert scale.yards_from_mm(scale.mm_from_yards(yards)) == pytest.approx(yards, abs=1e-6)
    assert scale.yards_from_inches(scale.inches_from_yards(yards)) == pytest.approx(yards, abs=1e-6)
