"""Rules 64.2 to 64.4: what a shell does to turrets and secondaries, and to missing ones."""

from dataclasses import replace

import pytest

from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables, Location
from combat.rulebooks.bismarck_advanced.editions import FIRST
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode
from combat.rulebooks.bismarck_advanced.guns import GunType
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tests.combat.bismarck_advanced.hits import (
    BLANK,
    BOW,
    HELD,
    MEDIUM_HIGH,
    NOTHING_MORE,
    PORT,
    QUARTERS,
    STARBOARD,
    STERN,
    A,
    D,
    E,
    F,
    Z,
    boxes_of,
    hit,
    owners,
    several,
    turret_place,
)
from tests.combat.bismarck_advanced.sheets import fresh

DESTROYED = Message("advanced.effect.turret_destroyed_by", turret="A", rule="64.32")

# --- 64.2 to 64.4: turrets -----------------------------------------------------------------


def test_a_penetrated_turret_is_destroyed() -> None:
    """64.32: F at short range against Bismarck's 14 inches."""
    after, report = hit("Bismarck", "22 1", F)
    assert after.turrets[0] == TurretState(12, destroyed=True)
    assert (report.place, report.effect) == (turret_place("A"), DESTROYED)


def test_a_turret_that_holds_is_marked_until_nothing_is_left() -> None:
    """64.31, 64.32: three boxes of a whole-box shell; the last calls for no special die."""
    ship = fresh("Hood")
    for expected in (4, 8):
        ship, report = hit(ship, "22 1 1", E)
        assert ship.turrets[0] == TurretState(expected)
        assert report.effects[0] == Message(
            "advanced.effect.turret_holds", turret="A", n=1, boxes="1"
        )
        assert report.effects[1:] == (NOTHING_MORE,)
    ship, report = hit(ship, "22 1", E)
    assert ship.turrets[0] == TurretState(12, destroyed=True)
    assert report.effects[-1] == DESTROYED


@pytest.mark.parametrize(("gun", "quarters"), QUARTERS.items())
def test_the_size_of_a_shell(gun: str, quarters: int) -> None:
    """64.2, 64.33: hull (behind nothing), superstructure and an unpenetrated turret."""
    unarmoured = owners(short="-")
    assert hit("Hood", "12", GunType(gun), card=unarmoured)[0].hull_lost == quarters
    assert hit("Hood", "14", GunType(gun))[0].superstructure_lost == quarters
    held = hit("North Carolina", "22 1 1", GunType(gun), MEDIUM_HIGH)[0]
    assert held.turrets[0].lost_quarters == quarters


def test_two_hits_of_type_d_mark_one_and_a_half_boxes() -> None:
    ship, first = hit("Prinz Eugen", "12", D)
    ship, second = hit(ship, "12", D)
    assert first.effect == second.effect == boxes_of("hull", "¾")
    assert ship.hull_lost == 6


def test_four_d_hits_destroy_a_turret_of_three_boxes() -> None:
    ship = fresh("Bismarck")
    for marked in (3, 6, 9):
        ship = hit(ship, "22 2 1", D, MEDIUM_HIGH)[0]
        assert ship.turrets[0] == TurretState(marked)
    assert hit(ship, "22 2", D, MEDIUM_HIGH)[0].turrets[0].destroyed


@pytest.mark.parametrize(
    ("die", "state"),
    [
        (1, TurretState(4)),
        (2, TurretState(4)),
        (3, TurretState(4)),
        (4, TurretState(4, out_for_phases=1)),
        (5, TurretState(4, out_for_phases=2)),
        (6, TurretState(4, out_for_battle=True)),
    ],
)
def test_main_gun_damage_if_not_penetrated(die: int, state: TurretState) -> None:
    assert hit("Hood", f"15 4 {die}", E)[0].turrets[3] == state


