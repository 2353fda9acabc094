"""Rules 64.5 to 64.8 and 70.2: hull, superstructure, special targets; what a hit rests on."""

from dataclasses import replace

import pytest

from combat.dice import BadDice, Pair
from combat.owner_values import Overlay
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import FIRST
from combat.rulebooks.bismarck_advanced.fire.damage import THE_HIT, HitReport
from combat.rulebooks.bismarck_advanced.fire.events import RadarOut
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.vessel import LostTurrets, Vessel
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tests.combat.bismarck_advanced.hits import (
    BLANK,
    BOW,
    HELD,
    MEDIUM_LOW,
    NOTHING_MORE,
    PORT,
    QUARTERS,
    SHORT,
    SPARED,
    STARBOARD,
    STERN,
    D,
    E,
    F,
    Z,
    boxes_of,
    hit,
    owners,
    several,
)
from tests.combat.bismarck_advanced.sheets import CARD, TABLES, fresh
from tests.combat.bismarck_advanced.shots import line, resolved, shot

# --- 64.5 to 64.8: superstructure, hull, special targets -----------------------------------


def test_superstructure_overflows_into_the_hull() -> None:
    ship = replace(fresh("Hood"), superstructure_lost=10)
    ship, report = hit(ship, "14", D)
    assert (ship.superstructure_lost, ship.hull_lost) == (12, 1)
    assert report.effect == several(boxes_of("superstructure", "½"), boxes_of("hull_overflow", "¼"))
    ship, report = hit(ship, "14", D)
    assert (ship.superstructure_lost, ship.hull_lost) == (12, 4)
    assert report.effect == boxes_of("hull_overflow", "¾")


def test_radar_goes_with_the_superstructure_only_if_players_wish() -> None:
    assert not hit("Hood", "14", Z)[0].radar_lost
    after, report = hit("Hood", "14", Z, radar=True)
    assert after.radar_lost
    assert not after.has_radar
    assert report.effects[-1] == Message("advanced.effect.radar_out")
    assert not lost_radar(hit(after, "14", Z, radar=True)[1])
    assert not hit("Hood", "12", F, radar=True)[0].radar_lost
    assert not lost_radar(hit("Dunkerque", "14", Z, radar=True)[1])


def lost_radar(report: HitReport) -> bool:
    return any(isinstance(result, RadarOut) for result in report.results)


def test_the_owner_may_armour_a_superstructure() -> None:
    """64.31: only a turret is damaged by what does not penetrate."""
    card = owners(location="superstructure")
    after, report = hit("Bismarck", "12", E, card=card, radar=True)
    assert after == fresh("Bismarck")
    assert report.effect == HELD
    assert hit("Bismarck", "12", F, card=card)[0].superstructure_lost == 4


@pytest.mark.parametrize("die", range(1, 7))
def test_director_and_plot_need_the_special_table(die: int) -> None:
    """64.71: A for the director from 3 up, B for the plot from 4 up."""
    director, report = hit("Bismarck", f"41 {die}", F)
    assert director == replace(fresh("Bismarck"), director_destroyed=die >= 3)
    assert report.penetrated
    assert (report.effect == SPARED) is (die < 3)
    plot, report = hit("Bismarck", f"53 {die}", F)
    assert plot == replace(fresh("Bismarck"), plot_destroyed=die >= 4)
    assert (report.effect == SPARED) is (die < 4)


def test_once_destroyed_they_are_ignored() -> None:
    """64.73: not even a die."""
    ship = replace(fresh("Bismarck"), director_destroyed=True, plot_destroyed=True)
    for dice in ("41", "53"):
        after, report = hit(ship, dice, F)
        assert after == ship
        assert report.effect.code == "advanced.effect.no_effect.control-gone"


def test_the_one_destroyed_does_not_shield_the_other() -> None:
    blind = replace(fresh("Bismarck"), director_destroyed=True)
    assert hit(blind, "53 4", F)[0] == replace(blind, plot_destroyed=True)
    deaf = replace(fresh("Bismarck"), plot_destroyed=True)
    assert hit(deaf, "41 3", F)[0] == replace(deaf, director_destroyed=True)


@pytest.mark.parametrize("dice", ["21", "41", "53", "65", "11", "66", "33", "12", "24 1"])
def test_nothing_happens_without_penetration(dice: str) -> None:
    after, report = hit("Bismarck", dice, Z, MEDIUM_LOW)
    assert after == fresh("Bismarck")
    assert report.effect == HELD


@pytest.mark.parametrize(
    ("dice", "lost"),
    [("33 1", 1), ("33 2", 1), ("33 3", 2), ("33 4", 3), ("61 5", 5), ("61 6", 8)],
)
def test_speed_loss(dice: str, lost: int) -> None:
    after, report = hit("Bismarck", dice, F)
    assert (after.movement_factors_lost, after.movement_factor) == (lost, 10 - lost)
    assert report.effect == Message("advanced.effect.speed_lost", n=lost)


