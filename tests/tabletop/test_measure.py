"""Uncertainty against a Monte Carlo twin, and the gaps between bases against shapely."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon
from shapely.affinity import translate

from tabletop.measure import UNIFORM_BEARING_SIGMA_DEG, Layout, base_gaps, measure
from tabletop.table import Base, Model, Pose, Table


def ship(name: str, pose: Pose, base: Base | None = None) -> Model:
    return Model(name, pose, base or Base(1000, 400))


def test_the_plain_numbers() -> None:
    result = measure(ship("a", Pose(0, 0, 90)), ship("b", Pose(3000, 4000, 0)))
    assert result.range_yards == 5000
    assert result.bearing_deg == pytest.approx(math.degrees(math.atan2(3, 4)))
    assert result.relative_bearing_deg == pytest.approx(360 + math.degrees(math.atan2(3, 4)) - 90)
    assert result.range_sigma_yards == 0


@pytest.mark.parametrize("from_bridge", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_uncertainty_agrees_with_sampling(seed: int, from_bridge: bool) -> None:
    """Twenty thousand tables drawn from the σ spread as the propagated σ says."""
    chance = np.random.default_rng(seed)
    poses = [
        Pose(
            x_yards=chance.uniform(0, 9000),
            y_yards=chance.uniform(0, 9000),
            heading_deg=chance.uniform(0, 360),
            position_sigma_yards=chance.uniform(5, 60),
            heading_sigma_deg=1.5 * k,
        )
        for k in (1, 2)
    ]
    base = Base(1000, 400, 450)
    firer, target = (ship(str(k), pose, base) for k, pose in enumerate(poses))
    claimed = measure(firer, target, from_bridge=from_bridge)

    count = 20_000
    points, headings = [], []
    for pose in poses:
        heading = np.radians(chance.normal(pose.heading_deg, pose.heading_sigma_deg, count))
        offset = base.bridge_offset_yards if from_bridge else 0.0
        x = chance.normal(pose.x_yards, pose.position_sigma_yards, count) + offset * np.sin(heading)
        y = chance.normal(pose.y_yards, pose.position_sigma_yards, count) + offset * np.cos(heading)
        points.append((x, y))
        headings.append(heading)
    dx, dy = (points[1][axis] - points[0][axis] for axis in (0, 1))
    bearing = np.arctan2(dx, dy)

    def spread(angles: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        mean = np.angle(np.mean(np.exp(1j * angles)))
        return float(np.degrees(np.std(np.angle(np.exp(1j * (angles - mean))))))

    assert claimed.range_sigma_yards == pytest.approx(np.std(np.hypot(dx, dy)), rel=0.04)
    assert claimed.bearing_sigma_deg == pytest.approx(spread(bearing), rel=0.04)
    assert claimed.relative_bearing_sigma_deg == pytest.approx(
        spread(bearing - headings[0]), rel=0.04
    )


def test_a_bearing_can_be_no_worse_than_unknown() -> None:
    result = measure(ship("a", Pose(0, 0, 0, 500)), ship("b", Pose(0, 1, 0, 500)))
    assert result.bearing_sigma_deg == UNIFORM_BEARING_SIGMA_DEG


def test_one_spot_has_no_bearing() -> None:
    result = measure(ship("a", Pose(5, 5, 0)), ship("b", Pose(5, 5, 90)))
    assert result.range_yards == 0
    assert result.bearing_deg is result.relative_bearing_deg is None
    assert result.bearing_sigma_deg is result.relative_bearing_sigma_deg is None


near = st.floats(-1500, 1500)
angle = st.floats(0, 360)
side = st.floats(50, 1500)


@given(near, near, angle, angle, side, side, side, side)
def test_gaps_and_overlaps_agree_with_shapely(
    x: float, y: float, h1: float, h2: float, l1: float, w1: float, l2: float, w2: float
) -> None:
    table = Table(
        (
            ship("a", Pose(0, 0, h1, 1e6), Base(l1, w1)),
            ship("b", Pose(x, y, h2), Base(l2, w2)),
        )
    )
    gaps = base_gaps(Layout.of(table, from_bridge=False))
    (gap,) = gaps.gap_yards.tolist()
    first, second = (Polygon(model.corners()) for model in table.models)
    if gap > 0:
        assert gap == pytest.approx(first.distance(second), abs=1e-6)
        return
    # No push shorter than the depth parts them; some push only just longer does.
    depth, turns = -gap, np.radians(np.arange(0, 360, 0.5))

    def parted(push: float) -> bool:
        shifted = (translate(second, push * np.sin(t), push * np.cos(t)) for t in turns)
        return any(first.distance(other) > 0 for other in shifted)

    assert depth < 1e-6 or not parted(depth * 0.999)
    assert parted(depth * 1.01 + 1e-3)


def test_pairs_far_apart_are_not_listed() -> None:
    table = Table((ship("a", Pose(0, 0, 0)), ship("b", Pose(9000, 0, 0))))
    assert len(base_gaps(Layout.of(table, from_bridge=False)).first) == 0