@pytest.mark.parametrize(
    ("ship", "dice", "turret"),
    [
        ("Bismarck", "22 3", "A"),
        ("Bismarck", "22 4", "B"),
        ("Bismarck", "15 3", "X"),
        ("Bismarck", "15 4", "Y"),
        ("Prince of Wales", "15", "X"),
        ("Hermione", "22 2", "A"),
        ("Hermione", "22 3", "B"),
        ("Hermione", "22 5", "Q"),
    ],
)
def test_equal_shares_of_a_die(ship: str, dice: str, turret: str) -> None:
    """64.4, 64.42; one turret alone takes no die."""
    assert hit(ship, dice, F, BLANK)[1].place == turret_place(turret)


@pytest.mark.parametrize(("dice", "secondary"), [("24 6 6 5", "P5"), ("24 6 1", "P1")])
def test_a_die_outside_the_shares_falls_again(dice: str, secondary: str) -> None:
    """North Carolina has five secondaries a side."""
    assert hit("North Carolina", dice, F)[0].secondaries_lost == {secondary}


def test_destroyed_turrets_are_still_chosen() -> None:
    """64.4, 64.43: and nothing more happens to them, penetrated or not."""
    ship = fresh("Hood").turret_destroyed(0)
    for gun in (E, Z):
        after, report = hit(ship, "22 1", gun)
        assert after == ship
        assert report.effect == Message("advanced.effect.no_effect.turret-gone", turret="A")
    lost = replace(ship, secondaries_lost=frozenset({"P1"}))
    after, report = hit(lost, "24 1", E)
    assert after == lost
    assert report.effect == Message("advanced.effect.no_effect.secondary-gone", turret="P1")


@pytest.mark.parametrize("gun", [F, Z])
@pytest.mark.parametrize("destroyed", [False, True])
def test_one_hull_hit_also(gun: GunType, destroyed: bool) -> None:
    """`**`: a hull hit of the shell's size, where a turret that stood was penetrated.

    In edition 1 it always came on top.
    """
    ship = fresh("Bismarck").turret_destroyed(0) if destroyed else fresh("Bismarck")
    size, besides = QUARTERS[gun], boxes_of("hull_besides", "1" if gun is F else "¼")
    first, report = hit(ship, "13 1", gun, card=CombatTables.of(load_tables(FIRST), FIRST))
    assert first.hull_lost == size
    assert report.effects[-1] == besides
    after, report = hit(ship, "13 1", gun)
    counts = gun is F and not destroyed
    assert after.hull_lost == size * counts
    assert (besides in report.effects) is counts
    expected = TurretState(12, destroyed=True) if destroyed or gun is F else TurretState(size)
    assert after.turrets[0] == expected


@pytest.mark.parametrize("dice", ["13", "25"])
def test_a_carrier_without_turrets_takes_the_hull_hit_alone(dice: str) -> None:
    after, report = hit("Ark Royal", dice, F)
    assert report.effect == several(
        Message("advanced.effect.no_effect.no-such-turret", turret=""),
        boxes_of("hull_besides", "1"),
    )
    assert after == replace(fresh("Ark Royal"), hull_lost=4)
    assert hit("Ark Royal", "22")[0] == hit("Ark Royal", "15")[0] == fresh("Ark Royal")


def test_the_owners_asterisks_count_at_any_location() -> None:
    """As those of the book: where the armour was penetrated."""
    after, report = hit("Bismarck", "12", E, card=owners(mark="**"))
    assert (report.penetrated, after.hull_lost) == (False, 0)
    after, report = hit("Bismarck", "12", F, BLANK, card=owners(mark="**"))
    assert (report.penetrated, after.hull_lost) == (True, 8)


# --- 64.35, 64.41, 9.716, 9.81: secondaries and missing turrets ----------------------------


@pytest.mark.parametrize("gun", [F, A])
def test_a_penetrated_secondary_is_destroyed_whatever_the_shell(gun: GunType) -> None:
    after, report = hit("Bismarck", "24 3", gun)
    assert after == replace(fresh("Bismarck"), secondaries_lost=frozenset({"P2"}))
    assert report.effect == Message("advanced.effect.secondary_out", turret="P2")


