"""Rules 63, 64 and 70.2 shell by shell: every die is typed, and none may be left over."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from combat.dice import BadDice, Choice, Pair, TypedDice
from combat.overlay import Overlay
from combat.provenance import Provenance
from combat.rulesets import bismarck_advanced
from combat.rulesets.bismarck_advanced.bands import GunType, RangeBand
from combat.rulesets.bismarck_advanced.card import Card, Location
from combat.rulesets.bismarck_advanced.damage import HitReport, Shell, resolve_hit
from combat.rulesets.bismarck_advanced.tabledata import load_tables
from combat.rulesets.bismarck_advanced.vessel import TurretState, Vessel
from combat.rulesets.bismarck_advanced.warship_files import load_warships
from combat.rulesets.bismarck_advanced.warships import ArmourCode
from tabletop.arcs import Quadrant

TABLES, SHIPS = load_tables(), load_warships()
CARD = Card.of(TABLES)
FOLDER = Path(bismarck_advanced.__file__).parent
BOW, STERN, PORT, STARBOARD = Quadrant.BOW, Quadrant.STERN, Quadrant.PORT, Quadrant.STARBOARD
E, F, D, A, Z = GunType.E, GunType.F, GunType.D, GunType.A, GunType.Z
BLANK, SHORT, EXTREME = RangeBand.POINT_BLANK, RangeBand.SHORT, RangeBand.EXTREME
MEDIUM_LOW, MEDIUM_HIGH = RangeBand.MEDIUM_LOW, RangeBand.MEDIUM_HIGH
LONG_LOW, LONG_HIGH = RangeBand.LONG_LOW, RangeBand.LONG_HIGH
QUARTERS = {"G": 4, "F": 4, "E": 4, "D": 3, "C": 2, "B": 2, "A": 1, "Z": 1}


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def hit(
    target: str | Vessel,
    dice: str,
    gun: GunType = F,
    band: RangeBand = SHORT,
    aspect: Quadrant = PORT,
    *,
    card: Card = CARD,
    radar: bool = False,
) -> tuple[Vessel, HitReport]:
    """One hit with exactly these dice; the report must have recorded them all, in order."""
    typed = TypedDice(dice)
    before = fresh(target) if isinstance(target, str) else target
    after, report = resolve_hit(
        Shell(gun, band, aspect), before, typed, card, radar_lost_with_superstructure=radar
    )
    typed.finish()
    assert report.dice == tuple(dice.split())
    return after, report


def owners(**cells: str) -> Card:
    """The card with the owner's values for row 12 of the broadside section."""
    values = {("damage_broadside", "12", column): value for column, value in cells.items()}
    return Card.of(TABLES.with_overlay(Overlay("bismarck-advanced", values)))


# --- 63: where, and against what armour ----------------------------------------------------


@pytest.mark.parametrize(
    ("aspect", "dice", "location"),
    [
        (PORT, "12", Location.HULL),
        (STARBOARD, "12", Location.HULL),
        (BOW, "12 1 1", Location.BOW_TURRET),
        (STERN, "12 1 1", Location.BOW_TURRET),
    ],
)
def test_the_section_is_chosen_by_aspect(aspect: Quadrant, dice: str, location: Location) -> None:
    """63.2: row 12 is the hull from broadside and a bow turret from ahead or astern."""
    assert hit("Bismarck", dice, Z, aspect=aspect)[1].location is location


@pytest.mark.parametrize(
    ("aspect", "dice", "inches"),
    [(PORT, "12", 12), (STARBOARD, "12", 12), (BOW, "13", 14), (STERN, "13", 14)],
)
def test_the_belt_by_aspect(aspect: Quadrant, dice: str, inches: int) -> None:
    """Hood's belt is 12 inches from broadside and 14 end-on; E goes through 12 at medium low."""
    after, report = hit("Hood", dice, E, MEDIUM_LOW, aspect)
    assert (report.armour, report.armour_inches) == (ArmourCode.BELT, inches)
    assert report.penetration_inches == 12
    assert report.penetrated is (inches == 12)
    assert after.hull_lost == (4 if inches == 12 else 0)


@pytest.mark.parametrize(("aspect", "inches"), [(PORT, 4), (BOW, 6), (STERN, 6), (STARBOARD, 4)])
def test_the_rudder_by_aspect(aspect: Quadrant, inches: int) -> None:
    report = hit("Hood", "65", Z, MEDIUM_LOW, aspect)[1]
    assert (report.armour, report.armour_inches) == (ArmourCode.RUDDER, inches)


