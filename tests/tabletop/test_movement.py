"""Paths against a twin that adds up small pieces, the way back, and running along a track."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.angles import wrap_180
from tabletop.errors import DreyerError
from tabletop.movement import Path, Step, Straight, Turn, following, reversed_steps
from tabletop.table import Pose

yards = st.floats(-20_000, 20_000)
lengths = st.floats(0, 3_000)
poses = st.builds(Pose, yards, yards, st.floats(0, 359.9))
straights = st.builds(Straight, lengths)
turns = st.builds(Turn, st.floats(-400, 400), lengths)
steps = st.lists(straights | turns, max_size=6).map(tuple)
fractions = st.floats(0, 1)


def same_place(first: Pose, second: Pose, within_yards: float = 1e-6) -> bool:
    return math.dist((first.x_yards, first.y_yards), (second.x_yards, second.y_yards)) <= (
        within_yards
    )


def same_pose(first: Pose, second: Pose, within_yards: float = 1e-6) -> bool:
    turned = abs(wrap_180(first.heading_deg - second.heading_deg))
    return same_place(first, second, within_yards) and turned <= 1e-6


def crept(start: Pose, step: Step, pieces: int = 2_000) -> tuple[float, float]:
    """The twin: a step taken in thousands of short straights."""
    x, y = start.x_yards, start.y_yards
    for piece in range(pieces):
        heading = math.radians(start.heading_deg + step.angle_deg * (piece + 0.5) / pieces)
        x += step.length_yards / pieces * math.sin(heading)
        y += step.length_yards / pieces * math.cos(heading)
    return x, y


def test_a_quarter_turn_to_starboard_ends_abreast_of_its_centre() -> None:
    radius = 600.0
    end = Path(Pose(0, 0, 0), (Turn(90, radius * math.pi / 2),)).end
    assert (end.x_yards, end.y_yards) == pytest.approx((radius, radius))
    assert end.heading_deg == 90


def test_a_turn_to_port_is_the_mirror_of_one_to_starboard() -> None:
    port, starboard = (Path(Pose(0, 0, 0), (Turn(angle, 300),)).end for angle in (-30, 30))
    assert (port.x_yards, port.y_yards) == pytest.approx((-starboard.x_yards, starboard.y_yards))
    assert port.heading_deg == 330


@given(poses, straights | turns)
def test_the_closed_form_agrees_with_small_pieces(start: Pose, step: Step) -> None:
    end = Path(start, (step,)).end
    assert math.dist((end.x_yards, end.y_yards), crept(start, step)) < 0.01


@given(poses, steps)
def test_the_way_back_leads_to_the_start(start: Pose, taken: tuple[Step, ...]) -> None:
    there = Path(start, taken)
    back = there.reversed()
    assert same_place(back.end, start)
    assert abs(wrap_180(back.end.heading_deg - start.heading_deg - 180)) < 1e-6
    assert back.length_yards == pytest.approx(there.length_yards)
    assert reversed_steps(back.steps) == taken


@given(poses, steps, fractions)
def test_the_way_back_runs_over_the_same_ground(
    start: Pose, taken: tuple[Step, ...], fraction: float
) -> None:
    there = Path(start, taken)
    length = there.length_yards
    back = there.reversed()
    assert same_place(back.pose_at(length * fraction), there.pose_at(length * (1 - fraction)))


@given(poses, steps, fractions)
def test_a_path_cut_anywhere_goes_on_to_the_same_end(
    start: Pose, taken: tuple[Step, ...], fraction: float
) -> None:
    path = Path(start, taken)
    distance = path.length_yards * fraction
    rest = Path(path.pose_at(distance), path.steps_from(distance))
    assert same_pose(rest.end, path.end)
    assert rest.length_yards == pytest.approx(path.length_yards - distance, abs=1e-6)


@pytest.mark.parametrize(
    "still", [(), (Straight(0),), (Turn(0, 0),), (Turn(0, 0), Straight(0), Turn(30, 300).part(0))]
)
def test_steps_of_nothing_stay_put(still: tuple[Step, ...]) -> None:
    start = Pose(3, 4, 90, 5, 6)
    path = Path(start, still)
    assert path.end == path.pose_at(0) == start
    assert path.length_yards == 0


def test_a_turn_on_the_spot_changes_the_heading_alone() -> None:
    assert Path(Pose(3, 4, 90), (Turn(45, 0),)).end == Pose(3, 4, 135)


def test_a_turn_of_no_angle_is_a_straight() -> None:
    start = Pose(0, 0, 77)
    assert Path(start, (Turn(0, 300),)).end == Path(start, (Straight(300),)).end
    hair = Path(start, (Turn(1e-12, 300),)).end
    assert same_pose(hair, Path(start, (Straight(300),)).end)


def test_there_are_no_points_before_or_after_a_path() -> None:
    path = Path(Pose(0, 0, 0), (Straight(300),))
    for distance in (-1, 301, math.nan):
        with pytest.raises(DreyerError, match=r"tabletop\.movement\.off_path\(length=300"):
            path.pose_at(distance)


@pytest.mark.parametrize("length", [-1, math.inf, math.nan])
def test_a_step_has_a_finite_length_ahead(length: float) -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.length"):
        Straight(length)
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.length"):
        Turn(30, length)
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.length"):
        Turn(30, 300, lost_yards=length)


def test_what_a_turn_loses_is_lost_along_it() -> None:
    turn = Turn(15, 150, lost_yards=150)
    assert turn.cost_yards == 300
    assert turn.part(0.5) == Turn(7.5, 75, lost_yards=75)
    track = Path(Pose(0, 0, 0), (Straight(300), turn, Straight(300)))
    assert track.length_yards == 750
    # 300 yards of the run for the straight, 150 for half of the turn.
    path = following(Pose(0, 0, 0), track, 450, off_track_yards=250)
    assert path.length_yards == pytest.approx(375)
    assert path.end.heading_deg == pytest.approx(7.5)
    # From there the rest of the turn takes the rest of what it costs.
    rest = following(path.end, track, 300, off_track_yards=250)
    assert rest.length_yards == pytest.approx(75 + 150)


def test_a_turn_has_a_finite_angle_and_a_sensible_least_fraction() -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.angle"):
        Turn(math.inf, 300)
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.fraction"):
        Turn(30, 300, least_fraction=1.5)


def test_a_polyline_has_the_steps_ends_and_keeps_to_the_arc() -> None:
    path = Path(Pose(0, 0, 0), (Straight(1000), Turn(90, 900), Straight(300)))
    points = path.polyline(100)
    assert len(points) == 1 + 1 + 9 + 1
    for station in path.stations:
        assert any(math.dist(point, (station.x_yards, station.y_yards)) < 1e-9 for point in points)
    for x, y in points:
        assert path.nearest(x, y).off_yards < 1e-6
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.spacing"):
        path.polyline(0)


def test_an_even_polyline_does_not_tell_of_the_steps() -> None:
    here = Pose(100, 200, 30)
    whole, parts = (
        Path(here, steps)
        for steps in ((Straight(1_200),), (Straight(300), Straight(300), Straight(600)))
    )
    assert whole.even_polyline(75) == parts.even_polyline(75)
    assert len(whole.even_polyline(75)) == 17
    turned = Path(here, (Straight(300), Turn(45, 300)))
    end = turned.end
    assert turned.even_polyline(75)[-1] == pytest.approx((end.x_yards, end.y_yards), abs=0.001)
    still = Path(here, ())
    assert set(still.even_polyline(75)) == {(100, 200)}
    with pytest.raises(DreyerError, match=r"tabletop\.movement\.spacing"):
        whole.even_polyline(0)


def test_uncertainty_grows_with_the_lever_and_not_with_the_way() -> None:
    start = Pose(0, 0, 0, position_sigma_yards=30, heading_sigma_deg=2)
    ahead = Path(start, (Straight(2000),)).end
    assert ahead.position_sigma_yards == pytest.approx(math.hypot(30, math.radians(2) * 2000))
    assert ahead.heading_sigma_deg == 2
    # A full circle ends where it began, whatever the heading was.
    assert Path(start, (Turn(360, 4000),)).end.position_sigma_yards == pytest.approx(30)


@given(poses, steps, yards, yards)
def test_no_point_of_a_path_is_nearer_than_the_nearest(
    start: Pose, taken: tuple[Step, ...], x: float, y: float
) -> None:
    path = Path(start, taken)
    foot = path.nearest(x, y)
    there = path.pose_at(foot.along_yards)
    assert math.dist((x, y), (there.x_yards, there.y_yards)) == pytest.approx(
        foot.off_yards, abs=1e-5
    )
    sampled = (path.pose_at(path.length_yards * k / 40) for k in range(41))
    nearest = min(math.dist((x, y), (pose.x_yards, pose.y_yards)) for pose in sampled)
    assert foot.off_yards <= nearest + 1e-5


class TestFollowing:
    """A column: the ship ahead turns, the one astern turns where she did."""

    leader = Path(Pose(0, 0, 0), (Straight(600), Turn(60, 600), Straight(300)))

    def follow(self, follower: Pose, distance: float) -> Path:
        return following(follower, self.leader, distance, off_track_yards=250)

    def test_from_astern_she_first_comes_up_to_where_the_leader_was(self) -> None:
        path = self.follow(Pose(0, -1000, 0), 1500)
        assert same_pose(path.end, self.leader.pose_at(500))
        assert path.length_yards == pytest.approx(1500)

    def test_she_turns_where_the_leader_turned(self) -> None:
        path = self.follow(Pose(0, -1000, 0), 1900)
        assert same_pose(path.end, self.leader.pose_at(900))
        assert path.end.heading_deg == pytest.approx(30)

    def test_from_beside_the_wake_she_heads_for_the_leaders_old_place(self) -> None:
        path = self.follow(Pose(-600, -800, 20), 500)
        assert same_pose(path.end, Pose(-300, -400, math.degrees(math.atan2(600, 800))))
        assert same_pose(self.follow(Pose(-600, -800, 20), 1300).end, self.leader.pose_at(300))

    def test_on_the_track_she_goes_on_from_where_she_is(self) -> None:
        on_arc = self.leader.pose_at(800)
        path = self.follow(on_arc, 500)
        assert same_pose(path.start, on_arc)
        assert same_pose(path.end, self.leader.pose_at(1300))

    def test_a_little_beside_the_track_counts_as_on_it(self) -> None:
        beside = self.leader.pose_at(400).moved(right_yards=100)
        assert same_pose(self.follow(beside, 300).end, self.leader.pose_at(700))

    def test_past_the_end_of_the_track_she_holds_its_heading(self) -> None:
        end = self.follow(self.leader.pose_at(1200), 500).end
        assert same_pose(end, self.leader.end.moved(ahead_yards=200))

    def test_two_moves_of_a_follower_are_one_long_one(self) -> None:
        first = self.follow(Pose(0, -1000, 0), 1800)
        track = self.leader.then((Turn(-60, 600),))
        second = following(first.end, track, 900, off_track_yards=250)
        assert same_pose(second.end, track.pose_at(1700))

    def test_the_third_ship_follows_the_second(self) -> None:
        second = self.follow(Pose(0, -1000, 0), 1500)
        third = following(Pose(0, -2000, 0), second, 1500, off_track_yards=250)
        assert same_pose(third.end, Pose(0, -500, 0))

    def test_a_leader_who_circles_does_not_call_her_follower_off_the_track(self) -> None:
        circle = Path(Pose(0, 0, 0), (Turn(-420, 2100),))
        path = following(Pose(0, -1000, 0), circle, 1200, off_track_yards=250)
        assert same_pose(path.end, circle.pose_at(200))

    def test_without_way_on_she_stays(self) -> None:
        follower = Pose(5, -1000, 3, 4, 2)
        assert self.follow(follower, 0) == Path(follower)

    def test_her_path_is_as_uncertain_as_both_ships(self) -> None:
        leader = Path(Pose(0, 0, 0, 40, 1), (Straight(900),))
        path = following(Pose(0, -1000, 0, 30, 5), leader, 600, off_track_yards=250)
        assert path.start.position_sigma_yards == pytest.approx(50)
        assert path.start.heading_sigma_deg == 1

    def test_off_the_track_she_cannot_follow(self) -> None:
        with pytest.raises(DreyerError, match=r"tabletop\.movement\.off_track") as caught:
            self.follow(self.leader.pose_at(300).moved(right_yards=-900), 500)
        assert caught.value.message["yards"] == pytest.approx(900)

    def test_with_the_track_behind_her_she_cannot_follow(self) -> None:
        with pytest.raises(DreyerError, match=r"tabletop\.movement\.track_behind"):
            self.follow(Pose(0, -1000, 180), 500)