def test_speed_never_falls_below_nothing() -> None:
    ship = hit("Rodney", "33 6", F)[0]
    assert ship.movement_factor == 0
    assert ship.movement_factors_lost == ship.warship.movement_factor
    assert hit(ship, "33 6", F)[0].movement_factors_lost == ship.warship.movement_factor


@pytest.mark.parametrize(
    ("die", "held", "steady", "modifier"),
    [(1, False, 0, 0), (2, False, 0, 0), (3, True, 0, 0), (4, False, 1, 0), (5, False, 0, 2),
     (6, False, 1, 2)],
)  # fmt: skip
def test_conning_tower_damage(die: int, held: bool, steady: int, modifier: int) -> None:
    """64.72."""
    after, report = hit("Bismarck", f"21 {die}", F)
    assert (after.held_speed_rounds > 0) is held
    assert (after.steady_for_phases, after.command_modifier) == (steady, modifier)
    assert (report.effect == NOTHING_MORE) is (die <= 2)
    assert replace(after, held_speed_rounds=0, steady_for_phases=0, command_modifier=0) == fresh(
        "Bismarck"
    )


def test_conning_tower_and_rudder_damage_accumulates() -> None:
    """64.73."""
    ship = fresh("Bismarck")
    for _ in range(3):
        ship = hit(ship, "21 5", F)[0]
    assert ship.command_modifier == 6
    for die in "3346":
        ship = hit(ship, f"65 {die}", F)[0]
    assert faults(ship) == {"no_port", "no_starboard", "hard_to_port"}
    assert ship.movement_factors_lost == 6


def faults(ship: Vessel) -> set[str]:
    """The rudder's faults as plain words."""
    return {str(fault.value) for fault in ship.helm}


@pytest.mark.parametrize(
    ("die", "found", "steady", "slower"),
    [(1, set(), 0, 0), (2, set(), 1, 0), (3, {"no_port"}, 0, 0), (4, {"no_starboard"}, 0, 0),
     (5, {"no_turns"}, 0, 0), (6, {"hard_to_port"}, 0, 6)],
)  # fmt: skip
def test_rudder_damage(die: int, found: set[str], steady: int, slower: int) -> None:
    after, _ = hit("Bismarck", f"65 {die}", F)
    assert (faults(after), after.steady_for_phases) == (found, steady)
    assert after.movement_factors_lost == slower


@pytest.mark.parametrize(
    ("aspect", "fault"),
    [(PORT, "hard_to_port"), (STARBOARD, "hard_to_starboard"), (BOW, "hard_to_starboard"),
     (STERN, "hard_to_starboard")],
)  # fmt: skip
def test_the_rudder_jams_towards_the_side_hit(aspect: Quadrant, fault: str) -> None:
    assert faults(hit("Bismarck", "65 6", F, aspect=aspect)[0]) == {fault}


@pytest.mark.parametrize(
    ("dice", "hull", "speed", "director", "plot", "turret"),
    [
        ("11 1", 1, 0, False, False, None),
        ("11 2", 1, 1, False, False, None),
        ("11 3", 1, 0, True, False, None),
        ("11 4", 1, 0, False, True, None),
        ("11 5 6", 2, 8, False, False, None),
        ("11 6 4", 3, 0, False, False, 3),
        ("11 6 5 6 1", 3, 0, False, False, 0),
        ("66 1", 0, 0, False, False, None),
        ("66 2", 0, 0, False, False, None),
        ("66 3", 1, 0, False, False, None),
        ("66 4", 0, 0, True, False, None),
        ("66 5", 0, 0, False, True, None),
        ("66 6", 2, 0, False, False, None),
    ],
)
@pytest.mark.parametrize("gun", [F, D])
def test_special_damage(
    dice: str, hull: int, speed: int, director: bool, plot: bool, turret: int | None, gun: GunType
) -> None:
    """63.7: hull hits of the shell's size; a turret among all, with the next dice."""
    after, _ = hit("Prinz Eugen", dice, gun)
    expected = replace(
        fresh("Prinz Eugen"),
        hull_lost=hull * QUARTERS[gun],
        movement_factors_lost=speed,
        director_destroyed=director,
        plot_destroyed=plot,
    )
    assert after == (expected if turret is None else expected.turret_destroyed(turret))


def test_sunk_with_the_last_quarter_and_not_before() -> None:
    """64.8."""
    ship = replace(fresh("Hood"), hull_lost=35)
    ship, report = hit(ship, "12", E)
    assert (ship.hull_lost, ship.is_sunk) == (39, False)
    ship, report = hit(ship, "12", E)
    assert (ship.hull_lost, ship.is_sunk) == (40, True)
    assert report.effect == several(boxes_of("hull", "1"), sunk("64.8"))
    again, report = hit(ship, "12", E)
    assert (again.hull_lost, report.effect) == (40, boxes_of("hull", "1"))


def test_sunk_by_the_hull_hit_besides() -> None:
    ship = replace(fresh("Hood"), hull_lost=39)
    assert hit(ship, "13 1", F, BLANK)[1].effects[-1] == sunk("64.8")


FIRST_CARD = CombatTables.of(load_tables(FIRST), FIRST)


