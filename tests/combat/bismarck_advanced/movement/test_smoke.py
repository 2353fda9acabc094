"""Smoke by 67.6: where fronts stand, for how long, and what they hide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.movement.smoke import LaidFront, Smoke, SmokeSide, lay_front
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from tabletop.movement import Path, Straight, Turn
from tabletop.survey import survey
from tabletop.table import Base, Model, Pose, SmokeFront, Table

BASE = Base(1000, 400)
RULES = get_ruleset("bismarck-advanced").table_rules
FIRST = CombatPhase(3)


def front(side: SmokeSide = SmokeSide.STARBOARD, path: Path | None = None) -> LaidFront:
    path = path or Path(Pose(0, 0, 0), (Straight(1500),))
    return lay_front("Norfolk", path, BASE, side, FIRST, marker_yards=300)


@pytest.mark.parametrize(("side", "x"), [(SmokeSide.STARBOARD, 500), (SmokeSide.PORT, -500)])
def test_a_front_runs_from_stripe_to_stripe_on_the_chosen_side(side: SmokeSide, x: float) -> None:
    assert front(side).front == SmokeFront(x, 0, x, 1500)


def test_after_a_turn_the_front_ends_abreast_of_the_new_heading() -> None:
    path = Path(Pose(0, 0, 0), (Straight(1000), Turn(90, 0), Straight(1000)))
    assert front(SmokeSide.PORT, path).front == SmokeFront(-500, 0, 1000, 1500)


def test_a_ship_that_does_not_move_lays_a_point() -> None:
    laid = front(path=Path(Pose(0, 0, 0))).front
    assert (laid.x1_yards, laid.y1_yards) == (laid.x2_yards, laid.y2_yards)


def test_a_front_stands_for_two_combat_phases() -> None:
    smoke = Smoke().with_front(front())
    standing = [len(smoke.fronts_in(CombatPhase(number))) for number in range(2, 6)]
    assert standing == [0, 1, 1, 0]
    assert smoke.after(FIRST) == smoke
    assert smoke.after(FIRST.later(1)) == Smoke()


def test_cover_is_for_the_next_combat_phase_only() -> None:
    smoke = Smoke().with_cover("Norfolk", FIRST)
    assert [smoke.is_covered("Norfolk", CombatPhase(n)) for n in (2, 3, 4)] == [False, True, False]
    assert not smoke.is_covered("Suffolk", FIRST)
    assert smoke.after(FIRST) == Smoke()


@given(st.integers(1, 30))
def test_smoke_is_unlimited(turns: int) -> None:
    smoke = Smoke()
    for number in range(1, turns + 1):
        laid = lay_front(
            "Norfolk", Path(Pose(0, 0, 0), (Straight(300),)), BASE, SmokeSide.PORT,
            CombatPhase(number),
        )  # fmt: skip
        smoke = smoke.with_front(laid).with_cover("Norfolk", CombatPhase(number))
    assert len(smoke.fronts) == turns
    assert len(smoke.fronts_in(CombatPhase(turns))) == min(turns, 2)
    assert smoke.is_covered("Norfolk", CombatPhase(turns))


def test_a_front_hides_both_ways_and_two_of_them_count_once() -> None:
    ships = (
        Model("Norfolk", Pose(0, 1500, 0), BASE),
        Model("Bismarck", Pose(9000, 1000, 0), BASE),
        Model("Suffolk", Pose(-5000, 1000, 0), BASE),
    )
    smoke = Smoke().with_front(front()).with_front(front())
    seen = survey(Table(ships, smoke.fronts_in(FIRST)), RULES)
    assert seen["Bismarck", "Norfolk"].smoke is True
    assert seen["Norfolk", "Bismarck"].smoke is True
    assert seen["Norfolk", "Suffolk"].smoke is False
    later = survey(Table(ships, smoke.fronts_in(FIRST.later(2))), RULES)
    assert later["Bismarck", "Norfolk"].smoke is False
