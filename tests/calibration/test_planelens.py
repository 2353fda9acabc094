"""Parameters that may well be nought, and squares behind a bent lens."""

import numpy as np
import pytest

from calibration.planelens import LATTICE, UNIT_SQUARE, place_lattice, quadrangles, shrink_to_zero


def weighed(away: float, sigma: float, odds: float = 1.0) -> tuple[float, float, float]:
    """A parameter with a faulty companion that was measured as so far from nought."""
    covariance = np.array([[1.0, 0.8 * sigma], [0.8 * sigma, sigma**2]])
    mean, spread = shrink_to_zero(np.array([5.0, away]), covariance, [1], np.array([10.0]), odds)
    return float(mean[0]), float(mean[1]), float(np.sqrt(spread[0, 0]))


def test_what_is_nought_within_its_doubt_is_taken_for_nought() -> None:
    value, fault, sigma = weighed(0.3, 1.0)
    assert abs(fault) < 0.05
    # The companion goes along by as much as the two belong together, and is surer for it.
    assert value == pytest.approx(5 - 0.8 * 0.3, abs=0.05)
    assert sigma < 0.75


def test_what_is_far_from_nought_stays() -> None:
    assert weighed(8.0, 1.0) == pytest.approx((5, 8, 1), abs=1e-3)


def test_between_the_two_both_are_in_doubt() -> None:
    _, fault, sigma = weighed(2.1, 1.0)
    assert 0.5 < fault < 1.5
    assert sigma > 0.9


def test_no_odds_for_nought_change_nothing() -> None:
    assert weighed(0.3, 1.0, odds=0.0) == pytest.approx((5, 0.3, 1))


def test_a_straight_square_is_its_own_quadrangle() -> None:
    corners = UNIT_SQUARE * 30 + [100, 50]
    spots = place_lattice(corners[None])
    assert spots.shape == (1, len(LATTICE), 2)
    assert quadrangles(spots)[0] == pytest.approx(corners)