def test_the_hull_is_hit_besides_only_where_the_turret_was_penetrated() -> None:
    """64.31 with card note 2; edition 1 counted it always."""
    through, report = hit("Hood", "13 1", F, BLANK)
    assert (through.hull_lost, report.penetrated) == (4, True)
    held, report = hit("Hood", "13 1", Z, BLANK)
    assert (held.hull_lost, report.penetrated) == (0, False)
    assert held.turrets[0].lost_quarters == 1
    assert hit("Hood", "13 1", Z, BLANK, card=FIRST_CARD)[0].hull_lost == 1


def test_no_hull_hit_besides_on_a_turret_that_was_destroyed_before() -> None:
    """64.43; but all hits of a segment are simultaneous (62.2)."""
    wreck = fresh("Hood").turret_destroyed(0)
    assert hit(wreck, "13 1", F, BLANK)[0].hull_lost == 0
    assert hit(wreck, "13 4", F, BLANK)[0].hull_lost == 4
    same_segment = hit(wreck, "13 1", F, BLANK, lost_before=LostTurrets())
    assert same_segment[0].hull_lost == 4
    assert hit(wreck, "13 1", F, BLANK, card=FIRST_CARD)[0].hull_lost == 4


def test_hits_of_one_fire_are_simultaneous() -> None:
    """62.2: the second hit strikes a turret that the first has destroyed, and still counts."""
    fire = shot("Bismarck", "Hood", line(BLANK), speeds=(7, 7), guns=1)
    roll = next(str(Pair.of_index(i)) for i in range(1, 37) if _hits(fire, i) == 2)
    report = resolved(fire, f"{roll} 13 1 13 1")
    assert report.target_after.hull_lost == 8
    assert report.target_after.lost_turrets.main == {0}


def _hits(fire: Shot, roll: int) -> int:
    row = roll + modifications(fire, CARD).total
    return int(CARD.hits_cell(min(gunnery_factor(fire), 28), row).value)


def sunk(rule: str) -> Message:
    return Message("advanced.effect.sunk", rule=rule)


@pytest.mark.parametrize(("gun", "quarters"), QUARTERS.items())
def test_a_destroyer_has_one_box_and_no_table(gun: str, quarters: int) -> None:
    """70.2: no dice at all; any whole-box shell sinks her."""
    after, report = hit("Destroyer", "", GunType(gun))
    assert after == replace(fresh("Destroyer"), hull_lost=quarters)
    assert (report.location, report.place.code) == (None, "advanced.place.hull")
    assert report.reference == "70.2"
    assert after.is_sunk is (quarters == 4)
    assert (sunk("70.2") in report.effects) is (quarters == 4)


def test_quarters_sink_a_destroyer_in_the_end() -> None:
    ship = fresh("Destroyer")
    for expected in (False, False, False, True):
        ship = hit(ship, "", Z)[0]
        assert ship.is_sunk is expected


# --- dice and what a hit rests on ----------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "number", "purpose", "kind"),
    [
        ("", 1, "location", "pair"),
        ("22", 2, "turret", "die"),
        ("22 1", 3, "main_gun", "die"),
        ("41", 2, "special", "die"),
        ("33", 2, "speed_loss", "die"),
        ("65", 2, "place", "die"),
        ("11 6", 3, "any_turret", "die"),
    ],
)
def test_missing_dice_say_what_they_are_for(
    dice: str, number: int, purpose: str, kind: str
) -> None:
    with pytest.raises(BadDice) as complaint:
        hit("Hood", dice, E)
    message = complaint.value.message
    place = {"place": Message("advanced.place.rudder")} if purpose == "place" else {}
    assert message["number"] == number
    assert message["purpose"] == Message(f"advanced.roll.{purpose}", hit=THE_HIT, **place)
    assert message["expected"] == Message(f"dice.expected.{kind}")


def test_a_hit_rests_on_every_cell_it_reads() -> None:
    """With the owner's location, armour and mark the row is theirs; a special table is not."""
    owned = {
        ("damage_broadside", row, column): TABLES["damage_broadside"].text(row, column)
        for row in ("12", "65")
        for column in ("location", "short", "mark")
    }

    def rests_on(dice: str, band: RangeBand = SHORT) -> Provenance:
        card = CombatTables.of(TABLES.with_overlay(Overlay("bismarck-advanced", owned)))
        return hit("Bismarck", dice, F, band, card=card)[1].provenance

    assert rests_on("12") is Provenance.OWNER
    assert rests_on("12", MEDIUM_LOW) is Provenance.RECONSTRUCTED
    assert rests_on("65 1") is Provenance.RECONSTRUCTED
    owned["rudder", "1", "result"] = "none"
    assert rests_on("65 1") is Provenance.OWNER
    assert rests_on("65 2") is Provenance.RECONSTRUCTED


def test_a_destroyers_hit_rests_on_the_size_of_the_shell() -> None:
    assert hit("Destroyer", "", F)[1].provenance is Provenance.PRINTED
    assert hit("Destroyer", "", D)[1].provenance is Provenance.DERIVED