def test_a_secondary_that_holds_is_unhurt() -> None:
    after, report = hit("Bismarck", "24 3", Z)
    assert after == fresh("Bismarck")
    assert report.effect == HELD


@pytest.mark.parametrize(
    ("aspect", "dice", "turret"),
    [
        (PORT, "24 1", "P1"),
        (PORT, "24 6", "P3"),
        (STARBOARD, "24 1", "S1"),
        (STARBOARD, "24 6", "S3"),
        (BOW, "25 3 1", "P1"),
        (BOW, "25 4 1", "S1"),
        (STERN, "25 1 6", "P3"),
        (STERN, "25 6 6", "S3"),
    ],
)
def test_the_side_of_a_secondary_hit(aspect: Quadrant, dice: str, turret: str) -> None:
    """64.41, and 9.716 end-on: a die for the side, then one for the turret."""
    assert hit("Bismarck", dice, F, aspect=aspect)[0].secondaries_lost == {turret}


@pytest.mark.parametrize(
    ("aspect", "dice", "turret"),
    [(PORT, "24 3", "P1"), (PORT, "24 4", "C1"), (STARBOARD, "24 4", "C1"),
     (STERN, "25 6 6", "C1")],
)  # fmt: skip
def test_hoods_centreline_turret_is_hit_from_either_side(
    aspect: Quadrant, dice: str, turret: str
) -> None:
    assert hit("Hood", dice, F, aspect=aspect)[0].secondaries_lost == {turret}


def test_a_turret_of_no_guns_is_there_to_be_hit() -> None:
    """60.3."""
    assert hit("Tourville", "24", F)[0].secondaries_lost == {"P1"}


@pytest.mark.parametrize("ship", ["Rodney", "Nelson"])
@pytest.mark.parametrize(
    ("dice", "turret"),
    [("15 1 1", 0), ("15 2 4", 1), ("15 3", 2), ("15 4", 2), ("15 5", 2), ("15 6", 2)],
)
def test_rodney_takes_stern_hits_from_broadside_forward(ship: str, dice: str, turret: int) -> None:
    """9.81: 1 or 2 to either bow turret, otherwise the third."""
    after, report = hit(ship, dice, F, BLANK)
    assert [state.destroyed for state in after.turrets] == [n == turret for n in range(3)]
    assert report.location is Location.STERN_TURRET


def test_rodney_from_astern_takes_stern_hits_as_secondary_hits() -> None:
    after, report = hit("Rodney", "23 1 4", F, aspect=STERN)
    assert after == replace(fresh("Rodney"), secondaries_lost=frozenset({"P2"}))
    assert (report.location, report.armour) == (Location.SECONDARY, ArmourCode.SECONDARY)
    assert report.armour_inches == 2
    assert report.place == Message("advanced.place.secondary_turret", turret="P2")


@pytest.mark.parametrize(("dice", "turret"), [("23 2 1", 0), ("23 3", 2)])
def test_rodney_from_ahead_takes_stern_hits_as_from_broadside(dice: str, turret: int) -> None:
    """9.81 names broadside and stern only; only the stern turns the hit into another."""
    assert hit("Rodney", dice, F, BLANK, BOW)[0].turrets[turret].destroyed


def test_rodneys_third_turret_is_no_bow_turret() -> None:
    assert [turret.name for turret in fresh("Rodney").warship.bow_turrets] == ["A", "B"]
    assert hit("Rodney", "22 6", F, BLANK)[1].place == turret_place("B")


@pytest.mark.parametrize("ship", ["Dunkerque", "Strasbourg"])
def test_dunkerque_takes_stern_hits_on_either_turret(ship: str) -> None:
    """No third turret, so no die to ask for it."""
    assert hit(ship, "15 3", F)[0].turrets[0].destroyed
    assert hit(ship, "15 4", F)[0].turrets[1].destroyed
    astern = hit(ship, "23 4 3", F, aspect=STERN)[0]
    assert astern.secondaries_lost == {"S2"}
