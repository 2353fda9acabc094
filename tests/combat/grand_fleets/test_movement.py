"""Moves, markers, turns, stacking and placing, each figure worked out by hand."""

import math
from collections.abc import Sequence

import pytest

from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.card import Rating
from combat.rulebooks.grand_fleets.card_file import load_cards
from combat.rulebooks.grand_fleets.movement import (
    OtherShip,
    check_move,
    limit_of,
    marker_after,
    nudge_faults,
    passing_faults,
    placing_faults,
    run_between,
)
from combat.rulebooks.grand_fleets.table_files import load_tables
from combat.rulebooks.grand_fleets.vessel import Marks, Vessel
from combat.ships import ShipType
from combat.views import DraftFault
from tabletop.messages import Message
from tabletop.table import Base, Model, Pose

TABLES = load_tables()


def vessel(name: str, **marks: object) -> Vessel:
    card = load_cards().find(name)
    assert isinstance(card, ShipType)
    return Vessel(name, card, Marks()).marked(**marks)


def model(name: str, x: float, y: float, heading: float = 0.0) -> Model:
    return Model(name, Pose(x, y, heading), Base(1000.0, 400.0))


@pytest.mark.parametrize(
    ("speed", "straight", "turning"),
    [(8, 8000, 4000), (7, 7000, 4000), (5, 5000, 3000), (4, 4000, 2000), (1, 1000, 1000),
     (0, 0, 0)],
)  # fmt: skip
def test_a_turn_halves_the_speed_rounded_up(speed: int, straight: int, turning: int) -> None:
    ship = vessel("Iron Duke")
    ship = Vessel(ship.name, ship.card.__class__(
        name="x", ship_class=ship.card.ship_class, nation="x", speed=(Rating(speed),)))  # fmt: skip
    assert limit_of(ship, "none", TABLES, turned=False).yards == straight
    assert limit_of(ship, "fast", TABLES, turned=True).yards == turning


@pytest.mark.parametrize(
    ("last", "turned", "yards"),
    [("fast", False, 7000), ("none", False, 7000), ("slow", False, 5000), ("stop", False, 2000),
     ("none", True, 4000), ("slow", True, 3000), ("stop", True, 1000)],
)  # fmt: skip
def test_acceleration_is_limited(last: str, turned: bool, yards: int) -> None:
    limit = limit_of(vessel("Sample cruiser"), last, TABLES, turned=turned)
    assert limit.yards == yards
    assert limit.ledger.total == yards


def test_the_first_unchecked_speed_box_counts() -> None:
    lost = [vessel("Iron Duke", speed_lost=gone).speed_kyds for gone in range(6)]
    assert lost == [4, 3, 2, 2, 1, 0]


def test_a_slow_ship_is_not_held_back_by_her_marker() -> None:
    limit = limit_of(vessel("Iron Duke"), "slow", TABLES, turned=False)
    assert limit.yards == 4000
    assert [line.value for line in limit.ledger] == [4000, 0]


@pytest.mark.parametrize(
    ("yards", "last", "turned", "lost", "words"),
    [
        (4001, "none", False, 0, r"too_far\(most=4000, .*yards=4001\), rule='The Movement Phase'"),
        (2001, "none", True, 0, r"too_far\(most=2000, .*yards=2001\), rule='Turning'"),
        (2001, "stop", False, 0, r"too_far\(most=2000, .*yards=2001\), rule='Stopping'"),
        (999, "none", True, 0, r"too_short_a_turn\(least=1000, yards=999\), rule='Turning'"),
        (0, "none", True, 0, r"too_short_a_turn\(least=1000, yards=0\), rule='Turning'"),
        (0, "none", True, 5, r"cannot_turn\(least=1000, most=0, .*rule='Turning'"),
    ],
)
def test_forbidden_moves(yards: int, last: str, turned: bool, lost: int, words: str) -> None:
    with pytest.raises(Forbidden, match=words):
        check_move(vessel("Iron Duke", speed_lost=lost), yards, last, TABLES, turned=turned)


def test_a_sunk_ship_and_one_without_speed_do_not_move() -> None:
    with pytest.raises(Forbidden, match=r"grand_fleets\.refused\.sunk"):
        check_move(vessel("Iron Duke", hull_lost=18), 0, "none", TABLES, turned=False)
    with pytest.raises(Forbidden, match=r"grand_fleets\.refused\.no_speed"):
        check_move(vessel("Pensacola"), 0, "none", TABLES, turned=False)


@pytest.mark.parametrize(
    ("yards", "marker"),
    [(0, "stop"), (1, "slow"), (2000, "slow"), (2999, "slow"), (3000, "none"), (5000, "none"),
     (5999, "none"), (6000, "fast"), (9000, "fast")],
)  # fmt: skip
def test_the_marker_of_the_band_reached(yards: int, marker: str) -> None:
    assert marker_after(yards, TABLES) == marker


ENEMIES = (
    OtherShip(model("A", 0, 5000), "red", "first", in_command=True),
    OtherShip(model("B", 0, 7000), "red", "first", in_command=True),
    OtherShip(model("C", 3000, 5000), "red", "second", in_command=False),
    OtherShip(model("D", 6000, 5000), "red", "second", in_command=True),
    OtherShip(model("E", 9000, 5000), "blue", "own", in_command=True),
)


