"""Moves read from two poses: distance, turn, limits, markers, and what is too close to call."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    MoveDivision,
    MoveShip,
    PlaceDivision,
)
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState
from combat.rulebooks.grand_fleets.guided_battle.table import read_move
from combat.views import ShipMoveCheck
from tabletop.table import Pose
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, RULESET, Table

TABLES = RULESET.tables
SIGMA_YARDS = 22.0
"""A poor camera: a millimetre and more."""
START = Table().place_all().hold_all().dice("22 45").state
"""Turn 2; every ship has a speed of 7."""


def state(marker: str = "none", sigma_yards: float = 0.0, sigma_deg: float = 0.0) -> FleetState:
    found = START.with_marks("Ares", marker=marker)
    seen = replace(
        found.poses["Ares"], position_sigma_yards=sigma_yards, heading_sigma_deg=sigma_deg
    )
    return replace(found, poses={**found.poses, "Ares": seen})


def end_of(start: Pose, *legs: float, turn: float = 0.0, right: float = 0.0) -> Pose:
    """Ahead, one turn, ahead; and aside at last."""
    pose = start.moved(ahead_yards=legs[0])
    pose = replace(pose, heading_deg=pose.heading_deg + turn)
    return pose.moved(ahead_yards=sum(legs[1:]), right_yards=right)


def read(
    *legs: float,
    turn: float = 0.0,
    right: float = 0.0,
    marker: str = "none",
    sigma_yards: float = 0.0,
    sigma_deg: float = 0.0,
    yards: int | None = None,
    turned: bool | None = None,
) -> ShipMoveCheck:
    before = state(marker, sigma_yards, sigma_deg)
    end = end_of(before.poses["Ares"], *legs, turn=turn, right=right)
    return read_move(before, "Ares", end, TABLES, yards=yards, turned=turned)


def codes(check: ShipMoveCheck) -> list[str]:
    return [fault.message.code.rpartition(".")[2] for fault in check.faults]


@pytest.mark.parametrize(
    ("legs", "turn", "marker", "yards", "wrong"),
    [
        ((7000,), 0, "none", 7000, []),
        ((7051,), 0, "none", 7051, ["too_far"]),
        ((2000, 2000), 60, "none", 4000, []),  # 7 ÷ 2, rounded up.
        ((2000, 2100), 60, "none", 4100, ["too_far"]),
        ((1000,), 90, "none", 1000, []),
        ((900,), 90, "none", 900, ["too_short_a_turn"]),
        ((0, 1500), 120, "none", 1500, []),
        ((5000,), 0, "slow", 5000, []),
        ((5100,), 0, "slow", 5100, ["too_far"]),
        ((1500, 1500), -45, "slow", 3000, []),
        ((1500, 1600), -45, "slow", 3100, ["too_far"]),
        ((2000,), 0, "stop", 2000, []),
        ((2100,), 0, "stop", 2100, ["too_far"]),
        ((500, 500), 30, "stop", 1000, []),
        ((500, 600), 30, "stop", 1100, ["too_far"]),
        ((0,), 0, "fast", 0, []),
    ],
)
def test_distance_turn_and_limits(
    legs: tuple[float, ...], turn: float, marker: str, yards: int, wrong: list[str]
) -> None:
    check = read(*legs, turn=turn, marker=marker)
    assert check.turned is (turn != 0)
    assert check.yards == yards
    assert codes(check) == wrong


@pytest.mark.parametrize(
    ("yards", "marker"),
    [(0, "stop"), (1000, "slow"), (2500, "slow"), (4000, "verbatim"), (6500, "fast")],
)
def test_markers(yards: float, marker: str) -> None:
    found = read(yards).marker.code
    assert found.rpartition(".")[2] == marker


@given(
    first=st.floats(0, 4000),
    second=st.floats(0, 4000),
    turn=st.one_of(st.floats(5, 160), st.floats(-160, -5)),
)
def test_a_turn_is_read_back_whatever_its_legs(first: float, second: float, turn: float) -> None:
    check = read(first, second, turn=turn)
    assert check.turned
    assert check.measured_yards == pytest.approx(first + second, abs=1)
    assert check.nudged_yards == 0


def test_what_cannot_be_told_from_a_limit_is_at_the_limit() -> None:
    over = 7000 + 50 + 2 * SIGMA_YARDS - 1
    check = read(over, sigma_yards=SIGMA_YARDS)
    assert check.legal
    assert check.yards == check.limit_yards == 7000
    assert read(over + 30, sigma_yards=SIGMA_YARDS).faults
    (call,) = read(7080, sigma_yards=SIGMA_YARDS).close_calls
    assert (call.what, call.limit) == ("limit", 7000)
    assert call.margin == pytest.approx(30)
    assert read(7000, sigma_yards=4).close_calls == ()


@pytest.mark.parametrize(
    ("yards", "first", "other"), [(2970, 2970, 3000), (3030, 3030, 2999), (5980, 5980, 6000)]
)
def test_a_marker_that_is_too_close_to_call(yards: float, first: int, other: int) -> None:
    check = read(yards, sigma_yards=SIGMA_YARDS)
    assert check.yards == first
    (call,) = check.close_calls
    assert call.what == "marker"
    assert [reading.yards for reading in call.readings] == [first, other]
    agreed = read(yards, sigma_yards=SIGMA_YARDS, yards=other)
    assert agreed.legal
    assert agreed.yards == other
    assert agreed.marker != check.marker
    refused = read(yards, sigma_yards=SIGMA_YARDS, yards=other + 1000)
    assert codes(refused) == ["distance_is_plain"]


def test_clear_readings_are_not_doubted() -> None:
    assert read(4000, sigma_yards=SIGMA_YARDS, sigma_deg=0.5).close_calls == ()
    assert read(1500, 1500, turn=60, sigma_yards=2, sigma_deg=0.1, marker="slow").close_calls


def test_a_turn_that_is_too_close_to_call() -> None:
    check = read(7000, turn=3.4, sigma_yards=2, sigma_deg=0.3)
    assert check.turned
    assert codes(check) == ["too_far"]
    call = check.close_calls[0]
    assert call.what == "turn"
    assert [reading.turned for reading in call.readings] == [True, False]
    straight = read(7000, turn=3.4, sigma_yards=2, sigma_deg=0.3, turned=False)
    assert straight.legal
    assert straight.yards == 7000
    assert codes(read(7000, turn=6, sigma_deg=0.3, turned=False))[0] == "turn_is_plain"


def test_errors_grow_with_the_turn() -> None:
    turns = (10, 90, 150)
    sigmas = [read(2000, turn=turn, sigma_yards=5).sigma_yards for turn in turns]
    both = math.hypot(5, 5)
    assert sigmas == pytest.approx([both / math.cos(math.radians(turn / 2)) for turn in turns])
    assert sigmas == sorted(sigmas)


def test_out_and_back_is_for_the_players_to_say() -> None:
    check = read(1000, 1000, turn=180)
    assert check.legal
    assert (check.turned, check.measured_yards, check.yards) == (True, 0, 1000)
    (call,) = check.close_calls
    assert call.what == "back"
    assert [reading.yards for reading in call.readings] == [1000, 2000, 3000, 4000]
    farther = read(1000, 1000, turn=180, yards=2000)
    assert farther.legal
    corner = farther.points[1]
    start = START.poses["Ares"]
    assert math.hypot(corner[0] - start.x_yards, corner[1] - start.y_yards) == pytest.approx(1000)
    assert codes(read(1000, 1000, turn=180, yards=5000)) == ["too_far"]


def test_sideways_is_a_nudge_off_another_model_or_nothing() -> None:
    assert codes(read(4000, right=300)) == ["no_overlap"]
    near = replace(START.poses["Argo"], **_place(START.poses["Ares"].moved(ahead_yards=4200)))
    before = replace(START, poses={**START.poses, "Argo": near})
    end = end_of(START.poses["Ares"], 4000, right=480)
    nudged = read_move(before, "Ares", end, TABLES)
    assert nudged.legal
    assert nudged.nudged_yards == 480
    far = read_move(before, "Ares", end_of(START.poses["Ares"], 4000, right=560), TABLES)
    assert codes(far) == ["nudge"]


def _place(pose: Pose) -> dict[str, float]:
    return {"x_yards": pose.x_yards, "y_yards": pose.y_yards}


def test_the_next_move_begins_with_the_uncertainty_of_the_last() -> None:
    table = Table().with_state(START)
    end = replace(START.poses["Ares"].moved(ahead_yards=4000), position_sigma_yards=9.0)
    table.play(MoveShip(ship="Ares", pose=end))
    assert table.state.poses["Ares"] == end


def test_what_players_agree_on_is_told() -> None:
    table = Table().with_state(START)
    end = START.poses["Ares"].moved(ahead_yards=2970)
    table.play(MoveShip(ship="Ares", pose=end, yards=3000))
    assert table.state.marks("Ares").marker == "none"
    (agreed,) = (event for event in table.game.played[-1].events if event.kind == "move-agreed")
    assert (agreed.yards, agreed.measured_yards) == (3000, 2970)  # type: ignore[attr-defined]
    with pytest.raises(Forbidden) as plain:
        table.play(MoveShip(ship="Argo", pose=table.state.poses["Argo"], yards=900))
    assert plain.value.reason.code == "grand_fleets.fault.distance_is_plain"


def test_a_division_turns_right_about_and_says_how_far_each_went() -> None:
    table = Table().with_state(START)
    poses = {
        ship: replace(START.poses[ship], heading_deg=270.0).moved(ahead_yards=-1000.0)
        for ship in ("Ares", "Argo", "Atlas")
    }
    division = START.division_of("Ares").name
    move = MoveDivision(division=division, poses=poses, yards={"Ares": 3000, "Argo": 4000})
    assert BATTLE.schemas.action.read(BATTLE.schemas.action.write(move)) == move
    table.play(move)
    markers = [table.state.marks(ship).marker for ship in ("Ares", "Argo", "Atlas")]
    # Atlas, of whom nothing is said, has gone the 1,000 yards that her poses show.
    assert markers == ["none", "none", "slow"]


@pytest.mark.parametrize(("sigma", "stands"), [(0.0, False), (30.0, True)])
def test_placing_with_the_uncertainty_of_the_eyes(sigma: float, stands: bool) -> None:
    table = Table().dice("45 22")
    division = table.state.next_slots[0].name
    edge = 0.0 if table.state.division(division).side == "red" else 30_000.0
    ships = table.state.division(division).ships
    inward = 1 if edge == 0 else -1
    heading = 90 if edge == 0 else 270
    # 7 kyd from the edge is the limit; the others stand within 1 kyd behind her.
    poses = {
        ship: Pose(edge + inward * (7100 - 900 * n), 10_000, heading, sigma)
        for n, ship in enumerate(ships)
    }
    placing = PlaceDivision(division=division, poses=poses)
    assert (not BATTLE.check(table.state, placing).faults) is stands  # type: ignore[union-attr]


def test_ship_that_stands_on_an_enemy_may_stay_and_go_away() -> None:
    under = replace(START.poses["Ares"], heading_deg=270.0)
    beset = replace(START, poses={**START.poses, "Boreas": under})
    stays = read_move(beset, "Ares", beset.poses["Ares"], TABLES)
    assert codes(stays) == []
    assert stays.yards == 0
    away = read_move(beset, "Ares", beset.poses["Ares"].moved(ahead_yards=4000), TABLES)
    assert codes(away) == []
    # Whoever is not on her yet may not pass through her.
    astern = read_move(beset, "Argo", beset.poses["Argo"].moved(ahead_yards=3000), TABLES)
    assert codes(astern) == ["through"]
