"""Formations: every limit from both sides, doubts, and the layout that is always legal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.setup.formation import (
    FormationCheck,
    arrange,
    check_formation,
)
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.table import Base, Model, Pose
from web.strings import words

BASE = Base(1000, 400)


def ship(
    name: str, right: float, ahead: float, heading: float = 0.0, *, sigma: float = 0.0
) -> Model:
    return Model(name, Pose(right, ahead, heading, sigma), BASE)


def column(*ahead: float, right: float = 0.0, name: str = "A", sigma: float = 0.0) -> list[Model]:
    return [
        ship(f"{name}{number}", right, place, sigma=sigma)
        for number, place in enumerate(ahead, start=1)
    ]


def rules_broken(check: FormationCheck) -> list[str]:
    return [fault.rule for fault in check.faults]


def test_one_ship_is_a_formation() -> None:
    assert check_formation([column(0)]) == FormationCheck()


@pytest.mark.parametrize(
    ("interval", "legal"), [(999, False), (1000, True), (1500, True), (2000, True), (2001, False)]
)
def test_the_interval_in_a_column(interval: float, legal: bool) -> None:
    check = check_formation([column(0, -interval)])
    assert check.legal is legal
    assert rules_broken(check) == ([] if legal else ["55.111"])


def test_only_neighbours_in_a_column_keep_the_interval() -> None:
    assert check_formation([column(0, -1500, -3000, -4500)]).legal


def test_a_fault_says_who_how_much_and_which_rule() -> None:
    (fault,) = check_formation([column(0, -850)]).faults
    assert (fault.ships, fault.measured, fault.limit) == (("A1", "A2"), 850, 1000)
    assert fault.why == Message(
        "advanced.formation.interval.at_least",
        first=ShipRef("A1"),
        second=ShipRef("A2"),
        measured=850,
        limit=1000,
        rule="55.111",
    )
    (near,) = check_formation([column(0, -999.7)]).faults
    assert "999.7 yd, at least 1,000 yd" in words(near.why)


@pytest.mark.parametrize(("gap", "legal"), [(499, False), (500, True), (2000, True), (2001, False)])
def test_columns_from_side_by_side_to_the_limit(gap: float, legal: bool) -> None:
    check = check_formation([column(0), column(0, right=gap, name="B")])
    assert check.legal is legal
    if not legal:
        assert rules_broken(check) == ["55.111" if gap < 500 else "55.112"]


def test_only_neighbouring_columns_are_measured_whatever_their_order() -> None:
    columns = [column(0, right=right, name=name) for right, name in ((4000, "C"), (0, "A"))]
    assert rules_broken(check_formation(columns)) == ["55.112"]
    assert check_formation([*columns, column(0, right=2000, name="B")]).legal


def test_bases_may_overlap_while_markers_do_not() -> None:
    # At 600 yards abreast of one another on slanted courses bases of 1,000 by 400 overlap.
    assert check_formation([column(0), [ship("B1", 350, 450)]]).legal
    check = check_formation([column(0), [ship("B1", 350, 350)]])
    assert rules_broken(check) == ["55.111"]
    assert check.faults[0].why.code == "advanced.formation.markers.at_least"


@pytest.mark.parametrize(
    ("heading", "legal"), [(5, True), (355, True), (6, False), (354, False), (180, False)]
)
def test_all_ships_point_the_same_way(heading: float, legal: bool) -> None:
    check = check_formation([[ship("A1", 0, 0), ship("A2", 0, -1000, heading)]])
    assert check.legal is legal
    assert rules_broken(check) == ([] if legal else ["55.113"])


@pytest.mark.parametrize(
    ("ahead", "legal"), [(3000, True), (-3000, True), (3001, False), (-3001, False)]
)
def test_lead_ships_ahead_or_behind(ahead: float, legal: bool) -> None:
    check = check_formation([column(0), column(ahead, right=1000, name="B")])
    assert check.legal is legal
    assert rules_broken(check) == ([] if legal else ["55.114"])


def test_lead_ships_are_compared_with_those_of_any_other_column() -> None:
    columns = [
        column(ahead, right=right, name=name)
        for ahead, right, name in ((0, 0, "A"), (2000, 1000, "B"), (4000, 2000, "C"))
    ]
    (fault,) = check_formation(columns).faults
    assert (fault.rule, fault.ships, fault.measured) == ("55.114", ("A1", "C1"), 4000)


def test_a_doubtful_figure_has_the_benefit_and_is_reported() -> None:
    check = check_formation([column(0, -980, sigma=10)])
    assert check.legal
    (doubt,) = check.close_calls
    assert doubt.rule == "55.111"
    assert doubt.close_call is not None
    assert doubt.close_call.readings == ("illegal", "legal")
    assert doubt.close_call.margin == pytest.approx(20)
    inside = check_formation([column(0, -1020, sigma=10)]).close_calls[0].close_call
    assert inside is not None
    assert inside.readings == ("legal", "illegal")
    assert not check_formation([column(0, -970, sigma=10)]).legal
    assert check_formation([column(0, -1030, sigma=10)]).close_calls == ()


def test_a_doubtful_heading_of_the_guide_makes_leads_doubtful() -> None:
    guide = Model("A1", Pose(0, 0, 0, heading_sigma_deg=2), BASE)
    check = check_formation([[guide], column(3050, right=1500, name="B")])
    assert check.legal
    assert [doubt.rule for doubt in check.close_calls] == ["55.114"]


@pytest.mark.parametrize("columns", [[], [[]], [column(0), []]])
def test_an_empty_column_is_refused(columns: list[list[Model]]) -> None:
    with pytest.raises(DreyerError, match=r"advanced\.formation\.empty"):
        check_formation(columns)


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.floats(0, 359),
    st.floats(1000, 2000),
    st.floats(500, 2000),
)
def test_an_arranged_formation_is_legal(
    sizes: list[int], heading: float, interval: float, apart: float
) -> None:
    names = [[f"{n}.{place}" for place in range(size)] for n, size in enumerate(sizes)]
    lead = Pose(12_000, 9_000, heading)
    poses = arrange(names, lead, interval_yards=interval, columns_yards=apart)
    assert poses[names[0][0]] == lead
    placed = [[Model(name, poses[name], BASE) for name in column] for column in names]
    assert check_formation(placed).legal


def test_columns_are_laid_out_to_starboard_and_astern() -> None:
    poses = arrange([["Hood", "Prince of Wales"], ["Norfolk"]], Pose(0, 0, 90))
    assert poses == {
        "Hood": Pose(0, 0, 90),
        "Prince of Wales": Pose(-1000, 0, 90),
        "Norfolk": Pose(0, -500, 90),
    }


def test_an_illegal_layout_is_refused_with_the_rule() -> None:
    lead = Pose(0, 0, 0)
    with pytest.raises(DreyerError, match=r"advanced\.formation\.bad_interval.*900.*55\.111"):
        arrange([["A", "B"]], lead, interval_yards=900)
    with pytest.raises(DreyerError, match=r"advanced\.formation\.bad_columns.*2500.*55\.112"):
        arrange([["A"], ["B"]], lead, columns_yards=2500)
    with pytest.raises(DreyerError, match=r"advanced\.formation\.ship_twice"):
        arrange([["A"], ["A"]], lead)
