"""Repairs in port and refuelling, by 40.5, 19.3 and 20.6, case by case."""

from dataclasses import replace

import pytest

from combat.rulebooks.bismarck_advanced.after_battle.port import (
    PortReport,
    check_in_port,
    port_prospects,
    refuel,
    repair_in_port,
)
from combat.rulebooks.bismarck_advanced.after_battle.repair import Part, RepairForbidden, Section
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.errors import BadField

TABLES, SHIPS = load_tables(), load_warships()
HULL, SECONDARY, RUDDER = Section(Part.HULL), Section(Part.SECONDARY), Section(Part.RUDDER)
TURRET_A, TURRET_B = Section(Part.TURRET, "A"), Section(Part.TURRET, "B")


def fresh(name: str = "Bismarck") -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def mended(vessel: Vessel, section: Section, turns: int = 1, before: int = 0) -> PortReport:
    return repair_in_port(vessel, section, turns, TABLES, turns_before=before)


@pytest.mark.parametrize(("turns", "boxes"), [(1, 1), (2, 3), (3, 4), (4, 6), (9, 6)])
def test_a_midships_box_a_turn_is_one_and_a_half_hull_boxes(turns: int, boxes: int) -> None:
    report = mended(replace(fresh(), hull_lost=24), HULL, turns)
    assert (report.repaired, report.vessel_after.hull_lost) == (boxes, 24 - 4 * boxes)
    assert report.rule == "40.5"


def test_turns_one_by_one_mend_as_much_as_together() -> None:
    vessel = replace(fresh(), hull_lost=40)
    for before in range(4):
        vessel = mended(vessel, HULL, before=before).vessel_after
    assert vessel == mended(replace(fresh(), hull_lost=40), HULL, 4).vessel_after


def test_the_first_box_and_solid_boxes_are_repaired_in_port() -> None:
    solid = replace(fresh(), hull_lost=5, solid_hull_boxes=2)
    report = mended(solid, HULL)
    assert (report.vessel_after.hull_lost, report.vessel_after.solid_hull_boxes) == (4, 1)
    again = mended(report.vessel_after, HULL, before=1)
    assert (again.repaired, again.vessel_after) == (1, fresh())


def test_two_gun_boxes_a_turn_the_named_section_first() -> None:
    vessel = replace(
        fresh().with_turret(0, TurretState(4)).with_turret(1, TurretState(8, solid_boxes=2)),
        secondaries_lost=frozenset({"P1", "P2"}),
        solid_secondaries=frozenset({"P1"}),
    )
    one = mended(vessel, TURRET_B).vessel_after
    assert [turret.lost_quarters for turret in one.turrets] == [4, 0, 0, 0]
    assert one.turrets[1].solid_boxes == 0
    # What turret A leaves goes to the next of her guns.
    two = mended(one, TURRET_A)
    assert (two.repaired, two.vessel_after.turrets[0]) == (2, TurretState())
    assert len(two.vessel_after.secondaries_lost) == 1
    assert mended(vessel, SECONDARY, 9).repaired == 5


def test_one_main_turret_a_turn_is_repaired_in_port() -> None:
    vessel = fresh().with_turret(0, TurretState(4)).with_turret(1, TurretState(12))
    one = mended(vessel, TURRET_A)
    assert one.repaired == 1, "68.22: the other box of the turn is not turret B's"
    assert [turret.lost_quarters for turret in one.vessel_after.turrets] == [0, 12, 0, 0]
    assert mended(vessel, TURRET_A, 2).repaired == 3
    assert mended(vessel, TURRET_A, 3).repaired == 4
    assert mended(vessel, TURRET_B, 2).repaired == 3
    assert mended(vessel, TURRET_B, 99).vessel_after == fresh()


def test_a_destroyed_main_turret_stays_so_in_port() -> None:
    vessel = fresh().turret_destroyed(0).turret_marked(1, 4)
    with pytest.raises(RepairForbidden) as refused:
        mended(vessel, TURRET_A)
    assert refused.value.rule == "68.21"
    after = mended(vessel, TURRET_B, 3)
    assert (after.repaired, after.vessel_after.turrets[0].destroyed) == (1, True)
    assert [(each.section, each.repairable) for each in port_prospects(vessel)] == [
        (TURRET_A, 0),
        (TURRET_B, 1),
    ]


def test_refused_in_port() -> None:
    with pytest.raises(RepairForbidden) as undamaged:
        mended(fresh(), HULL)
    assert undamaged.value.rule == "40.5"
    destroyer = replace(fresh("Destroyer"), hull_lost=1)
    with pytest.raises(RepairForbidden) as final:
        mended(destroyer, HULL)
    assert final.value.rule == "70.6"
    rudder = replace(fresh(), helm=frozenset({RudderFault.NO_PORT}))
    check_in_port(replace(rudder, solid_helm=rudder.helm), RUDDER)
    with pytest.raises(BadField):
        mended(rudder, RUDDER)


class TestRefuelling:
    def test_torpedoes_and_eight_intermediate_factors_a_turn(self) -> None:
        spent = replace(fresh("Prinz Eugen"), torpedoes_fired=True, main_ammunition=0)
        full = fresh("Prinz Eugen")
        report = refuel(spent, 1, TABLES, in_port=False)
        assert (report.torpedoes, report.ammunition) == (True, 8 * 24)
        assert report.vessel_after.main_ammunition == 8 * 24
        assert not report.vessel_after.torpedoes_fired
        assert refuel(spent, 99, TABLES, in_port=True).vessel_after == full

    def test_main_guns_first_then_secondaries(self) -> None:
        full = fresh()
        spent = replace(
            full,
            main_ammunition=full.main_ammunition - 100,
            secondary_ammunition=full.secondary_ammunition - 100,
        )
        after = refuel(spent, 1, TABLES, in_port=True).vessel_after
        assert after.main_ammunition == full.main_ammunition
        assert after.secondary_ammunition == full.secondary_ammunition - 8

    def test_by_turret(self) -> None:
        full = replace(fresh(), ammunition_by_turret=True)
        spent = full.spending(*_fired(60, {"A": 40, "B": 20}))
        after = refuel(spent, 1, TABLES, in_port=True).vessel_after
        assert (after.main_ammunition, after.turret_spent) == (
            full.main_ammunition, {"A": 0, "B": 0},
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("ship", "in_port", "rule"),
        [("Hood", False, "17.2"), ("Hood", True, None), ("Bismarck", False, None)],
    )
    def test_only_german_ships_refuel_at_sea(
        self, ship: str, in_port: bool, rule: str | None
    ) -> None:
        spent = replace(fresh(ship), main_ammunition=0)
        if rule is None:
            assert refuel(spent, 1, TABLES, in_port=in_port).ammunition
            return
        with pytest.raises(RepairForbidden) as refused:
            refuel(spent, 1, TABLES, in_port=in_port)
        assert refused.value.rule == rule

    def test_who_lacks_nothing_takes_nothing_on(self) -> None:
        with pytest.raises(RepairForbidden) as refused:
            refuel(fresh(), 1, TABLES, in_port=True)
        assert refused.value.rule == "19.3, 20.6"


def _fired(spent: int, by_turret: dict[str, int]) -> tuple[Battery, int, dict[str, int]]:
    return Battery.MAIN, spent, by_turret