@pytest.mark.parametrize(
    ("band", "inches"),
    [(EXTREME, 4), (LONG_HIGH, 8), (LONG_LOW, 14), (MEDIUM_HIGH, 14), (MEDIUM_LOW, 14),
     (SHORT, 14), (BLANK, 14)],
)  # fmt: skip
def test_the_deck_by_range(band: RangeBand, inches: int) -> None:
    """Row 56 is deck at every range; Hood's is 4, 8 and 14 inches."""
    after, report = hit("Hood", "56", E, band)
    assert (report.armour, report.armour_inches) == (ArmourCode.DECK, inches)
    penetrates = band in (EXTREME, SHORT, BLANK)
    assert report.penetrated is penetrates
    assert report.effect == ("1 hull box" if penetrates else "armour not penetrated (63.5)")
    assert after.hull_lost == 4 * penetrates


@pytest.mark.parametrize(
    ("band", "code", "inches"),
    [(EXTREME, "CA", 4), (LONG_HIGH, "CA", 8), (LONG_LOW, "CA", 14), (MEDIUM_HIGH, "CA", 14),
     (SHORT, "MG", 16)],
)  # fmt: skip
def test_the_crown_by_range(band: RangeBand, code: str, inches: int) -> None:
    """Row 32 meets the crown from medium range on, and the turret's face nearer."""
    report = hit("Hood", "32 1 1" if band is not EXTREME else "32 1", E, band)[1]
    assert (report.armour, report.armour_inches) == (code, inches)
    assert report.penetrated is (band is EXTREME)


@pytest.mark.parametrize(
    ("dice", "code", "inches"),
    [("21", "CT", 14), ("41", "DI", 2), ("53", "PL", 14), ("24 1", "SA", 4), ("13 1", "MG", 14)],
)
def test_the_other_kinds_of_armour(dice: str, code: str, inches: int) -> None:
    report = hit("Bismarck", dice, Z, MEDIUM_LOW)[1]
    assert (report.armour, report.armour_inches, report.penetrated) == (code, inches, False)
    assert report.penetration_inches is None


@pytest.mark.parametrize(
    ("gun", "band", "penetrated"),
    [(F, SHORT, True), (E, SHORT, False), (F, BLANK, True), (E, BLANK, True)],
)
def test_equal_penetrates(gun: GunType, band: RangeBand, penetrated: bool) -> None:
    """63.5: Bismarck's belt is 16 inches; F has 16 at short range, E 14."""
    after, report = hit("Bismarck", "12", gun, band)
    assert (report.armour_inches, report.penetrated) == (16, penetrated)
    assert after.hull_lost == 4 * penetrated


def test_no_armour_no_question() -> None:
    """63.6: a superstructure has none, nor have Prince of Wales's secondaries."""
    after, report = hit("Bismarck", "14", Z, EXTREME)
    assert (report.armour, report.armour_inches, report.penetrated) == (None, None, True)
    assert after.superstructure_lost == 1
    after, report = hit("Prince of Wales", "24 1", Z, EXTREME)
    assert (report.armour, report.armour_inches, report.penetrated) == ("SA", None, True)
    assert after.secondaries_lost == {"P1"}


