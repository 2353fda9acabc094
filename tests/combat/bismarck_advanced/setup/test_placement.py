"""Where attackers may stand by 55.26–55.27: every limit from both sides, and proposals."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.setup.formation import arrange, check_formation
from combat.rulebooks.bismarck_advanced.setup.placement import check_placement, propose_placement
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError
from tabletop.measure import measure
from tabletop.table import Base, Model, Pose
from web.strings import words

BASE = Base(1000, 400)
RANGE = 18_000


def ship(
    name: str, x: float, y: float, heading: float = 0.0, sigma: float = 0.0, swing: float = 0.0
) -> Model:
    return Model(name, Pose(x, y, heading, sigma, swing), BASE)


BISMARCK = ship("Bismarck", 0, 0)
EUGEN = ship("Prinz Eugen", 0, 1500)


def broken(
    *attackers: Model, defenders: tuple[Model, ...] = (BISMARCK,), quadrant: Quadrant = Quadrant.BOW
) -> list[str]:
    check = check_placement(attackers, defenders, RANGE, quadrant)
    assert check.legal is not bool(check.faults)
    return [fault.rule for fault in check.faults]


@pytest.mark.parametrize(
    ("yards", "rules"),
    [(17_899, ["55.27"]), (17_900, []), (18_000, []), (18_100, []), (18_101, ["55.261"])],
)
def test_the_closest_two_stand_at_the_range(yards: float, rules: list[str]) -> None:
    assert broken(ship("Hood", 0, yards)) == rules


def test_range_counts_from_the_closest_defender() -> None:
    both = (BISMARCK, EUGEN)
    assert broken(ship("Hood", 0, 19_500), defenders=both) == []
    assert broken(ship("Hood", 0, 18_000), defenders=both) == ["55.27"]


def test_others_may_be_farther_but_not_closer() -> None:
    hood = ship("Hood", 0, 18_000)
    assert broken(hood, ship("Norfolk", 0, 20_000)) == []
    assert broken(hood, ship("Norfolk", 0, 17_000)) == ["55.27"]


def test_an_attacker_is_told_once_that_she_is_too_close() -> None:
    attackers = [ship("Hood", 0, 15_000), ship("Norfolk", 0, 16_500)]
    faults = check_placement(attackers, [BISMARCK, EUGEN], RANGE, Quadrant.BOW).faults
    too_close = [fault for fault in faults if fault.rule == "55.27"]
    assert [fault.ships[0] for fault in too_close] == ["Hood", "Norfolk"]
    closest = min(BISMARCK, EUGEN, key=lambda other: abs(other.pose.y_yards - 15_000))
    assert {fault.ships[1] for fault in too_close} == {closest.name}


def test_a_fault_names_the_two_the_figure_and_the_rule() -> None:
    (fault,) = check_placement([ship("Hood", 0, 15_000)], [BISMARCK], RANGE, Quadrant.BOW).faults
    assert words(fault.why) == (
        "Hood and Bismarck: 15,000 yd apart, no attacker is closer than 18,000 yd (55.27)"
    )


@pytest.mark.parametrize(
    ("quadrant", "bearing"),
    [(Quadrant.BOW, 0), (Quadrant.STARBOARD, 90), (Quadrant.STERN, 180), (Quadrant.PORT, 270)],
)
def test_all_attackers_are_within_the_quadrant(quadrant: Quadrant, bearing: float) -> None:
    for off, legal in ((0, True), (44, True), (-45, True), (45, True), (46, False), (180, False)):
        angle = math.radians(bearing + off)
        hood = ship("Hood", RANGE * math.sin(angle), RANGE * math.cos(angle))
        assert broken(hood, quadrant=quadrant) == ([] if legal else ["55.262"])


def test_the_quadrant_is_that_of_the_closest_defender_and_words_say_so() -> None:
    turned = ship("Prinz Eugen", 0, 1500, 90)
    hood = ship("Hood", 0, 19_500)
    assert broken(hood, defenders=(BISMARCK, turned)) == ["55.262"]
    assert broken(hood, defenders=(BISMARCK, turned), quadrant=Quadrant.PORT) == []
    check = check_placement([hood], [BISMARCK, turned], RANGE, Quadrant.BOW)
    assert words(check.faults[0].why) == (
        "Hood bears 270° from the bow of Prinz Eugen, the closest defender; the attack comes "
        "from the bow quadrant, 315° to 45° (55.262, 55.27)"
    )


def test_with_two_defenders_as_close_as_hands_can_tell_either_will_do() -> None:
    abreast = (ship("Bismarck", -500, 0), ship("Prinz Eugen", 500, 0, 180))
    far = math.hypot(RANGE, 500) + 10
    assert broken(ship("Hood", -20, far), defenders=abreast) == []
    assert broken(ship("Hood", -20, far), defenders=abreast, quadrant=Quadrant.STERN) == []


@pytest.mark.parametrize(("heading", "rules"), [(5, []), (355, []), (6, ["55.27"])])
def test_attackers_face_one_way(heading: float, rules: list[str]) -> None:
    assert broken(ship("Hood", 0, 18_000), ship("Norfolk", 0, 19_000, heading)) == rules


def test_measuring_errors_make_close_calls_not_faults() -> None:
    attackers = [
        ship("Hood", 0, 17_890, sigma=20, swing=1.0),
        ship("Norfolk", 18_000, 18_010, 6.0, sigma=20, swing=1.0),
    ]
    check = check_placement(attackers, [ship("Bismarck", 0, 0, swing=1)], RANGE, Quadrant.BOW)
    assert check.legal
    assert [finding.close_call.what for finding in check.close_calls if finding.close_call] == [
        CloseCallKind.RANGE,
        CloseCallKind.ASPECT,
        CloseCallKind.QUADRANT,
    ]


def test_on_one_spot_with_a_defender() -> None:
    assert broken(ship("Hood", 0, 0)) == ["55.27"]


def test_both_sides_need_a_ship() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.setup\.two_sides"):
        check_placement([], [BISMARCK], RANGE, Quadrant.BOW)
    with pytest.raises(DreyerError, match=r"advanced\.setup\.defenders_first"):
        propose_placement([["Hood"]], [], RANGE, Quadrant.BOW)


def test_one_ship_is_proposed_in_the_middle_of_the_quadrant_steering_for_the_enemy() -> None:
    assert propose_placement([["Hood"]], [BISMARCK], RANGE, Quadrant.STARBOARD) == {
        "Hood": Pose(RANGE, 0, 270)
    }


NAMES = ("Hood", "Prince of Wales", "Norfolk", "Suffolk", "Rodney", "Ark Royal")


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=2),
    st.integers(1, 3),
    st.sampled_from((8000, 12_000, 18_000, 28_000)),
    st.sampled_from(Quadrant),
    st.floats(0, 359),
    st.one_of(st.none(), st.floats(0, 359)),
)
def test_proposals_are_legal(
    shape: list[int],
    defending: int,
    range_yards: float,
    quadrant: Quadrant,
    course: float,
    heading: float | None,
) -> None:
    names = iter(NAMES)
    columns = [[next(names) for _ in range(length)] for length in shape]
    places = arrange([[f"D{k}" for k in range(defending)]], Pose(3000, -2000, course))
    defenders = [Model(name, pose, BASE) for name, pose in places.items()]
    poses = propose_placement(columns, defenders, range_yards, quadrant, heading_deg=heading)
    models = {name: Model(name, pose, BASE) for name, pose in poses.items()}
    assert check_placement(list(models.values()), defenders, range_yards, quadrant).legal
    assert check_formation([[models[name] for name in column] for column in columns]).legal
    nearest = min(measure(a, d).range_yards for a in models.values() for d in defenders)
    assert nearest == pytest.approx(range_yards)


def test_no_room_is_an_error_with_a_remedy() -> None:
    column = [f"Ship {number}" for number in range(40)]
    with pytest.raises(DreyerError, match=r"advanced\.setup\.no_room"):
        propose_placement([column], [BISMARCK], 8000, Quadrant.BOW, heading_deg=90)
