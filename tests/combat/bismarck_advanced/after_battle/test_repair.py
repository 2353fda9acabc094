"""Repairs at sea by 68 and 40, case by case."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import TypedDice
from combat.forecast import every_outcome
from combat.rulebooks.bismarck_advanced.after_battle.repair import (
    Part,
    RepairForbidden,
    RepairReport,
    Section,
    after_battle,
    attempt_repair,
    prospects,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message

TABLES, SHIPS = load_tables(), load_warships()
HULL, SECONDARY, RUDDER = Section(Part.HULL), Section(Part.SECONDARY), Section(Part.RUDDER)
TURRET_A = Section(Part.TURRET, "A")


def fresh(name: str = "Bismarck") -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def with_hull(quarters: int) -> Vessel:
    return replace(fresh(), hull_lost=quarters)


def with_turret(quarters: int, *, solid_boxes: int = 0) -> Vessel:
    return fresh().with_turret(0, TurretState(quarters, solid_boxes=solid_boxes))


def attempt(vessel: Vessel, section: Section, die: int) -> RepairReport:
    return attempt_repair(vessel, section, TypedDice(str(die)), TABLES)


def refusal(vessel: Vessel, section: Section) -> str:
    with pytest.raises(RepairForbidden) as refused:
        attempt(vessel, section, 1)
    return refused.value.rule


@pytest.mark.parametrize(("die", "boxes"), [(1, 3), (2, 1), (3, 1), (4, 1), (5, None), (6, None)])
def test_hull_boxes_are_converted_from_midships(die: int, boxes: int | None) -> None:
    report = attempt(with_hull(24), HULL, die)
    if boxes is None:
        assert (report.repaired, report.rule) == (0, "40.3")
        assert report.vessel_after == replace(with_hull(24), solid_hull_boxes=6)
    else:
        assert report.repaired
        assert report.vessel_after == with_hull(24 - 4 * boxes)
        assert report.words == Message(
            "advanced.repair.done.hull",
            repaired=boxes,
            n=6,
            section=Message("advanced.section.hull"),
        )


def test_a_box_partly_marked_is_erased_as_a_box() -> None:
    assert attempt(with_hull(9), HULL, 4).vessel_after == with_hull(8)
    assert attempt(with_hull(9), HULL, 1).vessel_after == with_hull(4)


@pytest.mark.parametrize("quarters", [1, 4])
def test_the_first_box_is_never_repaired(quarters: int) -> None:
    assert refusal(with_hull(quarters), HULL) == "40.4"
    assert refusal(with_turret(quarters), TURRET_A) == "40.4"
    assert attempt(with_turret(8), TURRET_A, 1).vessel_after == with_turret(4)


def test_a_failure_is_final_but_later_damage_is_not() -> None:
    failed = attempt(with_hull(24), HULL, 6).vessel_after
    assert refusal(failed, HULL) == "40.3"
    hit_again = failed.hull_marked(8)
    (prospect,) = prospects(hit_again)
    assert (prospect.marked, prospect.repairable) == (8, 2)
    assert attempt(hit_again, HULL, 1).vessel_after == failed


@pytest.mark.parametrize(("die", "left"), [(1, 4), (2, 4), (3, 8)])
def test_a_damaged_main_turret(die: int, left: int) -> None:
    assert attempt(with_turret(11), TURRET_A, die).vessel_after == with_turret(left)


@pytest.mark.parametrize("die", [4, 5, 6])
def test_a_turret_that_cannot_be_repaired(die: int) -> None:
    failed = attempt(with_turret(11), TURRET_A, die).vessel_after
    assert failed == with_turret(11, solid_boxes=3)
    assert refusal(failed, TURRET_A) == "40.3"


def test_a_destroyed_main_turret_is_never_repaired() -> None:
    assert refusal(fresh().turret_destroyed(0), TURRET_A) == "68.21"
    (prospect,) = prospects(fresh().turret_marked(0, 12))
    assert (prospect.repairable, prospect.rule) == (0, "68.21")


@pytest.mark.parametrize(
    ("die", "left"),
    [(1, {"P1"}), (2, {"P1", "P3"}), (4, {"P1", "P3"}), (5, None), (6, None)],
)
def test_secondaries_by_68_3(die: int, left: set[str] | None) -> None:
    lost = frozenset({"P1", "P3", "S2"})
    report = attempt(replace(fresh(), secondaries_lost=lost), SECONDARY, die)
    if left is None:
        assert report.vessel_after.solid_secondaries == lost
        assert refusal(report.vessel_after, SECONDARY) == "40.3"
    else:
        assert report.vessel_after.secondaries_lost == left


def test_one_lost_secondary_is_the_first() -> None:
    assert refusal(replace(fresh(), secondaries_lost=frozenset({"S1"})), SECONDARY) == "40.4"


def test_secondaries_lost_after_a_failure_can_be_repaired() -> None:
    failed = attempt(replace(fresh(), secondaries_lost=frozenset({"P1", "S2"})), SECONDARY, 6)
    hit_again = replace(failed.vessel_after, secondaries_lost=frozenset({"P1", "P2", "S2"}))
    report = attempt(hit_again, SECONDARY, 1)
    assert report.repaired == 1
    assert report.vessel_after.secondaries_lost == {"P1", "S2"}


def test_the_rudder_by_68_3() -> None:
    damaged = replace(fresh(), helm=frozenset({RudderFault.NO_PORT, RudderFault.NO_TURNS}))
    odds: defaultdict[Message, Fraction] = defaultdict(Fraction)
    for outcome in every_outcome(lambda dice: attempt_repair(damaged, RUDDER, dice, TABLES)):
        odds[outcome.result.words] += outcome.probability
        if outcome.result.repaired:
            assert outcome.result.vessel_after == fresh()
        else:
            assert refusal(outcome.result.vessel_after, RUDDER) == "40.3"
    assert sorted(odds.values()) == [Fraction(1, 3), Fraction(2, 3)]


def test_a_rudder_fault_after_a_failed_repair_can_be_repaired() -> None:
    failed = attempt(
        replace(fresh(), helm=frozenset({RudderFault.NO_PORT})), RUDDER, 5
    ).vessel_after
    hit_again = replace(failed, helm=frozenset({RudderFault.NO_PORT, RudderFault.NO_STARBOARD}))
    report = attempt(hit_again, RUDDER, 4)
    assert report.words == Message(
        "advanced.repair.done.rudder",
        repaired=1,
        n=2,
        section=Message("advanced.section.rudder"),
    )
    assert report.vessel_after == failed


def test_what_is_not_damaged_is_not_repaired() -> None:
    assert prospects(fresh()) == ()
    for section in (HULL, TURRET_A, SECONDARY, RUDDER):
        assert refusal(fresh(), section) == "40.1"
    with pytest.raises(UnknownName):
        attempt(fresh(), Section(Part.TURRET, "Q"), 1)
    with pytest.raises(DreyerError, match=r"advanced\.repair\.turret_by_name"):
        Section(Part.TURRET)


def test_who_may_not_repair_at_all() -> None:
    assert refusal(replace(fresh("Destroyer"), hull_lost=2), HULL) == "70.6"
    assert refusal(replace(with_hull(24), sunk_outright=True), HULL) == "64.8"
    with pytest.raises(RepairForbidden) as refused:
        attempt_repair(with_hull(24), HULL, TypedDice("1"), TABLES, moved_two_zones=True)
    assert refused.value.rule == "40.6"


def test_damaged_destroyers_leave_the_game() -> None:
    assert after_battle(fresh("Destroyer")).stays
    verdict = after_battle(replace(fresh("Destroyer"), hull_lost=1))
    assert (verdict.stays, verdict.rule) == (False, "70.6")
    assert after_battle(with_hull(24)).stays
    assert not after_battle(with_hull(60)).stays


@given(st.integers(5, 59), st.lists(st.integers(1, 6), max_size=12))
def test_repairs_never_reach_the_first_box_nor_add_damage(lost: int, dice: list[int]) -> None:
    vessel = with_hull(lost)
    for die in dice:
        if prospects(vessel)[0].why_not is not None:
            break
        after = attempt(vessel, HULL, die).vessel_after
        assert 4 <= after.hull_lost <= vessel.hull_lost
        assert (after.hull_lost < vessel.hull_lost) is (die <= 4)
        vessel = after
