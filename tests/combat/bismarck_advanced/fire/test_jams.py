"""Jams by rule 71: who rolls, what jams, and for how long."""

from fractions import Fraction

import pytest

from combat.dice import TypedDice
from combat.forecast import every_outcome
from combat.rulebooks.bismarck_advanced.fire.jams import (
    JamReport,
    cleared_after_battle,
    roll_jams,
)
from combat.rulebooks.bismarck_advanced.fire.shot import turrets_bearing
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.arcs import Quadrant
from tabletop.errors import UnknownName
from tabletop.messages import Message

TABLES, SHIPS = load_tables(), load_warships()


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def rolled(vessel: Vessel, dice: str, firing: str = "ABXY") -> JamReport:
    names = {turret.name for turret in vessel.warship.turrets}
    report = roll_jams(vessel, names & set(firing), TypedDice(dice), TABLES)
    assert report is not None
    return report


def guns(report: JamReport) -> dict[str, int]:
    mounts = turrets_bearing(report.vessel_after, Battery.MAIN, Quadrant.STARBOARD, report.jammed)
    return {mount.name: mount.guns for mount in mounts}


def test_three_ships_roll_and_only_with_main_guns_firing() -> None:
    rolling = {ship.name for ship in SHIPS if ship.jam_table is not None}
    assert rolling == {"Prince of Wales", "King George V", "Tirpitz"}
    assert roll_jams(fresh("Tirpitz"), [], TypedDice(""), TABLES) is None
    assert roll_jams(fresh("Bismarck"), ["A"], TypedDice(""), TABLES) is None


@pytest.mark.parametrize(
    ("ship", "dice", "turret", "count", "permanent"),
    [
        ("Tirpitz", "11", "A", 1, True),
        ("Tirpitz", "14", "Y", 1, True),
        ("Tirpitz", "16", "A", 1, False),
        ("Tirpitz", "42", "Y", 2, False),
        ("Prince of Wales", "13", "X", 1, True),
        ("Prince of Wales", "25", "A", 2, False),
        ("King George V", "26", "B", 2, False),
        ("King George V", "31", "B", 2, False),
        ("King George V", "33", "X", 2, False),
    ],
)
def test_rows_of_71_3(ship: str, dice: str, turret: str, count: int, permanent: bool) -> None:
    report = rolled(fresh(ship), dice)
    assert (report.turret, report.guns, report.permanent) == (turret, count, permanent)
    before = {mount.name: mount.guns for mount in fresh(ship).warship.turrets}
    after = before | {turret: before[turret] - count}
    assert guns(report) == {name: left for name, left in after.items() if left}


@pytest.mark.parametrize(("ship", "dice"), [("Tirpitz", "43"), ("King George V", "34")])
def test_no_effect(ship: str, dice: str) -> None:
    report = rolled(fresh(ship), dice)
    assert report.words == Message("advanced.jam.none")
    assert (report.rule, report.jammed) == ("71.3", {})
    assert report.vessel_after == fresh(ship)


@pytest.mark.parametrize("dice", ["11", "15"])
def test_a_turret_that_does_not_fire_does_not_jam(dice: str) -> None:
    report = rolled(fresh("Tirpitz"), dice, firing="BXY")
    assert (report.guns, report.rule, report.jammed) == (0, "71.2", {})
    assert report.vessel_after == fresh("Tirpitz")
    assert report.words == Message("advanced.jam.not_firing", turret="A")


def test_jams_last_for_one_fire_or_for_the_battle() -> None:
    for_now = rolled(fresh("Tirpitz"), "21")
    assert (for_now.rule, for_now.jammed) == ("71.5", {"A": 2})
    assert for_now.vessel_after == fresh("Tirpitz")
    for_good = rolled(fresh("Tirpitz"), "11")
    assert (for_good.rule, for_good.jammed) == ("71.4", {})
    assert for_good.vessel_after.turrets[0].jammed_guns == 1
    assert cleared_after_battle(for_good.vessel_after) == fresh("Tirpitz")


def test_jams_never_take_more_guns_than_there_are() -> None:
    vessel = fresh("Tirpitz")
    for _ in range(3):
        vessel = rolled(vessel, "11").vessel_after
    assert vessel.turrets[0].jammed_guns == 2
    report = rolled(vessel, "21")
    assert report.guns == 0
    assert report.words == Message("advanced.jam.this_fire", n=0, turret="A")
    assert "A" not in guns(report)


def test_an_unknown_turret_is_an_error() -> None:
    with pytest.raises(UnknownName):
        roll_jams(fresh("Tirpitz"), ["Q"], TypedDice("11"), TABLES)


@pytest.mark.parametrize(("ship", "rolls"), [("Tirpitz", 20), ("Prince of Wales", 15)])
def test_the_chance_of_any_jam(ship: str, rolls: int) -> None:
    firing = [turret.name for turret in fresh(ship).warship.turrets]
    outcomes = every_outcome(lambda dice: roll_jams(fresh(ship), firing, dice, TABLES))
    jams = sum(o.probability for o in outcomes if o.result and o.result.guns)
    assert jams == Fraction(rolls, 36)
