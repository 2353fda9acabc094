"""A rendered table over time."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tabletop.errors import DreyerError
from vision.synthetic.moving_scene import (
    HandTrack,
    Keyframe,
    MarkerTrack,
    MovingScene,
    sailing_round,
)
from vision.synthetic.renderer import CameraView, RenderedHand, RenderedMarker, RenderScene

VIEW = CameraView(640, 360, noise=2.0, blur_px=0.5)
HOOD = RenderedMarker(4, 400, 300, 350)
NORFOLK = RenderedMarker(5, 1400, 900, 90)
SCENE = RenderScene((HOOD, NORFOLK))
FAR_MM = 700.0
"""Where a hand is out of the picture."""


def moved_by_hand(
    marker: RenderedMarker,
    to: tuple[float, float, float],
    *,
    start_seconds: float,
    seconds: float,
    arm_deg: float = 180.0,
) -> tuple[MarkerTrack, HandTrack]:
    """A player reaches in, moves a ship to a place (x, y, heading) and takes the hand away."""
    reach = start_seconds + seconds * 0.3
    drop = start_seconds + seconds * 0.7
    x, y, heading = to
    keys = (
        Keyframe(reach, marker.x_mm, marker.y_mm, marker.heading_deg),
        Keyframe(drop, x, y, heading),
    )
    away_x = FAR_MM * math.sin(math.radians(arm_deg))
    away_y = FAR_MM * math.cos(math.radians(arm_deg))
    hand = RenderedHand(marker.x_mm, marker.y_mm, arm_deg)
    hand_keys = (
        Keyframe(start_seconds, marker.x_mm + away_x, marker.y_mm + away_y),
        Keyframe(reach, marker.x_mm, marker.y_mm),
        Keyframe(drop, x, y),
        Keyframe(start_seconds + seconds, x + away_x, y + away_y),
    )
    return MarkerTrack(marker.id, keys), HandTrack(hand, hand_keys)


def test_a_ship_moves_from_key_to_key_and_turns_the_short_way() -> None:
    keys = (Keyframe(1.0, 400, 300, 350), Keyframe(3.0, 600, 500, 10))
    moving = MovingScene(SCENE, VIEW, [MarkerTrack(4, keys)])
    middle = moving.frame(2.0).truth.marker(4)
    assert (middle.x_mm, middle.y_mm, middle.heading_deg) == (500, 400, 0)
    assert moving.frame(0.0).truth.marker(4).x_mm == 400
    end = moving.frame(9.0).truth
    assert (end.marker(4).x_mm, end.marker(5).x_mm) == (600, 1400)


def test_the_same_moment_is_the_same_picture_and_noise_is_alive() -> None:
    moving, again = MovingScene(SCENE, VIEW), MovingScene(SCENE, VIEW)
    first = moving.frame(0.5).image
    moving.frame(0.7)
    assert np.array_equal(first, moving.frame(0.5).image)
    assert np.array_equal(first, again.frame(0.5).image)
    assert not np.array_equal(first, moving.frame(0.7).image)


def test_only_the_moved_ship_changes_the_picture() -> None:
    quiet = CameraView(640, 360)
    keys = (Keyframe(0.0, 400, 300, 350), Keyframe(1.0, 450, 300, 350))
    moving = MovingScene(SCENE, quiet, [MarkerTrack(4, keys)])
    before, after = moving.frame(0.0), moving.frame(1.0)
    changed = np.argwhere((before.image != after.image).any(axis=2))
    ys, xs = changed[:, 0], changed[:, 1]
    centre = after.truth.marker(4).corners_px.mean(axis=0)
    assert len(changed) > 50
    assert abs(xs - centre[0]).max() < 60
    assert abs(ys - centre[1]).max() < 60


def test_a_hand_brings_a_ship_and_goes() -> None:
    track, hand = moved_by_hand(HOOD, (700.0, 500.0, 45.0), start_seconds=1, seconds=4)
    moving = MovingScene(SCENE, VIEW, [track], [hand])
    assert moving.frame(0.5).truth.marker(4).seen
    during = moving.frame(3.0).truth
    assert during.marker(4).visible < 0.5
    assert during.marker(5).seen
    after = moving.frame(5.5).truth.marker(4)
    assert after.seen
    assert (after.x_mm, after.y_mm, after.heading_deg) == (700, 500, 45)


def test_the_camera_is_bumped_and_the_story_repeats() -> None:
    bumped = CameraView(640, 360, roll_deg=3.0)
    moving = MovingScene(SCENE, VIEW, later_views=[(2.0, bumped)], loop_seconds=4.0)
    before, after = moving.frame(1.0).truth, moving.frame(2.5).truth
    assert np.abs(before.corners[0].corners_px - after.corners[0].corners_px).max() > 2
    again = moving.frame(5.0).truth
    assert np.array_equal(before.corners[0].corners_px, again.corners[0].corners_px)


def test_a_track_needs_a_marker() -> None:
    with pytest.raises(DreyerError, match=r"vision\.render\.track\(.*marker=30"):
        MovingScene(SCENE, VIEW, [MarkerTrack(30, (Keyframe(0, 0, 0),))])


def test_a_thrifty_stream_draws_the_same_and_only_what_moved() -> None:
    view = CameraView(640, 360, blur_px=0.6)
    keys = (Keyframe(0.0, 400, 300, 350), Keyframe(1.0, 450, 300, 20))
    hand = moved_by_hand(NORFOLK, (1300.0, 800.0, 45.0), start_seconds=0.2, seconds=0.6)[1]
    thrifty = MovingScene(SCENE, view, [MarkerTrack(4, keys)], [hand], thrifty=True)
    whole = MovingScene(SCENE, view, [MarkerTrack(4, keys)], [hand])
    for seconds in (0.0, 0.3, 0.6, 1.0):
        ours, theirs = thrifty.frame(seconds), whole.frame(seconds)
        off = np.abs(ours.image.astype(int) - theirs.image.astype(int))
        # The blur's far tail may fall to the other side of a rounding.
        assert off.max() <= 1
        assert ours.truth.markers == theirs.truth.markers
    assert thrifty.frame(1.5).image is thrifty.frame(2.0).image


def test_the_noise_of_a_thrifty_stream_stands_still() -> None:
    thrifty = MovingScene(SCENE, VIEW, thrifty=True)
    first = thrifty.frame(0.5).image
    assert np.array_equal(first, thrifty.frame(0.7).image)
    assert first[200:, :50].std() > 0.5


def test_a_ship_sails_round_and_rests() -> None:
    track = sailing_round(
        HOOD, 300, 80, mm_per_second=10, sail_seconds=10, rest_seconds=5, to_starboard=False
    )
    first, last = track.keys[0], track.keys[-1]
    assert (last.x_mm, last.y_mm) == pytest.approx((first.x_mm, first.y_mm), abs=1e-6)
    assert last.heading_deg % 360 == pytest.approx(first.heading_deg % 360)
    assert track.at(4.9) == replace(track.at(0.0), seconds=4.9)
    half = track.at(last.seconds / 2)
    assert abs(half.heading_deg % 360 - (first.heading_deg + 180) % 360) < 40
    steps = [
        np.hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) / (b.seconds - a.seconds)
        for a, b in pairwise(track.keys)
        if b.seconds > a.seconds
    ]
    assert max(steps) < 11.5