@cache
def csv_cells(name: str) -> Mapping[tuple[str, str], str]:
    with (FOLDER / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {(cell["row"], cell["column"]): cell["value"] for cell in csv.DictReader(file)}


@cache
def chart(ship: str) -> Mapping[str, list[int | str] | int | str]:
    for path in (FOLDER / "ships").glob("*.toml"):
        for entry in tomllib.loads(path.read_text("utf-8"))["ship"]:
            if entry["name"] == ship:
                armour: Mapping[str, list[int | str] | int | str] = entry["armour"]
                return armour
    raise AssertionError(ship)


class OneAndAgain:
    """The location is given; every other die is a one, every choice the first."""

    def __init__(self, location: Pair) -> None:
        self.location = location

    def pair(self, purpose: str) -> Pair:
        return self.location

    def die(self, purpose: str) -> int:
        return 1

    def ten_sided(self, purpose: str) -> int:
        raise AssertionError(f"the Advanced Game has no ten-sided dice, yet rolls for {purpose}")

    def choice(self, count: int, purpose: str) -> Choice:
        return Choice(0, ())


@pytest.mark.parametrize("ship", ["Hood", "Bismarck", "Repulse", "Prinz Eugen", "Norfolk"])
@pytest.mark.parametrize("aspect", [STARBOARD, BOW])
def test_every_row_range_and_gun_beside_the_printed_files(ship: str, aspect: Quadrant) -> None:
    """A second reading of 63.4 to 64.35, straight from the CSV and TOML files."""
    end_on = aspect is BOW
    table = csv_cells("damage_end_on" if end_on else "damage_broadside")
    keys = {
        "BA": "belt", "DA": "deck", "MG": "main_gun", "CA": "crown", "SA": "secondary",
        "CT": "conning_tower", "PL": "plot", "DI": "director", "RU": "rudder",
    }  # fmt: skip
    groups = ("short", "short", "medium", "medium", "long", "long", "extreme")
    before = fresh(ship)
    for index in range(1, 37):
        pair = Pair.of_index(index)
        for gun in GunType:
            for band, group in zip(RangeBand, groups, strict=True):
                code, inches = table[str(pair), group], "-"
                if code != "-":
                    value = chart(ship)[keys[code]]
                    if isinstance(value, list):
                        plunging = {"extreme": 0, "long_high": 1}.get(band, 2)
                        value = value[plunging if code in ("DA", "CA") else end_on]
                    inches = str(value)
                power = csv_cells("penetration")[gun, band]
                through = inches == "-" or (power != "-" and int(power) >= int(inches))
                after, report = resolve_hit(
                    Shell(gun, band, aspect), before, OneAndAgain(pair), CARD
                )
                assert report.penetrated is through, (ship, pair, gun, band)
                location, size = table[str(pair), "location"], QUARTERS[gun]
                also = size * (table[str(pair), "mark"] == "**")
                if location in ("bow_turret", "stern_turret"):
                    struck = before.warship.bow_turrets[0]
                    if location == "stern_turret":
                        struck = before.warship.stern_turrets[0]
                    expected = TurretState(12, destroyed=True) if through else TurretState(size)
                    assert after.turret_state(struck) == expected
                    assert after.hull_lost == also
                elif location == "hull":
                    assert after.hull_lost == size * through
                elif location == "superstructure":
                    assert after.superstructure_lost == size
                elif location == "secondary":
                    assert len(after.secondaries_lost) == through
                elif location == "speed":
                    assert after.movement_factors_lost == through
                elif location == "special_a":
                    assert after.hull_lost == size * through
                else:
                    # A one does nothing in any other special table.
                    assert after == before


# --- 64.2 to 64.4: turrets -----------------------------------------------------------------


def test_a_penetrated_turret_is_destroyed() -> None:
    """64.32: F at short range against Bismarck's 14 inches."""
    after, report = hit("Bismarck", "22 1", F)
    assert after.turrets[0] == TurretState(12, destroyed=True)
    assert (report.place, report.effect) == ("turret A", "turret A destroyed (64.32)")


def test_a_turret_that_holds_is_marked_until_nothing_is_left() -> None:
    """64.31, 64.32: three boxes of a whole-box shell; the last calls for no special die."""
    ship = fresh("Hood")
    for expected in (4, 8):
        ship, report = hit(ship, "22 1 1", E)
        assert ship.turrets[0] == TurretState(expected)
        assert "64.31" in report.effects[0]
        assert report.effects[1:] == ("no further effect",)
    ship, report = hit(ship, "22 1", E)
    assert ship.turrets[0] == TurretState(12, destroyed=True)
    assert report.effect.endswith("turret A destroyed (64.32)")


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
    assert (first.effect, second.effect) == ("¾ hull box", "¾ hull box")
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
    assert hit(ship, dice, F, BLANK)[1].place == f"turret {turret}"


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
        assert report.effect == "turret A was already destroyed (64.43)"
    lost = replace(ship, secondaries_lost=frozenset({"P1"}))
    after, report = hit(lost, "24 1", E)
    assert after == lost
    assert report.effect == "already destroyed: no damage (64.43)"


@pytest.mark.parametrize("gun", [F, Z])
@pytest.mark.parametrize("destroyed", [False, True])
def test_one_hull_hit_also(gun: GunType, destroyed: bool) -> None:
    """`**` states no condition: the hull hit of the shell's size always comes on top."""
    ship = fresh("Bismarck").turret_destroyed(0) if destroyed else fresh("Bismarck")
    after, report = hit(ship, "13 1", gun)
    size = QUARTERS[gun]
    assert after.hull_lost == size
    assert report.effects[-1] == ("1 hull box besides" if gun is F else "¼ hull box besides")
    expected = TurretState(12, destroyed=True) if destroyed or gun is F else TurretState(size)
    assert after.turrets[0] == expected


@pytest.mark.parametrize("dice", ["13", "25"])
def test_a_carrier_without_turrets_takes_the_hull_hit_alone(dice: str) -> None:
    after, report = hit("Ark Royal", dice, F)
    assert report.effect == "she has no such turret: no damage; 1 hull box besides"
    assert after == replace(fresh("Ark Royal"), hull_lost=4)
    assert hit("Ark Royal", "22")[0] == hit("Ark Royal", "15")[0] == fresh("Ark Royal")


def test_the_owners_asterisks_count_at_any_location() -> None:
    after, report = hit("Bismarck", "12", E, card=owners(mark="**"))
    assert (report.penetrated, after.hull_lost) == (False, 4)


# --- 64.35, 64.41, 9.716, 9.81: secondaries and missing turrets ----------------------------


@pytest.mark.parametrize("gun", [F, A])
def test_a_penetrated_secondary_is_destroyed_whatever_the_shell(gun: GunType) -> None:
    after, report = hit("Bismarck", "24 3", gun)
    assert after == replace(fresh("Bismarck"), secondaries_lost=frozenset({"P2"}))
    assert report.effect == "secondary turret P2 destroyed (64.35)"


def test_a_secondary_that_holds_is_unhurt() -> None:
    after, report = hit("Bismarck", "24 3", Z)
    assert after == fresh("Bismarck")
    assert report.effect == "armour not penetrated (63.5)"


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
    assert (report.armour_inches, report.place) == (2, "secondary turret P2")


@pytest.mark.parametrize(("dice", "turret"), [("23 2 1", 0), ("23 3", 2)])
def test_rodney_from_ahead_takes_stern_hits_as_from_broadside(dice: str, turret: int) -> None:
    """9.81 names broadside and stern only; only the stern turns the hit into another."""
    assert hit("Rodney", dice, F, BLANK, BOW)[0].turrets[turret].destroyed


def test_rodneys_third_turret_is_no_bow_turret() -> None:
    assert [turret.name for turret in fresh("Rodney").warship.bow_turrets] == ["A", "B"]
    assert hit("Rodney", "22 6", F, BLANK)[1].place == "turret B"


@pytest.mark.parametrize("ship", ["Dunkerque", "Strasbourg"])
def test_dunkerque_takes_stern_hits_on_either_turret(ship: str) -> None:
    """No third turret, so no die to ask for it."""
    assert hit(ship, "15 3", F)[0].turrets[0].destroyed
    assert hit(ship, "15 4", F)[0].turrets[1].destroyed
    astern = hit(ship, "23 4 3", F, aspect=STERN)[0]
    assert astern.secondaries_lost == {"S2"}


# --- 64.5 to 64.8: superstructure, hull, special targets -----------------------------------


def test_superstructure_overflows_into_the_hull() -> None:
    ship = replace(fresh("Hood"), superstructure_lost=10)
    ship, report = hit(ship, "14", D)
    assert (ship.superstructure_lost, ship.hull_lost) == (12, 1)
    assert report.effect == "½ superstructure box; ¼ hull box (64.5)"
    ship, report = hit(ship, "14", D)
    assert (ship.superstructure_lost, ship.hull_lost) == (12, 4)
    assert report.effect == "¾ hull box (64.5)"


def test_radar_goes_with_the_superstructure_only_if_players_wish() -> None:
    assert not hit("Hood", "14", Z)[0].radar_lost
    after, report = hit("Hood", "14", Z, radar=True)
    assert after.radar_lost
    assert not after.has_radar
    assert report.effects[-1] == "radar lost (64.5, optional)"
    assert "radar" not in hit(after, "14", Z, radar=True)[1].effect
    assert not hit("Hood", "12", F, radar=True)[0].radar_lost
    assert "radar" not in hit("Dunkerque", "14", Z, radar=True)[1].effect


def test_the_owner_may_armour_a_superstructure() -> None:
    """64.31: only a turret is damaged by what does not penetrate."""
    card = owners(location="superstructure")
    after, report = hit("Bismarck", "12", E, card=card, radar=True)
    assert after == fresh("Bismarck")
    assert report.effect == "armour not penetrated (63.5)"
    assert hit("Bismarck", "12", F, card=card)[0].superstructure_lost == 4


@pytest.mark.parametrize("die", range(1, 7))
def test_director_and_plot_need_the_special_table(die: int) -> None:
    """64.71: A for the director from 3 up, B for the plot from 4 up."""
    director, report = hit("Bismarck", f"41 {die}", F)
    assert director == replace(fresh("Bismarck"), director_destroyed=die >= 3)
    assert report.penetrated
    assert (report.effect == "penetrated without effect (64.71)") is (die < 3)
    plot, report = hit("Bismarck", f"53 {die}", F)
    assert plot == replace(fresh("Bismarck"), plot_destroyed=die >= 4)
    assert (report.effect == "penetrated without effect (64.71)") is (die < 4)


def test_once_destroyed_they_are_ignored() -> None:
    """64.73: not even a die."""
    ship = replace(fresh("Bismarck"), director_destroyed=True, plot_destroyed=True)
    for dice in ("41", "53"):
        after, report = hit(ship, dice, F)
        assert after == ship
        assert report.effect == "already destroyed: ignored (64.73)"


def test_the_one_destroyed_does_not_shield_the_other() -> None:
    blind = replace(fresh("Bismarck"), director_destroyed=True)
    assert hit(blind, "53 4", F)[0] == replace(blind, plot_destroyed=True)
    deaf = replace(fresh("Bismarck"), plot_destroyed=True)
    assert hit(deaf, "41 3", F)[0] == replace(deaf, director_destroyed=True)


@pytest.mark.parametrize("dice", ["21", "41", "53", "65", "11", "66", "33", "12", "24 1"])
def test_nothing_happens_without_penetration(dice: str) -> None:
    after, report = hit("Bismarck", dice, Z, MEDIUM_LOW)
    assert after == fresh("Bismarck")
    assert report.effect == "armour not penetrated (63.5)"


@pytest.mark.parametrize(
    ("dice", "lost"),
    [("33 1", 1), ("33 2", 1), ("33 3", 2), ("33 4", 3), ("61 5", 5), ("61 6", 8)],
)
def test_speed_loss(dice: str, lost: int) -> None:
    after, report = hit("Bismarck", dice, F)
    assert (after.movement_factors_lost, after.movement_factor) == (lost, 10 - lost)
    assert report.effect == f"{lost} movement factor{'s' * (lost > 1)} lost"


def test_speed_never_falls_below_nothing() -> None:
    ship = hit("Rodney", "33 6", F)[0]
    assert ship.movement_factor == 0


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
    assert (report.effect == "no further effect") is (die <= 2)
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
    assert report.effect == "1 hull box; sunk (64.8)"
    again, report = hit(ship, "12", E)
    assert (again.hull_lost, report.effect) == (40, "1 hull box")


def test_sunk_by_the_hull_hit_besides() -> None:
    ship = replace(fresh("Hood"), hull_lost=39)
    assert hit(ship, "13 1", F, BLANK)[1].effects[-1] == "sunk (64.8)"


@pytest.mark.parametrize(("gun", "quarters"), QUARTERS.items())
def test_a_destroyer_has_one_box_and_no_table(gun: str, quarters: int) -> None:
    """70.2: no dice at all; any whole-box shell sinks her."""
    after, report = hit("Destroyer", "", GunType(gun))
    assert after == replace(fresh("Destroyer"), hull_lost=quarters)
    assert (report.location, report.place, report.reference) == (None, "hull", "70.2")
    assert after.is_sunk is (quarters == 4)
    assert ("sunk (70.2)" in report.effects) is (quarters == 4)


def test_quarters_sink_a_destroyer_in_the_end() -> None:
    ship = fresh("Destroyer")
    for expected in (False, False, False, True):
        ship = hit(ship, "", Z)[0]
        assert ship.is_sunk is expected


# --- dice and what a hit rests on ----------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("", "number 1 is for the location of the hit (a pair)"),
        ("22", "number 2 is for the turret of the hit (one die)"),
        ("22 1", "number 3 is for the main gun damage of the hit (one die)"),
        ("41", "number 2 is for the special damage of the hit"),
        ("33", "number 2 is for the speed loss of the hit"),
        ("65", "number 2 is for the rudder table of the hit"),
        ("11 6", "number 3 is for the turret lost to the hit"),
    ],
)
def test_missing_dice_say_what_they_are_for(dice: str, words: str) -> None:
    with pytest.raises(BadDice) as complaint:
        hit("Hood", dice, E)
    assert words in str(complaint.value)


def test_a_hit_rests_on_every_cell_it_reads() -> None:
    """With the owner's location, armour and mark the row is theirs; a special table is not."""
    owned = {
        ("damage_broadside", row, column): TABLES["damage_broadside"].text(row, column)
        for row in ("12", "65")
        for column in ("location", "short", "mark")
    }

    def rests_on(dice: str, band: RangeBand = SHORT) -> Provenance:
        card = Card.of(TABLES.with_overlay(Overlay("bismarck-advanced", owned)))
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
