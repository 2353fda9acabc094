"""Plain striped counters: found to a fraction of a millimetre, and never taken for each other."""

import math
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from tabletop.errors import DreyerError
from vision.counters.detect import CounterKind, SeenCounter, find_counters
from vision.counters.identity import CounterIdentities
from vision.locate import locate
from vision.snapshot import CounterState
from vision.synthetic.renderer import (
    CameraView,
    Rendered,
    RenderedCounter,
    RenderedMarker,
    RenderScene,
    Shadow,
    Surface,
    render,
)

TABLE = TableSize(72 * 25.4, 48 * 25.4)


@cache
def scene(surface: Surface, *, shadow: bool = False) -> tuple[RenderScene, CameraView]:
    rng = np.random.default_rng(len(surface.value))
    counters = tuple(
        RenderedCounter(
            150 + (k % 6) * 300 + rng.uniform(-40, 40),
            130 + (k // 6) * 300 + rng.uniform(-40, 40),
            rng.uniform(0, 360),
        )
        for k in range(24)
    )
    tags = tuple(RenderedMarker(10 + k, 300 + 300 * k, 270, 50 * k) for k in range(5))
    shadows = (Shadow(900, 600),) if shadow else ()
    view = CameraView(blur_px=0.7, noise=2.0, jpeg_quality=88, shadow=shadows, seed=5)
    return RenderScene(counters=counters, markers=tags, surface=surface), view


@pytest.mark.parametrize(
    ("surface", "shadow"),
    [
        (Surface.SEA, False),
        (Surface.CLOTH, False),
        (Surface.GREY, False),
        (Surface.SEA, True),
        (Surface.WOOD, False),
        (Surface.CHECKED, False),
    ],
)
def test_every_counter_is_found_and_nothing_else(surface: Surface, shadow: bool) -> None:
    picture = render(*scene(surface, shadow=shadow))
    plane = locate(picture.image, default_marker_set(), TABLE).plane
    assert plane is not None
    found = find_counters(picture.image, plane, TABLE, CounterKind())
    assert len(found) == len(picture.truth.counters)
    far, turns, sure = [], [], []
    for true in picture.truth.counters:
        seen = min(found, key=lambda s: math.hypot(s.x_mm - true.x_mm, s.y_mm - true.y_mm))
        far.append(math.hypot(seen.x_mm - true.x_mm, seen.y_mm - true.y_mm))
        turns.append(abs((seen.axis_deg - true.heading_deg + 90) % 180 - 90))
        sure.append(far[-1] < 2 * seen.position_sigma_mm and turns[-1] < 2 * seen.axis_sigma_deg)
    # Beside white and dark squares the sides are less sure.
    checked = surface is Surface.CHECKED
    assert max(far) < (0.6 if checked else 0.3)
    assert np.percentile(turns, 95) < (1.0 if checked else 0.5)
    assert np.mean(sure) >= 0.9


def over_exposed(image: np.ndarray) -> np.ndarray:
    """Metered on the dark sea: white clips and runs over into the black beside it."""
    light = (image.astype(np.float32) / 255) ** 2.2 * 2.5
    light = (
        0.6 * cv2.GaussianBlur(light, (0, 0), 1.0)
        + 0.08 * cv2.GaussianBlur(light, (0, 0), 4.0)
        + 0.32 * light
    )
    noise = np.random.default_rng(1).normal(0, 2, image.shape)
    return np.clip(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + noise, 0, 255).astype(np.uint8)


def with_foam(picture: Rendered, seed: int) -> np.ndarray:
    """The sea with white streaks, some as large as a counter's stripe, beside what stands on it."""
    height, width = 1300, 1900
    grain = np.random.default_rng(seed).normal(0, 1, (height, width)).astype(np.float32)
    streaks = cv2.blur(cv2.GaussianBlur(grain, (0, 0), 5), (41, 5))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 30, 1)
    streaks = cv2.warpAffine(streaks, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    patches = cv2.GaussianBlur(grain, (0, 0), 14)
    foam = streaks / streaks.std() + 0.5 * patches / patches.std()
    white = np.clip((foam - 1.5) * 1.5, 0, 1)
    tall, wide = picture.image.shape[:2]
    y, x = np.mgrid[0:tall, 0:wide]
    pixels = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
    places = picture.truth.camera.unproject(pixels).astype(np.float32)
    maps = ((places[:, 0] + 30).reshape(tall, wide), (1250 - places[:, 1]).reshape(tall, wide))
    share = cv2.remap(white, *maps, cv2.INTER_LINEAR)
    truth = picture.truth
    for thing in (*truth.counters, *truth.corners, *truth.markers):
        grown = 1.0 if thing in truth.counters else 1.5
        middle = thing.corners_px.mean(axis=0)
        outline = middle + (thing.corners_px - middle) * grown
        cv2.fillConvexPoly(share, np.round(outline).astype(np.int32), 0.0)
    share = share[..., None]
    return (picture.image * (1 - share) + 235 * share).astype(np.uint8)


def found_of(image: np.ndarray, picture: Rendered) -> tuple[int, int]:
    """How many of the counters are found, and how many that are none."""
    plane = locate(picture.image, default_marker_set(), TABLE).plane
    assert plane is not None
    found = find_counters(image, plane, TABLE, CounterKind())
    true = [
        any(math.hypot(s.x_mm - c.x_mm, s.y_mm - c.y_mm) < 2 for c in picture.truth.counters)
        for s in found
    ]
    return sum(true), len(true) - sum(true)


@pytest.mark.parametrize("surface", [Surface.SEA, Surface.WOOD])
def test_over_exposed_counters_are_found(surface: Surface) -> None:
    picture = render(*scene(surface))
    assert found_of(over_exposed(picture.image), picture) == (24, 0)


def test_foam_is_no_counter() -> None:
    picture = render(*scene(Surface.SEA))
    found, wrong = found_of(with_foam(picture, 3), picture)
    assert found == 24
    # Hundreds of streaks are as large as a stripe; a few cannot be told from a grey counter's.
    assert wrong <= 2


@pytest.mark.parametrize("surface", list(Surface))
def test_an_empty_table_has_no_counters(surface: Surface) -> None:
    scene = RenderScene(surface=surface, markers=(RenderedMarker(10, 700, 500, 20),))
    picture = render(scene, CameraView(width_px=1280, height_px=720, noise=2.0))
    plane = locate(picture.image, default_marker_set(), TABLE).plane
    assert plane is not None
    assert find_counters(picture.image, plane, TABLE, CounterKind()) == ()


def seen(x: float, y: float = 0.0, axis: float = 0.0) -> SeenCounter:
    return SeenCounter(x, y, axis % 180, 0.1, 0.3, 0.99)


@pytest.fixture
def pair() -> CounterIdentities:
    follower = CounterIdentities()
    first, second = follower.update([seen(0), seen(200)], 0.0)
    follower.assign(first.key, "Hood", 170)
    follower.assign(second.key, "Bismarck", 10)
    return follower


def names(follower: CounterIdentities) -> dict[str | None, CounterState]:
    return {counter.name: counter.state for counter in follower.counters}


def test_name_and_bow_are_told_once(pair: CounterIdentities) -> None:
    for frame in range(1, 20):
        pair.update([seen(5.0 * frame, 0, 4.0 * frame), seen(200)], frame / 10)
    hood, bismarck = pair.counters
    assert (hood.name, bismarck.name) == ("Hood", "Bismarck")
    assert hood.pose.heading_deg == pytest.approx((180 + 4 * 19) % 360)
    assert bismarck.pose.heading_deg == pytest.approx(0)
    assert bismarck.state is CounterState.SETTLED
    assert hood.state is CounterState.MOVING


def test_a_hidden_counter_is_stale_and_returns_only_to_her_place(pair: CounterIdentities) -> None:
    pair.update([seen(200)], 1.0)
    assert names(pair) == {"Hood": CounterState.STALE, "Bismarck": CounterState.MOVING}
    assert pair.counters[0].age_seconds(3.0) == 3.0
    pair.update([seen(40), seen(200)], 2.0)
    assert names(pair)["Hood"] is CounterState.STALE
    assert names(pair)[None] is CounterState.UNNAMED
    pair.update([seen(1, 1), seen(200)], 3.0)
    assert names(pair)["Hood"] is CounterState.MOVING


def test_two_that_came_too_close_are_asked_for_again(pair: CounterIdentities) -> None:
    for frame in range(1, 5):
        pair.update([seen(0), seen(200 - 44.0 * frame)], frame / 10)
    assert names(pair) == {"Hood": CounterState.MOVING, "Bismarck": CounterState.MOVING} or names(
        pair
    ) == {"Hood": CounterState.SETTLED, "Bismarck": CounterState.MOVING}
    # Both jump to places from which either may have come.
    said = pair.update([seen(8, 14), seen(14, -12)], 1.0)
    assert {counter.state for counter in said} == {CounterState.AMBIGUOUS}
    key = said[0].key
    pair.assign(key, "Hood", 0)
    assert names(pair)["Hood"] in (CounterState.MOVING, CounterState.SETTLED)
    assert names(pair)["Bismarck"] is CounterState.AMBIGUOUS


def test_a_counter_that_turned_too_far_at_once_has_lost_her_bow(pair: CounterIdentities) -> None:
    said = pair.update([seen(0, 0, 85), seen(200)], 0.1)
    assert said[0].state is CounterState.AMBIGUOUS
    assert said[1].state is not CounterState.AMBIGUOUS


def test_a_name_belongs_to_one_counter(pair: CounterIdentities) -> None:
    hood, bismarck = pair.counters
    pair.assign(bismarck.key, "Hood", 0)
    assert [counter.name for counter in pair.counters] == [None, "Hood"]
    with pytest.raises(DreyerError, match=r"vision\.counters\.no_such\(counter=99\)"):
        pair.assign(99, "Hood", 0)
    assert hood.name == "Hood"  # What was said before does not change.


@given(st.lists(st.tuples(st.floats(-55, 55), st.floats(-55, 55)), min_size=1, max_size=25))
# One goes too far to be followed; the other comes into her place, slowly or too fast herself.
@example([(25, 55), (-15, 0), (0, 0), (-50, 0)])
@example([(10, -25), (25, 55), (55, 25)])
@settings(max_examples=300)
def test_names_are_never_swapped(moves: list[tuple[float, float]]) -> None:
    """Two counters moved by any steps: a name is with the right one or in doubt, never wrong."""
    follower = CounterIdentities()
    places = {"A": [0.0, 0.0], "B": [70.0, 0.0]}
    first, second = follower.update([seen(0), seen(70)], 0.0)
    follower.assign(first.key, "A", 0)
    follower.assign(second.key, "B", 0)
    for frame, (dx, dy) in enumerate(moves, start=1):
        mover = places["A" if frame % 2 else "B"]
        step = [mover[0] + dx, mover[1] + dy]
        other = places["B" if frame % 2 else "A"]
        if math.hypot(step[0] - other[0], step[1] - other[1]) < 20:
            continue  # Counters do not lie on top of each other.
        mover[:] = step
        said = follower.update([seen(*place) for place in places.values()], frame / 10)
        for counter in said:
            if counter.name and counter.state in (CounterState.MOVING, CounterState.SETTLED):
                x, y = places[counter.name]
                assert math.hypot(counter.pose.x_mm - x, counter.pose.y_mm - y) < 1e-9
