"""The referee: models in and out of place, and turns that may have ended anywhere."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tabletop.errors import DreyerError
from tabletop.movement import Path, Step, Straight, Turn
from tabletop.referee import PlacementCheck, referee
from tabletop.table import Pose
from web.strings import words

START = Pose(5000, 4000, 90)
PLAIN: tuple[Step, ...] = (Straight(900), Turn(-30, 300), Turn(-30, 300))


def judge(
    steps: tuple[Step, ...],
    after: Pose,
    *,
    before: Pose = START,
    yards: float = 100,
    degrees: float = 5,
) -> PlacementCheck:
    return referee(
        before, steps, after, placing_tolerance_yards=yards, heading_tolerance_deg=degrees
    )


def short(angle_deg: float) -> Turn:
    return Turn(angle_deg, 300, least_fraction=0.0)


def run(steps: tuple[Step, ...], fractions: tuple[float, ...]) -> tuple[Step, ...]:
    """The steps with each short turn cut at its fraction."""
    left = iter(fractions)
    return tuple(
        step.part(next(left)) if isinstance(step, Turn) and step.is_open_ended else step
        for step in steps
    )


def test_a_model_on_its_place_is_in_place_without_any_tolerance() -> None:
    ruling = judge(PLAIN, Path(START, PLAIN).end, yards=0, degrees=0)
    assert ruling.in_place
    assert not ruling.by_benefit_of_doubt
    assert ruling.off_yards == 0
    assert ruling.steps == PLAIN
    assert words(ruling.why) == "in place: 0 of 0 yd and 0 of 0° off"


def test_off_is_told_in_the_frame_of_the_plotted_heading() -> None:
    expected = Path(START, PLAIN).end
    after = expected.moved(ahead_yards=-120, right_yards=40)
    ruling = judge(PLAIN, after)
    assert not ruling.in_place
    assert ruling.expected == expected
    assert ruling.off_ahead_yards == pytest.approx(-120)
    assert ruling.off_right_yards == pytest.approx(40)
    assert ruling.off_yards == pytest.approx(math.hypot(120, 40))
    assert words(ruling.why) == (
        "out of place: 120 yd short of and 40 yd to starboard of her plotted place "
        "and on her plotted heading"
    )


def test_a_wrong_heading_alone_is_out_of_place() -> None:
    expected = Path(START, PLAIN).end
    ruling = judge(PLAIN, Pose(expected.x_yards, expected.y_yards, expected.heading_deg - 8))
    assert not ruling.in_place
    assert ruling.off_heading_deg == pytest.approx(-8)
    assert words(ruling.why).endswith("on her plotted place and heading 8° too far to port")


def test_the_heading_is_compared_across_north() -> None:
    ruling = judge((), Pose(0, 0, 358), before=Pose(0, 0, 1))
    assert ruling.in_place
    assert ruling.off_heading_deg == pytest.approx(-3)


def test_a_ship_that_stays_put_has_its_place_too() -> None:
    assert judge((), START).in_place
    assert not judge((), START.moved(ahead_yards=300)).in_place


@pytest.mark.parametrize(("off", "in_place"), [(99.0, True), (100.0, True), (101.0, False)])
def test_the_tolerance_is_a_limit_that_may_be_reached(off: float, in_place: bool) -> None:
    after = Path(START, PLAIN).end.moved(right_yards=off)
    assert judge(PLAIN, after).in_place is in_place


def test_the_measuring_error_is_allowed_on_top_and_carried_along_the_path() -> None:
    before = Pose(0, 0, 0, position_sigma_yards=30, heading_sigma_deg=1)
    steps = (Straight(3000),)
    after = Pose(220, 3000, 0, position_sigma_yards=40, heading_sigma_deg=2)
    ruling = judge(steps, after, before=before)
    swing = math.radians(1) * 3000
    assert ruling.allowed_yards == pytest.approx(100 + 2 * math.hypot(30, 40, swing))
    assert ruling.allowed_heading_deg == pytest.approx(5 + 2 * math.hypot(1, 2))
    assert ruling.in_place
    assert ruling.by_benefit_of_doubt
    assert ruling.why.code == "tabletop.referee.by_doubt"


def test_tolerances_are_not_negative() -> None:
    for yards, degrees in ((-1, 5), (100, -1), (math.nan, 5)):
        with pytest.raises(DreyerError, match=r"tabletop\.referee\.tolerance"):
            judge((), START, yards=yards, degrees=degrees)


@pytest.mark.parametrize("fraction", [0.0, 0.01, 0.37, 0.5, 0.99, 1.0])
def test_a_short_turn_may_end_anywhere_on_its_arc(fraction: float) -> None:
    steps = (Straight(900), Turn(-30, 300), short(-30))
    taken = run(steps, (fraction,))
    ruling = judge(steps, Path(START, taken).end, yards=0, degrees=0)
    assert ruling.in_place
    last = ruling.steps[-1]
    assert last.length_yards == pytest.approx(300 * fraction, abs=1e-4)


def test_a_short_turn_does_not_excuse_a_place_off_its_arc() -> None:
    steps = (Straight(900), short(-30))
    past_the_end = Path(START, (*run(steps, (1.0,)), Straight(200))).end
    ruling = judge(steps, past_the_end)
    assert not ruling.in_place
    assert ruling.steps[-1].length_yards == pytest.approx(300)
    assert ruling.off_ahead_yards == pytest.approx(200)
    wrong_way = Path(START, (Straight(900), Turn(30, 300))).end
    assert not judge(steps, wrong_way).in_place


@given(
    st.lists(st.sampled_from([-60.0, -45.0, -30.0, 30.0, 45.0, 60.0]), min_size=1, max_size=4),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
    st.floats(0, 359),
)
@example([-60.0, 30.0, -45.0, -60.0], [0.5, 1.0, 0.0, 0.0], 0.0)
@settings(max_examples=60, deadline=None)
def test_several_short_turns_are_all_found(
    angles: list[float], fractions: list[float], heading: float
) -> None:
    before = Pose(0, 0, heading)
    steps = tuple(step for angle in angles for step in (short(angle), Straight(300)))
    after = Path(before, run(steps, tuple(fractions))).end
    ruling = judge(steps, after, before=before, yards=0, degrees=0)
    assert ruling.off_yards < 0.01
    assert abs(ruling.off_heading_deg) < 0.01
    if len(angles) == 1:
        # One short turn leaves no choice; several may share out a turn between them.
        assert ruling.steps[0].length_yards == pytest.approx(300 * fractions[0], abs=0.01)


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(-20, 20))
@settings(max_examples=25, deadline=None)
def test_no_other_end_of_the_turns_fits_better(dx: float, dy: float, turned: float) -> None:
    steps = (short(-45), Straight(300), short(60), Straight(600))
    middle = Path(START, run(steps, (0.4, 0.6))).end
    after = Pose(middle.x_yards + dx, middle.y_yards + dy, middle.heading_deg + turned)
    ruling = judge(steps, after)

    def misfit(end: Pose) -> float:
        off = math.dist((end.x_yards, end.y_yards), (after.x_yards, after.y_yards))
        angle = (end.heading_deg - after.heading_deg + 180) % 360 - 180
        return (off / 100) ** 2 + (angle / 5) ** 2

    grid = np.linspace(0, 1, 21).tolist()
    best = min(misfit(Path(START, run(steps, (a, b))).end) for a in grid for b in grid)
    assert misfit(ruling.expected) <= best + 1e-9


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_a_model_seen_through_noise_is_in_place(seed: int) -> None:
    noise = np.random.default_rng(seed)
    steps = (Straight(600), short(45), Straight(300), Turn(-45, 300))
    true_end = Path(START, run(steps, (0.6,))).end
    before, after = (
        Pose(
            pose.x_yards + float(noise.normal(0, 15)),
            pose.y_yards + float(noise.normal(0, 15)),
            pose.heading_deg + float(noise.normal(0, 1)),
            15,
            1,
        )
        for pose in (START, true_end)
    )
    assert judge(steps, after, before=before).in_place
    # The same noise does not hide a model that is a factor away from its place.
    astray = after.moved(right_yards=450)
    assert not judge(steps, astray, before=before).in_place


@given(st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_an_open_end_stays_within_its_least_fraction(least: float, fraction: float) -> None:
    assume(least < 0.99)
    arc = Turn(60, 300, least_fraction=least)
    ruling = judge((arc,), Path(START, (arc.part(fraction),)).end)
    found = ruling.steps[0].length_yards / 300
    assert found == pytest.approx(max(least, fraction), abs=1e-4)
