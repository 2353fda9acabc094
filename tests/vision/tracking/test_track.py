"""The tracker's pure logic, for any sequence of readings and losses."""

import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from vision.snapshot import ShipState, TablePose
from vision.tracking.track import (
    USUAL,
    Average,
    Reading,
    Track,
    accept,
    afresh,
    claim,
    distance_mm,
    observe,
    still,
    turn_deg,
    unseen,
)

STEP = 1 / 30


def reading(
    x: float = 0.0, y: float = 0.0, heading: float = 0.0, *, lifted: bool = False
) -> Reading:
    return Reading(TablePose(x, y, heading, 0.1, 0.2), 0.03, 0.06, lifted)


def begun(at: Reading | None = None) -> Track:
    made = None
    for frame in range(USUAL.accept_frames):
        made = claim(made, at or reading(), frame * STEP - 1)
    assert made is not None
    track = accept(4, made)
    assert track is not None
    return track


places = st.floats(-1500, 1500, allow_nan=False)
small = st.floats(-0.3, 0.3, allow_nan=False)
headings = st.floats(0, 360, allow_nan=False)
readings = st.builds(reading, places, places, headings) | st.builds(reading, small, small, small)
events = st.lists(st.none() | st.just("still") | readings, max_size=40)


@given(events)
def test_never_a_jump_without_a_moving_state(events: list[Reading | str | None]) -> None:
    track = begun()
    for frame, event in enumerate(events):
        seconds = frame * STEP
        before = track
        if event is None:
            track = unseen(track)
        elif isinstance(event, str):
            track = still(track, seconds)
        else:
            track = observe(track, event, seconds)
        far, turn = distance_mm(before.pose, track.pose), turn_deg(before.pose, track.pose)
        if track.state is not ShipState.MOVING:
            assert far <= 0.4
            assert turn <= 0.7
        if track.state is ShipState.STALE:
            assert track.pose == before.pose
        if before.state is ShipState.STALE and track.state is not ShipState.STALE:
            assert isinstance(event, Reading)
        assert math.isfinite(track.pose.position_sigma_mm)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=30))
def test_the_age_grows_while_she_is_not_seen(gaps: list[int]) -> None:
    track = unseen(begun())
    now, ages = 0.0, []
    for gap in gaps:
        now += gap / 30
        track = unseen(track)
        ages.append(track.age_seconds(now))
    assert ages == sorted(ages)
    assert ages[0] > 0
    assert still(track, now).state is ShipState.STALE


@given(readings, st.integers(1, 6))
def test_far_away_she_is_believed_only_after_agreeing_frames(there: Reading, frames: int) -> None:
    track = unseen(begun())
    for frame in range(frames):
        track = observe(track, there, frame * STEP)
    back = distance_mm(there.pose, begun().pose) < 0.1 and turn_deg(there.pose, begun().pose) < 0.2
    if frames >= USUAL.return_frames:
        assert track.state is not ShipState.STALE
        assert distance_mm(track.pose, there.pose) < 0.4
    elif not back:
        assert track.state in (ShipState.STALE, ShipState.MOVING)


@given(st.lists(st.tuples(small, small, st.floats(-0.3, 0.3)), min_size=1, max_size=20))
def test_the_average_is_the_mean_and_headings_wrap(items: list[tuple[float, float, float]]) -> None:
    average = Average()
    for x, y, turn in items:
        average = average.add(reading(100 + x, y, turn % 360))
    pose = average.pose
    assert math.isclose(pose.x_mm, 100 + sum(x for x, _, _ in items) / len(items), abs_tol=1e-9)
    mean = sum(turn for _, _, turn in items) / len(items)
    assert abs((pose.heading_deg - mean + 180) % 360 - 180) < 1e-3
    assert 0 < pose.position_sigma_mm <= 0.1 + 1e-12


def test_averaging_takes_the_jitter_away_but_not_the_common_doubt() -> None:
    average = Average()
    for _ in range(10):
        average = average.add(reading())
    assert math.isclose(average.pose.position_sigma_mm, math.sqrt(0.1**2 - 0.9 * 0.03**2))


def test_claims_need_agreement_and_count_a_frame_once() -> None:
    first = claim(None, reading(), 0.0)
    assert claim(first, reading(), 0.0) is first
    second = claim(first, reading(1.0), STEP)
    assert second.frames == 2
    assert accept(4, second) is None
    assert claim(second, reading(50.0), 2 * STEP).frames == 1
    assert claim(second, reading(0, 0, 90), 2 * STEP).frames == 1
    assert claim(second, reading(), 10.0).frames == 1


def test_a_ship_in_the_air_never_settles() -> None:
    track = begun()
    for frame in range(20):
        track = observe(track, reading(20, lifted=True), frame * STEP)
        assert track.state is ShipState.MOVING
    track = begun(reading(20))
    for frame in range(5):
        track = observe(track, reading(20), frame * STEP)
    assert track.state is ShipState.SETTLED


def test_a_moving_ship_is_expected_ahead() -> None:
    track = begun()
    for frame in range(4):
        track = observe(track, reading(3.0 * (frame + 1)), frame * STEP)
    x, y = track.expected(4 * STEP)
    assert math.isclose(x, 15.0, abs_tol=1e-6)
    assert y == 0
    assert unseen(track).expected(1.0) == (12.0, 0.0)


def test_afresh_she_must_settle_again() -> None:
    track = begun()
    for frame in range(5):
        track = observe(track, reading(), frame * STEP)
    assert track.state is ShipState.SETTLED
    again = afresh(track)
    assert again.state is ShipState.MOVING
    assert again.pose == track.pose
    assert observe(again, reading(0.3), 6 * STEP).state is ShipState.MOVING
    assert afresh(unseen(track)).state is ShipState.STALE


@settings(max_examples=30)
@given(st.floats(0.2, 20), st.floats(0, 360))
def test_any_real_move_is_reported_at_once(length: float, way: float) -> None:
    track = begun()
    for frame in range(8):
        track = observe(track, reading(), frame * STEP)
    goal = reading(length * math.sin(math.radians(way)), length * math.cos(math.radians(way)))
    track = observe(track, replace(goal, jitter_mm=0.02), 9 * STEP)
    assert track.state is ShipState.MOVING
    assert distance_mm(track.pose, goal.pose) == 0