@pytest.mark.parametrize(
    ("path", "faults"),
    [
        ([(-1000, 5000), (1000, 5000)], ["fault.through(ship=A)"]),
        ([(-1000, 6000), (1000, 6000)], ["fault.between(other=B, ship=A)"]),
        ([(-1000, 4400), (1000, 4400)], []),
        ([(-1000, 4000), (0, 4600), (1000, 4000)], ["fault.through(ship=A)"]),
        ([(2000, 5000), (4000, 5000)], []),
        ([(4500, 4000), (4500, 6000)], []),
        ([(6000, 3000), (6000, 7000)], ["fault.through(ship=D)"]),
        ([(8000, 5000), (10000, 5000)], []),
        ([(-1000, 7600), (1000, 7600)], []),
    ],
)
def test_whom_a_ship_may_pass(path: Sequence[tuple[float, float]], faults: list[str]) -> None:
    found = list(passing_faults(path, "blue", ENEMIES))
    assert len(found) == len(faults)
    for fault, said in zip(found, faults, strict=True):
        assert str(fault.message).endswith(said)
        assert fault.reference == "Stacking"


def test_a_turned_base_is_as_long_as_it_is() -> None:
    across = [OtherShip(model("A", 0, 0, 90.0), "red", "first", in_command=True)]
    assert list(passing_faults([(-450, -900), (-450, 900)], "blue", across))
    assert not list(passing_faults([(-550, -900), (-550, 900)], "blue", across))
    assert not list(passing_faults([(-900, 250), (900, 250)], "blue", across))


def test_half_a_kyd_off_another_model() -> None:
    assert not list(nudge_faults(500, TABLES, overlapped=True))
    assert not list(nudge_faults(0, TABLES, overlapped=False))
    (fault,) = nudge_faults(501, TABLES, overlapped=True)
    assert fault.message == Message("grand_fleets.fault.nudge", most=500, yards=501)
    (fault,) = nudge_faults(100, TABLES, overlapped=False)
    assert fault.message == Message("grand_fleets.fault.no_overlap")


@pytest.mark.parametrize(
    ("end", "yards", "turned", "off"),
    [
        (Pose(0, 4000, 0), 4000, False, 0),
        (Pose(0, 4000, 2), 4000, False, 0),
        (Pose(300, 4000, 0), 4000, False, 300),
        (Pose(0, -500, 0), 0, False, 500),
        (Pose(1000, 2000, 90), 3000, True, 0),
        (Pose(0, 2000, 90), 2000, True, 0),
        (Pose(2000, 0, 90), 2000, True, 0),
        (Pose(-1000, 2000, 270), 3000, True, 0),
        (Pose(-500, 2000, 90), 2000, True, 500),
        (Pose(500, 1000 + 500, 45), 1000 + 500 * math.sqrt(2), True, 0),
        (Pose(0, 2000, 180), 2000, True, 0),
        (Pose(0, -2000, 180), 2000, True, 0),
        (Pose(100, -2000, 180), 2000, True, 100),
        (Pose(2000, -1000, 90), 2000, True, 1000),
    ],
)
def test_a_move_read_from_two_poses(end: Pose, yards: float, turned: bool, off: float) -> None:
    run = run_between(Pose(0, 0, 0), end)
    assert run.turned == turned
    assert run.yards == pytest.approx(yards)
    assert run.off_yards == pytest.approx(off, abs=1e-6)
    far = Pose(7000, 3000, 30).moved(ahead_yards=end.y_yards, right_yards=end.x_yards)
    there = run_between(Pose(7000, 3000, 30), Pose(far.x_yards, far.y_yards, end.heading_deg + 30))
    assert (there.yards, there.off_yards) == pytest.approx((run.yards, run.off_yards), abs=1e-6)


def placed(*ships: Model, touching: tuple[str, str] | None = None) -> list[DraftFault]:
    places = {ship.name: (ship.pose.x_yards, ship.pose.y_yards) for ship in ships}

    def distance(one: str, two: str) -> float:
        if touching and {one, two} == set(touching):
            return 1000.0
        return math.dist(places[one], places[two])

    return list(placing_faults(ships, 4, distance, TABLES, depth=lambda ship: ship.pose.y_yards))


def test_the_first_movement_phase_places_ships() -> None:
    flag = model("F", 0, 4000)
    assert not placed(flag, model("G", 0, 3000), model("H", 0, 2000))
    assert [fault.field for fault in placed(model("F", 0, 4001))] == ["F"]
    assert [fault.field for fault in placed(flag, model("G", 0, 2900))] == ["G"]
    assert [fault.field for fault in placed(flag, model("G", 300, 4100))] == ["G"]
    assert not placed(flag, model("G", 0, 2900), touching=("F", "G")), "contact is 1 kyd"
    late = placed(flag, model("G", 0, 2000), model("H", 0, 1500))
    assert [fault.field for fault in late] == ["G"], "H is near G, who stands too far off"
